// SPDX-License-Identifier: GPL-2.0-only
// SYSCTL: a variable below /proc/sys is read or written; its name with dots, and a NUL.
#include "capture.hpp"

#include <algorithm>

#include "base/poison.hpp"

namespace ktr {

void capture_sysctl(Thread &thread, const char *path, size_t length) {
    if (!thread.target->wants(KTR_SYSCTL))
        return;
    emit(*thread.target, identity_of(thread), KTR_SYSCTL, length + 1, [=](std::byte *to) {
        char *name = reinterpret_cast<char *>(to);
        std::replace_copy(path, path + length, name, '/', '.');
        name[length] = '\0';
        return true;
    });
}

} // namespace ktr
