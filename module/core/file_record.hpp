// SPDX-License-Identifier: GPL-2.0-only
// The bytes of one record in the file, made from a ring's entry.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ktrace_core.h"
#include "ring.hpp"

namespace ktr {

// The greatest record: a GENIO of the greatest size.
constexpr size_t kMaxFileRecord = sizeof(ktr_header_v1) + sizeof(ktr_genio) + KTRACE_GENIOSIZE_MAX;

// Bytes that put_file_record() will write.
size_t file_record_size(const Entry &entry);
// Writes header and payload at `to`; realtime is in ns since 1970.
void put_file_record(std::byte *to, const Entry &entry, uint64_t realtime);
// Size of the record at `from`, which put_file_record() has written.
size_t file_record_at(const std::byte *from);

} // namespace ktr
