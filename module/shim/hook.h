/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registry of hooks: which place in the kernel serves which facilities. A hook of a
 * new facility is one object in a hook_*.c and one line in the table of hook.c.
 */
#ifndef KTRACE_HOOK_H
#define KTRACE_HOOK_H

#include "shim.h"

struct tracepoint;

/* For hooks that every traced process needs, whatever its facilities. */
#define KT_HOOK_ALWAYS BIT(31)

/*
 * One hook. Both functions are called with KSHIM_LOCK_CONTROL held and may sleep; enable() that
 * fails leaves nothing behind. A hook on a tracepoint has them from KT_TRACEPOINT_HOOK().
 */
struct kt_hook {
	const char *name;
	u32 facilities; /* KTRFAC_* bits, KT_HOOK_ALWAYS */
	int (*enable)(struct kt_hook *hook);
	void (*disable)(struct kt_hook *hook);
	/* Finds out what the kernel has, once, at load; NULL for tracepoints. -ENOENT: nothing. */
	int (*find)(struct kt_hook *hook);

	void *probe;
	struct tracepoint *tracepoint; /* found at load */

	bool available; /* does not change after load */
	bool enabled; /* protected by KSHIM_LOCK_CONTROL */
};

int kt_tracepoint_enable(struct kt_hook *hook);
void kt_tracepoint_disable(struct kt_hook *hook);

/* clang-format off */
#define KT_TRACEPOINT_HOOK(_tracepoint, _facilities, _probe) {	\
	.name = #_tracepoint,					\
	.facilities = (_facilities),				\
	.enable = kt_tracepoint_enable,				\
	.disable = kt_tracepoint_disable,			\
	.probe = (_probe),					\
}
/* clang-format on */

/* hook_process.c */
extern struct kt_hook kt_hook_fork, kt_hook_exec, kt_hook_exit;
/* hook_syscall.c */
extern struct kt_hook kt_hook_sys_enter, kt_hook_sys_exit;
/* hook_signal.c */
extern struct kt_hook kt_hook_signal;
/* hook_namei.c */
extern struct kt_hook kt_hook_namei;
/* hook_sched.c, hook_fault.c, hook_capable.c, hook_sysctl.c */
extern struct kt_hook kt_hook_sched, kt_hook_fault, kt_hook_capable, kt_hook_sysctl;
/* hook_uring.c */
extern struct kt_hook kt_hook_uring;

int kt_hooks_init(void);

#endif
