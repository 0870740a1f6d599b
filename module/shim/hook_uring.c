// SPDX-License-Identifier: GPL-2.0-only
/*
 * io_uring: requests that are submitted and that complete, which no system call shows. Both may
 * happen in a thread of the kernel's; they are recorded as the submitting task's own.
 */
#include "hook.h"

#include <linux/errno.h>
#include <linux/io_uring_types.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "../../uapi/ktrace.h"
#include "../core/ktrace_core.h"

static struct tracepoint *submission, *completion;

/* What a polling thread of the kernel's submits is its process's: nobody traces that thread. */
static struct task_struct *submitter_of(const struct io_kiocb *req)
{
	return req->task->flags & PF_IO_WORKER ? req->task->group_leader : req->task;
}

static void emit(struct io_kiocb *req, const struct ktr_uring *uring)
{
	rcu_read_lock();
	ktrace_core_uring(kt_from_task(submitter_of(req)), uring);
	rcu_read_unlock();
}

/* io_uring_submit_req(req), or io_uring_submit_sqe(req, force_nonblock) before v6.4. Context: Any. */
static void probe_submit(void *data, struct io_kiocb *req)
{
	const struct ktr_uring uring = {
		.event = KTR_URING_SUBMIT,
		.opcode = req->opcode,
		.fd = req->cqe.fd,
		.user_data = req->cqe.user_data,
	};

	emit(req, &uring);
}

/* A completion without a request (of a multishot one, or a message) has nobody to be told of. Context: Any. */
static void probe_complete(void *data, void *ctx, void *request, u64 user_data, int res,
			   unsigned int cflags, u64 extra1, u64 extra2)
{
	struct io_kiocb *req = request;
	struct ktr_uring uring = {
		.event = KTR_URING_COMPLETE,
		.fd = -1,
		.result = res,
		.flags = cflags,
		.user_data = user_data,
	};

	if (!req)
		return;
	uring.opcode = req->opcode;
	emit(req, &uring);
}

/* Context: May sleep. */
static void match(struct tracepoint *tracepoint, void *unused)
{
	if (!strcmp(tracepoint->name, "io_uring_submit_req") ||
	    !strcmp(tracepoint->name, "io_uring_submit_sqe"))
		submission = tracepoint;
	else if (!strcmp(tracepoint->name, "io_uring_complete"))
		completion = tracepoint;
}

static int uring_find(struct kt_hook *hook)
{
	for_each_kernel_tracepoint(match, NULL);
	return submission && completion ? 0 : -ENOENT;
}

static int uring_enable(struct kt_hook *hook)
{
	int err = tracepoint_probe_register(submission, probe_submit, NULL);

	if (err)
		return err;
	err = tracepoint_probe_register(completion, probe_complete, NULL);
	if (err)
		tracepoint_probe_unregister(submission, probe_submit, NULL);
	return err;
}

static void uring_disable(struct kt_hook *hook)
{
	tracepoint_probe_unregister(completion, probe_complete, NULL);
	tracepoint_probe_unregister(submission, probe_submit, NULL);
}

struct kt_hook kt_hook_uring = {
	.name = "io_uring",
	.facilities = KTRFAC_URING,
	.find = uring_find,
	.enable = uring_enable,
	.disable = uring_disable,
};
