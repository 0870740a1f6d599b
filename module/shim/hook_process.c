// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of processes: the tracepoints sched_process_fork, _exec and _exit.
 */
#include "hook.h"

#include <linux/binfmts.h>
#include <linux/mm_types.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <trace/events/sched.h>

#include "../core/ktrace_core.h"
#include "compat.h"

/* Context: parent is current. Preemption may be off. The child does not run yet. */
static void probe_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	rcu_read_lock();
	ktrace_core_fork(kt_from_task(parent), kt_from_task(child),
			 same_thread_group(parent, child));
	rcu_read_unlock();
}

/*
 * A new image gained rights if exec was set-id or gave capabilities, or if its file may not be
 * read by who runs it.
 * Context: task is current. Preemption may be off.
 */
static void probe_exec(void *data, struct task_struct *task, pid_t old_pid,
		       struct linux_binprm *bprm)
{
	const struct mm_struct *mm = task->mm;
	const struct ktrace_image image = {
		.arg_start = mm->arg_start,
		.arg_end = mm->arg_end,
		.env_start = mm->env_start,
		.env_end = mm->env_end,
		.gained = bprm->secureexec ||
			  (bprm->interp_flags & BINPRM_FLAGS_ENFORCE_NONDUMP),
	};

	rcu_read_lock();
	ktrace_core_exec(kt_from_task(task), &image);
	rcu_read_unlock();
}

/* Context: task is current. Preemption may be off. */
static void __maybe_unused probe_exit(void *data, struct task_struct *task)
{
	rcu_read_lock();
	ktrace_core_exit_task(kt_from_task(task));
	rcu_read_unlock();
}

/* Context: The same. */
static void __maybe_unused probe_exit_group_dead(void *data, struct task_struct *task,
						 bool group_dead)
{
	probe_exit(data, task);
}

static void __maybe_unused check_probes(void)
{
	check_trace_callback_type_sched_process_fork(probe_fork);
	check_trace_callback_type_sched_process_exec(probe_exec);
	check_trace_callback_type_sched_process_exit(
		compat_sched_process_exit_probe(probe_exit, probe_exit_group_dead));
}

struct kt_hook kt_hook_fork =
	KT_TRACEPOINT_HOOK(sched_process_fork, KT_HOOK_ALWAYS | KTRFAC_PROCCTOR, probe_fork);

struct kt_hook kt_hook_exec = KT_TRACEPOINT_HOOK(
	sched_process_exec,
	KT_HOOK_ALWAYS | KTRFAC_PROCCTOR | KTRFAC_ARGS | KTRFAC_ENVS | KTRFAC_EMUL, probe_exec);

struct kt_hook kt_hook_exit =
	KT_TRACEPOINT_HOOK(sched_process_exit, KT_HOOK_ALWAYS | KTRFAC_PROCDTOR,
			   compat_sched_process_exit_probe(probe_exit, probe_exit_group_dead));
