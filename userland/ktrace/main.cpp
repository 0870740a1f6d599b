// SPDX-License-Identifier: GPL-2.0-only
//
// ktrace(1): turns kernel tracing of processes on and off. No C++ library is linked in:
// what it costs to start this program is part of what it costs to trace one.

#include "options.hpp"
#include "trace.hpp"

int main(int argc, char **argv) {
    constexpr int kUsageStatus = 2;
    const ktools::Options options = ktools::parse_options(argc, argv);
    switch (options.action) {
    case ktools::Action::Help:
        ktools::print_usage(true);
        return 0;
    case ktools::Action::Fail:
        ktools::print_usage(false);
        return kUsageStatus;
    default:
        return ktools::run(options);
    }
}
