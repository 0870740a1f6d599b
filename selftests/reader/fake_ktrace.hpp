// SPDX-License-Identifier: GPL-2.0-only
//
// A ktrace(2) that only remembers how it was called, to link ktrace(1) against.

#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ktools::test {

struct KtraceCall {
    std::string file; // "NULL" for none
    int ops;
    uint32_t points;
    pid_t pid;

    bool operator==(const KtraceCall &) const = default;
};

class FakeKtrace {
  public:
    static FakeKtrace &instance();

    void reset() { *this = FakeKtrace(); }
    int call(const KtraceCall &call);

    std::vector<KtraceCall> calls; // but for those without facilities, which fail
    bool is_loaded = true;
    int set_error = 0; // of KTROP_SET
};

} // namespace ktools::test
