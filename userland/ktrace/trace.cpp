// SPDX-License-Identifier: GPL-2.0-only
//
// What ktrace(1) does once it knows what is asked for: the calls of ktrace(2).

#include "trace.hpp"

#include "record_types.hpp"
#include "trace_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/ktrace.h>
#include <unistd.h>

namespace ktools {

namespace {

int report_failure(const Options &options, int error) {
    const char *text = std::strerror(error);
    const bool about_target = options.pid && (error == ESRCH || error == EPERM);
    if (error == ENOSYS)
        std::fputs("ktrace: the ktrace module is not loaded; load it with \"modprobe ktrace\" "
                   "(or \"insmod ktrace.ko\") as root\n",
                   stderr);
    else if (options.action == Action::ClearAll)
        std::fprintf(stderr, "ktrace: %s\n", text);
    else if (about_target)
        std::fprintf(stderr, "ktrace: %s %d: %s\n", options.pid < 0 ? "process group" : "process",
                     std::abs(options.pid), text);
    else
        std::fprintf(stderr, "ktrace: %s: %s\n", options.file, text);
    return EXIT_FAILURE;
}

int clear(const Options &options) {
    int ops = options.descend ? KTRFLAG_DESCEND : 0;
    uint32_t facilities = options.points;
    pid_t pid = options.pid;
    if (options.action == Action::ClearAll) {
        ops = KTROP_CLEAR | KTRFLAG_DESCEND;
        facilities = points().all;
        pid = 1;
    } else {
        ops |= pid ? KTROP_CLEAR : KTROP_CLEARFILE;
        if (!options.letters)
            facilities = points().all; // nothing is left that would keep the process traced
        if (options.inherit)
            facilities |= KTRFAC_INHERIT;
    }
    if (::ktrace(options.file, ops, static_cast<int>(facilities), pid) < 0)
        return report_failure(options, errno);
    return EXIT_SUCCESS;
}

// The module is asked before an older trace is deleted for a new one: no facility at all
// is an error of its own, and changes nothing.
bool is_module_loaded() { return ::ktrace(nullptr, KTROP_CLEAR, 0, getpid()) == 0 || errno != ENOSYS; }

// Tracing is ended before the message, so that the trace ends with the command's failure.
int become_command(const Options &options, pid_t self) {
    execvp(options.command[0], options.command);
    const int error = errno;
    ::ktrace(nullptr, KTROP_CLEAR, static_cast<int>(points().all), self);
    std::fprintf(stderr, "ktrace: exec of '%s' failed: %s\n", options.command[0], std::strerror(error));
    return EXIT_FAILURE;
}

int trace(const Options &options) {
    if (!is_module_loaded())
        return report_failure(options, ENOSYS);
    TraceFile file(options.file);
    if (!file.prepare(options.append))
        return EXIT_FAILURE;
    const uint32_t version = static_cast<uint32_t>(options.version) << KTRFAC_VER_SHIFT;
    const uint32_t inherit = options.inherit ? KTRFAC_INHERIT : 0;
    const uint32_t facilities = options.points | points().unlettered | version | inherit;
    const int ops = KTROP_SET | (options.descend ? KTRFLAG_DESCEND : 0);
    const pid_t pid = options.command ? getpid() : options.pid;
    if (::ktrace(options.file, ops, static_cast<int>(facilities), pid) < 0) {
        const int error = errno;
        file.remove_if_created();
        return report_failure(options, error);
    }
    return options.command ? become_command(options, pid) : EXIT_SUCCESS;
}

} // namespace

int run(const Options &options) { return options.action == Action::Trace ? trace(options) : clear(options); }

} // namespace ktools
