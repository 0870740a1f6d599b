// SPDX-License-Identifier: BSD-2-Clause
//
// Numbers of Linux by name.

#include "names.hpp"

#include <csignal>
#include <cstring>
#include <span>

namespace ktools {

namespace {

struct Name {
    int value;
    std::string_view name;
};

// clang-format off
constexpr Name kAnySignalCodes[] = {
    {SI_USER, "SI_USER"}, {SI_KERNEL, "SI_KERNEL"}, {SI_QUEUE, "SI_QUEUE"}, {SI_TIMER, "SI_TIMER"},
    {SI_MESGQ, "SI_MESGQ"}, {SI_ASYNCIO, "SI_ASYNCIO"}, {SI_SIGIO, "SI_SIGIO"}, {SI_TKILL, "SI_TKILL"},
    {SI_DETHREAD, "SI_DETHREAD"}, {SI_ASYNCNL, "SI_ASYNCNL"},
};
constexpr Name kIllegalCodes[] = {
    {1, "ILL_ILLOPC"}, {2, "ILL_ILLOPN"}, {3, "ILL_ILLADR"}, {4, "ILL_ILLTRP"}, {5, "ILL_PRVOPC"},
    {6, "ILL_PRVREG"}, {7, "ILL_COPROC"}, {8, "ILL_BADSTK"}, {9, "ILL_BADIADDR"},
};
constexpr Name kArithmeticCodes[] = {
    {1, "FPE_INTDIV"}, {2, "FPE_INTOVF"}, {3, "FPE_FLTDIV"}, {4, "FPE_FLTOVF"}, {5, "FPE_FLTUND"},
    {6, "FPE_FLTRES"}, {7, "FPE_FLTINV"}, {8, "FPE_FLTSUB"}, {14, "FPE_FLTUNK"}, {15, "FPE_CONDTRAP"},
};
constexpr Name kSegmentCodes[] = {
    {1, "SEGV_MAPERR"}, {2, "SEGV_ACCERR"}, {3, "SEGV_BNDERR"}, {4, "SEGV_PKUERR"}, {5, "SEGV_ACCADI"},
    {6, "SEGV_ADIDERR"}, {7, "SEGV_ADIPERR"}, {8, "SEGV_MTEAERR"}, {9, "SEGV_MTESERR"}, {10, "SEGV_CPERR"},
};
constexpr Name kBusCodes[] = {
    {1, "BUS_ADRALN"}, {2, "BUS_ADRERR"}, {3, "BUS_OBJERR"}, {4, "BUS_MCEERR_AR"}, {5, "BUS_MCEERR_AO"},
};
constexpr Name kTrapCodes[] = {
    {1, "TRAP_BRKPT"}, {2, "TRAP_TRACE"}, {3, "TRAP_BRANCH"}, {4, "TRAP_HWBKPT"}, {5, "TRAP_UNK"},
    {6, "TRAP_PERF"},
};
constexpr Name kChildCodes[] = {
    {1, "CLD_EXITED"}, {2, "CLD_KILLED"}, {3, "CLD_DUMPED"}, {4, "CLD_TRAPPED"}, {5, "CLD_STOPPED"},
    {6, "CLD_CONTINUED"},
};
constexpr Name kPollCodes[] = {
    {1, "POLL_IN"}, {2, "POLL_OUT"}, {3, "POLL_MSG"}, {4, "POLL_ERR"}, {5, "POLL_PRI"}, {6, "POLL_HUP"},
};
constexpr Name kSystemCallCodes[] = {
    {1, "SYS_SECCOMP"}, {2, "SYS_USER_DISPATCH"},
};
constexpr Name kFaultResults[] = {
    {0, "KERN_SUCCESS"}, {1, "KERN_INVALID_ADDRESS"}, {2, "KERN_PROTECTION_FAILURE"}, {3, "KERN_NO_SPACE"},
    {4, "KERN_INVALID_ARGUMENT"}, {5, "KERN_FAILURE"}, {6, "KERN_RESOURCE_SHORTAGE"},
};
// clang-format on

std::string_view name_in(std::span<const Name> names, int value) {
    for (const Name &entry : names) {
        if (entry.value == value)
            return entry.name;
    }
    return {};
}

std::span<const Name> codes_of(int signal) {
    switch (signal) {
    case SIGILL:
        return kIllegalCodes;
    case SIGFPE:
        return kArithmeticCodes;
    case SIGSEGV:
        return kSegmentCodes;
    case SIGBUS:
        return kBusCodes;
    case SIGTRAP:
        return kTrapCodes;
    case SIGCHLD:
        return kChildCodes;
    case SIGIO:
        return kPollCodes;
    case SIGSYS:
        return kSystemCallCodes;
    default:
        return {};
    }
}

} // namespace

std::string error_text(int error) {
    const char *text = strerrordesc_np(error);
    return text ? std::string(text) : "Unknown error " + std::to_string(error);
}

std::optional<std::string> signal_name(int signal) {
    // As kill -l counts: the C library keeps the kernel's first two for itself.
    constexpr int kFirstRealTime = 34;
    constexpr int kLastRealTime = 64;
    // As kill -l calls it, and BSD; the C library prefers POLL.
    if (signal == SIGIO)
        return "SIGIO";
    if (const char *abbreviation = sigabbrev_np(signal))
        return std::string("SIG") + abbreviation;
    if (signal == kFirstRealTime)
        return "SIGRTMIN";
    if (signal > kFirstRealTime && signal <= kLastRealTime)
        return "SIGRTMIN+" + std::to_string(signal - kFirstRealTime);
    return std::nullopt;
}

std::string_view signal_code_name(int signal, int code) {
    const std::string_view own = name_in(codes_of(signal), code);
    return own.empty() ? name_in(kAnySignalCodes, code) : own;
}

std::string_view fault_result_name(int result) { return name_in(kFaultResults, result); }

} // namespace ktools
