// SPDX-License-Identifier: GPL-2.0-only
/* GENIO: the bytes that a call has read or written. */
#include "harness.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Descriptors that a child gets, opened before it is traced. */
FIXTURE(genio)
{
	struct trace trace;
	struct records records;
	int file; /* "0123456789" */
	int null;
	int pair[2]; /* of datagram sockets */
};

FIXTURE_SETUP(genio)
{
	trace_init(&self->trace);
	write_file(trace_path(&self->trace, "data"), "0123456789");
	self->file = open(trace_path(&self->trace, "data"), O_RDWR | O_CLOEXEC);
	self->null = open("/dev/null", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->file);
	ASSERT_LE(0, self->null);
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, self->pair));
}
FIXTURE_TEARDOWN(genio)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

#define TRACE(body) trace_body(&self->trace, EVERYTHING, body, self, &self->records)
/* The number of GENIO records, without that of the start pipe. */
#define GENIO_COUNT (count_records(&self->records, KTR_GENIO, 0) - 1)
#define HAS(fd, rw, data, length)                                              \
	genio_is(next_genio(&self->records, NULL, fd), fd, KTR_UIO_##rw, data, length)

/* --- one buffer --- */

static int do_write(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;

	return write(self->null, "hello", 5) != 5;
}

TEST_F(genio, write_has_the_bytes)
{
	TRACE(do_write);
	EXPECT_TRUE(HAS(self->null, WRITE, "hello", 5));
	EXPECT_EQ(1, GENIO_COUNT);
}

static int do_read(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	char bytes[4];

	return read(self->file, bytes, 4) != 4;
}

TEST_F(genio, read_has_the_bytes)
{
	TRACE(do_read);
	EXPECT_TRUE(HAS(self->file, READ, "0123", 4));
	EXPECT_EQ(1, GENIO_COUNT);
}

static int do_short_read(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	char bytes[100];

	return read(self->file, bytes, 100) != 10;
}

TEST_F(genio, read_has_only_what_was_read)
{
	TRACE(do_short_read);
	EXPECT_TRUE(HAS(self->file, READ, "0123456789", 10));
}

static int do_read_at_end(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	char bytes[4];

	return pread(self->file, bytes, 4, 10) != 0;
}

TEST_F(genio, read_at_the_end_of_the_file_makes_no_record)
{
	TRACE(do_read_at_end);
	EXPECT_EQ(0, GENIO_COUNT);
}

static int do_write_nothing(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;

	return write(self->null, "hello", 0) != 0;
}

TEST_F(genio, write_of_nothing_makes_no_record)
{
	TRACE(do_write_nothing);
	EXPECT_EQ(0, GENIO_COUNT);
}

static int do_pread(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	char bytes[3];

	return pread(self->file, bytes, 3, 7) != 3;
}

TEST_F(genio, pread_has_the_bytes)
{
	TRACE(do_pread);
	EXPECT_TRUE(HAS(self->file, READ, "789", 3));
}

static int do_pwrite(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;

	return pwrite(self->file, "abc", 3, 7) != 3;
}

TEST_F(genio, pwrite_has_the_bytes)
{
	TRACE(do_pwrite);
	EXPECT_TRUE(HAS(self->file, WRITE, "abc", 3));
}

/* --- several buffers --- */

static int do_writev(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	struct iovec pieces[] = { { "one ", 4 }, { "", 0 }, { "two ", 4 }, { "three", 5 } };

	return writev(self->null, pieces, 4) != 13;
}

TEST_F(genio, writev_has_all_pieces_in_one_record)
{
	TRACE(do_writev);
	EXPECT_TRUE(HAS(self->null, WRITE, "one two three", 13));
	EXPECT_EQ(1, GENIO_COUNT);
}

static int do_readv(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	char first[3], second[4], third[100];
	struct iovec pieces[] = { { first, 3 }, { second, 4 }, { third, 100 } };

	return readv(self->file, pieces, 3) != 10;
}

TEST_F(genio, readv_has_all_pieces_in_one_record)
{
	TRACE(do_readv);
	EXPECT_TRUE(HAS(self->file, READ, "0123456789", 10));
	EXPECT_EQ(1, GENIO_COUNT);
}

static int do_preadv_pwritev(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	char bytes[5];
	struct iovec in[] = { { bytes, 2 }, { bytes + 2, 3 } };
	struct iovec out[] = { { "x", 1 }, { "yz", 2 } };

	return preadv(self->file, in, 2, 5) != 5 || pwritev(self->null, out, 2, 0) != 3;
}

TEST_F(genio, preadv_and_pwritev_have_the_bytes)
{
	TRACE(do_preadv_pwritev);
	EXPECT_TRUE(HAS(self->file, READ, "56789", 5));
	EXPECT_TRUE(HAS(self->null, WRITE, "xyz", 3));
}

/* --- messages --- */

static int do_sendto_recvfrom(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	char bytes[16];

	return send(self->pair[0], "datagram", 8, 0) != 8 ||
	       recv(self->pair[1], bytes, 16, 0) != 8;
}

TEST_F(genio, sendto_and_recvfrom_have_the_bytes)
{
	TRACE(do_sendto_recvfrom);
	EXPECT_TRUE(HAS(self->pair[0], WRITE, "datagram", 8));
	EXPECT_TRUE(HAS(self->pair[1], READ, "datagram", 8));
}

static int do_messages(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	char bytes[16];
	struct iovec out[] = { { "mes", 3 }, { "sage", 4 } };
	struct iovec in[] = { { bytes, 2 }, { bytes + 2, 14 } };
	struct msghdr send_header = { .msg_iov = out, .msg_iovlen = 2 };
	struct msghdr receive_header = { .msg_iov = in, .msg_iovlen = 2 };

	return sendmsg(self->pair[0], &send_header, 0) != 7 ||
	       recvmsg(self->pair[1], &receive_header, 0) != 7;
}

TEST_F(genio, sendmsg_and_recvmsg_have_the_bytes)
{
	TRACE(do_messages);
	EXPECT_TRUE(HAS(self->pair[0], WRITE, "message", 7));
	EXPECT_TRUE(HAS(self->pair[1], READ, "message", 7));
}

/* MSG_TRUNC: the result is longer than what is in the buffer. */
static int do_truncated_receive(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	char bytes[4] = "";
	struct iovec in = { bytes, 4 };
	struct msghdr header = { .msg_iov = &in, .msg_iovlen = 1 };

	return send(self->pair[0], "long datagram", 13, 0) != 13 ||
	       recvmsg(self->pair[1], &header, MSG_TRUNC) != 13;
}

TEST_F(genio, recvmsg_with_a_result_beyond_its_buffer_has_no_stale_bytes)
{
	const struct record *r;
	size_t i;

	TRACE(do_truncated_receive);
	r = next_genio(&self->records, NULL, self->pair[1]);
	ASSERT_NE(NULL, r);
	ASSERT_LE(4, genio_length(r));
	EXPECT_EQ(0, memcmp("long", genio_data(r), 4));
	for (i = 4; i < genio_length(r); i++)
		EXPECT_EQ(0, genio_data(r)[i]);
}

static int do_many_messages(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	char bytes[2][16];
	struct iovec out[] = { { "first", 5 }, { "second", 6 } };
	struct iovec in[] = { { bytes[0], 16 }, { bytes[1], 16 } };
	struct mmsghdr headers[2] = {
		{ .msg_hdr = { .msg_iov = &out[0], .msg_iovlen = 1 } },
		{ .msg_hdr = { .msg_iov = &out[1], .msg_iovlen = 1 } },
	};

	if (sendmmsg(self->pair[0], headers, 2, 0) != 2)
		return 1;
	headers[0].msg_hdr.msg_iov = &in[0];
	headers[1].msg_hdr.msg_iov = &in[1];
	return recvmmsg(self->pair[1], headers, 2, 0, NULL) != 2;
}

TEST_F(genio, sendmmsg_and_recvmmsg_have_a_record_for_each_message)
{
	const struct record *r;

	TRACE(do_many_messages);
	r = next_genio(&self->records, NULL, self->pair[0]);
	EXPECT_TRUE(genio_is(r, self->pair[0], KTR_UIO_WRITE, "first", 5));
	r = next_genio(&self->records, r, self->pair[0]);
	EXPECT_TRUE(genio_is(r, self->pair[0], KTR_UIO_WRITE, "second", 6));
	r = next_genio(&self->records, NULL, self->pair[1]);
	EXPECT_TRUE(genio_is(r, self->pair[1], KTR_UIO_READ, "first", 5));
	r = next_genio(&self->records, r, self->pair[1]);
	EXPECT_TRUE(genio_is(r, self->pair[1], KTR_UIO_READ, "second", 6));
	EXPECT_EQ(4, GENIO_COUNT);
}

/* --- memory --- */

static char *fresh_pages(size_t size)
{
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	require(memory != MAP_FAILED);
	return memory;
}

/* Nothing ever reads these pages but the trace: /dev/null does not. */
static int do_write_untouched(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;

	return write(self->null, fresh_pages(8192), 3000) != 3000;
}

TEST_F(genio, write_of_untouched_memory_has_zeros)
{
	static const char zeros[3000];

	TRACE(do_write_untouched);
	EXPECT_TRUE(HAS(self->null, WRITE, zeros, sizeof(zeros)));
}

static int do_write_across(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	char *memory = fresh_pages(8192);

	memcpy(memory + 4090, "across", 6);
	return write(self->null, memory + 4090, 12) != 12;
}

TEST_F(genio, write_of_half_touched_memory_has_the_bytes)
{
	TRACE(do_write_across);
	EXPECT_TRUE(HAS(self->null, WRITE, "across\0\0\0\0\0\0", 12));
}

/* The data is late, and the order is kept all the same. */
TEST_F(genio, untouched_memory_comes_before_the_return_of_its_call)
{
	const struct record *r;

	TRACE(do_write_untouched);
	r = next_call(&self->records, NULL, 0, SYS_write);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(KTR_GENIO, r[1].type);
	EXPECT_EQ(KTR_SYSRET, r[2].type);
}

static int do_write_unreadable(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	char *memory = fresh_pages(4096);

	mprotect(memory, 4096, PROT_NONE);
	return write(self->null, memory, 100) != 100;
}

TEST_F(genio, memory_that_cannot_be_read_makes_no_record)
{
	TRACE(do_write_unreadable);
	EXPECT_EQ(0, GENIO_COUNT);
	EXPECT_EQ(1, count_returns(&self->records, 0, SYS_write));
}

/* --- sizes --- */

static int do_write_much(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	static char bytes[10000];

	memset(bytes, 'x', sizeof(bytes));
	return write(self->null, bytes, sizeof(bytes)) != sizeof(bytes);
}

TEST_F(genio, write_is_truncated_at_geniosize)
{
	const struct record *r;

	ASSERT_EQ(4096, sysctl_get("geniosize"));
	TRACE(do_write_much);
	r = next_genio(&self->records, NULL, self->null);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(4096, genio_length(r));
	EXPECT_EQ(1, GENIO_COUNT);
	r = next_return(&self->records, NULL, 0, SYS_write);
	EXPECT_EQ(10000, sysret_of(r).ktr_retval);
}

TEST_F(genio, geniosize_can_be_changed)
{
	const struct record *r;

	ASSERT_EQ(0, sysctl_set("geniosize", 100));
	TRACE(do_write_much);
	EXPECT_EQ(0, sysctl_set("geniosize", 4096));
	r = next_genio(&self->records, NULL, self->null);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(100, genio_length(r));
}

TEST_F(genio, greatest_geniosize_takes_all)
{
	const struct record *r;

	ASSERT_EQ(0, sysctl_set("geniosize", 65536));
	TRACE(do_write_much);
	EXPECT_EQ(0, sysctl_set("geniosize", 4096));
	r = next_genio(&self->records, NULL, self->null);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(10000, genio_length(r));
}

/* --- failures --- */

static int do_write_to_closed_socket(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;

	signal(SIGPIPE, SIG_IGN);
	close(self->pair[1]);
	return write(self->pair[0], "nobody listens", 14) != -1;
}

TEST_F(genio, write_that_fails_has_what_it_asked_for)
{
	close(self->pair[1]);
	TRACE(do_write_to_closed_socket);
	EXPECT_TRUE(HAS(self->pair[0], WRITE, "nobody listens", 14));
}

static int do_write_bad_address(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;

	return write(self->file, bad_address(), 14) != -1 || errno != EFAULT;
}

TEST_F(genio, write_from_a_bad_address_makes_no_record)
{
	TRACE(do_write_bad_address);
	EXPECT_EQ(0, GENIO_COUNT);
}

static int do_read_that_fails(void *arg)
{
	FIXTURE_DATA(genio) *self = arg;
	char bytes[4];

	return recv(self->pair[0], bytes, 4, MSG_DONTWAIT) != -1 || errno != EAGAIN;
}

TEST_F(genio, read_that_fails_makes_no_record)
{
	TRACE(do_read_that_fails);
	EXPECT_EQ(0, GENIO_COUNT);
}

RUN_TESTS
