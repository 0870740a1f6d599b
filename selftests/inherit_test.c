// SPDX-License-Identifier: GPL-2.0-only
/* Who is traced beside the process itself: children, threads, descendants. */
#include "harness.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

FIXTURE_WITH_TRACE(inherit)

/* --- children --- */

static int run_child(pid_t pid)
{
	int status;

	if (pid == 0) {
		call_getppid(7);
		_exit(5);
	}
	require(waitpid(pid, &status, 0) == pid);
	return exit_code(status) != 5;
}

static int do_fork(void *arg)
{
	return run_child(fork());
}

static int do_vfork(void *arg)
{
	return run_child(vfork());
}

static int do_clone(void *arg)
{
	return run_child(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
}

static int fork_twice(void *arg)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(do_fork(NULL));
	require(waitpid(pid, &status, 0) == pid);
	return status;
}

FIXTURE(child)
{
	struct trace trace;
	struct records records;
};
FIXTURE_VARIANT(child)
{
	int (*body)(void *arg);
	size_t processes;
};
FIXTURE_VARIANT_ADD(child, fork){ do_fork, 2 };
FIXTURE_VARIANT_ADD(child, vfork){ do_vfork, 2 };
FIXTURE_VARIANT_ADD(child, clone){ do_clone, 2 };
FIXTURE_VARIANT_ADD(child, grandchild){ fork_twice, 3 };
FIXTURE_SETUP(child)
{
	trace_init(&self->trace);
}
FIXTURE_TEARDOWN(child)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

TEST_F(child, is_traced_with_inherit)
{
	trace_body(&self->trace, EVERYTHING | INHERIT, variant->body, NULL, &self->records);
	EXPECT_EQ(7, count_calls(&self->records, 0, SYS_getppid));
	EXPECT_EQ(variant->processes, count_records(&self->records, KTR_PROCDTOR, 0));
}

TEST_F(child, is_not_traced_without_inherit)
{
	pid_t pid = trace_body(&self->trace, EVERYTHING, variant->body, NULL, &self->records);
	size_t i;

	for (i = 0; i < self->records.count; i++)
		ASSERT_EQ(pid, self->records.at[i].pid);
	EXPECT_EQ(0, count_calls(&self->records, 0, SYS_getppid));
}

TEST_F(child, has_procctor_first_and_procdtor_last)
{
	const struct record *first[4] = { NULL }, *last[4] = { NULL };
	const struct record *r;
	size_t i;

	trace_body(&self->trace, EVERYTHING | INHERIT, variant->body, NULL, &self->records);
	for (r = self->records.at; r < self->records.at + self->records.count; r++) {
		for (i = 0; first[i] && first[i]->pid != r->pid; i++)
			ASSERT_GT(3, i);
		if (!first[i])
			first[i] = r;
		last[i] = r;
	}
	for (i = 0; first[i]; i++) {
		EXPECT_EQ(KTR_PROCCTOR, first[i]->type);
		EXPECT_EQ(KTR_PROCDTOR, last[i]->type);
	}
	EXPECT_EQ(variant->processes, i);
}

static int fork_and_call(void *arg)
{
	return do_fork(arg) || do_fork(arg);
}

TEST_F(inherit, inherit_that_is_cleared_is_not_passed_on)
{
	struct tracee child;

	tracee_fork(&child, fork_and_call, NULL);
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING | INHERIT, child.pid));
	ASSERT_EQ(0, ktrace(NULL, KTROP_CLEAR, INHERIT, child.pid));
	tracee_finish(&child);
	EXPECT_EQ(0, calls_in(self->trace.file, 0));
}

/* --- threads --- */

struct threads {
	pthread_barrier_t begin;
	pid_t *tids; /* shared with the test */
	bool late; /* the threads start when the process is traced */
};

#define THREADS 3

static struct threads *the_threads;

static void *thread_body(void *arg)
{
	the_threads->tids[(uintptr_t)arg] = gettid();
	pthread_barrier_wait(&the_threads->begin);
	call_getppid(7);
	return NULL;
}

static void start_threads(pthread_t *threads)
{
	uintptr_t i;

	require(pthread_barrier_init(&the_threads->begin, NULL, THREADS + 1) == 0);
	for (i = 0; i < THREADS; i++)
		require(pthread_create(&threads[i], NULL, thread_body, (void *)i) == 0);
}

static void finish_threads(pthread_t *threads)
{
	size_t i;

	pthread_barrier_wait(&the_threads->begin);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static int new_threads(void *arg)
{
	pthread_t threads[THREADS];

	the_threads = arg;
	start_threads(threads);
	finish_threads(threads);
	return 0;
}

/* Each thread's calls have its tid, and the process's pid. */
static bool threads_are_in(const struct records *records, pid_t pid, const pid_t *tids)
{
	const struct record *r = NULL;
	size_t seen[THREADS] = { 0 };
	size_t i;

	while ((r = next_call(records, r, pid, SYS_getppid)))
		for (i = 0; i < THREADS; i++)
			seen[i] += r->tid == tids[i];
	return seen[0] == 7 && seen[1] == 7 && seen[2] == 7;
}

TEST_F(inherit, new_threads_are_traced_with_their_own_tid)
{
	struct threads threads = { .tids = shared_memory(4096) };
	struct records records;
	pid_t pid;

	pid = trace_body(&self->trace, EVERYTHING, new_threads, &threads, &records);
	EXPECT_TRUE(threads_are_in(&records, pid, threads.tids));
	EXPECT_EQ(1, count_records(&records, KTR_PROCDTOR, 0));
}

TEST_F(inherit, running_threads_are_traced_with_their_own_tid)
{
	struct threads threads = { .tids = shared_memory(4096) };
	pthread_t handles[THREADS];
	struct records records;
	int ready[2], go[2], status;
	char byte;
	pid_t pid;

	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, pipe(go));
	pid = fork();
	if (pid == 0) {
		the_threads = &threads;
		start_threads(handles);
		require(write(ready[1], "", 1) == 1 && read(go[0], &byte, 1) == 1);
		finish_threads(handles);
		_exit(0);
	}
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, pid));
	ASSERT_EQ(1, write(go[1], "", 1));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	records_read(&records, self->trace.file);
	EXPECT_TRUE(threads_are_in(&records, pid, threads.tids));
}

/* --- several processes at once --- */

/*
 *	test ─┬─ top ─┬─ below[0]
 *	      │       └─ below[1]
 *	      └─ (not a descendant of top)
 */
struct family {
	pid_t top;
	pid_t below[2];
	int go;
};

static void family_member(int from, unsigned int calls)
{
	char byte;

	require(read(from, &byte, 1) == 1);
	call_getppid(calls);
	_exit(0);
}

static void family_start(struct family *family, pid_t *shared)
{
	int go[2];

	require(pipe(go) == 0);
	fflush(NULL);
	family->top = fork();
	if (family->top == 0) {
		size_t i;

		close(go[1]);
		for (i = 0; i < 2; i++) {
			pid_t pid = fork();

			if (pid == 0)
				family_member(go[0], 7);
			__atomic_store_n(&shared[i], pid, __ATOMIC_RELEASE);
		}
		wait(NULL);
		wait(NULL);
		family_member(go[0], 7);
	}
	close(go[0]);
	while (!__atomic_load_n(&shared[1], __ATOMIC_ACQUIRE))
		sched_yield();
	memcpy(family->below, shared, sizeof(family->below));
	family->go = go[1];
}

static void family_finish(struct family *family)
{
	int status;

	require(write(family->go, "three", 3) == 3);
	require(waitpid(family->top, &status, 0) == family->top && status == 0);
	close(family->go);
}

TEST_F(inherit, descend_traces_the_children_there_are)
{
	struct family family;

	family_start(&family, shared_memory(4096));
	ASSERT_EQ(0, ktrace(self->trace.file, KTROP_SET | KTRFLAG_DESCEND, EVERYTHING,
			    family.top));
	family_finish(&family);
	EXPECT_EQ(7, calls_in(self->trace.file, family.top));
	EXPECT_EQ(7, calls_in(self->trace.file, family.below[0]));
	EXPECT_EQ(7, calls_in(self->trace.file, family.below[1]));
}

TEST_F(inherit, set_without_descend_leaves_children_alone)
{
	struct family family;

	family_start(&family, shared_memory(4096));
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, family.top));
	family_finish(&family);
	EXPECT_EQ(7, calls_in(self->trace.file, 0));
}

TEST_F(inherit, clear_with_descend_stops_all_of_them)
{
	struct family family;
	pid_t pid;

	family_start(&family, shared_memory(4096));
	pid = family.below[0];
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, family.top));
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, pid));
	ASSERT_EQ(0, ktrace(NULL, KTROP_CLEAR | KTRFLAG_DESCEND, EVERYTHING, family.top));
	family_finish(&family);
	EXPECT_EQ(0, calls_in(self->trace.file, 0));
}

RUN_TESTS
