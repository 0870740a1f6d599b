// SPDX-License-Identifier: BSD-2-Clause
//
// Bounds-checked reading of bytes from a trace file. Nothing else in the tools turns
// such bytes into structures; they are copied, as they need not be aligned.

#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace ktools {

using Bytes = std::span<const std::byte>;

inline std::string_view as_text(Bytes bytes) {
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

// A T at the start of bytes, which the caller knows to be long enough.
template <typename T> [[nodiscard]] T load(Bytes bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, bytes.first(sizeof(T)).data(), sizeof(T));
    return value;
}

class Cursor {
  public:
    explicit Cursor(Bytes bytes) : rest_(bytes) {}

    [[nodiscard]] size_t remaining() const { return rest_.size(); }

    // The next T, or nothing (and no step ahead) when fewer bytes are left.
    template <typename T> [[nodiscard]] std::optional<T> take() {
        if (rest_.size() < sizeof(T))
            return std::nullopt;
        const T value = load<T>(rest_);
        rest_ = rest_.subspan(sizeof(T));
        return value;
    }

    // The next bytes up to a NUL, which is skipped; nothing when there is no NUL.
    [[nodiscard]] std::optional<std::string_view> take_string() {
        const std::string_view text = as_text(rest_);
        const size_t end = text.find('\0');
        if (end == std::string_view::npos)
            return std::nullopt;
        rest_ = rest_.subspan(end + 1);
        return text.substr(0, end);
    }

    [[nodiscard]] Bytes take_rest() {
        const Bytes all = rest_;
        rest_ = {};
        return all;
    }

  private:
    Bytes rest_;
};

// Bytes seen as an array of T; a partial item at the end does not count.
template <typename T> class ArrayView {
  public:
    ArrayView() = default;
    explicit ArrayView(Bytes bytes) : bytes_(bytes) {}

    [[nodiscard]] size_t size() const { return bytes_.size() / sizeof(T); }
    [[nodiscard]] T operator[](size_t index) const { return load<T>(bytes_.subspan(index * sizeof(T))); }

  private:
    Bytes bytes_;
};

} // namespace ktools
