// SPDX-License-Identifier: GPL-2.0-only
// SYSCALL and SYSRET. The data of a call (GENIO) comes before its return, so when that data is
// not resident both wait for the thread's door, which opens before the thread can do anything else.
#include "capture.hpp"

#include <utility>

#include "ktrace_core.h"
#include "record.hpp"
#include "syscall_info.hpp"

#include "base/poison.hpp"

namespace ktr {

namespace {

constexpr long kErestartsys = -512;
constexpr long kErestartRestartblock = -516;
constexpr long kMaxErrno = 4095;

bool restarts(long result) {
    return result <= kErestartsys && result >= kErestartRestartblock && result != -515; // -515: ENOIOCTLCMD
}

bool returns_from_signal(uint32_t abi, long number) {
    return abi == KTR_SV_LINUX32 ? number == 119 || number == 173 : number == 15;
}

// The registers are those of a new image, or of the interrupted code, and no result.
bool replaces_registers(uint32_t abi, long number, long result) {
    return returns_from_signal(abi, number) || (result == 0 && syscall_info(abi, number).vectors_at != 0);
}

ktr_sysret sysret_of(uint32_t abi, long number, long result) {
    ktr_sysret ret{};
    ret.ktr_code = static_cast<int16_t>(number);
    ret.ktr_abi = static_cast<int16_t>(abi);
    if (replaces_registers(abi, number, result))
        ret.ktr_error = KTR_EJUSTRETURN;
    else if (restarts(result))
        ret.ktr_error = KTR_ERESTART;
    else if (result < 0 && result >= -kMaxErrno)
        ret.ktr_error = static_cast<int32_t>(-result);
    else
        ret.ktr_retval = abi == KTR_SV_LINUX32 ? static_cast<int64_t>(static_cast<int32_t>(result)) : result;
    return ret;
}

void emit_return(Thread &thread, uint32_t abi, long number, long result) {
    if (thread.target->wants(KTR_SYSRET))
        emit_struct(*thread.target, identity_of(thread), KTR_SYSRET, sysret_of(abi, number, result));
}

// Back-pressure: between two system calls is where a thread can wait for the writer.
void ask_for_room(Thread &thread) {
    if (!ktrace_settings.lossless)
        return;
    bool full = false;
    {
        OnCpu cpu;
        full = thread.target->session().ring(cpu.number()).over_three_quarters();
    }
    if (full)
        open_door(thread, kDoorRoom);
}

} // namespace

void capture_call(Thread &thread, const Call &call) {
    thread.call = {call.number, call.abi};
    thread.has_called = true;
    if (!thread.target->wants(KTR_SYSCALL))
        return;
    const size_t count = syscall_info(call.abi, call.number).arguments;
    const size_t length = sizeof(ktr_syscall) + count * sizeof(uint64_t);
    emit(*thread.target, identity_of(thread), KTR_SYSCALL, length, [&](std::byte *to) {
        const ktr_syscall head{static_cast<int16_t>(call.number), static_cast<int16_t>(count), call.abi};
        uint64_t args[6];
        kshim_syscall_args(call.regs, args);
        std::memcpy(to, &head, sizeof(ktr_syscall));
        std::memcpy(to + sizeof(ktr_syscall), args, count * sizeof(uint64_t));
        return true;
    });
}

namespace {

enum class Data { kDone, kLater };

// What a call was given and has moved. False if something was not resident: the rest is to be
// tried where the thread may fault.
bool capture_memory(Thread &thread, LateReturn &end, bool may_fault) {
    if (has_structs(thread, end.abi, end.number, end.result) && !capture_structs(thread, end, may_fault))
        return false;
    if (moves_bytes(thread, end.abi, end.number, end.result) && !capture_genio(thread, end, may_fault))
        return false;
    if (!records_failed_exec(thread, end.abi, end.number, end.result))
        return true;
    if (may_fault)
        capture_failed_exec(thread, end);
    return may_fault;
}

// The same before the call's return. kLater: in the door, with the return.
Data capture_data(Thread &thread, const Call &call, long result) {
    if (!has_structs(thread, call.abi, call.number, result) &&
        !moves_bytes(thread, call.abi, call.number, result) &&
        !records_failed_exec(thread, call.abi, call.number, result))
        return Data::kDone;
    LateReturn &late = thread.late;
    late.number = call.number;
    late.result = result;
    late.abi = call.abi;
    late.structs_done = 0;
    late.messages_done = 0;
    kshim_syscall_args(call.regs, late.args);
    if (capture_memory(thread, late, /*may_fault=*/false))
        return Data::kDone;
    return open_door(thread, kDoorLateReturn) ? Data::kLater : Data::kDone;
}

// seccomp decides before sys_enter, so a call that it refuses is seen at its end only.
void capture_refused_call(Thread &thread, const Call &call) {
    capture_call(thread, call);
    capture_seccomp(thread, call.abi, call.number);
}

} // namespace

void capture_return(Thread &thread, const Call &call, long result) {
    if (thread.call.abi == 0 && thread.has_called && kshim_has_seccomp_filter())
        capture_refused_call(thread, call);
    // sigreturn has put the interrupted code's registers in place of its own number.
    Call ended = call;
    if (call.number < 0 && thread.call.abi != 0)
        ended = {call.regs, thread.call.number, thread.call.abi};
    thread.call = {};
    capture_refusal(thread, ended.abi, ended.number, result);
    if (capture_data(thread, ended, result) == Data::kLater)
        return;
    emit_return(thread, ended.abi, ended.number, result);
    ask_for_room(thread);
}

void finish_late_return(Thread &thread) {
    LateReturn &late = thread.late;
    capture_memory(thread, late, /*may_fault=*/true);
    emit_return(thread, late.abi, late.number, late.result);
    ask_for_room(thread);
}

} // namespace ktr
