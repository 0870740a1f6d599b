// SPDX-License-Identifier: GPL-2.0-only
/* STRUCT and STRUCT_ARRAY: what is behind the arguments of a call. Sockets have their own test. */
#include "harness.h"
#include "structs.h"

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>

/* The kernel's own, which is not the C library's. */
struct kernel_sigaction {
	void (*handler)(int signo);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

/* What the child's calls are given and fill, for the test to compare. */
struct memory {
	struct stat stat;
	struct statfs statfs;
	struct utsname utsname;
	struct timespec time, zero;
	struct itimerval itimer, old_itimer;
	struct rlimit limit, old_limit;
	struct kernel_sigaction action, old_action;
	uint64_t set, old_set;
	struct epoll_event event, happened[4];
	struct pollfd poll[600];
	struct iovec pieces[3];
};

FIXTURE(structs)
{
	struct trace trace;
	struct records records;
	struct memory *memory; /* shared with the child */
	int pipe[2]; /* with 3 bytes in it */
};
FIXTURE_SETUP(structs)
{
	trace_init(&self->trace);
	self->memory = shared_memory(sizeof(*self->memory));
	ASSERT_EQ(0, pipe2(self->pipe, O_CLOEXEC));
	ASSERT_EQ(3, write(self->pipe[1], "abc", 3));
}
FIXTURE_TEARDOWN(structs)
{
	records_free(&self->records);
	munmap(self->memory, sizeof(*self->memory));
	trace_fini(&self->trace);
}

#define TRACE(body) trace_body(&self->trace, STRUCTS | CALLS, body, self, &self->records)
#define NTH(call, nth) struct_in(&self->records, SYS_##call, nth)
#define IS(call, nth, name, member)                                            \
	is_struct(NTH(call, nth), name, &self->memory->member, sizeof(self->memory->member))
#define BODY(name)                                                             \
	static int name##_body(FIXTURE_DATA(structs) *self, struct memory *m); \
	static int name(void *arg)                                             \
	{                                                                      \
		FIXTURE_DATA(structs) *self = arg;                             \
		return name##_body(self, self->memory);                        \
	}                                                                      \
	static int name##_body(FIXTURE_DATA(structs) *self, struct memory *m)

/* --- filled by the kernel --- */

BODY(do_stat)
{
	return syscall(SYS_stat, "/proc", &m->stat);
}

TEST_F(structs, stat_is_recorded)
{
	TRACE(do_stat);
	EXPECT_EQ(144, sizeof(struct stat));
	EXPECT_TRUE(IS(stat, 0, "stat", stat));
	EXPECT_EQ(NULL, NTH(stat, 1));
}

TEST_F(structs, structure_is_the_last_before_the_return)
{
	const struct record *r;

	TRACE(do_stat);
	r = NTH(stat, 0);
	EXPECT_EQ(r - 1, next_call(&self->records, NULL, 0, SYS_stat));
	EXPECT_EQ(r + 1, next_return(&self->records, NULL, 0, SYS_stat));
}

BODY(do_newfstatat)
{
	return syscall(SYS_newfstatat, AT_FDCWD, "/proc", &m->stat, 0);
}

TEST_F(structs, newfstatat_is_stat)
{
	TRACE(do_newfstatat);
	EXPECT_TRUE(IS(newfstatat, 0, "stat", stat));
}

BODY(do_statfs)
{
	return syscall(SYS_statfs, "/proc", &m->statfs);
}

TEST_F(structs, statfs_is_recorded)
{
	TRACE(do_statfs);
	EXPECT_TRUE(IS(statfs, 0, "statfs", statfs));
}

BODY(do_uname)
{
	return syscall(SYS_uname, &m->utsname);
}

TEST_F(structs, utsname_is_recorded)
{
	TRACE(do_uname);
	EXPECT_TRUE(IS(uname, 0, "utsname", utsname));
}

BODY(do_clock_gettime)
{
	return syscall(SYS_clock_gettime, CLOCK_REALTIME, &m->time);
}

TEST_F(structs, time_is_recorded)
{
	TRACE(do_clock_gettime);
	EXPECT_TRUE(IS(clock_gettime, 0, "timespec", time));
	EXPECT_LT(0, self->memory->time.tv_sec);
}

/* --- given to the kernel, and both --- */

BODY(do_nanosleep)
{
	m->time = (struct timespec){ .tv_nsec = 12345 };
	return syscall(SYS_nanosleep, &m->time, NULL);
}

TEST_F(structs, sleep_has_its_time)
{
	TRACE(do_nanosleep);
	EXPECT_TRUE(IS(nanosleep, 0, "timespec", time));
	EXPECT_EQ(NULL, NTH(nanosleep, 1));
}

BODY(do_setitimer)
{
	m->itimer.it_value.tv_sec = 1000;
	m->itimer.it_interval.tv_usec = 77;
	return syscall(SYS_setitimer, ITIMER_REAL, &m->itimer, &m->old_itimer);
}

TEST_F(structs, setitimer_has_the_new_and_the_old)
{
	TRACE(do_setitimer);
	EXPECT_TRUE(IS(setitimer, 0, "itimerval", itimer));
	EXPECT_TRUE(IS(setitimer, 1, "itimerval", old_itimer));
	EXPECT_EQ(NULL, NTH(setitimer, 2));
}

BODY(do_setitimer_only)
{
	m->itimer.it_value.tv_sec = 1000;
	return syscall(SYS_setitimer, ITIMER_REAL, &m->itimer, NULL);
}

TEST_F(structs, null_makes_no_record)
{
	TRACE(do_setitimer_only);
	EXPECT_TRUE(IS(setitimer, 0, "itimerval", itimer));
	EXPECT_EQ(NULL, NTH(setitimer, 1));
}

BODY(do_rlimit)
{
	m->limit = (struct rlimit){ 4321, 54321 };
	return syscall(SYS_setrlimit, RLIMIT_SIGPENDING, &m->limit) ||
	       syscall(SYS_getrlimit, RLIMIT_SIGPENDING, &m->old_limit);
}

TEST_F(structs, rlimit_is_recorded)
{
	TRACE(do_rlimit);
	EXPECT_TRUE(IS(setrlimit, 0, "rlimit", limit));
	EXPECT_TRUE(IS(getrlimit, 0, "rlimit", limit));
}

BODY(do_prlimit)
{
	m->limit = (struct rlimit){ 4321, 54321 };
	return syscall(SYS_prlimit64, 0, RLIMIT_SIGPENDING, &m->limit, &m->old_limit);
}

TEST_F(structs, prlimit_has_the_new_and_the_old)
{
	TRACE(do_prlimit);
	EXPECT_TRUE(IS(prlimit64, 0, "rlimit64", limit));
	EXPECT_TRUE(IS(prlimit64, 1, "rlimit64", old_limit));
}

BODY(do_sigaction)
{
	m->action = (struct kernel_sigaction){ .handler = SIG_IGN, .flags = SA_RESTART,
					       .mask = 1 << (SIGHUP - 1) };
	return syscall(SYS_rt_sigaction, SIGUSR1, &m->action, NULL, 8) ||
	       syscall(SYS_rt_sigaction, SIGUSR1, NULL, &m->old_action, 8);
}

TEST_F(structs, sigaction_is_recorded)
{
	const struct record *call;

	TRACE(do_sigaction);
	EXPECT_TRUE(IS(rt_sigaction, 0, "sigaction", action));
	EXPECT_EQ(NULL, NTH(rt_sigaction, 1));
	call = next_call(&self->records, NTH(rt_sigaction, 0), 0, SYS_rt_sigaction);
	EXPECT_TRUE(is_struct(struct_of_call(&self->records, call, 0), "sigaction",
			      &self->memory->action, 32));
	EXPECT_EQ(NULL, struct_of_call(&self->records, call, 1));
}

BODY(do_sigprocmask)
{
	m->set = 1 << (SIGUSR2 - 1);
	return syscall(SYS_rt_sigprocmask, SIG_BLOCK, &m->set, &m->old_set, 8);
}

TEST_F(structs, sigset_is_recorded)
{
	TRACE(do_sigprocmask);
	EXPECT_TRUE(IS(rt_sigprocmask, 0, "sigset", set));
	EXPECT_TRUE(IS(rt_sigprocmask, 1, "sigset", old_set));
}

/* --- arrays --- */

BODY(do_epoll)
{
	int fd = epoll_create1(EPOLL_CLOEXEC);

	m->event.events = EPOLLIN;
	m->event.data.u64 = 0x123456789abcdef0ull;
	return syscall(SYS_epoll_ctl, fd, EPOLL_CTL_ADD, self->pipe[0], &m->event) ||
	       syscall(SYS_epoll_wait, fd, m->happened, 4, -1) != 1;
}

TEST_F(structs, epoll_ctl_has_one_event)
{
	TRACE(do_epoll);
	EXPECT_TRUE(IS(epoll_ctl, 0, "epoll_event", event));
}

TEST_F(structs, epoll_wait_has_the_events_that_happened)
{
	TRACE(do_epoll);
	EXPECT_TRUE(is_array(NTH(epoll_wait, 0), "epoll_event", self->memory->happened, 12, 1));
	EXPECT_EQ(0x123456789abcdef0ull, self->memory->happened[0].data.u64);
}

BODY(do_poll)
{
	m->poll[0] = (struct pollfd){ self->pipe[0], POLLIN, 0 };
	m->poll[1] = (struct pollfd){ self->pipe[1], POLLOUT, 0 };
	m->poll[2] = (struct pollfd){ -1, POLLIN, 0 };
	return syscall(SYS_poll, m->poll, 3, -1) != 2;
}

TEST_F(structs, poll_has_all_descriptors_and_what_happened)
{
	TRACE(do_poll);
	EXPECT_TRUE(is_array(NTH(poll, 0), "pollfd", self->memory->poll, 8, 3));
	EXPECT_EQ(POLLIN, self->memory->poll[0].revents);
}

BODY(do_poll_of_none)
{
	return syscall(SYS_poll, m->poll, 0, 0);
}

TEST_F(structs, array_of_none_makes_no_record)
{
	TRACE(do_poll_of_none);
	EXPECT_EQ(NULL, NTH(poll, 0));
}

BODY(do_poll_many)
{
	int i;

	for (i = 0; i < 600; i++)
		m->poll[i] = (struct pollfd){ -1, i, 0 };
	return syscall(SYS_poll, m->poll, 600, 0);
}

TEST_F(structs, array_is_cut_at_geniosize)
{
	ASSERT_EQ(4096, sysctl_get("geniosize"));
	TRACE(do_poll_many);
	EXPECT_TRUE(is_array(NTH(poll, 0), "pollfd", self->memory->poll, 8, 512));
}

BODY(do_writev)
{
	m->pieces[0] = (struct iovec){ "one", 3 };
	m->pieces[1] = (struct iovec){ NULL, 0 };
	m->pieces[2] = (struct iovec){ "two", 2 };
	return syscall(SYS_writev, self->pipe[1], m->pieces, 3) != 5;
}

TEST_F(structs, writev_has_its_pieces)
{
	TRACE(do_writev);
	EXPECT_TRUE(is_array(NTH(writev, 0), "iovec", self->memory->pieces, 16, 3));
}

BODY(do_readv)
{
	static char bytes[3];

	m->pieces[0] = (struct iovec){ bytes, 1 };
	m->pieces[1] = (struct iovec){ bytes + 1, 2 };
	return syscall(SYS_readv, self->pipe[0], m->pieces, 2) != 3;
}

TEST_F(structs, readv_has_its_pieces)
{
	TRACE(do_readv);
	EXPECT_TRUE(is_array(NTH(readv, 0), "iovec", self->memory->pieces, 16, 2));
}

/* --- one facility without the other --- */

TEST_F(structs, arrays_can_be_left_out)
{
	trace_body(&self->trace, CALLS | (int)KTRFAC_STRUCT, do_epoll, self, &self->records);
	EXPECT_TRUE(IS(epoll_ctl, 0, "epoll_event", event));
	EXPECT_EQ(0, count_records(&self->records, KTR_STRUCT_ARRAY, 0));
}

TEST_F(structs, structures_can_be_left_out)
{
	trace_body(&self->trace, CALLS | (int)KTRFAC_STRUCT_ARRAY, do_epoll, self, &self->records);
	EXPECT_TRUE(is_array(NTH(epoll_wait, 0), "epoll_event", self->memory->happened, 12, 1));
	EXPECT_EQ(0, count_records(&self->records, KTR_STRUCT, 0));
}

TEST_F(structs, no_call_is_needed)
{
	trace_body(&self->trace, STRUCTS, do_stat, self, &self->records);
	ASSERT_LE(1, self->records.count);
	EXPECT_TRUE(is_struct(next_record(&self->records, NULL, KTR_STRUCT, 0), "stat",
			      &self->memory->stat, 144));
}

RUN_TESTS
