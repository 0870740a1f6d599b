// SPDX-License-Identifier: GPL-2.0-only
//
// The whole of kdump: reader -> decoder -> printer.

#pragma once

#include "options.hpp"
#include "output.hpp"
#include "result.hpp"

namespace ktools {

// Prints the records that the options ask for: how many the file holds, or the Error that
// ended it. What came before an Error has been printed.
[[nodiscard]] Result<uint64_t> dump(const Options &options, Output &out);

} // namespace ktools
