// SPDX-License-Identifier: GPL-2.0-only
// A growing set of addresses, for ktrace(2)'s walks over processes. Context: may sleep.
#pragma once

#include <cstddef>
#include <cstdint>

#include "guard.hpp"
#include "status.hpp"

namespace ktr {

template <typename T> class PointerSet : NoCopy {
  public:
    PointerSet() = default;
    ~PointerSet() { kshim_free_pages(slots_); }

    bool contains(T *item) const { return capacity_ != 0 && *slot(slots_, capacity_, item) != nullptr; }

    // ENOMEM leaves the set as it was. An item that is there already is fine.
    Status insert(T *item) {
        if (count_ * 2 >= capacity_)
            KTR_TRY(grow());
        T **place = slot(slots_, capacity_, item);
        count_ += *place == nullptr;
        *place = item;
        return {};
    }

    template <typename Visit> void for_each(Visit &&visit) const {
        for (size_t i = 0; i < capacity_; i++)
            if (slots_[i])
                visit(slots_[i]);
    }

  private:
    // Where the item is, or would be. Capacities are powers of two, at most half full.
    static T **slot(T **slots, size_t capacity, T *item) {
        size_t i = static_cast<size_t>((reinterpret_cast<uintptr_t>(item) * 0x9e3779b97f4a7c15ull) >> 32);
        while (slots[i & (capacity - 1)] && slots[i & (capacity - 1)] != item)
            i++;
        return &slots[i & (capacity - 1)];
    }

    Status grow() {
        const size_t capacity = capacity_ ? capacity_ * 2 : 64;
        T **slots = static_cast<T **>(kshim_alloc_pages(capacity * sizeof(T *)));
        if (!slots)
            return Status::error(kEnomem);
        for_each([&](T *item) { *slot(slots, capacity, item) = item; });
        kshim_free_pages(slots_);
        slots_ = slots;
        capacity_ = capacity;
        return {};
    }

    T **slots_ = nullptr;
    size_t capacity_ = 0;
    size_t count_ = 0;
};

} // namespace ktr
