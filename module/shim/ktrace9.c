// SPDX-License-Identifier: GPL-2.0-only
/*
 * ktrace(9): the functions of module/include/ktrace9.h. Each makes the payload and hands it to
 * the core, which looks for the task's thread and writes the record.
 */
#include "../include/ktrace9.h"

#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uio.h>

#include "../core/ktrace_core.h"
#include "shim.h"

DEFINE_STATIC_KEY_FALSE(ktrace_active);
EXPORT_SYMBOL_GPL(ktrace_active);

static void emit(struct task_struct *tsk, u32 type, const void *head, size_t head_len,
		 const void *data, size_t len)
{
	rcu_read_lock();
	ktrace_core_record(kt_from_task(tsk), type, head, head_len, data, len);
	rcu_read_unlock();
}

/**
 * ktr_wanted() - records of a type are wanted of a task
 * @tsk: the task
 * @type: KTR_*
 *
 * Context: Any but an NMI.
 * Return: true if so.
 */
bool ktr_wanted(const struct task_struct *tsk, u32 type)
{
	bool wanted;

	rcu_read_lock();
	wanted = ktrace_core_wants(kt_from_task((struct task_struct *)tsk), type);
	rcu_read_unlock();
	return wanted;
}
EXPORT_SYMBOL_GPL(ktr_wanted);

/**
 * ktrsyscall() - a system call begins
 * @tsk: the task
 * @code: its number
 * @argsize: bytes of arguments
 * @args: the arguments
 *
 * Context: Any but an NMI.
 */
void ktrsyscall(struct task_struct *tsk, long code, size_t argsize, const unsigned long *args)
{
	const struct ktr_syscall head = {
		.ktr_code = code,
		.ktr_narg = argsize / sizeof(*args),
		.ktr_abi = KTR_SV_LINUX64,
	};

	emit(tsk, KTR_SYSCALL, &head, sizeof(head), args, head.ktr_narg * sizeof(*args));
}
EXPORT_SYMBOL_GPL(ktrsyscall);

/**
 * ktrsysret() - a system call ends
 * @tsk: the task
 * @code: its number
 * @error: 0, an errno, KTR_ERESTART or KTR_EJUSTRETURN
 * @retval: its result if @error is 0
 *
 * Context: Any but an NMI.
 */
void ktrsysret(struct task_struct *tsk, long code, int error, long retval)
{
	const struct ktr_sysret ret = {
		.ktr_code = code,
		.ktr_abi = KTR_SV_LINUX64,
		.ktr_error = error,
		.ktr_retval = error ? 0 : retval,
	};

	emit(tsk, KTR_SYSRET, &ret, sizeof(ret), NULL, 0);
}
EXPORT_SYMBOL_GPL(ktrsysret);

/**
 * ktrnamei() - a path is looked up
 * @tsk: the task
 * @path: the path, in kernel memory
 * @len: its length, without a NUL
 *
 * Context: Any but an NMI.
 */
void ktrnamei(struct task_struct *tsk, const char *path, size_t len)
{
	emit(tsk, KTR_NAMEI, NULL, 0, path, len);
}
EXPORT_SYMBOL_GPL(ktrnamei);

/* Context: May sleep. Bytes copied. */
static size_t copy_iov(char *to, const struct iovec *iov, size_t len)
{
	size_t done = 0;

	for (; done < len; iov++) {
		size_t part = min(len - done, (size_t)iov->iov_len);

		if (copy_from_user(to + done, iov->iov_base, part))
			break;
		done += part;
	}
	return done;
}

/**
 * ktrgenio() - bytes are read or written
 * @tsk: the task: current
 * @fd: the descriptor
 * @rw: KTR_UIO_READ or KTR_UIO_WRITE
 * @iov: where they are in current's memory; describes at least @len bytes
 * @len: bytes moved
 * @error: an errno; bytes of a call that failed are not recorded
 *
 * Context: May sleep.
 */
void ktrgenio(struct task_struct *tsk, int fd, u32 rw, const struct iovec *iov, size_t len, int error)
{
	const struct ktr_genio head = { .ktr_fd = fd, .ktr_rw = rw };
	char *data;

	if (error || tsk != current || !ktr_wanted(tsk, KTR_GENIO))
		return;
	len = min_t(size_t, len, READ_ONCE(ktrace_settings.geniosize));
	data = kvmalloc(len, GFP_KERNEL);
	if (!data)
		return;
	emit(tsk, KTR_GENIO, &head, sizeof(head), data, copy_iov(data, iov, len));
	kvfree(data);
}
EXPORT_SYMBOL_GPL(ktrgenio);

/**
 * ktrpsig() - a signal is delivered
 * @tsk: the task
 * @sig: the signal
 * @action: its handler, SIG_DFL or SIG_IGN
 * @mask: signals blocked before the handler runs
 * @code: si_code
 *
 * Context: Any but an NMI.
 */
void ktrpsig(struct task_struct *tsk, int sig, __sighandler_t action, const sigset_t *mask, int code)
{
	struct ktr_psig psig = {
		.signo = sig,
		.action = (uintptr_t)action,
		.code = code,
	};

	BUILD_BUG_ON(sizeof(*mask) > sizeof(psig.mask));
	memcpy(psig.mask, mask, sizeof(*mask));
	emit(tsk, KTR_PSIG, &psig, sizeof(psig), NULL, 0);
}
EXPORT_SYMBOL_GPL(ktrpsig);

/**
 * ktrcsw() - a context switch
 * @tsk: the task
 * @out: it leaves the processor; false: it comes back
 * @user: involuntary
 *
 * Context: Any but an NMI.
 */
void ktrcsw(struct task_struct *tsk, bool out, bool user)
{
	const struct ktr_csw csw = { .out = out, .user = user };

	emit(tsk, KTR_CSW, &csw, sizeof(csw), NULL, 0);
}
EXPORT_SYMBOL_GPL(ktrcsw);

/**
 * ktremul() - the personality of the task's image
 * @tsk: the task
 * @name: its name
 *
 * Context: Any but an NMI.
 */
void ktremul(struct task_struct *tsk, const char *name)
{
	emit(tsk, KTR_EMUL, NULL, 0, name, strlen(name));
}
EXPORT_SYMBOL_GPL(ktremul);

/**
 * ktruser() - what a program, or a module on its behalf, says of itself
 * @tsk: the task
 * @data: bytes in kernel memory
 * @len: how many, at most KTR_USER_MAXLEN; more are cut off
 *
 * Context: Any but an NMI.
 */
void ktruser(struct task_struct *tsk, const void *data, size_t len)
{
	emit(tsk, KTR_USER, NULL, 0, data, min_t(size_t, len, KTR_USER_MAXLEN));
}
EXPORT_SYMBOL_GPL(ktruser);

/**
 * ktrstruct() - a structure
 * @tsk: the task
 * @name: its name: letters, digits and '_'
 * @data: the structure, in kernel memory
 * @len: its size
 *
 * Context: Any but an NMI.
 */
void ktrstruct(struct task_struct *tsk, const char *name, const void *data, size_t len)
{
	emit(tsk, KTR_STRUCT, name, strlen(name) + 1, data, len);
}
EXPORT_SYMBOL_GPL(ktrstruct);
