// SPDX-License-Identifier: GPL-2.0-only
/* From when until when a process is traced, to which file; and that it does not notice. */
#include "harness.h"

#include <signal.h>
#include <sys/ptrace.h>

FIXTURE_WITH_TRACE(lifecycle)

/* --- a child that makes calls when it is told to --- */

struct stepper {
	pid_t pid;
	int to, from;
};

/* Not the end of the pipe: another stepper may hold that open. */
#define STOP (~0u)

static void serve(int from, int to)
{
	unsigned int calls;

	while (read(from, &calls, sizeof(calls)) == sizeof(calls) && calls != STOP) {
		call_getppid(calls);
		require(write(to, "", 1) == 1);
	}
	_exit(0);
}

static void stepper_start(struct stepper *stepper)
{
	int to[2], from[2];

	require(pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0);
	fflush(NULL);
	stepper->pid = fork();
	require(stepper->pid >= 0);
	if (stepper->pid == 0) {
		close(to[1]);
		close(from[0]);
		serve(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	stepper->to = to[1];
	stepper->from = from[0];
}

/* Returns when it has made that many calls of getppid(2). */
static void step(const struct stepper *stepper, unsigned int calls)
{
	char byte;

	require(write(stepper->to, &calls, sizeof(calls)) == sizeof(calls));
	require(read(stepper->from, &byte, 1) == 1);
}

static void stepper_end(struct stepper *stepper)
{
	const unsigned int stop = STOP;
	int status;

	require(write(stepper->to, &stop, sizeof(stop)) == sizeof(stop));
	close(stepper->to);
	require(waitpid(stepper->pid, &status, 0) == stepper->pid && status == 0);
	close(stepper->from);
}

TEST_F(lifecycle, process_group_is_traced_as_a_whole)
{
	struct stepper first, second, other;

	stepper_start(&first);
	stepper_start(&second);
	stepper_start(&other);
	ASSERT_EQ(0, setpgid(first.pid, first.pid));
	ASSERT_EQ(0, setpgid(second.pid, first.pid));
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, -first.pid));
	step(&first, 7);
	step(&second, 8);
	step(&other, 9);
	stepper_end(&first);
	stepper_end(&second);
	EXPECT_EQ(7, calls_in(self->trace.file, first.pid));
	EXPECT_EQ(8, calls_in(self->trace.file, second.pid));
	EXPECT_EQ(15, calls_in(self->trace.file, 0));
	stepper_end(&other);
}

/* --- from when until when --- */

static int call_nothing(void *arg)
{
	return 0;
}

TEST_F(lifecycle, clear_returns_when_the_file_is_complete)
{
	struct stepper child;
	int round;

	stepper_start(&child);
	for (round = 1; round <= 20; round++) {
		ASSERT_EQ(0, attach(&self->trace, CALLS, child.pid));
		step(&child, 100);
		ASSERT_EQ(0, ktrace(NULL, KTROP_CLEAR, CALLS, child.pid));
		ASSERT_EQ(100 * round, calls_in(self->trace.file, child.pid));
	}
	stepper_end(&child);
}

TEST_F(lifecycle, clear_stops_tracing)
{
	struct stepper child;
	long size;

	stepper_start(&child);
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, child.pid));
	step(&child, 10);
	ASSERT_EQ(0, ktrace(NULL, KTROP_CLEAR, EVERYTHING, child.pid));
	size = file_size(self->trace.file);
	step(&child, 10);
	stepper_end(&child);
	EXPECT_EQ(size, file_size(self->trace.file));
}

TEST_F(lifecycle, clear_of_one_facility_leaves_the_others)
{
	struct stepper child;
	struct records records;

	stepper_start(&child);
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, child.pid));
	ASSERT_EQ(0, ktrace(NULL, KTROP_CLEAR, KTRFAC_SYSRET | KTRFAC_GENIO, child.pid));
	step(&child, 10);
	stepper_end(&child);
	records_read(&records, self->trace.file);
	EXPECT_EQ(10, count_calls(&records, 0, SYS_getppid));
	EXPECT_EQ(0, count_returns(&records, 0, SYS_getppid));
	EXPECT_EQ(1, count_records(&records, KTR_PROCDTOR, 0));
}

TEST_F(lifecycle, set_adds_facilities)
{
	struct stepper child;
	struct records records;

	stepper_start(&child);
	ASSERT_EQ(0, attach(&self->trace, KTRFAC_SYSCALL, child.pid));
	ASSERT_EQ(0, attach(&self->trace, KTRFAC_SYSRET, child.pid));
	step(&child, 10);
	stepper_end(&child);
	records_read(&records, self->trace.file);
	EXPECT_EQ(10, count_calls(&records, 0, SYS_getppid));
	EXPECT_EQ(10, count_returns(&records, 0, SYS_getppid));
}

TEST_F(lifecycle, clearfile_stops_all_that_trace_to_the_file)
{
	const char *other = make_file(trace_path(&self->trace, "other"), 0600);
	struct stepper child[3];
	size_t i;

	for (i = 0; i < 3; i++) {
		stepper_start(&child[i]);
		ASSERT_EQ(0, ktrace(i < 2 ? self->trace.file : other, KTROP_SET, EVERYTHING,
				    child[i].pid));
		step(&child[i], 10);
	}
	ASSERT_EQ(0, ktrace(self->trace.file, KTROP_CLEARFILE, 0, 0));
	EXPECT_EQ(20, calls_in(self->trace.file, 0));
	for (i = 0; i < 3; i++) {
		step(&child[i], 10);
		stepper_end(&child[i]);
	}
	EXPECT_EQ(20, calls_in(self->trace.file, 0));
	EXPECT_EQ(20, calls_in(other, 0));
}

TEST_F(lifecycle, set_to_a_second_file_moves_the_process)
{
	const char *second = make_file(trace_path(&self->trace, "second"), 0600);
	struct stepper child;
	struct records records;

	stepper_start(&child);
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, child.pid));
	step(&child, 10);
	ASSERT_EQ(0, ktrace(second, KTROP_SET, EVERYTHING, child.pid));
	EXPECT_EQ(10, calls_in(self->trace.file, 0));
	step(&child, 5);
	stepper_end(&child);
	EXPECT_EQ(10, calls_in(self->trace.file, 0));
	EXPECT_EQ(5, calls_in(second, 0));
	records_read(&records, second);
	EXPECT_EQ(KTR_PROCCTOR, records.at[0].type);
}

TEST_F(lifecycle, calls_on_one_file_join)
{
	struct stepper first, second;

	stepper_start(&first);
	stepper_start(&second);
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, first.pid));
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, second.pid));
	step(&first, 10);
	step(&second, 5);
	step(&first, 10);
	stepper_end(&first);
	stepper_end(&second);
	EXPECT_EQ(20, calls_in(self->trace.file, first.pid));
	EXPECT_EQ(5, calls_in(self->trace.file, second.pid));
}

TEST_F(lifecycle, trace_is_appended_to_what_is_there)
{
	struct tracee child;
	char text[9] = "";
	int fd;

	write_file(self->trace.file, "existing");
	tracee_fork(&child, call_nothing, NULL);
	ASSERT_EQ(0, attach(&self->trace, LIVES, child.pid));
	tracee_finish(&child);
	fd = open(self->trace.file, O_RDONLY | O_CLOEXEC);
	EXPECT_EQ(8, read(fd, text, 8));
	EXPECT_STREQ("existing", text);
	EXPECT_LT(8, file_size(self->trace.file));
	close(fd);
}

TEST_F(lifecycle, process_can_be_ptraced_meanwhile)
{
	struct tracee child;
	int status;

	tracee_start(&child, NULL);
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, child.pid));
	ASSERT_EQ(0, ptrace(PTRACE_ATTACH, child.pid, NULL, NULL));
	ASSERT_EQ(child.pid, waitpid(child.pid, &status, 0));
	EXPECT_TRUE(WIFSTOPPED(status));
	EXPECT_EQ(0, ptrace(PTRACE_DETACH, child.pid, NULL, NULL));
	tracee_kill(&child);
}

TEST_F(lifecycle, ptraced_process_can_be_traced)
{
	struct tracee child;
	int status;

	tracee_start(&child, NULL);
	ASSERT_EQ(0, ptrace(PTRACE_ATTACH, child.pid, NULL, NULL));
	ASSERT_EQ(child.pid, waitpid(child.pid, &status, 0));
	EXPECT_EQ(0, attach(&self->trace, EVERYTHING, child.pid));
	tracee_kill(&child);
}

/* --- nothing else changes --- */

static int exit_37(void *arg)
{
	return 37;
}

static int be_aborted(void *arg)
{
	raise(SIGKILL);
	return 0;
}

static int report_child(void *arg)
{
	siginfo_t info;
	pid_t pid = fork();

	if (pid == 0)
		_exit(3);
	require(waitid(P_PID, pid, &info, WEXITED) == 0);
	return info.si_code == CLD_EXITED && info.si_status == 3 && info.si_pid == pid ? 0 : 1;
}

static int traced_status(struct trace *trace, int (*body)(void *))
{
	struct tracee child;

	tracee_fork(&child, body, NULL);
	require(attach(trace, EVERYTHING | INHERIT, child.pid) == 0);
	tracee_release(&child);
	return tracee_reap(&child);
}

TEST_F(lifecycle, exit_status_is_the_same)
{
	EXPECT_EQ(37 << 8, traced_status(&self->trace, exit_37));
	EXPECT_EQ(SIGKILL, traced_status(&self->trace, be_aborted));
	EXPECT_EQ(0, traced_status(&self->trace, report_child));
}

RUN_TESTS
