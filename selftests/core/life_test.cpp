// SPDX-License-Identifier: GPL-2.0-only
// Tracing through fork, clone, exec and exit, and a CLEAR in the midst of things.
#include "core_test.hpp"

#include <thread>

#include "../../module/core/target.hpp"

namespace {

constexpr uint32_t kCalls = KTRFAC_SYSCALL | KTRFAC_SYSRET;
constexpr uint32_t kLife = kCalls | KTRFAC_PROCCTOR | KTRFAC_PROCDTOR;
using Types = std::vector<uint16_t>;

class LifeTest : public CoreTest {
  protected:
    static bool listed(kshim_task *task) {
        kshim_rcu_read_lock();
        const bool found = ktr::find_thread(task) != nullptr;
        kshim_rcu_read_unlock();
        return found;
    }
    static bool target_listed(kshim_task *task) {
        return static_cast<bool>(ktr::get_target(task->process.get()));
    }
};

TEST_F(LifeTest, a_child_is_not_traced_without_inherit) {
    ASSERT_EQ(set(program, kLife), 0);
    kshim_task *child = fake::fork(program);
    getpid(child);
    EXPECT_EQ(clear_file(), 0);
    EXPECT_EQ(trace().types_of(child->pid), Types());
}

TEST_F(LifeTest, a_child_is_traced_with_inherit_from_its_first_call) {
    ASSERT_EQ(set(program, kLife | KTRFAC_INHERIT), 0);
    kshim_task *child = fake::fork(program), *grandchild = fake::fork(child);
    getpid(grandchild);
    EXPECT_EQ(clear_file(), 0);
    EXPECT_EQ(trace().types_of(child->pid), Types({KTR_PROCCTOR}));
    EXPECT_EQ(trace().types_of(grandchild->pid), Types({KTR_PROCCTOR, KTR_SYSCALL, KTR_SYSRET}));
}

TEST_F(LifeTest, a_child_is_traced_on_when_its_parent_has_ended) {
    ASSERT_EQ(set(program, kLife | KTRFAC_INHERIT), 0);
    kshim_task *child = fake::fork(program);
    fake::exit(program);
    fake::settle();
    getpid(child);
    fake::exit(child);
    const int32_t pid = trace().records.back().pid;
    EXPECT_EQ(trace().types_of(pid), Types({KTR_PROCCTOR, KTR_SYSCALL, KTR_SYSRET, KTR_PROCDTOR}));
}

TEST_F(LifeTest, a_thread_is_traced_from_its_clone) {
    ASSERT_EQ(set(program, kLife), 0);
    kshim_task *thread = fake::clone(program);
    getpid(thread);
    const int32_t tid = thread->tid;
    fake::exit(thread);
    fake::exit(program);
    EXPECT_EQ(trace().types(), Types({KTR_PROCCTOR, KTR_SYSCALL, KTR_SYSRET, KTR_PROCDTOR}))
        << "one PROCDTOR for all threads";
    EXPECT_EQ(trace().records[1].tid, tid);
}

TEST_F(LifeTest, a_leader_that_exits_first_does_not_end_the_process) {
    ASSERT_EQ(set(program, kLife), 0);
    kshim_task *thread = fake::clone(program);
    fake::exit(program);
    getpid(thread);
    fake::exit(thread);
    EXPECT_EQ(trace().types(), Types({KTR_PROCCTOR, KTR_SYSCALL, KTR_SYSRET, KTR_PROCDTOR}));
}

TEST_F(LifeTest, the_exit_of_the_last_thread_frees_target_and_session) {
    ASSERT_EQ(set(program, kLife), 0);
    kshim_task *thread = fake::clone(program);
    fake::exit(thread);
    fake::settle();
    EXPECT_EQ(fake::counts.workers, 1);
    fake::exit(program);
    fake::settle(true);
    EXPECT_EQ(fake::counts.workers, 0);
    EXPECT_EQ(fake::live_allocations, 0);
    EXPECT_EQ(fake::hooks, 0u);
}

TEST_F(LifeTest, an_exit_without_a_door_still_ends_the_trace) {
    ASSERT_EQ(set(program, kLife), 0);
    program->refuse_doors = true;
    fake::exit(program);
    fake::settle(true);
    EXPECT_EQ(fake::counts.workers, 0);
    EXPECT_EQ(trace().types(), Types({KTR_PROCCTOR, KTR_PROCDTOR}));
}

TEST_F(LifeTest, exec_tells_of_the_new_image) {
    ASSERT_EQ(set(program, kLife), 0);
    fake::sys_enter(program, kExecve, {1, 2, 3});
    program->process->abi = KTR_SV_LINUX32;
    fake::exec(program);
    fake::sys_exit(program, kExecve, {}, 0);
    EXPECT_EQ(clear(program), 0);
    const Trace all = trace();
    ASSERT_EQ(all.types(), Types({KTR_PROCCTOR, KTR_SYSCALL, KTR_PROCCTOR, KTR_SYSRET}));
    EXPECT_EQ(all.records[2].as<ktr_proc_ctor>().sv_flags, KTR_SV_LINUX32 | KTR_SV_NATIVE);
    EXPECT_EQ(all.records[3].as<ktr_sysret>().ktr_error, KTR_EJUSTRETURN);
}

TEST_F(LifeTest, an_exec_that_gains_rights_ends_a_user_s_trace) {
    ASSERT_EQ(set(program, kLife), 0);
    fake::exec(program, /*gained=*/true);
    getpid(program);
    EXPECT_FALSE(target_listed(program));
    fake::settle(true);
    EXPECT_EQ(trace().types(), Types({KTR_PROCCTOR}));
}

TEST_F(LifeTest, an_exec_that_gains_rights_does_not_end_root_s_trace) {
    kshim_task *root = new_tracer("root", 0, true);
    ASSERT_EQ(set(program, kLife, root), 0);
    fake::exec(program, /*gained=*/true);
    EXPECT_TRUE(listed(program));
    EXPECT_EQ(clear(program, kUsual, root), 0);
}

TEST_F(LifeTest, a_trace_that_root_takes_over_on_the_same_file_outlives_a_gain) {
    kshim_task *root = new_tracer("root", 0, true);
    ASSERT_EQ(set(program, kLife), 0);
    ASSERT_EQ(set(program, kLife, root), 0);
    fake::exec(program, /*gained=*/true);
    EXPECT_TRUE(listed(program));
    EXPECT_EQ(clear(program, kUsual, root), 0);
}

TEST_F(LifeTest, exec_in_a_thread_takes_the_leader_s_numbers) {
    ASSERT_EQ(set(program, kLife), 0);
    kshim_task *thread = fake::clone(program);
    const int32_t pid = program->pid;
    fake::exec_in_thread(thread, program);
    getpid(thread);
    EXPECT_EQ(clear(thread), 0);
    for (const Record &record : trace().records) {
        EXPECT_EQ(record.pid, pid);
        EXPECT_EQ(record.tid, pid);
    }
}

TEST_F(LifeTest, a_set_after_an_exec_in_a_thread_tells_of_the_process_by_its_pid) {
    ASSERT_EQ(set(program, kLife), 0);
    kshim_task *thread = fake::clone(program);
    fake::exec_in_thread(thread, program);
    ASSERT_EQ(set(thread, kLife | KTRFAC_NAMEI), 0);
    EXPECT_EQ(clear(thread), 0);
    for (const Record &record : trace().records)
        EXPECT_EQ(record.pid, thread->pid);
}

TEST_F(LifeTest, a_partial_clear_tells_of_the_process_again) {
    ASSERT_EQ(set(program, kLife), 0);
    ASSERT_EQ(clear(program, kCalls), 0);
    EXPECT_EQ(clear(program), 0);
    EXPECT_EQ(trace().types(), Types({KTR_PROCCTOR, KTR_PROCCTOR}));
}

TEST_F(LifeTest, clear_while_a_door_is_pending_leaves_no_record_behind_it) {
    program->process->map(kBuffer, "data", /*resident=*/false);
    ASSERT_EQ(set(program, kCalls | KTRFAC_GENIO), 0);
    fake::sys_enter(program, kWrite, {1, kBuffer, 4});
    fake::sys_exit(program, kWrite, {1, kBuffer, 4}, 4);
    ASSERT_EQ(program->doors.size(), 1u);
    EXPECT_EQ(clear(program), 0);
    const size_t before = file->size();
    fake::return_to_user(program);
    fake::settle(true);
    EXPECT_EQ(file->size(), before) << "CLEAR has returned, so the file is final";
}

TEST_F(LifeTest, clear_while_the_exit_door_is_pending_frees_everything) {
    ASSERT_EQ(set(program, kLife), 0);
    fake::exit_probe(program);
    EXPECT_EQ(clear(program), 0);
    fake::finish_exit(program);
    fake::settle(true);
    EXPECT_EQ(fake::counts.workers, 0);
}

TEST_F(LifeTest, a_thread_that_is_killed_with_a_late_return_pending_records_it_and_ends) {
    program->process->map(kBuffer, "data", /*resident=*/false);
    ASSERT_EQ(set(program, kLife | KTRFAC_GENIO), 0);
    fake::sys_exit(program, kWrite, {1, kBuffer, 4}, 4);
    fake::exit(program);
    EXPECT_EQ(trace().count(KTR_GENIO), 1u);
    EXPECT_EQ(trace().count(KTR_SYSRET), 1u);
    fake::settle(true);
    EXPECT_EQ(fake::counts.workers, 0);
}

// CLEAR comes when the fork's probe has seen the parent's state, before the child is listed.
TEST_F(LifeTest, a_clear_during_a_fork_s_probe_leaves_no_child_without_hooks) {
    ASSERT_EQ(set(program, kLife | KTRFAC_INHERIT), 0);
    std::thread control, reaper;
    fake::interrupt_at_atomic_alloc([&] {
        control = std::thread([&] { EXPECT_EQ(clear(program), 0); });
        while (target_listed(program))
            std::this_thread::yield();
        reaper = std::thread([&] { ktrace_core_reap(); });
        while (fake::hooks != 0)
            std::this_thread::yield();
    });
    kshim_task *child = fake::fork(program);
    control.join();
    reaper.join();
    fake::settle();
    EXPECT_TRUE(!target_listed(child) || fake::hooks != 0) << "a target that no probe will ever take away";
    if (target_listed(child)) {
        EXPECT_EQ(clear_file(), 0);
    }
}

TEST_F(LifeTest, a_clearfile_during_a_fork_s_probe_gets_the_child_too) {
    ASSERT_EQ(set(program, kLife | KTRFAC_INHERIT), 0);
    std::thread control;
    fake::interrupt_at_atomic_alloc([&] {
        control = std::thread([&] { EXPECT_EQ(clear_file(), 0); });
        while (target_listed(program))
            std::this_thread::yield();
    });
    kshim_task *child = fake::fork(program);
    control.join();
    const size_t before = file->size();
    getpid(child);
    EXPECT_EQ(clear(child), 0);
    EXPECT_EQ(file->size(), before);
}

TEST_F(LifeTest, utrace_of_a_process_that_is_not_traced_is_success) {
    EXPECT_EQ(fake::utrace(program, 0xbad, 5), 0);
    ASSERT_EQ(set(program, kCalls), 0);
    EXPECT_EQ(fake::utrace(program, 0xbad, 99999), 0) << "not traced for this";
}

TEST_F(LifeTest, utrace_checks_its_arguments) {
    program->process->map(kBuffer, std::string(2048, 'u'));
    ASSERT_EQ(set(program, KTRFAC_USER), 0);
    EXPECT_EQ(fake::utrace(program, kBuffer, 2049), -22);
    EXPECT_EQ(fake::utrace(program, 0xbad, 5), -14);
    EXPECT_EQ(fake::utrace(program, kBuffer, 2048), 0);
    EXPECT_EQ(fake::utrace(program, kBuffer, 0), 0);
    EXPECT_EQ(clear(program), 0);
    ASSERT_EQ(trace().records.size(), 2u);
    EXPECT_EQ(trace().records[0].payload, std::string(2048, 'u'));
    EXPECT_EQ(trace().records[1].payload, "");
}

TEST_F(LifeTest, a_signal_and_a_path_are_recorded) {
    ASSERT_EQ(set(program, KTRFAC_PSIG | KTRFAC_NAMEI), 0);
    fake::signal(program, 10);
    fake::namei(program, "/etc/passwd");
    EXPECT_EQ(clear(program), 0);
    const Trace all = trace();
    ASSERT_EQ(all.types(), Types({KTR_PSIG, KTR_NAMEI}));
    const auto psig = all.records[0].as<ktr_psig>();
    EXPECT_EQ(psig.signo, 10);
    EXPECT_EQ(psig.action, 0x401000u);
    EXPECT_EQ(psig.mask[0], 2u);
    EXPECT_EQ(psig.mask[1], 1u);
    EXPECT_EQ(all.records[1].payload, "/etc/passwd");
}

TEST_F(LifeTest, a_call_and_its_return_have_number_arguments_and_result) {
    ASSERT_EQ(set(program, kCalls), 0);
    fake::syscall(program, 9, {1, 2, 3, 4, 5, 6}, 0x7f00);
    fake::syscall(program, 2, {1, 2, 3}, -2);
    fake::syscall(program, 2, {1, 2, 3}, -512);
    fake::syscall(program, 15, {}, 1234);
    fake::syscall(program, 999, {1}, -38);
    fake::syscall(program, 20, {}, 0xfffffffe, KTR_SV_LINUX32);
    EXPECT_EQ(clear(program), 0);
    const Trace all = trace();
    ASSERT_EQ(all.records.size(), 12u);
    EXPECT_EQ(all.records[0].as<ktr_sysret>().ktr_code, 9);
    EXPECT_EQ(all.records[0].payload.size(), 8 + 6 * 8u);
    EXPECT_EQ(all.records[0].as<uint64_t>(8 + 5 * 8), 6u);
    EXPECT_EQ(all.records[1].as<ktr_sysret>().ktr_retval, 0x7f00);
    EXPECT_EQ(all.records[2].payload.size(), 8 + 3 * 8u);
    EXPECT_EQ(all.records[3].as<ktr_sysret>().ktr_error, 2);
    EXPECT_EQ(all.records[5].as<ktr_sysret>().ktr_error, KTR_ERESTART);
    EXPECT_EQ(all.records[7].as<ktr_sysret>().ktr_error, KTR_EJUSTRETURN);
    EXPECT_EQ(all.records[8].payload.size(), 8 + 6 * 8u) << "all registers of an unknown call";
    EXPECT_EQ(all.records[11].as<ktr_sysret>().ktr_abi, static_cast<int16_t>(KTR_SV_LINUX32));
}

} // namespace
