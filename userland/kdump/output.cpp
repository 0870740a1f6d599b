// SPDX-License-Identifier: GPL-2.0-only
//
// The text that kdump prints.

#include "output.hpp"

#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace ktools {

namespace {

void end_by_sigpipe() {
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

// Digits of a number in a base of 2^shift, after a prefix.
void put_power_of_two(Output &out, std::string_view prefix, uint64_t value, unsigned shift) {
    char digits[24];
    char *first = digits + sizeof(digits);
    do {
        *--first = "0123456789abcdef"[value & ((1u << shift) - 1)];
        value >>= shift;
    } while (value);
    out.put(prefix);
    out.put(std::string_view(first, static_cast<size_t>(digits + sizeof(digits) - first)));
}

} // namespace

void Output::put_hex(uint64_t value) { put_power_of_two(*this, value ? "0x" : "", value, 4); }

void Output::put_octal(uint64_t value) { put_power_of_two(*this, value ? "0" : "", value, 3); }

void Output::put_decimal(int64_t value) {
    const fmt::format_int digits(value);
    put(std::string_view(digits.data(), digits.size()));
}

void Output::flush() {
    std::string_view rest(buffer_.data(), buffer_.size());
    while (!rest.empty() && !error_) {
        const ssize_t written = write(fd_, rest.data(), rest.size());
        if (written >= 0)
            rest.remove_prefix(static_cast<size_t>(written));
        else if (errno != EINTR)
            error_ = errno;
    }
    buffer_.clear();
    if (error_ == EPIPE)
        end_by_sigpipe();
}

} // namespace ktools
