// SPDX-License-Identifier: GPL-2.0-only
// A hash table by address whose readers take no lock: they are in an RCU read section.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "guard.hpp"

namespace ktr {

// T has `const void *key() const` and a member `std::atomic<T *> hash_next`. Changes are made
// with KSHIM_LOCK_TABLE held; a removed T is freed only after a grace period, as a reader may
// still stand on it.
template <typename T, unsigned kBits> class HashTable : NoCopy {
  public:
    constexpr HashTable() = default;

    // Context: an RCU read section, or the table lock held.
    T *find(const void *key) const {
        // Pairs with the release in insert(): whoever sees the object sees it whole.
        T *object = bucket(key).load(std::memory_order_acquire);
        while (object && object->key() != key)
            object = object->hash_next.load(std::memory_order_acquire);
        return object;
    }

    void insert_locked(T *object) {
        kshim_assert_held(KSHIM_LOCK_TABLE);
        std::atomic<T *> &head = bucket(object->key());
        object->hash_next.store(head.load(std::memory_order_relaxed), std::memory_order_relaxed);
        head.store(object, std::memory_order_release); // pairs with the acquires in find()
    }

    // The object's own link stays, for the readers that stand on it.
    void remove_locked(T *object) {
        kshim_assert_held(KSHIM_LOCK_TABLE);
        std::atomic<T *> *link = &bucket(object->key());
        while (T *at = link->load(std::memory_order_relaxed)) {
            if (at == object) {
                link->store(object->hash_next.load(std::memory_order_relaxed), std::memory_order_release);
                return;
            }
            link = &at->hash_next;
        }
    }

    // Context: an RCU read section, or the table lock held.
    template <typename Visit> void for_each(Visit &&visit) const {
        for (const std::atomic<T *> &head : buckets_)
            for (T *at = head.load(std::memory_order_acquire); at;
                 at = at->hash_next.load(std::memory_order_acquire))
                visit(*at);
    }

  private:
    std::atomic<T *> &bucket(const void *key) { return buckets_[kshim_hash(key, kBits)]; }
    const std::atomic<T *> &bucket(const void *key) const { return buckets_[kshim_hash(key, kBits)]; }

    std::array<std::atomic<T *>, 1u << kBits> buckets_{};
};

} // namespace ktr
