// SPDX-License-Identifier: GPL-2.0-only
//
// The text that kdump prints: collected in a big buffer and written in whole records.

#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace ktools {

class Output {
  public:
    explicit Output(int fd) : fd_(fd) {}

    void put(char byte) { buffer_.push_back(byte); }
    void put(std::string_view text) { buffer_.append(text.data(), text.data() + text.size()); }
    template <typename... Args> void print(fmt::format_string<Args...> format, Args &&...args) {
        fmt::format_to(fmt::appender(buffer_), format, std::forward<Args>(args)...);
    }

    // As printf's %#jx and %#jo: 0 has no prefix.
    void put_hex(uint64_t value);
    void put_octal(uint64_t value);
    void put_decimal(int64_t value);

    // A record is complete: writes the buffer if it is large, or in any case.
    void end_record(bool flush_now) {
        if (flush_now || buffer_.size() >= kFlushSize)
            flush();
    }

    // Errors stay until error() asks. When the reader of a pipe has gone, the process
    // ends by SIGPIPE as if that were not ignored.
    void flush();
    [[nodiscard]] int error() const { return error_; }

  private:
    static constexpr size_t kFlushSize = size_t{64} << 10;

    int fd_;
    int error_ = 0;
    fmt::memory_buffer buffer_;
};

} // namespace ktools
