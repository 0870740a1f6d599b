// SPDX-License-Identifier: GPL-2.0-only
//
// STRU by the field table: members one after the other.

#include "print_struct.hpp"
#include "text.hpp"

#include <algorithm>

namespace ktools {

namespace {

// What utimensat(2) takes for nanoseconds.
constexpr int64_t kNow = 0x3fffffff;
constexpr int64_t kOmit = 0x3ffffffe;
constexpr int64_t kMillion = 1'000'000;
constexpr int64_t kBillion = 1'000'000'000;

// Seconds and a fraction; as a pair when that is no time, or before 1970, where a point would mislead.
void put_seconds(Output &out, int64_t seconds, int64_t fraction, int64_t unit) {
    if (seconds < 0 || fraction < 0 || fraction >= unit)
        out.print("{{{}, {}}}", seconds, fraction);
    else if (unit == kMillion)
        out.print("{}.{:06}", seconds, fraction);
    else
        out.print("{}.{:09}", seconds, fraction);
}

void put_time_halves(PrintContext context, Bytes bytes, int64_t unit) {
    const size_t half = bytes.size() / 2;
    const int64_t fraction = load_signed(bytes.subspan(half));
    if (context.options.fancy && unit == kBillion && (fraction == kNow || fraction == kOmit))
        context.out.put(fraction == kNow ? "UTIME_NOW" : "UTIME_OMIT");
    else
        put_seconds(context.out, load_signed(bytes.first(half)), fraction, unit);
}

void put_statx_time(PrintContext context, Bytes bytes) {
    put_seconds(context.out, load_signed(bytes.first(8)), load_signed(bytes.subspan(8, 4)), kBillion);
}

void put_flag_field(PrintContext context, std::string_view set, uint64_t value) {
    put_number(context, value);
    const FlagSet flags = find_struct_set(set);
    if (value && context.options.fancy && !flags.empty())
        put_flags(context.out, flags, value);
}

void put_enum_field(PrintContext context, std::string_view set, uint64_t value) {
    const FlagSet names = find_struct_set(set);
    const auto found =
        std::find_if(names.begin(), names.end(), [=](const Flag &name) { return name.value == value; });
    if (context.options.fancy && found != names.end())
        context.out.put(found->name);
    else
        put_number(context, value);
}

void put_mode(PrintContext context, std::string_view set, uint64_t mode) {
    context.out.put_octal(mode);
    if (mode && context.options.fancy)
        put_flags(context.out, find_struct_set(set), mode);
}

void put_handler(PrintContext context, uint64_t address) {
    if (context.options.fancy && address <= 1)
        context.out.put(address == 0 ? "SIG_DFL" : "SIG_IGN");
    else
        put_number(context, address);
}

void put_limit(PrintContext context, Bytes bytes) {
    if (context.options.fancy && load_signed(bytes) == -1)
        context.out.put("RLIM_INFINITY");
    else
        context.out.print("{}", load_unsigned(bytes));
}

void put_signal_field(PrintContext context, Bytes bytes) {
    const int64_t signal = load_signed(bytes);
    if (signal > 0 && signal <= 64 && context.options.fancy)
        put_signal(context, static_cast<int>(signal));
    else
        context.out.put_decimal(signal);
}

void put_text(Output &out, Bytes bytes) {
    const std::string_view text = as_text(bytes);
    put_quoted(out, text.substr(0, text.find('\0')));
}

bool is_value(Fields fields) { return fields.size() == 1 && fields.front().name == "_"; }

// What a newer kernel's structure has behind the members that are known, unless it is all zero.
void put_rest(Output &out, Fields fields, Abi abi, Bytes data) {
    size_t end = 0;
    for (const Field &field : fields) {
        if (field.in(data, abi))
            end = std::max<size_t>(end, field.place(abi).offset + field.place(abi).size);
    }
    const Bytes rest = data.subspan(end);
    if (std::all_of(rest.begin(), rest.end(), [](std::byte byte) { return byte == std::byte{0}; }))
        return;
    out.print("{}{} more:", end ? ", " : "", rest.size());
    put_byte_list(out, rest);
}

} // namespace

void put_field_value(PrintContext context, const Field &field, Bytes bytes) {
    switch (field.format) {
    case FieldFormat::DEC:
        return context.out.put_decimal(load_signed(bytes));
    case FieldFormat::UNS:
        return context.out.print("{}", load_unsigned(bytes));
    case FieldFormat::HEX:
        return put_number(context, load_unsigned(bytes));
    case FieldFormat::MODE:
        return put_mode(context, field.set, load_unsigned(bytes));
    case FieldFormat::FLAGS:
        return put_flag_field(context, field.set, load_unsigned(bytes));
    case FieldFormat::ENUM:
        return put_enum_field(context, field.set, load_unsigned(bytes));
    case FieldFormat::SIGNAL:
        return put_signal_field(context, bytes);
    case FieldFormat::SIGSET:
        return put_signal_set(context, load_unsigned(bytes));
    case FieldFormat::HANDLER:
        return put_handler(context, load_unsigned(bytes));
    case FieldFormat::LIMIT:
        return put_limit(context, bytes);
    case FieldFormat::TEXT:
        return put_text(context.out, bytes);
    case FieldFormat::TIMEVAL:
        return put_time_halves(context, bytes, kMillion);
    case FieldFormat::TIMESPEC:
        return put_time_halves(context, bytes, kBillion);
    case FieldFormat::STATX_TIME:
        return put_statx_time(context, bytes);
    }
}

void put_fields(PrintContext context, Fields fields, Bytes data, bool after_others) {
    for (const Field &field : fields) {
        const auto bytes = field.in(data, context.abi);
        if (!bytes)
            return;
        context.out.print("{}.{}=", after_others ? ", " : "", field.name);
        put_field_value(context, field, *bytes);
        after_others = true;
    }
}

void put_field_body(PrintContext context, const StructType &type, Bytes data) {
    const Fields fields = find_fields(type.name);
    if (is_value(fields))
        return put_field_value(context, fields.front(), data);
    context.out.put("{ ");
    put_fields(context, fields, data);
    if (type.varies)
        put_rest(context.out, fields, context.abi, data);
    context.out.put(" }");
}

} // namespace ktools
