// SPDX-License-Identifier: BSD-2-Clause
//
// What a function that can fail returns: a value, or an Error to show to the user.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace ktools {

struct Error {
    std::string file;
    std::optional<uint64_t> offset; // in the file, where there is one
    std::string message;

    // As it follows "kdump: ".
    [[nodiscard]] std::string text() const {
        std::string line = file;
        if (offset)
            line += ": offset " + std::to_string(*offset);
        return line + ": " + message;
    }
};

template <typename T> class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    [[nodiscard]] T &value() { return std::get<0>(state_); }
    [[nodiscard]] const Error &error() const { return std::get<1>(state_); }

  private:
    std::variant<T, Error> state_;
};

} // namespace ktools
