// SPDX-License-Identifier: GPL-2.0-only
//
// The command line of kdump(1).

#include "options.hpp"

#include "record_types.hpp"

#include <charconv>
#include <getopt.h>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace ktools {

namespace {

constexpr int kUsageStatus = 2;
constexpr const char *kUsage =
    "usage: kdump [-AcdEHlnRrSsT] [-f trfile] [-m maxdata] [-p pid] [-t trstr] [trfile]\n";
constexpr const char *kHelp = "  -A          name the ABI of each record\n"
                              "  -c          print the processor\n"
                              "  -d          print numbers in decimal\n"
                              "  -E          print the time since the first record\n"
                              "  -f trfile   read that file (ktrace.out); \"-\" is the standard input\n"
                              "  -H          print thread ids\n"
                              "  -l          at the end of the file wait for more\n"
                              "  -m maxdata  print no more than that many bytes of each read or write\n"
                              "  -n          print raw numbers\n"
                              "  -p pid      only records of that process or thread\n"
                              "  -R          print the time since the previous record\n"
                              "  -r          print users, modes and times in structures by name\n"
                              "  -S          print system call numbers, too\n"
                              "  -s          do not print the data of reads and writes\n"
                              "  -T          print the time of day\n"
                              "  -t trstr    only records of these types, as for ktrace(1)\n"
                              "      --help  print this\n";

Exit usage_error(const std::string &problem) {
    return Exit{kUsageStatus, (problem.empty() ? "" : "kdump: " + problem + "\n") + kUsage};
}

template <typename Number> std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

size_t terminal_width() {
    constexpr unsigned kLeast = 8;
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > kLeast)
        return size.ws_col;
    return Options().width;
}

bool *find_switch(Options &options, int letter) {
    switch (letter) {
    case 'A':
        return &options.abi;
    case 'c':
        return &options.cpu;
    case 'd':
        return &options.decimal;
    case 'E':
        return &options.elapsed;
    case 'H':
        return &options.threads;
    case 'l':
        return &options.follow;
    case 'R':
        return &options.relative;
    case 'r':
        return &options.symbolic;
    case 'S':
        return &options.numbers;
    case 's':
        return &options.no_data;
    case 'T':
        return &options.absolute;
    default:
        return nullptr;
    }
}

// Options with a value: an empty string, or what is wrong with it.
std::string set_value(Options &options, int letter, const std::string &value) {
    switch (letter) {
    case 'f':
        options.file = value;
        return {};
    case 'm':
        options.max_data = parse_number<size_t>(value);
        return options.max_data ? std::string() : "-m " + value + ": expected a number of bytes";
    case 'p':
        options.id = parse_number<int>(value);
        return options.id ? std::string() : "-p " + value + ": expected a process id";
    case 't':
        if (const auto points = parse_points(value)) {
            options.points = *points;
            options.all_points = false;
            return {};
        }
        return "unknown trace point in '" + value + "'";
    default:
        return "unknown option";
    }
}

} // namespace

std::variant<Options, Exit> parse_options(int argc, char **argv) {
    static constexpr int kHelpOption = 256;
    static constexpr option kLong[] = {{"help", no_argument, nullptr, kHelpOption}, {}};
    Options options;
    bool file_given = false;
    int letter;
    while ((letter = getopt_long(argc, argv, "AcdEf:Hlm:np:RrSsTt:", kLong, nullptr)) != -1) {
        if (letter == kHelpOption)
            return Exit{0, std::string(kUsage) + kHelp};
        if (letter == '?')
            return usage_error("");
        if (letter == 'n') {
            options.fancy = false;
        } else if (bool *flag = find_switch(options, letter)) {
            *flag = true;
        } else if (std::string problem = set_value(options, letter, optarg); !problem.empty()) {
            return usage_error(problem);
        }
        file_given |= letter == 'f';
    }
    if (optind < argc && !file_given)
        options.file = argv[optind++];
    if (optind < argc)
        return usage_error(std::string("what is '") + argv[optind] + "' for?");
    if (options.max_data == size_t{0}) // as on FreeBSD: no limit
        options.max_data.reset();
    if (options.fancy)
        options.width = terminal_width();
    return options;
}

} // namespace ktools
