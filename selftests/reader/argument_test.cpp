// SPDX-License-Identifier: GPL-2.0-only
//
// Arguments by name: every set that the table of system calls refers to, and every call of it.

#include "decoder.hpp"
#include "name_sets.hpp"
#include "print.hpp"
#include "trace_builder.hpp"
#include "unique_fd.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ktools::test {

namespace {

constexpr int kLastNumber = 600;

// One call as kdump prints it, without the end of the line.
class Printed {
  public:
    explicit Printed(Options options = {})
        : options_(options), file_(memfd_create("call", 0)), out_(file_.get()) {}

    std::string call(Abi abi, int number, const std::vector<uint64_t> &args) {
        std::string payload;
        append_value(payload, static_cast<int16_t>(number));
        append_value(payload, static_cast<int16_t>(args.size()));
        append_value(payload, uint32_t{0});
        for (const uint64_t arg : args)
            append_value(payload, arg);
        RecordView view;
        view.type = KTR_SYSCALL;
        view.payload = std::as_bytes(std::span(payload));
        auto record = decode(view);
        EXPECT_TRUE(record.ok());
        print({out_, options_, abi}, std::get<SyscallRecord>(record.value()));
        return read_back();
    }

  private:
    std::string read_back() {
        out_.flush();
        std::string text(size_t{1} << 16, '\0');
        const ssize_t size = pread(file_.get(), text.data(), text.size(), 0);
        EXPECT_EQ(ftruncate(file_.get(), 0), 0);
        lseek(file_.get(), 0, SEEK_SET);
        text.resize(size > 0 ? static_cast<size_t>(size) : 0);
        EXPECT_TRUE(text.ends_with('\n'));
        text.pop_back();
        return text;
    }

    Options options_;
    UniqueFd file_;
    Output out_;
};

template <typename Visit> void for_each_call(Visit visit) {
    for (const Abi abi : {Abi::Linux64, Abi::Linux32}) {
        for (int number = 0; number < kLastNumber; ++number) {
            if (const SyscallInfo *info = find_syscall(abi, number))
                visit(abi, number, *info);
        }
    }
}

TEST(arguments, every_call_prints_extreme_values) {
    Printed printed;
    std::mt19937_64 random(1);
    for_each_call([&](Abi abi, int number, const SyscallInfo &info) {
        for (const uint64_t value :
             {uint64_t{0}, ~uint64_t{0}, uint64_t{1} << 63, uint64_t{0xffffffff}, random()}) {
            const std::vector<uint64_t> args(info.args().size(), value);
            const std::string text = printed.call(abi, number, args);
            EXPECT_TRUE(text.starts_with(info.name)) << text;
            EXPECT_EQ(text.back() == ')', !args.empty()) << text;
        }
    });
}

TEST(arguments, selected_meanings_print_extreme_values) {
    Printed printed;
    std::mt19937_64 random(2);
    for_each_call([&](Abi abi, int number, const SyscallInfo &info) {
        for (uint64_t selector = 0; selector < 70; ++selector) {
            std::vector<uint64_t> args(info.args().size());
            std::generate(args.begin(), args.end(), std::ref(random));
            for (size_t at = 0; at < std::min<size_t>(3, args.size()); ++at)
                args[at] = selector;
            EXPECT_TRUE(printed.call(abi, number, args).starts_with(info.name));
        }
    });
}

TEST(arguments, more_or_fewer_than_the_call_has) {
    Printed printed;
    EXPECT_EQ(printed.call(Abi::Linux64, SYS_close, {3, 0xff}), "close(3,0xff)");
    EXPECT_EQ(printed.call(Abi::Linux64, SYS_close, {}), "close");
    EXPECT_EQ(printed.call(Abi::Linux64, SYS_fcntl, {3}), "fcntl(3)");
    EXPECT_EQ(printed.call(Abi::Linux64, SYS_open, {1, 0}), "open(0x1,0<O_RDONLY>)");
}

TEST(arguments, raw_numbers) {
    Options options;
    options.fancy = false;
    EXPECT_EQ(Printed(options).call(Abi::Linux64, SYS_close, {~uint64_t{0}}), "close(0xffffffffffffffff)");
    options.decimal = true;
    EXPECT_EQ(Printed(options).call(Abi::Linux64, SYS_lseek, {1, 16, 2}), "lseek(1,16,2)");
}

TEST(arguments, only_bits_that_the_kernel_reads_count) {
    Printed printed;
    EXPECT_EQ(printed.call(Abi::Linux64, SYS_dup3, {0xffffffff00000003, 4, 0xffffffff00080000}),
              "dup3(3,4,0x80000<O_CLOEXEC>)");
    EXPECT_EQ(printed.call(Abi::Linux32, 6, {0xdead00000003}), "close(3)");
}

TEST(name_sets, every_type_of_the_table_has_one) {
    for_each_call([](Abi abi, int, const SyscallInfo &info) {
        for (const SyscallArg &arg : info.args()) {
            if ((arg.kind != ArgKind::FLAGS && arg.kind != ArgKind::ENUM) || arg.type == "_")
                continue;
            const NameSet *set = find_name_set(arg.type, info.name, abi);
            ASSERT_NE(set, nullptr) << info.name << ' ' << arg.type;
            if (arg.kind == ArgKind::FLAGS)
                EXPECT_FALSE(set->flags.empty()) << arg.type;
            else
                EXPECT_TRUE(!set->constants.empty() || set->partial) << arg.type;
        }
    });
}

TEST(name_sets, are_in_the_order_that_look_up_needs) {
    const auto sets = name_sets();
    EXPECT_TRUE(std::is_sorted(sets.begin(), sets.end(), [](const NameSet &one, const NameSet &other) {
        return one.name < other.name;
    }));
    for (const NameSet &set : sets) {
        EXPECT_TRUE(std::is_sorted(
            set.constants.begin(), set.constants.end(),
            [](const Constant &one, const Constant &other) { return one.value < other.value; }))
            << set.name;
        EXPECT_EQ(find_name_set(set.name), &set);
    }
}

TEST(name_sets, no_bit_gets_lost) {
    std::mt19937_64 random(3);
    for (const NameSet &set : name_sets()) {
        for (int round = 0; round < 100; ++round) {
            const uint64_t value = random() & random();
            uint64_t named = 0;
            const uint64_t rest = split_flags(set.flags, value, [&](std::string_view name) {
                const auto flag = std::find_if(set.flags.begin(), set.flags.end(),
                                               [&](const Flag &one) { return one.name == name; });
                named |= flag->value;
            });
            EXPECT_EQ(named | rest, value) << set.name;
        }
    }
}

TEST(name_sets, values_of_i386) {
    const NameSet *set = find_name_set("ioctl_cmd", "ioctl", Abi::Linux32);
    EXPECT_EQ(set->constant_name(0x80046601), "FS_IOC_GETFLAGS");
    EXPECT_EQ(find_name_set("ioctl_cmd", "ioctl", Abi::Linux64)->constant_name(0x80086601),
              "FS_IOC_GETFLAGS");
    EXPECT_EQ(find_name_set("fcntl_cmd", "fcntl64", Abi::Linux32)->constant_name(12), "F_GETLK64");
}

} // namespace

} // namespace ktools::test
