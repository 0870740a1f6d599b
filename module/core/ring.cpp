// SPDX-License-Identifier: GPL-2.0-only
// Reserve, commit, drain; the contract is in ring.hpp.
#include "ring.hpp"

#include "base/poison.hpp"

namespace ktr {

namespace {

// A filler shorter than a whole Entry has only these.
constexpr size_t kFillerBytes = offsetof(Entry, time);
static_assert(kFillerBytes == Entry::kAlign);

constexpr size_t entry_size(size_t length) {
    return sizeof(Entry) + ((length + Entry::kAlign - 1) & ~(Entry::kAlign - 1));
}

void fill_filler(Entry *entry, uint64_t size) {
    entry->size = static_cast<uint32_t>(size);
    entry->type = Entry::kFiller;
    entry->flags = 0;
}

} // namespace

// Moves head_ past an entry of `size` bytes and the filler it may need.
bool Ring::claim(size_t size, Place *ret) {
    uint64_t head = head_.load(std::memory_order_relaxed);
    for (;;) {
        const uint64_t to_end = bytes_ - (head & (bytes_ - 1));
        const uint64_t filler = size <= to_end ? 0 : to_end;
        // Pairs with the release in pop(): what the consumer has left may be overwritten.
        const uint64_t used = head - tail_.load(std::memory_order_acquire);
        if (used + filler + size > bytes_)
            return false;
        if (head_.compare_exchange_weak(head, head + filler + size, std::memory_order_seq_cst)) {
            *ret = {head + filler, filler};
            return true;
        }
    }
}

Entry *Ring::reserve(size_t length) {
    if (length > max_length())
        return nullptr;
    const size_t size = entry_size(length);
    open_.store(open_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst); // open before an interrupt can see the place
    Place place{};
    if (!claim(size, &place)) {
        commit();
        return nullptr;
    }
    if (place.filler)
        fill_filler(entry_at(place.at - place.filler), place.filler);
    Entry *entry = entry_at(place.at);
    fill_filler(entry, size);
    entry->time = kshim_clock_ns(); // after the place: see "Order"
    entry->length = static_cast<uint32_t>(length);
    return entry;
}

void Ring::commit() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    const uint32_t open = open_.load(std::memory_order_relaxed) - 1;
    open_.store(open, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (open == 0)
        publish();
}

// Only the outermost producer publishes, so all before head_ is filled. An interrupt in between
// has published further than `head`; then the loop does it again.
void Ring::publish() {
    uint64_t head;
    do {
        head = head_.load(std::memory_order_relaxed);
        commit_.store(head, std::memory_order_release); // pairs with the acquire in committed_to()
        std::atomic_signal_fence(std::memory_order_seq_cst);
    } while (head_.load(std::memory_order_relaxed) != head);
}

size_t Ring::used() const {
    // The tail first: it never passes the head that is read after it.
    const uint64_t tail = tail_.load(std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    const uint64_t used = head_.load(std::memory_order_relaxed) - tail;
    return used < bytes_ ? static_cast<size_t>(used) : bytes_;
}

const Entry *Ring::front(uint64_t end) {
    uint64_t tail = tail_.load(std::memory_order_relaxed);
    while (tail != end) {
        const Entry *entry = entry_at(tail);
        if (entry->type != Entry::kFiller)
            return entry;
        tail += entry->size;
        tail_.store(tail, std::memory_order_release); // pairs with the acquire in claim()
    }
    return nullptr;
}

void Ring::pop(const Entry &entry) {
    tail_.store(tail_.load(std::memory_order_relaxed) + entry.size, std::memory_order_release);
}

} // namespace ktr
