// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers hooks while somebody wants them, and only then: each costs all processes something.
 */
#include "hook.h"

#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "../../uapi/ktrace.h"
#include "../include/ktrace9.h"
#include "compat.h"

/*
 * In the order in which they are registered. The life of processes is watched first and longest,
 * so that no child and no exec of a traced process is missed.
 */
/* clang-format off */
static struct kt_hook *const hooks[] = {
	&kt_hook_exit,
	&kt_hook_exec,
	&kt_hook_fork,
	&kt_hook_sys_exit,
	&kt_hook_sys_enter,
	&kt_hook_signal,
	&kt_hook_namei,
	&kt_hook_sysctl,
	&kt_hook_capable,
	&kt_hook_fault,
	&kt_hook_sched,
	&kt_hook_uring,
};
/* clang-format on */

/* Context: KSHIM_LOCK_CONTROL held. */
int kt_tracepoint_enable(struct kt_hook *hook)
{
	return tracepoint_probe_register(hook->tracepoint, hook->probe, NULL);
}

/* Context: KSHIM_LOCK_CONTROL held. The probe may still run when it returns. */
void kt_tracepoint_disable(struct kt_hook *hook)
{
	tracepoint_probe_unregister(hook->tracepoint, hook->probe, NULL);
}

/* Modules cannot name most tracepoints, but they can look at all. Context: May sleep. */
static void match_tracepoint(struct tracepoint *tracepoint, void *unused)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (hooks[i]->probe && !strcmp(hooks[i]->name, tracepoint->name))
			hooks[i]->tracepoint = tracepoint;
	}
}

/**
 * kt_hooks_init() - find out which hooks this kernel has
 *
 * Context: May sleep; module init.
 * Return: 0, or -ENOENT if there is one missing without which nothing can be traced.
 */
int kt_hooks_init(void)
{
	struct kt_hook *hook;
	int i;

	for_each_kernel_tracepoint(match_tracepoint, NULL);

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		hook = hooks[i];
		hook->available = hook->probe ? !!hook->tracepoint : !hook->find(hook);
		if (hook->available)
			continue;
		if (hook->probe) {
			pr_err("this kernel has no tracepoint %s\n", hook->name);
			return -ENOENT;
		}
		pr_notice("this kernel has no place for the hook %s\n", hook->name);
	}
	return 0;
}

/* Context: KSHIM_LOCK_CONTROL held. */
static int hook_enable(struct kt_hook *hook)
{
	int err;

	if (hook->enabled || !hook->available)
		return 0;
	err = hook->enable(hook);
	if (err) {
		pr_warn_ratelimited("hook %s: errno %d\n", hook->name, -err);
		return err;
	}
	hook->enabled = true;
	return 0;
}

/* Context: KSHIM_LOCK_CONTROL held. */
static void hook_disable(struct kt_hook *hook)
{
	if (!hook->enabled)
		return;
	hook->disable(hook);
	hook->enabled = false;
}

/**
 * kshim_hooks_set() - register what these facilities need, unregister the rest
 * @facilities: KTRFAC_* bits; 0 unregisters all
 *
 * Context: May sleep, KSHIM_LOCK_CONTROL held.
 * Return: 0, or a negative errno and what was registered stays so. With 0 no probe is running
 * when it returns.
 */
int kshim_hooks_set(uint32_t facilities)
{
	u32 wanted = facilities & KTRFAC_MASK;
	bool disabled = false;
	int err;
	int i;

	kshim_assert_held(KSHIM_LOCK_CONTROL);

	if (wanted) {
		static_branch_enable(&ktrace_active);
		wanted |= KT_HOOK_ALWAYS;
		kt_door_fill();
	}
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (!(hooks[i]->facilities & wanted))
			continue;
		err = hook_enable(hooks[i]);
		if (err)
			return err;
	}
	for (i = ARRAY_SIZE(hooks) - 1; i >= 0; i--) {
		if (hooks[i]->facilities & wanted)
			continue;
		disabled |= hooks[i]->enabled;
		hook_disable(hooks[i]);
	}
	if (!wanted)
		static_branch_disable(&ktrace_active);
	if (disabled)
		tracepoint_synchronize_unregister();
	return 0;
}

/**
 * kshim_hooks_available() - facilities that can be recorded here
 *
 * Context: Any.
 * Return: KTRFAC_* bits.
 */
uint32_t kshim_hooks_available(void)
{
	u32 available = KTRFAC_USER; /* needs no hook */
	int i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (hooks[i]->available)
			available |= hooks[i]->facilities;
	}
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (!hooks[i]->available)
			available &= ~hooks[i]->facilities;
	}
	return available & KTRFAC_MASK;
}

/**
 * kshim_features() - what this build on this kernel can do
 *
 * Context: Any.
 * Return: KTRACE_FEATURE_* bits.
 */
uint64_t kshim_features(void)
{
	u64 features = 0;

	if (kt_hook_namei.available)
		features |= KTRACE_FEATURE_NAMEI_KERNEL;
	if (IS_ENABLED(CONFIG_IA32_EMULATION))
		features |= KTRACE_FEATURE_COMPAT;
#ifdef KT_HAVE_TASK_WORK
	features |= KTRACE_FEATURE_TASK_WORK;
#endif
	return features;
}
