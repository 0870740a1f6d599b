// SPDX-License-Identifier: GPL-2.0-only
// Records that other kernel modules make, by ktrace(9).
#include "capture.hpp"

#include "base/poison.hpp"

namespace ktr {

void capture_module_record(Thread &thread, uint32_t type, const Part &head, const Part &data) {
    if (!thread.target->wants(type))
        return;
    emit(*thread.target, identity_of(thread), type, head.length + data.length, [&](std::byte *to) {
        if (head.length)
            std::memcpy(to, head.bytes, head.length);
        if (data.length)
            std::memcpy(to + head.length, data.bytes, data.length);
        return true;
    });
}

} // namespace ktr
