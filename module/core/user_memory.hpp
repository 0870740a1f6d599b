// SPDX-License-Identifier: GPL-2.0-only
// Reads the memory of the traced thread, whose pointers and sizes are those of its ABI.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../uapi/ktrace.h"
#include "base/guard.hpp"

namespace ktr {

class UserMemory {
  public:
    // may_fault: the caller may sleep; otherwise what is not resident cannot be read.
    UserMemory(uint32_t abi, bool may_fault) : narrow_(abi == KTR_SV_LINUX32), may_fault_(may_fault) {}

    bool read(void *to, uint64_t from, size_t length) const {
        return (may_fault_ ? kshim_copy_from_user(to, from, length)
                           : kshim_copy_from_user_nofault(to, from, length)) == 0;
    }
    // Bytes of a pointer or size_t.
    size_t word() const { return narrow_ ? 4 : 8; }
    bool read_word(uint64_t *to, uint64_t from) const {
        *to = 0;
        return read(to, from, word());
    }
    bool may_fault() const { return may_fault_; }

  private:
    bool narrow_;
    bool may_fault_;
};

} // namespace ktr
