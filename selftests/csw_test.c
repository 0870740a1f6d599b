// SPDX-License-Identifier: GPL-2.0-only
/* CSW: a thread leaves the processor, and comes back. No other facility is needed for it. */
#include "harness.h"

#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#define CSW ((int)KTRFAC_CSW)

FIXTURE(csw)
{
	struct trace trace;
	struct records records;
	int pipe[2]; /* the child waits for what the test writes */
};
FIXTURE_SETUP(csw)
{
	trace_init(&self->trace);
	ASSERT_EQ(0, pipe2(self->pipe, O_CLOEXEC));
}
FIXTURE_TEARDOWN(csw)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

static struct ktr_csw csw_of(const struct record *record)
{
	struct ktr_csw csw;

	require(record && record->type == KTR_CSW && record->length == sizeof(csw));
	memcpy(&csw, record->data, sizeof(csw));
	return csw;
}

/* All eight bytes. */
static bool is_switch(const struct record *record, int out, int user, const char *wmesg)
{
	struct ktr_csw wanted = { .out = out, .user = user };

	memcpy(wanted.wmesg, wmesg, strlen(wmesg));
	return record && record->length == sizeof(wanted) &&
	       memcmp(record->data, &wanted, sizeof(wanted)) == 0;
}

static const struct record *next_out(const struct records *records, const struct record *after,
				     int user, const char *wmesg)
{
	while ((after = next_record(records, after, KTR_CSW, 0)))
		if (is_switch(after, 1, user, wmesg))
			return after;
	return NULL;
}

static size_t count_out(const struct records *records, int user, const char *wmesg)
{
	const struct record *r = NULL;
	size_t count = 0;

	while ((r = next_out(records, r, user, wmesg)))
		count++;
	return count;
}

static const struct record *next_of_thread(const struct records *records,
					   const struct record *after, pid_t tid)
{
	do
		after = next_record(records, after, KTR_CSW, 0);
	while (after && after->tid != tid);
	return after;
}

/* Until the file says that the child has left the processor; every CLEAR writes the file. */
static void wait_switched_out(const struct trace *trace, pid_t pid, const char *wmesg)
{
	struct records records;
	bool is_out;

	do {
		require(ktrace(NULL, KTROP_CLEAR, KTRFAC_USER, pid) == 0);
		records_read(&records, trace->file);
		is_out = next_out(&records, NULL, 0, wmesg);
		records_free(&records);
	} while (!is_out);
}

/* A child that runs body, which sleeps in `wmesg` until the test writes to the pipe. */
static void trace_sleeper(FIXTURE_DATA(csw) * self, int (*body)(void *), const char *wmesg)
{
	struct tracee child;

	tracee_fork(&child, body, self);
	require(attach(&self->trace, CSW, child.pid) == 0);
	tracee_release(&child);
	wait_switched_out(&self->trace, child.pid, wmesg);
	require(write(self->pipe[1], "x", 1) == 1);
	require(tracee_reap(&child) == 0);
	records_read(&self->records, self->trace.file);
}

/* --- voluntary --- */

static int do_nanosleep(void *arg)
{
	struct timespec t = { .tv_nsec = 50000000 };

	return syscall(SYS_nanosleep, &t, NULL);
}

TEST_F(csw, sleep_is_voluntary_in_the_call)
{
	trace_body(&self->trace, CSW, do_nanosleep, NULL, &self->records);
	EXPECT_LE(1, count_out(&self->records, 0, "nanosle"));
}

static int do_clock_nanosleep(void *arg)
{
	struct timespec t = { .tv_nsec = 50000000 };

	return syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &t, NULL);
}

TEST_F(csw, name_of_the_call_is_cut_after_seven_letters)
{
	trace_body(&self->trace, CSW, do_clock_nanosleep, NULL, &self->records);
	EXPECT_LE(1, count_out(&self->records, 0, "clock_n"));
}

static int do_read(void *arg)
{
	FIXTURE_DATA(csw) *self = arg;
	char byte;

	/* not read(2), in which the child has waited to be traced */
	return syscall(SYS_readv, self->pipe[0], &(struct iovec){ &byte, 1 }, 1) != 1;
}

TEST_F(csw, wait_for_a_pipe_is_voluntary_in_the_call)
{
	trace_sleeper(self, do_read, "readv");
	EXPECT_LE(1, count_out(&self->records, 0, "readv"));
}

static int do_poll(void *arg)
{
	FIXTURE_DATA(csw) *self = arg;
	struct pollfd p = { .fd = self->pipe[0], .events = POLLIN };

	return syscall(SYS_poll, &p, 1, -1) != 1;
}

TEST_F(csw, wait_in_poll_is_voluntary_in_the_call)
{
	trace_sleeper(self, do_poll, "poll");
	EXPECT_LE(1, count_out(&self->records, 0, "poll"));
}

TEST_F(csw, coming_back_repeats_how_it_left)
{
	const struct record *out, *in;

	trace_sleeper(self, do_poll, "poll");
	out = next_out(&self->records, NULL, 0, "poll");
	ASSERT_NE(NULL, out);
	in = next_of_thread(&self->records, out, out->tid);
	EXPECT_TRUE(is_switch(in, 0, 0, "poll"));
	EXPECT_EQ(out->pid, in->pid);
	EXPECT_LE(out->ns, in->ns);
}

TEST_F(csw, nothing_else_is_in_the_file)
{
	trace_sleeper(self, do_poll, "poll");
	EXPECT_EQ(self->records.count, count_records(&self->records, KTR_CSW, 0));
}

/* With CALL and RET, a switch is between the two of its call. */
TEST_F(csw, switch_is_between_the_call_and_its_return)
{
	const struct record *r;

	trace_body(&self->trace, CSW | CALLS, do_nanosleep, NULL, &self->records);
	r = next_call(&self->records, NULL, 0, SYS_nanosleep);
	ASSERT_NE(NULL, r);
	r = next_out(&self->records, r, 0, "nanosle");
	ASSERT_NE(NULL, r);
	EXPECT_TRUE(is_switch(next_record(&self->records, r, KTR_CSW, 0), 0, 0, "nanosle"));
	EXPECT_NE(NULL, next_return(&self->records, r, 0, SYS_nanosleep));
}

/* --- the processor is taken away, or given away --- */

static void use_one_processor(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	require(sched_setaffinity(0, sizeof(set), &set) == 0);
}

static int use_time(void *arg)
{
	volatile uint64_t *rounds = arg;

	use_one_processor();
	for (;;)
		++*rounds;
	return 0;
}

/* Traces a body while another process wants its processor all the time. */
static void trace_rival(FIXTURE_DATA(csw) * self, int (*body)(void *))
{
	volatile uint64_t *rounds = shared_memory(4096);
	struct tracee rival;

	tracee_fork(&rival, use_time, (void *)rounds);
	tracee_release(&rival);
	trace_body(&self->trace, CSW, body, (void *)rounds, &self->records);
	tracee_kill(&rival);
}

static long switches_of_this_process(void)
{
	struct rusage usage;

	require(getrusage(RUSAGE_SELF, &usage) == 0);
	return usage.ru_nivcsw;
}

static int be_preempted(void *arg)
{
	volatile unsigned int work = 0;
	long start;

	use_one_processor();
	start = switches_of_this_process();
	while (switches_of_this_process() < start + 5)
		for (work = 0; work < 1000000; work++)
			;
	return 0;
}

TEST_F(csw, loop_with_a_rival_is_preempted)
{
	trace_rival(self, be_preempted);
	EXPECT_LE(5, count_out(&self->records, 1, "preempt"));
}

TEST_F(csw, coming_back_from_preemption_is_involuntary)
{
	const struct record *r;

	trace_rival(self, be_preempted);
	r = next_out(&self->records, NULL, 1, "preempt");
	ASSERT_NE(NULL, r);
	EXPECT_TRUE(is_switch(next_record(&self->records, r, KTR_CSW, 0), 0, 1, "preempt"));
}

static int give_way(void *arg)
{
	volatile uint64_t *rounds = arg;
	uint64_t last;
	int times;

	use_one_processor();
	for (times = 0; times < 10; times++)
		for (last = *rounds; *rounds == last;)
			syscall(SYS_sched_yield);
	return 0;
}

TEST_F(csw, yield_is_voluntary)
{
	trace_rival(self, give_way);
	EXPECT_LE(1, count_out(&self->records, 0, "sched_y"));
	EXPECT_EQ(0, count_out(&self->records, 1, "sched_y"));
}

/* --- threads --- */

struct table_tennis {
	int there[2];
	int back[2];
};

static void *play(void *arg)
{
	struct table_tennis *t = arg;
	char ball;

	while (read(t->there[0], &ball, 1) == 1)
		require(write(t->back[1], &ball, 1) == 1);
	return NULL;
}

static int play_with_a_thread(void *arg)
{
	struct table_tennis t;
	pthread_t thread;
	char ball = 'x';
	int i;

	require(pipe(t.there) == 0 && pipe(t.back) == 0);
	require(pthread_create(&thread, NULL, play, &t) == 0);
	for (i = 0; i < 50; i++)
		require(write(t.there[1], &ball, 1) == 1 && read(t.back[0], &ball, 1) == 1);
	close(t.there[1]);
	return pthread_join(thread, NULL);
}

/* A thread comes back only from where it left, as it left. */
static bool alternates(const struct records *records, pid_t tid)
{
	const struct record *r = NULL;
	struct ktr_csw last = { .out = 0 };

	while ((r = next_of_thread(records, r, tid))) {
		struct ktr_csw csw = csw_of(r);

		if (csw.out == last.out)
			return false;
		if (!csw.out && (csw.user != last.user || memcmp(csw.wmesg, last.wmesg, 8)))
			return false;
		last = csw;
	}
	return true;
}

TEST_F(csw, out_and_in_alternate_in_each_thread)
{
	const struct record *r = NULL;
	pid_t pid, other = 0;

	pid = trace_body(&self->trace, CSW, play_with_a_thread, NULL, &self->records);
	while ((r = next_record(&self->records, r, KTR_CSW, 0)))
		if (r->tid != pid)
			other = r->tid;
	ASSERT_NE(0, other);
	EXPECT_NE(NULL, next_of_thread(&self->records, NULL, pid));
	EXPECT_TRUE(alternates(&self->records, pid));
	EXPECT_TRUE(alternates(&self->records, other));
	EXPECT_EQ(0, count_lost(&self->records, KTR_CSW));
}

/* --- page faults --- */

static void *touch(void *memory)
{
	return (void *)(uintptr_t)*(volatile char *)memory;
}

/* The page is given when the test has seen the thread wait for it. */
static int wait_for_a_page(void *arg)
{
	FIXTURE_DATA(csw) *self = arg;
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_zeropage page = { 0 };
	void *memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	pthread_t thread;
	char byte;

	area.range.start = page.range.start = (uintptr_t)memory;
	area.range.len = page.range.len = 4096;
	require(fd >= 0 && memory != MAP_FAILED);
	require(ioctl(fd, UFFDIO_API, &api) == 0 && ioctl(fd, UFFDIO_REGISTER, &area) == 0);
	require(pthread_create(&thread, NULL, touch, memory) == 0);
	require(read(self->pipe[0], &byte, 1) == 1);
	require(ioctl(fd, UFFDIO_ZEROPAGE, &page) == 0);
	return pthread_join(thread, NULL);
}

TEST_F(csw, wait_for_a_page_is_pgfault)
{
	const struct record *out;

	if (syscall(SYS_userfaultfd, -1) == -1 && errno == ENOSYS)
		SKIP(return, "the kernel has no userfaultfd(2)");
	trace_sleeper(self, wait_for_a_page, "pgfault");
	out = next_out(&self->records, NULL, 0, "pgfault");
	EXPECT_NE(out->pid, out->tid);
	EXPECT_TRUE(is_switch(next_of_thread(&self->records, out, out->tid), 0, 0, "pgfault"));
}

RUN_TESTS
