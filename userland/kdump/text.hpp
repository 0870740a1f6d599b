// SPDX-License-Identifier: GPL-2.0-only
//
// Bytes of the traced program as text that is safe on a terminal.

#pragma once

#include "cursor.hpp"
#include "output.hpp"

namespace ktools {

// "text" in quotes: what is not printable ASCII becomes a C escape, as do \ and ". FreeBSD
// prints such bytes raw, and lets a traced program speak to the terminal.
void put_quoted(Output &out, std::string_view text);

// The same without quotes; " stays as it is. Returns how many columns that took.
size_t put_escaped(Output &out, std::string_view text);

// The data of a GENIO record in lines, each indented: text where it is text, else a hex dump.
void put_data(Output &out, Bytes data, size_t screen_width);

// The hex dump in any case.
void put_dump(Output &out, std::string_view data, size_t screen_width);

} // namespace ktools
