// SPDX-License-Identifier: GPL-2.0-only
//
// Traces of system calls alone: what their arguments are called.

#pragma once

#include "sample_traces.hpp"

namespace ktools::test {

// Every call of the table, with the same number for each of its arguments.
[[nodiscard]] std::string every_call(uint32_t abi, const std::vector<uint64_t> &values);

// Calls as programs make them, where one argument decides what another means.
[[nodiscard]] std::string typical_calls();
[[nodiscard]] std::string typical_calls_i386();

} // namespace ktools::test
