/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the shim share with each other, and with nobody else.
 *
 * Every part that has something to set up has a pair here; main.c calls them in the
 * order that it explains. kt_ is the prefix of the shim's own names; kshim_ is the
 * boundary.
 */
#ifndef KTRACE_SHIM_H
#define KTRACE_SHIM_H

#ifndef pr_fmt
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#endif

#include <linux/irq_work.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "kshim.h"

struct cred;
struct file;
struct pid_namespace;
struct pt_regs;
struct task_struct;

/* The opaque types of the boundary are the kernel's own. */
static inline struct task_struct *kt_task(const struct kshim_task *task)
{
	return (struct task_struct *)task;
}

static inline struct kshim_task *kt_from_task(const struct task_struct *task)
{
	return (struct kshim_task *)task;
}

static inline struct file *kt_file(const struct kshim_file *file)
{
	return (struct file *)file;
}

static inline struct kshim_file *kt_from_file(const struct file *file)
{
	return (struct kshim_file *)file;
}

static inline const struct cred *kt_cred(const struct kshim_cred *cred)
{
	return (const struct cred *)cred;
}

static inline const struct kshim_cred *kt_from_cred(const struct cred *cred)
{
	return (const struct kshim_cred *)cred;
}

static inline struct pid_namespace *kt_pid_ns(const struct kshim_pid_ns *ns)
{
	return (struct pid_namespace *)ns;
}

static inline const struct kshim_regs *kt_from_regs(const struct pt_regs *regs)
{
	return (const struct kshim_regs *)regs;
}

/*
 * Work that any context may ask for: queueing to a workqueue takes the run-queue
 * lock, which a probe may hold, so an interrupt in between does it.
 */
struct kt_deferred {
	struct irq_work irq;
	struct delayed_work work;
	unsigned long delay; /* jiffies from being asked for to being done */
};

void kt_deferred_irq(struct irq_work *irq);

/* A macro: lockdep tells works apart by the place where they are initialized. Context: Any. */
#define kt_deferred_init(deferred, fn, jiffies)                   \
	do {                                                      \
		init_irq_work(&(deferred)->irq, kt_deferred_irq); \
		INIT_DELAYED_WORK(&(deferred)->work, fn);         \
		(deferred)->delay = (jiffies);                    \
	} while (0)

void kt_deferred_schedule(struct kt_deferred *deferred);
void kt_deferred_cancel(struct kt_deferred *deferred);

/* kshim_cred.c: our own instance of procfs, for the ptrace check. */
int kt_cred_init(void);
void kt_cred_exit(void);

/* kshim_door.c */
void kt_door_init(void);
void kt_door_fill(void);
void kt_door_exit(void);

/* sysctl.c */
int kt_sysctl_init(void);
void kt_sysctl_exit(void);

/* control.c */
int kt_control_init(void);
void kt_control_exit(void);

#endif
