// SPDX-License-Identifier: BSD-2-Clause
//
// The table of system calls, uapi/ktrace_syscalls.def, by number for both ABIs.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace ktools {

// What an argument is; the list and its meaning are in the table's file.
enum class ArgKind : uint8_t {
#define KTR_ARG_KIND(kind) kind,
#include "../../uapi/ktrace_syscalls.def"
};

struct SyscallArg {
    ArgKind kind;
    std::string_view type; // structure, set of flags or size; "_" for none
    std::string_view name;
};

struct SyscallInfo {
    static constexpr int kMaxArgs = 6;

    int number64; // -1 where that ABI lacks it
    int number32;
    std::string_view name;
    std::array<SyscallArg, kMaxArgs> arg_array;
    uint8_t arg_count;

    [[nodiscard]] std::span<const SyscallArg> args() const { return std::span(arg_array).first(arg_count); }
};

enum class Abi : uint8_t { Linux64, Linux32 };

// The ABI in a ktr_abi or sv_flags word; whatever is not 32-bit counts as 64-bit.
[[nodiscard]] Abi abi_of_flags(uint32_t sv_flags);

// The call with that number, or nullptr.
[[nodiscard]] const SyscallInfo *find_syscall(Abi abi, int number);

} // namespace ktools
