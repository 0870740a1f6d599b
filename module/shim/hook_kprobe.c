// SPDX-License-Identifier: GPL-2.0-only
/*
 * What hooks on functions have in common.
 */
#include "hook_kprobe.h"

#include <linux/cpumask.h>
#include <linux/printk.h>

/**
 * kt_can_probe() - whether a function of that name can be probed
 * @name: the function; the trial is not armed
 *
 * Context: May sleep.
 * Return: true if so.
 */
bool kt_can_probe(const char *name)
{
	struct kprobe trial = {
		.symbol_name = name,
		.flags = KPROBE_FLAG_DISABLED,
	};

	if (register_kprobe(&trial))
		return false;
	unregister_kprobe(&trial);
	return true;
}

/**
 * kt_kretprobe_register() - register a return probe
 * @probe: where the kernel keeps it
 * @template: what it is; the kernel wants it as new each time
 *
 * Context: May sleep.
 * Return: 0 or a negative errno.
 */
int kt_kretprobe_register(struct kretprobe *probe, const struct kretprobe *template)
{
	*probe = *template;
	/* Instances are for calls in flight, and calls of traced threads only. */
	probe->maxactive = KT_MAXACTIVE;
	return register_kretprobe(probe);
}

/**
 * kt_kretprobe_unregister() - unregister it, and say what it has missed
 * @probe: the probe
 * @what: events, in the plural
 *
 * Context: May sleep. No handler is running when it returns.
 */
void kt_kretprobe_unregister(struct kretprobe *probe, const char *what)
{
	unsigned long missed;

	unregister_kretprobe(probe);
	missed = probe->nmissed + probe->kp.nmissed;
	if (missed)
		pr_notice_ratelimited("%lu %s were not recorded\n", missed, what);
}
