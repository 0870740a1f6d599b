// SPDX-License-Identifier: BSD-2-Clause
//
// A record of a trace file, in two steps: RecordView is the header and the undecoded
// payload, as the reader finds them; Record is the payload as one of the plain structs
// below. Both point into the reader's buffer and are good until its next record.

#pragma once

#include "cursor.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include <linux/ktrace.h>

namespace ktools {

struct Timestamp {
    int64_t seconds = 0;
    int64_t nanoseconds = 0;
};

struct RecordView {
    uint64_t offset = 0; // of the header, in the file
    uint32_t type = 0;   // KTR_*, without flags
    bool is_v1 = false;  // nanoseconds and cpu are known
    bool after_drop = false;
    int32_t pid = 0;
    int64_t tid = 0;
    int32_t cpu = 0;
    Timestamp time;
    std::string_view comm;
    Bytes payload;
};

// Strings that each end in a NUL; the last one may lack it.
class StringList {
  public:
    explicit StringList(Bytes bytes) : rest_(as_text(bytes)) {}

    [[nodiscard]] std::optional<std::string_view> next() {
        if (rest_.empty())
            return std::nullopt;
        const std::string_view string = rest_.substr(0, rest_.find('\0'));
        rest_.remove_prefix(string.size() < rest_.size() ? string.size() + 1 : string.size());
        return string;
    }

  private:
    std::string_view rest_;
};

struct SyscallRecord {
    int code;
    uint32_t abi; // KTR_SV_*, or 0
    ArrayView<uint64_t> args;
};

struct SysretRecord {
    int code;
    uint32_t abi;
    int error;
    int64_t value;
};

struct PathRecord {
    std::string_view path;
};

struct GenioRecord {
    int fd;
    bool is_read;
    Bytes data;
};

struct SignalRecord {
    int signal;
    uint64_t action;
    int code;
    uint64_t mask;
};

struct SwitchRecord {
    bool leaves;
    bool involuntary;
    std::optional<std::string_view> wait_message; // old files have none
};

struct UserRecord {
    Bytes data;
};

struct StructRecord {
    std::string_view name;
    Bytes data;
};

struct StructArrayRecord {
    std::string_view name;
    size_t item_size;
    Bytes data; // a whole number of items
};

struct SysctlRecord {
    std::string_view name;
};

struct ProcessStartRecord {
    uint32_t abi; // sv_flags
};

struct ProcessEndRecord {};

struct CapabilityRecord {
    uint32_t kind;   // KTR_CAPFAIL_*
    int code;        // system call
    uint64_t needed; // bit n: capability n
};

struct UringRecord {
    bool completes;
    uint32_t opcode;
    int fd;
    int result;
    uint32_t flags;
    uint64_t user_data;
};

struct FaultRecord {
    uint64_t address;
    uint32_t access;
};

struct FaultEndRecord {
    int result;
};

struct ArgumentsRecord {
    StringList strings;
};

struct EnvironmentRecord {
    StringList strings;
};

struct EmulationRecord {
    std::string_view name;
};

struct LostRecord {
    ArrayView<ktr_lost> counts;
};

// A type without a decoder: of a newer kernel, or of another system.
struct OtherRecord {
    uint32_t type;
    Bytes data;
};

using Record = std::variant<SyscallRecord, SysretRecord, PathRecord, GenioRecord, SignalRecord, SwitchRecord,
                            UserRecord, StructRecord, StructArrayRecord, SysctlRecord, ProcessStartRecord,
                            ProcessEndRecord, CapabilityRecord, UringRecord, FaultRecord, FaultEndRecord,
                            ArgumentsRecord, EnvironmentRecord, EmulationRecord, LostRecord, OtherRecord>;

} // namespace ktools
