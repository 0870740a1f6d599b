// SPDX-License-Identifier: GPL-2.0-only
//
// The reader: records come out as they were put in, from files and pipes.

#include "files.hpp"
#include "reader.hpp"
#include "sample_traces.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fcntl.h>
#include <thread>

namespace ktools::test {

namespace {

using std::string_literals::operator""s;
using std::string_view_literals::operator""sv;
using Version = TraceBuilder::Version;

Reader reader_of(std::string_view bytes) { return Reader(file_with(bytes), "x"); }

TEST(reader, empty_file_has_no_records) {
    Reader reader = reader_of("");
    auto next = reader.next();
    ASSERT_TRUE(next.ok());
    EXPECT_EQ(next.value(), nullptr);
}

TEST(reader, v1_header_is_read_whole) {
    TraceBuilder trace(Version::V1);
    trace.set_process(12, 34, "comm");
    trace.set_cpu(5);
    trace.set_time(1'700'000'000, 123'456'789);
    trace.drop();
    trace.add(KTR_NAMEI, "/path");
    Reader reader = reader_of(trace.bytes());
    auto next = reader.next();
    ASSERT_TRUE(next.ok() && next.value());
    const RecordView &view = *next.value();
    EXPECT_EQ(view.offset, 0u);
    EXPECT_EQ(view.type, KTR_NAMEI);
    EXPECT_TRUE(view.is_v1);
    EXPECT_TRUE(view.after_drop);
    EXPECT_EQ(view.pid, 12);
    EXPECT_EQ(view.tid, 34);
    EXPECT_EQ(view.cpu, 5);
    EXPECT_EQ(view.time.seconds, 1'700'000'000);
    EXPECT_EQ(view.time.nanoseconds, 123'456'789);
    EXPECT_EQ(view.comm, "comm");
    EXPECT_EQ(as_text(view.payload), "/path");
}

TEST(reader, v0_header_has_microseconds_and_no_cpu) {
    TraceBuilder trace(Version::V0);
    trace.set_process(12, 34, "exactly twenty bytes");
    trace.set_time(5, 123'456'789);
    trace.add(KTR_NAMEI, "");
    Reader reader = reader_of(trace.bytes());
    auto next = reader.next();
    ASSERT_TRUE(next.ok() && next.value());
    EXPECT_FALSE(next.value()->is_v1);
    EXPECT_FALSE(next.value()->after_drop);
    EXPECT_EQ(next.value()->time.nanoseconds, 123'456'000);
    EXPECT_EQ(next.value()->tid, 34);
    EXPECT_EQ(next.value()->comm, "exactly twenty bytes");
    EXPECT_TRUE(next.value()->payload.empty());
}

TEST(reader, mixed_versions_keep_their_offsets) {
    TraceBuilder trace(Version::V0);
    trace.add(KTR_NAMEI, "a");
    trace.set_version(Version::V1);
    trace.add(KTR_NAMEI, "bc");
    trace.set_version(Version::V0);
    trace.add(KTR_NAMEI, "");
    Reader reader = reader_of(trace.bytes());
    std::vector<uint64_t> offsets;
    for (auto next = reader.next(); next.ok() && next.value(); next = reader.next())
        offsets.push_back(next.value()->offset);
    EXPECT_EQ(offsets, (std::vector<uint64_t>{0, 57, 57 + 66}));
}

TEST(reader, pipe_that_brings_single_bytes) {
    const std::string bytes = every_record(Version::V1);
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    std::thread writer([&bytes, end = UniqueFd(ends[1])] {
        for (const char byte : bytes)
            EXPECT_EQ(write(end.get(), &byte, 1), 1);
    });
    Reader from_pipe{UniqueFd(ends[0]), "pipe"};
    Reader from_file = reader_of(bytes);
    for (;;) {
        auto expected = from_file.next();
        auto actual = from_pipe.next();
        ASSERT_TRUE(expected.ok() && actual.ok());
        if (!expected.value() || !actual.value()) {
            EXPECT_EQ(expected.value(), actual.value());
            break;
        }
        EXPECT_EQ(expected.value()->offset, actual.value()->offset);
        EXPECT_EQ(as_text(expected.value()->payload), as_text(actual.value()->payload));
    }
    writer.join();
}

TEST(reader, records_across_many_buffers) {
    TraceBuilder trace(Version::V1);
    for (size_t i = 0; i < 3000; ++i)
        trace.add(KTR_NAMEI, std::string(i, static_cast<char>('a' + i % 26)));
    Reader reader = reader_of(trace.bytes());
    size_t count = 0;
    for (auto next = reader.next(); next.ok() && next.value(); next = reader.next(), ++count) {
        ASSERT_EQ(next.value()->payload.size(), count);
        const char letter = static_cast<char>('a' + count % 26);
        ASSERT_EQ(as_text(next.value()->payload).find_first_not_of(letter), std::string_view::npos);
    }
    EXPECT_EQ(count, 3000u);
}

TEST(reader, longest_record_is_read) {
    TraceBuilder trace(Version::V1);
    trace.add(KTR_NAMEI, std::string(Reader::kMaxPayload, 'x'));
    trace.add(KTR_NAMEI, "after");
    Reader reader = reader_of(trace.bytes());
    auto next = reader.next();
    ASSERT_TRUE(next.ok() && next.value());
    EXPECT_EQ(next.value()->payload.size(), Reader::kMaxPayload);
    next = reader.next();
    ASSERT_TRUE(next.ok() && next.value());
    EXPECT_EQ(as_text(next.value()->payload), "after");
}

TEST(reader, waits_for_more_as_long_as_told) {
    TraceBuilder trace(Version::V1);
    trace.add(KTR_NAMEI, "torn");
    const std::string bytes = trace.bytes();
    const UniqueFd file = file_with(bytes.substr(0, 30));
    int waits = 0;
    Reader reader(UniqueFd(dup(file.get())), "x", [&] {
        if (++waits > 1)
            return false;
        const std::string_view rest = std::string_view(bytes).substr(30);
        return pwrite(file.get(), rest.data(), rest.size(), 30) > 0;
    });
    auto next = reader.next();
    ASSERT_TRUE(next.ok() && next.value());
    EXPECT_EQ(as_text(next.value()->payload), "torn");
    next = reader.next();
    ASSERT_TRUE(next.ok());
    EXPECT_EQ(next.value(), nullptr);
    EXPECT_EQ(waits, 2);
}

// ---- damage ------------------------------------------------------------------------

std::string damage_in(std::string_view bytes) {
    Reader reader = reader_of(bytes);
    for (;;) {
        auto next = reader.next();
        if (!next.ok())
            return next.error().text();
        if (!next.value())
            return "none";
    }
}

// A good record of 64 bytes, then one with some bytes changed.
std::string damaged_at(size_t offset, std::string_view bytes, Version version = Version::V1) {
    TraceBuilder trace(Version::V1);
    trace.add(KTR_NAMEI, "");
    trace.set_version(version);
    trace.add(KTR_NAMEI, "");
    std::string file = trace.bytes();
    file.replace(64 + offset, bytes.size(), bytes);
    return file;
}

TEST(damage, negative_length) {
    EXPECT_EQ(damage_in(damaged_at(0, "\xff\xff\xff\xff")),
              "x: offset 64: damaged record: expected a record length from 0 to 16777216, found -1");
}

TEST(damage, length_beyond_the_limit) {
    EXPECT_EQ(damage_in(damaged_at(0, "\1\0\0\1"sv)),
              "x: offset 64: damaged record: expected a record length from 0 to 16777216, found 16777217");
}

TEST(damage, type_zero) {
    EXPECT_EQ(damage_in(damaged_at(4, "\0\x40"sv)),
              "x: offset 64: damaged record: expected a record type from 1 to 63, found 0");
}

TEST(damage, type_too_great) {
    EXPECT_EQ(damage_in(damaged_at(4, "\x40")),
              "x: offset 64: damaged record: expected a record type from 1 to 63, found 64");
}

TEST(damage, other_version) {
    EXPECT_EQ(damage_in(damaged_at(6, "\2")),
              "x: offset 64: damaged record: expected a header of version 1, found version 2");
}

TEST(damage, nanoseconds_out_of_range) {
    EXPECT_EQ(damage_in(damaged_at(40, "\x00\xca\x9a\x3b"sv)),
              "x: offset 64: damaged record: expected nanoseconds below 1000000000, found 1000000000");
}

TEST(damage, microseconds_out_of_range) {
    EXPECT_EQ(damage_in(damaged_at(40, "\x40\x42\x0f\x00"sv, Version::V0)),
              "x: offset 64: damaged record: expected microseconds below 1000000, found 1000000");
}

TEST(damage, first_record_means_not_a_trace) {
    EXPECT_EQ(damage_in("#!/bin/sh\nexit 0\n"), "x: offset 0: not a ktrace file: expected a record length "
                                                "from 0 to 16777216, found 1647255843");
    EXPECT_EQ(damage_in(std::string(100, '\0')),
              "x: offset 0: not a ktrace file: expected a record type from 1 to 63, found 0");
    EXPECT_EQ(damage_in("abc"),
              "x: offset 0: not a ktrace file: cut short in a record header: expected 56 bytes, found 3");
}

TEST(damage, trace_of_another_system) {
    // The first record of OpenBSD: type 0x4b545200 in big-endian order, process -1.
    const std::string start = "KTR"s + std::string(1, '\0') + std::string(8, '\xff') + std::string(52, '\0');
    EXPECT_EQ(damage_in(start),
              "x: offset 0: not a ktrace file: expected a record type from 1 to 63, found 16383");
}

// What a file cut after `size` bytes has to give.
struct Cut {
    size_t records = 0;
    bool is_clean = true;
    uint64_t offset = 0;
};

Cut expected_of_cut(const std::vector<uint64_t> &ends, size_t size) {
    Cut cut;
    while (cut.records < ends.size() && ends[cut.records] <= size)
        ++cut.records;
    cut.offset = cut.records ? ends[cut.records - 1] : 0;
    cut.is_clean = cut.offset == size;
    return cut;
}

std::vector<uint64_t> ends_of_records(const std::string &bytes) {
    std::vector<uint64_t> ends;
    Reader reader = reader_of(bytes);
    for (auto next = reader.next(); next.ok() && next.value(); next = reader.next())
        ends.push_back(next.value()->offset + (next.value()->is_v1 ? 64 : 56) + next.value()->payload.size());
    return ends;
}

class truncation : public testing::TestWithParam<SampleTrace> {};

TEST_P(truncation, at_every_byte_is_found) {
    const std::string &bytes = GetParam().bytes;
    const std::vector<uint64_t> ends = ends_of_records(bytes);
    ASSERT_EQ(ends.back(), bytes.size());
    for (size_t size = 0; size <= bytes.size(); ++size) {
        const Cut expected = expected_of_cut(ends, size);
        Reader reader = reader_of(std::string_view(bytes).substr(0, size));
        size_t records = 0;
        auto next = reader.next();
        for (; next.ok() && next.value(); next = reader.next())
            ++records;
        ASSERT_EQ(records, expected.records) << "cut after " << size;
        ASSERT_EQ(next.ok(), expected.is_clean) << "cut after " << size;
        if (!next.ok()) {
            ASSERT_EQ(next.error().offset, expected.offset) << "cut after " << size;
            ASSERT_NE(next.error().text().find("cut short"), std::string::npos);
        }
    }
}

std::string name_of(const testing::TestParamInfo<SampleTrace> &info) {
    std::string name = info.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(reader, truncation, testing::ValuesIn(sample_traces()), name_of);

} // namespace

} // namespace ktools::test
