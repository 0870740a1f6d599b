// SPDX-License-Identifier: GPL-2.0-only
//
// The parts of STRU. A body is what follows "struct NAME "; who prints one may rely on the data to
// have the size of the ABI's structure.

#pragma once

#include "print.hpp"
#include "structs.hpp"

namespace ktools {

// ".name=value, .name=value", as far as data goes; after others, with a comma before it.
void put_fields(PrintContext context, Fields fields, Bytes data, bool after_others = false);
// The value of one member, whose bytes these are.
void put_field_value(PrintContext context, const Field &field, Bytes bytes);
// "{ .name=value }" by the field table; the plain value for what is no structure.
void put_field_body(PrintContext context, const StructType &type, Bytes data);

// "0x2<SIGINT>", or the signals that are missing: "0xff..<~SIGKILL>"
void put_signal_set(PrintContext context, uint64_t set);

// Structures that are more than their members, by type.
struct StructBody {
    std::string_view type;
    size_t least; // bytes without which there is nothing to print, where the size varies
    void (*put)(PrintContext context, std::string_view type, Bytes data);
};
[[nodiscard]] const StructBody *find_struct_body(std::string_view type);

void put_sockaddr(PrintContext context, std::string_view type, Bytes data);
void put_stat(PrintContext context, std::string_view type, Bytes data);
void put_siginfo(PrintContext context, std::string_view type, Bytes data);
void put_sigevent(PrintContext context, std::string_view type, Bytes data);

} // namespace ktools
