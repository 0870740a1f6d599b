// SPDX-License-Identifier: GPL-2.0-only
// The ring of one processor and one session: probes reserve, fill and commit entries, the
// writer drains them.
//
//        tail          commit        head
//   ......|=============|-------------|..........
//          readable       being filled   free
//
// Positions only grow; position & mask is the offset in the buffer. An entry never wraps: a
// filler entry takes the rest of the buffer instead.
//
// Producers are on the ring's own processor and stay there from reserve() to commit(), so two
// of them are either one after the other or nested (an interrupt). reserve() may be called in
// any context. The consumer is one thread, anywhere.
//
// Order. An entry's time is taken after its place, and both the place (a locked operation) and
// the consumer's look at head() are sequentially consistent. Therefore: once the consumer has
// read the clock and then head(), every entry placed later has a later time. That is the mark
// up to which the writer may merge.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/guard.hpp"

namespace ktr {

// One record on its way to the writer, which makes the header of the file from it.
struct Entry {
    uint32_t size;  // of the whole entry, a multiple of kAlign
    uint16_t type;  // KTR_*, or kFiller
    uint16_t flags; // KTR_DROP, KTR_VERSIONED
    uint64_t time;  // kshim_clock_ns()
    int32_t pid;    // as the tracer sees them
    int32_t tid;
    char comm[16];
    uint32_t length; // bytes of payload
    uint32_t cpu;

    static constexpr uint16_t kFiller = 0;
    static constexpr size_t kAlign = 8;

    std::byte *payload() { return reinterpret_cast<std::byte *>(this + 1); }
    const std::byte *payload() const { return reinterpret_cast<const std::byte *>(this + 1); }
};
static_assert(sizeof(Entry) == 48 && sizeof(Entry) % Entry::kAlign == 0);

class Ring : NoCopy {
  public:
    // buffer: `bytes` of memory, a power of two; it stays the caller's.
    Ring(std::byte *buffer, size_t bytes) : buffer_(buffer), bytes_(bytes) {}

    // --- producers ---

    // Place for an entry with `length` bytes of payload, with size, time, length set and type
    // kFiller; nullptr when there is no room. Each entry is committed, in the context that
    // reserved it; one that stays kFiller is skipped by the consumer.
    [[nodiscard]] Entry *reserve(size_t length);
    void commit();

    // The greatest payload that is worth reserving.
    size_t max_length() const { return bytes_ / 4; }

    // --- anyone ---

    size_t capacity() const { return bytes_; }
    size_t used() const;
    bool over_three_quarters() const { return used() > bytes_ / 4 * 3; }
    bool under_half() const { return used() < bytes_ / 2; }
    // seq_cst: see "Order" above, and Session's going idle.
    uint64_t head() const { return head_.load(std::memory_order_seq_cst); }

    // --- the consumer ---

    // Every entry before `position` is complete.
    bool committed_to(uint64_t position) const {
        return static_cast<int64_t>(commit_.load(std::memory_order_acquire) - position) >= 0;
    }
    // The first entry before `end`, without fillers; nullptr if there is none. `end` is committed.
    const Entry *front(uint64_t end);
    // Done with what front() gave.
    void pop(const Entry &entry);
    bool empty() const { return head() == tail_.load(std::memory_order_relaxed); }

  private:
    struct Place {
        uint64_t at;     // position of the entry
        uint64_t filler; // bytes of filler before it
    };
    bool claim(size_t size, Place *ret);
    void publish();
    Entry *entry_at(uint64_t position) {
        return reinterpret_cast<Entry *>(buffer_ + (position & (bytes_ - 1)));
    }

    // Written by producers only.
    alignas(64) std::atomic<uint64_t> head_{0};
    std::atomic<uint64_t> commit_{0};
    // Reservations open on this processor, more than one when nested. An interrupt leaves it as
    // it found it, so plain loads and stores do.
    std::atomic<uint32_t> open_{0};

    // Written by the consumer only.
    alignas(64) std::atomic<uint64_t> tail_{0};

    // Constant.
    alignas(64) std::byte *const buffer_;
    const size_t bytes_;
};

} // namespace ktr
