// SPDX-License-Identifier: GPL-2.0-only
/* fktrace(2): the trace goes to an open file, which may be a pipe. */
#include "harness.h"

#include <sys/socket.h>
#include <sys/stat.h>

FIXTURE(fktrace)
{
	struct trace trace;
	struct records records;
};
FIXTURE_SETUP(fktrace)
{
	trace_init(&self->trace);
}
FIXTURE_TEARDOWN(fktrace)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

#define MANY 3000

static int call_many(void *arg)
{
	call_getppid(MANY);
	return 0;
}

/* Traces a child to a descriptor, which this closes. */
static pid_t trace_to(int fd, int (*body)(void *), struct tracee *child)
{
	tracee_fork(child, body, NULL);
	require(fktrace(fd, KTROP_SET, EVERYTHING, child->pid) == 0);
	close(fd);
	tracee_release(child);
	return child->pid;
}

TEST_F(fktrace, to_a_file_writes_there)
{
	int fd = open(self->trace.file, O_WRONLY | O_CLOEXEC);
	struct tracee child;

	trace_to(fd, call_many, &child);
	EXPECT_EQ(0, tracee_reap(&child));
	records_read(&self->records, self->trace.file);
	EXPECT_EQ(MANY, count_calls(&self->records, child.pid, SYS_getppid));
	EXPECT_EQ(KTR_PROCDTOR, self->records.at[self->records.count - 1].type);
}

TEST_F(fktrace, to_a_file_appends)
{
	struct tracee child;
	char text[9] = "";
	int fd;

	write_file(self->trace.file, "existing");
	fd = open(self->trace.file, O_WRONLY | O_CLOEXEC);
	trace_to(fd, call_many, &child);
	EXPECT_EQ(0, tracee_reap(&child));
	fd = open(self->trace.file, O_RDONLY | O_CLOEXEC);
	EXPECT_EQ(8, read(fd, text, 8));
	EXPECT_STREQ("existing", text);
}

/* Every read(2) of a live reader should end where a record ends, as far as it has room. */
TEST_F(fktrace, to_a_pipe_gives_the_reader_everything)
{
	static char bytes[1 << 20];
	struct tracee child;
	size_t size = 0;
	ssize_t got;
	int ends[2];

	ASSERT_EQ(0, pipe2(ends, O_CLOEXEC));
	trace_to(ends[1], call_many, &child);
	while ((got = read(ends[0], bytes + size, sizeof(bytes) - size)) > 0)
		size += got;
	EXPECT_EQ(0, got);
	EXPECT_EQ(0, tracee_reap(&child));
	records_parse(&self->records, bytes, size);
	EXPECT_EQ(0, self->records.torn);
	EXPECT_EQ(MANY, count_calls(&self->records, child.pid, SYS_getppid));
	EXPECT_EQ(KTR_PROCDTOR, self->records.at[self->records.count - 1].type);
}

TEST_F(fktrace, to_a_pipe_whose_reader_leaves_does_not_harm_the_process)
{
	struct tracee child;
	int ends[2];
	char byte;

	ASSERT_EQ(0, pipe2(ends, O_CLOEXEC));
	tracee_fork(&child, call_many, NULL);
	ASSERT_EQ(0, fktrace(ends[1], KTROP_SET, EVERYTHING, child.pid));
	close(ends[1]);
	tracee_release(&child);
	ASSERT_EQ(1, read(ends[0], &byte, 1));
	close(ends[0]);
	EXPECT_EQ(0, tracee_reap(&child));
}

TEST_F(fktrace, pipe_ends_when_the_last_traced_process_ends)
{
	struct tracee child;
	int ends[2];
	char bytes[4096];

	ASSERT_EQ(0, pipe2(ends, O_CLOEXEC));
	tracee_start(&child, NULL);
	ASSERT_EQ(0, fktrace(ends[1], KTROP_SET, EVERYTHING, child.pid));
	close(ends[1]);
	tracee_kill(&child);
	while (read(ends[0], bytes, sizeof(bytes)) > 0)
		;
}

TEST_F(fktrace, bad_descriptor_is_ebadf)
{
	EXPECT_EQ(-1, fktrace(-1, KTROP_SET, EVERYTHING, getpid()));
	EXPECT_EQ(EBADF, errno);
	EXPECT_EQ(-1, fktrace(1000, KTROP_SET, EVERYTHING, getpid()));
	EXPECT_EQ(EBADF, errno);
}

TEST_F(fktrace, read_only_descriptor_is_ebadf)
{
	int fd = open(self->trace.file, O_RDONLY | O_CLOEXEC);

	EXPECT_EQ(-1, fktrace(fd, KTROP_SET, EVERYTHING, getpid()));
	EXPECT_EQ(EBADF, errno);
}

TEST_F(fktrace, path_descriptor_is_ebadf)
{
	int fd = open(self->trace.file, O_PATH | O_CLOEXEC);

	EXPECT_EQ(-1, fktrace(fd, KTROP_SET, EVERYTHING, getpid()));
	EXPECT_EQ(EBADF, errno);
}

TEST_F(fktrace, clear_does_not_look_at_the_descriptor)
{
	EXPECT_EQ(0, fktrace(-1, KTROP_CLEAR, EVERYTHING, getpid()));
}

TEST_F(fktrace, no_facility_is_found_before_a_bad_descriptor)
{
	EXPECT_EQ(-1, fktrace(-1, KTROP_SET, 0, getpid()));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(fktrace, clearfile_means_the_file_whatever_way_it_was_given)
{
	int fd = open(self->trace.file, O_WRONLY | O_CLOEXEC);
	struct tracee child;
	long size;

	tracee_fork(&child, call_many, NULL);
	ASSERT_EQ(0, attach(&self->trace, EVERYTHING, child.pid));
	ASSERT_EQ(0, fktrace(fd, KTROP_CLEARFILE, 0, 0));
	size = file_size(self->trace.file);
	tracee_finish(&child);
	EXPECT_EQ(size, file_size(self->trace.file));
}

TEST_F(fktrace, tracing_goes_on_when_the_tracer_closes_its_descriptor)
{
	int fd = open(self->trace.file, O_WRONLY | O_CLOEXEC);
	struct tracee child;

	tracee_fork(&child, call_many, NULL);
	ASSERT_EQ(0, fktrace(fd, KTROP_SET, EVERYTHING, child.pid));
	close(fd);
	tracee_finish(&child);
	records_read(&self->records, self->trace.file);
	EXPECT_EQ(MANY, count_calls(&self->records, 0, SYS_getppid));
}

TEST_F(fktrace, to_a_socket_gives_the_reader_everything)
{
	static char bytes[1 << 20];
	struct tracee child;
	size_t size = 0;
	ssize_t got;
	int ends[2];

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	trace_to(ends[1], call_many, &child);
	while ((got = read(ends[0], bytes + size, sizeof(bytes) - size)) > 0)
		size += got;
	EXPECT_EQ(0, tracee_reap(&child));
	records_parse(&self->records, bytes, size);
	EXPECT_EQ(0, self->records.torn);
	EXPECT_EQ(MANY, count_calls(&self->records, 0, SYS_getppid));
}

RUN_TESTS
