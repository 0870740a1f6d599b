// SPDX-License-Identifier: GPL-2.0-only
// ktrace(2): arguments and their errors, who may trace whom, sessions that are joined or separate.
#include "core_test.hpp"

#include <cerrno>
#include <chrono>
#include <climits>
#include <thread>

namespace {

constexpr uint32_t kCalls = KTRFAC_SYSCALL | KTRFAC_SYSRET;

class ControlTest : public CoreTest {
  protected:
    bool traced(kshim_task *task) {
        kshim_rcu_read_lock();
        const bool wanted = ktrace_core_wants(task, KTR_SYSCALL);
        kshim_rcu_read_unlock();
        return wanted;
    }
    int raw(ktrace_args args) {
        fake::Running run(tracer);
        args.size = sizeof(args);
        return ktrace_core_ktrace(&args);
    }
};

// --- arguments ---

TEST_F(ControlTest, an_unknown_operation_is_einval) {
    EXPECT_EQ(ktrace(3, kUsual, program->pid), -EINVAL);
    EXPECT_EQ(ktrace(KTROP_SET | 8, kUsual, program->pid), -EINVAL);
    EXPECT_EQ(ktrace(INT_MIN, kUsual, program->pid), -EINVAL);
}

TEST_F(ControlTest, an_unknown_flag_is_einval) {
    ktrace_args args{};
    args.flags = 2;
    args.file = kPath;
    args.trpoints = kUsual;
    args.pid = program->pid;
    EXPECT_EQ(raw(args), -EINVAL);
}

TEST_F(ControlTest, an_unknown_header_version_is_einval) {
    EXPECT_EQ(ktrace(KTROP_SET, kUsual | 2 << KTRFAC_VER_SHIFT, program->pid), -EINVAL);
    EXPECT_EQ(ktrace(KTROP_SET, kUsual | KTRFACv1, program->pid), 0);
}

TEST_F(ControlTest, set_and_clear_without_a_facility_are_einval) {
    EXPECT_EQ(ktrace(KTROP_SET, 0, program->pid), -EINVAL);
    EXPECT_EQ(ktrace(KTROP_CLEAR, KTRFAC_ROOT | KTRFACv1, program->pid), -EINVAL);
    EXPECT_EQ(ktrace(KTROP_CLEARFILE, 0, 0), 0);
}

TEST_F(ControlTest, arguments_are_looked_at_before_the_file) {
    fake::open_error = ENOTDIR;
    EXPECT_EQ(ktrace(KTROP_SET, 0, program->pid), -EINVAL);
    EXPECT_EQ(ktrace(KTROP_SET, kUsual, program->pid), -ENOTDIR);
}

TEST_F(ControlTest, the_file_is_looked_at_before_the_process) {
    fake::open_error = EACCES;
    EXPECT_EQ(ktrace(KTROP_SET, kUsual, 99999), -EACCES);
}

TEST_F(ControlTest, every_error_of_the_open_is_passed_on) {
    for (int error : {ENOENT, ENOTDIR, ENAMETOOLONG, EACCES, ELOOP, EISDIR, EROFS, ETXTBSY, EFAULT, ENOMEM}) {
        fake::open_error = error;
        EXPECT_EQ(ktrace(KTROP_SET, kUsual, program->pid), -error);
        EXPECT_EQ(ktrace(KTROP_CLEARFILE, 0, 0), -error);
    }
}

TEST_F(ControlTest, a_bad_address_of_the_path_is_efault) {
    ktrace_args args{};
    args.file = 0xdead0000;
    args.trpoints = kUsual;
    args.pid = program->pid;
    EXPECT_EQ(raw(args), -EFAULT);
}

TEST_F(ControlTest, a_bad_descriptor_is_ebadf) {
    EXPECT_EQ(fktrace(KTROP_SET, kUsual, program->pid, 99), -EBADF);
    EXPECT_EQ(fktrace(KTROP_SET, kUsual, program->pid, kFd), 0);
}

TEST_F(ControlTest, clear_ignores_the_file) {
    fake::open_error = ENOENT;
    EXPECT_EQ(clear(program), 0);
}

TEST_F(ControlTest, an_absent_process_or_group_is_esrch) {
    for (int32_t pid : {0, 99999, -99999, INT_MAX, INT_MIN + 1, INT_MIN}) {
        EXPECT_EQ(ktrace(KTROP_SET, kUsual, pid), -ESRCH) << pid;
        EXPECT_EQ(ktrace(KTROP_CLEAR, kUsual, pid), -ESRCH) << pid;
    }
}

TEST_F(ControlTest, an_error_of_the_hooks_is_passed_on_and_leaves_no_session) {
    fake::hooks_error = ENOSYS;
    EXPECT_EQ(set(program), -ENOSYS);
    fake::hooks_error = 0;
    fake::settle(true);
    int error = 0;
    stats_of(file, &error);
    EXPECT_EQ(error, -ENOENT);
    EXPECT_EQ(fake::counts.workers, 0);
}

TEST_F(ControlTest, inherit_without_a_facility_traces_nothing_and_leaves_nothing) {
    EXPECT_EQ(set(program, KTRFAC_INHERIT), 0);
    EXPECT_EQ(set(program, KTRFAC_DROP), 0);
    fake::exit(program);
    fake::settle(true);
    EXPECT_EQ(fake::counts.workers, 0);
}

// --- rights ---

TEST_F(ControlTest, a_process_of_another_user_is_eperm) {
    kshim_task *other = fake::spawn("other", 2000);
    EXPECT_EQ(set(other), -EPERM);
    EXPECT_EQ(clear(other), -EPERM);
    EXPECT_EQ(fake::counts.workers, 0) << "no session was made";
}

TEST_F(ControlTest, one_process_of_a_group_that_may_be_traced_is_success) {
    kshim_task *other = fake::spawn("other", 2000);
    other->process->pgrp = 500;
    program->process->pgrp = 500;
    EXPECT_EQ(ktrace(KTROP_SET, kUsual, -500), 0);
    EXPECT_TRUE(traced(program));
    EXPECT_FALSE(traced(other));
}

TEST_F(ControlTest, a_group_of_which_none_may_be_traced_is_eperm) {
    kshim_task *other = fake::spawn("other", 2000);
    other->process->pgrp = 500;
    EXPECT_EQ(ktrace(KTROP_SET, kUsual, -500), -EPERM);
}

TEST_F(ControlTest, what_root_traces_only_root_may_change) {
    kshim_task *root = new_tracer("root", 0, true);
    ASSERT_EQ(set(program, kCalls, root), 0);
    EXPECT_EQ(set(program, kUsual), -EPERM);
    EXPECT_EQ(clear(program), -EPERM);
    EXPECT_EQ(clear_file(), -EPERM);
    EXPECT_TRUE(traced(program));
    EXPECT_EQ(clear(program, kUsual, root), 0);
    EXPECT_EQ(set(program), 0) << "the mark is gone with the trace";
}

TEST_F(ControlTest, root_in_trpoints_is_not_taken) {
    ASSERT_EQ(set(program, kCalls | KTRFAC_ROOT), 0);
    EXPECT_EQ(clear(program), 0);
}

// --- what is set ---

TEST_F(ControlTest, set_begins_with_a_procctor) {
    ASSERT_EQ(set(program), 0);
    EXPECT_EQ(clear(program), 0);
    ASSERT_EQ(trace().types(), (std::vector<uint16_t>{KTR_PROCCTOR}));
    EXPECT_EQ(trace().records[0].as<ktr_proc_ctor>().sv_flags, KTR_SV_LINUX64 | KTR_SV_NATIVE);
    EXPECT_EQ(trace().records[0].pid, program->pid);
}

TEST_F(ControlTest, set_adds_and_clear_takes_away) {
    ASSERT_EQ(set(program, KTRFAC_SYSCALL), 0);
    ASSERT_EQ(set(program, KTRFAC_SYSRET), 0);
    getpid(program);
    ASSERT_EQ(clear(program, KTRFAC_SYSCALL), 0);
    getpid(program);
    ASSERT_EQ(clear(program, KTRFAC_SYSRET), 0);
    getpid(program);
    EXPECT_EQ(trace().types(), (std::vector<uint16_t>{KTR_SYSCALL, KTR_SYSRET, KTR_SYSRET}));
}

TEST_F(ControlTest, clear_of_what_is_not_traced_is_success) {
    EXPECT_EQ(clear(program), 0);
    EXPECT_EQ(clear_file(), 0);
}

TEST_F(ControlTest, set_on_a_process_that_exits_is_success_and_traces_nothing) {
    fake::exit_probe(program);
    EXPECT_EQ(set(program), 0);
    EXPECT_EQ(fake::counts.workers, 0);
    fake::finish_exit(program);
}

TEST_F(ControlTest, every_thread_of_the_process_is_traced) {
    kshim_task *thread = fake::clone(program);
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(thread);
    EXPECT_EQ(clear(program), 0);
    ASSERT_EQ(trace().records.size(), 2u);
    EXPECT_EQ(trace().records[0].pid, program->pid);
    EXPECT_EQ(trace().records[0].tid, thread->tid);
}

TEST_F(ControlTest, only_descend_reaches_children_that_are_there) {
    kshim_task *child = fake::fork(program), *grandchild = fake::fork(child);
    ASSERT_EQ(set(program, kCalls), 0);
    EXPECT_FALSE(traced(child));
    ASSERT_EQ(ktrace(KTROP_SET | KTRFLAG_DESCEND, kCalls, program->pid), 0);
    EXPECT_TRUE(traced(child) && traced(grandchild));
    EXPECT_FALSE(traced(tracer));
    ASSERT_EQ(ktrace(KTROP_CLEAR | KTRFLAG_DESCEND, kCalls, program->pid), 0);
    EXPECT_FALSE(traced(program) || traced(child) || traced(grandchild));
}

TEST_F(ControlTest, descend_goes_past_a_process_that_may_not_be_traced) {
    kshim_task *child = fake::fork(program), *grandchild = fake::fork(child);
    child->process->cred.load()->refs--; // shared with program until here
    child->process->cred = fake::new_cred(2000, false);
    EXPECT_EQ(ktrace(KTROP_SET | KTRFLAG_DESCEND, kCalls, program->pid), 0);
    EXPECT_FALSE(traced(child));
    EXPECT_TRUE(traced(grandchild));
}

TEST_F(ControlTest, descend_copes_with_many_processes) {
    std::vector<kshim_task *> all{program};
    for (int i = 0; i < 300; i++)
        all.push_back(fake::fork(all[static_cast<size_t>(i) / 2]));
    EXPECT_EQ(ktrace(KTROP_SET | KTRFLAG_DESCEND, kCalls, program->pid), 0);
    for (kshim_task *task : all)
        EXPECT_TRUE(traced(task));
    EXPECT_EQ(clear_file(), 0);
    for (kshim_task *task : all)
        EXPECT_FALSE(traced(task));
}

// --- sessions ---

TEST_F(ControlTest, the_same_user_joins_the_session_of_the_file) {
    kshim_task *other = fake::spawn("other");
    ASSERT_EQ(set(program, kCalls), 0);
    ASSERT_EQ(fktrace(KTROP_SET, kCalls, other->pid, kFd), 0);
    EXPECT_EQ(fake::counts.workers, 1);
    getpid(program);
    getpid(other);
    getpid(program);
    EXPECT_EQ(clear_file(), 0);
    EXPECT_EQ(trace().records.size(), 6u);
    EXPECT_TRUE(trace().in_order());
}

TEST_F(ControlTest, another_user_has_a_session_of_its_own_on_the_same_file) {
    kshim_task *root = new_tracer("root", 0, true);
    kshim_task *other = fake::spawn("other", 2000);
    ASSERT_EQ(set(program, kCalls), 0);
    ASSERT_EQ(set(other, kCalls, root), 0);
    EXPECT_EQ(fake::counts.workers, 2);
    getpid(program);
    getpid(other);
    EXPECT_EQ(clear_file(root), 0);
    EXPECT_EQ(trace().records.size(), 4u);
}

TEST_F(ControlTest, a_set_to_another_file_moves_the_process_there) {
    const auto second = std::make_shared<fake::Inode>();
    fake::add_fd(8, second);
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    ASSERT_EQ(fktrace(KTROP_SET, kCalls, program->pid, 8), 0);
    EXPECT_EQ(trace().records.size(), 2u) << "SET returns when the old file is whole";
    getpid(program);
    EXPECT_EQ(clear(program), 0);
    EXPECT_EQ(trace_of(second).records.size(), 2u);
    EXPECT_EQ(trace().records.size(), 2u);
    fake::settle(true);
}

TEST_F(ControlTest, clearfile_leaves_other_files_alone) {
    const auto second = std::make_shared<fake::Inode>();
    fake::add_fd(8, second);
    kshim_task *other = fake::spawn("other");
    ASSERT_EQ(set(program, kCalls), 0);
    ASSERT_EQ(fktrace(KTROP_SET, kCalls, other->pid, 8), 0);
    EXPECT_EQ(clear_file(), 0);
    EXPECT_FALSE(traced(program));
    EXPECT_TRUE(traced(other));
}

TEST_F(ControlTest, a_set_after_the_file_failed_makes_a_new_session) {
    file->write_errno = ENOSPC;
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    EXPECT_EQ(clear(program), 0);
    ASSERT_EQ(fake::logged_errors, 1);
    file->write_errno = 0;
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    EXPECT_EQ(clear(program), 0);
    EXPECT_EQ(trace().records.size(), 2u);
}

TEST_F(ControlTest, hooks_are_registered_for_what_is_wanted_only) {
    ASSERT_EQ(set(program, kCalls), 0);
    EXPECT_EQ(fake::hooks, kCalls);
    kshim_task *other = fake::spawn("other");
    ASSERT_EQ(set(other, KTRFAC_NAMEI), 0);
    EXPECT_EQ(fake::hooks, kCalls | KTRFAC_NAMEI);
    ASSERT_EQ(clear(program), 0);
    fake::settle();
    EXPECT_EQ(fake::hooks, static_cast<uint32_t>(KTRFAC_NAMEI));
    fake::exit(other);
    fake::settle();
    EXPECT_EQ(fake::hooks, 0u);
}

TEST_F(ControlTest, counters_are_those_of_the_file_or_enoent) {
    int error = 0;
    stats_of(file, &error);
    EXPECT_EQ(error, -ENOENT);
    ASSERT_EQ(set(program, kCalls), 0);
    getpid(program);
    ktrace_stats stats{};
    for (int i = 0; i < 10000 && stats.records < 2;
         i++, std::this_thread::sleep_for(std::chrono::milliseconds(1)))
        stats = stats_of(file, &error);
    EXPECT_EQ(error, 0);
    EXPECT_EQ(stats.records, 2u);
    EXPECT_EQ(stats.bytes, file->size());
}

TEST_F(ControlTest, info_says_what_there_is) {
    ktrace_info info{};
    ktrace_core_info(&info);
    EXPECT_EQ(info.abi_version, 1u);
    EXPECT_EQ(info.facilities, kshim_hooks_available());
    EXPECT_EQ(info.ring_bytes, 4 * 128u * 1024) << "four processors are possible";
}

TEST_F(ControlTest, pids_are_those_of_the_tracer_s_namespace) {
    kshim_task *outside = new_tracer("outside", 1000, false);
    outside->process->ns->offset = 1000;
    ASSERT_EQ(ktrace(KTROP_SET, kCalls, program->pid + 1000, outside), 0);
    getpid(program);
    EXPECT_EQ(clear(program), 0);
    ASSERT_EQ(trace().records.size(), 2u);
    EXPECT_EQ(trace().records[0].pid, program->pid + 1000);
    EXPECT_EQ(trace().records[0].tid, program->tid + 1000);
}

TEST_F(ControlTest, a_trace_that_moves_to_another_namespace_s_file_has_that_one_s_pids) {
    const auto second = std::make_shared<fake::Inode>();
    fake::add_fd(8, second);
    kshim_task *outside = new_tracer("outside", 1000, false);
    outside->process->ns->offset = 1000;
    ASSERT_EQ(set(program, kCalls), 0);
    ASSERT_EQ(fktrace(KTROP_SET, kCalls, program->pid + 1000, 8, outside), 0);
    getpid(program);
    EXPECT_EQ(clear(program), 0);
    ASSERT_EQ(trace_of(second).records.size(), 2u);
    EXPECT_EQ(trace_of(second).records[0].pid, program->pid + 1000);
    fake::settle(true);
}

} // namespace
