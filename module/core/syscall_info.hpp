// SPDX-License-Identifier: GPL-2.0-only
// What the module must know of each system call, from the one table of them.
#pragma once

#include <cstdint>

namespace ktr {

enum class IoDirection : uint8_t { NONE, READ, WRITE };
enum class IoShape : uint8_t {
    BUF,  // address; the length is the next argument, what moved is the result
    IOV,  // array of struct iovec; the count is the next argument
    MSG,  // struct msghdr
    MMSG, // array of struct mmsghdr; the result counts the messages
};

// The bytes that a call moves.
struct Io {
    IoDirection direction = IoDirection::NONE;
    uint8_t fd_arg = 0;
    IoShape shape = IoShape::BUF;
    uint8_t buffer_arg = 0;
};

// KIND of the table: what an argument is.
enum class ArgKind : uint8_t {
#define KTR_ARG_KIND(kind) kind,
#include "../../uapi/ktrace_syscalls.def"
};

struct Argument {
    ArgKind kind;
    uint8_t type; // number of the StructType behind it, or kNoStruct
};

constexpr uint8_t kNoStruct = 0xff;
constexpr unsigned kMaxArguments = 6;

struct SyscallInfo {
    uint8_t arguments = kMaxArguments; // of a number that the table does not have: all registers
    uint8_t vectors_at = 0;            // exec: argument that is argv, envp follows; 0: not an exec
    bool has_structs = false;          // some argument makes a STRUCT or STRUCT_ARRAY record
    bool yields = false;               // sched_yield: leaves the processor of its own will, yet able to run
    Io io{};
    Argument args[kMaxArguments]{};
    char name[8]{}; // the first 7 letters, as in CSW's wmesg
};

// abi: KTR_SV_LINUX64 or KTR_SV_LINUX32.
const SyscallInfo &syscall_info(uint32_t abi, long number);

// A structure behind an argument, from uapi/ktrace_structs.def.
struct StructType {
    const char *name;
    uint8_t name_bytes; // with its NUL
    uint16_t size64;    // of a variable one: the most that is recorded
    uint16_t size32;
    bool variable;

    uint16_t size(uint32_t abi) const;
};

const StructType &struct_type(uint8_t number);

// Those that the code names.
extern const uint8_t kStructFdSet;
extern const uint8_t kStructIovec;
extern const uint8_t kStructSockaddr;

} // namespace ktr
