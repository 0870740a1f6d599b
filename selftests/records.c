// SPDX-License-Identifier: GPL-2.0-only
#include "records.h"

#include "common.h"

static const char *type_name(unsigned int type)
{
	switch (type) {
#define KTR_RECORD(name, number, letter, dflt, label, fixed, payload)          \
	case number:                                                           \
		return #name;
#include <linux/ktrace_records.def>
#undef KTR_RECORD
	}
	return "?";
}

static void show(const struct records *records)
{
	const struct record *r;

	for (r = records->at; r < records->at + records->count; r++) {
		size_t i;

		fprintf(stderr, "# %4zu %llu %d/%d %-8s %s%s %zu:", r - records->at,
			(unsigned long long)r->ns, r->pid, r->tid, type_name(r->type),
			r->comm, r->drop ? " DROP" : "", r->length);
		for (i = 0; i < r->length && i < 40; i++)
			fprintf(stderr, "%s%02x", i % 8 ? "" : " ", r->data[i]);
		fprintf(stderr, "\n");
	}
	if (records->torn)
		fprintf(stderr, "# and %zu bytes more\n", records->torn);
}

static bool all_zero(const void *bytes, size_t size)
{
	const unsigned char *at = bytes;

	while (size > 0 && at[size - 1] == 0)
		size--;
	return size == 0;
}

static bool comm_padded(const char comm[KTR_COMM_LEN])
{
	size_t length = strnlen(comm, KTR_COMM_LEN);

	return length < KTR_COMM_LEN && all_zero(comm + length, KTR_COMM_LEN - length);
}

/* Both headers begin with the same 32 bytes. Returns the header's size. */
static size_t parse_header(struct record *r, const unsigned char *from)
{
	struct ktr_header v0;
	struct ktr_header_v1 v1;

	memcpy(&v0, from, sizeof(v0));
	r->type = v0.ktr_type & ~KTR_TYPE;
	r->drop = v0.ktr_type & KTR_DROP;
	r->versioned = v0.ktr_type & KTR_VERSIONED;
	r->pid = v0.ktr_pid;
	r->length = v0.ktr_len;
	r->cpu = -1;
	memcpy(r->comm, v0.ktr_comm, KTR_COMM_LEN);
	if (!r->versioned) {
		r->tid = v0.ktr_tid;
		r->ns = v0.ktr_time.tv_sec * 1000000000ull + v0.ktr_time.tv_usec * 1000ull;
		r->padded = comm_padded(v0.ktr_comm) && v0.ktr_pad == 0;
		return sizeof(v0);
	}
	memcpy(&v1, from, sizeof(v1));
	require(v1.ktr_version == KTR_VERSION1);
	r->tid = v1.ktr_tid;
	r->cpu = v1.ktr_cpu;
	r->ns = v1.ktr_time.tv_sec * 1000000000ull + v1.ktr_time.tv_nsec;
	r->padded = comm_padded(v1.ktr_comm) && v1.ktr_pad == 0;
	return sizeof(v1);
}

static size_t header_size(const unsigned char *from)
{
	uint16_t type;

	memcpy(&type, from + offsetof(struct ktr_header, ktr_type), sizeof(type));
	return type & KTR_VERSIONED ? sizeof(struct ktr_header_v1) :
				      sizeof(struct ktr_header);
}

void records_parse(struct records *ret, const void *bytes, size_t size)
{
	size_t room = 0;
	size_t at = 0;

	memset(ret, 0, sizeof(*ret));
	ret->size = size;
	ret->bytes = malloc(size + 1);
	require(ret->bytes);
	memcpy(ret->bytes, bytes, size);
	while (size - at >= sizeof(struct ktr_header) &&
	       size - at >= header_size(ret->bytes + at)) {
		struct record r = { 0 };
		size_t header = parse_header(&r, ret->bytes + at);

		if (r.length > size - at - header)
			break;
		r.data = ret->bytes + at + header;
		at += header + r.length;
		if (ret->count == room) {
			room = room * 2 + 64;
			ret->at = realloc(ret->at, room * sizeof(r));
			require(ret->at);
		}
		ret->at[ret->count++] = r;
	}
	ret->torn = size - at;
	if (getenv("KTRACE_TEST_DUMP"))
		show(ret);
}

void records_read(struct records *ret, const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	size_t room = 1 << 16;
	size_t size = 0;
	char *bytes = malloc(room);
	ssize_t got;

	require(fd >= 0 && bytes);
	while ((got = read(fd, bytes + size, room - size)) > 0) {
		size += got;
		if (size == room) {
			room *= 2;
			bytes = realloc(bytes, room);
			require(bytes);
		}
	}
	require(got == 0);
	close(fd);
	records_parse(ret, bytes, size);
	free(bytes);
}

void records_free(struct records *records)
{
	free(records->at);
	free(records->bytes);
	memset(records, 0, sizeof(*records));
}

/* --- search --- */

const struct record *next_record(const struct records *records,
				 const struct record *after, unsigned int type,
				 pid_t pid)
{
	const struct record *r = after ? after + 1 : records->at;

	for (; r < records->at + records->count; r++)
		if (r->type == type && (pid == 0 || r->pid == pid))
			return r;
	return NULL;
}

size_t count_records(const struct records *records, unsigned int type, pid_t pid)
{
	const struct record *r = NULL;
	size_t count = 0;

	while ((r = next_record(records, r, type, pid)))
		count++;
	return count;
}

/* The number is the first member of both payloads. */
static const struct record *next_numbered(const struct records *records,
					  const struct record *after,
					  unsigned int type, pid_t pid, long number)
{
	int16_t code;

	while ((after = next_record(records, after, type, pid))) {
		require(after->length >= sizeof(code));
		memcpy(&code, after->data, sizeof(code));
		if (code == number)
			return after;
	}
	return NULL;
}

const struct record *next_call(const struct records *records,
			       const struct record *after, pid_t pid, long number)
{
	return next_numbered(records, after, KTR_SYSCALL, pid, number);
}

const struct record *next_return(const struct records *records,
				 const struct record *after, pid_t pid, long number)
{
	return next_numbered(records, after, KTR_SYSRET, pid, number);
}

static size_t count_numbered(const struct records *records, unsigned int type,
			     pid_t pid, long number)
{
	const struct record *r = NULL;
	size_t count = 0;

	while ((r = next_numbered(records, r, type, pid, number)))
		count++;
	return count;
}

size_t count_calls(const struct records *records, pid_t pid, long number)
{
	return count_numbered(records, KTR_SYSCALL, pid, number);
}

size_t count_returns(const struct records *records, pid_t pid, long number)
{
	return count_numbered(records, KTR_SYSRET, pid, number);
}

size_t calls_in(const char *file, pid_t pid)
{
	struct records records;
	size_t count;

	records_read(&records, file);
	count = count_calls(&records, pid, SYS_getppid);
	records_free(&records);
	return count;
}

const struct record *next_genio(const struct records *records,
				const struct record *after, int fd)
{
	while ((after = next_record(records, after, KTR_GENIO, 0)))
		if (genio_fd(after) == fd)
			return after;
	return NULL;
}

uint64_t count_lost(const struct records *records, unsigned int type)
{
	const struct record *r = NULL;
	uint64_t count = 0;

	while ((r = next_record(records, r, KTR_LOST, 0))) {
		struct ktr_lost item;
		size_t at;

		require(r->length % sizeof(item) == 0);
		for (at = 0; at < r->length; at += sizeof(item)) {
			memcpy(&item, r->data + at, sizeof(item));
			if (item.ktr_type == type)
				count += item.ktr_count;
		}
	}
	return count;
}

/* --- payloads --- */

static void take(void *to, const struct record *record, unsigned int type,
		 size_t offset, size_t size)
{
	require(record);
	require(record->type == type);
	require(record->length >= offset + size);
	memcpy(to, record->data + offset, size);
}

struct ktr_sysret sysret_of(const struct record *record)
{
	struct ktr_sysret ret;

	take(&ret, record, KTR_SYSRET, 0, sizeof(ret));
	return ret;
}

struct ktr_psig psig_of(const struct record *record)
{
	struct ktr_psig ret;

	take(&ret, record, KTR_PSIG, 0, sizeof(ret));
	return ret;
}

int call_narg(const struct record *record)
{
	int16_t narg;

	take(&narg, record, KTR_SYSCALL, offsetof(struct ktr_syscall, ktr_narg),
	     sizeof(narg));
	/* as many as it says, and nothing else */
	require(record->length == sizeof(struct ktr_syscall) + narg * sizeof(uint64_t));
	return narg;
}

uint32_t call_abi(const struct record *record)
{
	uint32_t abi;

	take(&abi, record, KTR_SYSCALL, offsetof(struct ktr_syscall, ktr_abi), sizeof(abi));
	return abi;
}

uint64_t call_arg(const struct record *record, unsigned int index)
{
	uint64_t arg;

	take(&arg, record, KTR_SYSCALL,
	     sizeof(struct ktr_syscall) + index * sizeof(uint64_t), sizeof(arg));
	return arg;
}

uint32_t ctor_flags(const struct record *record)
{
	uint32_t flags;

	take(&flags, record, KTR_PROCCTOR, 0, sizeof(flags));
	return flags;
}

bool is_path(const struct record *record, const char *text)
{
	return record && record->type == KTR_NAMEI &&
	       record->length == strlen(text) &&
	       memcmp(record->data, text, record->length) == 0;
}

static struct ktr_genio genio_of(const struct record *record)
{
	struct ktr_genio ret;

	take(&ret, record, KTR_GENIO, 0, sizeof(ret));
	return ret;
}

int genio_fd(const struct record *record)
{
	return genio_of(record).ktr_fd;
}

int genio_rw(const struct record *record)
{
	return genio_of(record).ktr_rw;
}

size_t genio_length(const struct record *record)
{
	genio_of(record);
	return record->length - sizeof(struct ktr_genio);
}

const unsigned char *genio_data(const struct record *record)
{
	genio_of(record);
	return record->data + sizeof(struct ktr_genio);
}

bool genio_is(const struct record *record, int fd, int rw, const void *data,
	      size_t length)
{
	return record && genio_fd(record) == fd && genio_rw(record) == rw &&
	       genio_length(record) == length &&
	       memcmp(genio_data(record), data, length) == 0;
}
