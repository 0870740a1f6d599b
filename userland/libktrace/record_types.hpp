// SPDX-License-Identifier: BSD-2-Clause
//
// The list of record types, uapi/ktrace_records.def, as the tools use it: letters of
// -t, labels, least lengths. Needs no C++ library, as ktrace(1) has to start quickly.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ktools {

struct RecordType {
    std::string_view name;
    uint32_t number;
    char letter; // of -t, or NUL when the type cannot be chosen
    bool is_default;
    std::string_view label;
    size_t min_length;
};

// The type with that number, or nullptr.
[[nodiscard]] const RecordType *find_record_type(uint32_t number);

struct Points {
    uint32_t all;        // every facility there is
    uint32_t defaults;   // what ktrace(1) records and "+" stands for
    uint32_t unlettered; // always recorded, as the other records need them
};
[[nodiscard]] const Points &points();

// The facilities that the letters stand for. "+" is the default set; letters after "-"
// are taken away, from the default set when the "-" comes first. Nothing for a letter
// that is not known, or for no letter at all.
[[nodiscard]] std::optional<uint32_t> parse_points(std::string_view letters);

} // namespace ktools
