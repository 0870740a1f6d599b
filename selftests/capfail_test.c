// SPDX-License-Identifier: GPL-2.0-only
/* CAPFAIL: a system call was refused, for want of a capability or by a seccomp filter. */
#include "harness.h"

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define REFUSALS ((int)KTRFAC_CAPFAIL)
#define BIT(capability) (1ull << (capability))

FIXTURE(capfail)
{
	struct trace trace;
	struct records records;
	char file[160]; /* for the ordinary user */
};
FIXTURE_SETUP(capfail)
{
	trace_init(&self->trace);
	snprintf(self->file, sizeof(self->file), "%s/file", self->trace.dir);
	make_file(self->file, 0644);
}
FIXTURE_TEARDOWN(capfail)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

#define TRACE(body) \
	trace_body(&self->trace, REFUSALS | CALLS, body, self, &self->records)

static const struct record *only_capfail(const struct records *records)
{
	require(count_records(records, KTR_CAPFAIL, 0) == 1);
	return next_record(records, NULL, KTR_CAPFAIL, 0);
}

/* The whole record, to the last byte. */
static bool is_capfail(const struct record *record, int type, long number, uint64_t needed)
{
	struct ktr_cap_fail wanted = {
		.cap_type = type,
		.cap_code = number,
		.cap_svflags = KTR_SV_LINUX64 | KTR_SV_NATIVE,
		.cap_needed = needed,
	};

	return record->length == sizeof(wanted) &&
	       memcmp(record->data, &wanted, sizeof(wanted)) == 0;
}

/* The record is between its call and the return with that error. */
static bool is_enclosed(const struct records *records, const struct record *record, long number,
			int error)
{
	return next_call(records, record - 2, 0, number) == record - 1 &&
	       next_return(records, record, 0, number) == record + 1 &&
	       sysret_of(record + 1).ktr_error == error;
}

/* --- capabilities --- */

static int kill_init(void *arg)
{
	become_user(USER_ID);
	return kill(1, 0) != -1 || errno != EPERM;
}

TEST_F(capfail, kill_of_another_users_process_needs_cap_kill)
{
	const struct record *r;

	TRACE(kill_init);
	r = only_capfail(&self->records);
	EXPECT_TRUE(is_capfail(r, KTR_CAPFAIL_NOTCAPABLE, SYS_kill, BIT(CAP_KILL)));
	EXPECT_TRUE(is_enclosed(&self->records, r, SYS_kill, EPERM));
}

static int mount_something(void *arg)
{
	become_user(USER_ID);
	return mount("none", "/tmp", "tmpfs", 0, NULL) != -1 || errno != EPERM;
}

TEST_F(capfail, mount_needs_cap_sys_admin)
{
	const struct record *r;

	TRACE(mount_something);
	r = only_capfail(&self->records);
	EXPECT_TRUE(is_capfail(r, KTR_CAPFAIL_NOTCAPABLE, SYS_mount, BIT(CAP_SYS_ADMIN)));
	EXPECT_TRUE(is_enclosed(&self->records, r, SYS_mount, EPERM));
}

static int become_root(void *arg)
{
	become_user(USER_ID);
	return setuid(0) != -1 || errno != EPERM;
}

TEST_F(capfail, setuid_needs_cap_setuid)
{
	const struct record *r;

	TRACE(become_root);
	r = only_capfail(&self->records);
	EXPECT_TRUE(is_capfail(r, KTR_CAPFAIL_NOTCAPABLE, SYS_setuid, BIT(CAP_SETUID)));
	EXPECT_TRUE(is_enclosed(&self->records, r, SYS_setuid, EPERM));
}

static int open_foreign_file(void *arg)
{
	FIXTURE_DATA(capfail) *self = arg;

	become_user(USER_ID);
	return open(self->file, O_RDONLY) != -1 || errno != EACCES;
}

/* Either would have been enough. */
TEST_F(capfail, open_that_fails_with_eacces_has_all_that_was_missing)
{
	const struct record *r;

	ASSERT_EQ(0, chmod(self->file, 0));
	TRACE(open_foreign_file);
	r = only_capfail(&self->records);
	EXPECT_TRUE(is_capfail(r, KTR_CAPFAIL_NOTCAPABLE, SYS_openat,
			       BIT(CAP_DAC_OVERRIDE) | BIT(CAP_DAC_READ_SEARCH)));
	EXPECT_TRUE(is_enclosed(&self->records, r, SYS_openat, EACCES));
}

static int fail_twice(void *arg)
{
	become_user(USER_ID);
	return kill(1, 0) != -1 || setuid(0) != -1;
}

TEST_F(capfail, each_call_has_what_it_lacked_itself)
{
	const struct record *r;

	TRACE(fail_twice);
	ASSERT_EQ(2, count_records(&self->records, KTR_CAPFAIL, 0));
	r = next_record(&self->records, NULL, KTR_CAPFAIL, 0);
	EXPECT_TRUE(is_capfail(r, KTR_CAPFAIL_NOTCAPABLE, SYS_kill, BIT(CAP_KILL)));
	r = next_record(&self->records, r, KTR_CAPFAIL, 0);
	EXPECT_TRUE(is_capfail(r, KTR_CAPFAIL_NOTCAPABLE, SYS_setuid, BIT(CAP_SETUID)));
}

TEST_F(capfail, no_other_facility_is_needed)
{
	trace_body(&self->trace, REFUSALS, kill_init, NULL, &self->records);
	ASSERT_EQ(1, self->records.count);
	EXPECT_TRUE(is_capfail(self->records.at, KTR_CAPFAIL_NOTCAPABLE, SYS_kill,
			       BIT(CAP_KILL)));
}

static int kill_init_by_int80(void *arg)
{
	enum { kill32 = 37 };
	long ret;

	become_user(USER_ID);
	__asm__ volatile("int $0x80" : "=a"(ret) : "0"(kill32), "b"(1), "c"(0) : "memory");
	return ret != -EPERM;
}

TEST_F(capfail, call_of_i386_has_its_number_and_table)
{
	struct ktr_cap_fail fail;

	TRACE(kill_init_by_int80);
	memcpy(&fail, only_capfail(&self->records)->data, sizeof(fail));
	EXPECT_EQ(37, fail.cap_code);
	EXPECT_EQ(KTR_SV_LINUX32 | KTR_SV_NATIVE, fail.cap_svflags);
	EXPECT_EQ(BIT(CAP_KILL), fail.cap_needed);
}

/* --- no refusal --- */

/* The kernel takes the bit away from those who lack CAP_FSETID, and that is all. */
static int set_gid_bit(void *arg)
{
	FIXTURE_DATA(capfail) *self = arg;
	struct stat st;

	become_user(USER_ID);
	return chmod(self->file, 02755) != 0 || stat(self->file, &st) != 0 ||
	       (st.st_mode & 07777) != 0755;
}

TEST_F(capfail, call_that_succeeds_without_a_capability_makes_none)
{
	ASSERT_EQ(0, chown(self->file, USER_ID, OTHER_ID));
	TRACE(set_gid_bit);
	EXPECT_EQ(1, count_calls(&self->records, 0, SYS_chmod));
	EXPECT_EQ(0, count_records(&self->records, KTR_CAPFAIL, 0));
}

/* EPERM, but of a rule that no capability is above: the leader of a group makes no session. */
static int fail_without_a_capability(void *arg)
{
	require(setpgid(0, 0) == 0);
	require(set_gid_bit(arg) == 0);
	return setsid() != -1 || errno != EPERM;
}

TEST_F(capfail, failure_for_another_reason_makes_none)
{
	ASSERT_EQ(0, chown(self->file, USER_ID, OTHER_ID));
	TRACE(fail_without_a_capability);
	EXPECT_EQ(EPERM,
		  sysret_of(next_return(&self->records, NULL, 0, SYS_setsid)).ktr_error);
	EXPECT_EQ(0, count_records(&self->records, KTR_CAPFAIL, 0));
}

static int kill_oneself_with_nothing(void *arg)
{
	return kill(getpid(), 0) != 0 || setuid(USER_ID) != 0;
}

TEST_F(capfail, capability_that_one_has_makes_none)
{
	TRACE(kill_oneself_with_nothing);
	EXPECT_EQ(0, count_records(&self->records, KTR_CAPFAIL, 0));
}

/* --- seccomp --- */

/* getppid(2) fails with EPERM, close(2) with EBADF; all else is as ever. */
static void forbid(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EBADF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	require(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static int do_what_is_forbidden(void *arg)
{
	forbid();
	if (syscall(SYS_getppid) != -1 || errno != EPERM)
		return 1;
	return syscall(SYS_getpid) != getpid();
}

TEST_F(capfail, call_that_seccomp_refuses_has_call_capfail_and_return)
{
	const struct record *r;

	TRACE(do_what_is_forbidden);
	r = only_capfail(&self->records);
	EXPECT_TRUE(is_capfail(r, KTR_CAPFAIL_SYSCALL, SYS_getppid, 0));
	EXPECT_TRUE(is_enclosed(&self->records, r, SYS_getppid, EPERM));
}

TEST_F(capfail, call_that_seccomp_allows_makes_none)
{
	const struct record *r;

	TRACE(do_what_is_forbidden);
	r = next_call(&self->records, NULL, 0, SYS_getpid);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(r + 1, next_return(&self->records, r, 0, SYS_getpid));
}

static int close_what_is_forbidden(void *arg)
{
	forbid();
	return syscall(SYS_close, 77) != -1 || errno != EBADF;
}

TEST_F(capfail, error_that_seccomp_gives_does_not_matter)
{
	const struct record *r;

	TRACE(close_what_is_forbidden);
	r = only_capfail(&self->records);
	EXPECT_TRUE(is_capfail(r, KTR_CAPFAIL_SYSCALL, SYS_close, 0));
	EXPECT_TRUE(is_enclosed(&self->records, r, SYS_close, EBADF));
	EXPECT_EQ(77, call_arg(r - 1, 0));
}

TEST_F(capfail, seccomp_without_the_facility_has_call_and_return)
{
	const struct record *r;

	trace_body(&self->trace, CALLS, do_what_is_forbidden, NULL, &self->records);
	r = next_call(&self->records, NULL, 0, SYS_getppid);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(r + 1, next_return(&self->records, r, 0, SYS_getppid));
}

RUN_TESTS
