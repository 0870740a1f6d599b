// SPDX-License-Identifier: GPL-2.0-only
//
// The command line of ktrace(1).

#pragma once

#include <cstdint>
#include <sys/types.h>

namespace ktools {

enum class Action {
    Trace,    // the command, or pid
    Clear,    // -c: pid, or all that is traced to the file
    ClearAll, // -C
    Help,     // --help
    Fail,     // a usage error, already reported
};

struct Options {
    Action action = Action::Trace;
    bool append = false;             // -a
    bool descend = false;            // -d
    bool inherit = false;            // -i
    const char *file = "ktrace.out"; // -f
    pid_t pid = 0;                   // -p, or -g as a negative number; 0 for neither
    bool letters = false;            // there is a -t
    uint32_t points = 0;             // its facilities, or the default ones
    int version = 1;                 // -v: of the records' headers
    char **command = nullptr;        // ends in a null pointer, or is null
};

[[nodiscard]] Options parse_options(int argc, char **argv);

// To stdout when asked for, to stderr after an error.
void print_usage(bool is_help);

} // namespace ktools
