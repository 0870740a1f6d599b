// SPDX-License-Identifier: GPL-2.0-only
//
// The system call table by number, and names of other numbers.

#include "flags.hpp"
#include "names.hpp"
#include "syscalls.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <sys/syscall.h>

namespace ktools::test {

namespace {

std::string_view name_of(Abi abi, int number) {
    const SyscallInfo *info = find_syscall(abi, number);
    return info ? info->name : "none";
}

TEST(syscalls, numbers_differ_by_abi) {
    EXPECT_EQ(name_of(Abi::Linux64, 0), "read");
    EXPECT_EQ(name_of(Abi::Linux32, 0), "restart_syscall");
    EXPECT_EQ(name_of(Abi::Linux64, SYS_openat), "openat");
    EXPECT_EQ(name_of(Abi::Linux32, 295), "openat");
    EXPECT_EQ(name_of(Abi::Linux32, 4), "write");
}

TEST(syscalls, numbers_without_a_call) {
    EXPECT_EQ(find_syscall(Abi::Linux64, -1), nullptr);
    EXPECT_EQ(find_syscall(Abi::Linux64, 400), nullptr);
    EXPECT_EQ(find_syscall(Abi::Linux64, 32767), nullptr);
    EXPECT_EQ(find_syscall(Abi::Linux32, 32767), nullptr);
}

TEST(syscalls, arguments_have_kinds) {
    const auto args = find_syscall(Abi::Linux64, SYS_openat)->args();
    ASSERT_EQ(args.size(), 4u);
    EXPECT_EQ(args[0].kind, ArgKind::DIRFD);
    EXPECT_EQ(args[1].kind, ArgKind::PATH);
    EXPECT_EQ(args[2].kind, ArgKind::FLAGS);
    EXPECT_EQ(args[2].type, "open");
    EXPECT_EQ(args[3].kind, ArgKind::MODE);
}

TEST(syscalls, abi_of_process_flags) {
    EXPECT_EQ(abi_of_flags(0x203), Abi::Linux64);
    EXPECT_EQ(abi_of_flags(0x80000103), Abi::Linux32);
    EXPECT_EQ(abi_of_flags(0), Abi::Linux64);
}

TEST(names, signals) {
    EXPECT_EQ(signal_name(SIGINT), "SIGINT");
    EXPECT_EQ(signal_name(31), "SIGSYS");
    EXPECT_EQ(signal_name(SIGIO), "SIGIO");
    EXPECT_EQ(signal_name(34), "SIGRTMIN");
    EXPECT_EQ(signal_name(64), "SIGRTMIN+30");
    EXPECT_EQ(signal_name(0), std::nullopt);
    EXPECT_EQ(signal_name(32), std::nullopt);
    EXPECT_EQ(signal_name(65), std::nullopt);
    EXPECT_EQ(signal_name(-1), std::nullopt);
}

TEST(names, signal_codes_depend_on_the_signal) {
    EXPECT_EQ(signal_code_name(SIGSEGV, 1), "SEGV_MAPERR");
    EXPECT_EQ(signal_code_name(SIGCHLD, 1), "CLD_EXITED");
    EXPECT_EQ(signal_code_name(SIGINT, 1), "");
    EXPECT_EQ(signal_code_name(SIGSEGV, SI_TKILL), "SI_TKILL");
}

TEST(names, errors) {
    EXPECT_EQ(error_text(2), "No such file or directory");
    EXPECT_EQ(error_text(512), "Unknown error 512");
    EXPECT_EQ(error_text(-7), "Unknown error -7");
}

std::string flags_text(std::string_view set, uint64_t value, uint64_t *rest) {
    std::string text;
    *rest = split_flags(find_flag_set(set), value, [&](std::string_view name) {
        text += (text.empty() ? "" : "|") + std::string(name);
    });
    return text;
}

TEST(flags, composite_flags_go_before_their_parts) {
    uint64_t rest;
    EXPECT_EQ(flags_text("open", O_RDWR | O_SYNC, &rest), "O_RDWR|O_SYNC");
    EXPECT_EQ(flags_text("open", O_WRONLY | O_DSYNC, &rest), "O_WRONLY|O_DSYNC");
    EXPECT_EQ(flags_text("open", O_TMPFILE | O_RDONLY, &rest), "O_RDONLY|O_TMPFILE");
    EXPECT_EQ(rest, 0u);
}

TEST(flags, unnamed_bits_remain) {
    uint64_t rest;
    EXPECT_EQ(flags_text("open", 0x100000000, &rest), "O_RDONLY");
    EXPECT_EQ(rest, 0x100000000u);
    EXPECT_EQ(flags_text("open", O_ACCMODE, &rest), "");
    EXPECT_EQ(rest, uint64_t{O_ACCMODE});
    EXPECT_TRUE(find_flag_set("no such set").empty());
}

} // namespace

} // namespace ktools::test
