// SPDX-License-Identifier: GPL-2.0-only
/* The settings in /proc/sys/kern/ktrace. */
#include "harness.h"

#include <sys/stat.h>

FIXTURE(sysctl)
{
	long old;
};
FIXTURE_VARIANT(sysctl)
{
	const char *name;
	long value;
	long fine;
	long least;
	long too_great;
};
FIXTURE_VARIANT_ADD(sysctl, geniosize){ "geniosize", 4096, 8192, 0, 1 << 20 };
FIXTURE_VARIANT_ADD(sysctl, genio_size){ "genio_size", 4096, 8192, 0, 1 << 20 };
FIXTURE_VARIANT_ADD(sysctl, request_pool){ "request_pool", 16384, 1000, 256, 1 << 30 };
FIXTURE_VARIANT_ADD(sysctl, lossless){ "lossless", 1, 0, 0, 2 };
FIXTURE_VARIANT_ADD(sysctl, wait_ms){ "wait_ms", 5000, 100, 0, 1 << 30 };

FIXTURE_SETUP(sysctl)
{
	self->old = sysctl_get(variant->name);
	ASSERT_LE(0, self->old);
}
FIXTURE_TEARDOWN(sysctl)
{
	sysctl_set(variant->name, self->old);
}

TEST_F(sysctl, has_its_default)
{
	EXPECT_EQ(variant->value, self->old);
}

TEST_F(sysctl, takes_another_value)
{
	EXPECT_EQ(0, sysctl_set(variant->name, variant->fine));
	EXPECT_EQ(variant->fine, sysctl_get(variant->name));
}

TEST_F(sysctl, takes_the_least_value)
{
	EXPECT_EQ(0, sysctl_set(variant->name, variant->least));
	EXPECT_EQ(variant->least, sysctl_get(variant->name));
}

TEST_F(sysctl, refuses_too_great_a_value)
{
	EXPECT_EQ(-1, sysctl_set(variant->name, variant->too_great));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(self->old, sysctl_get(variant->name));
}

TEST_F(sysctl, refuses_a_negative_value)
{
	EXPECT_EQ(-1, sysctl_set(variant->name, -1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(self->old, sysctl_get(variant->name));
}

TEST_F(sysctl, refuses_text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/proc/sys/kern/ktrace/%s", variant->name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, write(fd, "nonsense", 8));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(self->old, sysctl_get(variant->name));
}

static int set_as_user(void *arg)
{
	return sysctl_set(arg, 1) == 0 ? 0 : errno;
}

TEST_F(sysctl, is_readable_by_all_and_writable_by_root)
{
	EXPECT_EQ(EACCES, run_as(USER_ID, set_as_user, (void *)variant->name));
	EXPECT_EQ(self->old, sysctl_get(variant->name));
}

TEST(both_names_of_geniosize_are_one_setting)
{
	long old = sysctl_get("geniosize");

	ASSERT_EQ(0, sysctl_set("genio_size", 1234));
	EXPECT_EQ(1234, sysctl_get("geniosize"));
	sysctl_set("geniosize", old);
}

RUN_TESTS
