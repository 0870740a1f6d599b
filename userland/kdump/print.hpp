// SPDX-License-Identifier: GPL-2.0-only
//
// What follows the label, for each type of record: one overload each, in print_*.cpp.
// They end the line.

#pragma once

#include "flags.hpp"
#include "options.hpp"
#include "output.hpp"
#include "record.hpp"
#include "syscalls.hpp"

namespace ktools {

struct PrintContext {
    Output &out;
    const Options &options;
    Abi abi; // of the system call, or of the process
};

void print(PrintContext context, const SyscallRecord &record);
void print(PrintContext context, const SysretRecord &record);
void print(PrintContext context, const PathRecord &record);
void print(PrintContext context, const GenioRecord &record);
void print(PrintContext context, const SignalRecord &record);
void print(PrintContext context, const SwitchRecord &record);
void print(PrintContext context, const UserRecord &record);
void print(PrintContext context, const StructRecord &record);
void print(PrintContext context, const StructArrayRecord &record);
void print(PrintContext context, const SysctlRecord &record);
void print(PrintContext context, const CapabilityRecord &record);
void print(PrintContext context, const UringRecord &record);
void print(PrintContext context, const FaultRecord &record);
void print(PrintContext context, const FaultEndRecord &record);
void print(PrintContext context, const ArgumentsRecord &record);
void print(PrintContext context, const EnvironmentRecord &record);
void print(PrintContext context, const EmulationRecord &record);
void print(PrintContext context, const LostRecord &record);
void print(PrintContext context, const OtherRecord &record);

// Shared by several of them.

// A plain number: hexadecimal, or decimal with -d.
void put_number(PrintContext context, uint64_t value);
// "name", or "[999]" for a number without a call.
void put_syscall_name(PrintContext context, int code);
// "SIGINT", or "SIG 99".
void put_signal(PrintContext context, int signal);
// "len  01 02": bytes that have no structure.
void put_bytes(Output &out, Bytes bytes);
// " 01 02"
void put_byte_list(Output &out, Bytes bytes);
// "<O_WRONLY|O_CREAT>", with what has no name after it: "<invalid>8"
void put_flags(Output &out, std::string_view set, uint64_t value);
void put_flags(Output &out, FlagSet set, uint64_t value);

} // namespace ktools
