// SPDX-License-Identifier: BSD-2-Clause
//
// Arguments whose meaning depends on another one: what fcntl's third is follows from its second.

#pragma once

#include "syscalls.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ktools {

struct ArgRules;

// The arguments of one call with these values.
class ArgMeaning {
  public:
    ArgMeaning(const SyscallInfo &call, std::span<const uint64_t> values);

    // As the table of system calls has it, or as the selecting argument makes it.
    [[nodiscard]] SyscallArg of(size_t index) const;

  private:
    const SyscallInfo &call_;
    const ArgRules *rules_ = nullptr;
    uint32_t selected_ = 0;
};

} // namespace ktools
