// SPDX-License-Identifier: GPL-2.0-only
/* 32-bit programs, traced by a 64-bit one. */
#include "harness.h"

#include <sys/stat.h>

FIXTURE(compat)
{
	struct trace trace;
	struct records records;
};
FIXTURE_SETUP(compat)
{
	trace_init(&self->trace);
}
FIXTURE_TEARDOWN(compat)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

/* Numbers of i386. */
enum { getppid32 = 64, access32 = 33, write32 = 4, writev32 = 146, lseek32 = 19,
       close32 = 6, exit_group32 = 252, getpid32 = 20, execve32 = 11 };

static const char *tracee32, *tracee64;

static int exec_arguments(void *arg)
{
	char *const envp[] = { NULL };
	char *const *argv = arg;

	execve(argv[0], argv, envp);
	return errno;
}

/* Traces a program with its arguments. */
static void trace_program(struct trace *trace, struct records *ret, const char *const *argv)
{
	trace_body(trace, EVERYTHING, exec_arguments, (void *)argv, ret);
}

#define TRACE(...)                                                             \
	do {                                                                   \
		tracee32 = program_path("tracee32");                           \
		tracee64 = program_path("tracee64");                           \
		trace_program(&self->trace, &self->records,                    \
			      (const char *const[]){ __VA_ARGS__, NULL });     \
	} while (0)

/* The second PROCCTOR: that of the exec. */
static const struct record *after_exec(const struct records *records)
{
	const struct record *r = next_record(records, NULL, KTR_PROCCTOR, 0);

	require(r);
	r = next_record(records, r, KTR_PROCCTOR, 0);
	require(r);
	return r;
}

TEST_F(compat, exec_has_a_procctor_of_the_32_bit_table)
{
	TRACE(program_path("tracee32"), "nothing");
	EXPECT_EQ(KTR_SV_LINUX64 | KTR_SV_NATIVE, ctor_flags(self->records.at));
	EXPECT_EQ(KTR_SV_LINUX32 | KTR_SV_NATIVE, ctor_flags(after_exec(&self->records)));
	EXPECT_EQ(0x80000103u, ctor_flags(after_exec(&self->records)));
}

TEST_F(compat, calls_have_the_numbers_of_i386)
{
	const struct record *call;

	TRACE(program_path("tracee32"), "calls", "/tmp");
	call = next_call(&self->records, after_exec(&self->records), 0, getppid32);
	ASSERT_NE(NULL, call);
	EXPECT_EQ(KTR_SV_LINUX32, call_abi(call));
	EXPECT_EQ(0, call_narg(call));
	call = next_call(&self->records, call, 0, lseek32);
	ASSERT_NE(NULL, call);
	EXPECT_EQ(3, call_narg(call));
	EXPECT_EQ(5, call_arg(call, 1));
	ASSERT_NE(NULL, next_call(&self->records, call, 0, exit_group32));
}

TEST_F(compat, arguments_are_zero_extended)
{
	const struct record *call;

	TRACE(program_path("tracee32"), "calls", "/tmp");
	call = after_exec(&self->records);
	do
		call = next_call(&self->records, call, 0, close32);
	while (call && call_arg(call, 0) < 100);
	ASSERT_NE(NULL, call);
	EXPECT_EQ(0xffffffffull, call_arg(call, 0));
}

TEST_F(compat, returns_have_values_and_errors)
{
	const struct record *r;

	TRACE(program_path("tracee32"), "calls", "/tmp");
	r = next_return(&self->records, after_exec(&self->records), 0, getppid32);
	EXPECT_EQ(getpid(), sysret_of(r).ktr_retval);
	r = next_return(&self->records, r, 0, close32);
	EXPECT_EQ(EBADF, sysret_of(r).ktr_error);
}

TEST_F(compat, path_is_recorded)
{
	const struct record *r;
	char text[] = "/tmp/a path of a 32-bit program";

	TRACE(program_path("tracee32"), "calls", text);
	r = next_call(&self->records, after_exec(&self->records), 0, access32);
	ASSERT_NE(NULL, r);
	EXPECT_TRUE(is_path(r + 1, text));
}

TEST_F(compat, data_is_recorded)
{
	const struct record *r;

	TRACE(program_path("tracee32"), "calls", "/tmp");
	r = next_call(&self->records, after_exec(&self->records), 0, write32);
	ASSERT_NE(NULL, r);
	EXPECT_TRUE(genio_is(r + 1, call_arg(r, 0), KTR_UIO_WRITE, "some bytes", 10));
	r = next_call(&self->records, r, 0, writev32);
	ASSERT_NE(NULL, r);
	EXPECT_TRUE(genio_is(r + 1, call_arg(r, 0), KTR_UIO_WRITE, "two pieces", 10));
}

TEST_F(compat, exec_of_64_bit_and_back_changes_the_table)
{
	const struct record *ctor;

	TRACE(program_path("tracee32"), "exec", program_path("tracee64"), "calls", "/tmp");
	ctor = after_exec(&self->records);
	EXPECT_EQ(KTR_SV_LINUX32 | KTR_SV_NATIVE, ctor_flags(ctor));
	ctor = next_record(&self->records, ctor, KTR_PROCCTOR, 0);
	EXPECT_EQ(KTR_SV_LINUX64 | KTR_SV_NATIVE, ctor_flags(ctor));
	EXPECT_NE(NULL, next_call(&self->records, ctor, 0, SYS_getppid));
	EXPECT_EQ(KTR_SV_LINUX64,
		  call_abi(next_call(&self->records, ctor, 0, SYS_getppid)));
}

/* By then the process has the other table, as its PROCCTOR before this has said. */
TEST_F(compat, return_of_an_exec_into_32_bit_is_in_the_32_bit_table)
{
	struct ktr_sysret ret;

	TRACE(program_path("tracee32"), "nothing");
	ret = sysret_of(next_record(&self->records, after_exec(&self->records), KTR_SYSRET, 0));
	EXPECT_EQ(execve32, ret.ktr_code);
	EXPECT_EQ(KTR_SV_LINUX32, (uint32_t)ret.ktr_abi);
	EXPECT_EQ(KTR_EJUSTRETURN, ret.ktr_error);
}

TEST_F(compat, return_of_an_exec_into_64_bit_is_in_the_64_bit_table)
{
	const struct record *ctor;
	struct ktr_sysret ret;

	TRACE(program_path("tracee32"), "exec", program_path("tracee64"), "nothing");
	ctor = next_record(&self->records, after_exec(&self->records), KTR_PROCCTOR, 0);
	ret = sysret_of(next_record(&self->records, ctor, KTR_SYSRET, 0));
	EXPECT_EQ(SYS_execve, ret.ktr_code);
	EXPECT_EQ(KTR_SV_LINUX64, (uint32_t)ret.ktr_abi);
	EXPECT_EQ(KTR_EJUSTRETURN, ret.ktr_error);
}

static int call_through_int80(void *arg)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "0"(getpid32) : "memory");
	return ret != getpid();
}

TEST_F(compat, int_0x80_of_a_64_bit_program_is_of_the_32_bit_table)
{
	const struct record *r;

	trace_body(&self->trace, EVERYTHING, call_through_int80, NULL, &self->records);
	r = next_call(&self->records, NULL, 0, getpid32);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(KTR_SV_LINUX32, call_abi(r));
	EXPECT_EQ(0, call_narg(r));
	r = next_return(&self->records, r, 0, getpid32);
	EXPECT_EQ(KTR_SV_LINUX32, (uint32_t)sysret_of(r).ktr_abi);
}

static int wait_for_program(void *arg)
{
	exec_arguments(arg);
	return 98;
}

TEST_F(compat, signal_that_ends_a_32_bit_program_is_recorded)
{
	const char *argv[] = { program_path("tracee32"), "fault", NULL };
	struct tracee child;
	int status;

	tracee_fork(&child, wait_for_program, argv);
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, child.pid));
	tracee_release(&child);
	status = tracee_reap(&child);
	EXPECT_EQ(11, WTERMSIG(status));
	records_read(&self->records, self->trace.file);
	EXPECT_EQ(11, psig_of(next_record(&self->records, NULL, KTR_PSIG, 0)).signo);
}

RUN_TESTS
