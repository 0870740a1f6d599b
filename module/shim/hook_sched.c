// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context switches: the tracepoint sched_switch.
 */
#include "hook.h"

#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <trace/events/sched.h>

#include "../../uapi/ktrace.h"
#include "../core/ktrace_core.h"

/* Context: The run-queue lock is held, interrupts are off. */
static void probe_switch(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	if (!ktrace_core_may_be_traced(prev) && !ktrace_core_may_be_traced(next))
		return;
	rcu_read_lock();
	/* Taken from the processor in the kernel, or still running when it calls schedule(). */
	ktrace_core_switch(kt_from_task(prev), kt_from_task(next),
			   preempt || prev_state == TASK_RUNNING);
	rcu_read_unlock();
}

static void __maybe_unused check_probe(void)
{
	check_trace_callback_type_sched_switch(probe_switch);
}

struct kt_hook kt_hook_sched = KT_TRACEPOINT_HOOK(sched_switch, KTRFAC_CSW, probe_switch);
