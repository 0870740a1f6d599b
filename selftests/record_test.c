// SPDX-License-Identifier: GPL-2.0-only
/*
 * Headers, system calls, paths, the beginning and the end of a process, utrace(2), and
 * the order of all that.
 */
#include "harness.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

FIXTURE_WITH_TRACE(record)

/* --- both headers --- */

FIXTURE(header)
{
	struct trace trace;
	struct records records;
	pid_t pid;
};
FIXTURE_VARIANT(header)
{
	int version;
	size_t size;
};
FIXTURE_VARIANT_ADD(header, v0){ KTRFACv0, 56 };
FIXTURE_VARIANT_ADD(header, v1){ KTRFACv1, 64 };

/* The second name is shorter: what it leaves of the first must not be in the file. */
static int rename_oneself(void *arg)
{
	cpu_set_t last;

	CPU_ZERO(&last);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &last);
	require(sched_setaffinity(0, sizeof(last), &last) == 0);
	require(prctl(PR_SET_NAME, "fifteen letters") == 0);
	require(prctl(PR_SET_NAME, "two") == 0);
	call_getppid(1);
	return 0;
}

FIXTURE_SETUP(header)
{
	trace_init(&self->trace);
	self->pid = trace_body(&self->trace, EVERYTHING | variant->version,
			       rename_oneself, NULL, &self->records);
}
FIXTURE_TEARDOWN(header)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

TEST_F(header, version_is_the_one_asked_for)
{
	size_t i;

	for (i = 0; i < self->records.count; i++)
		ASSERT_EQ(variant->version == KTRFACv1, self->records.at[i].versioned);
	ASSERT_EQ(64, sizeof(struct ktr_header_v1));
	ASSERT_EQ(56, sizeof(struct ktr_header));
}

TEST_F(header, file_is_whole_records_and_nothing_else)
{
	size_t expected = 0;
	size_t i;

	for (i = 0; i < self->records.count; i++)
		expected += variant->size + self->records.at[i].length;
	EXPECT_LT(8, self->records.count);
	EXPECT_EQ(0, self->records.torn);
	EXPECT_EQ(expected, self->records.size);
}

TEST_F(header, pid_and_tid_are_those_of_the_process)
{
	size_t i;

	for (i = 0; i < self->records.count; i++) {
		ASSERT_EQ(self->pid, self->records.at[i].pid);
		ASSERT_EQ(self->pid, self->records.at[i].tid);
	}
}

TEST_F(header, name_is_the_one_at_that_time)
{
	const struct record *r = next_call(&self->records, NULL, 0, SYS_getppid);

	ASSERT_NE(NULL, r);
	EXPECT_STREQ("two", r->comm);
	r = next_return(&self->records, NULL, 0, SYS_prctl);
	ASSERT_NE(NULL, r);
	EXPECT_STREQ("fifteen letters", r->comm);
}

TEST_F(header, nothing_stale_is_behind_the_name)
{
	size_t i;

	for (i = 0; i < self->records.count; i++)
		ASSERT_TRUE(self->records.at[i].padded);
}

TEST_F(header, processor_is_the_one_it_ran_on)
{
	const struct record *r = next_call(&self->records, NULL, 0, SYS_getppid);

	ASSERT_NE(NULL, r);
	EXPECT_EQ(variant->version ? sysconf(_SC_NPROCESSORS_ONLN) - 1 : -1, r->cpu);
}

TEST_F(header, time_is_the_time_of_day)
{
	struct timespec now;
	uint64_t ns;

	clock_gettime(CLOCK_REALTIME, &now);
	ns = now.tv_sec * 1000000000ull + now.tv_nsec;
	ASSERT_LT(0, self->records.count);
	/* the child lived less than some minutes ago; and not in the future, but for the
	 * microseconds between two ways to read a clock */
	EXPECT_GT(ns + 1000000, self->records.at[0].ns);
	EXPECT_LT(ns - 600 * 1000000000ull, self->records.at[0].ns);
}

/* --- SYSCALL and SYSRET --- */

static int make_calls(void *arg)
{
	syscall(SYS_getppid);
	syscall(SYS_lseek, 1000, 0x123456789abll, 7);
	syscall(SYS_close, -1);
	syscall(SYS_mmap, 0x1111, 0x2222, 0x3333, 0x4444, 0x5555, 0x6666);
	syscall(SYS_gettid);
	return 0;
}

TEST_F(record, call_has_as_many_arguments_as_the_system_call)
{
	struct records records;

	trace_body(&self->trace, CALLS, make_calls, NULL, &records);
	EXPECT_EQ(0, call_narg(next_call(&records, NULL, 0, SYS_getppid)));
	EXPECT_EQ(3, call_narg(next_call(&records, NULL, 0, SYS_lseek)));
	EXPECT_EQ(6, call_narg(next_call(&records, NULL, 0, SYS_mmap)));
	EXPECT_EQ(1, call_narg(next_call(&records, NULL, 0, SYS_exit_group)));
}

TEST_F(record, call_has_the_arguments)
{
	const struct record *call;
	struct records records;
	unsigned int i;

	trace_body(&self->trace, CALLS, make_calls, NULL, &records);
	call = next_call(&records, NULL, 0, SYS_lseek);
	EXPECT_EQ(1000, call_arg(call, 0));
	EXPECT_EQ(0x123456789abll, call_arg(call, 1));
	EXPECT_EQ(7, call_arg(call, 2));
	call = next_call(&records, NULL, 0, SYS_mmap);
	for (i = 0; i < 6; i++)
		EXPECT_EQ(0x1111 * (i + 1), call_arg(call, i));
}

TEST_F(record, call_is_of_the_64_bit_table)
{
	struct records records;

	trace_body(&self->trace, CALLS, make_calls, NULL, &records);
	EXPECT_EQ(KTR_SV_LINUX64, call_abi(next_call(&records, NULL, 0, SYS_getppid)));
	EXPECT_EQ(KTR_SV_LINUX64,
		  (uint32_t)sysret_of(next_return(&records, NULL, 0, SYS_getppid)).ktr_abi);
}

TEST_F(record, return_has_the_value)
{
	struct ktr_sysret ret;
	struct records records;

	trace_body(&self->trace, CALLS, make_calls, NULL, &records);
	ret = sysret_of(next_return(&records, NULL, 0, SYS_getppid));
	EXPECT_EQ(0, ret.ktr_error);
	EXPECT_EQ(getpid(), ret.ktr_retval);
}

TEST_F(record, return_has_the_error)
{
	struct ktr_sysret ret;
	struct records records;

	trace_body(&self->trace, CALLS, make_calls, NULL, &records);
	ret = sysret_of(next_return(&records, NULL, 0, SYS_close));
	/* the first close(2) is that of the start pipe */
	EXPECT_EQ(0, ret.ktr_error);
	ret = sysret_of(next_return(&records, next_return(&records, NULL, 0, SYS_close), 0,
				    SYS_close));
	EXPECT_EQ(EBADF, ret.ktr_error);
	EXPECT_EQ(0, ret.ktr_retval);
}

static int call_unknown(void *arg)
{
	syscall(9999, 1, 2, 3);
	return 0;
}

TEST_F(record, unknown_number_is_recorded_with_enosys)
{
	struct records records;

	trace_body(&self->trace, CALLS, call_unknown, NULL, &records);
	ASSERT_NE(NULL, next_call(&records, NULL, 0, 9999));
	EXPECT_EQ(ENOSYS, sysret_of(next_return(&records, NULL, 0, 9999)).ktr_error);
}

TEST_F(record, facilities_that_are_not_asked_for_are_not_recorded)
{
	struct records records;

	trace_body(&self->trace, KTRFAC_SYSCALL, make_calls, NULL, &records);
	EXPECT_LT(5, records.count);
	EXPECT_EQ(records.count, count_records(&records, KTR_SYSCALL, 0));
}

/* --- PROCCTOR and PROCDTOR --- */

TEST_F(record, first_record_is_procctor)
{
	struct records records;

	trace_body(&self->trace, EVERYTHING, make_calls, NULL, &records);
	EXPECT_EQ(KTR_SV_LINUX64 | KTR_SV_NATIVE, ctor_flags(records.at));
	EXPECT_EQ(1, count_records(&records, KTR_PROCCTOR, 0));
}

TEST_F(record, last_record_is_procdtor)
{
	struct records records;

	trace_body(&self->trace, EVERYTHING, make_calls, NULL, &records);
	EXPECT_EQ(KTR_PROCDTOR, records.at[records.count - 1].type);
	EXPECT_EQ(0, records.at[records.count - 1].length);
	EXPECT_EQ(1, count_records(&records, KTR_PROCDTOR, 0));
}

TEST_F(record, exit_has_a_call_and_no_return)
{
	struct records records;

	trace_body(&self->trace, EVERYTHING, make_calls, NULL, &records);
	EXPECT_EQ(1, count_calls(&records, 0, SYS_exit_group));
	EXPECT_EQ(0, count_returns(&records, 0, SYS_exit_group));
}

/* --- USER --- */

static char user_bytes[KTR_USER_MAXLEN + 1] = "what a program says";

static int say(void *arg)
{
	return utrace(user_bytes, *(size_t *)arg) == 0 ? 0 : errno;
}

static int say_nothing_readable(void *arg)
{
	return utrace(bad_address(), 16) == 0 ? 0 : errno;
}

/* The exit status of a traced child, which is an errno. */
static int traced_error(struct trace *trace, int trpoints, int (*body)(void *), void *arg)
{
	struct tracee child;

	tracee_fork(&child, body, arg);
	require(attach(trace, trpoints, child.pid) == 0);
	tracee_release(&child);
	return exit_code(tracee_reap(&child));
}

TEST_F(record, user_has_the_bytes)
{
	size_t length = strlen(user_bytes);
	struct records records;
	const struct record *r;

	trace_body(&self->trace, KTRFAC_USER, say, &length, &records);
	ASSERT_EQ(1, records.count);
	r = records.at;
	EXPECT_EQ(KTR_USER, r->type);
	ASSERT_EQ(length, r->length);
	EXPECT_EQ(0, memcmp(user_bytes, r->data, length));
}

TEST_F(record, user_of_the_greatest_length_is_recorded)
{
	size_t length = KTR_USER_MAXLEN;
	struct records records;

	trace_body(&self->trace, KTRFAC_USER, say, &length, &records);
	ASSERT_EQ(1, records.count);
	EXPECT_EQ(KTR_USER_MAXLEN, records.at->length);
}

TEST_F(record, user_of_no_bytes_is_recorded)
{
	size_t length = 0;
	struct records records;

	trace_body(&self->trace, KTRFAC_USER, say, &length, &records);
	ASSERT_EQ(1, records.count);
	EXPECT_EQ(0, records.at->length);
}

TEST_F(record, user_that_is_too_long_is_einval)
{
	size_t length = KTR_USER_MAXLEN + 1;

	EXPECT_EQ(EINVAL, traced_error(&self->trace, KTRFAC_USER, say, &length));
}

TEST_F(record, user_with_a_bad_address_is_efault)
{
	EXPECT_EQ(EFAULT, traced_error(&self->trace, KTRFAC_USER, say_nothing_readable, NULL));
}

TEST_F(record, utrace_succeeds_when_user_is_not_traced)
{
	size_t length = KTR_USER_MAXLEN + 1;

	EXPECT_EQ(0, traced_error(&self->trace, CALLS, say, &length));
	EXPECT_EQ(0, traced_error(&self->trace, CALLS, say_nothing_readable, NULL));
}

/* --- order --- */

static int open_and_read(void *arg)
{
	int fd = syscall(SYS_open, arg, O_RDONLY);
	char byte;

	require(read(fd, &byte, 1) == 1);
	return 0;
}

TEST_F(record, order_is_call_path_return_call_data_return)
{
	static const unsigned int expected[] = { KTR_SYSCALL, KTR_NAMEI,  KTR_SYSRET,
						 KTR_SYSCALL, KTR_GENIO,  KTR_SYSRET };
	const struct record *r;
	struct records records;
	size_t i;

	trace_body(&self->trace, EVERYTHING, open_and_read, "/etc/passwd", &records);
	r = next_call(&records, NULL, 0, SYS_open);
	ASSERT_NE(NULL, r);
	ASSERT_GE(records.at + records.count, r + ARRAY_SIZE(expected));
	for (i = 0; i < ARRAY_SIZE(expected); i++)
		EXPECT_EQ(expected[i], r[i].type);
}

static void *call_often(void *arg)
{
	call_getppid(500);
	return NULL;
}

static int call_in_threads(void *arg)
{
	pthread_t threads[3];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(threads); i++)
		require(pthread_create(&threads[i], NULL, call_often, NULL) == 0);
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
	return 0;
}

TEST_F(record, time_never_goes_backwards)
{
	struct records records;
	size_t i;

	trace_body(&self->trace, EVERYTHING | KTRFACv1, call_in_threads, NULL, &records);
	EXPECT_LE(3000, records.count);
	for (i = 1; i < records.count; i++)
		ASSERT_LE(records.at[i - 1].ns, records.at[i].ns);
}

/* Every thread has as many returns as calls, and never two calls in a row. */
TEST_F(record, calls_and_returns_of_a_thread_alternate)
{
	struct records records;
	const struct record *r;
	pid_t tids[8] = { 0 };
	bool inside[8] = { false };
	size_t i;

	trace_body(&self->trace, CALLS, call_in_threads, NULL, &records);
	for (r = records.at; r < records.at + records.count; r++) {
		for (i = 0; tids[i] && tids[i] != r->tid; i++)
			ASSERT_GT(ARRAY_SIZE(tids) - 1, i);
		/* the first thread is in a read(2) at first, the others in clone(2) */
		if (!tids[i])
			inside[i] = r->type == KTR_SYSRET;
		tids[i] = r->tid;
		ASSERT_EQ(r->type == KTR_SYSRET, inside[i]);
		inside[i] = !inside[i];
	}
}

RUN_TESTS
