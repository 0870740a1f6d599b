// SPDX-License-Identifier: GPL-2.0-only
//
// libktrace as a program finds it: what it exports, what it needs, and what it says when
// the module is not there.

#include "files.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/ktrace.h>

extern "C" int bsd_program(void);

namespace ktools::test {

namespace {

bool is_module_loaded() { return access("/dev/ktrace", F_OK) == 0; }

TEST(library, exports_three_functions) {
    const Outcome outcome =
        run_program({"sh", "-c", "nm -D --defined-only " KTRACE_LIBRARY " | awk '$2 == \"T\" { print $3 }'"});
    EXPECT_EQ(outcome.out, "fktrace@@KTRACE_1.0\nktrace@@KTRACE_1.0\nutrace@@KTRACE_1.0\n");
}

TEST(library, needs_only_the_c_library) {
    const Outcome outcome = run_program({"sh", "-c",
                                         "readelf -d " KTRACE_LIBRARY
                                         " | sed -n 's/.*\\(NEEDED\\|SONAME\\).*\\[\\(.*\\)\\]/\\2/p'"});
    EXPECT_EQ(outcome.out, "libc.so.6\nlibktrace.so.1\n");
}

TEST(library, program_of_the_bsds_runs) { EXPECT_EQ(bsd_program(), 0); }

TEST(library, absent_module_is_enosys) {
    if (is_module_loaded())
        GTEST_SKIP() << "the module is loaded";
    errno = 0;
    EXPECT_EQ(ktrace(nullptr, KTROP_CLEAR, KTRFAC_SYSCALL, getpid()), -1);
    EXPECT_EQ(errno, ENOSYS);
    errno = 0;
    EXPECT_EQ(fktrace(1, KTROP_SET, KTRFAC_SYSCALL, getpid()), -1);
    EXPECT_EQ(errno, ENOSYS);
    errno = 0;
    EXPECT_EQ(utrace("x", 1), -1);
    EXPECT_EQ(errno, ENOSYS);
}

TEST(library, no_descriptor_is_left_open) {
    const UniqueFd before(open("/dev/null", O_RDONLY | O_CLOEXEC));
    utrace("x", 1);
    ktrace(nullptr, KTROP_CLEAR, 0, getpid());
    const UniqueFd after(open("/dev/null", O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(after.get(), before.get() + 1);
}

} // namespace

} // namespace ktools::test
