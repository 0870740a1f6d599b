// SPDX-License-Identifier: GPL-2.0-only
// Copies user memory into records; the contract is in user_record.hpp.
#include "user_record.hpp"

#include <algorithm>
#include <cstring>

#include "record.hpp"

#include "base/poison.hpp"

namespace ktr {

namespace {

// Copies the first `length` bytes of the segments; false if memory cannot be read.
bool gather(const UserMemory &memory, const Segments &from, std::byte *to, size_t length) {
    if (!from.vector)
        return memory.read(to, from.address, length);
    for (uint64_t i = 0; i < std::min(from.count, kMaxIovecs) && length > 0; i++) {
        Piece piece{};
        if (!read_iovec(memory, from.address + i * 2 * memory.word(), &piece))
            return false;
        const size_t part = std::min<uint64_t>(piece.length, length);
        if (!memory.read(to, piece.address, part))
            return false;
        to += part;
        length -= part;
    }
    std::memset(to, 0, length); // the iovecs were changed meanwhile: no stale bytes
    return true;
}

// Filled where it lies in the ring.
bool emit_resident(Thread &thread, const UserMemory &memory, uint32_t type, const RecordHead &head,
                   const Segments &from, size_t length) {
    const Emit result =
        emit(*thread.target, identity_of(thread), type, head.length + length, [&](std::byte *to) {
            std::memcpy(to, head.bytes, head.length);
            return gather(memory, from, to + head.length, length);
        });
    return result != Emit::kRefused;
}

// By way of a buffer, as a ring entry must not be open while the thread sleeps.
void emit_faulting(Thread &thread, const UserMemory &memory, uint32_t type, const RecordHead &head,
                   const Segments &from, size_t length) {
    std::byte *copy = static_cast<std::byte *>(kshim_alloc_pages(head.length + length));
    if (!copy) {
        thread.target->count_lost(type);
        return;
    }
    std::memcpy(copy, head.bytes, head.length);
    if (gather(memory, from, copy + head.length, length))
        emit_bytes(*thread.target, identity_of(thread), type, copy, head.length + length);
    kshim_free_pages(copy);
}

} // namespace

bool read_iovec(const UserMemory &memory, uint64_t at, Piece *ret) {
    return memory.read_word(&ret->address, at) && memory.read_word(&ret->length, at + memory.word());
}

bool read_msghdr_name(const UserMemory &memory, uint64_t at, Piece *ret) {
    uint32_t length = 0;
    const bool read =
        memory.read_word(&ret->address, at) && memory.read(&length, at + memory.word(), sizeof(length));
    ret->length = length;
    return read;
}

bool read_msghdr_data(const UserMemory &memory, uint64_t at, Segments *ret) {
    ret->vector = true;
    return memory.read_word(&ret->address, at + 2 * memory.word()) &&
           memory.read_word(&ret->count, at + 3 * memory.word());
}

bool emit_from_user(Thread &thread, const UserMemory &memory, uint32_t type, const RecordHead &head,
                    const Segments &from, size_t length) {
    if (!memory.may_fault())
        return emit_resident(thread, memory, type, head, from, length);
    emit_faulting(thread, memory, type, head, from, length);
    return true;
}

} // namespace ktr
