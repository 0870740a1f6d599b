// SPDX-License-Identifier: GPL-2.0-only
// Making and owning objects: make(), destroy(), Owned<T>, RefCount, Ref<T>.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "guard.hpp"

namespace ktr {

// What to ask for: the kernel aligns powers of two to their size, and the rest to a word only.
template <typename T> constexpr size_t allocation_size() {
    return alignof(T) > alignof(void *) ? std::bit_ceil(sizeof(T)) : sizeof(T);
}

// A new T in zeroed memory, or nullptr. Context: may sleep.
template <typename T, typename... Args> T *make(Args &&...args) {
    void *memory = kshim_alloc(allocation_size<T>());
    return memory ? new (memory) T(std::forward<Args>(args)...) : nullptr;
}

// The same where sleeping is forbidden.
template <typename T, typename... Args> T *make_atomic(Args &&...args) {
    void *memory = kshim_alloc_atomic(allocation_size<T>());
    return memory ? new (memory) T(std::forward<Args>(args)...) : nullptr;
}

template <typename T> void destroy(T *object) {
    if (object)
        object->~T();
    kshim_free(object);
}

// The only owner of what make() gave.
template <typename T> class Owned : NoCopy {
  public:
    explicit Owned(T *object = nullptr) : object_(object) {}
    ~Owned() { destroy(object_); }

    T *get() const { return object_; }
    T *operator->() const { return object_; }
    T &operator*() const { return *object_; }
    explicit operator bool() const { return object_ != nullptr; }
    [[nodiscard]] T *release() { return std::exchange(object_, nullptr); }

  private:
    T *object_;
};

// A C struct of the shim inside an object, which the shim's callback gets back.
template <typename Inner, typename Owner> struct Embedded : Inner {
    explicit Embedded(Owner *its_owner) : Inner{}, owner(its_owner) {}
    static Owner *owner_of(Inner *inner) { return static_cast<Embedded *>(inner)->owner; }
    Owner *const owner;
};

// Counts references; starts at one, which is the maker's.
class RefCount {
  public:
    void get() { count_.fetch_add(1, std::memory_order_relaxed); }

    // False when the object is on its way out.
    [[nodiscard]] bool get_unless_zero() {
        uint32_t count = count_.load(std::memory_order_relaxed);
        while (count != 0)
            if (count_.compare_exchange_weak(count, count + 1, std::memory_order_acquire))
                return true;
        return false;
    }

    // True for the one that gave back the last. acq_rel: what every holder did happens before the end.
    [[nodiscard]] bool put() { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  private:
    std::atomic<uint32_t> count_{1};
};

// One reference on an object with get() and put().
template <typename T> class Ref {
  public:
    constexpr Ref() = default;
    // Takes over a reference that the caller holds.
    static Ref adopt(T *object) { return Ref(object); }
    static Ref share(T *object) {
        if (object)
            object->get();
        return Ref(object);
    }
    Ref(Ref &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Ref &operator=(Ref &&other) noexcept {
        Ref old(std::exchange(object_, std::exchange(other.object_, nullptr)));
        return *this;
    }
    ~Ref() {
        if (object_)
            object_->put();
    }

    T *get() const { return object_; }
    T *operator->() const { return object_; }
    T &operator*() const { return *object_; }
    explicit operator bool() const { return object_ != nullptr; }
    [[nodiscard]] T *release() { return std::exchange(object_, nullptr); }

  private:
    explicit Ref(T *object) : object_(object) {}
    T *object_ = nullptr;
};

} // namespace ktr
