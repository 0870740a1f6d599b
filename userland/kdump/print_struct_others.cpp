// SPDX-License-Identifier: GPL-2.0-only
//
// STRU: structures that are more than their members, or are no structures.

#include "print_struct.hpp"
#include "text.hpp"

#include <algorithm>

namespace ktools {

namespace {

// As FreeBSD shows it: seconds and microseconds apart.
void put_itimerval(PrintContext context, std::string_view type, Bytes data) {
    int64_t values[4] = {};
    const Fields fields = find_fields(type);
    for (size_t i = 0; i < std::min(std::size(values), fields.size()); ++i)
        values[i] = load_signed(fields[i].in(data, context.abi).value_or(Bytes{}));
    context.out.print("{{ .interval = {{{}, {}}}, .value = {{{}, {}}} }}", values[0], values[1], values[2],
                      values[3]);
}

// FreeBSD's pollfd has no points.
void put_pollfd(PrintContext context, std::string_view type, Bytes data) {
    std::string_view separator = "{ ";
    for (const Field &field : find_fields(type)) {
        context.out.print("{}{}=", separator, field.name);
        put_field_value(context, field, field.in(data, context.abi).value_or(Bytes{}));
        separator = ", ";
    }
    context.out.put(" }");
}

// The numbers of the bits that are set: descriptors, processors or nodes. As long as x86 counts
// bytes and bits from the same end, the size of the words it is made of does not matter.
void put_bit_set(PrintContext context, std::string_view, Bytes data) {
    std::string_view separator = "[ ";
    for (size_t bit = 0; bit < data.size() * 8; ++bit) {
        if ((data[bit / 8] >> (bit % 8) & std::byte{1}) == std::byte{0})
            continue;
        context.out.print("{}{}", separator, bit);
        separator = ", ";
    }
    context.out.put(separator == "[ " ? "[ ]" : " ]");
}

// Each of the three sets has its low half in the first structure and its high half in the second.
void put_capabilities(PrintContext context, std::string_view, Bytes data) {
    constexpr std::string_view kNames[] = {"effective", "permitted", "inheritable"};
    constexpr size_t kWords = std::size(kNames);
    const ArrayView<uint32_t> words(data);
    for (size_t i = 0; i < kWords; ++i) {
        const uint64_t high = words.size() >= 2 * kWords ? words[i + kWords] : 0;
        context.out.print("{}.{}=", i ? ", " : "{ ", kNames[i]);
        put_number(context, high << 32 | words[i]);
    }
    context.out.put(" }");
}

size_t end_of(Fields fields, Abi abi) {
    const FieldPlace last = fields.back().place(abi);
    return size_t{last.offset} + last.size;
}

void put_file_handle(PrintContext context, std::string_view type, Bytes data) {
    const Fields fields = find_fields(type);
    const size_t head = end_of(fields, context.abi);
    context.out.put("{ ");
    put_fields(context, fields, data);
    // What the kernel filled: how much that is says the first member.
    const size_t size = std::min<size_t>(load_unsigned(data.first(sizeof(uint32_t))), data.size() - head);
    context.out.put(", .handle=");
    for (const std::byte byte : data.subspan(head, size))
        context.out.print("{:02x}", static_cast<uint8_t>(byte));
    context.out.put(" }");
}

// Members, and text behind the last of them: up to a NUL, or all there is.
void put_with_text(PrintContext context, std::string_view type, std::string_view name, bool ends_at_nul,
                   Bytes data) {
    const Fields fields = find_fields(type);
    const size_t head = end_of(fields, context.abi);
    context.out.put("{ ");
    put_fields(context, fields, data);
    context.out.print(", .{}=", name);
    const std::string_view text = as_text(data.subspan(std::min(head, data.size())));
    put_quoted(context.out, ends_at_nul ? text.substr(0, text.find('\0')) : text);
    context.out.put(" }");
}

void put_msgbuf(PrintContext context, std::string_view type, Bytes data) {
    put_with_text(context, type, "mtext", false, data);
}

void put_old_dirent(PrintContext context, std::string_view type, Bytes data) {
    put_with_text(context, type, "name", true, data);
}

constexpr StructBody kBodies[] = {
    {"cap_data", 12, put_capabilities},
    {"cpumask", 0, put_bit_set},
    {"fd_set", 0, put_bit_set},
    {"file_handle", 8, put_file_handle},
    {"itimerval", 0, put_itimerval},
    {"msgbuf", 4, put_msgbuf},
    {"nodemask", 0, put_bit_set},
    {"old_dirent", 10, put_old_dirent},
    {"old_stat", 0, put_stat},
    {"pollfd", 0, put_pollfd},
    {"sigevent", 0, put_sigevent},
    {"siginfo", 0, put_siginfo},
    {"sockaddr", sizeof(uint16_t), put_sockaddr},
    {"stat", 0, put_stat},
    {"stat64", 0, put_stat},
};

constexpr bool by_type(const StructBody &a, const StructBody &b) { return a.type < b.type; }
static_assert(std::is_sorted(std::begin(kBodies), std::end(kBodies), by_type));

} // namespace

const StructBody *find_struct_body(std::string_view type) {
    const auto found =
        std::lower_bound(std::begin(kBodies), std::end(kBodies), StructBody{type, 0, nullptr}, by_type);
    return found == std::end(kBodies) || found->type != type ? nullptr : found;
}

} // namespace ktools
