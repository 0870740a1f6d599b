// SPDX-License-Identifier: GPL-2.0-only
/*
 * The locks of the module, and RCU.
 *
 * Each lock is one static object, so lockdep sees each as a class of its own.
 * Their order is in Documentation/locking.rst.
 */
#include "shim.h"

#include <linux/bug.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>

/*
 * KSHIM_LOCK_CONTROL. Protects the list of sessions and which hooks are registered.
 * Held over one operation of control. Outermost. Context: may sleep.
 */
static DEFINE_MUTEX(kshim_control_mutex);

/*
 * KSHIM_LOCK_TABLE. Protects the core's tables of threads and targets. A leaf, held for a
 * few lines with interrupts off; raw, because probes run with preemption off.
 * Context: any but the run-queue lock.
 */
static DEFINE_RAW_SPINLOCK(kshim_table_lock);

/**
 * kshim_mutex_lock() - take a mutex
 * @which: KSHIM_LOCK_CONTROL
 *
 * Context: May sleep.
 */
void kshim_mutex_lock(enum kshim_lock which)
{
	if (WARN_ON_ONCE(which != KSHIM_LOCK_CONTROL))
		return;
	mutex_lock(&kshim_control_mutex);
}

/**
 * kshim_mutex_unlock() - release a mutex
 * @which: KSHIM_LOCK_CONTROL
 *
 * Context: May sleep.
 */
void kshim_mutex_unlock(enum kshim_lock which)
{
	if (WARN_ON_ONCE(which != KSHIM_LOCK_CONTROL))
		return;
	mutex_unlock(&kshim_control_mutex);
}

/**
 * kshim_spin_lock() - take a spinlock and turn interrupts off
 * @which: KSHIM_LOCK_TABLE
 *
 * Context: Any but the run-queue lock.
 * Return: what kshim_spin_unlock() wants.
 */
unsigned long kshim_spin_lock(enum kshim_lock which) __acquires(&kshim_table_lock)
{
	unsigned long flags;

	WARN_ON_ONCE(which != KSHIM_LOCK_TABLE);
	raw_spin_lock_irqsave(&kshim_table_lock, flags);
	return flags;
}

/**
 * kshim_spin_unlock() - release a spinlock and restore interrupts
 * @which: KSHIM_LOCK_TABLE
 * @irq: what kshim_spin_lock() returned
 *
 * Context: Any but the run-queue lock.
 */
void kshim_spin_unlock(enum kshim_lock which, unsigned long irq) __releases(&kshim_table_lock)
{
	raw_spin_unlock_irqrestore(&kshim_table_lock, irq);
}

/**
 * kshim_assert_held() - complain unless the caller holds the lock
 * @which: any of them
 *
 * Context: Any.
 */
void kshim_assert_held(enum kshim_lock which)
{
	switch (which) {
	case KSHIM_LOCK_CONTROL:
		lockdep_assert_held(&kshim_control_mutex);
		return;
	case KSHIM_LOCK_TABLE:
		lockdep_assert_held(&kshim_table_lock);
		return;
	case KSHIM_NLOCKS:
		break;
	}
	WARN_ON_ONCE(1);
}

/**
 * kshim_rcu_read_lock() - begin a read section
 *
 * Context: Any.
 */
void kshim_rcu_read_lock(void) __acquires(RCU)
{
	rcu_read_lock();
}

/**
 * kshim_rcu_read_unlock() - end it
 *
 * Context: Any.
 */
void kshim_rcu_read_unlock(void) __releases(RCU)
{
	rcu_read_unlock();
}

/**
 * kshim_synchronize_rcu() - wait until all read sections and running probes are over
 *
 * Every hook calls the core inside rcu_read_lock(), whatever protects the probes of this
 * kernel version, so that is enough.
 *
 * Context: May sleep.
 */
void kshim_synchronize_rcu(void)
{
	synchronize_rcu_expedited();
}

struct rcu_call {
	struct rcu_head head;
	void (*fn)(struct kshim_rcu *rcu);
};

static void rcu_call(struct rcu_head *head)
{
	struct rcu_call *call = container_of(head, struct rcu_call, head);

	call->fn((struct kshim_rcu *)call);
}

/**
 * kshim_call_rcu() - call a function after a grace period
 * @rcu: space in the object that waits
 * @fn: called with @rcu; must not sleep
 *
 * Context: Any but the run-queue lock.
 */
void kshim_call_rcu(struct kshim_rcu *rcu, void (*fn)(struct kshim_rcu *rcu))
{
	struct rcu_call *call = (struct rcu_call *)rcu;

	BUILD_BUG_ON(sizeof(struct rcu_call) > sizeof(struct kshim_rcu));
	BUILD_BUG_ON(__alignof__(struct rcu_call) > __alignof__(struct kshim_rcu));

	call->fn = fn;
	call_rcu(&call->head, rcu_call);
}
