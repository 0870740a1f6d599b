// SPDX-License-Identifier: GPL-2.0-only
//
// The arguments of a system call, each by its kind.

#include "print_argument.hpp"

#include "name_sets.hpp"
#include "names.hpp"
#include "print_composed.hpp"

#include <fmt/format.h>
#include <linux/fcntl.h>
#include <sys/sysmacros.h>

namespace ktools {

namespace {

// A register of the ABI as a signed number.
int64_t signed_register(PrintContext context, uint64_t value) {
    return context.abi == Abi::Linux32 ? static_cast<int32_t>(value) : static_cast<int64_t>(value);
}

void put_directory(PrintContext context, int32_t fd) {
    if (fd == AT_FDCWD)
        context.out.put("AT_FDCWD");
    else
        context.out.put_decimal(fd);
}

// Users and groups: unsigned, but for the one that stands for none.
void put_id(PrintContext context, bool half, uint64_t value) {
    const auto id = half ? static_cast<uint16_t>(value) : static_cast<uint32_t>(value);
    const bool none = id == (half ? uint32_t{UINT16_MAX} : UINT32_MAX);
    context.out.put_decimal(none ? -1 : int64_t{id});
}

void put_signal_number(PrintContext context, int32_t signal) {
    if (signal_name(signal))
        put_signal(context, signal);
    else
        put_signed(context, signal);
}

void put_mode(PrintContext context, uint32_t mode) {
    context.out.put_octal(mode);
    if (mode)
        put_flags(context.out, "mode", mode);
}

void put_device(PrintContext context, uint32_t device) {
    context.out.put("makedev(");
    put_number(context, gnu_dev_major(device));
    context.out.put(',');
    put_number(context, gnu_dev_minor(device));
    context.out.put(')');
}

void put_invalid(PrintContext context, uint32_t value) {
    context.out.put("<invalid=");
    if (context.options.decimal)
        context.out.put_decimal(static_cast<int32_t>(value));
    else
        context.out.put_hex(value);
    context.out.put('>');
}

// "NAME", or "NAME|FLAG" for a value with flags added to it.
void put_constant(PrintContext context, const NameSet &set, uint32_t value) {
    uint32_t plain = value;
    fmt::memory_buffer added;
    std::string_view name = set.constant_name(plain);
    for (const Flag &flag : set.flags) {
        if (!name.empty())
            break;
        if (!(plain & flag.mask))
            continue;
        plain &= ~static_cast<uint32_t>(flag.mask);
        fmt::format_to(fmt::appender(added), "|{}", flag.name);
        name = set.constant_name(plain);
    }
    if (!name.empty()) {
        context.out.put(name);
        context.out.put(std::string_view(added.data(), added.size()));
    } else if (set.partial) {
        put_signed(context, static_cast<int32_t>(value));
    } else {
        put_invalid(context, value);
    }
}

// "0x601<O_WRONLY|O_CREAT|O_TRUNC>"; what has no name follows: "<invalid>8".
void put_mask(PrintContext context, const NameSet &set, const FlagValue &extra, uint64_t value) {
    char separator = '<';
    const auto put_name = [&](std::string_view name) {
        context.out.put(separator);
        context.out.put(name);
        separator = '|';
    };
    context.out.put_hex(value);
    const uint64_t rest = split_flags(set.flags, value & ~extra.mask, put_name);
    if (extra.mask)
        put_name(extra.name);
    if (value == 0 && separator == '<')
        return;
    context.out.put(separator == '<' ? "<>" : ">");
    if (rest)
        context.out.print("<invalid>{}", rest);
}

void put_symbolic(PrintContext context, const SyscallArg &arg, std::string_view call, uint64_t value) {
    const NameSet *set = find_name_set(arg.type, call, context.abi);
    if (arg.kind == ArgKind::ENUM) {
        const auto number = static_cast<uint32_t>(value);
        if (put_composed(context, arg.type, number))
            return;
        if (set)
            put_constant(context, *set, number);
        else
            put_signed(context, static_cast<int32_t>(value));
    } else if (set) {
        const uint64_t flags = set->clip(value);
        put_mask(context, *set, value_in_flags(arg.type, call, flags), flags);
    } else {
        put_number(context, value);
    }
}

} // namespace

void put_signed(PrintContext context, int64_t value) {
    if (value < 0)
        context.out.put_decimal(value);
    else
        put_number(context, static_cast<uint64_t>(value));
}

void put_argument(PrintContext context, const SyscallArg &arg, std::string_view call, uint64_t value) {
    const auto low = static_cast<int32_t>(value);
    switch (arg.kind) {
    case ArgKind::FD:
    case ArgKind::PID:
    case ArgKind::IPCID:
    case ArgKind::TIMER:
        return context.out.put_decimal(low);
    case ArgKind::DIRFD:
        return put_directory(context, low);
    case ArgKind::UID:
    case ArgKind::GID:
        return put_id(context, arg.type == "u16", value);
    case ArgKind::SIG:
        return put_signal_number(context, low);
    case ArgKind::MODE:
        return put_mode(context, static_cast<uint32_t>(value));
    case ArgKind::DEV:
        return put_device(context, static_cast<uint32_t>(value));
    case ArgKind::KEY:
        return put_symbolic(context, {ArgKind::ENUM, arg.type == "ipc" ? "ipc_key" : "key_serial", arg.name},
                            call, value);
    case ArgKind::FLAGS:
    case ArgKind::ENUM:
        return put_symbolic(context, arg, call, value);
    case ArgKind::INT:
        return put_signed(context, low);
    case ArgKind::UINT:
        return put_number(context, static_cast<uint32_t>(value));
    case ArgKind::LONG:
    case ArgKind::OFF:
    case ArgKind::TIME_T:
        return put_signed(context, signed_register(context, value));
    case ArgKind::OFF_LO:
        if (context.abi == Abi::Linux64)
            return put_signed(context, static_cast<int64_t>(value));
        [[fallthrough]];
    default:
        return put_number(context, value);
    }
}

} // namespace ktools
