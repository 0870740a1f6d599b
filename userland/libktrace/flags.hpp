// SPDX-License-Identifier: BSD-2-Clause
//
// Bit masks by name.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ktools {

struct Flag {
    uint64_t mask;  // bits that decide
    uint64_t value; // what they have to be
    std::string_view name;
};

// The flags of a set, or of the set that a TYPE of the system call table names; name_sets.hpp
// knows more about it. A flag of several bits comes before those it contains. Empty for a set
// without a table.
using FlagSet = std::span<const Flag>;
[[nodiscard]] FlagSet find_flag_set(std::string_view name);

// Calls put(name) for each flag in value, and returns the bits that have no name.
template <typename Put> uint64_t split_flags(FlagSet set, uint64_t value, Put put) {
    uint64_t named = 0;
    for (const Flag &flag : set) {
        if ((value & flag.mask) != flag.value || (named & flag.mask))
            continue;
        put(flag.name);
        named |= flag.mask;
    }
    return value & ~named;
}

} // namespace ktools
