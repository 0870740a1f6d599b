// SPDX-License-Identifier: GPL-2.0-only
//
// What ktrace(1) does once it knows what is asked for.

#pragma once

#include "options.hpp"

namespace ktools {

// Returns the exit status; does not return when it becomes the command.
[[nodiscard]] int run(const Options &options);

} // namespace ktools
