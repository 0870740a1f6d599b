// SPDX-License-Identifier: GPL-2.0-only
// The writer: merge order, both headers byte for byte, file errors and limits, barriers, a file that hangs.
#include "core_test.hpp"

#include <chrono>
#include <thread>

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class WriterTest : public CoreTest {
  protected:
    // The bytes that one getpid() adds: SYSCALL without arguments, SYSRET, with the first header.
    static constexpr size_t kPair = 2 * sizeof(ktr_header) + sizeof(ktr_syscall) + sizeof(ktr_sysret);
    static constexpr uint32_t kCalls = KTRFAC_SYSCALL | KTRFAC_SYSRET;

    void write_all() { EXPECT_EQ(clear(program), 0); } // and waits for it
    // Until the writer has seen the file fail.
    void wait_failure() {
        const auto end = Clock::now() + 10s;
        while (fake::logged_errors == 0 && Clock::now() < end)
            std::this_thread::sleep_for(1ms);
        ASSERT_EQ(fake::logged_errors, 1);
    }
};

TEST_F(WriterTest, the_first_header_is_byte_exact) {
    fake::realtime_offset = 1'700'000'000'000'000'000;
    ASSERT_EQ(set(program, KTRFAC_USER), 0);
    program->process->map(kBuffer, "hello");
    fake::set_clock(5'123'456'789, 0);
    ASSERT_EQ(fake::utrace(program, kBuffer, 5), 0);
    fake::set_clock(6'000'000'000, 1);
    write_all();
    ktr_header header{};
    header.ktr_len = 5;
    header.ktr_type = KTR_USER;
    header.ktr_pid = program->pid;
    memcpy(header.ktr_comm, "program", 7);
    header.ktr_time.tv_sec = 1'700'000'005;
    header.ktr_time.tv_usec = 123'456;
    header.ktr_tid = program->tid;
    const auto bytes = file->snapshot();
    ASSERT_EQ(bytes.size(), sizeof(header) + 5);
    EXPECT_EQ(memcmp(bytes.data(), &header, sizeof(header)), 0);
    EXPECT_EQ(memcmp(bytes.data() + sizeof(header), "hello", 5), 0);
}

TEST_F(WriterTest, the_versioned_header_is_byte_exact) {
    ASSERT_EQ(set(program, KTRFAC_USER | KTRFACv1), 0);
    program->process->map(kBuffer, "hello");
    fake::set_cpu(3);
    fake::set_clock(5'123'456'789, 0);
    ASSERT_EQ(fake::utrace(program, kBuffer, 5), 0);
    fake::set_clock(6'000'000'000, 1);
    write_all();
    ktr_header_v1 header{};
    header.ktr_len = 5;
    header.ktr_type = KTR_USER | KTR_VERSIONED;
    header.ktr_version = KTR_VERSION1;
    header.ktr_pid = program->pid;
    memcpy(header.ktr_comm, "program", 7);
    header.ktr_time.tv_sec = 5;
    header.ktr_time.tv_nsec = 123'456'789;
    header.ktr_tid = program->tid;
    header.ktr_cpu = 3;
    const auto bytes = file->snapshot();
    ASSERT_EQ(bytes.size(), sizeof(header) + 5);
    EXPECT_EQ(memcmp(bytes.data(), &header, sizeof(header)), 0);
}

TEST_F(WriterTest, a_second_set_changes_the_header_from_there_on) {
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    ASSERT_EQ(set(program, kCalls | KTRFACv1), 0);
    getpid(program);
    write_all();
    const Trace all = trace();
    ASSERT_EQ(all.records.size(), 4u);
    EXPECT_TRUE(all.whole);
    EXPECT_FALSE(all.records[1].v1);
    EXPECT_TRUE(all.records[2].v1);
}

TEST_F(WriterTest, records_of_several_processors_are_merged_by_time) {
    ASSERT_EQ(set(program, kCalls | KTRFACv1), 0);
    const unsigned int cpus[] = {4, 0, 3, 1, 1, 4, 0};
    for (int round = 0; round < 50; round++)
        for (unsigned int cpu : cpus) {
            fake::set_cpu(cpu);
            getpid(program);
        }
    write_all();
    const Trace all = trace();
    ASSERT_EQ(all.records.size(), 50 * 7 * 2u);
    EXPECT_TRUE(all.in_order());
    for (size_t i = 0; i < all.records.size(); i++)
        ASSERT_EQ(all.records[i].cpu, static_cast<int32_t>(cpus[i / 2 % 7])) << i;
}

TEST_F(WriterTest, an_interrupt_inside_a_record_does_not_make_time_go_backwards) {
    ASSERT_EQ(set(program, kCalls | KTRFAC_PSIG | KTRFACv1), 0);
    fake::interrupt_at_clock([&] { fake::signal(program, 10); });
    getpid(program);
    write_all();
    EXPECT_EQ(trace().types(), (std::vector<uint16_t>{KTR_SYSCALL, KTR_PSIG, KTR_SYSRET}));
    EXPECT_TRUE(trace().in_order());
}

TEST_F(WriterTest, a_first_record_is_in_the_file_within_100_ms) {
    ASSERT_EQ(set(program, kCalls), 0);
    std::this_thread::sleep_for(20ms); // the writer is idle now
    const auto start = Clock::now();
    getpid(program);
    file->wait_size(kPair);
    EXPECT_LT(Clock::now() - start, 1s) << "a loaded machine, but not a lost wake-up";
    EXPECT_EQ(file->size(), kPair);
}

TEST_F(WriterTest, what_gathers_while_it_lingers_goes_out_in_one_write) {
    ASSERT_EQ(set(program, kCalls), 0);
    std::this_thread::sleep_for(20ms);
    for (int i = 0; i < 20; i++)
        getpid(program);
    file->wait_size(20 * kPair);
    EXPECT_LE(file->writes.size(), 3u);
}

TEST_F(WriterTest, a_ring_half_full_is_written_at_once) {
    ktrace_settings.lossless = 0;
    ASSERT_EQ(set(program, KTRFAC_USER), 0);
    program->process->map(kBuffer, std::string(2048, 'x'));
    std::this_thread::sleep_for(20ms);
    for (int i = 0; i < 40; i++)
        ASSERT_EQ(fake::utrace(program, kBuffer, 2048), 0);
    const auto start = Clock::now();
    file->wait_size(32 * (2048 + sizeof(ktr_header)));
    EXPECT_LT(Clock::now() - start, 5s);
}

TEST_F(WriterTest, a_short_write_is_cut_to_whole_records_and_ends_the_trace) {
    file->capacity = 3 * kPair + 100;
    ASSERT_EQ(set(program, kCalls), 0);
    for (int i = 0; i < 10; i++)
        getpid(program);
    wait_failure();
    EXPECT_EQ(fake::last_logged_error, 28);
    EXPECT_EQ(clear_file(), 0);
    const Trace all = trace();
    EXPECT_TRUE(all.whole);
    EXPECT_EQ(all.records.size(), 7u) << "three pairs and the SYSCALL that still fits";
    EXPECT_EQ(file->truncations, 1);
}

TEST_F(WriterTest, the_counters_agree_with_a_file_that_was_cut) {
    file->capacity = 3 * kPair + 100;
    ASSERT_EQ(set(program, kCalls), 0);
    for (int i = 0; i < 10; i++)
        getpid(program);
    wait_failure();
    const ktrace_stats stats = stats_of(file);
    EXPECT_EQ(stats.records, trace().records.size());
    EXPECT_EQ(stats.bytes, file->size());
}

TEST_F(WriterTest, an_error_of_the_file_ends_the_trace_with_one_line_in_the_log) {
    file->write_errno = 5;
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    wait_failure();
    EXPECT_EQ(fake::last_logged_error, 5);
    for (int i = 0; i < 100; i++)
        getpid(program);
    fake::settle();
    EXPECT_EQ(fake::logged_errors, 1);
    EXPECT_EQ(fake::hooks, 0u) << "the reaper has taken the target away";
    EXPECT_EQ(file->size(), 0u);
}

TEST_F(WriterTest, the_limit_of_who_asked_is_kept_and_is_efbig) {
    tracer->process->file_limit = 2 * kPair + 10;
    ASSERT_EQ(set(program, kCalls), 0);
    for (int i = 0; i < 10; i++)
        getpid(program);
    wait_failure();
    EXPECT_EQ(fake::last_logged_error, 27);
    EXPECT_EQ(file->size(), 2 * kPair);
    EXPECT_EQ(file->truncations, 0) << "nothing partial was written at all";
}

TEST_F(WriterTest, a_file_over_the_limit_already_gets_nothing) {
    file->data.resize(1000);
    tracer->process->file_limit = 500;
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    wait_failure();
    EXPECT_EQ(file->size(), 1000u);
}

TEST_F(WriterTest, the_limit_does_not_apply_to_what_is_not_a_regular_file) {
    file->regular = false;
    tracer->process->file_limit = 10;
    ASSERT_EQ(fktrace(KTROP_SET, kCalls, program->pid, kFd), 0);
    getpid(program);
    write_all();
    EXPECT_EQ(trace().records.size(), 2u);
}

TEST_F(WriterTest, records_are_appended_to_what_the_file_has) {
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    write_all();
    fake::settle(true);
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    write_all();
    EXPECT_EQ(trace().records.size(), 4u);
}

TEST_F(WriterTest, writes_are_done_with_the_rights_of_who_asked) {
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    write_all();
    ASSERT_FALSE(file->writer_uids.empty());
    EXPECT_EQ(file->writer_uids.front(), 1000u);
}

TEST_F(WriterTest, clear_returns_when_the_records_are_in_the_file) {
    for (int round = 0; round < 20; round++) {
        ASSERT_EQ(set(program, kCalls), 0);
        getpid(program);
        ASSERT_EQ(clear(program), 0);
        ASSERT_EQ(trace().records.size(), 2u * (round + 1));
    }
}

TEST_F(WriterTest, exit_returns_when_the_records_are_in_the_file) {
    ASSERT_EQ(set(program, kCalls | KTRFAC_PROCDTOR), 0);
    getpid(program);
    fake::exit(program);
    EXPECT_EQ(trace().types(), (std::vector<uint16_t>{KTR_SYSCALL, KTR_SYSRET, KTR_PROCDTOR}));
}

// A pass whose mark is the very time of the record has not written it.
TEST_F(WriterTest, exit_waits_for_a_record_of_the_same_time_as_the_last_pass) {
    ASSERT_EQ(set(program, kCalls), 0);
    fake::set_clock(2'000'000, 0);
    EXPECT_EQ(set(program, kCalls), 0);
    getpid(program);
    file->wait_size(kPair);
    std::this_thread::sleep_for(20ms);
    getpid(program);
    fake::exit(program);
    EXPECT_EQ(trace().records.size(), 4u);
}

TEST_F(WriterTest, exit_does_not_wait_longer_than_wait_ms_for_a_file_that_hangs) {
    ktrace_settings.wait_ms = 50;
    file->set_hangs(true);
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    const auto start = Clock::now();
    fake::exit(program);
    EXPECT_GE(Clock::now() - start, 40ms);
    EXPECT_LT(Clock::now() - start, 5s);
    file->set_hangs(false);
    fake::settle(true);
    EXPECT_EQ(trace().records.size(), 2u) << "written in the end";
}

TEST_F(WriterTest, only_the_first_waits_for_a_file_that_hangs) {
    ktrace_settings.wait_ms = 100;
    file->set_hangs(true);
    ASSERT_EQ(set(program, kCalls | KTRFAC_INHERIT), 0);
    std::vector<kshim_task *> children;
    for (int i = 0; i < 20; i++)
        children.push_back(fake::fork(program));
    getpid(program);
    const auto start = Clock::now();
    for (kshim_task *child : children)
        fake::exit(child);
    EXPECT_LT(Clock::now() - start, 1500ms);
    EXPECT_EQ(stats_of(file).timeouts, 1u);
    file->set_hangs(false);
    ktrace_settings.wait_ms = 5000;
    const auto end = Clock::now() + 10s; // until it has made progress and waiting is worth it again
    while (file->size() < kPair && Clock::now() < end)
        std::this_thread::sleep_for(1ms);
    getpid(program);
    fake::exit(program);
    EXPECT_EQ(trace().records.size(), 4u);
}

TEST_F(WriterTest, wait_ms_of_zero_never_waits) {
    ktrace_settings.wait_ms = 0;
    file->set_hangs(true);
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    fake::exit(program);
    file->set_hangs(false);
}

TEST_F(WriterTest, a_lossless_trace_waits_for_room_and_loses_nothing) {
    ktrace_settings.wait_ms = 20000;
    ASSERT_EQ(set(program, kCalls), 0);
    constexpr size_t kCount = 5000; // several times the ring
    for (size_t i = 0; i < kCount; i++)
        getpid(program);
    const ktrace_stats stats = stats_of(file);
    write_all();
    EXPECT_EQ(trace().records.size(), 2 * kCount);
    EXPECT_EQ(trace().count(KTR_LOST), 0u);
    EXPECT_EQ(stats.timeouts, 0u);
}

TEST_F(WriterTest, a_thread_that_waits_for_room_can_be_killed) {
    ktrace_settings.wait_ms = 20000;
    file->set_hangs(true);
    ASSERT_EQ(set(program, kCalls), 0);
    program->killed = true;
    const auto start = Clock::now();
    for (int i = 0; i < 2000; i++)
        getpid(program);
    EXPECT_LT(Clock::now() - start, 10s);
    file->set_hangs(false);
}

TEST_F(WriterTest, a_failure_while_a_thread_waits_ends_its_wait) {
    ktrace_settings.wait_ms = 20000;
    file->set_hangs(true);
    file->write_errno = 5;
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    std::thread disk([&] {
        std::this_thread::sleep_for(50ms);
        file->set_hangs(false);
    });
    const auto start = Clock::now();
    fake::exit(program);
    EXPECT_LT(Clock::now() - start, 10s);
    disk.join();
}

} // namespace
