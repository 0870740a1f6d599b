// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may trace whom.
 *
 * The kernel exports no ptrace_may_access(). But opening /proc/PID/mem makes the same
 * check, with the credentials of whoever opens it, LSMs and Yama included. The caller's own
 * /proc is of no use for that: in a mount namespace of their own, any user can put something
 * else there (a file that says yes, or a FUSE file system that never answers). So
 * we have an instance of procfs that is mounted nowhere, made by a kernel thread and thus
 * for the initial pid namespace.
 */
#include "shim.h"

#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/seccomp.h>
#include <linux/user_namespace.h>

#include "compat.h"

static struct vfsmount *proc_mount;

static void proc_mount_work(struct work_struct *work)
{
	struct file_system_type *type = get_fs_type("proc");

	if (!type) {
		proc_mount = ERR_PTR(-ENODEV);
		return;
	}
	proc_mount = kern_mount(type);
	/* The mount has its own reference on the file system's module. */
	module_put(type->owner);
}

/**
 * kt_cred_init() - make our procfs
 *
 * Context: May sleep.
 * Return: 0 or a negative errno.
 */
int kt_cred_init(void)
{
	struct work_struct work;

	/* procfs takes the pid namespace of the thread that mounts it. */
	INIT_WORK_ONSTACK(&work, proc_mount_work);
	schedule_work(&work);
	flush_work(&work);
	destroy_work_on_stack(&work);
	return PTR_ERR_OR_ZERO(proc_mount);
}

/**
 * kt_cred_exit() - unmount it
 *
 * Context: May sleep; nobody is in kshim_may_trace().
 */
void kt_cred_exit(void)
{
	kern_unmount(proc_mount);
}

/*
 * A thread of the group that still has its memory: the leader may have exited before others.
 * Context: May sleep.
 */
static struct task_struct *get_live_thread(struct task_struct *task)
{
	struct task_struct *thread, *found = NULL;

	rcu_read_lock();
	compat_for_each_thread(task, thread) {
		if (!READ_ONCE(thread->mm) || (READ_ONCE(thread->flags) & PF_EXITING))
			continue;
		get_task_struct(thread);
		found = thread;
		break;
	}
	rcu_read_unlock();
	return found;
}

/* What the kernel would say to ptrace(PTRACE_ATTACH, thread). Context: May sleep. */
static bool may_attach(struct task_struct *thread)
{
	struct file *file;
	struct mm_struct *mm;
	char name[32];
	bool ok;

	snprintf(name, sizeof(name), "%d/mem", task_pid_nr(thread));
	file = file_open_root_mnt(proc_mount, name, O_RDONLY | O_LARGEFILE, 0);
	if (IS_ERR(file))
		return false;
	/*
	 * It is the memory for which the check was made. If that is still the thread's, then
	 * neither the number has gone to another process nor has exec replaced it meanwhile.
	 */
	mm = get_task_mm(thread);
	ok = mm && mm == file->private_data;
	if (mm)
		mmput(mm);
	fput(file);
	return ok;
}

/**
 * kshim_may_trace() - the ptrace check of the caller on a process
 * @opaque: a thread of it
 *
 * Context: May sleep, the caller's process.
 * Return: 0 or -EPERM.
 */
int kshim_may_trace(struct kshim_task *opaque)
{
	struct task_struct *task = kt_task(opaque);
	struct task_struct *thread;
	bool ok;

	if (same_thread_group(task, current))
		return 0;
	if (task->flags & PF_KTHREAD)
		return -EPERM;
	thread = get_live_thread(task);
	if (!thread)
		return -EPERM;
	ok = may_attach(thread);
	put_task_struct(thread);
	return ok ? 0 : -EPERM;
}

/**
 * kshim_privileged_over() - the caller has CAP_SYS_PTRACE over a task
 * @opaque: the task
 *
 * Context: May sleep.
 * Return: true if so.
 */
bool kshim_privileged_over(struct kshim_task *opaque)
{
	bool ok;

	rcu_read_lock();
	ok = ns_capable_noaudit(__task_cred(kt_task(opaque))->user_ns, CAP_SYS_PTRACE);
	rcu_read_unlock();
	return ok;
}

/**
 * kshim_cred_privileged_over_current() - the same for stored credentials on current
 * @cred: the credentials
 *
 * As ptrace does, asks for it in the user namespace of current's credentials, and in
 * that of its memory: the latter is a parent of the former when current runs a program
 * whose file only the parent's owner may read.
 *
 * Context: Any but the run-queue lock.
 * Return: true if so.
 */
bool kshim_cred_privileged_over_current(const struct kshim_cred *cred)
{
	unsigned int marked = current->flags & PF_SUPERPRIV;
	const struct cred *old;
	bool ok;

	rcu_read_lock();
	old = override_creds(kt_cred(cred));
	ok = ns_capable_noaudit(current_real_cred()->user_ns, CAP_SYS_PTRACE) &&
	     ns_capable_noaudit(compat_image_user_ns(), CAP_SYS_PTRACE);
	revert_creds(old);
	rcu_read_unlock();
	/* It is not current that used a privilege. */
	if (!marked)
		current->flags &= ~PF_SUPERPRIV;
	return ok;
}

/**
 * kshim_cred_get_current() - reference the caller's credentials
 *
 * Context: Any.
 * Return: the credentials.
 */
const struct kshim_cred *kshim_cred_get_current(void)
{
	return kt_from_cred(get_current_cred());
}

/**
 * kshim_cred_put() - give the reference back
 * @cred: the credentials
 *
 * Context: Any but the run-queue lock.
 */
void kshim_cred_put(const struct kshim_cred *cred)
{
	put_cred(kt_cred(cred));
}

/**
 * kshim_cred_same_user() - both are of the same user
 * @a: credentials
 * @b: credentials
 *
 * Context: Any.
 * Return: true if so.
 */
bool kshim_cred_same_user(const struct kshim_cred *a, const struct kshim_cred *b)
{
	return uid_eq(kt_cred(a)->euid, kt_cred(b)->euid);
}

/**
 * kshim_pid_ns_get_current() - reference the caller's pid namespace
 *
 * Context: Any.
 * Return: the namespace.
 */
struct kshim_pid_ns *kshim_pid_ns_get_current(void)
{
	return (struct kshim_pid_ns *)get_pid_ns(task_active_pid_ns(current));
}

/**
 * kshim_pid_ns_put() - give the reference back
 * @ns: the namespace
 *
 * Context: Any but the run-queue lock.
 */
void kshim_pid_ns_put(struct kshim_pid_ns *ns)
{
	put_pid_ns(kt_pid_ns(ns));
}

/**
 * kshim_has_seccomp_filter() - a seccomp filter decides on current's system calls
 *
 * Context: Any.
 * Return: true if so.
 */
bool kshim_has_seccomp_filter(void)
{
	return current->seccomp.mode == SECCOMP_MODE_FILTER;
}
