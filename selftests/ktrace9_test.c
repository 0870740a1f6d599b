// SPDX-License-Identifier: GPL-2.0-only
/*
 * ktrace(9): what a writer to /dev/ktrace9_sample leaves in its trace. The module of that device,
 * selftests/ktrace9/ktrace9_sample.c, is loaded for the time of the tests.
 */
#include "harness.h"

#include <signal.h>
#include <sys/utsname.h>

#define DEVICE "/dev/ktrace9_sample"
#define EACH (EVERYTHING | (int)(KTRFAC_CSW | KTRFAC_EMUL | KTRFAC_STRUCT))

/* Number of the sample's own call, which Linux does not have. */
enum { sample_call = 400 };

FIXTURE(ktrace9)
{
	struct trace trace;
	struct records records;
};

FIXTURE_SETUP(ktrace9)
{
	trace_init(&self->trace);
	ASSERT_EQ(0, access(DEVICE, W_OK));
}
FIXTURE_TEARDOWN(ktrace9)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

static int write_to_sample(void *arg)
{
	int fd = open(DEVICE, O_WRONLY | O_CLOEXEC);
	ssize_t written = write(fd, "hello\n", 6);

	close(fd);
	return written != 6;
}

#define TRACE(facilities) \
	trace_body(&self->trace, facilities, write_to_sample, NULL, &self->records)

/* The first record of a type after the begin of the sample's call. */
static const struct record *sample_record(const struct records *records, unsigned int type)
{
	const struct record *call = next_call(records, NULL, 0, sample_call);

	require(call);
	return next_record(records, call, type, 0);
}

static bool is_bytes(const struct record *record, const void *bytes, size_t length)
{
	return record && record->length == length && memcmp(record->data, bytes, length) == 0;
}

TEST_F(ktrace9, call_has_its_number_and_arguments)
{
	const struct record *call;

	TRACE(EACH);
	call = next_call(&self->records, NULL, 0, sample_call);
	ASSERT_NE(NULL, call);
	EXPECT_EQ(KTR_SV_LINUX64, call_abi(call));
	EXPECT_EQ(3, call_narg(call));
	EXPECT_EQ(11, call_arg(call, 0));
	EXPECT_EQ(22, call_arg(call, 1));
	EXPECT_EQ(33, call_arg(call, 2));
}

TEST_F(ktrace9, return_has_its_error)
{
	struct ktr_sysret ret;

	TRACE(EACH);
	ret = sysret_of(next_return(&self->records, NULL, 0, sample_call));
	EXPECT_EQ(EDOM, ret.ktr_error);
	EXPECT_EQ(0, ret.ktr_retval);
	EXPECT_EQ(KTR_SV_LINUX64, (uint32_t)ret.ktr_abi);
}

TEST_F(ktrace9, path_is_recorded)
{
	TRACE(EACH);
	EXPECT_TRUE(is_path(sample_record(&self->records, KTR_NAMEI), "sample/path"));
}

TEST_F(ktrace9, data_of_the_writer_is_recorded)
{
	TRACE(EACH);
	EXPECT_TRUE(genio_is(next_genio(&self->records, NULL, 77), 77, KTR_UIO_WRITE,
			     "hello\n", 6));
}

static int write_much(void *arg)
{
	static char bytes[10000];
	int fd = open(DEVICE, O_WRONLY | O_CLOEXEC);

	memset(bytes, 'x', sizeof(bytes));
	return write(fd, bytes, sizeof(bytes)) != sizeof(bytes);
}

TEST_F(ktrace9, data_is_truncated_at_geniosize)
{
	const struct record *r;

	trace_body(&self->trace, EACH, write_much, NULL, &self->records);
	r = next_genio(&self->records, NULL, 77);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(4096, genio_length(r));
	EXPECT_EQ('x', genio_data(r)[4095]);
}

TEST_F(ktrace9, signal_is_recorded)
{
	struct ktr_psig psig;

	TRACE(EACH);
	psig = psig_of(sample_record(&self->records, KTR_PSIG));
	EXPECT_EQ(SIGUSR1, psig.signo);
	EXPECT_EQ((uintptr_t)SIG_IGN, psig.action);
	EXPECT_EQ(-7, psig.code);
	EXPECT_EQ(0, psig.mask[0]);
}

TEST_F(ktrace9, switch_is_recorded)
{
	const struct ktr_csw csw = { .out = 1, .user = 1 };

	TRACE(EACH & ~(int)KTRFAC_SYSRET);
	EXPECT_TRUE(is_bytes(sample_record(&self->records, KTR_PSIG) + 1, &csw, sizeof(csw)));
}

TEST_F(ktrace9, personality_is_recorded)
{
	TRACE(EACH);
	EXPECT_TRUE(is_bytes(sample_record(&self->records, KTR_EMUL), "sample", 6));
}

TEST_F(ktrace9, what_it_says_is_recorded)
{
	TRACE(EACH);
	EXPECT_TRUE(is_bytes(sample_record(&self->records, KTR_USER), "sample says", 11));
}

TEST_F(ktrace9, structure_is_recorded)
{
	TRACE(EACH);
	EXPECT_TRUE(is_bytes(sample_record(&self->records, KTR_STRUCT),
			     "sample\0\x2a\0\0\0\x06\0\0\0", 15));
}

/* All of it within the write(2) that made it, in the order of the sample's code. */
TEST_F(ktrace9, records_are_in_the_order_they_were_made)
{
	static const unsigned int types[] = {
		KTR_SYSCALL, KTR_SYSCALL, KTR_NAMEI, KTR_GENIO, KTR_PSIG, KTR_EMUL,
		KTR_USER, KTR_STRUCT, KTR_SYSRET, KTR_GENIO, KTR_SYSRET,
	};
	const struct record *r;
	size_t i;

	TRACE(EACH & ~(int)KTRFAC_CSW);
	r = next_call(&self->records, NULL, 0, SYS_write);
	ASSERT_NE(NULL, r);
	ASSERT_LT(r + 11, self->records.at + self->records.count);
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		EXPECT_EQ(types[i], r[i].type);
}

TEST_F(ktrace9, records_are_the_writers)
{
	pid_t pid = TRACE(EACH);
	size_t i;

	for (i = 0; i < self->records.count; i++) {
		EXPECT_EQ(pid, self->records.at[i].pid);
		EXPECT_EQ(pid, self->records.at[i].tid);
	}
}

TEST_F(ktrace9, facility_that_is_not_traced_makes_none)
{
	TRACE((int)(KTRFAC_USER | KTRFAC_NAMEI));
	EXPECT_EQ(1, count_records(&self->records, KTR_USER, 0));
	EXPECT_EQ(self->records.count, count_records(&self->records, KTR_USER, 0) +
					       count_records(&self->records, KTR_NAMEI, 0));
}

/* KTRPOINT(current, KTR_USER) is what the sample asks first. */
TEST_F(ktrace9, point_that_is_not_wanted_makes_none)
{
	TRACE(EACH & ~(int)KTRFAC_USER);
	EXPECT_EQ(NULL, next_call(&self->records, NULL, 0, sample_call));
	EXPECT_EQ(1, count_calls(&self->records, 0, SYS_write));
}

TEST_F(ktrace9, writer_that_is_not_traced_leaves_nothing)
{
	struct tracee other;

	tracee_fork(&other, wait_for_ever, NULL);
	ASSERT_EQ(0, attach(&self->trace, EACH & ~(int)KTRFAC_EMUL, other.pid));
	EXPECT_EQ(0, write_to_sample(NULL));
	ASSERT_EQ(0, ktrace(NULL, KTROP_CLEAR, KTRFAC_MASK, other.pid));
	records_read(&self->records, self->trace.file);
	EXPECT_EQ(0, count_records(&self->records, KTR_USER, 0));
	EXPECT_EQ(0, count_records(&self->records, KTR_STRUCT, 0));
	tracee_kill(&other);
}

TEST_F(ktrace9, writer_without_any_trace_succeeds)
{
	EXPECT_EQ(0, write_to_sample(NULL));
}

static int load(void)
{
	struct utsname names;
	char path[4096];
	int fd, ret;

	require(uname(&names) == 0);
	snprintf(path, sizeof(path), "%s/module/%s/ktrace9/ktrace9_sample.ko", program_path(".."),
		 names.release);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ret = syscall(SYS_finit_module, fd, "", 0);
	if (ret != 0)
		fprintf(stderr, "# cannot load %s: %s\n", path, strerror(errno));
	close(fd);
	return ret;
}

/* The harness ends with exit(3), its tests do not. */
static void unload(void)
{
	if (syscall(SYS_delete_module, "ktrace9_sample", O_NONBLOCK) == 0)
		return;
	fprintf(stderr, "# cannot unload the sample: %s\n", strerror(errno));
	fflush(NULL);
	_exit(1);
}

int main(int argc, char **argv)
{
	if (access("/dev/ktrace", F_OK) == 0 && load() == 0)
		atexit(unload);
	return run_tests(argc, argv);
}
