// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths: the kernel's own copy of what a system call was given, taken when the function that
 * makes it returns; and the names of interpreters, when exec opens them.
 *
 * One lookup must give one record, but the functions call each other, and the compiler inlines
 * some into others. So not the outermost is probed but the innermost, which every path goes
 * through exactly once:
 *
 *   do_getname              since v7.0, everything else is a wrapper of it;
 *   getname_flags.part.0    what gcc makes of getname_flags() before: getname(),
 *                           getname_uflags() and others have the beginning of it inlined
 *                           (audit_reusename()) and then jump here. That beginning may find
 *                           the copy that audit keeps of the same pointer, in
 *                           __audit_reusename(): then it has no copy to make;
 *   getname_flags           if the compiler did not split it.
 *
 * The returned struct is not shared yet, so the name cannot go away under the probe.
 */
#include "hook.h"

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "../core/ktrace_core.h"
#include "hook_kprobe.h"

/* What is probed: the first row of which the kernel has the function. */
static const struct {
	const char *copy;
	const char *reuse; /* or NULL; taken if the kernel has it */
} alternatives[] = {
	{ "do_getname", NULL },
	{ "getname_flags.part.0", "__audit_reusename" },
	{ "getname_flags", NULL },
};

static struct kretprobe copy_probe, reuse_probe;
static struct kprobe interpreter_probe;

/* Names of those that this kernel has, or NULL. Do not change after load. */
static const char *copy_name, *reuse_name, *interpreter_name;

static bool wanted(void)
{
	return ktrace_core_may_be_traced(current) &&
	       ktrace_core_wants(kshim_current(), KTR_NAMEI);
}

static void emit(const char *path)
{
	rcu_read_lock();
	ktrace_core_namei(kshim_current(), path, strlen(path));
	rcu_read_unlock();
}

/* Context: Preemption off. Non-zero: the return is not of interest, take no instance. */
static int copy_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	bool yes;

	rcu_read_lock();
	yes = wanted();
	rcu_read_unlock();
	return !yes;
}
NOKPROBE_SYMBOL(copy_entry);

/* Context: Preemption off. */
static int copy_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct filename *name = (const struct filename *)regs_return_value(regs);

	/* An empty path is none to look up: the call is on a descriptor (AT_EMPTY_PATH). */
	if (!IS_ERR_OR_NULL(name) && *name->name)
		emit(name->name);
	return 0;
}
NOKPROBE_SYMBOL(copy_return);

/* open_exec(const char *name), the name in kernel memory. Context: Preemption off. */
static int interpreter_entry(struct kprobe *probe, struct pt_regs *regs)
{
	const char *name = (const char *)regs_get_kernel_argument(regs, 0);

	rcu_read_lock();
	if (wanted())
		emit(name);
	rcu_read_unlock();
	return 0;
}
NOKPROBE_SYMBOL(interpreter_entry);

/* Context: May sleep; module init. */
static int namei_find(struct kt_hook *hook)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(alternatives) && !copy_name; i++) {
		if (!kt_can_probe(alternatives[i].copy))
			continue;
		copy_name = alternatives[i].copy;
		if (alternatives[i].reuse && kt_can_probe(alternatives[i].reuse))
			reuse_name = alternatives[i].reuse;
	}
	if (!copy_name)
		return -ENOENT;
	if (kt_can_probe("open_exec"))
		interpreter_name = "open_exec";
	return 0;
}

/* Context: May sleep. A name of NULL is none to register. */
static int register_copy(struct kretprobe *probe, const char *name)
{
	const struct kretprobe template = {
		.kp.symbol_name = name,
		.entry_handler = copy_entry,
		.handler = copy_return,
	};

	return name ? kt_kretprobe_register(probe, &template) : 0;
}

/* Context: May sleep. */
static void unregister_copy(struct kretprobe *probe, const char *name)
{
	if (name)
		kt_kretprobe_unregister(probe, "paths");
}

/* Context: May sleep. */
static int register_interpreter(void)
{
	if (!interpreter_name)
		return 0;
	interpreter_probe = (struct kprobe){
		.symbol_name = interpreter_name,
		.pre_handler = interpreter_entry,
	};
	return register_kprobe(&interpreter_probe);
}

static int namei_enable(struct kt_hook *hook)
{
	int err;

	err = register_copy(&copy_probe, copy_name);
	if (err)
		return err;
	err = register_copy(&reuse_probe, reuse_name);
	if (err)
		goto err_reuse;
	err = register_interpreter();
	if (err)
		goto err_interpreter;
	return 0;

err_interpreter:
	unregister_copy(&reuse_probe, reuse_name);
err_reuse:
	unregister_copy(&copy_probe, copy_name);
	return err;
}

static void namei_disable(struct kt_hook *hook)
{
	if (interpreter_name)
		unregister_kprobe(&interpreter_probe);
	unregister_copy(&reuse_probe, reuse_name);
	unregister_copy(&copy_probe, copy_name);
}

struct kt_hook kt_hook_namei = {
	.name = "namei",
	.facilities = KTRFAC_NAMEI,
	.find = namei_find,
	.enable = namei_enable,
	.disable = namei_disable,
};
