// SPDX-License-Identifier: GPL-2.0-only
//
// kdump(1): prints the trace files of ktrace(1).

#include "dump.hpp"
#include "options.hpp"
#include "output.hpp"

#include <cstdio>
#include <unistd.h>

int main(int argc, char **argv) {
    const auto parsed = ktools::parse_options(argc, argv);
    if (const auto *exit = std::get_if<ktools::Exit>(&parsed)) {
        std::fputs(exit->text.c_str(), exit->status ? stderr : stdout);
        return exit->status;
    }
    ktools::Output out(STDOUT_FILENO);
    const auto count = ktools::dump(std::get<ktools::Options>(parsed), out);
    if (count.ok())
        return 0;
    std::fprintf(stderr, "kdump: %s\n", count.error().text().c_str());
    return 1;
}
