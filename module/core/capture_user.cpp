// SPDX-License-Identifier: GPL-2.0-only
// USER: what a program says of itself by utrace(2).
#include "capture.hpp"

#include "record.hpp"

#include "base/poison.hpp"

namespace ktr {

// Checks in FreeBSD's order: a process that is not traced for this succeeds, whatever it gives.
Status capture_user(Thread &thread, uint64_t address, uint64_t length) {
    if (!thread.target->wants(KTR_USER))
        return {};
    if (length > KTR_USER_MAXLEN)
        return Status::error(kEinval);
    void *data = kshim_alloc(KTR_USER_MAXLEN);
    if (!data)
        return Status::error(kEnomem);
    Status status(kshim_copy_from_user(data, address, length));
    if (status.ok() && emit_bytes(*thread.target, identity_of(thread), KTR_USER, data, length) == Emit::kLost)
        status = Status::error(kEnomem);
    kshim_free(data);
    return status;
}

} // namespace ktr
