// SPDX-License-Identifier: GPL-2.0-only
// GENIO: buffers, vectors and messages of both ABIs, data that is not resident, calls that failed.
#include "core_test.hpp"

namespace {

constexpr uint32_t kIo = KTRFAC_SYSRET | KTRFAC_GENIO;
using Types = std::vector<uint16_t>;

class GenioTest : public CoreTest {
  protected:
    void SetUp() override {
        CoreTest::SetUp();
        ASSERT_EQ(set(program, kIo), 0);
    }
    fake::Process &memory() { return *program->process; }
    Trace finish() {
        EXPECT_EQ(clear(program, kIo), 0);
        return trace();
    }
    // The data of the GENIO records.
    std::vector<std::string> data() {
        std::vector<std::string> all;
        const Trace records = finish();
        for (const Record &record : records.records)
            if (record.type == KTR_GENIO)
                all.push_back(record.data());
        return all;
    }
    template <typename Word>
    void map_words(uint64_t at, const std::vector<Word> &words, bool resident = true) {
        memory().map(at,
                     std::string(reinterpret_cast<const char *>(words.data()), words.size() * sizeof(Word)),
                     resident);
    }
};
using Data = std::vector<std::string>;

TEST_F(GenioTest, a_read_shows_the_bytes_that_were_read_before_its_return) {
    memory().map(kBuffer, "hello, world");
    fake::syscall(program, kRead, {5, kBuffer, 100}, 5);
    const Trace all = finish();
    ASSERT_EQ(all.types(), Types({KTR_GENIO, KTR_SYSRET}));
    EXPECT_EQ(all.records[0].as<ktr_genio>().ktr_fd, 5);
    EXPECT_EQ(all.records[0].as<ktr_genio>().ktr_rw, static_cast<uint32_t>(KTR_UIO_READ));
    EXPECT_EQ(all.records[0].data(), "hello");
}

TEST_F(GenioTest, a_write_is_marked_as_one) {
    memory().map(kBuffer, "hello");
    fake::syscall(program, kWrite, {1, kBuffer, 5}, 5);
    EXPECT_EQ(finish().records[0].as<ktr_genio>().ktr_rw, static_cast<uint32_t>(KTR_UIO_WRITE));
}

TEST_F(GenioTest, a_read_of_nothing_and_one_that_failed_have_no_data) {
    memory().map(kBuffer, "hello");
    fake::syscall(program, kRead, {0, kBuffer, 5}, 0);
    fake::syscall(program, kRead, {0, kBuffer, 5}, -11);
    EXPECT_EQ(finish().types(), Types({KTR_SYSRET, KTR_SYSRET}));
}

TEST_F(GenioTest, a_write_that_failed_shows_what_it_asked_for) {
    memory().map(kBuffer, "hello");
    fake::syscall(program, kWrite, {1, kBuffer, 5}, -28);
    EXPECT_EQ(data(), Data({"hello"}));
}

TEST_F(GenioTest, a_write_from_a_bad_address_has_no_data) {
    fake::syscall(program, kWrite, {1, 0xbad000, 5}, -14);
    fake::syscall(program, kWrite, {1, 0xbad000, 5}, -28);
    EXPECT_EQ(finish().types(), Types({KTR_SYSRET, KTR_SYSRET}));
}

TEST_F(GenioTest, data_is_cut_at_geniosize) {
    ktrace_settings.geniosize = 7;
    memory().map(kBuffer, "hello, world");
    fake::syscall(program, kWrite, {1, kBuffer, 12}, 12);
    EXPECT_EQ(data(), Data({"hello, "}));
}

TEST_F(GenioTest, geniosize_of_zero_leaves_the_head_only) {
    ktrace_settings.geniosize = 0;
    memory().map(kBuffer, "hello, world");
    fake::syscall(program, kWrite, {1, kBuffer, 12}, 12);
    EXPECT_EQ(data(), Data({""}));
}

TEST_F(GenioTest, data_is_cut_at_what_a_ring_takes) {
    ktrace_settings.geniosize = KTRACE_GENIOSIZE_MAX;
    memory().map(kBuffer, std::string(100000, 'x'));
    fake::syscall(program, kWrite, {1, kBuffer, 100000}, 100000);
    EXPECT_EQ(data(), Data({std::string(128 * 1024 / 4 - sizeof(ktr_genio), 'x')}));
}

TEST_F(GenioTest, a_failed_write_of_an_absurd_length_is_harmless) {
    memory().map(kBuffer, "hello");
    fake::syscall(program, kWrite, {1, kBuffer, ~0ull}, -22);
    fake::syscall(program, kWrite, {1, ~0ull - 2, 100}, -22);
    EXPECT_EQ(data(), Data());
}

TEST_F(GenioTest, a_vector_is_one_record) {
    memory().map(kBuffer, "hello");
    memory().map(kBuffer + 100, "world");
    map_words<uint64_t>(0x30000, {kBuffer, 5, kBuffer + 100, 5});
    fake::syscall(program, kWritev, {1, 0x30000, 2}, 10);
    fake::syscall(program, kReadv, {1, 0x30000, 2}, 7);
    EXPECT_EQ(data(), Data({"helloworld", "hellowo"}));
}

TEST_F(GenioTest, a_vector_with_an_empty_piece_and_one_that_failed) {
    memory().map(kBuffer, "hello");
    map_words<uint64_t>(0x30000, {0, 0, kBuffer, 5});
    fake::syscall(program, kWritev, {1, 0x30000, 2}, -11);
    EXPECT_EQ(data(), Data({"hello"}));
}

TEST_F(GenioTest, a_vector_that_was_changed_meanwhile_shows_zeroes) {
    memory().map(kBuffer, "hello");
    map_words<uint64_t>(0x30000, {kBuffer, 3});
    fake::syscall(program, kReadv, {1, 0x30000, 1}, 5);
    EXPECT_EQ(data(), Data({std::string("hel\0\0", 5)}));
}

TEST_F(GenioTest, a_32_bit_vector_has_narrow_words) {
    memory().map(kBuffer, "hello");
    map_words<uint32_t>(0x30000, {static_cast<uint32_t>(kBuffer), 2, static_cast<uint32_t>(kBuffer + 2), 3});
    fake::syscall(program, 146, {1, 0x30000, 2}, 5, KTR_SV_LINUX32);
    EXPECT_EQ(data(), Data({"hello"}));
}

TEST_F(GenioTest, a_message_shows_its_vector) {
    memory().map(kBuffer, "hello");
    map_words<uint64_t>(0x30000, {kBuffer, 2, kBuffer + 2, 3});
    map_words<uint64_t>(0x40000, {0, 0, 0x30000, 2, 0, 0, 0});
    fake::syscall(program, kSendmsg, {1, 0x40000, 0}, 5);
    fake::syscall(program, kSendmsg, {1, 0x40000, 0}, -11);
    fake::syscall(program, kRecvmsg, {1, 0x40000, 0}, 3);
    EXPECT_EQ(data(), Data({"hello", "hello", "hel"}));
}

TEST_F(GenioTest, a_32_bit_message_has_narrow_words) {
    memory().map(kBuffer, "hello");
    map_words<uint32_t>(0x30000, {static_cast<uint32_t>(kBuffer), 5});
    map_words<uint32_t>(0x40000, {0, 0, 0x30000, 1, 0, 0, 0});
    fake::syscall(program, 370, {1, 0x40000, 0}, 5, KTR_SV_LINUX32);
    EXPECT_EQ(data(), Data({"hello"}));
}

TEST_F(GenioTest, each_of_many_messages_is_a_record_of_its_length) {
    memory().map(kBuffer, "hello");
    map_words<uint64_t>(0x30000, {kBuffer, 5});
    map_words<uint64_t>(0x40000, {0,
                                  0,
                                  0x30000,
                                  1,
                                  0,
                                  0,
                                  0,
                                  5,
                                  /* the second */ 0,
                                  0,
                                  0x30000,
                                  1,
                                  0,
                                  0,
                                  0,
                                  2,
                                  /* not used */ 0,
                                  0,
                                  0x30000,
                                  1,
                                  0,
                                  0,
                                  0,
                                  5});
    fake::syscall(program, kRecvmmsg, {1, 0x40000, 3, 0, 0}, 2);
    EXPECT_EQ(data(), Data({"hello", "he"}));
}

TEST_F(GenioTest, each_of_many_32_bit_messages_is_a_record) {
    memory().map(kBuffer, "hello");
    map_words<uint32_t>(0x30000, {static_cast<uint32_t>(kBuffer), 5});
    map_words<uint32_t>(0x40000, {0, 0, 0x30000, 1, 0, 0, 0, 5, 0, 0, 0x30000, 1, 0, 0, 0, 2});
    fake::syscall(program, 345, {1, 0x40000, 2, 0}, 2, KTR_SV_LINUX32);
    EXPECT_EQ(data(), Data({"hello", "he"}));
}

TEST_F(GenioTest, many_messages_are_not_recorded_twice_when_a_later_one_is_not_resident) {
    memory().map(kBuffer, "hello");
    memory().map(0x50000, "absent", /*resident=*/false);
    map_words<uint64_t>(0x30000, {kBuffer, 5});
    map_words<uint64_t>(0x31000, {0x50000, 6});
    map_words<uint64_t>(0x40000, {0, 0, 0x30000, 1, 0, 0, 0, 5, 0, 0, 0x31000, 1, 0, 0, 0, 6});
    fake::syscall(program, kSendmmsg, {1, 0x40000, 2, 0}, 2);
    const Trace all = finish();
    ASSERT_EQ(all.types(), Types({KTR_GENIO, KTR_GENIO, KTR_SYSRET}));
    EXPECT_EQ(all.records[0].data(), "hello");
    EXPECT_EQ(all.records[1].data(), "absent");
}

TEST_F(GenioTest, data_that_is_not_resident_comes_in_the_door_and_before_the_return) {
    memory().map(kBuffer, "hello", /*resident=*/false);
    fake::sys_exit(program, kWrite, {1, kBuffer, 5}, 5);
    EXPECT_EQ(program->doors.size(), 1u);
    fake::return_to_user(program);
    fake::syscall(program, kGetpid, {}, 1);
    const Trace all = finish();
    ASSERT_EQ(all.types(), Types({KTR_GENIO, KTR_SYSRET, KTR_SYSRET}));
    EXPECT_EQ(all.records[0].data(), "hello");
    EXPECT_EQ(all.records[1].as<ktr_sysret>().ktr_code, kWrite);
    EXPECT_TRUE(all.in_order());
}

TEST_F(GenioTest, a_message_whose_header_is_not_resident_comes_in_the_door) {
    memory().map(kBuffer, "hello");
    map_words<uint64_t>(0x30000, {kBuffer, 5}, /*resident=*/false);
    map_words<uint64_t>(0x40000, {0, 0, 0x30000, 1, 0, 0, 0}, /*resident=*/false);
    fake::syscall(program, kSendmsg, {1, 0x40000, 0}, 5);
    const Trace all = finish();
    ASSERT_EQ(all.types(), Types({KTR_GENIO, KTR_SYSRET}));
    EXPECT_EQ(all.records[0].data(), "hello");
}

TEST_F(GenioTest, data_that_is_gone_leaves_the_return) {
    fake::syscall(program, kRead, {0, 0xbad000, 5}, 5);
    EXPECT_EQ(finish().types(), Types({KTR_SYSRET}));
}

TEST_F(GenioTest, data_that_is_not_resident_without_a_door_leaves_the_return) {
    program->refuse_doors = true;
    memory().map(kBuffer, "hello", /*resident=*/false);
    fake::syscall(program, kWrite, {1, kBuffer, 5}, 5);
    EXPECT_EQ(finish().types(), Types({KTR_SYSRET}));
}

TEST_F(GenioTest, late_data_without_memory_is_counted_as_lost) {
    memory().map(kBuffer, "hello", /*resident=*/false);
    fake::sys_exit(program, kWrite, {1, kBuffer, 5}, 5);
    fake::fail_allocation(1);
    fake::return_to_user(program);
    EXPECT_TRUE(fake::allocation_failed());
    const Trace all = finish();
    EXPECT_EQ(all.types(), Types({KTR_LOST, KTR_SYSRET}));
    EXPECT_EQ(all.lost()[KTR_GENIO], 1u);
    EXPECT_TRUE(all.records[1].drop);
}

TEST_F(GenioTest, a_call_that_moves_no_bytes_has_no_data) {
    memory().map(kBuffer, "hello");
    fake::syscall(program, 2, {kBuffer, 0, 0}, 5);
    EXPECT_EQ(finish().types(), Types({KTR_SYSRET}));
}

TEST_F(GenioTest, data_alone_is_recorded_without_the_return) {
    EXPECT_EQ(clear(program, KTRFAC_SYSRET), 0);
    memory().map(kBuffer, "hello");
    fake::syscall(program, kWrite, {1, kBuffer, 5}, 5);
    EXPECT_EQ(finish().types(), Types({KTR_GENIO}));
}

} // namespace
