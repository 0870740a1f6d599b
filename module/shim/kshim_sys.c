// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processors, time, and work that any context may ask for.
 */
#include "shim.h"

#include <linux/bug.h>
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

/**
 * kshim_cpu_limit() - one more than the greatest processor number
 *
 * Context: Any.
 * Return: the number.
 */
unsigned int kshim_cpu_limit(void)
{
	return nr_cpu_ids;
}

/**
 * kshim_cpu_possible() - whether a processor can ever run
 * @cpu: number below kshim_cpu_limit()
 *
 * Context: Any.
 * Return: true if it can.
 */
bool kshim_cpu_possible(unsigned int cpu)
{
	return cpu_possible(cpu);
}

/**
 * kshim_get_cpu() - number of this processor; the caller stays on it
 *
 * Context: Any.
 * Return: the number.
 */
unsigned int kshim_get_cpu(void)
{
	return get_cpu();
}

/**
 * kshim_put_cpu() - let the caller move again
 *
 * Context: Any.
 */
void kshim_put_cpu(void)
{
	put_cpu();
}

/**
 * kshim_clock_ns() - CLOCK_BOOTTIME
 *
 * Context: Any.
 * Return: nanoseconds.
 */
uint64_t kshim_clock_ns(void)
{
	return ktime_get_boottime_ns();
}

/**
 * kshim_realtime_offset_ns() - from CLOCK_BOOTTIME to CLOCK_REALTIME
 *
 * Not the difference of two readings: that would jitter.
 *
 * Context: Any.
 * Return: nanoseconds to add.
 */
int64_t kshim_realtime_offset_ns(void)
{
	return ktime_to_ns(ktime_mono_to_any(0, TK_OFFS_REAL)) -
	       ktime_to_ns(ktime_mono_to_any(0, TK_OFFS_BOOT));
}

/**
 * kshim_cpu_relax() - the caller spins
 *
 * Context: Any.
 */
void kshim_cpu_relax(void)
{
	cpu_relax();
}

/**
 * kshim_cond_resched() - give way to others
 *
 * Context: May sleep.
 */
void kshim_cond_resched(void)
{
	cond_resched();
}

/**
 * kshim_warn() - report a bug in the module, once
 * @what: a word on it
 *
 * Context: Any.
 */
void kshim_warn(const char *what)
{
	WARN_ONCE(1, "ktrace: %s\n", what);
}

/**
 * kt_deferred_irq() - the interrupt between asking for deferred work and queueing it
 * @irq: in the deferred work
 *
 * Context: Interrupt.
 */
void kt_deferred_irq(struct irq_work *irq)
{
	struct kt_deferred *deferred = container_of(irq, struct kt_deferred, irq);

	schedule_delayed_work(&deferred->work, deferred->delay);
}

/**
 * kt_deferred_schedule() - have it done soon, once for all calls until it begins
 * @deferred: the work
 *
 * Context: Any.
 */
void kt_deferred_schedule(struct kt_deferred *deferred)
{
	irq_work_queue(&deferred->irq);
}

/**
 * kt_deferred_cancel() - neither running nor pending when this returns
 * @deferred: the work; nobody schedules it meanwhile
 *
 * Context: May sleep.
 */
void kt_deferred_cancel(struct kt_deferred *deferred)
{
	irq_work_sync(&deferred->irq);
	cancel_delayed_work_sync(&deferred->work);
	/* The work may have scheduled itself. */
	irq_work_sync(&deferred->irq);
	cancel_delayed_work_sync(&deferred->work);
}
