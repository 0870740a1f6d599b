// SPDX-License-Identifier: GPL-2.0-only
// PSIG: a signal is delivered.
#include "capture.hpp"

#include "record.hpp"

#include "base/poison.hpp"

namespace ktr {

// A signal that kills is delivered once, whether one thread takes it and the others are told, or
// all are told.
void capture_signal(Thread &thread, const ktr_psig &signal, bool killed) {
    Target &target = *thread.target;
    if (!target.wants(KTR_PSIG))
        return;
    const bool by_default = signal.action == 0;
    const bool known = by_default && target.swap_default_signal(signal.signo) == signal.signo;
    if (!(killed && known))
        emit_struct(target, identity_of(thread), KTR_PSIG, signal);
}

} // namespace ktr
