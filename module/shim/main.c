// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading.
 *
 * The order of setting up is: what probes and calls need, the core, and last what
 * lets user space in. Taking down is the reverse, see ktrace_exit().
 */
#include "shim.h"

#include <linux/init.h>
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "../core/ktrace_core.h"
#include "hook.h"

static struct kt_deferred reap;

static void reap_work(struct work_struct *work)
{
	ktrace_core_reap();
}

/**
 * kshim_schedule_reap() - have ktrace_core_reap() called soon
 *
 * Context: Any.
 */
void kshim_schedule_reap(void)
{
	kt_deferred_schedule(&reap);
}

/* Context: May sleep. */
static void hooks_off(void)
{
	kshim_mutex_lock(KSHIM_LOCK_CONTROL);
	kshim_hooks_set(0);
	kshim_mutex_unlock(KSHIM_LOCK_CONTROL);
}

static int __init ktrace_init(void)
{
	int err;

	/* Not at once: registering hooks takes long, and the next command may be traced, too. */
	kt_deferred_init(&reap, reap_work, HZ);
	kt_door_init();

	err = kt_hooks_init();
	if (err)
		goto err_hooks;
	err = kt_cred_init();
	if (err)
		goto err_cred;
	err = ktrace_core_init();
	if (err)
		goto err_core;
	err = kt_sysctl_init();
	if (err)
		goto err_sysctl;
	err = kt_control_init();
	if (err)
		goto err_control;
	return 0;

err_control:
	kt_sysctl_exit();
err_sysctl:
	kt_deferred_cancel(&reap);
	ktrace_core_exit();
	/* Nothing was traced; but the core may have freed something by RCU. */
	rcu_barrier();
err_core:
	kt_cred_exit();
err_cred:
err_hooks:
	kt_door_exit();
	return err;
}

/*
 * Why nothing of this module can still run when ktrace_exit() returns. The kernel calls
 * it only when the module's reference count is zero, and then nobody gets a new
 * reference. Hence, at entry:
 *  - /dev/ktrace is open nowhere (its file_operations own a reference), so no ioctl runs;
 *  - no worker exists (each holds a reference until module_put_and_kthread_exit(),
 *    which does not return here), so no trace file is being written;
 *  - no door is queued or running (each holds a reference until its function is over),
 *    except for the few instructions after it gave the reference back.
 * Then, in this order:
 *  1. kt_control_exit(), kt_sysctl_exit(): nobody comes in by open(), or changes a
 *     setting; unregister_sysctl_table() waits for handlers that are running.
 *  2. hooks_off(): no probe is entered any more and, by tracepoint_synchronize_unregister(),
 *     none is running. From here on only this function calls the core.
 *  3. kt_deferred_cancel(): the work of kshim_schedule_reap() neither runs nor will; probes
 *     and workers, which ask for it, are gone.
 *  4. ktrace_core_exit(): targets are freed; what it frees by RCU is queued. It may ask
 *     for reaping once more, so that is cancelled again.
 *  5. rcu_barrier(): all callbacks given to kshim_call_rcu() have run.
 *  6. kt_door_exit(): pool files are closed by now, and synchronize_rcu_tasks() waits until
 *     each task that was in the last instructions of a door has left them.
 */
static void __exit ktrace_exit(void)
{
	kt_control_exit();
	kt_sysctl_exit();
	hooks_off();
	kt_deferred_cancel(&reap);
	ktrace_core_exit();
	kt_deferred_cancel(&reap);
	rcu_barrier();
	kt_cred_exit();
	kt_door_exit();
}

module_init(ktrace_init);
module_exit(ktrace_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("BSD ktrace: trace system calls and more of one's own processes");
