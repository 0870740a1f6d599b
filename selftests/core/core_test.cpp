// SPDX-License-Identifier: GPL-2.0-only
#include "core_test.hpp"

kshim_task *CoreTest::new_tracer(const char *comm, uint32_t uid, bool privileged) {
    kshim_task *task = fake::spawn(comm, uid, privileged);
    task->process->map(kPath, std::string("trace") + '\0');
    return task;
}

namespace {
bool broken = false; // a test has left targets behind, which the next ones would stumble over
}

void CoreTest::SetUp() {
    ASSERT_FALSE(broken) << "an earlier test has left something behind";
    fake::start();
    tracer = new_tracer("tracer", 1000, false);
    program = fake::spawn("program");
    fake::add_path("trace", file);
    fake::add_fd(kFd, file);
}

void CoreTest::TearDown() {
    if (broken)
        return;
    fake::stop();
    broken = fake::counts.workers != 0 || fake::counts.tasks != 0;
    EXPECT_EQ(fake::live_allocations, 0);
    EXPECT_EQ(fake::counts.tasks, 0);
    EXPECT_EQ(fake::counts.creds, 0);
    EXPECT_EQ(fake::counts.namespaces, 0);
    EXPECT_EQ(fake::counts.files, 0);
    EXPECT_EQ(fake::counts.workers, 0);
    EXPECT_EQ(fake::hooks, 0u);
    EXPECT_EQ(fake::warnings, 0);
}

int CoreTest::ktrace(int ops, uint32_t trpoints, int32_t pid, kshim_task *caller) {
    fake::Running run(caller ? caller : tracer);
    ktrace_args args{};
    args.size = sizeof(args);
    args.file = kPath;
    args.fd = -1;
    args.ops = ops;
    args.trpoints = trpoints;
    args.pid = pid;
    return ktrace_core_ktrace(&args);
}

int CoreTest::fktrace(int ops, uint32_t trpoints, int32_t pid, int32_t fd, kshim_task *caller) {
    fake::Running run(caller ? caller : tracer);
    ktrace_args args{};
    args.size = sizeof(args);
    args.flags = KTRACE_BY_FD;
    args.fd = fd;
    args.ops = ops;
    args.trpoints = trpoints;
    args.pid = pid;
    return ktrace_core_ktrace(&args);
}

ktrace_stats CoreTest::stats_of(const fake::File &file, int *error) {
    ktrace_stats stats{};
    kshim_file *opened = fake::open_file(file);
    const int result = ktrace_core_stats(opened, &stats);
    if (error)
        *error = result;
    kshim_file_put(opened);
    return stats;
}
