// SPDX-License-Identifier: GPL-2.0-only
//
// A record as kdump's lines.

#include "printer.hpp"

#include "print.hpp"
#include "record_types.hpp"
#include "text.hpp"

#include <algorithm>

namespace ktools {

namespace {

constexpr size_t kCommColumns = 8;
constexpr size_t kCommLimit = 19;

void put_id(Output &out, int64_t id) { out.print("{:6} ", std::max<int64_t>(id, 0)); }

void put_comm(Output &out, std::string_view comm) {
    const size_t columns = put_escaped(out, comm.substr(0, kCommLimit));
    for (size_t column = columns; column < kCommColumns; ++column)
        out.put(' ');
    out.put(' ');
}

// later - earlier, where a damaged file may hold any number of seconds.
struct Difference {
    bool is_negative;
    uint64_t seconds;
    uint64_t nanoseconds;
};

Difference difference(const Timestamp &later, const Timestamp &earlier) {
    constexpr int64_t kBillion = 1'000'000'000;
    const auto key = [](const Timestamp &time) { return std::pair(time.seconds, time.nanoseconds); };
    if (key(later) < key(earlier)) {
        Difference opposite = difference(earlier, later);
        opposite.is_negative = true;
        return opposite;
    }
    uint64_t seconds = static_cast<uint64_t>(later.seconds) - static_cast<uint64_t>(earlier.seconds);
    int64_t nanoseconds = later.nanoseconds - earlier.nanoseconds;
    if (nanoseconds < 0) {
        nanoseconds += kBillion;
        --seconds;
    }
    return {false, seconds, static_cast<uint64_t>(nanoseconds)};
}

// With as many digits as the record's header has.
void put_fraction(Output &out, uint64_t nanoseconds, bool is_v1) {
    if (is_v1)
        out.print(".{:09} ", nanoseconds);
    else
        out.print(".{:06} ", nanoseconds / 1000);
}

void put_difference(Output &out, const Difference &value, bool is_v1) {
    out.print("{}{}", value.is_negative ? "-" : "", value.seconds);
    put_fraction(out, value.nanoseconds, is_v1);
}

struct PrintPayload {
    PrintContext context;

    template <typename T> void operator()(const T &record) const { print(context, record); }
    void operator()(const ProcessStartRecord &) const {}
    void operator()(const ProcessEndRecord &) const {}
};

bool is_shown(const Record &record) {
    return !std::holds_alternative<ProcessStartRecord>(record) &&
           !std::holds_alternative<ProcessEndRecord>(record);
}

} // namespace

void Printer::note(const RecordView &view, const Record &record) {
    if (const auto *start = std::get_if<ProcessStartRecord>(&record))
        process_abi_.insert_or_assign(view.pid, start->abi);
    else if (std::holds_alternative<ProcessEndRecord>(record))
        process_abi_.erase(view.pid);
    else if (const auto *call = std::get_if<SyscallRecord>(&record))
        note_call(view, *call);
}

// A 64-bit program can make 32-bit calls (int $0x80), with structures of 32 bits: those are recorded
// between this record and the thread's next.
void Printer::note_call(const RecordView &view, const SyscallRecord &call) {
    const auto process = process_abi_.find(view.pid);
    const uint32_t own = process == process_abi_.end() ? KTR_SV_LINUX64 : process->second;
    if (call.abi && abi_of_flags(call.abi) != abi_of_flags(own))
        foreign_call_.insert_or_assign(view.tid, call.abi);
    else if (!foreign_call_.empty())
        foreign_call_.erase(view.tid);
}

void Printer::announce_drop(const RecordView &view) {
    if (!view.after_drop || drop_announced_)
        return;
    put_id(out_, view.pid);
    put_comm(out_, view.comm);
    out_.put("Events dropped.\n");
    drop_announced_ = true;
}

// What the record itself says goes before what its process is.
std::optional<uint32_t> Printer::abi_flags(const RecordView &view, const Record &record) const {
    uint32_t own = 0;
    if (const auto *call = std::get_if<SyscallRecord>(&record))
        own = call->abi;
    else if (const auto *ret = std::get_if<SysretRecord>(&record))
        own = ret->abi;
    else if (std::holds_alternative<StructRecord>(record) ||
             std::holds_alternative<StructArrayRecord>(record))
        own = foreign_call_.contains(view.tid) ? foreign_call_.at(view.tid) : 0;
    if (own)
        return own;
    const auto process = process_abi_.find(view.pid);
    return process == process_abi_.end() ? std::nullopt : std::optional(process->second);
}

void Printer::put_process(const RecordView &view) {
    put_id(out_, view.pid);
    if (options_.threads)
        put_id(out_, view.tid);
    put_comm(out_, view.comm);
}

void Printer::put_times(const RecordView &view) {
    if (options_.absolute) {
        out_.print("{}", view.time.seconds);
        put_fraction(out_, static_cast<uint64_t>(view.time.nanoseconds), view.is_v1);
    }
    if (!first_)
        first_ = view.time;
    if (options_.elapsed)
        put_difference(out_, difference(view.time, *first_), view.is_v1);
    if (options_.relative)
        put_difference(out_, difference(view.time, previous_.value_or(view.time)), view.is_v1);
    previous_ = view.time;
}

void Printer::put_label(const RecordView &view) {
    if (const RecordType *type = find_record_type(view.type))
        out_.put(type->label);
    else
        out_.print("UNKNOWN({})", view.type);
    out_.put("  ");
}

void Printer::put_abi(std::optional<uint32_t> flags) {
    constexpr uint32_t kAbiMask = 0xff;
    constexpr uint32_t kAbiLinux = 3;
    constexpr uint32_t kAbiFreeBsd = 9;
    constexpr uint32_t kIlp32 = 0x100;
    constexpr uint32_t kLp64 = 0x200;
    const uint32_t value = flags.value_or(0);
    const uint32_t abi = value & kAbiMask;
    out_.put(abi == kAbiLinux ? 'L' : abi == kAbiFreeBsd ? 'F' : 'U');
    out_.put(value & kIlp32 ? "32  " : value & kLp64 ? "64  " : "00  ");
}

void Printer::print_record(const RecordView &view, const Record &record) {
    if (!is_shown(record))
        return;
    const std::optional<uint32_t> flags = abi_flags(view, record);
    put_process(view);
    put_times(view);
    if (options_.cpu && view.is_v1)
        out_.print("{:3} ", view.cpu);
    put_label(view);
    if (options_.abi)
        put_abi(flags);
    std::visit(PrintPayload{{out_, options_, abi_of_flags(flags.value_or(KTR_SV_LINUX64))}}, record);
    out_.end_record(options_.follow);
    drop_announced_ = false;
}

} // namespace ktools
