// SPDX-License-Identifier: GPL-2.0-only
// Records whose payload is a head of ours and then memory of the traced thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "target.hpp"
#include "user_memory.hpp"

namespace ktr {

// Where the bytes are: one buffer, or an array of struct iovec.
struct Segments {
    uint64_t address;
    uint64_t count; // of iovecs
    bool vector;
};

struct Piece {
    uint64_t address;
    uint64_t length;
};

constexpr uint64_t kMaxIovecs = 1024; // UIO_MAXIOV

bool read_iovec(const UserMemory &memory, uint64_t at, Piece *ret);

// struct msghdr: name, namelen, iov, iovlen, ...: a word each, namelen being padded.
bool read_msghdr_name(const UserMemory &memory, uint64_t at, Piece *ret);
bool read_msghdr_data(const UserMemory &memory, uint64_t at, Segments *ret);

// What comes before the thread's bytes.
struct RecordHead {
    const void *bytes;
    size_t length;
};

// One record with the first `length` bytes of the segments. False if they are not resident and
// memory may not fault: then it is to be tried again where it may. Memory that cannot be read at
// all makes no record. Context: may sleep if memory may fault.
bool emit_from_user(Thread &thread, const UserMemory &memory, uint32_t type, const RecordHead &head,
                    const Segments &from, size_t length);

} // namespace ktr
