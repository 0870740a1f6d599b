// SPDX-License-Identifier: GPL-2.0-only
//
// The arguments of a system call, each by its kind.

#pragma once

#include "print.hpp"

#include <string_view>

namespace ktools {

// "O_RDONLY", "-1", "0x7ffe0".
void put_argument(PrintContext context, const SyscallArg &arg, std::string_view call, uint64_t value);

// Negative numbers in decimal, others as plain numbers.
void put_signed(PrintContext context, int64_t value);

} // namespace ktools
