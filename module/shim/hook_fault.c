// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page faults: handle_mm_fault(), entry and return. It is called for faults in user mode and for
 * those of system calls on user memory, also of other processes' (ptrace, /proc): only those
 * on the thread's own memory are its own.
 */
#include "hook.h"

#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "../../uapi/ktrace.h"
#include "../core/ktrace_core.h"
#include "hook_kprobe.h"

static struct kretprobe fault_probe;

static u32 access_of(unsigned int flags)
{
	if (flags & FAULT_FLAG_WRITE)
		return KTR_FAULT_WRITE;
	return flags & FAULT_FLAG_INSTRUCTION ? KTR_FAULT_EXEC : KTR_FAULT_READ;
}

static int result_of(vm_fault_t fault)
{
	if (!(fault & VM_FAULT_ERROR))
		return KTR_KERN_SUCCESS;
	if (fault & VM_FAULT_OOM)
		return KTR_KERN_RESOURCE_SHORTAGE;
	if (fault & VM_FAULT_SIGSEGV)
		return KTR_KERN_PROTECTION_FAILURE;
	return KTR_KERN_MEMORY_ERROR;
}

/*
 * handle_mm_fault(vma, address, flags, regs). Non-zero: the return is not of interest.
 * Context: Preemption off.
 */
static int fault_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct vm_area_struct *vma = (void *)regs_get_kernel_argument(regs, 0);
	bool wanted;

	if (!ktrace_core_may_be_traced(current) || !current->mm || vma->vm_mm != current->mm)
		return 1;
	rcu_read_lock();
	wanted = ktrace_core_wants(kshim_current(), KTR_FAULT) ||
		 ktrace_core_wants(kshim_current(), KTR_FAULTEND);
	if (wanted)
		ktrace_core_fault(kshim_current(), regs_get_kernel_argument(regs, 1),
				  access_of(regs_get_kernel_argument(regs, 2)));
	rcu_read_unlock();
	return !wanted;
}
NOKPROBE_SYMBOL(fault_entry);

/* Context: Preemption off. */
static int fault_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	rcu_read_lock();
	ktrace_core_fault_end(kshim_current(), result_of((__force vm_fault_t)regs_return_value(regs)));
	rcu_read_unlock();
	return 0;
}
NOKPROBE_SYMBOL(fault_return);

static int fault_find(struct kt_hook *hook)
{
	return kt_can_probe("handle_mm_fault") ? 0 : -ENOENT;
}

static int fault_enable(struct kt_hook *hook)
{
	static const struct kretprobe template = {
		.kp.symbol_name = "handle_mm_fault",
		.entry_handler = fault_entry,
		.handler = fault_return,
	};

	return kt_kretprobe_register(&fault_probe, &template);
}

static void fault_disable(struct kt_hook *hook)
{
	kt_kretprobe_unregister(&fault_probe, "page faults");
}

struct kt_hook kt_hook_fault = {
	.name = "fault",
	.facilities = KTRFAC_FAULT | KTRFAC_FAULTEND,
	.find = fault_find,
	.enable = fault_enable,
	.disable = fault_disable,
};
