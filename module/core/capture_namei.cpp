// SPDX-License-Identifier: GPL-2.0-only
// NAMEI: a path as the kernel looks it up.
#include "capture.hpp"

#include "record.hpp"

#include "base/poison.hpp"

namespace ktr {

void capture_path(Thread &thread, const char *path, size_t length) {
    if (thread.target->wants(KTR_NAMEI))
        emit_bytes(*thread.target, identity_of(thread), KTR_NAMEI, path, length);
}

} // namespace ktr
