// SPDX-License-Identifier: GPL-2.0-only
/* What exec does to tracing: goes on, except where the program gets more rights. */
#include "harness.h"

#include <linux/capability.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

FIXTURE(exec)
{
	struct trace trace;
	struct records records;
	char program[160]; /* a copy of tracee64 in the trace's folder */
};

static void copy_program(const char *from, const char *to)
{
	static char bytes[1 << 16];
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	ssize_t got;

	require(in >= 0 && out >= 0);
	while ((got = read(in, bytes, sizeof(bytes))) > 0)
		require(write(out, bytes, got) == got);
	require(got == 0);
	close(in);
	close(out);
}

FIXTURE_SETUP(exec)
{
	trace_init(&self->trace);
	ASSERT_EQ(0, chmod(self->trace.file, 0666));
	snprintf(self->program, sizeof(self->program), "%s/program", self->trace.dir);
	copy_program(program_path("tracee64"), self->program);
	ASSERT_EQ(0, chmod(self->program, 0755));
}
FIXTURE_TEARDOWN(exec)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

static void exec_calls(const char *program)
{
	char *const argv[] = { (char *)program, "calls", "/tmp", NULL };
	char *const envp[] = { NULL };

	execve(program, argv, envp);
}

static int exec_it(void *arg)
{
	exec_calls(arg);
	return errno;
}

/* The number of system calls that the new image's main() makes of one kind. */
#define CALLS_AFTER_EXEC(records) count_calls(records, 0, SYS_getppid)

/* --- goes on --- */

TEST_F(exec, traced_process_stays_traced)
{
	trace_body(&self->trace, EVERYTHING, exec_it, self->program, &self->records);
	EXPECT_EQ(1, CALLS_AFTER_EXEC(&self->records));
	EXPECT_EQ(2, count_records(&self->records, KTR_PROCCTOR, 0));
	EXPECT_EQ(1, count_records(&self->records, KTR_PROCDTOR, 0));
}

TEST_F(exec, success_is_ejustreturn)
{
	trace_body(&self->trace, EVERYTHING, exec_it, self->program, &self->records);
	EXPECT_EQ(KTR_EJUSTRETURN,
		  sysret_of(next_return(&self->records, NULL, 0, SYS_execve)).ktr_error);
}

TEST_F(exec, name_is_that_of_the_new_program)
{
	const struct record *r;

	trace_body(&self->trace, EVERYTHING, exec_it, self->program, &self->records);
	r = next_call(&self->records, NULL, 0, SYS_getppid);
	ASSERT_NE(NULL, r);
	EXPECT_STREQ("program", r->comm);
}

static int exec_what_is_missing(void *arg)
{
	exec_calls("/nonexistent");
	return errno != ENOENT;
}

TEST_F(exec, failure_changes_nothing)
{
	trace_body(&self->trace, EVERYTHING, exec_what_is_missing, NULL, &self->records);
	EXPECT_EQ(1, count_records(&self->records, KTR_PROCCTOR, 0));
	EXPECT_EQ(ENOENT,
		  sysret_of(next_return(&self->records, NULL, 0, SYS_execve)).ktr_error);
	EXPECT_EQ(KTR_PROCDTOR, self->records.at[self->records.count - 1].type);
}

struct own_trace {
	const struct trace *trace;
	const char *program;
};

static int trace_oneself_and_exec(void *arg)
{
	const struct own_trace *own = arg;

	if (attach(own->trace, EVERYTHING, getpid()) != 0)
		return 100;
	exec_calls(own->program);
	return errno;
}

TEST_F(exec, process_can_trace_itself_and_exec)
{
	struct own_trace own = { &self->trace, self->program };

	EXPECT_EQ(0, run_as(USER_ID, trace_oneself_and_exec, &own));
	records_read(&self->records, self->trace.file);
	EXPECT_EQ(1, CALLS_AFTER_EXEC(&self->records));
	EXPECT_EQ(KTR_PROCCTOR, self->records.at[0].type);
	EXPECT_EQ(KTR_PROCDTOR, self->records.at[self->records.count - 1].type);
}

static void *exec_in_thread(void *arg)
{
	exec_calls(arg);
	return NULL;
}

static int exec_from_a_thread(void *arg)
{
	pthread_t thread;

	require(pthread_create(&thread, NULL, exec_in_thread, arg) == 0);
	return wait_for_ever(NULL);
}

/* The thread becomes the process: pid and tid are one from then on. */
TEST_F(exec, thread_that_execs_becomes_the_leader)
{
	const struct record *r;
	pid_t pid;

	pid = trace_body(&self->trace, EVERYTHING, exec_from_a_thread, self->program,
			 &self->records);
	r = next_call(&self->records, NULL, 0, SYS_getppid);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(pid, r->pid);
	EXPECT_EQ(pid, r->tid);
	EXPECT_EQ(1, count_records(&self->records, KTR_PROCDTOR, 0));
	EXPECT_EQ(KTR_PROCDTOR, self->records.at[self->records.count - 1].type);
}

/* The threads that such an exec ends get no signal that anybody sent. */
TEST_F(exec, exec_in_a_thread_makes_no_psig)
{
	trace_body(&self->trace, EVERYTHING, exec_from_a_thread, self->program, &self->records);
	EXPECT_EQ(0, count_records(&self->records, KTR_PSIG, 0));
}

/* --- ends --- */

FIXTURE(gaining_exec)
{
	struct trace trace;
	struct records records;
	char program[160];
};
FIXTURE_VARIANT(gaining_exec)
{
	uid_t uid; /* owner of the program */
	gid_t gid;
	mode_t mode;
	bool capability;
};
FIXTURE_VARIANT_ADD(gaining_exec, set_uid_root){ .uid = 0, .mode = 04755 };
FIXTURE_VARIANT_ADD(gaining_exec, set_uid_other){ .uid = OTHER_ID, .mode = 04755 };
FIXTURE_VARIANT_ADD(gaining_exec, set_gid){ .uid = USER_ID, .gid = OTHER_ID, .mode = 02755 };
FIXTURE_VARIANT_ADD(gaining_exec, file_capability){ .mode = 0755, .capability = true };

FIXTURE_SETUP(gaining_exec)
{
	struct vfs_cap_data data = {
		.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
		.data[0].permitted = 1 << CAP_NET_RAW,
	};

	trace_init(&self->trace);
	ASSERT_EQ(0, chmod(self->trace.file, 0666));
	snprintf(self->program, sizeof(self->program), "%s/program", self->trace.dir);
	copy_program(program_path("tracee64"), self->program);
	ASSERT_EQ(0, chown(self->program, variant->uid, variant->gid));
	ASSERT_EQ(0, chmod(self->program, variant->mode));
	if (variant->capability)
		ASSERT_EQ(0, setxattr(self->program, "security.capability", &data, sizeof(data),
				      0));
}
FIXTURE_TEARDOWN(gaining_exec)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

TEST_F(gaining_exec, ends_tracing_by_an_ordinary_user)
{
	struct own_trace own = { &self->trace, self->program };

	EXPECT_EQ(0, run_as(USER_ID, trace_oneself_and_exec, &own));
	records_read(&self->records, self->trace.file);
	EXPECT_EQ(0, CALLS_AFTER_EXEC(&self->records));
	EXPECT_EQ(1, count_records(&self->records, KTR_PROCCTOR, 0));
}

/* Nothing of the new image, and nothing about it: the file ends in the middle of execve. */
TEST_F(gaining_exec, leaves_execve_as_the_last_call_in_the_file)
{
	struct own_trace own = { &self->trace, self->program };
	const struct record *call, *r;

	EXPECT_EQ(0, run_as(USER_ID, trace_oneself_and_exec, &own));
	records_read(&self->records, self->trace.file);
	call = next_call(&self->records, NULL, 0, SYS_execve);
	ASSERT_NE(NULL, call);
	for (r = call + 1; r < self->records.at + self->records.count; r++)
		EXPECT_EQ(KTR_NAMEI, r->type);
}

static int user_that_execs(void *arg)
{
	become_user(USER_ID);
	exec_calls(arg);
	return errno;
}

TEST_F(gaining_exec, does_not_end_tracing_by_root)
{
	trace_body(&self->trace, EVERYTHING, user_that_execs, self->program, &self->records);
	EXPECT_EQ(1, CALLS_AFTER_EXEC(&self->records));
	EXPECT_EQ(KTR_PROCDTOR, self->records.at[self->records.count - 1].type);
}

static int user_that_execs_without_new_rights(void *arg)
{
	require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	return trace_oneself_and_exec(arg);
}

TEST_F(exec, set_uid_program_that_gains_nothing_stays_traced)
{
	struct own_trace own = { &self->trace, self->program };

	ASSERT_EQ(0, chown(self->program, OTHER_ID, OTHER_ID));
	ASSERT_EQ(0, chmod(self->program, 06755));
	EXPECT_EQ(0, run_as(USER_ID, user_that_execs_without_new_rights, &own));
	records_read(&self->records, self->trace.file);
	EXPECT_EQ(1, CALLS_AFTER_EXEC(&self->records));
}

TEST_F(exec, set_uid_program_of_the_user_does_not_end_tracing)
{
	struct own_trace own = { &self->trace, self->program };

	ASSERT_EQ(0, chown(self->program, USER_ID, USER_ID));
	ASSERT_EQ(0, chmod(self->program, 06755));
	EXPECT_EQ(0, run_as(USER_ID, trace_oneself_and_exec, &own));
	records_read(&self->records, self->trace.file);
	EXPECT_EQ(1, CALLS_AFTER_EXEC(&self->records));
}

/* What may be executed but not read is not to be read through a trace either. */
TEST_F(exec, program_that_the_user_may_not_read_ends_tracing)
{
	struct own_trace own = { &self->trace, self->program };

	ASSERT_EQ(0, chmod(self->program, 0711));
	EXPECT_EQ(0, run_as(USER_ID, trace_oneself_and_exec, &own));
	records_read(&self->records, self->trace.file);
	EXPECT_EQ(0, CALLS_AFTER_EXEC(&self->records));
	EXPECT_EQ(1, count_records(&self->records, KTR_PROCCTOR, 0));
}

RUN_TESTS
