// SPDX-License-Identifier: GPL-2.0-only
// URING: an io_uring request is submitted, or completes.
#include "capture.hpp"

#include "base/poison.hpp"

namespace ktr {

void capture_uring(Thread &thread, const ktr_uring &uring) {
    if (thread.target->wants(KTR_URING))
        emit_struct(*thread.target, identity_of(thread), KTR_URING, uring);
}

} // namespace ktr
