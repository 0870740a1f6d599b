// SPDX-License-Identifier: GPL-2.0-only
//
// GIO, and the other records that are mere bytes: USER, CAP and types without a decoder.

#include "print.hpp"
#include "record_types.hpp"
#include "text.hpp"

#include <algorithm>

namespace ktools {

void put_byte_list(Output &out, Bytes bytes) {
    for (const std::byte byte : bytes)
        out.print(" {:02x}", static_cast<uint8_t>(byte));
}

void put_bytes(Output &out, Bytes bytes) {
    out.print("{} ", bytes.size());
    put_byte_list(out, bytes);
    out.put('\n');
}

void print(PrintContext context, const GenioRecord &record) {
    const size_t size = record.data.size();
    context.out.print("fd {} {} {} byte{}\n", record.fd, record.is_read ? "read" : "wrote", size,
                      size == 1 ? "" : "s");
    if (context.options.no_data)
        return;
    const size_t shown = std::min(size, context.options.max_data.value_or(size));
    put_data(context.out, record.data.first(shown), context.options.width);
}

void print(PrintContext context, const UserRecord &record) { put_bytes(context.out, record.data); }

void print(PrintContext context, const OtherRecord &record) {
    // After "UNKNOWN(n)" FreeBSD prints nothing.
    if (find_record_type(record.type))
        put_bytes(context.out, record.data);
    else
        context.out.put('\n');
}

} // namespace ktools
