// SPDX-License-Identifier: GPL-2.0-only
// Stamping entries, and the account of lost records.
#include "record.hpp"

#include "ktrace_core.h"

#include "base/poison.hpp"

namespace ktr {

void stamp(Entry &entry, const Target &target, const Identity &who, unsigned int cpu) {
    entry.pid = who.pid;
    entry.tid = who.tid;
    entry.cpu = cpu;
    entry.flags = target.state() & kVersion1 ? KTR_VERSIONED : 0;
    std::memcpy(entry.comm, who.comm, sizeof(entry.comm));
}

namespace {

// How many types have lost records; the account of the target is empty then.
size_t take_losses(Target &target, ktr_lost *ret) {
    size_t count = 0;
    for (uint32_t type = 0; type < KTR_NTYPES; type++)
        if (const uint32_t records = target.take_lost(type))
            ret[count++] = {type, 0, records};
    return count;
}

} // namespace

void leave_losses(Target &target, Session &session, const Identity &who, unsigned int cpu) {
    Epilogue *epilogue = make_atomic<Epilogue>();
    if (!epilogue)
        return; // they are in the session's counters
    const size_t count = take_losses(target, epilogue->lost);
    Entry &entry = epilogue->entry;
    stamp(entry, target, who, cpu);
    entry.type = KTR_LOST;
    entry.length = static_cast<uint32_t>(count * sizeof(ktr_lost));
    session.leave(epilogue);
}

bool note_losses(Target &target, Session &session, const Identity &who, unsigned int cpu, bool *room) {
    if (!target.take_drop())
        return false;
    ktr_lost lost[KTR_NTYPES];
    const size_t count = take_losses(target, lost);
    if (count == 0)
        return true; // told already, by another thread or before a record that was taken back
    Ring &ring = session.ring(cpu);
    Entry *entry = ring.reserve(count * sizeof(ktr_lost));
    *room = entry != nullptr;
    if (!entry) {
        for (size_t i = 0; i < count; i++)
            target.give_back_lost(lost[i].ktr_type, static_cast<uint32_t>(lost[i].ktr_count));
        return false;
    }
    stamp(*entry, target, who, cpu);
    entry->type = KTR_LOST;
    std::memcpy(entry->payload(), lost, count * sizeof(ktr_lost));
    ring.commit();
    return true;
}

} // namespace ktr
