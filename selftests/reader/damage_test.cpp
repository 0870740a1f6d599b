// SPDX-License-Identifier: GPL-2.0-only
//
// Damaged files through the whole of kdump: whatever the bytes, it ends, in order, with
// nothing on the terminal but text. The sanitizers look at how.

#include "dump.hpp"
#include "files.hpp"
#include "sample_traces.hpp"

#include <gtest/gtest.h>

#include <random>

namespace ktools::test {

namespace {

using Version = TraceBuilder::Version;

Options all_columns() {
    Options options;
    options.abi = options.cpu = options.threads = options.numbers = true;
    options.absolute = options.elapsed = options.relative = options.symbolic = true;
    return options;
}

bool is_plain_text(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char byte) {
        return (byte >= ' ' && byte <= '~') || byte == '\n' || byte == '\t';
    });
}

// Dumps from a descriptor, and looks at the output.
void expect_orderly(std::string_view bytes, const Options &base) {
    const UniqueFd in = file_with(bytes);
    const UniqueFd sink = file_with("");
    Options options = base;
    options.file = "/proc/self/fd/" + std::to_string(in.get());
    Output out(sink.get());
    const auto count = dump(options, out);
    ASSERT_TRUE(count.ok() || !count.error().message.empty());
    lseek(sink.get(), 0, SEEK_SET);
    const std::string text = read_all(sink.get());
    ASSERT_TRUE(is_plain_text(text));
    ASSERT_TRUE(text.empty() || text.back() == '\n');
}

void flip_every_bit(std::string bytes, size_t step) {
    const Options options = all_columns();
    for (size_t bit = 0; bit < bytes.size() * 8; bit += step) {
        const auto mask = static_cast<char>(1u << bit % 8);
        bytes[bit / 8] ^= mask;
        expect_orderly(bytes, options);
        bytes[bit / 8] ^= mask;
    }
}

// Steps that are prime to 8 reach every bit position, in every part of a record.
TEST(flipped_bits, v1) { flip_every_bit(every_record(Version::V1), 7); }
TEST(flipped_bits, v0) { flip_every_bit(every_record(Version::V0), 11); }

TEST(flipped_bits, traces_of_other_kinds) {
    for (const SampleTrace &trace : sample_traces()) {
        if (trace.name != "every-v0" && trace.name != "every-v1")
            flip_every_bit(trace.bytes, 5);
    }
}

TEST(random_bytes, alone) {
    std::mt19937 random(1);
    for (int i = 0; i < 500; ++i) {
        std::string bytes(random() % 300, '\0');
        for (char &byte : bytes)
            byte = static_cast<char>(random());
        expect_orderly(bytes, all_columns());
    }
}

// Good headers around payloads of noise, of every type and many lengths.
TEST(random_bytes, as_payloads_of_every_type) {
    std::mt19937 random(2);
    for (unsigned type = 1; type < 64; ++type) {
        for (size_t size = 0; size < 80; ++size) {
            TraceBuilder trace(size % 2 ? Version::V1 : Version::V0);
            std::string payload(size, '\0');
            for (char &byte : payload)
                byte = static_cast<char>(random());
            trace.add(type, payload);
            expect_orderly(trace.bytes(), all_columns());
        }
    }
}

constexpr const char *kStructNames[] = {
#define KTR_STRUCT_TYPE(type, size64, size32) #type,
#define KTR_STRUCT_VAR(type, max) #type,
#include "../../uapi/ktrace_structs.def"
    "other"};

// A structure, and arrays of it, with contents of all lengths.
void add_random_structs(TraceBuilder &trace, const std::string &name, std::mt19937 &random) {
    std::string bytes;
    for (size_t size = 0; size < 400; ++size) {
        trace.add(KTR_STRUCT, name + '\0' + bytes);
        for (const size_t items : {1, 2, 3}) {
            if (size == 0 || size % items != 0)
                continue;
            std::string array;
            append_value(array, uint64_t{size / items});
            trace.add(KTR_STRUCT_ARRAY, array + name + '\0' + bytes);
        }
        // Small numbers lead to the decoders for families, signals and sizes.
        bytes += static_cast<char>(size < 12 && random() % 2 ? size % 4 ? 0 : random() % 32 : random());
    }
}

TEST(random_bytes, as_structures) {
    std::mt19937 random(3);
    for (const std::string name : kStructNames) {
        for (const uint32_t abi : {KTR_SV_LINUX64, KTR_SV_LINUX32}) {
            TraceBuilder trace(Version::V1);
            trace.add_struct(KTR_PROCCTOR, ktr_proc_ctor{abi});
            add_random_structs(trace, name, random);
            expect_orderly(trace.bytes(), all_columns());
        }
    }
}

// Calls with any number of arguments of any value, known calls and unknown ones.
TEST(random_bytes, as_arguments) {
    std::mt19937_64 random(4);
    for (int code = -10; code < 600; ++code) {
        std::vector<uint64_t> args(random() % 9);
        for (uint64_t &arg : args)
            arg = random() >> random() % 64;
        TraceBuilder trace(Version::V1);
        trace.add_call(code, args, code % 2 ? KTR_SV_LINUX32 : KTR_SV_LINUX64);
        expect_orderly(trace.bytes(), all_columns());
    }
}

} // namespace

} // namespace ktools::test
