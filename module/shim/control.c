// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/ktrace: takes the argument structs of uapi/ktrace.h from user space and gives
 * them to the core. All checks of the structs' form are here, those of their meaning in
 * the core.
 */
#include "shim.h"

#include <linux/compat.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include "../core/ktrace_core.h"

/* Sizes of the structs when they were first published; callers know at least these. */
#define INFO_SIZE_V1 32
#define KTRACE_SIZE_V1 32
#define UTRACE_SIZE_V1 24
#define STATS_SIZE_V1 296

static_assert(sizeof(struct ktrace_info) == INFO_SIZE_V1);
static_assert(sizeof(struct ktrace_args) == KTRACE_SIZE_V1);
static_assert(sizeof(struct ktrace_utrace) == UTRACE_SIZE_V1);
static_assert(sizeof(struct ktrace_stats) == STATS_SIZE_V1);

/**
 * copy_in() - take a struct that begins with its size
 * @dst: the struct as this module knows it
 * @known: its size
 * @min: its size when it was first published
 * @src: the caller's struct
 * @given: where to put the caller's size of it
 *
 * Members that the caller does not know are zero. Members that this module does not know must be.
 *
 * Context: May sleep.
 * Return: 0, -EFAULT, -EINVAL when the struct is too small, -E2BIG when the caller asks for
 * something that this module does not know.
 */
static int copy_in(void *dst, size_t known, size_t min, const void __user *src, u32 *given)
{
	u32 size;
	int err;

	if (get_user(size, (const u32 __user *)src))
		return -EFAULT;
	if (size < min)
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_user(dst, known, src, size);
	if (err)
		return err;
	/* The first member once more: it may have changed between the two reads. */
	*(u32 *)dst = size;
	*given = size;
	return 0;
}

/**
 * copy_out() - give a struct back in the size that the caller knows
 * @dst: the caller's struct
 * @given: its size
 * @src: the struct as this module knows it
 * @known: its size
 *
 * Context: May sleep.
 * Return: 0 or -EFAULT.
 */
static int copy_out(void __user *dst, u32 given, const void *src, size_t known)
{
	size_t common = min_t(size_t, given, known);

	if (copy_to_user(dst, src, common))
		return -EFAULT;
	if (given > common && clear_user((char __user *)dst + common, given - common))
		return -EFAULT;
	return 0;
}

/* Context: May sleep, like the three below. */
static long control_info(void __user *arg)
{
	struct ktrace_info info;
	u32 given;
	int err;

	err = copy_in(&info, sizeof(info), INFO_SIZE_V1, arg, &given);
	if (err)
		return err;
	memset(&info, 0, sizeof(info));
	ktrace_core_info(&info);
	info.size = sizeof(info);
	return copy_out(arg, given, &info, sizeof(info));
}

static long control_ktrace(const void __user *arg)
{
	struct ktrace_args args;
	u32 given;
	int err;

	err = copy_in(&args, sizeof(args), KTRACE_SIZE_V1, arg, &given);
	if (err)
		return err;
	if (args.flags & ~KTRACE_BY_FD)
		return -EINVAL;
	return ktrace_core_ktrace(&args);
}

static long control_utrace(const void __user *arg)
{
	struct ktrace_utrace args;
	u32 given;
	int err;

	err = copy_in(&args, sizeof(args), UTRACE_SIZE_V1, arg, &given);
	if (err)
		return err;
	if (args.pad)
		return -EINVAL;
	return ktrace_core_utrace(args.addr, args.len);
}

static long control_stats(void __user *arg)
{
	struct ktrace_stats stats;
	struct file *file;
	u32 given;
	int fd;
	int err;

	err = copy_in(&stats, sizeof(stats), STATS_SIZE_V1, arg, &given);
	if (err)
		return err;
	fd = stats.fd;
	file = fget(fd);
	if (!file)
		return -EBADF;
	memset(&stats, 0, sizeof(stats));
	err = ktrace_core_stats(kt_from_file(file), &stats);
	fput(file);
	if (err)
		return err;
	stats.size = sizeof(stats);
	stats.fd = fd;
	return copy_out(arg, given, &stats, sizeof(stats));
}

/*
 * The size in the number is not looked at: it changes when a struct grows.
 * Context: May sleep.
 */
static long control_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;

	if (_IOC_TYPE(cmd) != KTRACE_IOC_MAGIC)
		return -ENOTTY;

	switch (_IOC_NR(cmd)) {
	case _IOC_NR(KTRACE_IOC_INFO):
		return control_info(user);
	case _IOC_NR(KTRACE_IOC_KTRACE):
		return control_ktrace(user);
	case _IOC_NR(KTRACE_IOC_UTRACE):
		return control_utrace(user);
	case _IOC_NR(KTRACE_IOC_STATS):
		return control_stats(user);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = control_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

/* Every user may trace their own processes; who may do what is decided call by call. */
static struct miscdevice control_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "ktrace",
	.fops = &control_fops,
	.mode = 0666,
};

/**
 * kt_control_init() - let user space in
 *
 * Context: May sleep.
 * Return: 0 or a negative errno.
 */
int kt_control_init(void)
{
	return misc_register(&control_device);
}

/**
 * kt_control_exit() - let nobody in any more
 *
 * Context: May sleep.
 */
void kt_control_exit(void)
{
	misc_deregister(&control_device);
}
