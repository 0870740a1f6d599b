// SPDX-License-Identifier: GPL-2.0-only
// STRUCT and STRUCT_ARRAY: what is behind the pointers of a system call, as it is in the caller's
// memory at the call's end. Which argument points to what is in uapi/ktrace_syscalls.def, how
// large that is in uapi/ktrace_structs.def.
#include "capture.hpp"

#include <algorithm>
#include <cstring>

#include "syscall_info.hpp"
#include "user_record.hpp"

#include "base/poison.hpp"

namespace ktr {

namespace {

constexpr size_t kMaxName = 24; // of a name with its NUL

// The call whose arguments are looked at.
struct Ended {
    Thread &thread;
    const UserMemory &memory;
    const LateReturn &end;
    const SyscallInfo &info;

    bool has(unsigned i) const { return i < info.arguments; }
    ArgKind kind(unsigned i) const { return info.args[i].kind; }
    bool is(unsigned i, ArgKind wanted) const { return has(i) && kind(i) == wanted; }
};

bool emit_one(const Ended &call, const StructType &type, uint64_t address, uint64_t size) {
    if (!call.thread.target->wants(KTR_STRUCT) || size == 0)
        return true;
    return emit_from_user(call.thread, call.memory, KTR_STRUCT, {type.name, type.name_bytes},
                          {address, 0, false}, size);
}

bool emit_array(const Ended &call, const StructType &type, uint64_t address, uint64_t count) {
    const uint64_t size = type.size(call.end.abi);
    if (!call.thread.target->wants(KTR_STRUCT_ARRAY) || size == 0 || count == 0)
        return true;
    std::byte head[sizeof(size) + kMaxName];
    std::memcpy(head, &size, sizeof(size));
    const size_t length = sizeof(size) + type.name_bytes;
    std::memcpy(head + sizeof(size), type.name, type.name_bytes);
    const uint64_t most = ktrace_settings.geniosize / size;
    return emit_from_user(call.thread, call.memory, KTR_STRUCT_ARRAY, {head, length}, {address, 0, false},
                          std::min(count, most) * size);
}

// Bytes of a structure whose size the caller has said; 0 if that is unknown. False if it cannot be read.
bool variable_size(const Ended &call, unsigned i, const StructType &type, uint64_t *ret) {
    *ret = 0;
    uint32_t length = 0;
    if (call.is(i + 1, ArgKind::SIZE)) {
        *ret = call.end.args[i + 1];
    } else if (call.is(i + 1, ArgKind::LEN_INOUT)) {
        if (call.end.args[i + 1] != 0 && !call.memory.read(&length, call.end.args[i + 1], sizeof(length)))
            return false;
        *ret = length;
    } else if (i > 0 && call.is(i - 1, ArgKind::SIZE)) {
        *ret = call.end.args[i - 1];
    } else if (call.info.args[i].type == kStructFdSet) {
        const uint64_t bits = call.memory.word() * 8;
        *ret = (call.end.args[0] + bits - 1) / bits * call.memory.word();
    }
    *ret = std::min<uint64_t>(*ret, type.size(call.end.abi));
    return true;
}

bool emit_struct_argument(const Ended &call, unsigned i) {
    const StructType &type = struct_type(call.info.args[i].type);
    uint64_t size = type.size(call.end.abi);
    if (type.variable && !variable_size(call, i, type, &size))
        return false;
    return emit_one(call, type, call.end.args[i], size);
}

// The count is beside the array; of one that the kernel fills, the result says how much it did.
uint64_t count_of(const Ended &call, unsigned i) {
    uint64_t count = 0;
    for (unsigned at = 0; call.has(at); at++)
        if (call.kind(at) == ArgKind::COUNT && (count == 0 || at == i + 1))
            count = static_cast<uint32_t>(call.end.args[at]);
    if (call.kind(i) == ArgKind::ARRAY_OUT)
        count = std::min(count, static_cast<uint64_t>(std::max(call.end.result, 0L)));
    return count;
}

// A message has the peer's address.
bool emit_message(const Ended &call, unsigned i) {
    Piece name{};
    if (!read_msghdr_name(call.memory, call.end.args[i], &name))
        return false;
    const StructType &sockaddr = struct_type(kStructSockaddr);
    const uint64_t size = std::min<uint64_t>(name.length, sockaddr.size64);
    return name.address == 0 || emit_one(call, sockaddr, name.address, size);
}

// The memory says something only after the call if the kernel was to fill it, and it did.
bool is_filled(ArgKind kind, long result) {
    return result >= 0 ||
           (kind != ArgKind::STRUCT_OUT && kind != ArgKind::ARRAY_OUT && kind != ArgKind::MSG_OUT);
}

bool capture_argument(const Ended &call, unsigned i) {
    const ArgKind kind = call.kind(i);
    if (call.end.args[i] == 0 || !is_filled(kind, call.end.result))
        return true;
    switch (kind) {
    case ArgKind::STRUCT_IN:
    case ArgKind::STRUCT_OUT:
    case ArgKind::STRUCT_INOUT:
        return call.info.args[i].type == kNoStruct || emit_struct_argument(call, i);
    case ArgKind::ARRAY_IN:
    case ArgKind::ARRAY_OUT:
    case ArgKind::ARRAY_INOUT:
        return call.info.args[i].type == kNoStruct ||
               emit_array(call, struct_type(call.info.args[i].type), call.end.args[i], count_of(call, i));
    case ArgKind::IOV_IN:
    case ArgKind::IOV_OUT:
        return emit_array(call, struct_type(kStructIovec), call.end.args[i], count_of(call, i));
    case ArgKind::MSG_IN:
    case ArgKind::MSG_OUT:
        return emit_message(call, i);
    default:
        return true;
    }
}

} // namespace

bool has_structs(const Thread &thread, uint32_t abi, long number, long result) {
    return syscall_info(abi, number).has_structs && result != -kEfault &&
           (thread.target->wants(KTR_STRUCT) || thread.target->wants(KTR_STRUCT_ARRAY));
}

bool capture_structs(Thread &thread, LateReturn &end, bool may_fault) {
    const UserMemory memory(end.abi, may_fault);
    const Ended call{thread, memory, end, syscall_info(end.abi, end.number)};
    for (; call.has(end.structs_done); end.structs_done++)
        if (!capture_argument(call, end.structs_done) && !may_fault)
            return false;
    return true;
}

} // namespace ktr
