// SPDX-License-Identifier: GPL-2.0-only
// Expands uapi/ktrace_syscalls.def into one array for each ABI.
#include "syscall_info.hpp"

#include <array>
#include <cstddef>
#include <iterator>

#include "../../uapi/ktrace.h"

#include "base/poison.hpp"

namespace ktr {

namespace {

constexpr size_t kMaxNumber = 512;
using Table = std::array<SyscallInfo, kMaxNumber>;

constexpr StructType kStructTypes[] = {
#define KTR_STRUCT_TYPE(type, size64, size32) {#type, sizeof(#type), size64, size32, false},
#define KTR_STRUCT_VAR(type, most) {#type, sizeof(#type), most, most, true},
#include "../../uapi/ktrace_structs.def"
};

constexpr bool same(const char *a, const char *b) {
    for (; *a && *a == *b; a++, b++)
        ;
    return *a == *b;
}

constexpr uint8_t struct_number(const char *name) {
    for (size_t i = 0; i < std::size(kStructTypes); i++)
        if (same(kStructTypes[i].name, name))
            return static_cast<uint8_t>(i);
    return kNoStruct;
}

constexpr bool points_to_data(ArgKind kind) {
    return kind >= ArgKind::IOV_IN && kind <= ArgKind::ARRAY_INOUT;
}

struct Row {
    int number64;
    int number32;
    SyscallInfo info;
};

// The arguments of a row, counted.
struct Arguments {
    uint8_t count = 0;
    Argument args[kMaxArguments]{};

    constexpr Arguments operator+(const Argument &argument) const {
        Arguments more = *this;
        more.args[more.count++] = argument;
        return more;
    }
};

consteval Argument argument(ArgKind kind, const char *type) { return {kind, struct_number(type)}; }

consteval SyscallInfo info_of(const char *name, Io io, const Arguments &arguments) {
    SyscallInfo info{};
    info.arguments = arguments.count;
    info.io = io;
    for (unsigned i = arguments.count; i-- > 0;) {
        info.args[i] = arguments.args[i];
        info.has_structs |= points_to_data(info.args[i].kind);
        if (info.args[i].kind == ArgKind::STRV)
            info.vectors_at = static_cast<uint8_t>(i);
    }
    for (unsigned i = 0; i + 1 < sizeof(info.name) && name[i]; i++)
        info.name[i] = name[i];
    info.yields = same(name, "sched_yield");
    return info;
}

#define NOIO                                                                                                 \
    Io {}
#define IO(direction, fd, shape, buffer)                                                                     \
    Io { IoDirection::direction, fd, IoShape::shape, buffer }
#define A(kind, type, name) +argument(ArgKind::kind, #type)
#define KTR_SYSCALL(nr64, nr32, name, io, arguments)                                                         \
    {nr64, nr32,                                                                                             \
     info_of(                                                                                                \
         #name, io, Arguments {} arguments)},
constexpr Row kRows[] = {
#include "../../uapi/ktrace_syscalls.def"
};

consteval Table table_of(int Row::*number) {
    Table table{};
    for (const Row &row : kRows)
        if (row.*number >= 0)
            table[static_cast<size_t>(row.*number)] = row.info;
    return table;
}

constexpr Table kTable64 = table_of(&Row::number64);
constexpr Table kTable32 = table_of(&Row::number32);
constexpr SyscallInfo kUnknown{};

} // namespace

constinit const uint8_t kStructFdSet = struct_number("fd_set");
constinit const uint8_t kStructIovec = struct_number("iovec");
constinit const uint8_t kStructSockaddr = struct_number("sockaddr");

uint16_t StructType::size(uint32_t abi) const { return abi == KTR_SV_LINUX32 ? size32 : size64; }

const StructType &struct_type(uint8_t number) { return kStructTypes[number]; }

const SyscallInfo &syscall_info(uint32_t abi, long number) {
    if (number < 0 || static_cast<size_t>(number) >= kMaxNumber)
        return kUnknown;
    return abi == KTR_SV_LINUX32 ? kTable32[static_cast<size_t>(number)]
                                 : kTable64[static_cast<size_t>(number)];
}

} // namespace ktr
