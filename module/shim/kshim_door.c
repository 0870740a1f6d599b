// SPDX-License-Identifier: GPL-2.0-only
/*
 * Doors: work that a probe leaves for its own thread to do on its way back to user mode, or
 * in do_exit() between exit_files() and exit_notify(), where it may sleep and fault.
 *
 * The kernel's means is task_work_add(), which Debian exports and others do not. Without it
 * (KT_HAVE_TASK_WORK is not defined) we use that fput() queues task work by itself: the
 * last fput() of a file, made beforehand, calls its ->release() at the same places.
 *
 *   pool of files --take--> fput() in the probe ~~~> ->release(): fn(door)
 *        ^--refill, from a work queue, when half of it is used
 *
 * A queued door holds a reference on the module until its function is over, so the module
 * cannot be unloaded under it. Idle files of the pool hold none (their file_operations
 * have no owner), as otherwise the pool alone would keep the module loaded.
 */
#include "shim.h"

#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>

#include "compat.h"

struct door {
#ifdef KT_HAVE_TASK_WORK
	struct callback_head work;
#endif
	void (*fn)(struct kshim_door *door);
};

/* Context: May sleep, the thread that queued the door. */
static void door_run(struct door *door)
{
	/* The core may free the door in its function. */
	door->fn((struct kshim_door *)door);
	module_put(THIS_MODULE);
	/*
	 * These last instructions are waited for by the synchronize_rcu_tasks() in
	 * kt_door_exit().
	 */
}

#ifdef KT_HAVE_TASK_WORK

static void door_work(struct callback_head *work)
{
	door_run(container_of(work, struct door, work));
}

static bool door_queue(struct door *door)
{
	init_task_work(&door->work, door_work);
	return !task_work_add(current, &door->work, TWA_RESUME);
}

static void pool_drain(void)
{
}

void kt_door_init(void)
{
}

void kt_door_fill(void)
{
}

#else /* !KT_HAVE_TASK_WORK */

#define POOL_SIZE 256

/*
 * Protects pool and pool_count. A leaf, held for a few instructions with interrupts off.
 * Context: any but the run-queue lock.
 */
static DEFINE_RAW_SPINLOCK(pool_lock);
static struct file *pool[POOL_SIZE];
static unsigned int pool_count;

static struct kt_deferred pool_refill;

static int door_release(struct inode *inode, struct file *file)
{
	/* NULL: a file of the pool that was never used. */
	if (file->private_data)
		door_run(file->private_data);
	return 0;
}

/* No .owner, see above. */
static const struct file_operations door_fops = {
	.release = door_release,
};

/* Context: Any but the run-queue lock. */
static struct file *pool_take(void)
{
	struct file *file = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&pool_lock, flags);
	if (pool_count)
		file = pool[--pool_count];
	raw_spin_unlock_irqrestore(&pool_lock, flags);
	return file;
}

/* Context: Any but the run-queue lock. */
static bool pool_give(struct file *file)
{
	unsigned long flags;
	bool given;

	raw_spin_lock_irqsave(&pool_lock, flags);
	given = pool_count < POOL_SIZE;
	if (given)
		pool[pool_count++] = file;
	raw_spin_unlock_irqrestore(&pool_lock, flags);
	return given;
}

/* Context: May sleep, a work queue: fput() of a user's thread would be late. */
static void pool_fill_work(struct work_struct *work)
{
	struct file *file;

	while (READ_ONCE(pool_count) < POOL_SIZE) {
		file = anon_inode_getfile("[ktrace]", &door_fops, NULL, O_RDONLY);
		if (IS_ERR(file))
			return;
		if (!pool_give(file)) {
			__fput_sync(file);
			return;
		}
	}
}

static void pool_drain_work(struct work_struct *work)
{
	struct file *file;

	while ((file = pool_take()))
		__fput_sync(file);
}

/* Context: May sleep. No probe and no door is left. */
static void pool_drain(void)
{
	struct work_struct drain;

	INIT_WORK_ONSTACK(&drain, pool_drain_work);

	kt_deferred_cancel(&pool_refill);
	schedule_work(&drain);
	flush_work(&drain);
	destroy_work_on_stack(&drain);
	/* Doors of tasks without task work were closed by this one. */
	flush_delayed_fput();
}

static bool door_queue(struct door *door)
{
	struct file *file;

	/* fput() would not run it in this thread. */
	if (in_interrupt())
		return false;
	file = pool_take();
	if (READ_ONCE(pool_count) < POOL_SIZE / 2)
		kt_deferred_schedule(&pool_refill);
	if (!file)
		return false;
	file->private_data = door;
	fput(file);
	return true;
}

void kt_door_init(void)
{
	kt_deferred_init(&pool_refill, pool_fill_work, 0);
}

void kt_door_fill(void)
{
	kt_deferred_schedule(&pool_refill);
	/* What is traced next shall find a door. */
	irq_work_sync(&pool_refill.irq);
	flush_delayed_work(&pool_refill.work);
}

#endif

/**
 * kshim_door_queue() - run a function in this thread, where it may sleep
 * @opaque: space for it; the function's own when it runs
 * @fn: called with @opaque
 *
 * Context: A probe of current; preemption may be off. Not under the run-queue lock.
 * Return: false if that is not possible; then @fn is not called.
 */
bool kshim_door_queue(struct kshim_door *opaque, void (*fn)(struct kshim_door *door))
{
	struct door *door = (struct door *)opaque;

	BUILD_BUG_ON(sizeof(struct door) > sizeof(struct kshim_door));

	/* Kernel threads have no way back to user mode. */
	if (current->flags & PF_KTHREAD)
		return false;

	door->fn = fn;
	/* A hook is registered, so somebody holds a reference already. */
	__module_get(THIS_MODULE);
	if (door_queue(door))
		return true;
	module_put(THIS_MODULE);
	return false;
}

/**
 * kt_door_exit() - nothing of this file runs any more when it returns
 *
 * Context: May sleep; module exit, no probe is left.
 */
void kt_door_exit(void)
{
	pool_drain();
	/* Tasks in the last instructions of door_run() and of ->release(). */
	synchronize_rcu_tasks();
}
