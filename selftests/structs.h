/* SPDX-License-Identifier: GPL-2.0-only */
/* STRUCT and STRUCT_ARRAY records, for the tests of what is behind the arguments of calls. */
#ifndef SELFTESTS_STRUCTS_H
#define SELFTESTS_STRUCTS_H

#include "common.h"

#define STRUCTS ((int)(KTRFAC_STRUCT | KTRFAC_STRUCT_ARRAY))

static inline bool is_struct_record(const struct record *r)
{
	return r->type == KTR_STRUCT || r->type == KTR_STRUCT_ARRAY;
}

/* The nth of the records between a call and its return; NULL when it has fewer. */
static inline const struct record *struct_of_call(const struct records *records,
						  const struct record *call, unsigned int nth)
{
	const struct record *r;

	require(call && call->type == KTR_SYSCALL);
	for (r = call + 1; r < records->at + records->count && r->type != KTR_SYSRET; r++)
		if (is_struct_record(r) && nth-- == 0)
			return r;
	return NULL;
}

/* The same of the first call of a number. */
static inline const struct record *struct_in(const struct records *records, long number,
					     unsigned int nth)
{
	return struct_of_call(records, next_call(records, NULL, 0, number), nth);
}

/* A STRUCT record of that name and size; its structure, else NULL. */
static inline const void *struct_data(const struct record *r, const char *name, size_t size)
{
	size_t head = strlen(name) + 1;

	if (!r || r->type != KTR_STRUCT || r->length != head + size ||
	    memcmp(r->data, name, head) != 0)
		return NULL;
	return r->data + head;
}

static inline bool is_struct(const struct record *r, const char *name, const void *bytes,
			     size_t size)
{
	const void *data = struct_data(r, name, size);

	return data && memcmp(data, bytes, size) == 0;
}

/* A STRUCT_ARRAY record of that name with so many items of that size; they, else NULL. */
static inline const void *array_data(const struct record *r, const char *name, uint64_t size,
				     size_t count)
{
	size_t head = sizeof(size) + strlen(name) + 1;

	if (!r || r->type != KTR_STRUCT_ARRAY || r->length != head + size * count ||
	    memcmp(r->data, &size, sizeof(size)) != 0 ||
	    memcmp(r->data + sizeof(size), name, strlen(name) + 1) != 0)
		return NULL;
	return r->data + head;
}

static inline bool is_array(const struct record *r, const char *name, const void *items,
			    uint64_t size, size_t count)
{
	const void *data = array_data(r, name, size, count);

	return data && memcmp(data, items, size * count) == 0;
}

#endif
