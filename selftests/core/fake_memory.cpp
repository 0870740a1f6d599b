// SPDX-License-Identifier: GPL-2.0-only
// Memory that is counted, and fails when a test says so.
#include "fake_kshim.hpp"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace fake {

std::atomic<long> live_allocations{0};
std::atomic<long> allocations{0};

namespace {
std::atomic<long> countdown{0};
std::atomic<bool> for_ever{false};
std::atomic<bool> failed{false};
thread_local std::function<void()> at_atomic_alloc;

bool fails() {
    allocations++;
    if (countdown.load() == 0)
        return false;
    if (countdown.load() < 0 || countdown.fetch_sub(1) == 1) {
        if (for_ever)
            countdown = -1;
        failed = true;
        return true;
    }
    return false;
}

void *allocate(size_t size) {
    if (fails())
        return nullptr;
    // As kmalloc() does in practice: whole cache lines for what consists of them.
    const size_t alignment = size % 64 == 0 ? 64 : 16;
    void *memory = std::aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
    std::memset(memory, 0, size);
    live_allocations++;
    return memory;
}

void release(void *memory) {
    if (memory)
        live_allocations--;
    std::free(memory);
}
} // namespace

void fail_allocation(long k, bool ever) {
    for_ever = ever;
    failed = false;
    countdown = k;
}

bool allocation_failed() { return failed; }

void interrupt_at_atomic_alloc(std::function<void()> handler) { at_atomic_alloc = std::move(handler); }

} // namespace fake

void *kshim_alloc(size_t size) {
    fake::might_sleep("kshim_alloc");
    return fake::allocate(size);
}

void *kshim_alloc_atomic(size_t size) {
    if (auto handler = std::exchange(fake::at_atomic_alloc, nullptr))
        handler();
    return fake::allocate(size);
}

void kshim_free(void *ptr) { fake::release(ptr); }

void *kshim_alloc_pages(size_t bytes) {
    fake::might_sleep("kshim_alloc_pages");
    return fake::allocate(bytes);
}

void kshim_free_pages(void *ptr) {
    if (ptr)
        fake::might_sleep("kshim_free_pages");
    fake::release(ptr);
}
