// SPDX-License-Identifier: BSD-2-Clause
//
// The structures behind system call arguments.

#include "structs.hpp"

#include <algorithm>
#include <array>

namespace ktools {

namespace {

constexpr StructType kFixed[] = {
#define KTR_STRUCT_TYPE(type, size64, size32) {#type, size64, size32, false},
#include "../../uapi/ktrace_structs.def"
};

constexpr StructType kVarying[] = {
#define KTR_STRUCT_VAR(type, max) {#type, 0, 0, true},
#include "../../uapi/ktrace_structs.def"
};

constexpr std::string_view kOwners[] = {
#define KTR_FIELD(type, name, offset64, size64, offset32, size32, format, set) #type,
#include "struct_fields.def"
};

constexpr Field kFields[] = {
#define KTR_FIELD(type, name, offset64, size64, offset32, size32, format, set)                               \
    {#name, {offset64, size64}, {offset32, size32}, FieldFormat::format, #set},
#include "struct_fields.def"
};

// Both searches below rely on the order.
constexpr bool by_name(const StructType &a, const StructType &b) { return a.name < b.name; }
static_assert(std::is_sorted(std::begin(kFixed), std::end(kFixed), by_name));
static_assert(std::is_sorted(std::begin(kVarying), std::end(kVarying), by_name));
static_assert(std::is_sorted(std::begin(kOwners), std::end(kOwners)));

const StructType *find_in(std::span<const StructType> types, std::string_view name) {
    const auto found = std::lower_bound(types.begin(), types.end(), StructType{name, 0, 0, false}, by_name);
    return found == types.end() || found->name != name ? nullptr : &*found;
}

} // namespace

std::optional<Bytes> Field::in(Bytes structure, Abi abi) const {
    const auto [offset, size] = place(abi);
    if (structure.size() < size_t{offset} + size)
        return std::nullopt;
    return structure.subspan(offset, size);
}

size_t StructType::size(Abi abi) const {
    const size_t own = abi == Abi::Linux32 ? size32 : size64;
    return own ? own : std::max(size32, size64);
}

const StructType *find_struct(std::string_view name) {
    const StructType *fixed = find_in(kFixed, name);
    return fixed ? fixed : find_in(kVarying, name);
}

Fields find_fields(std::string_view type) {
    const auto [first, last] = std::equal_range(std::begin(kOwners), std::end(kOwners), type);
    return Fields(kFields).subspan(static_cast<size_t>(first - kOwners), static_cast<size_t>(last - first));
}

uint64_t load_unsigned(Bytes bytes) {
    switch (bytes.size()) {
    case 1:
        return load<uint8_t>(bytes);
    case 2:
        return load<uint16_t>(bytes);
    case 4:
        return load<uint32_t>(bytes);
    case 8:
        return load<uint64_t>(bytes);
    default:
        return 0;
    }
}

int64_t load_signed(Bytes bytes) {
    switch (bytes.size()) {
    case 1:
        return load<int8_t>(bytes);
    case 2:
        return load<int16_t>(bytes);
    case 4:
        return load<int32_t>(bytes);
    case 8:
        return load<int64_t>(bytes);
    default:
        return 0;
    }
}

} // namespace ktools
