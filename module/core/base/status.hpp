// SPDX-License-Identifier: GPL-2.0-only
// How the core reports failure: a negative errno, never ignored by accident.
#pragma once

#include <utility>

namespace ktr {

// The errnos that the core makes itself; the numbers are the kernel ABI's.
enum Errno : int {
    kEperm = 1,
    kEsrch = 3,
    kEnoent = 2,
    kEintr = 4,
    kEnomem = 12,
    kEacces = 13,
    kEfault = 14,
    kEinval = 22,
    kEfbig = 27,
    kEnospc = 28,
    kEtimedout = 110,
};

// 0, or a negative errno.
class [[nodiscard]] Status {
  public:
    constexpr Status() = default;
    constexpr explicit Status(int code) : code_(code) {}
    static constexpr Status error(Errno number) { return Status(-number); }

    constexpr bool ok() const { return code_ == 0; }
    constexpr int code() const { return code_; }

  private:
    int code_ = 0;
};

// A value, or the status that says why there is none.
template <typename T> class [[nodiscard]] Result {
  public:
    constexpr Result(T value) : value_(std::move(value)) {}
    constexpr Result(Status status) : status_(status) {}

    constexpr bool ok() const { return status_.ok(); }
    constexpr Status status() const { return status_; }
    constexpr T &value() { return value_; }

  private:
    T value_{};
    Status status_{};
};

} // namespace ktr

// Leaves the function with the status unless it is ok.
#define KTR_TRY(expression)                                                                                  \
    do {                                                                                                     \
        if (::ktr::Status ktr_try_status = (expression); !ktr_try_status.ok())                               \
            return ktr_try_status;                                                                           \
    } while (0)
