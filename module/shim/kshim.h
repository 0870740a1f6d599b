/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The boundary, downwards: everything the core may ask of the kernel.
 *
 * Plain C, includes no kernel header, compiles as C and as C++. The shim implements it on
 * kernel functions (kshim_*.c), selftests/core/fake_kshim.cpp on plain user space. Pointers
 * to kernel objects are opaque; user addresses are uint64_t, so that the core cannot follow
 * one by mistake. Functions return 0 or a negative errno unless they say otherwise.
 *
 * "Any context" means: also with the run-queue lock held and interrupts off.
 */
#ifndef KTRACE_KSHIM_H
#define KTRACE_KSHIM_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct kshim_task; /* struct task_struct */
struct kshim_regs; /* struct pt_regs */
struct kshim_file; /* struct file */
struct kshim_cred; /* struct cred */
struct kshim_pid_ns; /* struct pid_namespace */
struct kshim_worker; /* a kernel thread, see below */

/*
 * The hash of an address, the same for the core's tables and for hooks that look into one of them
 * before they call the core. Fibonacci hashing: kernel objects differ in the middle bits of their
 * addresses.
 */
static inline unsigned int kshim_hash(const void *key, unsigned int bits)
{
	return (unsigned int)(((uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15ull) >> (64 - bits));
}

/* --- memory (kshim_mem.c) --- */

/* Zeroed, charged to the caller's memory cgroup; NULL when there is none. Context: may sleep. */
void *kshim_alloc(size_t size);
/* Zeroed; NULL when there is none, without a warning. Context: any but the run-queue lock. */
void *kshim_alloc_atomic(size_t size);
/* Frees what either gave; NULL is fine. Context: any but the run-queue lock. */
void kshim_free(void *ptr);
/* Zeroed pages for big buffers, charged to the caller's memory cgroup. Context: may sleep. */
void *kshim_alloc_pages(size_t bytes);
void kshim_free_pages(void *ptr);

/* --- locks and RCU (kshim_lock.c) --- */

/* All locks of the module are these; Documentation/locking.rst has their order. */
enum kshim_lock {
	KSHIM_LOCK_CONTROL, /* mutex: ktrace(2), the list of sessions, registering hooks */
	KSHIM_LOCK_TABLE, /* spinlock, irq-safe leaf: the tables of threads and targets */
	KSHIM_NLOCKS
};

/* Context: may sleep. */
void kshim_mutex_lock(enum kshim_lock which);
void kshim_mutex_unlock(enum kshim_lock which);
/* Context: any but the run-queue lock. Interrupts stay off between the two. */
unsigned long kshim_spin_lock(enum kshim_lock which);
void kshim_spin_unlock(enum kshim_lock which, unsigned long irq);
/* Complains (lockdep) unless the caller holds the lock. */
void kshim_assert_held(enum kshim_lock which);

/* Context: any. */
void kshim_rcu_read_lock(void);
void kshim_rcu_read_unlock(void);
/* Returns when every RCU read section and every probe that was running is over. Context: may sleep. */
void kshim_synchronize_rcu(void);

struct kshim_rcu {
	uint64_t space[3]; /* struct rcu_head, and fn */
};
/* Calls fn(rcu) after a grace period, in a context that must not sleep. Context: any but the run-queue lock. */
void kshim_call_rcu(struct kshim_rcu *rcu, void (*fn)(struct kshim_rcu *rcu));

/* --- processors and time (kshim_sys.c) --- */

/* One more than the greatest processor number. Context: any. */
unsigned int kshim_cpu_limit(void);
/* Whether this processor can ever run; rings exist only for those. Context: may sleep. */
bool kshim_cpu_possible(unsigned int cpu);
/* Number of this processor; the caller stays on it until kshim_put_cpu(). Context: any. */
unsigned int kshim_get_cpu(void);
void kshim_put_cpu(void);
/* CLOCK_BOOTTIME in ns: the same order on every processor, never backwards. Context: any. */
uint64_t kshim_clock_ns(void);
/* What to add to kshim_clock_ns() for CLOCK_REALTIME, now. Context: any. */
int64_t kshim_realtime_offset_ns(void);
/* Tells the processor that the caller spins. */
void kshim_cpu_relax(void);
/* Gives way to others. Context: may sleep. */
void kshim_cond_resched(void);
/* WARN_ON_ONCE: a bug in the module. Context: any. */
void kshim_warn(const char *what);

/* --- kernel threads: one worker writes one trace file (kshim_worker.c) --- */

/*
 * Starts a kernel thread that runs main(arg) with the given credentials (which it
 * references) and holds a reference on the module until it has ended. The worker is freed
 * after main has returned, when no kick is running any more; nobody may touch it then.
 * Context: may sleep.
 */
int kshim_worker_start(void (*main)(void *arg), void *arg, const struct kshim_cred *cred,
		       struct kshim_worker **ret);
/* Wakes the worker, or makes its next kshim_worker_sleep() return at once. Context: any. */
void kshim_worker_kick(struct kshim_worker *worker);
/* Only in the worker: sleeps until kicked, or for ms milliseconds (0: no limit). True if kicked. */
bool kshim_worker_sleep(struct kshim_worker *worker, unsigned int ms);
/* Wakes all that wait in kshim_worker_wait(). Context: may sleep. */
void kshim_worker_notify(struct kshim_worker *worker);
/*
 * Waits until done(arg), which is asked at each notify, for at most ms milliseconds. Returns 0,
 * -ETIMEDOUT, or -EINTR if killable and a fatal signal is pending. Context: may sleep.
 */
int kshim_worker_wait(struct kshim_worker *worker, bool (*done)(void *arg), void *arg,
		      unsigned int ms, bool killable);

/* --- deferred work in the traced thread (kshim_door.c) --- */

/*
 * A door runs fn(door) in the thread that queued it, on its way back to user mode or in its
 * exit before its parent is told; there it may sleep and fault. False if it cannot be
 * queued (the caller then goes without). Context: current's own probe, preemption may be off.
 */
struct kshim_door {
	uint64_t space[4];
};
bool kshim_door_queue(struct kshim_door *door, void (*fn)(struct kshim_door *door));

/* --- tasks (kshim_task.c) --- */

/* The running thread. Context: any. */
struct kshim_task *kshim_current(void);
/* Context: any but the run-queue lock. */
void kshim_task_get(struct kshim_task *task);
void kshim_task_put(struct kshim_task *task);
/* Identity of the task's thread group, valid while a task of it is referenced. Context: any. */
const void *kshim_task_group(const struct kshim_task *task);
/* The 16 bytes of the task's name. Context: any. */
const char *kshim_task_comm(const struct kshim_task *task);
/* KTR_SV_LINUX64 or KTR_SV_LINUX32: what its image is. Context: any. */
uint32_t kshim_task_abi(const struct kshim_task *task);
/* Its numbers in a pid namespace, 0 if it has none there. Context: any but the run-queue lock. */
int32_t kshim_task_pid(struct kshim_task *task, struct kshim_pid_ns *ns);
int32_t kshim_task_tid(struct kshim_task *task, struct kshim_pid_ns *ns);
/* The thread has begun to exit; the whole group has (no thread is left that has not). Context: any. */
bool kshim_task_exiting(const struct kshim_task *task);
bool kshim_group_dead(const struct kshim_task *task);

enum kshim_task_set {
	KSHIM_TASK_PROCESS, /* the leader of process id (in the caller's pid namespace) */
	KSHIM_TASK_PGRP, /* the leaders of process group id */
	KSHIM_TASK_ALL, /* the leaders of all processes; id is ignored */
	KSHIM_TASK_THREADS, /* all threads of leader; id is ignored */
};
struct kshim_task_item {
	struct kshim_task *task; /* referenced */
	const void *group;
	const void *parent_group; /* of the real parent */
};
/*
 * A snapshot in one allocation. Processes that are born or die meanwhile may be missing, none is
 * there twice. An absent process or group is an empty list. Context: may sleep.
 */
int kshim_tasks(enum kshim_task_set set, int32_t id, struct kshim_task *leader,
		struct kshim_task_item **list, size_t *count);
void kshim_tasks_free(struct kshim_task_item *list, size_t count);

/* --- who may trace whom (kshim_cred.c) --- */

/* The real ptrace attach check of the caller on the task: 0 or -EPERM. Context: may sleep. */
int kshim_may_trace(struct kshim_task *task);
/* The caller has CAP_SYS_PTRACE in the task's user namespace. Context: may sleep. */
bool kshim_privileged_over(struct kshim_task *task);
/* The same for stored credentials on current. Context: any but the run-queue lock. */
bool kshim_cred_privileged_over_current(const struct kshim_cred *cred);
/* The caller's credentials and pid namespace, referenced. Context: may sleep; put: any but the run-queue lock. */
const struct kshim_cred *kshim_cred_get_current(void);
void kshim_cred_put(const struct kshim_cred *cred);
struct kshim_pid_ns *kshim_pid_ns_get_current(void);
void kshim_pid_ns_put(struct kshim_pid_ns *ns);

/* A seccomp filter decides on current's system calls. Context: any. */
bool kshim_has_seccomp_filter(void);

/* --- the trace file (kshim_file.c) --- */

/*
 * Opens the trace file with the caller's credentials for appending, as ktrace(2) says: never
 * created, not through a final symlink (-ELOOP), a regular file (else -EACCES), errno of open(2) otherwise;
 * -ENAMETOOLONG from KTR_PATH_MAX bytes on, -EFAULT for a bad address. Context: may sleep.
 */
int kshim_file_open(uint64_t user_path, struct kshim_file **ret);
/* The file behind a descriptor that is open for writing (-EBADF otherwise). Context: may sleep. */
int kshim_file_from_fd(int32_t fd, struct kshim_file **ret);
/* Context: may sleep. */
void kshim_file_put(struct kshim_file *file);
/* Both are the same inode. Context: any. */
bool kshim_file_same(const struct kshim_file *a, const struct kshim_file *b);
bool kshim_file_is_regular(const struct kshim_file *file);
/* Appends; bytes written, or a negative errno. Context: may sleep, a worker. */
int64_t kshim_file_write(struct kshim_file *file, const void *buf, size_t len);
int64_t kshim_file_size(const struct kshim_file *file);
/* Context: may sleep, a worker. */
int kshim_file_truncate(struct kshim_file *file, int64_t size);
/* RLIMIT_FSIZE of the caller, UINT64_MAX without one. Context: may sleep. */
uint64_t kshim_file_limit(void);
/* Both credentials are of the same user. Context: any. */
bool kshim_cred_same_user(const struct kshim_cred *a, const struct kshim_cred *b);
/* The one line in the kernel's log when tracing to a file stops. Context: may sleep. */
void kshim_file_log_stopped(const struct kshim_file *file, int error);

/* --- user memory and registers (kshim_user.c) --- */

/* 0 or -EFAULT, also when the page is merely not resident. Context: any, of the traced thread. */
int kshim_copy_from_user_nofault(void *dst, uint64_t src, size_t len);
/* 0 or -EFAULT. Context: may sleep. */
int kshim_copy_from_user(void *dst, uint64_t src, size_t len);
/* The six argument registers of current's system call, zero-extended for 32-bit calls. Context: any. */
void kshim_syscall_args(const struct kshim_regs *regs, uint64_t args[6]);

/* --- hooks (hook.c) --- */

/*
 * Registers what these facilities need and unregisters the rest, KTRFAC_* bits; 0 unregisters
 * everything, and when it returns no probe is running. With any bit, fork, exec and exit are
 * hooked too. On failure what was registered stays. Context: may sleep, KSHIM_LOCK_CONTROL held.
 */
int kshim_hooks_set(uint32_t facilities);
/* Facilities whose hooks this kernel has. Context: any. */
uint32_t kshim_hooks_available(void);
/* KTRACE_FEATURE_* bits of this build and kernel. Context: any. */
uint64_t kshim_features(void);
/* Calls ktrace_core_reap() soon, from a work queue. Context: any. */
void kshim_schedule_reap(void);

#ifdef __cplusplus
}
#endif
#endif
