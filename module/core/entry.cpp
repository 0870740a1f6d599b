// SPDX-License-Identifier: GPL-2.0-only
// The boundary, upwards: each entry finds what it is about and hands over. No logic here.
#include "ktrace_core.h"

#include "capture.hpp"
#include "control.hpp"
#include "session.hpp"
#include "target.hpp"

#include "base/poison.hpp"

using namespace ktr;

constinit struct ktrace_settings ktrace_settings = {
    .geniosize = 4096,
    .request_pool = 16384,
    .lossless = 1,
    .wait_ms = 5000,
};

int ktrace_core_init() { return 0; }

// Every session holds the module, and every target a session: there are none.
void ktrace_core_exit() {
    if (wanted_facilities() != 0)
        kshim_warn("targets are left at unload");
}

int ktrace_core_ktrace(const ktrace_args *args) { return control_ktrace(*args).code(); }

int ktrace_core_utrace(uint64_t addr, uint64_t len) {
    Ref<Thread> thread;
    {
        RcuReader reader;
        Thread *found = find_thread(kshim_current());
        if (!found || !found->try_get())
            return 0;
        thread = Ref<Thread>::adopt(found);
    }
    return capture_user(*thread, addr, len).code();
}

void ktrace_core_info(ktrace_info *ret) {
    ret->abi_version = KTRACE_ABI_VERSION;
    ret->features = kshim_features();
    ret->facilities = kshim_hooks_available();
    ret->ring_bytes = Session::ring_bytes();
}

int ktrace_core_stats(const kshim_file *file, ktrace_stats *ret) { return control_stats(file, ret).code(); }

void ktrace_core_reap() { control_reap(); }

bool ktrace_core_wants(const kshim_task *task, uint32_t type) {
    const Thread *thread = find_thread(task);
    return thread && thread->target->wants(type);
}

void ktrace_core_sys_enter(kshim_task *task, const kshim_regs *regs, long nr, uint32_t abi) {
    if (Thread *thread = find_thread(task))
        capture_call(*thread, {regs, nr, abi});
}

void ktrace_core_sys_exit(kshim_task *task, const kshim_regs *regs, long nr, uint32_t abi, long ret) {
    if (Thread *thread = find_thread(task))
        capture_return(*thread, {regs, nr, abi}, ret);
}

void ktrace_core_namei(kshim_task *task, const char *path, size_t len) {
    if (Thread *thread = find_thread(task))
        capture_path(*thread, path, len);
}

void ktrace_core_signal(kshim_task *task, int32_t signo, uint64_t action, int32_t code, uint64_t mask,
                        bool killed) {
    ktr_psig signal{};
    signal.signo = signo;
    signal.action = action;
    signal.code = code;
    signal.mask[0] = static_cast<uint32_t>(mask);
    signal.mask[1] = static_cast<uint32_t>(mask >> 32);
    if (Thread *thread = find_thread(task))
        capture_signal(*thread, signal, killed);
}

void ktrace_core_fault(kshim_task *task, uint64_t address, uint32_t access) {
    if (Thread *thread = find_thread(task))
        capture_fault(*thread, address, access);
}

void ktrace_core_fault_end(kshim_task *task, int32_t result) {
    if (Thread *thread = find_thread(task))
        capture_fault_end(*thread, result);
}

void ktrace_core_sysctl(kshim_task *task, const char *path, size_t len) {
    if (Thread *thread = find_thread(task))
        capture_sysctl(*thread, path, len);
}

void ktrace_core_uring(kshim_task *task, const ktr_uring *uring) {
    if (Thread *thread = find_thread(task))
        capture_uring(*thread, *uring);
}

void ktrace_core_not_capable(kshim_task *task, uint32_t capability) {
    if (Thread *thread = find_thread(task))
        note_missing_capability(*thread, capability);
}

void ktrace_core_record(kshim_task *task, uint32_t type, const void *head, size_t head_len, const void *data,
                        size_t len) {
    if (Thread *thread = find_thread(task))
        capture_module_record(*thread, type, {head, head_len}, {data, len});
}

void ktrace_core_fork(kshim_task *parent, kshim_task *child, bool is_thread) {
    // A thread that ktrace(2) has not come to yet is known by its process only.
    const Thread *thread = find_thread(parent);
    Target *target = thread ? thread->target : find_target(kshim_task_group(parent));
    if (!target)
        return;
    if (is_thread)
        capture_clone(*target, child);
    else
        capture_fork(*target, child);
}

void ktrace_core_exec(kshim_task *task, const ktrace_image *image) {
    if (Thread *thread = find_thread(task))
        capture_exec(*thread, *image);
}

void ktrace_core_switch(kshim_task *prev, kshim_task *next, bool runnable) {
    if (Thread *thread = find_thread(prev))
        capture_switch_out(*thread, runnable);
    if (Thread *thread = find_thread(next))
        capture_switch_in(*thread);
}

void ktrace_core_exit_task(kshim_task *task) {
    if (Thread *thread = find_thread(task))
        capture_exit(*thread);
}
