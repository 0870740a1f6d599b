// SPDX-License-Identifier: GPL-2.0-only
// What every test of the core starts with: a world with a tracer, a traced program and a trace file.
// At its end all processes exit, and nothing may be left: that is a test of life and death, too.
#pragma once

#include <gtest/gtest.h>

#include "fake_kshim.hpp"
#include "trace.hpp"

constexpr uint32_t kUsual = KTRFAC_SYSCALL | KTRFAC_SYSRET | KTRFAC_NAMEI | KTRFAC_GENIO | KTRFAC_PSIG |
                            KTRFAC_USER | KTRFAC_PROCCTOR | KTRFAC_PROCDTOR;

// Numbers of x86-64.
constexpr long kRead = 0, kWrite = 1, kGetpid = 39, kExecve = 59, kReadv = 19, kWritev = 20, kSendmsg = 46,
               kRecvmsg = 47, kSendmmsg = 307, kRecvmmsg = 299;

class CoreTest : public testing::Test {
  protected:
    static constexpr int32_t kFd = 7;
    static constexpr uint64_t kPath = 0x10000; // of "trace", in the tracer's memory
    static constexpr uint64_t kBuffer = 0x20000;

    void SetUp() override;
    void TearDown() override;

    // ktrace(2) on the file called "trace".
    int ktrace(int ops, uint32_t trpoints, int32_t pid, kshim_task *caller = nullptr);
    int fktrace(int ops, uint32_t trpoints, int32_t pid, int32_t fd, kshim_task *caller = nullptr);
    int set(kshim_task *task, uint32_t trpoints = kUsual, kshim_task *caller = nullptr) {
        return ktrace(KTROP_SET, trpoints, task->pid, caller);
    }
    int clear(kshim_task *task, uint32_t trpoints = kUsual, kshim_task *caller = nullptr) {
        return ktrace(KTROP_CLEAR, trpoints, task->pid, caller);
    }
    int clear_file(kshim_task *caller = nullptr) { return ktrace(KTROP_CLEARFILE, 0, 0, caller); }

    Trace trace() { return Trace(file->snapshot()); }
    static Trace trace_of(const fake::File &other) { return Trace(other->snapshot()); }
    static ktrace_stats stats_of(const fake::File &file, int *error = nullptr);
    static kshim_task *new_tracer(const char *comm, uint32_t uid, bool privileged);
    static void getpid(kshim_task *task) { fake::syscall(task, kGetpid, {}, task->pid); }

    fake::File file = std::make_shared<fake::Inode>();
    kshim_task *tracer = nullptr;
    kshim_task *program = nullptr;
};
