// SPDX-License-Identifier: GPL-2.0-only
/*
 * Signals: the tracepoint signal_deliver.
 */
#include "hook.h"

#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/signal.h>
#include <trace/events/signal.h>

#include "../core/ktrace_core.h"
#include "compat.h"

/* Of the signal that is still queued there. Context: siglock held. */
static int queued_code(const struct sigpending *pending, int sig, int otherwise)
{
	const struct sigqueue *queued;

	list_for_each_entry(queued, &pending->list, list) {
		if (queued->info.si_signo == sig)
			return queued->info.si_code;
	}
	return otherwise;
}

/*
 * A signal that kills ends the whole process at once: it stays queued, and each thread is told
 * SIGKILL without any info. exit_group() and exec in another thread do the same without a signal.
 * Context: siglock held.
 */
static void killed(struct k_sigaction *action)
{
	const struct signal_struct *group = current->signal;
	int sig = group->group_exit_code & 0x7f;
	int code;

	if (!(group->flags & SIGNAL_GROUP_EXIT) || !sig)
		return;
	code = queued_code(&group->shared_pending, sig, SI_USER);
	code = queued_code(&current->pending, sig, code);
	ktrace_core_signal(kshim_current(), sig, (uintptr_t)action->sa.sa_handler, code,
			   current->blocked.sig[0], true);
}

/* The kernel has a value of info for signals of its own. */
static int code_of(const struct kernel_siginfo *info)
{
	if (info == SEND_SIG_PRIV)
		return SI_KERNEL;
	return info->si_code;
}

/* Context: current takes the signal; siglock held, interrupts off. */
static void probe_signal(void *data, int sig, struct kernel_siginfo *info,
			 struct k_sigaction *action)
{
	rcu_read_lock();
	if (info == SEND_SIG_NOINFO)
		killed(action);
	else
		ktrace_core_signal(kshim_current(), sig, (uintptr_t)action->sa.sa_handler,
				   code_of(info), current->blocked.sig[0], false);
	rcu_read_unlock();
}

static void __maybe_unused check_probes(void)
{
	check_trace_callback_type_signal_deliver(probe_signal);
}

struct kt_hook kt_hook_signal = KT_TRACEPOINT_HOOK(signal_deliver, KTRFAC_PSIG, probe_signal);
