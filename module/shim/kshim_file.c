// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trace file.
 */
#include "shim.h"

#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/printk.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../../uapi/ktrace.h"
#include "compat.h"

/* What may be written to at all, quietly: kernel_write() wants ->write_iter. */
static bool is_writable_kind(const struct file *file)
{
	return file->f_op->write_iter && !file->f_op->write && !(file->f_flags & O_DIRECT);
}

/*
 * Looks before opening, because opening something else than a regular file can have effects
 * (a device) or take for ever (a FIFO). Context: May sleep.
 */
static int check_kind(const char *name)
{
	struct path path;
	umode_t mode;
	int err;

	if (!*name)
		return -ENOENT;
	err = kern_path(name, 0, &path);
	if (err)
		return err;
	mode = d_backing_inode(path.dentry)->i_mode;
	path_put(&path);

	if (S_ISREG(mode))
		return 0;
	if (S_ISLNK(mode))
		return -ELOOP;
	if (S_ISDIR(mode))
		return -EISDIR;
	return -EACCES;
}

/* Context: May sleep. */
static int open_for_append(const char *name, struct kshim_file **ret)
{
	/* O_NONBLOCK and O_NOCTTY are for what may have taken the file's place meanwhile. */
	const int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_LARGEFILE | O_NONBLOCK | O_NOCTTY;
	struct file *file;
	int err = -EACCES;

	file = filp_open(name, flags, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	if (!S_ISREG(file_inode(file)->i_mode))
		goto err_kind;
	err = -EINVAL;
	if (!is_writable_kind(file))
		goto err_kind;
	*ret = kt_from_file(file);
	return 0;

err_kind:
	fput(file);
	return err;
}

/**
 * kshim_file_open() - open the trace file for appending, as the caller
 * @user_path: address of its path
 * @ret: the file, to be put
 *
 * Context: May sleep, the caller's process; for as long as the file's file system likes.
 * Return: 0 or a negative errno.
 */
int kshim_file_open(uint64_t user_path, struct kshim_file **ret)
{
	char *name;
	int err;

	name = strndup_user(u64_to_user_ptr(user_path), KTR_PATH_MAX);
	if (IS_ERR(name))
		return PTR_ERR(name) == -EINVAL ? -ENAMETOOLONG : PTR_ERR(name);
	err = check_kind(name);
	if (!err)
		err = open_for_append(name, ret);
	kfree(name);
	return err;
}

/**
 * kshim_file_from_fd() - the file behind a descriptor of the caller
 * @fd: the descriptor
 * @ret: the file, to be put
 *
 * Context: May sleep.
 * Return: 0, -EBADF if it is not open for writing, -EINVAL if the kernel cannot write there.
 */
int kshim_file_from_fd(int32_t fd, struct kshim_file **ret)
{
	struct file *file = fget(fd);
	int err = -EBADF;

	if (!file)
		return err;
	if (!(file->f_mode & FMODE_WRITE))
		goto err_file;
	err = -EINVAL;
	if (!is_writable_kind(file))
		goto err_file;
	*ret = kt_from_file(file);
	return 0;

err_file:
	fput(file);
	return err;
}

/**
 * kshim_file_put() - close the file
 * @opaque: the file
 *
 * Only a worker has written, so only a worker flushes: that may wait for the file system, and
 * callers of the other kind may hold KSHIM_LOCK_CONTROL.
 *
 * Context: May sleep.
 */
void kshim_file_put(struct kshim_file *opaque)
{
	struct file *file = kt_file(opaque);

	if (!(current->flags & PF_KTHREAD)) {
		fput(file);
		return;
	}
	/* In a kernel thread fput() is late; whoever waits for the writer expects it closed. */
	get_file(file);
	filp_close(file, NULL);
	__fput_sync(file);
}

/**
 * kshim_file_same() - both are the same inode
 * @a: a file
 * @b: a file
 *
 * Context: Any.
 * Return: true if so.
 */
bool kshim_file_same(const struct kshim_file *a, const struct kshim_file *b)
{
	return file_inode(kt_file(a)) == file_inode(kt_file(b));
}

/**
 * kshim_file_is_regular() - the file is a regular file
 * @file: the file
 *
 * Context: Any.
 * Return: true if so.
 */
bool kshim_file_is_regular(const struct kshim_file *file)
{
	return S_ISREG(file_inode(kt_file(file))->i_mode);
}

/**
 * kshim_file_write() - append to the file
 * @opaque: the file
 * @buf: what to write
 * @len: bytes of it
 *
 * A descriptor from kshim_file_from_fd() may lack O_APPEND, hence the position.
 *
 * Context: May sleep, a worker.
 * Return: bytes written, perhaps fewer than @len, or a negative errno.
 */
int64_t kshim_file_write(struct kshim_file *opaque, const void *buf, size_t len)
{
	struct file *file = kt_file(opaque);
	loff_t pos = S_ISREG(file_inode(file)->i_mode) ? i_size_read(file_inode(file)) : 0;

	return kernel_write(file, buf, len, &pos);
}

/**
 * kshim_file_size() - size of the file
 * @file: the file
 *
 * Context: Any.
 * Return: bytes.
 */
int64_t kshim_file_size(const struct kshim_file *file)
{
	return i_size_read(file_inode(kt_file(file)));
}

/**
 * kshim_file_truncate() - cut the file off
 * @file: the file
 * @size: bytes that stay
 *
 * Context: May sleep, a worker.
 * Return: 0 or a negative errno.
 */
int kshim_file_truncate(struct kshim_file *file, int64_t size)
{
	return vfs_truncate(&kt_file(file)->f_path, size);
}

/**
 * kshim_file_limit() - how large the caller may make files
 *
 * Context: Any.
 * Return: bytes, UINT64_MAX without a limit.
 */
uint64_t kshim_file_limit(void)
{
	unsigned long limit = rlimit(RLIMIT_FSIZE);

	return limit == RLIM_INFINITY ? U64_MAX : limit;
}

/**
 * kshim_file_log_stopped() - say that tracing to a file stopped
 * @opaque: the file
 * @error: a negative errno
 *
 * The file's name is not shown: its owner could write lines into the log that way.
 *
 * Context: May sleep.
 */
void kshim_file_log_stopped(const struct kshim_file *opaque, int error)
{
	const struct inode *inode = file_inode(kt_file(opaque));

	pr_notice_ratelimited("write failed, errno %d: tracing to inode %lu on %s stopped\n",
			      -error, (unsigned long)inode->i_ino, inode->i_sb->s_id);
}
