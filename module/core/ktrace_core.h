/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The boundary, upwards: what the shim calls in the core. Plain C, includes no kernel
 * header. One call for each event; the hooks have no logic of their own.
 *
 * Probes call with RCU held or preemption off (they are in an RCU read section), and never
 * from an interrupt handler unless the function says so. Functions that return int give 0
 * or a negative errno.
 */
#ifndef KTRACE_CORE_H
#define KTRACE_CORE_H

#include "../shim/kshim.h"
#include "../../uapi/ktrace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* sysctl kern.ktrace.*; the shim writes them, the core reads them at any time. */
struct ktrace_settings {
	uint32_t geniosize; /* bytes of one GENIO record */
	uint32_t request_pool; /* records in memory at one time for each trace file */
	uint32_t lossless; /* 1: a traced thread waits when the rings fill, 0: records are lost */
	uint32_t wait_ms; /* for how long it waits for a writer that makes no progress */
};
extern struct ktrace_settings ktrace_settings;

#define KTRACE_GENIOSIZE_MAX 65536u
#define KTRACE_REQUEST_POOL_MIN 256u
#define KTRACE_REQUEST_POOL_MAX 262144u
#define KTRACE_WAIT_MS_MAX 600000u

/* Context: may sleep. After exit no target and no session is left; the shim has let no ioctl in. */
int ktrace_core_init(void);
void ktrace_core_exit(void);

/* The ioctls, on copies in kernel memory. Context: may sleep, the caller's process. */
int ktrace_core_ktrace(const struct ktrace_args *args);
int ktrace_core_utrace(uint64_t addr, uint64_t len);
void ktrace_core_info(struct ktrace_info *ret);
int ktrace_core_stats(const struct kshim_file *file, struct ktrace_stats *ret);

/* The work of kshim_schedule_reap(). Context: may sleep. */
void ktrace_core_reap(void);

/* ARGS and ENVS records have at most this many bytes, too. */
#define KTRACE_STRINGS_MAX KTRACE_GENIOSIZE_MAX

/* True if records of this KTR_* type are wanted of the task: the filter of costly hooks. Context: any. */
bool ktrace_core_wants(const struct kshim_task *task, uint32_t type);

/*
 * False if nothing of the task's is traced, for certain and at once: probes that every process runs
 * into ask this first. Context: any.
 */
#define KTRACE_THREAD_BITS 10
#ifndef __cplusplus
extern void *const volatile ktrace_core_threads[1 << KTRACE_THREAD_BITS];
static inline bool ktrace_core_may_be_traced(const void *task)
{
	return ktrace_core_threads[kshim_hash(task, KTRACE_THREAD_BITS)];
}
#endif

/* System calls of task (current). abi: KTR_SV_LINUX64 or KTR_SV_LINUX32. */
void ktrace_core_sys_enter(struct kshim_task *task, const struct kshim_regs *regs, long nr, uint32_t abi);
void ktrace_core_sys_exit(struct kshim_task *task, const struct kshim_regs *regs, long nr, uint32_t abi,
			  long ret);
/* The kernel took a path from user space, or opened an interpreter. path: kernel memory. */
void ktrace_core_namei(struct kshim_task *task, const char *path, size_t len);
/*
 * A signal is delivered to task (current). action: the handler's address, or 0 SIG_DFL, 1 SIG_IGN.
 * killed: it has killed the process, and each thread is told so.
 */
void ktrace_core_signal(struct kshim_task *task, int32_t signo, uint64_t action, int32_t code, uint64_t mask,
			bool killed);

/*
 * A page fault of task (current) on its own memory. access: KTR_FAULT_* bits. result: KTR_KERN_*.
 */
void ktrace_core_fault(struct kshim_task *task, uint64_t address, uint32_t access);
void ktrace_core_fault_end(struct kshim_task *task, int32_t result);
/* task (current) reads or writes a variable; path: its file below /proc/sys, in kernel memory. */
void ktrace_core_sysctl(struct kshim_task *task, const char *path, size_t len);
/*
 * A request of task's is submitted or completes; current may be another. Context: any but an NMI.
 */
void ktrace_core_uring(struct kshim_task *task, const struct ktr_uring *uring);
/* task (current) was found not to have a capability, CAP_*. */
void ktrace_core_not_capable(struct kshim_task *task, uint32_t capability);

/*
 * A record of ktrace(9): head, then data; either may be empty. Context: any but an NMI.
 */
void ktrace_core_record(struct kshim_task *task, uint32_t type, const void *head, size_t head_len,
			const void *data, size_t len);

/* parent (current) has made child, which does not run yet; thread: in the parent's own thread group. */
void ktrace_core_fork(struct kshim_task *parent, struct kshim_task *child, bool thread);
/* A new image. The addresses are of task's new memory: the strings of arguments and environment. */
struct ktrace_image {
	uint64_t arg_start;
	uint64_t arg_end;
	uint64_t env_start;
	uint64_t env_end;
	bool gained; /* exec gave rights that its caller does not have */
};
/* task (current) has a new image. */
void ktrace_core_exec(struct kshim_task *task, const struct ktrace_image *image);
/*
 * The processor goes from prev to next. runnable: prev could go on, it is taken from the processor
 * or yields. Context: the run-queue lock held.
 */
void ktrace_core_switch(struct kshim_task *prev, struct kshim_task *next, bool runnable);
/* task (current) exits: its last probe. */
void ktrace_core_exit_task(struct kshim_task *task);

#ifdef __cplusplus
}
#endif
#endif
