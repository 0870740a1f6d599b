// SPDX-License-Identifier: GPL-2.0-only
// PROCCTOR and PROCDTOR, and how tracing goes on through fork, exec and exit.
#include "capture.hpp"

#include "record.hpp"

#include "base/poison.hpp"

namespace ktr {

namespace {

// Of a task whose Thread is not at hand.
Identity identity_in(const Target &target, kshim_task *task) {
    kshim_pid_ns *ns = target.session().pid_ns();
    return {kshim_task_pid(task, ns), kshim_task_tid(task, ns), kshim_task_comm(task)};
}

void emit_begin(Target &target, const Identity &who, kshim_task *task) {
    const uint32_t abi = kshim_task_abi(task);
    const ktr_proc_ctor ctor{abi | KTR_SV_NATIVE};
    if (target.wants(KTR_PROCCTOR))
        emit_struct(target, who, KTR_PROCCTOR, ctor);
    capture_emulation(target, who, abi);
}

// Not after a CLEAR: the file is final then.
void emit_last_losses(Target &target, const Identity &who) {
    OnCpu cpu;
    Session &session = target.session();
    bool room = true;
    if (!target.has_lost() || !(target.state() & KTRFAC_MASK) || session.failed())
        return;
    if (note_losses(target, session, who, cpu.number(), &room))
        session.committed(session.ring(cpu.number()));
    else if (!room)
        leave_losses(target, session, who, cpu.number());
}

} // namespace

// On behalf of a process that ktrace(2) has set to be traced.
void capture_begin(Target &target, kshim_task *leader) {
    emit_begin(target, identity_in(target, leader), leader);
}

void capture_last_losses(Target &target, kshim_task *task) {
    emit_last_losses(target, identity_in(target, task));
}

// The child has its parent's session and facilities, before it can run.
void capture_fork(Target &from, kshim_task *child) {
    if (!from.is_inherited())
        return;
    Session &session = from.session();
    session.get();
    Target *made = make_atomic<Target>(child, &session, from.state());
    if (!made) {
        session.put();
        from.count_lost(KTR_PROCCTOR);
        return;
    }
    Ref<Target> target = Ref<Target>::adopt(made);
    if (!list_child(*target, from))
        return;
    capture_begin(*target, child);
    if (!add_thread(*target, child))
        from.count_lost(KTR_PROCCTOR);
    release_hold(*target);
}

// A new thread of a traced process.
void capture_clone(Target &target, kshim_task *child) {
    if (!add_thread(target, child))
        target.count_lost(KTR_SYSCALL);
}

// A program that gets rights its caller does not have is no longer the tracer's to see, unless
// the tracer has rights over it as it is now.
void capture_exec(Thread &thread, const ktrace_image &image) {
    Target &target = *thread.target;
    if (image.gained && !kshim_cred_privileged_over_current(target.session().cred())) {
        open_door(thread, kDoorWritten); // no exit barrier will come
        unlist_target(target);
        return;
    }
    thread.refresh_ids();
    emit_begin(target, identity_of(thread), thread.task);
    capture_image(thread, image);
}

void capture_exit(Thread &thread) {
    Target &target = *thread.target;
    if (kshim_group_dead(thread.task) && target.claim_end() && target.wants(KTR_PROCDTOR))
        emit_bytes(target, identity_of(thread), KTR_PROCDTOR, "", 0);
    if (!open_door(thread, kDoorExit))
        unlist_thread(thread); // without the barrier: better than not at all
}

// The exit barrier. The parent is told of the exit after this; each thread of the process does
// it for itself, so what waitpid() reports dead is whole in the file.
void finish_exit(Thread &thread) {
    Ref<Session> session = thread.target->share_session();
    if (thread.target->has_lost())
        session->wait_room();
    emit_last_losses(*thread.target, identity_of(thread));
    unlist_thread(thread); // no record of this thread from here on
    session->wait_written();
}

} // namespace ktr
