// SPDX-License-Identifier: GPL-2.0-only
/*
 * System calls: the tracepoints sys_enter and sys_exit.
 */
#include "hook.h"

#include <asm/syscall.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <trace/events/syscalls.h>

#include "../core/ktrace_core.h"
#include "compat.h"

/* What is known only from the arguments, the result, or what call a thread is in. */
#define FACILITIES_OF_CALLS                                                                  \
	(KTRFAC_SYSCALL | KTRFAC_SYSRET | KTRFAC_GENIO | KTRFAC_STRUCT | KTRFAC_STRUCT_ARRAY | \
	 KTRFAC_CSW | KTRFAC_CAPFAIL | KTRFAC_ARGS | KTRFAC_ENVS)

static u32 abi_of_call(void)
{
	return compat_in_32bit_syscall() ? KTR_SV_LINUX32 : KTR_SV_LINUX64;
}

/* Context: current enters the kernel. Preemption may be off. */
static void probe_sys_enter(void *data, struct pt_regs *regs, long id)
{
	if (!ktrace_core_may_be_traced(current))
		return;
	rcu_read_lock();
	ktrace_core_sys_enter(kshim_current(), kt_from_regs(regs), compat_syscall_nr(id),
			      abi_of_call());
	rcu_read_unlock();
}

/* Context: current leaves the kernel. Preemption may be off. */
static void probe_sys_exit(void *data, struct pt_regs *regs, long ret)
{
	if (!ktrace_core_may_be_traced(current))
		return;
	rcu_read_lock();
	ktrace_core_sys_exit(kshim_current(), kt_from_regs(regs),
			     compat_syscall_nr(syscall_get_nr(current, regs)), abi_of_call(), ret);
	rcu_read_unlock();
}

static void __maybe_unused check_probes(void)
{
	check_trace_callback_type_sys_enter(probe_sys_enter);
	check_trace_callback_type_sys_exit(probe_sys_exit);
}

struct kt_hook kt_hook_sys_enter =
	KT_TRACEPOINT_HOOK(sys_enter, FACILITIES_OF_CALLS, probe_sys_enter);

/* Also where a thread waits for the writer, so whatever calls produce needs it. */
struct kt_hook kt_hook_sys_exit = KT_TRACEPOINT_HOOK(
	sys_exit, FACILITIES_OF_CALLS | KTRFAC_NAMEI | KTRFAC_USER, probe_sys_exit);
