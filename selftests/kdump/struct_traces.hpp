// SPDX-License-Identifier: GPL-2.0-only
//
// The trace files of structures: every type that kdump knows, in both ABIs, and sizes that none has.

#pragma once

#include "sample_traces.hpp"

namespace ktools::test {

// Apart from sample_traces(), which tests cut off at every byte: these are long.
[[nodiscard]] std::vector<SampleTrace> struct_traces();

} // namespace ktools::test
