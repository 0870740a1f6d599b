// SPDX-License-Identifier: GPL-2.0-only
// FAULT and FAULTEND: a page fault on the thread's own memory, and how it ended.
#include "capture.hpp"

#include "base/poison.hpp"

namespace ktr {

void capture_fault(Thread &thread, uint64_t address, uint32_t access) {
    if (!thread.target->wants(KTR_FAULT))
        return;
    const ktr_fault fault{address, static_cast<int32_t>(access), 0};
    emit_struct(*thread.target, identity_of(thread), KTR_FAULT, fault);
}

void capture_fault_end(Thread &thread, int32_t result) {
    if (!thread.target->wants(KTR_FAULTEND))
        return;
    const ktr_faultend end{result};
    emit_struct(*thread.target, identity_of(thread), KTR_FAULTEND, end);
}

} // namespace ktr
