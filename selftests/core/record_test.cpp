// SPDX-License-Identifier: GPL-2.0-only
// Lost records: what was made is either in the file or counted, in LOST and in the counters.
#include "core_test.hpp"

#include <chrono>
#include <thread>

#include "../../module/core/target.hpp"

namespace {

class RecordTest : public CoreTest {
  protected:
    static constexpr uint32_t kCalls = KTRFAC_SYSCALL | KTRFAC_SYSRET;

    void SetUp() override {
        CoreTest::SetUp();
        ktrace_settings.lossless = 0;
        ktrace_settings.wait_ms = 20;
    }
    // A file that hangs, and a trace that goes on nevertheless.
    void begin(uint32_t facilities = kCalls) {
        file->set_hangs(true);
        ASSERT_EQ(set(program, facilities), 0);
        // One record that the writer hangs with: from here on it takes nothing out of the rings.
        program->process->map(kBuffer, std::string(2048, 'x'));
        getpid(program);
        fake::utrace(program, kBuffer, 1);
        for (int i = 0; i < 20000 && file->waiting == 0; i++)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ASSERT_EQ(file->waiting, 1);
    }
    void drain() {
        file->set_hangs(false);
        ktrace_settings.wait_ms = 20000;
        file->wait_size(1);
        const auto wrote = [&] { return stats_of(file).records; };
        for (uint64_t before = ~0ull, now = wrote(); now != before || now == 0; now = wrote()) {
            before = now;
            ktr::Ref<ktr::Session> session = share();
            session->wait_written();
        }
    }
    ktr::Ref<ktr::Session> share() { return ktr::get_target(program->process.get())->share_session(); }
};

TEST_F(RecordTest, a_trace_without_losses_has_no_drop_mark) {
    ASSERT_EQ(set(program), 0);
    getpid(program);
    EXPECT_EQ(clear(program), 0);
    for (const Record &record : trace().records)
        EXPECT_FALSE(record.drop);
    EXPECT_EQ(trace().count(KTR_LOST), 0u);
}

TEST_F(RecordTest, what_found_no_room_is_told_before_the_next_record_which_has_the_mark) {
    begin();
    for (int i = 0; i < 3000; i++)
        getpid(program);
    drain();
    getpid(program);
    EXPECT_EQ(clear(program), 0);
    const Trace all = trace();
    ASSERT_TRUE(all.whole);
    ASSERT_EQ(all.count(KTR_LOST), 1u);
    size_t marks = 0;
    for (size_t i = 1; i < all.records.size(); i++)
        if (all.records[i].drop) {
            marks++;
            EXPECT_EQ(all.records[i - 1].type, KTR_LOST);
            EXPECT_EQ(all.records[i].type, KTR_SYSCALL);
        }
    EXPECT_EQ(marks, 1u);
}

TEST_F(RecordTest, generated_is_written_and_lost_for_each_type) {
    begin(kCalls | KTRFAC_NAMEI);
    constexpr size_t kCount = 2500;
    for (size_t i = 0; i < kCount; i++) {
        fake::set_cpu(i % 2 ? 0 : 3);
        getpid(program);
        fake::namei(program, "/etc/passwd" + std::string(i % 50, 'x'));
    }
    const ktrace_stats stats = stats_of(file);
    drain();
    for (unsigned int cpu : {0u, 3u}) {
        fake::set_cpu(cpu);
        getpid(program);
    }
    EXPECT_EQ(clear(program), 0);
    const Trace all = trace();
    auto lost = all.lost();
    EXPECT_GT(lost[KTR_SYSCALL], 0u);
    EXPECT_EQ(all.count(KTR_SYSCALL) + lost[KTR_SYSCALL], kCount + 3);
    EXPECT_EQ(all.count(KTR_SYSRET) + lost[KTR_SYSRET], kCount + 3);
    EXPECT_EQ(all.count(KTR_NAMEI) + lost[KTR_NAMEI], kCount);
    for (uint32_t type : {KTR_SYSCALL, KTR_SYSRET, KTR_NAMEI})
        EXPECT_EQ(stats.lost[type], lost[type]) << type;
    EXPECT_TRUE(all.in_order());
}

// The ring gets room for LOST but not for the record behind it.
TEST_F(RecordTest, a_record_that_is_lost_behind_lost_is_counted_once) {
    begin(KTRFAC_USER);
    size_t sent = 1, refused = 0;
    const auto send = [&](size_t length) {
        sent++;
        refused += fake::utrace(program, kBuffer, length) != 0;
    };
    while (refused == 0)
        send(2048);
    for (int i = 0; i < 40; i++)
        send(i % 2 ? 2048 : 600); // LOST fits where these do not
    drain();
    send(1);
    EXPECT_EQ(clear(program), 0);
    const Trace all = trace();
    auto lost = all.lost();
    EXPECT_EQ(lost[KTR_USER], refused);
    EXPECT_EQ(all.count(KTR_USER) + lost[KTR_USER], sent);
    for (const Record &record : all.records)
        if (record.type == KTR_LOST) {
            EXPECT_GT(record.payload.size(), 0u);
        }
}

TEST_F(RecordTest, a_record_that_is_taken_back_leaves_the_mark_to_the_next) {
    begin(kCalls | KTRFAC_GENIO);
    for (int i = 0; i < 3000; i++)
        getpid(program);
    drain();
    ASSERT_TRUE(ktr::get_target(program->process.get())->has_lost());
    program->process->map(kBuffer, "data", /*resident=*/false);
    fake::sys_exit(program, kWrite, {1, kBuffer, 4}, 4); // GENIO is refused, then made in the door
    fake::return_to_user(program);
    EXPECT_EQ(clear(program), 0);
    const Trace all = trace();
    size_t marks = 0;
    for (const Record &record : all.records)
        marks += record.drop;
    EXPECT_EQ(marks, 1u);
    for (const Record &record : all.records)
        if (record.type == KTR_LOST) {
            EXPECT_GT(record.payload.size(), 0u);
        }
}

TEST_F(RecordTest, losses_at_the_end_of_a_process_are_told_at_its_exit) {
    begin();
    for (int i = 0; i < 3000; i++)
        getpid(program);
    drain();
    fake::exit(program);
    const Trace all = trace();
    EXPECT_EQ(all.count(KTR_LOST), 1u);
    EXPECT_EQ(all.count(KTR_SYSCALL) + all.lost()[KTR_SYSCALL], 3001u);
}

TEST_F(RecordTest, losses_before_a_clear_are_told_by_it) {
    begin();
    for (int i = 0; i < 3000; i++)
        getpid(program);
    drain();
    EXPECT_EQ(clear(program), 0);
    EXPECT_EQ(trace().count(KTR_SYSCALL) + trace().lost()[KTR_SYSCALL], 3001u);
}

TEST_F(RecordTest, losses_of_one_process_do_not_mark_another) {
    kshim_task *other = fake::spawn("other");
    begin();
    ASSERT_EQ(set(other, kCalls), 0);
    for (int i = 0; i < 3000; i++)
        getpid(program);
    drain();
    getpid(other);
    getpid(program);
    EXPECT_EQ(clear_file(), 0);
    for (const Record &record : trace().records)
        if (record.drop) {
            EXPECT_EQ(record.pid, program->pid);
        }
}

TEST_F(RecordTest, utrace_without_room_is_enomem) {
    begin(KTRFAC_USER);
    int error = 0;
    for (int i = 0; i < 200 && error == 0; i++)
        error = fake::utrace(program, kBuffer, 2048);
    EXPECT_EQ(error, -12);
    file->set_hangs(false);
}

TEST_F(RecordTest, nothing_is_recorded_for_a_file_that_failed) {
    file->write_errno = 28;
    ktrace_settings.wait_ms = 5000;
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    share()->wait_written();
    getpid(program);
    EXPECT_EQ(stats_of(file).lost[KTR_SYSCALL], 0u);
    EXPECT_EQ(file->size(), 0u);
}

} // namespace
