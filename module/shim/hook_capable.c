// SPDX-License-Identifier: GPL-2.0-only
/*
 * Missing capabilities: security_capable() says no. Whether the system call fails for it is seen at
 * its end.
 */
#include "hook.h"

#include <linux/rcupdate.h>

#include "../../uapi/ktrace.h"
#include "../core/ktrace_core.h"
#include "hook_kprobe.h"

static struct kretprobe capable_probe;

/* security_capable(cred, ns, cap, opts). Context: Preemption off. */
static int capable_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	bool wanted;

	if (!ktrace_core_may_be_traced(current))
		return 1;
	rcu_read_lock();
	wanted = ktrace_core_wants(kshim_current(), KTR_CAPFAIL);
	rcu_read_unlock();
	if (!wanted)
		return 1;
	*(int *)instance->data = regs_get_kernel_argument(regs, 2);
	return 0;
}
NOKPROBE_SYMBOL(capable_entry);

/* Context: Preemption off. */
static int capable_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if (!(int)regs_return_value(regs))
		return 0;
	rcu_read_lock();
	ktrace_core_not_capable(kshim_current(), *(int *)instance->data);
	rcu_read_unlock();
	return 0;
}
NOKPROBE_SYMBOL(capable_return);

static int capable_find(struct kt_hook *hook)
{
	return kt_can_probe("security_capable") ? 0 : -ENOENT;
}

static int capable_enable(struct kt_hook *hook)
{
	static const struct kretprobe template = {
		.kp.symbol_name = "security_capable",
		.entry_handler = capable_entry,
		.handler = capable_return,
		.data_size = sizeof(int),
	};

	return kt_kretprobe_register(&capable_probe, &template);
}

static void capable_disable(struct kt_hook *hook)
{
	kt_kretprobe_unregister(&capable_probe, "missing capabilities");
}

struct kt_hook kt_hook_capable = {
	.name = "capable",
	.facilities = KTRFAC_CAPFAIL,
	.find = capable_find,
	.enable = capable_enable,
	.disable = capable_disable,
};
