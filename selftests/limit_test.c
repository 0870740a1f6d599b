// SPDX-License-Identifier: GPL-2.0-only
/*
 * What limits a trace file: the tracer's RLIMIT_FSIZE, a full file system, and people who
 * remove or truncate it. The traced process must not notice any of that.
 */
#include "harness.h"

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

FIXTURE_WITH_TRACE(limit)

#define MUCH 2000 /* calls, whose records take more than 100 KiB */

/* Fails if a signal comes, or a call does not give what it should. */
static int call_much(void *arg)
{
	int i;

	for (i = 0; i < MUCH; i++)
		if (syscall(SYS_getppid) <= 0)
			return 1;
	return 0;
}

/* --- the kernel's log --- */

static int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	require(fd >= 0);
	require(lseek(fd, 0, SEEK_END) >= 0);
	return fd;
}

/* Lines since log_open() about an inode; one read(2) is one line. */
static int log_lines(int fd, ino_t inode)
{
	char line[8192], wanted[64];
	int count = 0;
	ssize_t got;

	snprintf(wanted, sizeof(wanted), "inode %lu ", (unsigned long)inode);
	while ((got = read(fd, line, sizeof(line) - 1)) > 0 || errno == EPIPE) {
		if (got <= 0)
			continue;
		line[got] = '\0';
		if (strstr(line, "ktrace") && strstr(line, wanted))
			count++;
	}
	return count;
}

static ino_t inode_of(const char *file)
{
	struct stat st;

	require(stat(file, &st) == 0);
	return st.st_ino;
}

/* --- RLIMIT_FSIZE --- */

struct limited {
	const struct trace *trace;
	pid_t pid;
	rlim_t limit;
};

/* The tracer: a process of its own, which then ends. */
static int attach_limited(void *arg)
{
	const struct limited *l = arg;
	struct rlimit limit = { l->limit, l->limit };

	signal(SIGXFSZ, SIG_DFL);
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
		return errno;
	return attach(l->trace, EVERYTHING, l->pid) == 0 ? 0 : errno;
}

static int attach_with_limit(const struct trace *trace, pid_t pid, rlim_t bytes)
{
	struct limited l = { trace, pid, bytes };
	struct tracee tracer;

	tracee_fork(&tracer, attach_limited, &l);
	tracee_release(&tracer);
	return exit_code(tracee_reap(&tracer));
}

TEST_F(limit, file_ends_before_the_tracers_limit)
{
	const struct record *last;
	struct records records;
	struct tracee child;

	tracee_fork(&child, call_much, NULL);
	ASSERT_EQ(0, attach_with_limit(&self->trace, child.pid, 10000));
	tracee_finish(&child);
	records_read(&records, self->trace.file);
	last = &records.at[records.count - 1];
	EXPECT_GE(10000, records.size);
	/* no more room for another record */
	EXPECT_LT(10000 - 2 * (sizeof(struct ktr_header) + last->length + 16), records.size);
	EXPECT_EQ(0, records.torn);
}

TEST_F(limit, limit_of_the_traced_process_is_not_applied)
{
	struct rlimit limit = { 100, RLIM_INFINITY };
	struct tracee child;

	tracee_fork(&child, call_much, NULL);
	ASSERT_EQ(0, prlimit(child.pid, RLIMIT_FSIZE, &limit, NULL));
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, child.pid));
	tracee_finish(&child);
	EXPECT_LT(100000, file_size(self->trace.file));
}

TEST_F(limit, file_beyond_the_limit_stays_as_it_is)
{
	struct tracee child;

	write_file(self->trace.file, "more than the limit allows");
	tracee_fork(&child, call_much, NULL);
	ASSERT_EQ(0, attach_with_limit(&self->trace, child.pid, 10));
	tracee_finish(&child);
	EXPECT_EQ(26, file_size(self->trace.file));
}

TEST_F(limit, end_is_one_line_in_the_log)
{
	int log = log_open();
	struct tracee child;

	tracee_fork(&child, call_much, NULL);
	ASSERT_EQ(0, attach_with_limit(&self->trace, child.pid, 10000));
	tracee_finish(&child);
	EXPECT_EQ(1, log_lines(log, inode_of(self->trace.file)));
}

TEST_F(limit, process_can_be_traced_to_another_file_after_the_end)
{
	const char *second = make_file(trace_path(&self->trace, "second"), 0600);
	struct records records;
	struct tracee child;

	tracee_fork(&child, call_much, NULL);
	ASSERT_EQ(0, attach_with_limit(&self->trace, child.pid, 10));
	ASSERT_EQ(0, ktrace(second, KTROP_SET, EVERYTHING, child.pid));
	tracee_finish(&child);
	records_read(&records, second);
	EXPECT_EQ(MUCH, count_calls(&records, child.pid, SYS_getppid));
}

/* --- a full file system --- */

FIXTURE(full)
{
	struct trace trace;
	char file[160]; /* on a file system of 64 KiB */
};
FIXTURE_SETUP(full)
{
	const char *dir;

	trace_init(&self->trace);
	dir = trace_path(&self->trace, "small");
	ASSERT_EQ(0, mkdir(dir, 0755));
	/* of this test only: gone with the process */
	ASSERT_EQ(0, unshare(CLONE_NEWNS));
	ASSERT_EQ(0, mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	ASSERT_EQ(0, mount("tmpfs", dir, "tmpfs", 0, "size=64k"));
	snprintf(self->file, sizeof(self->file), "%s/ktrace.out", dir);
	make_file(self->file, 0600);
}
FIXTURE_TEARDOWN(full)
{
	umount2(trace_path(&self->trace, "small"), MNT_DETACH);
	trace_fini(&self->trace);
}

static void fill(const char *file)
{
	struct tracee child;

	tracee_fork(&child, call_much, NULL);
	require(ktrace(file, KTROP_SET, EVERYTHING, child.pid) == 0);
	tracee_finish(&child);
}

TEST_F(full, file_system_does_not_harm_the_process)
{
	fill(self->file); /* requires that the child exits with 0 */
}

TEST_F(full, file_system_leaves_whole_records)
{
	struct records records;

	fill(self->file);
	records_read(&records, self->file);
	EXPECT_EQ(0, records.torn);
	EXPECT_LT(300, records.count);
	EXPECT_GE(65536, records.size);
	EXPECT_EQ(0, count_records(&records, KTR_PROCDTOR, 0));
}

TEST_F(full, file_system_is_one_line_in_the_log)
{
	int log = log_open();

	fill(self->file);
	EXPECT_EQ(1, log_lines(log, inode_of(self->file)));
}

TEST_F(full, file_system_ends_tracing_to_that_file_only)
{
	struct records records;
	struct tracee other;

	tracee_fork(&other, call_much, NULL);
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, other.pid));
	fill(self->file);
	tracee_finish(&other);
	records_read(&records, self->trace.file);
	EXPECT_EQ(MUCH, count_calls(&records, other.pid, SYS_getppid));
	EXPECT_EQ(1, count_records(&records, KTR_PROCDTOR, 0));
}

/* --- a file that others change --- */

/* In the middle of a child's calls the test does something to the file. */
struct meanwhile {
	int reached[2], go[2];
};

static int call_twice_much(void *arg)
{
	struct meanwhile *m = arg;
	char byte;

	if (call_much(NULL) || write(m->reached[1], "", 1) != 1 ||
	    read(m->go[0], &byte, 1) != 1)
		return 1;
	return call_much(NULL);
}

/* Starts the child, returns when it has done the first half and waits. */
static void start_half(const struct trace *trace, struct tracee *child, struct meanwhile *m)
{
	char byte;

	require(pipe(m->reached) == 0 && pipe(m->go) == 0);
	tracee_fork(child, call_twice_much, m);
	require(attach(trace, EVERYTHING, child->pid) == 0);
	tracee_release(child);
	require(read(m->reached[0], &byte, 1) == 1);
	/* what it has done is in the file */
	require(ktrace(NULL, KTROP_CLEAR, KTRFAC_CSW, child->pid) == 0);
}

static int finish_half(struct tracee *child, struct meanwhile *m)
{
	require(write(m->go[1], "", 1) == 1);
	return tracee_reap(child);
}

TEST_F(limit, removed_file_does_not_harm_the_process)
{
	struct meanwhile m;
	struct tracee child;

	start_half(&self->trace, &child, &m);
	ASSERT_EQ(0, unlink(self->trace.file));
	EXPECT_EQ(0, finish_half(&child, &m));
	EXPECT_NE(0, access(self->trace.file, F_OK));
}

TEST_F(limit, removed_file_is_written_to_its_end)
{
	int fd = open(self->trace.file, O_RDONLY | O_CLOEXEC);
	struct meanwhile m;
	struct tracee child;
	struct records records;
	char path[64];

	start_half(&self->trace, &child, &m);
	ASSERT_EQ(0, unlink(self->trace.file));
	ASSERT_EQ(0, finish_half(&child, &m));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	records_read(&records, path);
	EXPECT_EQ(2 * MUCH, count_calls(&records, 0, SYS_getppid));
	EXPECT_EQ(KTR_PROCDTOR, records.at[records.count - 1].type);
}

TEST_F(limit, truncated_file_goes_on_with_whole_records)
{
	struct meanwhile m;
	struct tracee child;
	struct records records;

	start_half(&self->trace, &child, &m);
	ASSERT_EQ(0, truncate(self->trace.file, 0));
	EXPECT_EQ(0, finish_half(&child, &m));
	records_read(&records, self->trace.file);
	EXPECT_EQ(0, records.torn);
	EXPECT_EQ(MUCH, count_calls(&records, child.pid, SYS_getppid));
	EXPECT_EQ(KTR_PROCDTOR, records.at[records.count - 1].type);
}

RUN_TESTS
