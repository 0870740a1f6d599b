// SPDX-License-Identifier: GPL-2.0-only
// The table of system calls, at rows that everybody knows.
#include <gtest/gtest.h>

#include "../../module/core/syscall_info.hpp"
#include "../../uapi/ktrace.h"

using ktr::IoDirection;
using ktr::IoShape;
using ktr::syscall_info;

namespace {

struct Known {
    const char *name;
    uint32_t abi;
    long number;
    uint8_t arguments;
    IoDirection direction;
    IoShape shape;
};

class KnownCall : public testing::TestWithParam<Known> {};

TEST_P(KnownCall, has_its_arguments_and_its_data) {
    const Known &known = GetParam();
    const ktr::SyscallInfo &info = syscall_info(known.abi, known.number);
    EXPECT_EQ(info.arguments, known.arguments);
    EXPECT_EQ(info.io.direction, known.direction);
    if (known.direction != IoDirection::NONE) {
        EXPECT_EQ(info.io.shape, known.shape);
        EXPECT_EQ(info.io.fd_arg, 0);
        EXPECT_EQ(info.io.buffer_arg, 1);
    }
}

constexpr auto N = IoDirection::NONE, R = IoDirection::READ, W = IoDirection::WRITE;
constexpr uint32_t k64 = KTR_SV_LINUX64, k32 = KTR_SV_LINUX32;

INSTANTIATE_TEST_SUITE_P(
    Rows, KnownCall,
    testing::Values(
        Known{"read", k64, 0, 3, R, IoShape::BUF}, Known{"write", k64, 1, 3, W, IoShape::BUF},
        Known{"read_32", k32, 3, 3, R, IoShape::BUF}, Known{"write_32", k32, 4, 3, W, IoShape::BUF},
        Known{"open", k64, 2, 3, N, {}}, Known{"getpid", k64, 39, 0, N, {}}, Known{"mmap", k64, 9, 6, N, {}},
        Known{"pread64", k64, 17, 4, R, IoShape::BUF}, Known{"readv", k64, 19, 3, R, IoShape::IOV},
        Known{"writev_32", k32, 146, 3, W, IoShape::IOV}, Known{"sendto", k64, 44, 6, W, IoShape::BUF},
        Known{"sendmsg", k64, 46, 3, W, IoShape::MSG}, Known{"recvmsg", k64, 47, 3, R, IoShape::MSG},
        Known{"recvmmsg", k64, 299, 5, R, IoShape::MMSG}, Known{"sendmmsg", k64, 307, 4, W, IoShape::MMSG},
        Known{"execve", k64, 59, 3, N, {}}),
    [](const auto &info) { return info.param.name; });

TEST(SyscallInfo, of_an_unknown_number_is_all_registers_and_no_data) {
    for (long number : {-1L, 511L, 512L, 100000L, -9223372036854775807L}) {
        EXPECT_EQ(syscall_info(k64, number).arguments, 6) << number;
        EXPECT_EQ(syscall_info(k64, number).io.direction, N) << number;
    }
}

} // namespace
