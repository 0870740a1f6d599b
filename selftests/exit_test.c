// SPDX-License-Identifier: GPL-2.0-only
/*
 * The promise to parents: when waitpid(2) has returned, the file has everything that the
 * dead child did, up to its PROCDTOR. Many runs of each way to die, as what would break
 * this is a race. KTRACE_EXIT_RUNS sets how many (200).
 *
 * Each thread counts, in memory that outlives it, the calls that it has come back from.
 * The file must have all of those, and at most one more: the one it died in.
 */
#include "harness.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#define THREADS 4
#define CALLS_TO_SEE 20 /* of each thread, before it is killed */

struct counter {
	pid_t tid;
	unsigned int calls;
};

static struct counter *counters;

static void count_call(struct counter *counter)
{
	syscall(SYS_getppid);
	__atomic_store_n(&counter->calls, counter->calls + 1, __ATOMIC_RELEASE);
}

static void count_calls_of(struct counter *counter, unsigned int n)
{
	counter->tid = gettid();
	while (n-- > 0)
		count_call(counter);
}

static void *spin(void *arg)
{
	count_calls_of(arg, ~0u); /* longer than any test lasts */
	return NULL;
}

static void wait_for_calls(const struct counter *counter)
{
	while (__atomic_load_n(&counter->calls, __ATOMIC_ACQUIRE) < CALLS_TO_SEE)
		sched_yield();
}

/* Threads 1 to n-1 of the process; 0 is the caller. */
static void start_spinning(size_t n)
{
	pthread_t thread;
	size_t i;

	for (i = 1; i < n; i++)
		require(pthread_create(&thread, NULL, spin, &counters[i]) == 0);
	for (i = 1; i < n; i++)
		wait_for_calls(&counters[i]);
}

/* --- ways to die --- */

static int just_exit(void *arg)
{
	count_calls_of(&counters[0], 50);
	_exit(0);
}

static int exit_while_threads_run(void *arg)
{
	start_spinning(THREADS);
	count_calls_of(&counters[0], 50);
	_exit(0);
}

static int spin_for_ever(void *arg)
{
	spin(&counters[0]);
	return 0;
}

static int spin_in_threads(void *arg)
{
	start_spinning(THREADS);
	spin(&counters[0]);
	return 0;
}

static int fault(void *arg)
{
	prctl(PR_SET_DUMPABLE, 0);
	count_calls_of(&counters[0], 50);
	*(volatile char *)bad_address() = 1;
	return 0;
}

static int fault_while_threads_run(void *arg)
{
	start_spinning(THREADS);
	return fault(arg);
}

static int leader_leaves(void *arg)
{
	start_spinning(THREADS);
	count_calls_of(&counters[0], 50);
	syscall(SYS_exit, 0);
	return 0;
}

static int big_write_and_exit(void *arg)
{
	static char bytes[4096];
	int fd = open("/dev/null", O_WRONLY);
	int i;

	for (i = 0; i < 100; i++)
		require(write(fd, bytes, sizeof(bytes)) == sizeof(bytes));
	return just_exit(arg);
}

/*
 * One process stays traced all the time: making the kernel's hooks ready for the first
 * takes longer than all the rest of a run.
 */
static void keep_hooks(const struct trace *trace, struct tracee *keeper)
{
	tracee_start(keeper, NULL);
	require(attach(trace, EVERYTHING, keeper->pid) == 0);
}

FIXTURE(death)
{
	struct trace trace;
	struct tracee keeper;
	unsigned int runs;
};
FIXTURE_VARIANT(death)
{
	int (*body)(void *arg);
	size_t threads;
	int status; /* what waitpid(2) is to say */
	bool kill; /* by the test, once all threads are at work */
};
FIXTURE_VARIANT_ADD(death, exit){ just_exit, 1, 0, false };
FIXTURE_VARIANT_ADD(death, exit_after_much_data){ big_write_and_exit, 1, 0, false };
FIXTURE_VARIANT_ADD(death, exit_with_threads){ exit_while_threads_run, THREADS, 0, false };
FIXTURE_VARIANT_ADD(death, sigkill){ spin_for_ever, 1, SIGKILL, true };
FIXTURE_VARIANT_ADD(death, sigkill_with_threads){ spin_in_threads, THREADS, SIGKILL, true };
FIXTURE_VARIANT_ADD(death, fault){ fault, 1, SIGSEGV, false };
FIXTURE_VARIANT_ADD(death, fault_with_threads){ fault_while_threads_run, THREADS, SIGSEGV,
						false };
FIXTURE_VARIANT_ADD(death, leader_first_then_sigkill){ leader_leaves, THREADS, SIGKILL, true };

static unsigned int runs_wanted(void)
{
	const char *runs = getenv("KTRACE_EXIT_RUNS");

	return runs && atoi(runs) > 0 ? atoi(runs) : 200;
}

FIXTURE_SETUP(death)
{
	trace_init(&self->trace);
	keep_hooks(&self->trace, &self->keeper);
	counters = shared_memory(THREADS * sizeof(*counters));
	self->runs = runs_wanted();
}
FIXTURE_TEARDOWN(death)
{
	tracee_kill(&self->keeper);
	trace_fini(&self->trace);
}

/* Calls and returns that a thread's counter knows of and the file does not. */
static unsigned int missing_of(const struct records *records, const struct counter *counter)
{
	unsigned int calls = 0, returns = 0, missing = 0;
	const struct record *r = NULL;

	while ((r = next_call(records, r, 0, SYS_getppid)))
		calls += r->tid == counter->tid;
	r = NULL;
	while ((r = next_return(records, r, 0, SYS_getppid)))
		returns += r->tid == counter->tid;
	require(calls <= counter->calls + 1);
	missing += calls < counter->calls ? counter->calls - calls : 0;
	missing += returns < counter->calls ? counter->calls - returns : 0;
	return missing;
}

/* What is missing after one death, PROCDTOR included; says what. */
static unsigned int missing_in(const struct records *records, size_t threads)
{
	unsigned int missing = records->torn != 0;
	size_t i;

	if (!records->count || records->at[records->count - 1].type != KTR_PROCDTOR)
		missing++;
	for (i = 0; i < threads; i++)
		missing += missing_of(records, &counters[i]);
	missing += count_records(records, KTR_LOST, 0);
	return missing;
}

static int die(const char *file, int (*body)(void *), size_t threads, bool must_kill)
{
	struct tracee child;
	size_t i;

	memset(counters, 0, THREADS * sizeof(*counters));
	tracee_fork(&child, body, NULL);
	require(ktrace(file, KTROP_SET, EVERYTHING | KTRFACv1, child.pid) == 0);
	tracee_release(&child);
	if (must_kill) {
		for (i = 0; i < threads; i++)
			wait_for_calls(&counters[i]);
		kill(child.pid, SIGKILL);
	}
	return tracee_reap(&child);
}

TEST_F_TIMEOUT(death, leaves_a_complete_file, 120)
{
	unsigned int run, missing = 0, wrong = 0;
	struct records records;

	for (run = 0; run < self->runs; run++) {
		const char *file = make_file(trace_path(&self->trace, "run"), 0600);
		int status = die(file, variant->body, variant->threads, variant->kill);

		records_read(&records, file);
		if (status != variant->status)
			wrong++;
		missing += missing_in(&records, variant->threads);
		records_free(&records);
		unlink(file);
	}
	TH_LOG("%u runs, %u records missing", self->runs, missing);
	EXPECT_EQ(0, missing);
	EXPECT_EQ(0, wrong);
}

/* --- vfork --- */

FIXTURE_WITH_TRACE(vfork)

/* Traced itself, looks right after its own waitpid(2). */
static int vfork_and_look(void *arg)
{
	const char *file = arg;
	struct records records;
	unsigned int missing;
	int status;
	pid_t pid;

	if (ktrace(file, KTROP_SET, CALLS | LIVES | INHERIT, getpid()) != 0)
		return 100;
	pid = vfork();
	if (pid == 0) {
		count_calls_of(&counters[0], 50);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status != 0)
		return 101;
	records_read(&records, file);
	missing = missing_of(&records, &counters[0]);
	missing += count_records(&records, KTR_PROCDTOR, pid) != 1;
	return missing;
}

TEST_F_TIMEOUT(vfork, child_leaves_a_complete_file, 120)
{
	unsigned int runs = runs_wanted();
	unsigned int run, missing = 0;
	struct tracee keeper;

	keep_hooks(&self->trace, &keeper);
	counters = shared_memory(sizeof(*counters));
	for (run = 0; run < runs; run++) {
		const char *file = make_file(trace_path(&self->trace, "run"), 0600);
		struct tracee child;

		memset(counters, 0, sizeof(*counters));
		tracee_fork(&child, vfork_and_look, (void *)file);
		tracee_release(&child);
		missing += exit_code(tracee_reap(&child));
		unlink(file);
	}
	tracee_kill(&keeper);
	TH_LOG("%u runs, %u records missing", runs, missing);
	EXPECT_EQ(0, missing);
}

RUN_TESTS
