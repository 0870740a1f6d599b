// SPDX-License-Identifier: GPL-2.0-only
//
// usage: make_traces FOLDER: writes every sample trace there, as NAME.trace.

#include "sample_traces.hpp"
#include "struct_traces.hpp"
#include "syscall_traces.hpp"

#include <cstdio>
#include <fstream>

namespace {

// Bit 31 is what a sign extension shows first.
std::vector<ktools::test::SampleTrace> all_traces() {
    using namespace ktools::test;
    std::vector<SampleTrace> traces = sample_traces();
    for (SampleTrace &trace : struct_traces())
        traces.push_back(std::move(trace));
    traces.push_back({"calls", typical_calls()});
    traces.push_back({"calls-i386", typical_calls_i386()});
    traces.push_back({"every-call", every_call(KTR_SV_LINUX64, {1, 6})});
    traces.push_back({"every-call-i386", every_call(KTR_SV_LINUX32, {0x80000002})});
    return traces;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fputs("usage: make_traces FOLDER\n", stderr);
        return 2;
    }
    for (const auto &trace : all_traces()) {
        std::ofstream file(std::string(argv[1]) + "/" + trace.name + ".trace", std::ios::binary);
        file.write(trace.bytes.data(), static_cast<std::streamsize>(trace.bytes.size()));
        if (!file.flush())
            return 1;
    }
    return 0;
}
