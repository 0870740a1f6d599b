// SPDX-License-Identifier: GPL-2.0-only
/*
 * User memory and registers of the traced thread.
 */
#include "shim.h"

#include <asm/syscall.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "compat.h"

/**
 * kshim_copy_from_user_nofault() - copy what is resident
 * @dst: kernel memory
 * @src: user address
 * @len: bytes
 *
 * Context: Any, of the traced thread.
 * Return: 0 or -EFAULT.
 */
int kshim_copy_from_user_nofault(void *dst, uint64_t src, size_t len)
{
	return copy_from_user_nofault(dst, u64_to_user_ptr(src), len) ? -EFAULT : 0;
}

/**
 * kshim_copy_from_user() - copy, and read in what is not resident
 * @dst: kernel memory
 * @src: user address
 * @len: bytes
 *
 * Context: May sleep, the traced thread.
 * Return: 0 or -EFAULT.
 */
int kshim_copy_from_user(void *dst, uint64_t src, size_t len)
{
	return copy_from_user(dst, u64_to_user_ptr(src), len) ? -EFAULT : 0;
}

/**
 * kshim_syscall_args() - argument registers of current's system call
 * @regs: its registers
 * @args: the arguments; of a 32-bit call only 32 bits, as the kernel takes them
 *
 * Context: Any.
 */
void kshim_syscall_args(const struct kshim_regs *regs, uint64_t args[6])
{
	unsigned long values[6];
	bool narrow = compat_in_32bit_syscall();
	int i;

	syscall_get_arguments(current, (struct pt_regs *)regs, values);
	for (i = 0; i < 6; i++)
		args[i] = narrow ? (u32)values[i] : values[i];
}
