// SPDX-License-Identifier: GPL-2.0-only
//
// A ktrace(2) that only remembers how it was called.

#include "fake_ktrace.hpp"

#include <cerrno>
#include <sys/ktrace.h>

namespace ktools::test {

FakeKtrace &FakeKtrace::instance() {
    static FakeKtrace fake;
    return fake;
}

int FakeKtrace::call(const KtraceCall &call) {
    if (!is_loaded)
        return ENOSYS;
    if (!call.points)
        return EINVAL;
    calls.push_back(call);
    return KTROP(call.ops) == KTROP_SET ? set_error : 0;
}

} // namespace ktools::test

extern "C" int ktrace(const char *tracefile, int ops, int trpoints, pid_t pid) {
    const int error = ktools::test::FakeKtrace::instance().call(
        {tracefile ? tracefile : "NULL", ops, static_cast<uint32_t>(trpoints), pid});
    errno = error ? error : errno;
    return error ? -1 : 0;
}
