// SPDX-License-Identifier: BSD-2-Clause
//
// Constants of Linux by name: the sets that the TYPE of FLAGS and ENUM arguments refers to.
// scripts/gen-xlat makes the tables from the headers of the machine that builds.

#pragma once

#include "flags.hpp"
#include "syscalls.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace ktools {

struct Constant {
    uint32_t value;
    std::string_view name;
};

struct NameSet {
    std::string_view name;
    FlagSet flags;                       // of an enumeration: what may be added to a value
    std::span<const Constant> constants; // by value
    bool wide;                           // all 64 bits count
    bool partial;                        // a value without a name is no error
    bool by_call;                        // "name.call" may be there, too
    bool by_abi;                         // "name:i386" is there, too

    // The bits of an argument that the kernel looks at.
    [[nodiscard]] uint64_t clip(uint64_t value) const { return wide ? value : static_cast<uint32_t>(value); }
    // Empty for a value without a name.
    [[nodiscard]] std::string_view constant_name(uint32_t value) const;
};

// All of them, by name.
[[nodiscard]] std::span<const NameSet> name_sets();

// The set with exactly that name, or nullptr.
[[nodiscard]] const NameSet *find_name_set(std::string_view name);

// The set that a TYPE means in a system call of an ABI, or nullptr.
[[nodiscard]] const NameSet *find_name_set(std::string_view type, std::string_view call, Abi abi);

} // namespace ktools
