// SPDX-License-Identifier: GPL-2.0-only
//
// The command line of ktrace(1).

#include "options.hpp"

#include "record_types.hpp"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <getopt.h>
#include <optional>

namespace ktools {

namespace {

constexpr const char *kUsage = "usage: ktrace [-adi] [-f trfile] [-t trstr] [-v version] command\n"
                               "       ktrace [-adi] [-f trfile] [-t trstr] [-v version] -p pid | -g pgid\n"
                               "       ktrace -c [-d] [-f trfile] [-t trstr] [-p pid | -g pgid]\n"
                               "       ktrace -C\n";
constexpr const char *kHelp = "  -a          append to the trace file\n"
                              "  -C          stop all tracing that you may stop\n"
                              "  -c          stop tracing of a process, or to a file\n"
                              "  -d          current children of the process, too\n"
                              "  -f trfile   the trace file (ktrace.out)\n"
                              "  -g pgid     a process group\n"
                              "  -i          future children, too\n"
                              "  -p pid      a process\n"
                              "  -t trstr    what to trace, by letter; \"-\" takes away what follows:\n"
                              "              c system calls      n paths          i data read and written\n"
                              "              s signals           w context switches\n"
                              "              u utrace(2)         t structures     y sysctls\n"
                              "              a exec arguments    e environment    f page faults\n"
                              "              p capabilities      E personality    + the default set\n"
                              "  -v version  of the records: 1, or 0 for the classic ones\n"
                              "      --help  print this\n";

bool report(const char *problem, const char *what) {
    std::fprintf(stderr, "ktrace: %s '%s'\n", problem, what);
    return false;
}

// A process or group id: all of the text, decimal and greater than 0.
bool parse_id(const char *text, pid_t &ret) {
    char *end = nullptr;
    errno = 0;
    const long value = std::strtol(text, &end, 10);
    const bool is_number = *text >= '0' && *text <= '9' && *end == '\0';
    if (errno || !is_number || value <= 0 || value > INT_MAX)
        return report("not a process or group id:", text);
    ret = static_cast<pid_t>(value);
    return true;
}

bool parse_version(const char *text, int &ret) {
    if ((*text != '0' && *text != '1') || text[1] != '\0')
        return report("not a record version (0 or 1):", text);
    ret = *text - '0';
    return true;
}

bool parse_letters(const char *text, uint32_t &ret) {
    const std::optional<uint32_t> points = parse_points(text);
    if (!points)
        return report("unknown facility in", text);
    ret = *points;
    return true;
}

// One of -p and -g, once.
bool parse_target(Options &options, const char *text, int sign) {
    if (options.pid) {
        std::fputs("ktrace: only one -p or -g\n", stderr);
        return false;
    }
    if (!parse_id(text, options.pid))
        return false;
    options.pid *= sign;
    return true;
}

bool parse_option(Options &options, int letter) {
    switch (letter) {
    case 'a':
        return options.append = true;
    case 'C':
        options.action = Action::ClearAll;
        return true;
    case 'c':
        if (options.action != Action::ClearAll)
            options.action = Action::Clear;
        return true;
    case 'd':
        return options.descend = true;
    case 'f':
        options.file = optarg;
        return true;
    case 'g':
        return parse_target(options, optarg, -1);
    case 'i':
        return options.inherit = true;
    case 'p':
        return parse_target(options, optarg, 1);
    case 't':
        options.letters = true;
        return parse_letters(optarg, options.points);
    case 'v':
        return parse_version(optarg, options.version);
    default:
        return false;
    }
}

// Exactly one thing to do, on exactly one target.
bool is_consistent(const Options &options) {
    const char *problem = nullptr;
    if (options.action == Action::ClearAll && options.pid)
        problem = "-C goes without -p and -g";
    else if (options.command && options.action != Action::Trace)
        problem = "-c and -C go without a command";
    else if (options.command && options.pid)
        problem = "-p and -g go without a command";
    else if (!options.command && options.action == Action::Trace && !options.pid)
        problem = "nothing to trace: no command, no -p, no -g";
    else if (!options.points)
        problem = "no facility is left to trace";
    if (problem)
        std::fprintf(stderr, "ktrace: %s\n", problem);
    return !problem;
}

} // namespace

Options parse_options(int argc, char **argv) {
    static constexpr int kHelpOption = 256;
    static constexpr option kLong[] = {{"help", no_argument, nullptr, kHelpOption}, {}};
    Options options;
    options.points = points().defaults;
    int letter;
    // "+": options after the command are the command's.
    while ((letter = getopt_long(argc, argv, "+aCcdf:g:ip:t:v:", kLong, nullptr)) != -1) {
        if (letter == kHelpOption) {
            options.action = Action::Help;
            return options;
        }
        if (!parse_option(options, letter)) {
            options.action = Action::Fail;
            return options;
        }
    }
    if (optind < argc)
        options.command = argv + optind;
    if (!is_consistent(options))
        options.action = Action::Fail;
    return options;
}

void print_usage(bool is_help) {
    std::fputs(kUsage, is_help ? stdout : stderr);
    if (is_help)
        std::fputs(kHelp, stdout);
}

} // namespace ktools
