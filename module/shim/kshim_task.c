// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks, as the core sees them. A thread group is known by the address of its
 * signal_struct: all its threads share that, it outlives each of them, and exec keeps it.
 */
#include "shim.h"

#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "../../uapi/ktrace.h"
#include "compat.h"

/**
 * kshim_current() - the running thread
 *
 * Context: Any.
 * Return: the thread, not referenced.
 */
struct kshim_task *kshim_current(void)
{
	return kt_from_task(current);
}

/**
 * kshim_task_get() - reference a task
 * @task: a task that is valid now
 *
 * Context: Any.
 */
void kshim_task_get(struct kshim_task *task)
{
	get_task_struct(kt_task(task));
}

/**
 * kshim_task_put() - give the reference back
 * @task: the task
 *
 * Context: Any but the run-queue lock.
 */
void kshim_task_put(struct kshim_task *task)
{
	put_task_struct(kt_task(task));
}

/**
 * kshim_task_group() - identity of the task's thread group
 * @task: the task
 *
 * Context: Any.
 * Return: an address to compare, never to follow or to show.
 */
const void *kshim_task_group(const struct kshim_task *task)
{
	return kt_task(task)->signal;
}

/**
 * kshim_task_comm() - name of the thread
 * @task: the task
 *
 * Context: Any.
 * Return: 16 bytes that may change while they are read; the last is always NUL.
 */
const char *kshim_task_comm(const struct kshim_task *task)
{
	return kt_task(task)->comm;
}

/**
 * kshim_task_abi() - what the task's image is
 * @task: the task
 *
 * Context: Any.
 * Return: KTR_SV_LINUX64 or KTR_SV_LINUX32.
 */
uint32_t kshim_task_abi(const struct kshim_task *task)
{
	return compat_task_is_32bit(kt_task(task)) ? KTR_SV_LINUX32 : KTR_SV_LINUX64;
}

/**
 * kshim_task_pid() - process number
 * @task: the task
 * @ns: pid namespace
 *
 * Context: Any but the run-queue lock.
 * Return: the number, 0 if it has none there.
 */
int32_t kshim_task_pid(struct kshim_task *task, struct kshim_pid_ns *ns)
{
	return task_tgid_nr_ns(kt_task(task), kt_pid_ns(ns));
}

/**
 * kshim_task_tid() - thread number
 * @task: the task
 * @ns: pid namespace
 *
 * Context: Any but the run-queue lock.
 * Return: the number, 0 if it has none there.
 */
int32_t kshim_task_tid(struct kshim_task *task, struct kshim_pid_ns *ns)
{
	return task_pid_nr_ns(kt_task(task), kt_pid_ns(ns));
}

/**
 * kshim_task_exiting() - the thread has begun to exit
 * @task: the task
 *
 * Context: Any.
 * Return: true if it has.
 */
bool kshim_task_exiting(const struct kshim_task *task)
{
	return READ_ONCE(kt_task(task)->flags) & PF_EXITING;
}

/**
 * kshim_group_dead() - all threads of the group have begun to exit
 * @task: one of them
 *
 * Already true in the exit probe of the last one.
 *
 * Context: Any.
 * Return: true if they have.
 */
bool kshim_group_dead(const struct kshim_task *task)
{
	return !atomic_read(&kt_task(task)->signal->live);
}

/* A list that is being made. */
struct snapshot {
	struct kshim_task_item *items;
	size_t room;
	size_t count; /* may grow beyond room: then the next try has more */
};

/* Context: RCU read section. */
static void snapshot_add(struct snapshot *snapshot, struct task_struct *task)
{
	struct kshim_task_item *item;

	if (snapshot->count++ >= snapshot->room)
		return;
	item = &snapshot->items[snapshot->count - 1];
	get_task_struct(task);
	item->task = kt_from_task(task);
	item->group = task->signal;
	item->parent_group = rcu_dereference(task->real_parent)->signal;
}

/* Context: RCU read section. */
static void snapshot_walk(struct snapshot *snapshot, enum kshim_task_set set, int32_t id,
			  struct task_struct *leader)
{
	struct task_struct *task;

	switch (set) {
	case KSHIM_TASK_PROCESS:
		task = id > 0 ? pid_task(find_vpid(id), PIDTYPE_TGID) : NULL;
		if (task)
			snapshot_add(snapshot, task);
		break;
	case KSHIM_TASK_PGRP:
		if (id <= 0)
			break;
		/* clang-format off */
		do_each_pid_task(find_vpid(id), PIDTYPE_PGID, task) {
			snapshot_add(snapshot, task);
		} while_each_pid_task(find_vpid(id), PIDTYPE_PGID, task);
		/* clang-format on */
		break;
	case KSHIM_TASK_ALL:
		/* Kernel threads are nobody's processes. */
		for_each_process(task) {
			if (!(task->flags & PF_KTHREAD))
				snapshot_add(snapshot, task);
		}
		break;
	case KSHIM_TASK_THREADS:
		compat_for_each_thread(leader, task)
			snapshot_add(snapshot, task);
		break;
	}
}

/**
 * kshim_tasks() - a snapshot of some tasks
 * @set: which
 * @id: process or process group in the caller's pid namespace
 * @leader: for KSHIM_TASK_THREADS
 * @list: the list; NULL if it is empty
 * @count: its length
 *
 * Context: May sleep.
 * Return: 0 or -ENOMEM.
 */
int kshim_tasks(enum kshim_task_set set, int32_t id, struct kshim_task *leader,
		struct kshim_task_item **list, size_t *count)
{
	struct snapshot snapshot = {};

	for (;;) {
		rcu_read_lock();
		snapshot_walk(&snapshot, set, id, leader ? kt_task(leader) : NULL);
		rcu_read_unlock();
		if (snapshot.count <= snapshot.room)
			break;

		/* It did not fit: make room, and some for those that are born meanwhile. */
		kshim_tasks_free(snapshot.items, snapshot.room);
		snapshot.room = snapshot.count + snapshot.count / 4 + 1;
		snapshot.count = 0;
		snapshot.items =
			kvmalloc_array(snapshot.room, sizeof(*snapshot.items), GFP_KERNEL_ACCOUNT);
		if (!snapshot.items)
			return -ENOMEM;
	}
	*list = snapshot.items;
	*count = snapshot.count;
	return 0;
}

/**
 * kshim_tasks_free() - free a snapshot
 * @list: the list or NULL
 * @count: its length
 *
 * Context: May sleep.
 */
void kshim_tasks_free(struct kshim_task_item *list, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		kshim_task_put(list[i].task);
	kvfree(list);
}
