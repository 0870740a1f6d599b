// SPDX-License-Identifier: BSD-2-Clause
//
// The list of record types.

#include "record_types.hpp"

namespace ktools {

namespace {

constexpr RecordType kRecordTypes[] = {
#define KTR_RECORD(name, number, letter, dflt, label, fixed, payload)                                        \
    {#name, number, letter, (dflt) != 0, label, fixed},
#include <linux/ktrace_records.def>
#undef KTR_RECORD
};

constexpr Points collect_points() {
    Points points{};
    for (const RecordType &type : kRecordTypes) {
        const uint32_t bit = 1u << type.number;
        points.all |= bit;
        if (type.is_default)
            (type.letter ? points.defaults : points.unlettered) |= bit;
    }
    return points;
}

constexpr Points kPoints = collect_points();

uint32_t points_of_letter(char letter) {
    if (letter == '+')
        return kPoints.defaults;
    uint32_t points = 0;
    for (const RecordType &type : kRecordTypes) {
        if (letter && type.letter == letter)
            points |= 1u << type.number;
    }
    return points;
}

} // namespace

const RecordType *find_record_type(uint32_t number) {
    // The list is in order and starts at 1; a hole in it would only cost the fast way.
    if (number >= 1 && number <= std::size(kRecordTypes) && kRecordTypes[number - 1].number == number)
        return &kRecordTypes[number - 1];
    for (const RecordType &type : kRecordTypes) {
        if (type.number == number)
            return &type;
    }
    return nullptr;
}

const Points &points() { return kPoints; }

std::optional<uint32_t> parse_points(std::string_view letters) {
    if (letters.empty())
        return std::nullopt;
    uint32_t points = letters.front() == '-' ? kPoints.defaults : 0;
    bool removing = false;
    for (const char letter : letters) {
        if (letter == '-') {
            removing = true;
            continue;
        }
        const uint32_t bits = points_of_letter(letter);
        if (!bits)
            return std::nullopt;
        if (letter == '+')
            removing = false;
        points = removing ? points & ~bits : points | bits;
    }
    return points;
}

} // namespace ktools
