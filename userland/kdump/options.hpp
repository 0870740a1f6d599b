// SPDX-License-Identifier: GPL-2.0-only
//
// The command line of kdump(1).

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace ktools {

struct Options {
    std::string file = "ktrace.out";
    uint32_t points = ~0u;          // -t: bits of the types to print
    bool all_points = true;         // without -t types that this kdump does not know are shown, too
    std::optional<int> id;          // -p: process or thread
    std::optional<size_t> max_data; // -m
    size_t width = 80;              // of the terminal
    bool abi = false;               // -A
    bool cpu = false;               // -c
    bool decimal = false;           // -d
    bool elapsed = false;           // -E
    bool follow = false;            // -l
    bool threads = false;           // -H
    bool fancy = true;              // not -n
    bool relative = false;          // -R
    bool symbolic = false;          // -r
    bool numbers = false;           // -S
    bool no_data = false;           // -s
    bool absolute = false;          // -T
};

// What main() is to do instead of dumping: print text and exit with status.
struct Exit {
    int status;
    std::string text;
};

[[nodiscard]] std::variant<Options, Exit> parse_options(int argc, char **argv);

} // namespace ktools
