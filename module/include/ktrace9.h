/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ktrace(9): how other kernel modules write records into the trace of a process.
 *
 *	if (KTRPOINT(current, KTR_USER))
 *		ktruser(current, "parsed", 6);
 *
 * Build with this folder on the include path and ktrace's Module.symvers in
 * KBUILD_EXTRA_SYMBOLS. All functions do nothing for a task that is not traced for their
 * facility; KTRPOINT() spares the work of getting the parameters ready. It is a branch that is
 * patched out while nobody traces anything.
 *
 * Context: any but an NMI, unless a function says otherwise.
 */
#ifndef KTRACE9_H
#define KTRACE9_H

#include <linux/jump_label.h>
#include <linux/signal_types.h>
#include <linux/types.h>

#include "../../uapi/ktrace.h"

struct iovec;
struct task_struct;

DECLARE_STATIC_KEY_FALSE(ktrace_active);

/* Records of this KTR_* type are wanted of the task. */
bool ktr_wanted(const struct task_struct *tsk, u32 type);

#define KTRPOINT(tsk, type) (static_branch_unlikely(&ktrace_active) && ktr_wanted(tsk, type))

void ktrsyscall(struct task_struct *tsk, long code, size_t argsize, const unsigned long *args);
void ktrsysret(struct task_struct *tsk, long code, int error, long retval);
void ktrnamei(struct task_struct *tsk, const char *path, size_t len);
void ktrgenio(struct task_struct *tsk, int fd, u32 rw, const struct iovec *iov, size_t len, int error);
void ktrpsig(struct task_struct *tsk, int sig, __sighandler_t action, const sigset_t *mask, int code);
void ktrcsw(struct task_struct *tsk, bool out, bool user);
void ktremul(struct task_struct *tsk, const char *name);
void ktruser(struct task_struct *tsk, const void *data, size_t len);
void ktrstruct(struct task_struct *tsk, const char *name, const void *data, size_t len);

#endif
