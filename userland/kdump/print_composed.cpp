// SPDX-License-Identifier: GPL-2.0-only
//
// Arguments that are several values in one number.

#include "print_composed.hpp"

#include "name_sets.hpp"
#include "names.hpp"

#include <arpa/inet.h>
#include <linux/futex.h>
#include <linux/ioctl.h>
#include <linux/quota.h>
#include <sys/swap.h>

namespace ktools {

namespace {

// "NAME", or the number.
void put_name(PrintContext context, std::string_view set, uint32_t value) {
    const NameSet *names = find_name_set(set);
    const std::string_view name = names ? names->constant_name(value) : std::string_view();
    if (name.empty())
        put_number(context, value);
    else
        context.out.put(name);
}

// Negative clocks are of a process, a thread or a clock device: an inverted id and three bits.
bool put_clock(PrintContext context, uint32_t value) {
    constexpr uint32_t kWhich = 3;
    constexpr uint32_t kThread = 4;
    constexpr int32_t kIdShift = 3;
    constexpr std::string_view kNames[] = {"CPUCLOCK_PROF", "CPUCLOCK_VIRT", "CPUCLOCK_SCHED"};
    const auto clock = static_cast<int32_t>(value);
    if (clock >= 0)
        return false;
    const int32_t id = ~(clock >> kIdShift);
    if ((value & kWhich) == kWhich) {
        if (value & kThread)
            return false;
        context.out.print("FD_TO_CLOCKID({})", id);
        return true;
    }
    context.out.print("MAKE_{}_CPUCLOCK({},{})", value & kThread ? "THREAD" : "PROCESS", id,
                      kNames[value & kWhich]);
    return true;
}

bool put_quota_command(PrintContext context, uint32_t value) {
    const uint32_t command = value >> SUBCMDSHIFT;
    if (find_name_set("quota_cmd")->constant_name(command).empty())
        return false;
    context.out.put("QCMD(");
    put_name(context, "quota_cmd", command);
    context.out.put(',');
    put_name(context, "quota_type", value & SUBCMDMASK);
    context.out.put(')');
    return true;
}

// The upper half is the version of the call's interface.
bool put_ipc_call(PrintContext context, uint32_t value) {
    constexpr uint32_t kCall = 0xffff;
    constexpr unsigned kVersionShift = 16;
    if (!(value & ~kCall))
        return false;
    put_number(context, value >> kVersionShift);
    context.out.put("<<16|");
    put_name(context, "ipc_call", value & kCall);
    return true;
}

// The protocol of a packet socket is in network byte order, in 16 bits of the number.
bool put_packet_protocol(PrintContext context, uint32_t value) {
    if (value > UINT16_MAX)
        return false;
    context.out.put("htons(");
    put_name(context, "protocol_packet", ntohs(static_cast<uint16_t>(value)));
    context.out.put(')');
    return true;
}

// <linux/ioprio.h> has a parameter called class, so its IOPRIO_CLASS_SHIFT is not for C++.
bool put_io_priority(PrintContext context, uint32_t value) {
    constexpr unsigned kClassShift = 13;
    constexpr uint32_t kLevel = (1u << kClassShift) - 1;
    context.out.put("IOPRIO_PRIO_VALUE(");
    put_name(context, "ioprio_class", value >> kClassShift);
    context.out.put(',');
    put_number(context, value & kLevel);
    context.out.put(')');
    return true;
}

// A driver's command, by the parts that its author gave to _IOC().
bool put_ioctl_command(PrintContext context, uint32_t value) {
    if (!find_name_set("ioctl_cmd", "ioctl", context.abi)->constant_name(value).empty())
        return false;
    if (_IOC_DIR(value) == _IOC_NONE && _IOC_SIZE(value) == 0)
        return false;
    constexpr std::string_view kDirections[] = {"_IOC_NONE", "_IOC_WRITE", "_IOC_READ",
                                                "_IOC_READ|_IOC_WRITE"};
    context.out.print("_IOC({},", kDirections[_IOC_DIR(value)]);
    put_number(context, _IOC_TYPE(value));
    context.out.put(',');
    put_number(context, _IOC_NR(value));
    context.out.put(',');
    put_number(context, _IOC_SIZE(value));
    context.out.put(')');
    return true;
}

struct Form {
    std::string_view type;
    bool (*put)(PrintContext context, uint32_t value);
};

constexpr Form kForms[] = {
    {"clockid", put_clock},      {"quota_cmd", put_quota_command},
    {"ipc_call", put_ipc_call},  {"protocol_packet", put_packet_protocol},
    {"ioprio", put_io_priority}, {"ioctl_cmd", put_ioctl_command},
};

} // namespace

bool put_composed(PrintContext context, std::string_view type, uint32_t value) {
    for (const Form &form : kForms) {
        if (form.type == type)
            return form.put(context, value);
    }
    return false;
}

FlagValue value_in_flags(std::string_view type, std::string_view call, uint64_t value) {
    constexpr uint64_t kCloneSignal = 0xff;
    if (type == "clone" && call == "clone") {
        if (const auto signal = signal_name(static_cast<int>(value & kCloneSignal)))
            return {kCloneSignal, *signal};
    } else if (type == "swapon" && (value & SWAP_FLAG_PREFER)) {
        return {SWAP_FLAG_PRIO_MASK, std::to_string(value & SWAP_FLAG_PRIO_MASK)};
    }
    return {0, {}};
}

} // namespace ktools
