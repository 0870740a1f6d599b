// SPDX-License-Identifier: GPL-2.0-only
/* PSIG, and what signals do to system calls; a traced process gets them as ever. */
#include "harness.h"

#include <signal.h>
#include <sys/prctl.h>

FIXTURE_WITH_TRACE(psig)

static volatile sig_atomic_t caught;

static void handler(int signo)
{
	caught = signo;
}

static const struct record *first_psig(const struct records *records)
{
	return next_record(records, NULL, KTR_PSIG, 0);
}

static int catch_signal(void *arg)
{
	struct sigaction action = { .sa_handler = handler };
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR2);
	sigaddset(&blocked, 40);
	require(sigprocmask(SIG_BLOCK, &blocked, NULL) == 0);
	require(sigaction(SIGUSR1, &action, NULL) == 0);
	syscall(SYS_kill, getpid(), SIGUSR1);
	return caught != SIGUSR1;
}

TEST_F(psig, caught_signal_has_its_handler)
{
	struct records records;
	struct ktr_psig psig;

	trace_body(&self->trace, EVERYTHING, catch_signal, NULL, &records);
	EXPECT_EQ(1, count_records(&records, KTR_PSIG, 0));
	psig = psig_of(first_psig(&records));
	EXPECT_EQ(SIGUSR1, psig.signo);
	EXPECT_EQ((uintptr_t)handler, psig.action);
	EXPECT_EQ(SI_USER, psig.code);
	EXPECT_EQ(40, first_psig(&records)->length);
}

TEST_F(psig, mask_is_the_one_before_the_handler)
{
	struct records records;
	struct ktr_psig psig;

	trace_body(&self->trace, EVERYTHING, catch_signal, NULL, &records);
	psig = psig_of(first_psig(&records));
	EXPECT_EQ(1u << (SIGUSR2 - 1), psig.mask[0]);
	EXPECT_EQ(1u << (40 - 1 - 32), psig.mask[1]);
	EXPECT_EQ(0, psig.mask[2]);
	EXPECT_EQ(0, psig.mask[3]);
}

TEST_F(psig, return_from_the_handler_is_ejustreturn)
{
	struct records records;

	trace_body(&self->trace, EVERYTHING, catch_signal, NULL, &records);
	EXPECT_EQ(KTR_EJUSTRETURN,
		  sysret_of(next_return(&records, NULL, 0, SYS_rt_sigreturn)).ktr_error);
}

static int ignore_signal(void *arg)
{
	signal(SIGUSR1, SIG_IGN);
	return kill(getpid(), SIGUSR1);
}

TEST_F(psig, ignored_signal_makes_no_record)
{
	struct records records;

	trace_body(&self->trace, EVERYTHING, ignore_signal, NULL, &records);
	EXPECT_EQ(0, count_records(&records, KTR_PSIG, 0));
}

/* A traced child that ends otherwise than by exiting; its wait status. */
static int traced_status(struct trace *trace, int (*body)(void *), void *arg,
			 struct records *ret)
{
	struct tracee child;
	int status;

	tracee_fork(&child, body, arg);
	require(attach(trace, EVERYTHING, child.pid) == 0);
	tracee_release(&child);
	status = tracee_reap(&child);
	records_read(ret, trace->file);
	return status;
}

static int terminate_oneself(void *arg)
{
	kill(getpid(), SIGTERM);
	return wait_for_ever(arg);
}

TEST_F(psig, deadly_signal_has_the_default_action)
{
	struct records records;
	int status = traced_status(&self->trace, terminate_oneself, NULL, &records);
	struct ktr_psig psig = psig_of(first_psig(&records));

	EXPECT_EQ(SIGTERM, status);
	EXPECT_EQ(SIGTERM, psig.signo);
	EXPECT_EQ((uintptr_t)SIG_DFL, psig.action);
	EXPECT_EQ(KTR_PROCDTOR, records.at[records.count - 1].type);
}

static int fault(void *arg)
{
	prctl(PR_SET_DUMPABLE, 0); /* no core file */
	*(volatile char *)bad_address() = 1;
	return 0;
}

TEST_F(psig, fault_has_its_code)
{
	struct records records;
	int status = traced_status(&self->trace, fault, NULL, &records);
	struct ktr_psig psig = psig_of(first_psig(&records));

	EXPECT_EQ(SIGSEGV, WTERMSIG(status));
	EXPECT_EQ(SIGSEGV, psig.signo);
	EXPECT_EQ((uintptr_t)SIG_DFL, psig.action);
	EXPECT_EQ(SEGV_MAPERR, psig.code);
}

TEST_F(psig, sigkill_is_recorded)
{
	struct tracee child;
	struct records records;
	struct ktr_psig psig;

	tracee_fork(&child, wait_for_ever, NULL);
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, child.pid));
	tracee_release(&child);
	wait_asleep(child.pid);
	kill(child.pid, SIGKILL);
	EXPECT_EQ(SIGKILL, tracee_reap(&child));
	records_read(&records, self->trace.file);
	psig = psig_of(first_psig(&records));
	EXPECT_EQ(SIGKILL, psig.signo);
	EXPECT_EQ((uintptr_t)SIG_DFL, psig.action);
}

/* --- interrupted calls --- */

struct interrupted {
	int pipe[2];
	int flags; /* of sigaction */
};

static int read_and_be_interrupted(void *arg)
{
	struct interrupted *i = arg;
	struct sigaction action = { .sa_handler = handler, .sa_flags = i->flags };
	char byte;

	require(sigaction(SIGUSR1, &action, NULL) == 0);
	if (i->flags & SA_RESTART)
		return syscall(SYS_read, i->pipe[0], &byte, 1) != 1;
	return syscall(SYS_read, i->pipe[0], &byte, 1) != -1 || errno != EINTR;
}

/* Sends a signal to the child while it is in its read(2), then lets that succeed. */
static void interrupt(struct trace *trace, struct interrupted *i, struct records *ret)
{
	struct tracee child;
	struct records meanwhile;
	int status;

	require(pipe2(i->pipe, O_CLOEXEC) == 0);
	tracee_fork(&child, read_and_be_interrupted, i);
	require(attach(trace, EVERYTHING, child.pid) == 0);
	tracee_release(&child);
	wait_asleep(child.pid);
	kill(child.pid, SIGUSR1);
	/* the handler has run when the file says so */
	do {
		require(ktrace(NULL, KTROP_CLEAR, KTRFAC_CSW, child.pid) == 0);
		records_read(&meanwhile, trace->file);
		status = first_psig(&meanwhile) != NULL;
		records_free(&meanwhile);
	} while (!status);
	if (i->flags & SA_RESTART)
		require(write(i->pipe[1], "x", 1) == 1);
	status = tracee_reap(&child);
	require(status == 0);
	records_read(ret, trace->file);
}

/* The first return of the read(2) on that descriptor. */
static int first_error(const struct records *records, int fd)
{
	const struct record *r = NULL;

	do
		r = next_call(records, r, 0, SYS_read);
	while (r && call_arg(r, 0) != (uint64_t)fd);
	return sysret_of(next_return(records, r, 0, SYS_read)).ktr_error;
}

TEST_F(psig, call_that_is_restarted_is_erestart)
{
	struct interrupted i = { .flags = SA_RESTART };
	struct records records;

	interrupt(&self->trace, &i, &records);
	EXPECT_EQ(KTR_ERESTART, first_error(&records, i.pipe[0]));
}

/*
 * The kernel decides after the end of the call was recorded, as on the BSDs: what the
 * program gets as EINTR is ERESTART in the file.
 */
TEST_F(psig, call_that_is_interrupted_is_erestart_or_eintr)
{
	struct interrupted i = { .flags = 0 };
	struct records records;
	int error;

	interrupt(&self->trace, &i, &records);
	error = first_error(&records, i.pipe[0]);
	EXPECT_TRUE(error == EINTR || error == KTR_ERESTART);
}

RUN_TESTS
