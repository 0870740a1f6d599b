// SPDX-License-Identifier: GPL-2.0-only
//
// NAMI, SCTL, ARGS, ENVS, EMUL, CSW, PFLT, PRET and LOST: records of one line.

#include "flags.hpp"
#include "name_sets.hpp"
#include "names.hpp"
#include "print.hpp"
#include "record_types.hpp"
#include "text.hpp"

namespace ktools {

namespace {

void put_line(Output &out, std::string_view text) {
    put_quoted(out, text);
    out.put('\n');
}

void put_strings(Output &out, StringList strings) {
    bool first = true;
    while (const auto string = strings.next()) {
        if (!first)
            out.put(", ");
        put_quoted(out, *string);
        first = false;
    }
    out.put('\n');
}

void put_type(Output &out, uint32_t number) {
    if (const RecordType *type = find_record_type(number))
        out.put(type->label.substr(0, type->label.find(' ')));
    else
        out.print("UNKNOWN({})", number);
}

// A constant by name, or its number.
void put_constant(Output &out, std::string_view before, std::string_view set, uint32_t value) {
    const NameSet *names = find_name_set(set);
    const std::string_view name = names ? names->constant_name(value) : std::string_view();
    out.put(before);
    if (name.empty())
        out.print("{}", value);
    else
        out.put(name);
}

} // namespace

void put_flags(Output &out, std::string_view set, uint64_t value) {
    put_flags(out, find_flag_set(set), value);
}

void put_flags(Output &out, FlagSet set, uint64_t value) {
    char separator = '<';
    const uint64_t rest = split_flags(set, value, [&](std::string_view name) {
        out.put(separator);
        out.put(name);
        separator = '|';
    });
    if (separator == '<')
        out.put('<');
    out.put('>');
    if (rest)
        out.print("<invalid>{}", rest);
}

void print(PrintContext context, const PathRecord &record) { put_line(context.out, record.path); }

void print(PrintContext context, const SysctlRecord &record) { put_line(context.out, record.name); }

void print(PrintContext context, const EmulationRecord &record) { put_line(context.out, record.name); }

void print(PrintContext context, const ArgumentsRecord &record) { put_strings(context.out, record.strings); }

void print(PrintContext context, const EnvironmentRecord &record) {
    put_strings(context.out, record.strings);
}

void print(PrintContext context, const SwitchRecord &record) {
    context.out.put(record.leaves ? "stop " : "resume ");
    context.out.put(record.involuntary ? "user" : "kernel");
    if (record.wait_message) {
        context.out.put(' ');
        put_quoted(context.out, *record.wait_message);
    }
    context.out.put('\n');
}

void print(PrintContext context, const CapabilityRecord &record) {
    Output &out = context.out;
    put_syscall_name(context, record.code);
    if (record.kind == KTR_CAPFAIL_SYSCALL) {
        out.put(" is refused by a seccomp filter\n");
        return;
    }
    out.put(" requires");
    for (unsigned i = 0; i < 64; ++i)
        if (record.needed >> i & 1)
            put_constant(out, " ", "capability", i);
    out.put('\n');
}

void print(PrintContext context, const UringRecord &record) {
    Output &out = context.out;
    put_constant(out, record.completes ? "complete " : "submit ", "io_uring_op", record.opcode);
    if (record.completes)
        out.print(" result {} flags {:#x}", record.result, record.flags);
    else
        out.print(" fd {}", record.fd);
    out.print(" user_data {:#x}\n", record.user_data);
}

void print(PrintContext context, const FaultRecord &record) {
    context.out.print("0x{:x} ", record.address);
    context.out.put_hex(record.access);
    if (record.access)
        put_flags(context.out, "fault_access", record.access);
    context.out.put('\n');
}

void print(PrintContext context, const FaultEndRecord &record) {
    const std::string_view name = fault_result_name(record.result);
    if (name.empty())
        context.out.print("<invalid={}>", record.result);
    else
        context.out.put(name);
    context.out.put('\n');
}

void print(PrintContext context, const LostRecord &record) {
    Output &out = context.out;
    uint64_t total = 0;
    for (size_t i = 0; i < record.counts.size(); ++i)
        total += record.counts[i].ktr_count;
    out.print("{} record{}", total, total == 1 ? "" : "s");
    for (size_t i = 0; i < record.counts.size(); ++i) {
        out.print("{}{} ", i == 0 ? " (" : ", ", record.counts[i].ktr_count);
        put_type(out, record.counts[i].ktr_type);
    }
    out.put(record.counts.size() ? ")\n" : "\n");
}

} // namespace ktools
