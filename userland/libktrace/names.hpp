// SPDX-License-Identifier: BSD-2-Clause
//
// Numbers of Linux by name: errors, signals and what sent them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ktools {

// "No such file or directory"; a text for any number.
[[nodiscard]] std::string error_text(int error);

// "SIGINT", "SIGRTMIN+3"; nothing for what is no signal.
[[nodiscard]] std::optional<std::string> signal_name(int signal);

// "SI_USER", "SEGV_MAPERR"; empty when unknown.
[[nodiscard]] std::string_view signal_code_name(int signal, int code);

// "KERN_SUCCESS": the result of a page fault; empty when unknown.
[[nodiscard]] std::string_view fault_result_name(int result);

} // namespace ktools
