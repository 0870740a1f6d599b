// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sample of ktrace(9), and its test: whoever writes to /dev/ktrace9_sample gets one record of each
 * kind in its trace, with the bytes it wrote as the data. selftests/ktrace9_test.c reads them back.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/uio.h>

#include "ktrace9.h"

struct sample {
	u32 number;
	u32 length;
};

/* Context: May sleep; current is the writer. */
static ssize_t sample_write(struct file *file, const char __user *data, size_t len, loff_t *pos)
{
	const unsigned long args[] = { 11, 22, 33 };
	const struct iovec iov = { .iov_base = (void __user *)data, .iov_len = len };
	const struct sample sample = { .number = 42, .length = len };

	if (!KTRPOINT(current, KTR_USER))
		return len;
	ktrsyscall(current, 400, sizeof(args), args);
	ktrnamei(current, "sample/path", 11);
	ktrgenio(current, 77, KTR_UIO_WRITE, &iov, len, 0);
	ktrpsig(current, SIGUSR1, SIG_IGN, &current->blocked, -7);
	ktrcsw(current, true, true);
	ktremul(current, "sample");
	ktruser(current, "sample says", 11);
	ktrstruct(current, "sample", &sample, sizeof(sample));
	ktrsysret(current, 400, EDOM, 0);
	return len;
}

static const struct file_operations sample_fops = {
	.owner = THIS_MODULE,
	.write = sample_write,
};

static struct miscdevice sample_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "ktrace9_sample",
	.fops = &sample_fops,
	.mode = 0666,
};
module_misc_device(sample_device);

MODULE_DESCRIPTION("Sample of ktrace(9)");
MODULE_LICENSE("GPL");
