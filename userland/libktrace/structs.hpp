// SPDX-License-Identifier: BSD-2-Clause
//
// The structures behind system call arguments: how large they are and where their members
// are, for both ABIs. From uapi/ktrace_structs.def and struct_fields.def.

#pragma once

#include "cursor.hpp"
#include "flags.hpp"
#include "syscalls.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ktools {

// How a member reads best; explained in struct_fields.def.
enum class FieldFormat : uint8_t {
    DEC,
    UNS,
    HEX,
    MODE,
    FLAGS,
    ENUM,
    SIGNAL,
    SIGSET,
    HANDLER,
    LIMIT,
    TEXT,
    TIMEVAL,
    TIMESPEC,
    STATX_TIME,
};

struct FieldPlace {
    uint16_t offset;
    uint16_t size;
};

struct Field {
    std::string_view name; // "_" for the only value of what is no structure
    FieldPlace place64;
    FieldPlace place32;
    FieldFormat format;
    std::string_view set; // "_" for none

    [[nodiscard]] FieldPlace place(Abi abi) const { return abi == Abi::Linux32 ? place32 : place64; }
    // Its bytes; nothing when the structure was recorded only up to somewhere before its end.
    [[nodiscard]] std::optional<Bytes> in(Bytes structure, Abi abi) const;
};

using Fields = std::span<const Field>;

struct StructType {
    std::string_view name;
    uint16_t size64; // 0: that ABI has no such structure, or its size varies
    uint16_t size32;
    bool varies;

    // 0 when it varies. A structure that only one ABI has is the same for both.
    [[nodiscard]] size_t size(Abi abi) const;
    [[nodiscard]] bool fits(Abi abi, size_t size) const {
        return varies ? size != 0 : size == this->size(abi);
    }
};

// The type with that name, or nullptr.
[[nodiscard]] const StructType *find_struct(std::string_view name);

// Its members; none when all one can do is to show bytes.
[[nodiscard]] Fields find_fields(std::string_view type);

// The flags or constants that a field's `set` names; empty for a set without a table.
[[nodiscard]] FlagSet find_struct_set(std::string_view name);

// An integer of 1, 2, 4 or 8 bytes; 0 for any other number of them.
[[nodiscard]] uint64_t load_unsigned(Bytes bytes);
[[nodiscard]] int64_t load_signed(Bytes bytes);

} // namespace ktools
