// SPDX-License-Identifier: GPL-2.0-only
/* FAULT and FAULTEND: page faults on a program's own memory. */
#include "harness.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#define FAULTS ((int)(KTRFAC_FAULT | KTRFAC_FAULTEND))
#define PAGE ((size_t)4096)
#define PAGES 8

/* Memory that the child inherits, and that nobody has touched. */
FIXTURE(fault)
{
	struct trace trace;
	struct records records;
	char *fresh; /* PAGES pages */
	int file; /* one page of "return" instructions */
};
FIXTURE_SETUP(fault)
{
	char code[PAGE];

	trace_init(&self->trace);
	memset(code, 0xc3, sizeof(code));
	self->file = memfd_create("code", MFD_CLOEXEC);
	ASSERT_LE(0, self->file);
	ASSERT_EQ((ssize_t)PAGE, write(self->file, code, PAGE));
	self->fresh = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->fresh);
	/* or a page of 2 MiB comes with the first fault */
	madvise(self->fresh, PAGES * PAGE, MADV_NOHUGEPAGE);
}
FIXTURE_TEARDOWN(fault)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

#define TRACE(facilities, body) \
	trace_body(&self->trace, facilities, body, self, &self->records)

static struct ktr_fault fault_of(const struct record *record)
{
	struct ktr_fault fault;

	require(record && record->type == KTR_FAULT && record->length == sizeof(fault));
	memcpy(&fault, record->data, sizeof(fault));
	return fault;
}

static int result_of(const struct record *record)
{
	struct ktr_faultend end;

	require(record && record->type == KTR_FAULTEND && record->length == sizeof(end));
	memcpy(&end, record->data, sizeof(end));
	return end.result;
}

/* The next fault in the page of an address. */
static const struct record *next_fault(const struct records *records,
				       const struct record *after, const void *address)
{
	while ((after = next_record(records, after, KTR_FAULT, 0)))
		if (fault_of(after).vaddr / PAGE == (uintptr_t)address / PAGE)
			return after;
	return NULL;
}

static size_t count_faults(const struct records *records, const void *address)
{
	const struct record *r = NULL;
	size_t count = 0;

	while ((r = next_fault(records, r, address)))
		count++;
	return count;
}

/* --- kinds --- */

static int write_to_pages(void *arg)
{
	FIXTURE_DATA(fault) *self = arg;
	int i;

	for (i = 0; i < PAGES; i++)
		*(volatile char *)(self->fresh + i * PAGE + 100 * i) = 1;
	return 0;
}

TEST_F(fault, write_to_a_fresh_page_has_the_address)
{
	const struct record *r = NULL;
	struct ktr_fault fault;
	int i;

	TRACE(FAULTS, write_to_pages);
	for (i = 0; i < PAGES; i++) {
		r = next_fault(&self->records, r, self->fresh + i * PAGE);
		ASSERT_NE(NULL, r);
		fault = fault_of(r);
		EXPECT_EQ((uintptr_t)self->fresh + i * PAGE + 100 * i, fault.vaddr);
		EXPECT_EQ(KTR_FAULT_WRITE, fault.type);
		EXPECT_EQ(0, fault.ktr_pad);
	}
}

TEST_F(fault, page_makes_one_fault)
{
	int i;

	TRACE(FAULTS, write_to_pages);
	for (i = 0; i < PAGES; i++)
		EXPECT_EQ(1, count_faults(&self->records, self->fresh + i * PAGE));
}

TEST_F(fault, fault_ends_with_success)
{
	const struct record *r;

	TRACE(FAULTS, write_to_pages);
	r = next_fault(&self->records, NULL, self->fresh);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(KTR_KERN_SUCCESS, result_of(r + 1));
}

TEST_F(fault, faults_and_their_ends_alternate)
{
	size_t i;

	TRACE(FAULTS, write_to_pages);
	ASSERT_LE(2 * PAGES, self->records.count);
	EXPECT_EQ(0, self->records.count % 2);
	for (i = 0; i < self->records.count; i++)
		EXPECT_EQ(i % 2 ? KTR_FAULTEND : KTR_FAULT, self->records.at[i].type);
}

static int read_pages(void *arg)
{
	FIXTURE_DATA(fault) *self = arg;

	return *(volatile char *)(self->fresh + 5);
}

TEST_F(fault, read_of_a_fresh_page_is_read)
{
	const struct record *r;

	TRACE(FAULTS, read_pages);
	r = next_fault(&self->records, NULL, self->fresh);
	ASSERT_NE(NULL, r);
	EXPECT_EQ((uintptr_t)self->fresh + 5, fault_of(r).vaddr);
	EXPECT_EQ(KTR_FAULT_READ, fault_of(r).type);
	EXPECT_EQ(KTR_KERN_SUCCESS, result_of(r + 1));
}

/* The page is there, for reading: it is copied when it is written to. */
static int read_and_write(void *arg)
{
	FIXTURE_DATA(fault) *self = arg;

	if (self->fresh[5] != 0)
		return 1;
	*(volatile char *)(self->fresh + 6) = 1;
	return 0;
}

TEST_F(fault, write_after_read_is_a_second_fault)
{
	const struct record *r;

	TRACE(FAULTS, read_and_write);
	r = next_fault(&self->records, NULL, self->fresh);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(KTR_FAULT_READ, fault_of(r).type);
	r = next_fault(&self->records, r, self->fresh);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(KTR_FAULT_WRITE, fault_of(r).type);
	EXPECT_EQ((uintptr_t)self->fresh + 6, fault_of(r).vaddr);
}

static int run_code(void *arg)
{
	FIXTURE_DATA(fault) *self = arg;
	char *code;

	/* where the test knows it */
	code = mmap(self->fresh, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
		    self->file, 0);
	require(code == self->fresh);
	((void (*)(void))(code + 16))();
	return 0;
}

TEST_F(fault, jump_to_a_fresh_page_is_exec)
{
	const struct record *r;

	TRACE(FAULTS, run_code);
	r = next_fault(&self->records, NULL, self->fresh);
	ASSERT_NE(NULL, r);
	EXPECT_EQ((uintptr_t)self->fresh + 16, fault_of(r).vaddr);
	EXPECT_EQ(KTR_FAULT_EXEC, fault_of(r).type);
	EXPECT_EQ(KTR_KERN_SUCCESS, result_of(r + 1));
}

/* --- in a system call --- */

static int read_into_a_page(void *arg)
{
	FIXTURE_DATA(fault) *self = arg;

	return pread(self->file, self->fresh + 7, 3, 0) != 3;
}

TEST_F(fault, call_that_fills_memory_faults_for_writing)
{
	const struct record *call, *r;

	TRACE(FAULTS | CALLS, read_into_a_page);
	call = next_call(&self->records, NULL, 0, SYS_pread64);
	ASSERT_NE(NULL, call);
	r = next_fault(&self->records, call, self->fresh);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(KTR_FAULT_WRITE, fault_of(r).type);
	EXPECT_EQ(KTR_KERN_SUCCESS, result_of(r + 1));
	EXPECT_LT(r, next_return(&self->records, call, 0, SYS_pread64));
}

/* --- failures --- */

/* A traced child that a signal ends; its wait status. */
static int traced_status(FIXTURE_DATA(fault) * self, int (*body)(void *))
{
	struct tracee child;
	int status;

	tracee_fork(&child, body, self);
	require(attach(&self->trace, FAULTS | (int)KTRFAC_PSIG, child.pid) == 0);
	tracee_release(&child);
	status = tracee_reap(&child);
	records_read(&self->records, self->trace.file);
	return status;
}

static int read_beyond_the_file(void *arg)
{
	FIXTURE_DATA(fault) *self = arg;
	char *memory = mmap(self->fresh, 2 * PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED,
			    self->file, 0);

	prctl(PR_SET_DUMPABLE, 0);
	require(memory == self->fresh);
	return *(volatile char *)(memory + PAGE);
}

TEST_F(fault, page_beyond_the_end_of_a_file_is_a_memory_error)
{
	const struct record *r;

	EXPECT_EQ(SIGBUS, WTERMSIG(traced_status(self, read_beyond_the_file)));
	r = next_fault(&self->records, NULL, self->fresh + PAGE);
	ASSERT_NE(NULL, r);
	EXPECT_EQ(KTR_FAULT_READ, fault_of(r).type);
	EXPECT_EQ(KTR_KERN_MEMORY_ERROR, result_of(r + 1));
	EXPECT_EQ(SIGBUS, psig_of(r + 2).signo);
}

static int use_a_bad_address(void *arg)
{
	prctl(PR_SET_DUMPABLE, 0);
	*(volatile char *)bad_address() = 1;
	return 0;
}

TEST_F(fault, address_without_memory_makes_no_fault_but_a_signal)
{
	EXPECT_EQ(SIGSEGV, WTERMSIG(traced_status(self, use_a_bad_address)));
	EXPECT_EQ(0, count_faults(&self->records, bad_address()));
	EXPECT_EQ(SIGSEGV, psig_of(next_record(&self->records, NULL, KTR_PSIG, 0)).signo);
}

/* Each of the two alone. */
TEST_F(fault, ends_can_be_left_out)
{
	TRACE((int)KTRFAC_FAULT, write_to_pages);
	EXPECT_LE(PAGES, count_records(&self->records, KTR_FAULT, 0));
	EXPECT_EQ(0, count_records(&self->records, KTR_FAULTEND, 0));
}

TEST_F(fault, beginnings_can_be_left_out)
{
	TRACE((int)KTRFAC_FAULTEND, write_to_pages);
	EXPECT_EQ(0, count_records(&self->records, KTR_FAULT, 0));
	EXPECT_LE(PAGES, count_records(&self->records, KTR_FAULTEND, 0));
}

RUN_TESTS
