// SPDX-License-Identifier: GPL-2.0-only
//
// The trace files that the tests print, damage and read.

#pragma once

#include "trace_builder.hpp"

#include <string>
#include <vector>

namespace ktools::test {

struct SampleTrace {
    std::string name;
    std::string bytes;
};

// One of every type of record, in a version of the header.
[[nodiscard]] std::string every_record(TraceBuilder::Version version);

// All of them by name.
[[nodiscard]] std::vector<SampleTrace> sample_traces();

} // namespace ktools::test
