// SPDX-License-Identifier: GPL-2.0-only
// What a process that ends has lost, when the rings have no room even for telling it: left to the
// writer, which puts it into the file after all else of that process.
#pragma once

#include <atomic>
#include <cstddef>

#include "../../uapi/ktrace.h"
#include "base/owned.hpp"
#include "ring.hpp"

namespace ktr {

struct Epilogue {
    Epilogue *next;
    Entry entry; // its payload is what follows
    ktr_lost lost[KTR_NTYPES];
};
static_assert(offsetof(Epilogue, lost) == offsetof(Epilogue, entry) + sizeof(Entry));

// Anybody adds, the writer takes all.
class Epilogues : NoCopy {
  public:
    ~Epilogues() {
        for (Epilogue *at = take(); at;)
            destroy(std::exchange(at, at->next));
    }

    // Takes the epilogue over.
    void add(Epilogue *epilogue) {
        epilogue->next = first_.load(std::memory_order_relaxed);
        while (!first_.compare_exchange_weak(epilogue->next, epilogue, std::memory_order_release))
            ;
    }

    // A list by `next`, which is the caller's. Pairs with the release in add().
    Epilogue *take() { return first_.exchange(nullptr, std::memory_order_acquire); }

  private:
    std::atomic<Epilogue *> first_{nullptr};
};

} // namespace ktr
