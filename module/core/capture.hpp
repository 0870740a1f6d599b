// SPDX-License-Identifier: GPL-2.0-only
// What the hooks' events become: one function for each event, in the file of its name. entry.cpp
// has found the thread. Probes call these in an RCU read section.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/status.hpp"
#include "ktrace_core.h"
#include "record.hpp"
#include "target.hpp"

namespace ktr {

// A system call as the probe sees it.
struct Call {
    const kshim_regs *regs;
    long number;
    uint32_t abi;
};

// capture_syscall.cpp: SYSCALL, SYSRET
void capture_call(Thread &thread, const Call &call);
void capture_return(Thread &thread, const Call &call, long result);
void finish_late_return(Thread &thread); // in the door

// capture_genio.cpp: GENIO. False if the data is not resident and may_fault is false: then it
// is to be tried again where it may. Context: may sleep if may_fault.
bool capture_genio(Thread &thread, LateReturn &end, bool may_fault);
// Whether the end of this call is to have GENIO records at all.
bool moves_bytes(const Thread &thread, uint32_t abi, long number, long result);

// capture_sched.cpp: CSW. Context: the run-queue lock held.
void capture_switch_out(Thread &thread, bool runnable);
void capture_switch_in(Thread &thread);

// capture_fault.cpp: FAULT, FAULTEND. access: KTR_FAULT_*; result: KTR_KERN_*
void capture_fault(Thread &thread, uint64_t address, uint32_t access);
void capture_fault_end(Thread &thread, int32_t result);

// capture_sysctl.cpp: SYSCTL. path: below /proc/sys, not NUL-terminated
void capture_sysctl(Thread &thread, const char *path, size_t length);

// capture_uring.cpp: URING
void capture_uring(Thread &thread, const ktr_uring &uring);

// capture_capfail.cpp: CAPFAIL
void note_missing_capability(Thread &thread, uint32_t capability);
void capture_refusal(Thread &thread, uint32_t abi, long number, long result);
void capture_seccomp(Thread &thread, uint32_t abi, long number);

// capture_exec.cpp: ARGS, ENVS, EMUL
void capture_emulation(Target &target, const Identity &who, uint32_t abi);
void capture_image(Thread &thread, const ktrace_image &image);
// A failed exec has its arguments recorded, too. Context: may sleep, the thread's door.
void capture_failed_exec(Thread &thread, const LateReturn &end);
bool records_failed_exec(const Thread &thread, uint32_t abi, long number, long result);

// capture_struct.cpp: STRUCT, STRUCT_ARRAY. False as capture_genio().
bool capture_structs(Thread &thread, LateReturn &end, bool may_fault);
bool has_structs(const Thread &thread, uint32_t abi, long number, long result);

// capture_namei.cpp: NAMEI
void capture_path(Thread &thread, const char *path, size_t length);

// capture_signal.cpp: PSIG
void capture_signal(Thread &thread, const ktr_psig &signal, bool killed);

// capture_user.cpp: USER. Context: may sleep.
Status capture_user(Thread &thread, uint64_t address, uint64_t length);

// capture_module.cpp: what ktrace(9) gives
struct Part {
    const void *bytes;
    size_t length;
};
void capture_module_record(Thread &thread, uint32_t type, const Part &head, const Part &data);

// capture_process.cpp: PROCCTOR, PROCDTOR, and who is traced after fork, exec and exit
// leader: the process's leader now; the target's own may have gone in an exec of another thread.
void capture_begin(Target &target, kshim_task *leader);
// Losses that no later record of the process can tell of.
void capture_last_losses(Target &target, kshim_task *task);
void capture_fork(Target &from, kshim_task *child);
void capture_clone(Target &target, kshim_task *child);
void capture_exec(Thread &thread, const ktrace_image &image);
void capture_exit(Thread &thread);
void finish_exit(Thread &thread); // in the door

// door.cpp: has the thread do something where it may sleep. False if that cannot be.
bool open_door(Thread &thread, DoorReason reason);

} // namespace ktr
