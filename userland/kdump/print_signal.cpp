// SPDX-License-Identifier: GPL-2.0-only
//
// PSIG.

#include "names.hpp"
#include "print.hpp"

namespace ktools {

void put_signal(PrintContext context, int signal) {
    if (const auto name = signal_name(signal))
        context.out.put(*name);
    else
        context.out.print("SIG {}", signal);
}

void print(PrintContext context, const SignalRecord &record) {
    Output &out = context.out;
    put_signal(context, record.signal);
    if (record.action == 0) {
        out.put(" SIG_DFL");
    } else {
        out.print(" caught handler=0x{:x} mask=0x{:x}", record.action, record.mask);
    }
    const std::string_view code = signal_code_name(record.signal, record.code);
    out.put(" code=");
    if (code.empty()) {
        out.put("<invalid=");
        out.put_hex(static_cast<uint32_t>(record.code));
        out.put('>');
    } else {
        out.put(code);
    }
    out.put('\n');
}

} // namespace ktools
