/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The differences between kernel versions, all of them: the rest of the shim is written for
 * the newest kernel. Each block names the change; tests are on the feature itself where
 * the preprocessor or the compiler can see it.
 */
#ifndef KTRACE_COMPAT_H
#define KTRACE_COMPAT_H

#include <linux/cred.h>
#include <linux/mm_types.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sysctl.h>
#include <linux/types.h>

#include <asm/syscall.h>

#ifdef KT_HAVE_EXEC_STATE
#include <linux/sched/exec_state.h>
#endif

/*
 * "sysctl: Add a size arg to __register_sysctl_table" and what follows it, v6.6: tables are
 * arrays of known size, and register_sysctl() a macro; since v6.11 ("sysctl: Remove check for
 * sentinel element in ctl_table arrays") an empty last element is an error. Before, it must be
 * there.
 */
#ifdef register_sysctl
#define COMPAT_SYSCTL_END
#else
/* clang-format off */
#define COMPAT_SYSCTL_END { }
/* clang-format on */
#endif

/*
 * "exit: move and extend sched_process_exit() tracepoint", v6.16: a second argument. Chooses the
 * probe that has the tracepoint's arguments.
 */
#define compat_sched_process_exit_probe(old, new)                                             \
	__builtin_choose_expr(__builtin_types_compatible_p(typeof(trace_sched_process_exit),  \
							   void(struct task_struct *, bool)), \
			      new, old)

/*
 * All threads of a task's group, in an RCU read section. The kernel's for_each_thread() looks at
 * tasklist_lock when CONFIG_PROVE_RCU_LIST is set since v6.9, and that is not exported.
 */
#define compat_for_each_thread(task, thread) \
	list_for_each_entry_rcu(thread, &(task)->signal->thread_head, thread_node)

/*
 * The task's image is a 32-bit one. Not in_ia32_syscall(), which says what the running system
 * call is, and not the registers, which belong to the running system call, too.
 */
static inline bool compat_task_is_32bit(struct task_struct *task)
{
#ifdef CONFIG_X86_64
	return test_tsk_thread_flag(task, TIF_ADDR32);
#else
#error "this architecture is not supported yet"
#endif
}

/*
 * The user namespace that owns current's image: who may look into it needs privilege there. It was
 * in struct mm_struct until struct task_exec_state, which has a header of its own, took
 * it over (v7.2; Kbuild looks for that header). Context: RCU read section.
 */
static inline struct user_namespace *compat_image_user_ns(void)
{
#ifdef KT_HAVE_EXEC_STATE
	return rcu_dereference(current->exec_state)->user_ns;
#else
	return current->mm ? current->mm->user_ns : current_real_cred()->user_ns;
#endif
}

/* The running system call is one of the 32-bit table. */
static inline bool compat_in_32bit_syscall(void)
{
	return in_ia32_syscall();
}

/* The number without what says that the caller is x32: the tables are the same. */
static inline long compat_syscall_nr(long nr)
{
	return nr < 0 ? nr : nr & ~__X32_SYSCALL_BIT;
}

#endif
