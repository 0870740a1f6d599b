// SPDX-License-Identifier: GPL-2.0-only
/*
 * Variables below /proc/sys: proc_sys_call_handler(), which reads and writes their files.
 */
#include "hook.h"

#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "../../uapi/ktrace.h"
#include "../core/ktrace_core.h"
#include "hook_kprobe.h"

static struct kprobe sysctl_probe;

/* Names are longer only with very long names of network interfaces; those are left out. */
#define PATH_BYTES 256

static void emit(struct dentry *dentry)
{
	static const char prefix[] = "/sys/";
	char buffer[PATH_BYTES];
	const char *path = dentry_path_raw(dentry, buffer, sizeof(buffer));

	if (IS_ERR(path) || strncmp(path, prefix, sizeof(prefix) - 1))
		return;
	path += sizeof(prefix) - 1;
	ktrace_core_sysctl(kshim_current(), path, strlen(path));
}

/* proc_sys_call_handler(iocb, iter, write). Context: Preemption off. */
static int sysctl_entry(struct kprobe *probe, struct pt_regs *regs)
{
	struct kiocb *iocb = (void *)regs_get_kernel_argument(regs, 0);

	rcu_read_lock();
	if (ktrace_core_wants(kshim_current(), KTR_SYSCTL))
		emit(iocb->ki_filp->f_path.dentry);
	rcu_read_unlock();
	return 0;
}
NOKPROBE_SYMBOL(sysctl_entry);

static int sysctl_find(struct kt_hook *hook)
{
	return kt_can_probe("proc_sys_call_handler") ? 0 : -ENOENT;
}

static int sysctl_enable(struct kt_hook *hook)
{
	sysctl_probe = (struct kprobe){
		.symbol_name = "proc_sys_call_handler",
		.pre_handler = sysctl_entry,
	};
	return register_kprobe(&sysctl_probe);
}

static void sysctl_disable(struct kt_hook *hook)
{
	unregister_kprobe(&sysctl_probe);
}

struct kt_hook kt_hook_sysctl = {
	.name = "sysctl",
	.facilities = KTRFAC_SYSCTL,
	.find = sysctl_find,
	.enable = sysctl_enable,
	.disable = sysctl_disable,
};
