// SPDX-License-Identifier: GPL-2.0-only
//
// The decoder: payloads to plain structs, and payloads that do not fit.

#include "decoder.hpp"
#include "record_types.hpp"

#include <gtest/gtest.h>

namespace ktools::test {

namespace {

using std::string_view_literals::operator""sv;

Result<Record> decode_bytes(uint32_t type, std::string_view payload) {
    RecordView view;
    view.type = type;
    view.payload = std::as_bytes(std::span(payload));
    return decode(view);
}

template <typename T> T decode_as(uint32_t type, std::string_view payload) {
    auto record = decode_bytes(type, payload);
    EXPECT_TRUE(record.ok());
    return std::get<T>(record.value());
}

TEST(decoder, system_call) {
    const auto call = decode_as<SyscallRecord>(KTR_SYSCALL, "\5\0\2\0\3\2\0\0"
                                                            "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\xff"sv);
    EXPECT_EQ(call.code, 5);
    EXPECT_EQ(call.abi, KTR_SV_LINUX64);
    ASSERT_EQ(call.args.size(), 2u);
    EXPECT_EQ(call.args[0], 1u);
    EXPECT_EQ(call.args[1], 0xff00000000000002u);
}

TEST(decoder, system_call_ignores_what_follows_its_arguments) {
    const auto call = decode_as<SyscallRecord>(KTR_SYSCALL, "\5\0\0\0\0\0\0\0garbage!"sv);
    EXPECT_EQ(call.args.size(), 0u);
}

TEST(decoder, system_call_with_fewer_arguments_than_it_says) {
    auto record = decode_bytes(KTR_SYSCALL, "\5\0\2\0\0\0\0\0\1\0\0\0\0\0\0\0"sv);
    ASSERT_FALSE(record.ok());
    EXPECT_EQ(record.error().message,
              "the CALL record's 16 bytes do not fit its structure (at least 8 bytes, "
              "and as many as its own counts say)");
    EXPECT_FALSE(decode_bytes(KTR_SYSCALL, "\5\0\xff\xff\0\0\0\0"sv).ok());
}

TEST(decoder, context_switch_with_and_without_message) {
    const auto with = decode_as<SwitchRecord>(KTR_CSW, "\1\0\0\0\0\0\0\0futexxxx"sv);
    EXPECT_TRUE(with.leaves);
    EXPECT_FALSE(with.involuntary);
    EXPECT_EQ(with.wait_message, "futexxxx");
    const auto without = decode_as<SwitchRecord>(KTR_CSW, "\0\0\0\0\1\0\0\0"sv);
    EXPECT_FALSE(without.leaves);
    EXPECT_TRUE(without.involuntary);
    EXPECT_FALSE(without.wait_message);
}

TEST(decoder, strings_of_exec) {
    auto strings = decode_as<ArgumentsRecord>(KTR_ARGS, "a\0\0bc"sv).strings;
    EXPECT_EQ(strings.next(), "a");
    EXPECT_EQ(strings.next(), "");
    EXPECT_EQ(strings.next(), "bc");
    EXPECT_EQ(strings.next(), std::nullopt);
    EXPECT_EQ(decode_as<ArgumentsRecord>(KTR_ARGS, "").strings.next(), std::nullopt);
}

TEST(decoder, structure_without_a_name) {
    EXPECT_FALSE(decode_bytes(KTR_STRUCT, "stat").ok());
    EXPECT_FALSE(decode_bytes(KTR_STRUCT, "").ok());
}

TEST(decoder, array_of_items_that_do_not_come_out_even) {
    EXPECT_TRUE(decode_bytes(KTR_STRUCT_ARRAY, "\2\0\0\0\0\0\0\0x\0abcd"sv).ok());
    EXPECT_FALSE(decode_bytes(KTR_STRUCT_ARRAY, "\3\0\0\0\0\0\0\0x\0abcd"sv).ok());
    EXPECT_FALSE(decode_bytes(KTR_STRUCT_ARRAY, "\0\0\0\0\0\0\0\0x\0abcd"sv).ok());
}

TEST(decoder, lost_counts_are_whole) {
    EXPECT_FALSE(decode_bytes(KTR_LOST, "123").ok());
    EXPECT_EQ(decode_as<LostRecord>(KTR_LOST, "").counts.size(), 0u);
}

TEST(decoder, unknown_type_is_kept) { EXPECT_EQ(decode_as<OtherRecord>(40, "abc").type, 40u); }

// Payloads shorter than the list of records says are refused, longer ones are not.
TEST(decoder, least_lengths_hold_for_every_type) {
    for (uint32_t number = 1; number < KTR_NTYPES; ++number) {
        const RecordType *type = find_record_type(number);
        ASSERT_NE(type, nullptr);
        if (type->min_length == 0 || number == KTR_CSW) // whose short form is known, too
            continue;
        const std::string shorter(type->min_length - 1, '\1');
        EXPECT_FALSE(decode_bytes(number, shorter).ok()) << type->name;
    }
    EXPECT_FALSE(decode_bytes(KTR_CSW, "1234567").ok());
}

TEST(record_types, every_number_has_one_label_of_four_columns) {
    for (uint32_t number = 1; number < KTR_NTYPES; ++number) {
        const RecordType *type = find_record_type(number);
        ASSERT_NE(type, nullptr);
        EXPECT_EQ(type->number, number);
        EXPECT_EQ(type->label.size(), 4u);
    }
    EXPECT_EQ(find_record_type(0), nullptr);
    EXPECT_EQ(find_record_type(KTR_NTYPES), nullptr);
}

TEST(letters, sets) {
    EXPECT_EQ(parse_points("c"), uint32_t{KTRFAC_SYSCALL | KTRFAC_SYSRET});
    EXPECT_EQ(parse_points("t"), uint32_t{KTRFAC_STRUCT | KTRFAC_STRUCT_ARRAY});
    EXPECT_EQ(parse_points("+"), 0x783beu); // FreeBSD's default
    EXPECT_EQ(parse_points("+w"), 0x783beu | KTRFAC_CSW);
}

TEST(letters, minus_takes_away) {
    EXPECT_EQ(parse_points("-c"), 0x783beu & ~(KTRFAC_SYSCALL | KTRFAC_SYSRET));
    EXPECT_EQ(parse_points("cn-n"), uint32_t{KTRFAC_SYSCALL | KTRFAC_SYSRET});
    EXPECT_EQ(parse_points("c-n+"), 0x783beu);
}

TEST(letters, unknown_or_none) {
    EXPECT_EQ(parse_points(""), std::nullopt);
    EXPECT_EQ(parse_points("cz"), std::nullopt);
    EXPECT_EQ(parse_points(std::string_view("\0", 1)), std::nullopt);
}

} // namespace

} // namespace ktools::test
