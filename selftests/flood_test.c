// SPDX-License-Identifier: GPL-2.0-only
/*
 * More records than can be written at once. With kern.ktrace.lossless the threads wait
 * and nothing is lost; without, or when the writer hangs, every lost record is counted:
 *
 *	made by the process = in the file + in LOST records
 */
#include "harness.h"

#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>

#define THREADS 4

static const char *const settings[] = { "lossless", "request_pool", "wait_ms" };

FIXTURE(flood)
{
	struct trace trace;
	struct records records;
	long old[ARRAY_SIZE(settings)];
};
FIXTURE_SETUP(flood)
{
	size_t i;

	trace_init(&self->trace);
	for (i = 0; i < ARRAY_SIZE(settings); i++)
		self->old[i] = sysctl_get(settings[i]);
}
FIXTURE_TEARDOWN(flood)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(settings); i++)
		sysctl_set(settings[i], self->old[i]);
	records_free(&self->records);
	trace_fini(&self->trace);
}

/* Calls of each thread. */
static unsigned int calls_wanted(void)
{
	const char *calls = getenv("KTRACE_FLOOD_CALLS");

	return calls && atoi(calls) > 0 ? atoi(calls) : 20000;
}

static void *flood_thread(void *arg)
{
	call_getppid(calls_wanted());
	return NULL;
}

static int flood_in_threads(void *arg)
{
	pthread_t threads[THREADS];
	size_t i;

	for (i = 0; i < THREADS; i++)
		require(pthread_create(&threads[i], NULL, flood_thread, NULL) == 0);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/* What the file has of a type, and what it says it lost. */
static size_t accounted(const struct records *records, unsigned int type)
{
	return count_records(records, type, 0) + count_lost(records, type);
}

/* --- a file --- */

TEST_F_TIMEOUT(flood, loses_nothing_when_lossless, 120)
{
	ASSERT_EQ(0, sysctl_set("lossless", 1));
	trace_body(&self->trace, CALLS | LIVES, flood_in_threads, NULL, &self->records);
	EXPECT_EQ(THREADS * calls_wanted(), count_calls(&self->records, 0, SYS_getppid));
	EXPECT_EQ(THREADS * calls_wanted(), count_returns(&self->records, 0, SYS_getppid));
	EXPECT_EQ(0, count_records(&self->records, KTR_LOST, 0));
}

TEST_F_TIMEOUT(flood, loses_nothing_when_lossless_with_the_least_pool, 120)
{
	ASSERT_EQ(0, sysctl_set("lossless", 1));
	ASSERT_EQ(0, sysctl_set("request_pool", 256));
	trace_body(&self->trace, CALLS | LIVES, flood_in_threads, NULL, &self->records);
	EXPECT_EQ(THREADS * calls_wanted(), count_calls(&self->records, 0, SYS_getppid));
	EXPECT_EQ(THREADS * calls_wanted(), count_returns(&self->records, 0, SYS_getppid));
	EXPECT_EQ(0, count_records(&self->records, KTR_LOST, 0));
}

/* Only SYSCALL: each getppid(2) is one record, in the file or in a LOST record. */
TEST_F_TIMEOUT(flood, counts_what_it_loses, 120)
{
	size_t calls;

	ASSERT_EQ(0, sysctl_set("lossless", 0));
	ASSERT_EQ(0, sysctl_set("request_pool", 256));
	trace_body(&self->trace, CALLS | LIVES, flood_in_threads, NULL, &self->records);
	calls = accounted(&self->records, KTR_SYSCALL);
	EXPECT_LE(THREADS * calls_wanted(), calls);
	/* threads take a few calls to start and to end */
	EXPECT_GT(THREADS * calls_wanted() + 200, calls);
	EXPECT_EQ(0, self->records.torn);
}

/* --- a pipe that nobody reads, for a while --- */

struct hang {
	int pipe[2]; /* the trace */
	int done[2]; /* from the child */
	int go[2]; /* to it */
	unsigned int calls;
};

/*
 * Beside its getppid(2): three close(2), this write(2), and at the end exit_group(2), which
 * has no return; instead there is the return of the read(2) that it was in at the start.
 */
#define OTHER_CALLS 5

static int call_and_tell(void *arg)
{
	struct hang *h = arg;

	close(h->pipe[0]);
	close(h->pipe[1]);
	call_getppid(h->calls);
	return write(h->done[1], "", 1) != 1;
}

/* A thread of the test that reads the pipe to its end. */
static void *read_all(void *arg)
{
	struct records *ret = arg;
	int fd = (int)ret->size;
	size_t size = 0, room = 1 << 24;
	char *bytes = malloc(room);
	ssize_t got;

	require(bytes);
	while ((got = read(fd, bytes + size, room - size)) > 0)
		size += got;
	records_parse(ret, bytes, size);
	free(bytes);
	return NULL;
}

/* keep: where to put the descriptor that is traced to, or NULL */
static void start_in_pipe(struct hang *h, struct tracee *child, int (*body)(void *), int *keep)
{
	require(pipe2(h->pipe, O_CLOEXEC) == 0 && pipe2(h->done, O_CLOEXEC) == 0);
	tracee_fork(child, body, h);
	require(fktrace(h->pipe[1], KTROP_SET, CALLS | LIVES, child->pid) == 0);
	if (keep)
		*keep = h->pipe[1];
	else
		close(h->pipe[1]);
	tracee_release(child);
}

static void start_reader(const struct hang *h, pthread_t *reader, struct records *ret)
{
	ret->size = h->pipe[0];
	require(pthread_create(reader, NULL, read_all, ret) == 0);
}

/*
 * A child makes its calls while nobody reads the pipe, then ends; what came through the
 * pipe is in *ret.
 */
static void flood_into_pipe(struct hang *h, struct records *ret)
{
	struct tracee child;
	pthread_t reader;
	char byte;

	start_in_pipe(h, &child, call_and_tell, NULL);
	require(read(h->done[0], &byte, 1) == 1);
	start_reader(h, &reader, ret);
	require(tracee_reap(&child) == 0);
	pthread_join(reader, NULL);
}

/* There may be several: the pipe takes some, and there is room again for a moment. */
static const struct record *last_loss(const struct records *records)
{
	const struct record *r = NULL;
	const struct record *last = NULL;

	while ((r = next_record(records, r, KTR_LOST, 0)))
		last = r;
	return last;
}

static size_t calls_before(const struct records *records, const struct record *end)
{
	const struct record *r = NULL;
	size_t count = 0;

	while ((r = next_call(records, r, 0, SYS_getppid)) && r < end)
		count++;
	return count;
}

TEST_F_TIMEOUT(flood, into_a_pipe_that_is_not_read_counts_what_it_loses, 120)
{
	struct hang h = { .calls = 50000 };

	ASSERT_EQ(0, sysctl_set("lossless", 0));
	ASSERT_EQ(0, sysctl_set("request_pool", 256));
	flood_into_pipe(&h, &self->records);
	EXPECT_LT(0, count_lost(&self->records, KTR_SYSCALL));
	EXPECT_LT(0, count_lost(&self->records, KTR_SYSRET));
	EXPECT_EQ(h.calls + OTHER_CALLS, accounted(&self->records, KTR_SYSCALL));
	EXPECT_EQ(h.calls + OTHER_CALLS, accounted(&self->records, KTR_SYSRET));
	EXPECT_EQ(1, accounted(&self->records, KTR_PROCDTOR));
	EXPECT_EQ(0, self->records.torn);
}

/* After the loss, and with room again, the child makes some calls more. */
static int call_and_tell_and_call(void *arg)
{
	struct hang *h = arg;
	char byte;

	if (call_and_tell(h) || read(h->go[0], &byte, 1) != 1)
		return 1;
	call_getppid(10);
	return 0;
}

TEST_F_TIMEOUT(flood, record_after_a_loss_has_the_drop_mark, 120)
{
	struct hang h = { .calls = 50000 };
	const struct record *lost, *next;
	struct tracee child;
	pthread_t reader;
	char byte;

	ASSERT_EQ(0, sysctl_set("lossless", 0));
	ASSERT_EQ(0, sysctl_set("request_pool", 256));
	ASSERT_EQ(0, pipe2(h.go, O_CLOEXEC));
	start_in_pipe(&h, &child, call_and_tell_and_call, NULL);
	ASSERT_EQ(1, read(h.done[0], &byte, 1));
	start_reader(&h, &reader, &self->records);
	/* returns when all that there was is in the pipe */
	ASSERT_EQ(0, ktrace(NULL, KTROP_CLEAR, KTRFAC_CSW, child.pid));
	ASSERT_EQ(1, write(h.go[1], "", 1));
	ASSERT_EQ(0, tracee_reap(&child));
	pthread_join(reader, NULL);
	lost = last_loss(&self->records);
	ASSERT_NE(NULL, lost);
	next = lost + 1;
	ASSERT_GT(self->records.at + self->records.count, next);
	EXPECT_TRUE(next->drop);
	EXPECT_FALSE(lost[-1].drop);
	EXPECT_EQ(10, count_calls(&self->records, 0, SYS_getppid) -
			      calls_before(&self->records, lost));
	EXPECT_EQ(KTR_PROCDTOR, self->records.at[self->records.count - 1].type);
}

/* A writer that hangs holds a lossless process up for wait_ms, and then no more. */
TEST_F_TIMEOUT(flood, into_a_pipe_that_is_not_read_does_not_hang_a_lossless_process, 120)
{
	struct hang h = { .calls = 100000 };

	ASSERT_EQ(0, sysctl_set("lossless", 1));
	ASSERT_EQ(0, sysctl_set("wait_ms", 100));
	ASSERT_EQ(0, sysctl_set("request_pool", 256));
	flood_into_pipe(&h, &self->records);
	EXPECT_LT(0, count_lost(&self->records, KTR_SYSCALL));
	EXPECT_EQ(h.calls + OTHER_CALLS, accounted(&self->records, KTR_SYSCALL));
	EXPECT_EQ(h.calls + OTHER_CALLS, accounted(&self->records, KTR_SYSRET));
}

/* The trace goes to a pipe that the traced process itself should read. */
static int read_own_trace(void *arg)
{
	struct hang *h = arg;

	call_getppid(h->calls);
	return 0;
}

TEST_F_TIMEOUT(flood, into_a_pipe_of_the_process_itself_does_not_hang_it, 120)
{
	struct hang h = { .calls = 100000 };
	struct tracee child;

	ASSERT_EQ(0, sysctl_set("wait_ms", 100));
	ASSERT_EQ(0, pipe2(h.pipe, O_CLOEXEC));
	tracee_fork(&child, read_own_trace, &h);
	ASSERT_EQ(0, fktrace(h.pipe[1], KTROP_SET, CALLS | LIVES, child.pid));
	close(h.pipe[0]);
	close(h.pipe[1]);
	tracee_release(&child);
	EXPECT_EQ(0, tracee_reap(&child));
}

static int flood_for_ever(void *arg)
{
	for (;;)
		call_getppid(1000);
	return 0;
}

/* wait_ms bounds the end of a process, too: SIGKILL is not held up for longer. */
TEST_F_TIMEOUT(flood, process_that_waits_can_be_killed, 60)
{
	struct tracee child;
	int ends[2];

	ASSERT_EQ(0, sysctl_set("lossless", 1));
	ASSERT_EQ(0, sysctl_set("wait_ms", 1000));
	ASSERT_EQ(0, sysctl_set("request_pool", 256));
	ASSERT_EQ(0, pipe2(ends, O_CLOEXEC));
	tracee_fork(&child, flood_for_ever, NULL);
	ASSERT_EQ(0, fktrace(ends[1], KTROP_SET, CALLS | LIVES, child.pid));
	tracee_release(&child);
	wait_state(child.pid, "D"); /* it makes no call that sleeps: it waits for room */
	kill(child.pid, SIGKILL);
	EXPECT_EQ(SIGKILL, tracee_reap(&child));
}

/* --- counters --- */

TEST_F_TIMEOUT(flood, stats_have_the_waits_and_the_losses, 120)
{
	struct hang h = { .calls = 100000 };
	struct ktrace_stats stats = { .size = sizeof(stats) };
	int device = open("/dev/ktrace", O_RDONLY | O_CLOEXEC);
	struct tracee child;
	char byte;

	ASSERT_EQ(0, sysctl_set("wait_ms", 100));
	ASSERT_EQ(0, sysctl_set("request_pool", 256));
	ASSERT_EQ(0, pipe2(h.go, O_CLOEXEC));
	start_in_pipe(&h, &child, call_and_tell_and_call, &stats.fd);
	ASSERT_EQ(1, read(h.done[0], &byte, 1));
	ASSERT_EQ(0, ioctl(device, KTRACE_IOC_STATS, &stats));
	EXPECT_LT(0, stats.waits);
	EXPECT_LT(0, stats.timeouts);
	EXPECT_LT(0, stats.lost[KTR_SYSCALL]);
	EXPECT_EQ(0, stats.lost[KTR_GENIO]);
	close(h.pipe[0]);
	ASSERT_EQ(1, write(h.go[1], "", 1));
	EXPECT_EQ(0, tracee_reap(&child));
}

RUN_TESTS
