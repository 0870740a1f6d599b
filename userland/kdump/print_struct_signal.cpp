// SPDX-License-Identifier: GPL-2.0-only
//
// STRU: what belongs to signals. Which members siginfo and sigevent have depends on others of them.

#include "names.hpp"
#include "print_struct.hpp"

#include <bit>
#include <csignal>

namespace ktools {

namespace {

constexpr int kSignals = 64;

uint64_t number_of(Fields fields, std::string_view name, PrintContext context, Bytes data) {
    for (const Field &field : fields) {
        if (field.name != name)
            continue;
        const auto bytes = field.in(data, context.abi);
        return bytes ? static_cast<uint64_t>(load_signed(*bytes)) : 0;
    }
    return 0;
}

// The members that a fault's signal has beside its address.
std::string_view fault_part(int signal, int code) {
    if (signal == SIGBUS && (code == BUS_MCEERR_AR || code == BUS_MCEERR_AO))
        return "siginfo_memory";
    if (signal == SIGSEGV && code == SEGV_BNDERR)
        return "siginfo_bounds";
    if (signal == SIGSEGV && code == SEGV_PKUERR)
        return "siginfo_key";
    return {};
}

// The members of a signal that the kernel sent for a reason of its own.
std::string_view kernel_part(int signal) {
    switch (signal) {
    case SIGCHLD:
        return "siginfo_child";
    case SIGILL:
    case SIGFPE:
    case SIGSEGV:
    case SIGBUS:
    case SIGTRAP:
        return "siginfo_fault";
    case SIGIO:
        return "siginfo_poll";
    case SIGSYS:
        return "siginfo_system_call";
    default:
        return "siginfo_kill";
    }
}

std::string_view siginfo_part(int signal, int code) {
    if (signal == 0)
        return {};
    if (code == SI_TIMER)
        return "siginfo_timer";
    if (code == SI_USER || code == SI_TKILL || code == SI_KERNEL)
        return "siginfo_kill";
    return code < 0 ? "siginfo_queue" : kernel_part(signal);
}

void put_code(PrintContext context, int signal, int code) {
    const std::string_view name = signal_code_name(signal, code);
    if (context.options.fancy && !name.empty())
        context.out.put(name);
    else
        context.out.put_decimal(code);
}

} // namespace

void put_signal_set(PrintContext context, uint64_t set) {
    put_number(context, set);
    if (set == 0 || !context.options.fancy)
        return;
    // Most of them: the others say more.
    const bool invert = std::popcount(set) > kSignals / 2;
    context.out.put(invert ? "<~" : "<");
    bool first = true;
    for (int signal = 1; signal <= kSignals; ++signal) {
        if (((set >> (signal - 1) & 1) != 0) == invert)
            continue;
        if (!first)
            context.out.put('|');
        first = false;
        put_signal(context, signal);
    }
    context.out.put('>');
}

void put_siginfo(PrintContext context, std::string_view type, Bytes data) {
    const Fields head = find_fields(type);
    const auto signal = static_cast<int>(number_of(head, "signo", context, data));
    const auto code = static_cast<int>(number_of(head, "code", context, data));
    context.out.put("{ ");
    put_fields(context, head.first(1), data);
    context.out.put(", .code=");
    put_code(context, signal, code);
    put_fields(context, head.subspan(2), data, true);
    const std::string_view part = siginfo_part(signal, code);
    put_fields(context, find_fields(part), data, true);
    if (part == "siginfo_fault")
        put_fields(context, find_fields(fault_part(signal, code)), data, true);
    context.out.put(" }");
}

void put_sigevent(PrintContext context, std::string_view type, Bytes data) {
    const Fields head = find_fields(type);
    context.out.put("{ ");
    put_fields(context, head, data);
    if (number_of(head, "notify", context, data) == SIGEV_THREAD_ID)
        put_fields(context, find_fields("sigevent_thread"), data, true);
    context.out.put(" }");
}

} // namespace ktools
