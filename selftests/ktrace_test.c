// SPDX-License-Identifier: GPL-2.0-only
/* What ktrace(2) refuses, and with which errno; the manual page's list. */
#include "harness.h"

#include <limits.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>

FIXTURE_WITH_TRACE(ktrace)

/* Both return 0 or the errno. */
static int set_file(const char *file)
{
	return ktrace(file, KTROP_SET, CALLS, getpid()) == 0 ? 0 : errno;
}

static int call(const char *file, int ops, int trpoints, pid_t pid)
{
	return ktrace(file, ops, trpoints, pid) == 0 ? 0 : errno;
}

/* --- the file --- */

TEST_F(ktrace, missing_file_is_enoent)
{
	EXPECT_EQ(ENOENT, set_file(trace_path(&self->trace, "missing")));
}

TEST_F(ktrace, missing_file_is_not_created)
{
	const char *path = trace_path(&self->trace, "missing");

	set_file(path);
	EXPECT_NE(0, access(path, F_OK));
}

TEST_F(ktrace, empty_path_is_enoent)
{
	EXPECT_EQ(ENOENT, set_file(""));
}

TEST_F(ktrace, file_below_a_file_is_enotdir)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/below", self->trace.file);
	EXPECT_EQ(ENOTDIR, set_file(path));
}

TEST_F(ktrace, directory_is_eisdir)
{
	EXPECT_EQ(EISDIR, set_file(self->trace.dir));
}

TEST_F(ktrace, final_symlink_is_eloop)
{
	const char *link = trace_path(&self->trace, "link");

	ASSERT_EQ(0, symlink(self->trace.file, link));
	EXPECT_EQ(ELOOP, set_file(link));
}

TEST_F(ktrace, symlink_to_a_folder_on_the_way_is_followed)
{
	const char *link = trace_path(&self->trace, "link");
	char path[200];

	ASSERT_EQ(0, symlink(self->trace.dir, link));
	snprintf(path, sizeof(path), "%s/ktrace.out", link);
	EXPECT_EQ(0, set_file(path));
}

TEST_F(ktrace, fifo_is_eacces)
{
	const char *path = trace_path(&self->trace, "fifo");

	ASSERT_EQ(0, mkfifo(path, 0666));
	EXPECT_EQ(EACCES, set_file(path));
}

TEST_F(ktrace, fifo_with_a_reader_is_eacces)
{
	const char *path = trace_path(&self->trace, "fifo");

	ASSERT_EQ(0, mkfifo(path, 0666));
	ASSERT_LE(0, open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC));
	EXPECT_EQ(EACCES, set_file(path));
}

TEST_F(ktrace, device_is_eacces)
{
	EXPECT_EQ(EACCES, set_file("/dev/null"));
}

TEST_F(ktrace, running_program_is_etxtbsy)
{
	EXPECT_EQ(ETXTBSY, set_file(program_path("ktrace_test")));
}

TEST_F(ktrace, file_on_a_read_only_file_system_is_erofs)
{
	ASSERT_EQ(0, unshare(CLONE_NEWNS));
	ASSERT_EQ(0, mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	ASSERT_EQ(0, mount("tmpfs", self->trace.dir, "tmpfs", 0, NULL));
	make_file(self->trace.file, 0600);
	ASSERT_EQ(0, mount(NULL, self->trace.dir, NULL, MS_REMOUNT | MS_RDONLY, NULL));
	EXPECT_EQ(EROFS, set_file(self->trace.file));
	umount2(self->trace.dir, MNT_DETACH);
}

static int set_given_file(void *arg)
{
	return set_file(arg);
}

TEST_F(ktrace, file_of_another_user_is_eacces)
{
	EXPECT_EQ(EACCES, run_as(USER_ID, set_given_file, self->trace.file));
}

TEST_F(ktrace, own_file_without_write_permission_is_eacces)
{
	ASSERT_EQ(0, chown(self->trace.file, USER_ID, USER_ID));
	ASSERT_EQ(0, chmod(self->trace.file, 0400));
	EXPECT_EQ(EACCES, run_as(USER_ID, set_given_file, self->trace.file));
}

TEST_F(ktrace, write_permission_is_enough)
{
	ASSERT_EQ(0, chmod(self->trace.file, 0222));
	EXPECT_EQ(0, run_as(USER_ID, set_given_file, self->trace.file));
}

TEST_F(ktrace, folder_without_search_permission_is_eacces)
{
	ASSERT_EQ(0, chmod(self->trace.file, 0666));
	ASSERT_EQ(0, chmod(self->trace.dir, 0700));
	EXPECT_EQ(EACCES, run_as(USER_ID, set_given_file, self->trace.file));
}

/* --- its name --- */

TEST_F(ktrace, component_of_256_characters_is_enametoolong)
{
	char name[257];

	memset(name, 'x', 256);
	name[256] = '\0';
	EXPECT_EQ(ENAMETOOLONG, set_file(trace_path(&self->trace, name)));
}

/* The trace file's path, made longer by slashes. */
static void long_path(const struct trace *trace, char *ret, size_t length)
{
	const char *base = strrchr(trace->file, '/');
	size_t slashes = length - strlen(trace->file);

	memset(ret, '/', length);
	memcpy(ret, trace->dir, strlen(trace->dir));
	memcpy(ret + strlen(trace->dir) + slashes, base, strlen(base) + 1);
}

TEST_F(ktrace, path_of_1023_characters_is_fine)
{
	char path[2048];

	long_path(&self->trace, path, 1023);
	ASSERT_EQ(1023, strlen(path));
	EXPECT_EQ(0, set_file(path));
}

TEST_F(ktrace, path_of_1024_characters_is_enametoolong)
{
	char path[2048];

	long_path(&self->trace, path, 1024);
	ASSERT_EQ(1024, strlen(path));
	EXPECT_EQ(ENAMETOOLONG, set_file(path));
}

TEST_F(ktrace, relative_path_is_that_of_the_caller)
{
	ASSERT_EQ(0, chdir(self->trace.dir));
	EXPECT_EQ(0, set_file("ktrace.out"));
}

TEST_F(ktrace, null_path_is_efault)
{
	EXPECT_EQ(EFAULT, set_file(NULL));
	EXPECT_EQ(EFAULT, call(NULL, KTROP_CLEARFILE, 0, 0));
}

TEST_F(ktrace, bad_path_address_is_efault)
{
	EXPECT_EQ(EFAULT, set_file((const char *)-4096));
}

TEST_F(ktrace, clear_does_not_look_at_the_path)
{
	EXPECT_EQ(0, call(NULL, KTROP_CLEAR, CALLS, getpid()));
	EXPECT_EQ(0, call("/nonexistent/file", KTROP_CLEAR, CALLS, getpid()));
}

/* --- operation and facilities --- */

TEST_F(ktrace, operation_3_is_einval)
{
	EXPECT_EQ(EINVAL, call(self->trace.file, 3, CALLS, getpid()));
}

TEST_F(ktrace, unknown_flags_are_einval)
{
	EXPECT_EQ(EINVAL, call(self->trace.file, KTROP_SET | 8, CALLS, getpid()));
	EXPECT_EQ(EINVAL, call(self->trace.file, KTROP_SET | 0x40000000, CALLS, getpid()));
	EXPECT_EQ(EINVAL, call(self->trace.file, -1, CALLS, getpid()));
}

TEST_F(ktrace, set_of_no_facility_is_einval)
{
	EXPECT_EQ(EINVAL, call(self->trace.file, KTROP_SET, 0, getpid()));
	EXPECT_EQ(EINVAL, call(self->trace.file, KTROP_SET, (int)KTRFAC_ROOT, getpid()));
}

TEST_F(ktrace, clear_of_no_facility_is_einval)
{
	EXPECT_EQ(EINVAL, call(NULL, KTROP_CLEAR, 0, getpid()));
}

TEST_F(ktrace, clearfile_needs_no_facility)
{
	EXPECT_EQ(0, call(self->trace.file, KTROP_CLEARFILE, 0, 0));
}

TEST_F(ktrace, clearfile_does_not_look_at_the_pid)
{
	EXPECT_EQ(0, call(self->trace.file, KTROP_CLEARFILE, 0, 0x7ffffff0));
}

TEST_F(ktrace, version_without_facility_is_einval)
{
	EXPECT_EQ(EINVAL, call(self->trace.file, KTROP_SET, KTRFACv1, getpid()));
}

TEST_F(ktrace, inherit_alone_is_a_facility)
{
	EXPECT_EQ(0, call(self->trace.file, KTROP_SET, INHERIT, getpid()));
}

TEST_F(ktrace, undefined_facilities_are_ignored)
{
	EXPECT_EQ(0, call(self->trace.file, KTROP_SET, CALLS | 1 | (1 << 23), getpid()));
}

TEST_F(ktrace, root_and_drop_bits_of_the_caller_are_ignored)
{
	const int bits = (int)(KTRFAC_ROOT | KTRFAC_DROP);

	EXPECT_EQ(0, call(self->trace.file, KTROP_SET, CALLS | bits, getpid()));
}

TEST_F(ktrace, unknown_header_version_is_einval)
{
	int version;

	for (version = 2; version < 16; version++)
		EXPECT_EQ(EINVAL, call(self->trace.file, KTROP_SET,
				       CALLS | version << KTRFAC_VER_SHIFT, getpid()));
}

/* --- the process --- */

static pid_t dead_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	require(waitpid(pid, NULL, 0) == pid);
	return pid;
}

TEST_F(ktrace, dead_process_is_esrch)
{
	EXPECT_EQ(ESRCH, call(self->trace.file, KTROP_SET, CALLS, dead_pid()));
	EXPECT_EQ(ESRCH, call(NULL, KTROP_CLEAR, CALLS, dead_pid()));
}

TEST_F(ktrace, process_0_is_esrch)
{
	EXPECT_EQ(ESRCH, call(self->trace.file, KTROP_SET, CALLS, 0));
}

TEST_F(ktrace, empty_process_group_is_esrch)
{
	EXPECT_EQ(ESRCH, call(self->trace.file, KTROP_SET, CALLS, -dead_pid()));
}

TEST_F(ktrace, least_pid_is_esrch)
{
	EXPECT_EQ(ESRCH, call(self->trace.file, KTROP_SET, CALLS, INT_MIN));
}

TEST_F(ktrace, thread_that_is_no_leader_is_not_a_process_of_its_own)
{
	/* FreeBSD has no such number; Linux finds the thread, as kill(2) does, or does not */
	const int error = call(self->trace.file, KTROP_SET, CALLS, gettid());

	EXPECT_EQ(0, error);
}

TEST_F(ktrace, zombie_is_no_error)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	ASSERT_EQ(0, waitid(P_PID, pid, NULL, WEXITED | WNOWAIT));
	EXPECT_EQ(0, call(self->trace.file, KTROP_SET, CALLS, pid));
	EXPECT_EQ(0, call(NULL, KTROP_CLEAR, CALLS, pid));
	waitpid(pid, NULL, 0);
}

TEST_F(ktrace, kernel_thread_is_eperm)
{
	EXPECT_EQ(EPERM, call(self->trace.file, KTROP_SET, CALLS, 2));
}

/* --- whose process --- */

struct attempt {
	const char *file;
	int ops;
	pid_t pid;
};

static int attempt(void *arg)
{
	const struct attempt *a = arg;

	return call(a->file, a->ops, CALLS, a->pid);
}

/* The error that the ordinary user gets; the trace file is open to all. */
static int attempt_as_user(const struct trace *trace, int ops, pid_t pid)
{
	struct attempt a = { trace->file, ops, pid };

	require(chmod(trace->file, 0666) == 0);
	return run_as(USER_ID, attempt, &a);
}

static void as_user(void)
{
	become_user(USER_ID);
}

static void as_other_user(void)
{
	become_user(OTHER_ID);
}

/* As a set-id program: the user's own, but not open to the user. */
static void as_user_undumpable(void)
{
	become_user(USER_ID);
	prctl(PR_SET_DUMPABLE, 0);
}

static void with_other_effective_user(void)
{
	require(setresuid(USER_ID, OTHER_ID, OTHER_ID) == 0);
	prctl(PR_SET_DUMPABLE, 1);
}

TEST_F(ktrace, own_process_of_an_ordinary_user_is_fine)
{
	struct tracee child;

	tracee_start(&child, as_user);
	EXPECT_EQ(0, attempt_as_user(&self->trace, KTROP_SET, child.pid));
	tracee_kill(&child);
}

TEST_F(ktrace, process_of_root_is_eperm)
{
	struct tracee child;

	tracee_start(&child, NULL);
	EXPECT_EQ(EPERM, attempt_as_user(&self->trace, KTROP_SET, child.pid));
	EXPECT_EQ(EPERM, attempt_as_user(&self->trace, KTROP_CLEAR, child.pid));
	tracee_kill(&child);
}

TEST_F(ktrace, process_of_another_user_is_eperm)
{
	struct tracee child;

	tracee_start(&child, as_other_user);
	EXPECT_EQ(EPERM, attempt_as_user(&self->trace, KTROP_SET, child.pid));
	tracee_kill(&child);
}

TEST_F(ktrace, process_with_another_effective_user_is_eperm)
{
	struct tracee child;

	tracee_start(&child, with_other_effective_user);
	EXPECT_EQ(EPERM, attempt_as_user(&self->trace, KTROP_SET, child.pid));
	tracee_kill(&child);
}

TEST_F(ktrace, own_process_that_is_not_dumpable_is_eperm)
{
	struct tracee child;

	tracee_start(&child, as_user_undumpable);
	EXPECT_EQ(EPERM, attempt_as_user(&self->trace, KTROP_SET, child.pid));
	tracee_kill(&child);
}

TEST_F(ktrace, process_of_any_user_is_fine_for_root)
{
	struct tracee child;

	tracee_start(&child, as_user_undumpable);
	EXPECT_EQ(0, call(self->trace.file, KTROP_SET, CALLS, child.pid));
	tracee_kill(&child);
}

TEST_F(ktrace, group_with_one_process_of_ones_own_is_fine)
{
	struct tracee own, foreign;

	tracee_start(&own, as_user);
	tracee_start(&foreign, NULL);
	ASSERT_EQ(0, setpgid(own.pid, own.pid));
	ASSERT_EQ(0, setpgid(foreign.pid, own.pid));
	EXPECT_EQ(0, attempt_as_user(&self->trace, KTROP_SET, -own.pid));
	tracee_kill(&own);
	tracee_kill(&foreign);
}

TEST_F(ktrace, group_of_others_is_eperm)
{
	struct tracee foreign;

	tracee_start(&foreign, NULL);
	ASSERT_EQ(0, setpgid(foreign.pid, foreign.pid));
	EXPECT_EQ(EPERM, attempt_as_user(&self->trace, KTROP_SET, -foreign.pid));
	tracee_kill(&foreign);
}

/* --- what root traces --- */

FIXTURE(root_trace)
{
	struct trace trace;
	struct tracee child;
};
FIXTURE_SETUP(root_trace)
{
	trace_init(&self->trace);
	tracee_start(&self->child, as_user);
	ASSERT_EQ(0, attach(&self->trace, CALLS, self->child.pid));
}
FIXTURE_TEARDOWN(root_trace)
{
	tracee_kill(&self->child);
	trace_fini(&self->trace);
}

TEST_F(root_trace, user_may_not_clear)
{
	EXPECT_EQ(EPERM, attempt_as_user(&self->trace, KTROP_CLEAR, self->child.pid));
}

TEST_F(root_trace, user_may_not_set)
{
	EXPECT_EQ(EPERM, attempt_as_user(&self->trace, KTROP_SET, self->child.pid));
}

TEST_F(root_trace, user_may_not_clearfile)
{
	EXPECT_EQ(EPERM, attempt_as_user(&self->trace, KTROP_CLEARFILE, 0));
}

TEST_F(root_trace, root_may_clear)
{
	EXPECT_EQ(0, call(NULL, KTROP_CLEAR, CALLS, self->child.pid));
}

RUN_TESTS
