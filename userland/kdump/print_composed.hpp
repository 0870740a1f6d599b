// SPDX-License-Identifier: GPL-2.0-only
//
// Arguments that are several values in one number, where a table of names is not enough.

#pragma once

#include "print.hpp"

#include <string>
#include <string_view>

namespace ktools {

// "QCMD(Q_SYNC,USRQUOTA)", "FD_TO_CLOCKID(3)"; false, and nothing printed, for what has no such form.
bool put_composed(PrintContext context, std::string_view type, uint32_t value);

// The value that a set of flags holds beside them, such as the signal of clone.
struct FlagValue {
    uint64_t mask; // its bits
    std::string name;
};
// With no bits where there is none, or none with a name.
[[nodiscard]] FlagValue value_in_flags(std::string_view type, std::string_view call, uint64_t value);

} // namespace ktools
