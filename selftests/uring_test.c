// SPDX-License-Identifier: GPL-2.0-only
/* URING: what a program asks io_uring for, and what it gets; there are no system calls of these. */
#include "harness.h"

#include <linux/io_uring.h>
#include <sys/mman.h>

#define URING ((int)KTRFAC_URING)
#define ENTRIES 8

/* Both rings in one mapping, as since Linux 5.4. */
struct ring {
	int fd;
	struct io_uring_params params;
	char *rings;
	struct io_uring_sqe *sqes;
};

FIXTURE(uring)
{
	struct trace trace;
	struct records records;
	int file; /* "0123456789" */
	unsigned int setup_flags;
	unsigned char sqe_flags;
};

static int ring_setup(struct ring *ring, unsigned int flags)
{
	memset(ring, 0, sizeof(*ring));
	ring->params.flags = flags;
	ring->fd = syscall(SYS_io_uring_setup, ENTRIES, &ring->params);
	return ring->fd;
}

FIXTURE_SETUP(uring)
{
	struct ring ring;

	trace_init(&self->trace);
	write_file(trace_path(&self->trace, "data"), "0123456789");
	self->file = open(trace_path(&self->trace, "data"), O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->file);
	if (ring_setup(&ring, 0) < 0)
		SKIP(return, "no io_uring: %s", strerror(errno));
	close(ring.fd);
}
FIXTURE_TEARDOWN(uring)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

static void ring_open(struct ring *ring, unsigned int flags)
{
	const int access = PROT_READ | PROT_WRITE;

	require(ring_setup(ring, flags) >= 0);
	require(ring->params.features & IORING_FEAT_SINGLE_MMAP);
	ring->rings = mmap(NULL,
			   ring->params.cq_off.cqes +
				   ring->params.cq_entries * sizeof(struct io_uring_cqe),
			   access, MAP_SHARED, ring->fd, IORING_OFF_SQ_RING);
	require(ring->rings != MAP_FAILED);
	ring->sqes = mmap(NULL, ENTRIES * sizeof(*ring->sqes), access, MAP_SHARED, ring->fd,
			  IORING_OFF_SQES);
	require(ring->sqes != MAP_FAILED);
}

static unsigned int *ring_word(const struct ring *ring, unsigned int offset)
{
	return (unsigned int *)(ring->rings + offset);
}

static void ring_put(struct ring *ring, const struct io_uring_sqe *sqe)
{
	unsigned int *tail = ring_word(ring, ring->params.sq_off.tail);
	unsigned int index = *tail % ring->params.sq_entries;

	ring->sqes[index] = *sqe;
	ring_word(ring, ring->params.sq_off.array)[index] = index;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
}

static bool ring_completed(const struct ring *ring, unsigned int n)
{
	return __atomic_load_n(ring_word(ring, ring->params.cq_off.tail), __ATOMIC_ACQUIRE) >= n;
}

/* Submits n requests and waits until as many are complete. */
static void ring_enter(struct ring *ring, unsigned int n)
{
	unsigned int flags = IORING_ENTER_GETEVENTS;

	if (ring->params.flags & IORING_SETUP_SQPOLL)
		flags |= IORING_ENTER_SQ_WAKEUP;
	require(syscall(SYS_io_uring_enter, ring->fd, n, n, flags, NULL, 0) >= 0);
	require(ring_completed(ring, n));
}

static struct io_uring_cqe *ring_cqe(const struct ring *ring, unsigned int i)
{
	return (struct io_uring_cqe *)(ring->rings + ring->params.cq_off.cqes) + i;
}

#define TRACE(body) trace_body(&self->trace, URING, body, self, &self->records)

/* The nth record of one event. */
static struct ktr_uring uring_of(const struct records *records, unsigned int event, unsigned int n)
{
	const struct record *r = NULL;
	struct ktr_uring uring;

	while ((r = next_record(records, r, KTR_URING, 0))) {
		require(r->length == sizeof(uring));
		memcpy(&uring, r->data, sizeof(uring));
		require(uring.ktr_pad == 0);
		if (uring.event == event && n-- == 0)
			return uring;
	}
	require(!"a record of that event");
	return (struct ktr_uring){ 0 };
}

#define SUBMIT(n) uring_of(&self->records, KTR_URING_SUBMIT, n)
#define COMPLETE(n) uring_of(&self->records, KTR_URING_COMPLETE, n)

/* --- single requests --- */

static int do_nop(void *arg)
{
	const struct io_uring_sqe nop = { .opcode = IORING_OP_NOP, .fd = -1, .user_data = 4711 };
	struct ring ring;

	ring_open(&ring, 0);
	ring_put(&ring, &nop);
	ring_enter(&ring, 1);
	return ring_cqe(&ring, 0)->user_data != 4711;
}

TEST_F(uring, nop_is_submitted_and_completes)
{
	TRACE(do_nop);
	ASSERT_EQ(2, self->records.count);
	EXPECT_EQ(IORING_OP_NOP, SUBMIT(0).opcode);
	EXPECT_EQ(4711, SUBMIT(0).user_data);
	EXPECT_EQ(IORING_OP_NOP, COMPLETE(0).opcode);
	EXPECT_EQ(4711, COMPLETE(0).user_data);
	EXPECT_EQ(0, COMPLETE(0).result);
	EXPECT_EQ(-1, COMPLETE(0).fd);
}

/* Also used with the flags of the fixture. */
static int do_read(void *arg)
{
	FIXTURE_DATA(uring) *self = arg;
	struct io_uring_sqe sqe = { .opcode = IORING_OP_READ, .fd = self->file,
				    .flags = self->sqe_flags, .off = 2, .len = 4,
				    .user_data = 0x123456789abcdef0ull };
	struct ring ring;
	char bytes[4];

	sqe.addr = (uintptr_t)bytes;
	ring_open(&ring, self->setup_flags);
	ring_put(&ring, &sqe);
	ring_enter(&ring, 1);
	return ring_cqe(&ring, 0)->res != 4 || memcmp(bytes, "2345", 4) != 0;
}

TEST_F(uring, read_has_its_descriptor_and_result)
{
	TRACE(do_read);
	ASSERT_EQ(2, self->records.count);
	EXPECT_EQ(IORING_OP_READ, SUBMIT(0).opcode);
	EXPECT_EQ(self->file, SUBMIT(0).fd);
	EXPECT_EQ(0x123456789abcdef0ull, SUBMIT(0).user_data);
	EXPECT_EQ(IORING_OP_READ, COMPLETE(0).opcode);
	EXPECT_EQ(-1, COMPLETE(0).fd);
	EXPECT_EQ(4, COMPLETE(0).result);
	EXPECT_EQ(0, COMPLETE(0).flags);
	EXPECT_EQ(0x123456789abcdef0ull, COMPLETE(0).user_data);
}

TEST_F(uring, submission_comes_before_completion)
{
	TRACE(do_read);
	ASSERT_EQ(2, self->records.count);
	EXPECT_EQ(KTR_URING_SUBMIT, self->records.at[0].data[0]);
	EXPECT_EQ(KTR_URING_COMPLETE, self->records.at[1].data[0]);
}

static int do_failing_read(void *arg)
{
	const struct io_uring_sqe sqe = { .opcode = IORING_OP_READ, .fd = 999, .user_data = 5 };
	struct ring ring;

	ring_open(&ring, 0);
	ring_put(&ring, &sqe);
	ring_enter(&ring, 1);
	return ring_cqe(&ring, 0)->res != -EBADF;
}

TEST_F(uring, failure_has_its_error)
{
	TRACE(do_failing_read);
	EXPECT_EQ(999, SUBMIT(0).fd);
	EXPECT_EQ(-EBADF, COMPLETE(0).result);
	EXPECT_EQ(5, COMPLETE(0).user_data);
}

/* --- several --- */

static int do_four(void *arg)
{
	struct io_uring_sqe nop = { .opcode = IORING_OP_NOP, .fd = -1 };
	struct ring ring;
	int i;

	ring_open(&ring, 0);
	for (i = 0; i < 4; i++) {
		nop.user_data = 100 + i;
		ring_put(&ring, &nop);
	}
	ring_enter(&ring, 4);
	return 0;
}

TEST_F(uring, each_request_has_its_two_records)
{
	unsigned int i;

	TRACE(do_four);
	ASSERT_EQ(8, self->records.count);
	for (i = 0; i < 4; i++) {
		EXPECT_EQ(100 + i, SUBMIT(i).user_data);
		EXPECT_EQ(100 + i, COMPLETE(i).user_data);
	}
}

/* The second waits for the first. */
static int do_linked(void *arg)
{
	FIXTURE_DATA(uring) *self = arg;
	struct io_uring_sqe write = { .opcode = IORING_OP_WRITE, .fd = self->file, .len = 3,
				      .flags = IOSQE_IO_LINK, .user_data = 1 };
	struct io_uring_sqe read = { .opcode = IORING_OP_READ, .fd = self->file, .len = 3,
				     .user_data = 2 };
	struct ring ring;
	char bytes[3];

	write.addr = (uintptr_t)"abc";
	read.addr = (uintptr_t)bytes;
	ring_open(&ring, 0);
	ring_put(&ring, &write);
	ring_put(&ring, &read);
	ring_enter(&ring, 2);
	return memcmp(bytes, "abc", 3) != 0;
}

TEST_F(uring, linked_requests_complete_in_their_order)
{
	TRACE(do_linked);
	EXPECT_EQ(1, SUBMIT(0).user_data);
	EXPECT_EQ(2, SUBMIT(1).user_data);
	EXPECT_EQ(1, COMPLETE(0).user_data);
	EXPECT_EQ(IORING_OP_WRITE, COMPLETE(0).opcode);
	EXPECT_EQ(2, COMPLETE(1).user_data);
	EXPECT_EQ(3, COMPLETE(1).result);
}

/* --- in a thread of the kernel's --- */

TEST_F(uring, request_of_a_worker_is_the_submitters)
{
	pid_t pid;

	self->sqe_flags = IOSQE_ASYNC;
	pid = TRACE(do_read);
	ASSERT_EQ(2, count_records(&self->records, KTR_URING, pid));
	EXPECT_EQ(pid, self->records.at[0].tid);
	EXPECT_EQ(pid, self->records.at[1].tid);
	EXPECT_EQ(self->file, SUBMIT(0).fd);
	EXPECT_EQ(4, COMPLETE(0).result);
}

TEST_F(uring, requests_of_a_polling_kernel_thread_are_recorded)
{
	pid_t pid;

	self->setup_flags = IORING_SETUP_SQPOLL;
	pid = TRACE(do_read);
	ASSERT_EQ(2, count_records(&self->records, KTR_URING, pid));
	EXPECT_EQ(self->file, SUBMIT(0).fd);
	EXPECT_EQ(4, COMPLETE(0).result);
}

static int do_nothing_with_a_ring(void *arg)
{
	struct ring ring;

	ring_open(&ring, 0);
	return 0;
}

TEST_F(uring, ring_without_requests_makes_none)
{
	TRACE(do_nothing_with_a_ring);
	EXPECT_EQ(0, self->records.count);
}

RUN_TESTS
