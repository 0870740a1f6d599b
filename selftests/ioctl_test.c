// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ioctls of /dev/ktrace, below libktrace: sizes, unknown bits, the order of the
 * checks, and what info and stats say. Also built as a 32-bit program (ioctl_test32).
 */
#include "harness.h"

#include <sys/ioctl.h>
#include <sys/stat.h>

FIXTURE(device)
{
	int fd;
	struct trace trace;
};
FIXTURE_SETUP(device)
{
	trace_init(&self->trace);
	self->fd = open("/dev/ktrace", O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
}
FIXTURE_TEARDOWN(device)
{
	close(self->fd);
	trace_fini(&self->trace);
}

/* The error of an ioctl, 0 for success. */
static int call(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) == 0 ? 0 : errno;
}

static struct ktrace_args set_args(const struct trace *trace, int trpoints, pid_t pid)
{
	struct ktrace_args args = {
		.size = sizeof(args),
		.file = (uintptr_t)trace->file,
		.fd = -1,
		.ops = KTROP_SET,
		.trpoints = trpoints,
		.pid = pid,
	};

	return args;
}

/* --- KTRACE_IOC_INFO --- */

static struct ktrace_info info_of(int fd)
{
	struct ktrace_info info = { .size = sizeof(info) };

	require(ioctl(fd, KTRACE_IOC_INFO, &info) == 0);
	return info;
}

TEST_F(device, info_has_the_abi_version)
{
	EXPECT_EQ(KTRACE_ABI_VERSION, info_of(self->fd).abi_version);
}

TEST_F(device, info_has_compat_and_no_unknown_feature)
{
	const __u64 known = KTRACE_FEATURE_NAMEI_KERNEL | KTRACE_FEATURE_COMPAT |
			    KTRACE_FEATURE_TASK_WORK;
	const __u64 features = info_of(self->fd).features;

	EXPECT_EQ(0, features & ~known);
	EXPECT_NE(0, features & KTRACE_FEATURE_COMPAT);
}

TEST_F(device, info_has_the_facilities_of_the_manual_page)
{
	const __u64 facilities = info_of(self->fd).facilities;

	EXPECT_EQ(EVERYTHING, facilities & EVERYTHING);
	EXPECT_EQ(0, facilities & ~(__u64)KTRFAC_MASK);
}

TEST_F(device, info_has_the_size_of_the_rings)
{
	EXPECT_LT(4096, info_of(self->fd).ring_bytes);
}

/* --- the size member --- */

TEST_F(device, size_zero_is_einval)
{
	struct ktrace_info info = { .size = 0 };
	struct ktrace_args args = set_args(&self->trace, CALLS, getpid());

	args.size = 0;
	EXPECT_EQ(EINVAL, call(self->fd, KTRACE_IOC_INFO, &info));
	EXPECT_EQ(EINVAL, call(self->fd, KTRACE_IOC_KTRACE, &args));
}

TEST_F(device, size_that_does_not_reach_the_first_member_is_einval)
{
	struct ktrace_info info = { .size = 3 };

	EXPECT_EQ(EINVAL, call(self->fd, KTRACE_IOC_INFO, &info));
}

struct larger_info {
	struct ktrace_info info;
	__u64 tail[2];
};
struct larger_args {
	struct ktrace_args args;
	__u64 tail[2];
};

TEST_F(device, larger_struct_with_zero_tail_is_fine)
{
	struct larger_info info = { .info.size = sizeof(info) };
	struct larger_args args = { set_args(&self->trace, CALLS, getpid()), { 0 } };

	args.args.size = sizeof(args);
	EXPECT_EQ(0, call(self->fd, KTRACE_IOC_INFO, &info));
	EXPECT_EQ(KTRACE_ABI_VERSION, info.info.abi_version);
	EXPECT_EQ(0, call(self->fd, KTRACE_IOC_KTRACE, &args));
}

TEST_F(device, larger_struct_with_something_in_the_tail_is_e2big)
{
	struct larger_args args = { set_args(&self->trace, CALLS, getpid()), { 0, 1 } };

	args.args.size = sizeof(args);
	EXPECT_EQ(E2BIG, call(self->fd, KTRACE_IOC_KTRACE, &args));
}

TEST_F(device, size_beyond_a_page_is_refused)
{
	struct ktrace_info info = { .size = 0x80000000u };
	const int error = call(self->fd, KTRACE_IOC_INFO, &info);

	EXPECT_TRUE(error == E2BIG || error == EFAULT);
}

TEST_F(device, answer_does_not_go_beyond_the_callers_size)
{
	struct {
		struct ktrace_info info;
		__u8 canary[64];
	} answer = { .info.size = sizeof(answer.info) };
	size_t i;

	memset(answer.canary, 0xa5, sizeof(answer.canary));
	ASSERT_EQ(0, call(self->fd, KTRACE_IOC_INFO, &answer.info));
	for (i = 0; i < sizeof(answer.canary); i++)
		ASSERT_EQ(0xa5, answer.canary[i]);
}

/* --- what is not known --- */

TEST_F(device, unknown_number_is_enotty)
{
	__u64 nothing[32] = { 0 };

	EXPECT_EQ(ENOTTY, call(self->fd, _IO(KTRACE_IOC_MAGIC, 0xff), nothing));
	EXPECT_EQ(ENOTTY, call(self->fd, _IOWR(KTRACE_IOC_MAGIC, 0x84, nothing), nothing));
}

TEST_F(device, other_magic_is_enotty)
{
	struct ktrace_info info = { .size = sizeof(info) };

	EXPECT_EQ(ENOTTY, call(self->fd, _IOWR('k', 0x80, info), &info));
}

TEST_F(device, unknown_flag_is_einval)
{
	struct ktrace_args args = set_args(&self->trace, CALLS, getpid());

	args.flags = 2;
	EXPECT_EQ(EINVAL, call(self->fd, KTRACE_IOC_KTRACE, &args));
	args.flags = 0x80000000u;
	EXPECT_EQ(EINVAL, call(self->fd, KTRACE_IOC_KTRACE, &args));
}

TEST_F(device, utrace_with_pad_is_einval)
{
	struct ktrace_utrace args = { .size = sizeof(args), .pad = 1 };

	EXPECT_EQ(EINVAL, call(self->fd, KTRACE_IOC_UTRACE, &args));
}

TEST_F(device, bad_argument_address_is_efault)
{
	EXPECT_EQ(EFAULT, call(self->fd, KTRACE_IOC_INFO, NULL));
	EXPECT_EQ(EFAULT, call(self->fd, KTRACE_IOC_KTRACE, (void *)8));
	EXPECT_EQ(EFAULT, call(self->fd, KTRACE_IOC_UTRACE, (void *)8));
	EXPECT_EQ(EFAULT, call(self->fd, KTRACE_IOC_STATS, (void *)8));
}

/* --- the order of the checks --- */

/* All that can be wrong is, from some check on. */
static struct ktrace_args all_wrong(const struct trace *trace)
{
	struct ktrace_args args = set_args(trace, 0, 0x7ffffff0);

	args.file = (uintptr_t) "/nonexistent/file";
	args.ops = 3;
	args.flags = 2;
	return args;
}

TEST_F(device, unknown_operation_is_found_before_a_missing_file)
{
	struct ktrace_args args = all_wrong(&self->trace);

	args.flags = 0;
	args.trpoints = CALLS;
	EXPECT_EQ(EINVAL, call(self->fd, KTRACE_IOC_KTRACE, &args));
}

TEST_F(device, no_facility_is_found_before_a_missing_file)
{
	struct ktrace_args args = all_wrong(&self->trace);

	args.flags = 0;
	args.ops = KTROP_SET;
	EXPECT_EQ(EINVAL, call(self->fd, KTRACE_IOC_KTRACE, &args));
}

TEST_F(device, bad_version_is_found_before_a_missing_file)
{
	struct ktrace_args args = all_wrong(&self->trace);

	args.flags = 0;
	args.ops = KTROP_SET;
	args.trpoints = CALLS | (2 << KTRFAC_VER_SHIFT);
	EXPECT_EQ(EINVAL, call(self->fd, KTRACE_IOC_KTRACE, &args));
}

TEST_F(device, missing_file_is_found_before_a_missing_process)
{
	struct ktrace_args args = all_wrong(&self->trace);

	args.flags = 0;
	args.ops = KTROP_SET;
	args.trpoints = CALLS;
	EXPECT_EQ(ENOENT, call(self->fd, KTRACE_IOC_KTRACE, &args));
}

/* --- who may call --- */

TEST_F(device, mode_is_0666)
{
	struct stat st;

	ASSERT_EQ(0, stat("/dev/ktrace", &st));
	EXPECT_TRUE(S_ISCHR(st.st_mode));
	EXPECT_EQ(0666, st.st_mode & 07777);
}

static int trace_oneself(void *arg)
{
	struct ktrace_args args = set_args(arg, CALLS, getpid());
	int fd = open("/dev/ktrace", O_RDONLY | O_CLOEXEC);

	return fd < 0 ? errno : call(fd, KTRACE_IOC_KTRACE, &args);
}

TEST_F(device, ordinary_user_may_trace_oneself)
{
	ASSERT_EQ(0, chown(self->trace.file, USER_ID, USER_ID));
	EXPECT_EQ(0, run_as(USER_ID, trace_oneself, &self->trace));
	EXPECT_LT(0, file_size(self->trace.file));
}

/* --- KTRACE_IOC_UTRACE --- */

TEST_F(device, utrace_of_an_untraced_process_succeeds_whatever_the_address)
{
	struct ktrace_utrace args = { .size = sizeof(args), .addr = 8, .len = 1 << 20 };

	EXPECT_EQ(0, call(self->fd, KTRACE_IOC_UTRACE, &args));
}

/* --- KTRACE_IOC_STATS --- */

static int stats_error(int device, int fd, struct ktrace_stats *stats)
{
	memset(stats, 0, sizeof(*stats));
	stats->size = sizeof(*stats);
	stats->fd = fd;
	return call(device, KTRACE_IOC_STATS, stats);
}

TEST_F(device, stats_of_a_file_that_nothing_traces_to_is_enoent)
{
	int fd = open(self->trace.file, O_WRONLY | O_CLOEXEC);
	struct ktrace_stats stats;

	ASSERT_LE(0, fd);
	EXPECT_EQ(ENOENT, stats_error(self->fd, fd, &stats));
}

TEST_F(device, stats_of_a_bad_descriptor_is_ebadf)
{
	struct ktrace_stats stats;

	EXPECT_EQ(EBADF, stats_error(self->fd, -1, &stats));
}

static int call_and_wait(void *arg)
{
	call_getppid(100);
	return wait_for_ever(arg);
}

/* CLEAR, even of a facility that was not set, waits until the file is complete. */
TEST_F(device, stats_count_what_is_in_the_file)
{
	struct ktrace_args args;
	struct ktrace_stats stats;
	struct records records;
	struct tracee child;
	int fd;

	tracee_fork(&child, call_and_wait, NULL);
	args = set_args(&self->trace, CALLS, child.pid);
	ASSERT_EQ(0, call(self->fd, KTRACE_IOC_KTRACE, &args));
	tracee_release(&child);
	wait_asleep(child.pid);
	args.ops = KTROP_CLEAR;
	args.trpoints = KTRFAC_PSIG;
	ASSERT_EQ(0, call(self->fd, KTRACE_IOC_KTRACE, &args));
	records_read(&records, self->trace.file);
	fd = open(self->trace.file, O_WRONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, stats_error(self->fd, fd, &stats));
	EXPECT_LE(200, stats.records);
	EXPECT_EQ(records.count, stats.records);
	EXPECT_EQ(records.size, stats.bytes);
	EXPECT_EQ(0, stats.timeouts);
	EXPECT_EQ(0, stats.lost[KTR_SYSCALL]);
	tracee_kill(&child);
}

RUN_TESTS
