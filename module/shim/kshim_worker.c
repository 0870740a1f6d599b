// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel threads that write trace files.
 *
 *   probe --kick--> irq_work --wake_up_process--> worker --notify--> waiters (doors, ioctls)
 *
 * A probe may hold the run-queue lock, so it must not wake anybody: it leaves a latch and
 * an irq_work. Life: the thread frees its own struct after main() has returned. By then the
 * core has unlinked the worker, so nobody new touches it; who still may are
 *  - probes that found it before: they are in RCU read sections, waited for;
 *  - their irq_work: irq_work_sync();
 *  - tasks in kshim_worker_wait(): counted in users; the thread waits for the last one.
 * The module cannot go away meanwhile: the thread holds a reference on it.
 */
#include "shim.h"

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "compat.h"

struct kshim_worker {
	void (*main)(void *arg);
	void *arg;
	const struct cred *cred; /* referenced */
	struct task_struct *task;

	struct irq_work irq; /* wakes task */
	atomic_t kicked; /* the latch: set by a kick, taken by kshim_worker_sleep() */

	wait_queue_head_t wait; /* tasks in kshim_worker_wait() */
	bool ended; /* main() has returned: nothing to wait for any more */
	refcount_t users; /* the thread itself, and each task in kshim_worker_wait() */
	struct completion idle; /* users has become 0 */
};

static void worker_irq(struct irq_work *irq)
{
	struct kshim_worker *worker = container_of(irq, struct kshim_worker, irq);

	wake_up_process(worker->task);
}

static void worker_put(struct kshim_worker *worker)
{
	if (refcount_dec_and_test(&worker->users))
		complete(&worker->idle);
}

/* Context: May sleep, the thread itself, after main(). */
static void worker_end(struct kshim_worker *worker)
{
	WRITE_ONCE(worker->ended, true);
	wake_up_all(&worker->wait);
	worker_put(worker);
	wait_for_completion(&worker->idle);

	synchronize_rcu();
	irq_work_sync(&worker->irq);

	put_cred(worker->cred);
	kfree(worker);
}

static int worker_thread(void *data)
{
	struct kshim_worker *worker = data;
	const struct cred *old = override_creds(worker->cred);

	worker->main(worker->arg);
	revert_creds(old);
	worker_end(worker);
	module_put_and_kthread_exit(0);
	return 0;
}

/**
 * kshim_worker_start() - start a kernel thread
 * @main: what it does
 * @arg: for @main
 * @cred: its credentials; a reference is taken
 * @ret: the worker; valid until main has returned
 *
 * Context: May sleep.
 * Return: 0 or a negative errno.
 */
int kshim_worker_start(void (*main)(void *arg), void *arg, const struct kshim_cred *cred,
		       struct kshim_worker **ret)
{
	struct kshim_worker *worker;
	struct task_struct *task;

	worker = kzalloc(sizeof(*worker), GFP_KERNEL_ACCOUNT);
	if (!worker)
		return -ENOMEM;

	task = kthread_create(worker_thread, worker, "ktrace");
	if (IS_ERR(task)) {
		kfree(worker);
		return PTR_ERR(task);
	}

	worker->main = main;
	worker->arg = arg;
	worker->cred = get_cred(kt_cred(cred));
	worker->task = task;
	init_irq_work(&worker->irq, worker_irq);
	init_waitqueue_head(&worker->wait);
	refcount_set(&worker->users, 1);
	init_completion(&worker->idle);

	/* The caller came through /dev/ktrace, so it holds a reference, too. */
	__module_get(THIS_MODULE);
	*ret = worker;
	wake_up_process(task);
	return 0;
}

/**
 * kshim_worker_kick() - wake the worker, or have its next sleep return at once
 * @worker: the worker
 *
 * Context: Any.
 */
void kshim_worker_kick(struct kshim_worker *worker)
{
	/* Pairs with the atomic_xchg() in kshim_worker_sleep(). */
	if (!atomic_xchg(&worker->kicked, 1))
		irq_work_queue(&worker->irq);
}

/**
 * kshim_worker_sleep() - sleep until kicked
 * @worker: the caller's own
 * @ms: for at most so many milliseconds; 0: no limit
 *
 * Idle sleep: it is neither load nor a hung task.
 *
 * Context: May sleep, the worker itself.
 * Return: true if kicked.
 */
bool kshim_worker_sleep(struct kshim_worker *worker, unsigned int ms)
{
	long left = ms ? msecs_to_jiffies(ms) : MAX_SCHEDULE_TIMEOUT;
	bool kicked;

	for (;;) {
		/* Before looking at the latch: a kick after it wakes us from schedule(). */
		set_current_state(TASK_IDLE);
		kicked = atomic_xchg(&worker->kicked, 0);
		if (kicked || !left)
			break;
		left = schedule_timeout(left);
	}
	__set_current_state(TASK_RUNNING);
	return kicked;
}

/**
 * kshim_worker_notify() - wake all that wait in kshim_worker_wait()
 * @worker: the worker
 *
 * Context: May sleep.
 */
void kshim_worker_notify(struct kshim_worker *worker)
{
	wake_up_all(&worker->wait);
}

static bool wait_is_over(struct kshim_worker *worker, bool (*done)(void *arg), void *arg)
{
	return done(arg) || READ_ONCE(worker->ended);
}

/**
 * kshim_worker_wait() - wait for something that the worker does
 * @worker: the worker
 * @done: tells whether it is done; asked first, and at each notify
 * @arg: for @done
 * @ms: wait for at most so many milliseconds
 * @killable: a fatal signal ends the wait; not for tasks that exit, which may have one pending
 *
 * Context: May sleep.
 * Return: 0, -ETIMEDOUT (also when the worker has ended without doing it), -EINTR.
 */
int kshim_worker_wait(struct kshim_worker *worker, bool (*done)(void *arg), void *arg,
		      unsigned int ms, bool killable)
{
	long timeout = msecs_to_jiffies(ms);
	long left;

	refcount_inc(&worker->users);
	if (killable)
		left = wait_event_killable_timeout(worker->wait, wait_is_over(worker, done, arg),
						   timeout);
	else
		left = wait_event_idle_timeout(worker->wait, wait_is_over(worker, done, arg),
					       timeout);
	worker_put(worker);

	if (done(arg))
		return 0;
	return left < 0 ? -EINTR : -ETIMEDOUT;
}
