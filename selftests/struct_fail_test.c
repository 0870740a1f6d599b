// SPDX-License-Identifier: GPL-2.0-only
/* Structures of calls that fail, that are not in memory, and of i386 calls. */
#include "harness.h"
#include "structs.h"

#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

#define PAGE 4096

FIXTURE(struct_fail)
{
	struct trace trace;
	struct records records;
	char *low; /* a page that i386 calls reach, shared with the child */
	struct sockaddr_in address;
};
FIXTURE_SETUP(struct_fail)
{
	trace_init(&self->trace);
	self->low = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	ASSERT_NE(MAP_FAILED, self->low);
	self->address = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = 0x1234,
					      .sin_addr.s_addr = 0x0100007f };
}
FIXTURE_TEARDOWN(struct_fail)
{
	records_free(&self->records);
	munmap(self->low, PAGE);
	trace_fini(&self->trace);
}

#define TRACE(body) trace_body(&self->trace, STRUCTS | CALLS, body, self, &self->records)
#define NTH(call, nth) struct_in(&self->records, SYS_##call, nth)
#define ERROR(call)                                                            \
	sysret_of(next_return(&self->records, NULL, 0, SYS_##call)).ktr_error

/* --- failures --- */

static int bind_nothing(void *arg)
{
	FIXTURE_DATA(struct_fail) *self = arg;

	return bind(-1, (void *)&self->address, sizeof(self->address)) != -1;
}

TEST_F(struct_fail, what_a_failing_call_was_given_is_recorded)
{
	TRACE(bind_nothing);
	EXPECT_EQ(EBADF, ERROR(bind));
	EXPECT_TRUE(is_struct(NTH(bind, 0), "sockaddr", &self->address, 16));
}

static int stat_nothing(void *arg)
{
	struct stat st = { 0 };

	return syscall(SYS_stat, "/nonexistent", &st) != -1;
}

TEST_F(struct_fail, what_a_failing_call_did_not_fill_is_not)
{
	TRACE(stat_nothing);
	EXPECT_EQ(ENOENT, ERROR(stat));
	EXPECT_EQ(NULL, NTH(stat, 0));
}

static int set_bad_timer(void *arg)
{
	struct itimerval timer = { .it_value.tv_usec = -1 };
	struct itimerval old;

	return syscall(SYS_setitimer, ITIMER_REAL, &timer, &old) != -1;
}

TEST_F(struct_fail, only_the_half_that_was_given_is_recorded)
{
	const struct itimerval timer = { .it_value.tv_usec = -1 };

	TRACE(set_bad_timer);
	EXPECT_EQ(EINVAL, ERROR(setitimer));
	EXPECT_TRUE(is_struct(NTH(setitimer, 0), "itimerval", &timer, 32));
	EXPECT_EQ(NULL, NTH(setitimer, 1));
}

static int use_bad_addresses(void *arg)
{
	struct itimerval timer = { 0 };

	return syscall(SYS_stat, "/", bad_address()) != -1 ||
	       syscall(SYS_setitimer, ITIMER_REAL, &timer, bad_address()) != -1;
}

TEST_F(struct_fail, efault_makes_no_record)
{
	TRACE(use_bad_addresses);
	EXPECT_EQ(EFAULT, ERROR(stat));
	EXPECT_EQ(NULL, NTH(stat, 0));
	EXPECT_EQ(EFAULT, ERROR(setitimer));
	EXPECT_EQ(NULL, NTH(setitimer, 0));
}

static int bind_bad_address(void *arg)
{
	return bind(-1, bad_address(), 16) != -1;
}

/* The call has failed before it looked. */
TEST_F(struct_fail, address_that_cannot_be_read_makes_no_record)
{
	TRACE(bind_bad_address);
	EXPECT_EQ(EBADF, ERROR(bind));
	EXPECT_EQ(NULL, NTH(bind, 0));
}

static int bind_much(void *arg)
{
	static const char bytes[1000];

	return bind(-1, (void *)bytes, sizeof(bytes)) != -1;
}

TEST_F(struct_fail, size_that_the_program_says_is_limited)
{
	const char zeros[128] = "";

	TRACE(bind_much);
	EXPECT_TRUE(is_struct(NTH(bind, 0), "sockaddr", zeros, sizeof(zeros)));
}

static int bind_no_bytes(void *arg)
{
	FIXTURE_DATA(struct_fail) *self = arg;

	return syscall(SYS_bind, -1, &self->address, 0) != -1;
}

TEST_F(struct_fail, structure_of_no_bytes_makes_no_record)
{
	TRACE(bind_no_bytes);
	EXPECT_EQ(EBADF, ERROR(bind));
	EXPECT_EQ(NULL, NTH(bind, 0));
}

/* --- memory that is not there yet --- */

/* The kernel does not look at the address of a bad descriptor, so nobody has touched it. */
static int bind_fresh_mapping(void *arg)
{
	FIXTURE_DATA(struct_fail) *self = arg;
	int fd = open(trace_path(&self->trace, "data"), O_RDONLY | O_CLOEXEC);
	void *memory = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);

	require(memory != MAP_FAILED);
	return bind(-1, memory, 16) != -1;
}

TEST_F(struct_fail, untouched_file_is_read)
{
	write_file(trace_path(&self->trace, "data"), "0123456789abcdef");
	TRACE(bind_fresh_mapping);
	EXPECT_TRUE(is_struct(NTH(bind, 0), "sockaddr", "0123456789abcdef", 16));
}

/* The record is late, and the order is kept all the same. */
TEST_F(struct_fail, untouched_memory_comes_before_the_return_of_its_call)
{
	const struct record *r;

	write_file(trace_path(&self->trace, "data"), "0123456789abcdef");
	TRACE(bind_fresh_mapping);
	r = next_call(&self->records, NULL, 0, SYS_bind);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(KTR_STRUCT, r[1].type);
	EXPECT_EQ(KTR_SYSRET, r[2].type);
}

/* The first is in memory, the second is not: neither is lost or comes twice. */
static int do_failing_ppoll(void *arg)
{
	const struct timespec there = { 1, 2 };
	char *fresh = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	require(fresh != MAP_FAILED);
	/* nothing to wait for in no descriptors, and the size of the signal set is wrong */
	return syscall(SYS_ppoll, NULL, 0, &there, fresh, 77) != -1;
}

TEST_F(struct_fail, structures_in_memory_and_not_keep_their_order)
{
	const struct timespec there = { 1, 2 };
	const char zeros[8] = "";

	TRACE(do_failing_ppoll);
	EXPECT_EQ(EINVAL, ERROR(ppoll));
	EXPECT_TRUE(is_struct(NTH(ppoll, 0), "timespec", &there, 16));
	EXPECT_TRUE(is_struct(NTH(ppoll, 1), "sigset", zeros, 8));
	EXPECT_EQ(NULL, NTH(ppoll, 2));
}

/* --- i386 --- */

/* Calls of i386 from here: int 0x80, with pointers below 4 GiB. */
static long call32(long number, long a, long b, long c)
{
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a"(ret)
			 : "0"(number), "b"(a), "c"(b), "d"(c)
			 : "memory", "r8", "r9", "r10", "r11");
	return ret;
}

enum { stat32 = 106, stat64_32 = 195, nanosleep32 = 162, poll32 = 168, writev32 = 146,
       setitimer32 = 104 };

/* The path is behind the structure. */
static int do_stats32(void *arg)
{
	FIXTURE_DATA(struct_fail) *self = arg;
	const long memory = (long)self->low;

	strcpy(self->low + 1000, "/proc");
	return call32(stat32, memory + 1000, memory, 0) ||
	       call32(stat64_32, memory + 1000, memory + 200, 0);
}

#define NTH32(number, nth) struct_in(&self->records, number, nth)

TEST_F(struct_fail, stat_of_i386_has_64_bytes)
{
	TRACE(do_stats32);
	EXPECT_TRUE(is_struct(NTH32(stat32, 0), "stat", self->low, 64));
}

TEST_F(struct_fail, stat64_of_i386_has_96_bytes)
{
	TRACE(do_stats32);
	EXPECT_TRUE(is_struct(NTH32(stat64_32, 0), "stat64", self->low + 200, 96));
}

static int do_times32(void *arg)
{
	FIXTURE_DATA(struct_fail) *self = arg;
	const int32_t sleep[2] = { 0, 12345 };
	const int32_t timer[4] = { 0, 0, 1000, 5 };

	memcpy(self->low, sleep, sizeof(sleep));
	memcpy(self->low + 100, timer, sizeof(timer));
	/* ENOSYS without CONFIG_COMPAT_32BIT_TIME: it was given the time all the same */
	call32(nanosleep32, (long)self->low, 0, 0);
	return call32(setitimer32, ITIMER_REAL, (long)self->low + 100, 0);
}

TEST_F(struct_fail, timespec_of_i386_has_8_bytes)
{
	TRACE(do_times32);
	EXPECT_TRUE(is_struct(NTH32(nanosleep32, 0), "timespec", self->low, 8));
}

TEST_F(struct_fail, itimerval_of_i386_has_16_bytes)
{
	TRACE(do_times32);
	EXPECT_TRUE(is_struct(NTH32(setitimer32, 0), "itimerval", self->low + 100, 16));
}

static int do_arrays32(void *arg)
{
	FIXTURE_DATA(struct_fail) *self = arg;
	const uint32_t text = (uintptr_t)self->low + 500;
	const uint32_t pieces[4] = { text, 1, text + 1, 2 };
	const int32_t poll[4] = { -1, 1, -1, 4 };
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	memcpy(self->low, pieces, sizeof(pieces));
	memcpy(self->low + 100, poll, sizeof(poll));
	return call32(writev32, fd, (long)self->low, 2) != 3 ||
	       call32(poll32, (long)self->low + 100, 2, 0) != 0;
}

TEST_F(struct_fail, iovec_of_i386_has_8_bytes)
{
	TRACE(do_arrays32);
	EXPECT_TRUE(is_array(NTH32(writev32, 0), "iovec", self->low, 8, 2));
	EXPECT_TRUE(is_array(NTH32(poll32, 0), "pollfd", self->low + 100, 8, 2));
}

RUN_TESTS
