// SPDX-License-Identifier: GPL-2.0-only
// Programs on several processors that call, fork, clone and exit, while another thread sets and clears.
// The sanitizers look for races and for memory that is used too late; the file must be sound.
#include "core_test.hpp"

#include <chrono>
#include <random>
#include <thread>

namespace {

using namespace std::chrono_literals;

class StressTest : public CoreTest {
  protected:
    static constexpr auto kTime = 2s;
    static constexpr uint32_t kAll = kUsual | KTRFAC_INHERIT;

    void run_program(kshim_task *first, unsigned int seed, const std::atomic<bool> &stop);
    void start_programs(unsigned int count);
    void stop_programs();
    void background();

    std::atomic<bool> stopping{false};
    std::atomic<uint64_t> calls{0};
    std::vector<std::thread> programs;
    std::thread worker;
};

// One thread of the machine runs a family of processes, one step of one member at a time.
void StressTest::run_program(kshim_task *first, unsigned int seed, const std::atomic<bool> &stop) {
    constexpr unsigned int kUsable[] = {0, 1, 3};
    std::mt19937 random(seed);
    std::vector<kshim_task *> family{first};
    while (!stop) {
        fake::set_cpu(kUsable[random() % 3]);
        const size_t index = random() % family.size();
        kshim_task *task = family[index];
        const unsigned int what = random() % 100;
        if (what < 60) {
            getpid(task);
            calls++;
        } else if (what < 75) {
            fake::syscall(task, kWrite, {1, kBuffer + (random() % 2) * 0x1000, 8}, 8);
        } else if (what < 80) {
            fake::namei(task, "/etc/passwd");
            fake::signal(task, 10);
        } else if (what < 84) {
            fake::utrace(task, kBuffer, 8);
        } else if (what < 88) {
            fake::exec(task);
        } else if (what < 94 && family.size() < 8) {
            family.push_back(what % 2 ? fake::fork(task) : fake::clone(task));
        } else if (family.size() > 1 && index != 0) {
            fake::exit(task);
            family.erase(family.begin() + static_cast<long>(index));
        }
    }
}

void StressTest::start_programs(unsigned int count) {
    for (unsigned int i = 0; i < count; i++) {
        kshim_task *task = fake::fork(program);
        task->process->map(kBuffer, "resident");
        task->process->map(kBuffer + 0x1000, "late data", /*resident=*/false);
        programs.emplace_back([this, task, i] { run_program(task, i, stopping); });
    }
    worker = std::thread([this] { background(); });
}

// The work queue.
void StressTest::background() {
    while (!stopping) {
        fake::run_work();
        std::this_thread::sleep_for(1ms);
    }
}

void StressTest::stop_programs() {
    stopping = true;
    for (std::thread &thread : programs)
        thread.join();
    worker.join();
}

TEST_F(StressTest, set_and_clear_against_programs_on_several_processors) {
    const auto second = std::make_shared<fake::Inode>();
    fake::add_fd(8, second);
    start_programs(4);
    std::mt19937 random(99);
    const auto end = std::chrono::steady_clock::now() + kTime;
    const auto fine = [](int result) { return result == 0 || result == -3; };
    unsigned int rounds = 0;
    for (; std::chrono::steady_clock::now() < end; rounds++) {
        const uint32_t bits = kAll | (random() % 2 ? KTRFACv1 : 0);
        EXPECT_TRUE(fine(ktrace(KTROP_SET | KTRFLAG_DESCEND, bits, program->pid)));
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 5000));
        switch (random() % 5) {
        case 0:
            EXPECT_TRUE(fine(ktrace(KTROP_CLEAR | KTRFLAG_DESCEND, KTRFAC_SYSCALL, program->pid)));
            break;
        case 1:
            EXPECT_TRUE(fine(ktrace(KTROP_CLEAR | KTRFLAG_DESCEND, kAll, program->pid)));
            break;
        case 2:
            EXPECT_TRUE(fine(fktrace(KTROP_SET | KTRFLAG_DESCEND, bits, program->pid, 8)));
            EXPECT_TRUE(fine(fktrace(KTROP_CLEARFILE, 0, 0, 8)));
            break;
        default: {
            EXPECT_EQ(clear_file(), 0);
            break;
        }
        }
        stats_of(file);
    }
    stop_programs();
    EXPECT_EQ(clear_file(), 0);
    EXPECT_EQ(fktrace(KTROP_CLEARFILE, 0, 0, 8), 0);
    fake::settle(true);
    EXPECT_EQ(fake::counts.workers, 0);
    EXPECT_EQ(fake::hooks, 0u);
    EXPECT_TRUE(trace().whole && trace_of(second).whole);
    EXPECT_GT(trace().records.size(), 100u);
    EXPECT_GT(rounds, 5u);
}

TEST_F(StressTest, clearfile_makes_the_file_final_while_programs_go_on) {
    start_programs(4);
    const auto end = std::chrono::steady_clock::now() + kTime;
    while (std::chrono::steady_clock::now() < end) {
        EXPECT_EQ(ktrace(KTROP_SET | KTRFLAG_DESCEND, kAll, program->pid), 0);
        std::this_thread::sleep_for(2ms);
        EXPECT_EQ(clear_file(), 0);
        const size_t size = file->size();
        std::this_thread::sleep_for(1ms);
        if (file->size() != size) {
            ADD_FAILURE() << "grew by " << file->size() - size;
            break;
        }
    }
    stop_programs();
}

TEST_F(StressTest, one_long_trace_loses_nothing_and_stays_in_order) {
    ktrace_settings.wait_ms = 30000;
    ASSERT_EQ(set(program, KTRFAC_SYSCALL | KTRFAC_INHERIT | KTRFACv1), 0);
    start_programs(4);
    std::this_thread::sleep_for(kTime);
    stop_programs();
    EXPECT_EQ(clear_file(), 0);
    size_t getpids = 0;
    const Trace all = trace();
    for (const Record &record : all.records)
        getpids += record.type == KTR_SYSCALL && record.as<int16_t>() == kGetpid;
    EXPECT_EQ(getpids + all.lost()[KTR_SYSCALL], calls);
    EXPECT_TRUE(all.whole);
    EXPECT_TRUE(all.in_order());
}

} // namespace
