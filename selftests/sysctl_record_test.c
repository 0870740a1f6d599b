// SPDX-License-Identifier: GPL-2.0-only
/* SYSCTL: a variable below /proc/sys is read or written. */
#include "harness.h"

#include <sched.h>

#define SYSCTLS ((int)KTRFAC_SYSCTL)

FIXTURE(sysctl_record)
{
	struct trace trace;
	struct records records;
};
FIXTURE_SETUP(sysctl_record)
{
	trace_init(&self->trace);
}
FIXTURE_TEARDOWN(sysctl_record)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

/* With its NUL. */
static bool is_sysctl(const struct record *record, const char *name)
{
	return record && record->type == KTR_SYSCTL && record->length == strlen(name) + 1 &&
	       memcmp(record->data, name, record->length) == 0;
}

static int read_once(void *arg)
{
	int fd = open(arg, O_RDONLY | O_CLOEXEC);
	char text[256];

	require(fd >= 0);
	return read(fd, text, sizeof(text)) < 1;
}

TEST_F(sysctl_record, read_has_the_dotted_name)
{
	trace_body(&self->trace, SYSCTLS, read_once, "/proc/sys/kernel/hostname", &self->records);
	ASSERT_EQ(1, self->records.count);
	EXPECT_TRUE(is_sysctl(self->records.at, "kernel.hostname"));
}

TEST_F(sysctl_record, nested_name_has_all_its_parts)
{
	static char path[] = "/proc/sys/net/ipv4/conf/lo/forwarding";

	if (access(path, R_OK) != 0)
		SKIP(return, "no %s", path);
	trace_body(&self->trace, SYSCTLS, read_once, path, &self->records);
	ASSERT_EQ(1, self->records.count);
	EXPECT_TRUE(is_sysctl(self->records.at, "net.ipv4.conf.lo.forwarding"));
}

/* In a namespace of its own, so that the machine keeps its name. */
static int write_name(void *arg)
{
	int fd;

	require(unshare(CLONE_NEWUTS) == 0);
	fd = open("/proc/sys/kernel/hostname", O_WRONLY | O_CLOEXEC);
	require(fd >= 0);
	return write(fd, "another", 7) != 7;
}

TEST_F(sysctl_record, write_has_the_dotted_name)
{
	trace_body(&self->trace, SYSCTLS, write_name, NULL, &self->records);
	ASSERT_EQ(1, self->records.count);
	EXPECT_TRUE(is_sysctl(self->records.at, "kernel.hostname"));
}

TEST_F(sysctl_record, record_is_between_the_call_and_its_return)
{
	const struct record *r;

	trace_body(&self->trace, SYSCTLS | CALLS, read_once, "/proc/sys/kernel/hostname",
		   &self->records);
	r = next_record(&self->records, NULL, KTR_SYSCTL, 0);
	ASSERT_NE(NULL, r);
	EXPECT_TRUE(is_sysctl(r, "kernel.hostname"));
	EXPECT_EQ(r - 1, next_call(&self->records, r - 2, 0, SYS_read));
	EXPECT_EQ(r + 1, next_return(&self->records, r, 0, SYS_read));
}

static int write_what_is_wrong(void *arg)
{
	int fd = open("/proc/sys/kernel/pid_max", O_WRONLY | O_CLOEXEC);

	require(fd >= 0);
	return write(fd, "-1", 2) != -1 || errno != EINVAL;
}

TEST_F(sysctl_record, write_that_fails_is_recorded)
{
	trace_body(&self->trace, SYSCTLS, write_what_is_wrong, NULL, &self->records);
	ASSERT_EQ(1, self->records.count);
	EXPECT_TRUE(is_sysctl(self->records.at, "kernel.pid_max"));
}

TEST_F(sysctl_record, other_files_of_proc_make_none)
{
	trace_body(&self->trace, SYSCTLS, read_once, "/proc/self/status", &self->records);
	EXPECT_EQ(0, self->records.count);
}

static int open_only(void *arg)
{
	return open(arg, O_RDONLY | O_CLOEXEC) < 0;
}

TEST_F(sysctl_record, opening_alone_makes_none)
{
	trace_body(&self->trace, SYSCTLS, open_only, "/proc/sys/kernel/hostname", &self->records);
	EXPECT_EQ(0, self->records.count);
}

RUN_TESTS
