// SPDX-License-Identifier: BSD-2-Clause
//
// Constants of Linux by name.

#include "name_sets.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace ktools {

namespace {

#include "xlat_tables.hpp"

} // namespace

std::string_view NameSet::constant_name(uint32_t value) const {
    const auto at =
        std::lower_bound(constants.begin(), constants.end(), value,
                         [](const Constant &constant, uint32_t key) { return constant.value < key; });
    return at != constants.end() && at->value == value ? at->name : std::string_view();
}

std::span<const NameSet> name_sets() { return kNameSets; }

const NameSet *find_name_set(std::string_view name) {
    const auto *at =
        std::lower_bound(std::begin(kNameSets), std::end(kNameSets), name,
                         [](const NameSet &set, std::string_view key) { return set.name < key; });
    return at != std::end(kNameSets) && at->name == name ? at : nullptr;
}

const NameSet *find_name_set(std::string_view type, std::string_view call, Abi abi) {
    const NameSet *set = find_name_set(type);
    if (set && set->by_call) {
        const NameSet *own = find_name_set(std::string(type).append(".").append(call));
        set = own ? own : set;
    }
    if (set && set->by_abi && abi == Abi::Linux32)
        return find_name_set(std::string(set->name).append(":i386"));
    return set;
}

FlagSet find_flag_set(std::string_view name) {
    const NameSet *set = find_name_set(name);
    return set ? set->flags : FlagSet();
}

} // namespace ktools
