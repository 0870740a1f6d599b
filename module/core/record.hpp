// SPDX-License-Identifier: GPL-2.0-only
// One record into the ring of this processor: room, header, payload, commit, wake-up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ring.hpp"
#include "target.hpp"

namespace ktr {

// Whose record it is. comm: 16 bytes.
struct Identity {
    int32_t pid;
    int32_t tid;
    const char *comm;
};

inline Identity identity_of(const Thread &thread) {
    return {thread.pid.load(std::memory_order_relaxed), thread.tid.load(std::memory_order_relaxed),
            kshim_task_comm(thread.task)};
}

enum class Emit { kDone, kLost, kRefused };

// Stamps the entry with all but its type.
void stamp(Entry &entry, const Target &target, const Identity &who, unsigned int cpu);

// Writes the LOST record that is due, if there is one. True if the next record is to carry
// KTR_DROP; *room is false when the ring has not even room for that.
bool note_losses(Target &target, Session &session, const Identity &who, unsigned int cpu, bool *room);

// Leaves the losses of a process that ends to the writer, when there is no room for their record.
void leave_losses(Target &target, Session &session, const Identity &who, unsigned int cpu);

// Emits a record whose payload of `length` bytes is written by fill(std::byte *), which runs
// pinned to a processor and must not sleep. fill returns false to take the record back
// (Emit::kRefused). A record without room is counted (Emit::kLost). Context: any.
//
// Pinned is where it is looked once more whether the record is wanted: callers that sleep come from
// before a CLEAR, whose grace period is then over only when no more of them gets past.
template <typename Fill>
Emit emit(Target &target, const Identity &who, uint32_t type, size_t length, Fill &&fill) {
    OnCpu cpu;
    Session &session = target.session();
    if (session.failed() || !target.wants(type))
        return Emit::kRefused;
    Ring &ring = session.ring(cpu.number());
    bool room = true;
    const bool dropped = target.has_lost() && note_losses(target, session, who, cpu.number(), &room);
    Entry *entry = room ? ring.reserve(length) : nullptr;
    if (!entry) {
        target.count_lost(type);
        return Emit::kLost;
    }
    const bool filled = fill(entry->payload());
    if (filled) {
        stamp(*entry, target, who, cpu.number());
        entry->type = static_cast<uint16_t>(type);
        if (dropped)
            entry->flags |= KTR_DROP;
    } else if (dropped) {
        target.mark_drop(); // for the next record
    }
    ring.commit();
    session.committed(ring);
    return filled ? Emit::kDone : Emit::kRefused;
}

// The same with a payload that is there already.
inline Emit emit_bytes(Target &target, const Identity &who, uint32_t type, const void *payload,
                       size_t length) {
    return emit(target, who, type, length, [=](std::byte *to) {
        std::memcpy(to, payload, length);
        return true;
    });
}

template <typename Payload>
Emit emit_struct(Target &target, const Identity &who, uint32_t type, const Payload &payload) {
    return emit_bytes(target, who, type, &payload, sizeof(payload));
}

} // namespace ktr
