// SPDX-License-Identifier: BSD-2-Clause
//
// RecordView -> Record: one small function for each type that has a structure.

#include "decoder.hpp"

#include "record_types.hpp"

#include <algorithm>

namespace ktools {

namespace {

// Nothing stands for a payload that is too short or contradicts itself.
using MaybeRecord = std::optional<Record>;

// The sizes and places that the format promises, whatever the compiler would like.
static_assert(sizeof(ktr_syscall) == 8 && sizeof(ktr_sysret) == 16 && sizeof(ktr_genio) == 8);
static_assert(sizeof(ktr_psig) == 40 && offsetof(ktr_psig, code) == 16 && offsetof(ktr_psig, mask) == 20);
static_assert(sizeof(ktr_csw) == 16 && sizeof(ktr_fault) == 16 && sizeof(ktr_lost) == 16);

// ktr_syscall ends in a flexible array, so that it cannot be copied out as a value.
struct SyscallHead {
    int16_t code;
    int16_t arg_count;
    uint32_t abi;
};
static_assert(sizeof(SyscallHead) == sizeof(ktr_syscall));

MaybeRecord decode_syscall(Cursor cursor) {
    const auto head = cursor.take<SyscallHead>();
    if (!head || head->arg_count < 0)
        return std::nullopt;
    const size_t size = static_cast<size_t>(head->arg_count) * sizeof(uint64_t);
    if (cursor.remaining() < size)
        return std::nullopt;
    return SyscallRecord{head->code, head->abi, ArrayView<uint64_t>(cursor.take_rest().first(size))};
}

MaybeRecord decode_sysret(Cursor cursor) {
    const auto raw = cursor.take<ktr_sysret>();
    if (!raw)
        return std::nullopt;
    return SysretRecord{raw->ktr_code, static_cast<uint16_t>(raw->ktr_abi), raw->ktr_error, raw->ktr_retval};
}

MaybeRecord decode_genio(Cursor cursor) {
    const auto head = cursor.take<ktr_genio>();
    if (!head)
        return std::nullopt;
    return GenioRecord{head->ktr_fd, head->ktr_rw == KTR_UIO_READ, cursor.take_rest()};
}

MaybeRecord decode_signal(Cursor cursor) {
    const auto raw = cursor.take<ktr_psig>();
    if (!raw)
        return std::nullopt;
    const uint64_t mask = raw->mask[0] | static_cast<uint64_t>(raw->mask[1]) << 32;
    return SignalRecord{raw->signo, raw->action, raw->code, mask};
}

MaybeRecord decode_switch(Cursor cursor) {
    const auto out = cursor.take<int32_t>();
    const auto user = cursor.take<int32_t>();
    if (!out || !user)
        return std::nullopt;
    SwitchRecord record{*out != 0, *user != 0, std::nullopt};
    constexpr size_t kMessageSize = sizeof(ktr_csw::wmesg);
    if (cursor.remaining() >= kMessageSize) {
        const std::string_view text = as_text(cursor.take_rest().first(kMessageSize));
        record.wait_message = text.substr(0, text.find('\0'));
    }
    return record;
}

MaybeRecord decode_struct(Cursor cursor) {
    const auto name = cursor.take_string();
    if (!name)
        return std::nullopt;
    return StructRecord{*name, cursor.take_rest()};
}

MaybeRecord decode_struct_array(Cursor cursor) {
    const auto item_size = cursor.take<uint64_t>();
    const auto name = cursor.take_string();
    if (!item_size || *item_size == 0 || !name || cursor.remaining() % *item_size != 0)
        return std::nullopt;
    return StructArrayRecord{*name, *item_size, cursor.take_rest()};
}

MaybeRecord decode_process_start(Cursor cursor) {
    const auto raw = cursor.take<ktr_proc_ctor>();
    if (!raw)
        return std::nullopt;
    return ProcessStartRecord{raw->sv_flags};
}

MaybeRecord decode_fault(Cursor cursor) {
    const auto raw = cursor.take<ktr_fault>();
    if (!raw)
        return std::nullopt;
    return FaultRecord{raw->vaddr, static_cast<uint32_t>(raw->type)};
}

MaybeRecord decode_fault_end(Cursor cursor) {
    const auto raw = cursor.take<ktr_faultend>();
    if (!raw)
        return std::nullopt;
    return FaultEndRecord{raw->result};
}

// The rest of struct ktr_cap_fail is zero.
MaybeRecord decode_capability(Cursor cursor) {
    const auto kind = cursor.take<uint32_t>();
    const auto code = cursor.take<int16_t>();
    const auto pad = cursor.take<uint16_t>();
    const auto flags = cursor.take<uint64_t>(); // sv_flags and padding
    const auto needed = cursor.take<uint64_t>();
    if (!kind || !code || !pad || !flags || !needed)
        return std::nullopt;
    return CapabilityRecord{*kind, *code, *needed};
}

MaybeRecord decode_uring(Cursor cursor) {
    const auto raw = cursor.take<ktr_uring>();
    if (!raw)
        return std::nullopt;
    return UringRecord{
        raw->event == KTR_URING_COMPLETE, raw->opcode, raw->fd, raw->result, raw->flags, raw->user_data};
}

MaybeRecord decode_lost(Bytes payload) {
    if (payload.size() % sizeof(ktr_lost) != 0)
        return std::nullopt;
    return LostRecord{ArrayView<ktr_lost>(payload)};
}

// Texts with and without the NUL that FreeBSD puts at the end of some.
std::string_view text_up_to_nul(Bytes payload) {
    const std::string_view text = as_text(payload);
    return text.substr(0, text.find('\0'));
}

MaybeRecord decode_payload(uint32_t type, Bytes payload) {
    switch (type) {
    case KTR_SYSCALL:
        return decode_syscall(Cursor(payload));
    case KTR_SYSRET:
        return decode_sysret(Cursor(payload));
    case KTR_NAMEI:
        return PathRecord{as_text(payload)};
    case KTR_GENIO:
        return decode_genio(Cursor(payload));
    case KTR_PSIG:
        return decode_signal(Cursor(payload));
    case KTR_CSW:
        return decode_switch(Cursor(payload));
    case KTR_USER:
        return UserRecord{payload};
    case KTR_STRUCT:
        return decode_struct(Cursor(payload));
    case KTR_SYSCTL:
        return SysctlRecord{text_up_to_nul(payload)};
    case KTR_PROCCTOR:
        return decode_process_start(Cursor(payload));
    case KTR_PROCDTOR:
        return ProcessEndRecord{};
    case KTR_CAPFAIL:
        return decode_capability(Cursor(payload));
    case KTR_URING:
        return decode_uring(Cursor(payload));
    case KTR_FAULT:
        return decode_fault(Cursor(payload));
    case KTR_FAULTEND:
        return decode_fault_end(Cursor(payload));
    case KTR_STRUCT_ARRAY:
        return decode_struct_array(Cursor(payload));
    case KTR_ARGS:
        return ArgumentsRecord{StringList(payload)};
    case KTR_ENVS:
        return EnvironmentRecord{StringList(payload)};
    case KTR_EMUL:
        return EmulationRecord{text_up_to_nul(payload)};
    case KTR_LOST:
        return decode_lost(payload);
    default:
        return OtherRecord{type, payload};
    }
}

// RET instead of "RET ": labels are padded to four columns for kdump.
std::string trimmed_label(const RecordType &type) {
    return std::string(type.label.substr(0, type.label.find(' ')));
}

Error wrong_payload(const RecordView &view) {
    const RecordType *type = find_record_type(view.type);
    const std::string label = type ? trimmed_label(*type) : std::to_string(view.type);
    const std::string least = type ? std::to_string(type->min_length) : "0";
    return Error{{},
                 view.offset,
                 "the " + label + " record's " + std::to_string(view.payload.size()) +
                     " bytes do not fit its structure (at least " + least +
                     " bytes, and as many as its own counts say)"};
}

} // namespace

Result<Record> decode(const RecordView &view) {
    if (MaybeRecord record = decode_payload(view.type, view.payload))
        return *record;
    return wrong_payload(view);
}

} // namespace ktools
