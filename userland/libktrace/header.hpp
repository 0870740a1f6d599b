// SPDX-License-Identifier: BSD-2-Clause
//
// The two headers of a record -> RecordView, with all the checks that a header allows.

#pragma once

#include "record.hpp"

#include <string>

namespace ktools {

// Enough of a header to know its size.
constexpr size_t kHeaderStart = 8;

[[nodiscard]] size_t header_size(Bytes start);

// bytes is a whole header; comm stays a part of it. Offset and payload are left out.
[[nodiscard]] RecordView parse_header(Bytes bytes);

// What is impossible about it, or an empty string.
[[nodiscard]] std::string implausibility(Bytes bytes, size_t max_payload);

} // namespace ktools
