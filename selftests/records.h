/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace file as an array of records. This is not libktrace's reader on purpose: the
 * tests of the module should not depend on it.
 */
#ifndef SELFTESTS_RECORDS_H
#define SELFTESTS_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <linux/ktrace.h>

struct record {
	unsigned int type; /* KTR_*, without flags */
	bool drop;
	bool versioned;
	pid_t pid;
	pid_t tid;
	int cpu; /* -1 in the classic header */
	char comm[KTR_COMM_LEN + 1];
	bool padded; /* no byte but 0 after the name, nor in ktr_pad */
	uint64_t ns; /* since 1970 */
	const unsigned char *data;
	size_t length;
};

struct records {
	struct record *at;
	size_t count;
	size_t torn; /* bytes at the end that are no whole record */
	unsigned char *bytes;
	size_t size;
};

/* KTRACE_TEST_DUMP in the environment shows each file that is read. */
void records_read(struct records *ret, const char *file);
/* From memory, which is copied. */
void records_parse(struct records *ret, const void *bytes, size_t size);
void records_free(struct records *records);

/*
 * The next record after `after` (NULL: from the start) of a type and of a process (0: of
 * any); NULL when there is none.
 */
const struct record *next_record(const struct records *records,
				 const struct record *after, unsigned int type,
				 pid_t pid);
size_t count_records(const struct records *records, unsigned int type, pid_t pid);

/* The same for SYSCALL and SYSRET records of one number. */
const struct record *next_call(const struct records *records,
			       const struct record *after, pid_t pid, long number);
const struct record *next_return(const struct records *records,
				 const struct record *after, pid_t pid,
				 long number);
size_t count_calls(const struct records *records, pid_t pid, long number);
size_t count_returns(const struct records *records, pid_t pid, long number);

/* getppid(2) calls of a process (0: of any) in a file. */
size_t calls_in(const char *file, pid_t pid);

/* Payloads; the test ends when the record is NULL or too short. */
struct ktr_sysret sysret_of(const struct record *record);
struct ktr_psig psig_of(const struct record *record);
int call_narg(const struct record *record);
uint32_t call_abi(const struct record *record);
uint64_t call_arg(const struct record *record, unsigned int index);
uint32_t ctor_flags(const struct record *record);

/* The record is a path of that text. */
bool is_path(const struct record *record, const char *text);

/* Of a GENIO record. */
int genio_fd(const struct record *record);
int genio_rw(const struct record *record);
size_t genio_length(const struct record *record);
const unsigned char *genio_data(const struct record *record);
bool genio_is(const struct record *record, int fd, int rw, const void *data,
	      size_t length);
/* The next GENIO record of a descriptor. */
const struct record *next_genio(const struct records *records,
				const struct record *after, int fd);

/* Lost records of a type that the file's LOST records count. */
uint64_t count_lost(const struct records *records, unsigned int type);

#endif
