// SPDX-License-Identifier: GPL-2.0-only
// CSW: a thread leaves the processor, or comes back. Everything here runs with the run-queue
// lock held: the ring takes it, and the writer is woken by way of an interrupt.
#include "capture.hpp"

#include "syscall_info.hpp"

#include "base/poison.hpp"

namespace ktr {

namespace {

// What it waits in: a system call by the beginning of its name, its exit, or else a page fault.
const char *wait_message(const Thread &thread, bool involuntary) {
    if (involuntary)
        return "preempt";
    if (thread.call.abi != 0)
        return syscall_info(thread.call.abi, thread.call.number).name;
    return kshim_task_exiting(thread.task) ? "exit" : "pgfault";
}

void set_message(ktr_csw &csw, const char *message) {
    for (size_t i = 0; i + 1 < sizeof(csw.wmesg) && message[i]; i++)
        csw.wmesg[i] = message[i];
}

bool yields(const Thread &thread) {
    return thread.call.abi != 0 && syscall_info(thread.call.abi, thread.call.number).yields;
}

} // namespace

void capture_switch_out(Thread &thread, bool runnable) {
    if (!thread.target->wants(KTR_CSW))
        return;
    const bool involuntary = runnable && !yields(thread);
    ktr_csw csw{};
    csw.out = 1;
    csw.user = involuntary;
    set_message(csw, wait_message(thread, involuntary));
    thread.switched = csw;
    emit_struct(*thread.target, identity_of(thread), KTR_CSW, csw);
}

// The same as when it left; a thread that was traced only since has nothing to resume.
void capture_switch_in(Thread &thread) {
    if (!thread.target->wants(KTR_CSW) || !thread.switched.out)
        return;
    ktr_csw csw = thread.switched;
    csw.out = 0;
    thread.switched = {};
    emit_struct(*thread.target, identity_of(thread), KTR_CSW, csw);
}

} // namespace ktr
