// SPDX-License-Identifier: GPL-2.0-only
//
// STRU: the structures that are known by name, in the layout of the program's ABI; others as bytes.
//
//   struct rlimit { .cur=1024, .max=RLIM_INFINITY }      a structure
//   int_pair { 3, 4 }                                    a value, or two of them
//   struct iovec[] = { { .base=0x1000, .len=5 } }        an array
//   struct bpf_attr, 16 bytes                            and below it those bytes

#include "print_struct.hpp"
#include "text.hpp"

#include <algorithm>

namespace ktools {

namespace {

bool is_struct_name(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || letter == '_';
    });
}

// How to print one type.
class Decoder {
  public:
    explicit Decoder(std::string_view name) : type_(find_struct(name)), body_(find_struct_body(name)) {
        constexpr std::string_view kPair = "_pair";
        if (type_ && name.ends_with(kPair))
            half_ = find_struct(name.substr(0, name.size() - kPair.size()));
        const Fields fields = find_fields(half_ ? half_->name : name);
        has_fields_ = !fields.empty();
        is_plain_ = has_fields_ && fields.front().name == "_";
    }

    // False: all that can be done is to show the bytes.
    explicit operator bool() const { return type_ && (body_ || has_fields_); }

    // A number, some numbers, or what FreeBSD shows as if it were one.
    [[nodiscard]] bool is_value() const {
        constexpr std::string_view kValues[] = {"cpumask", "fd_set", "itimerval", "nodemask"};
        return is_plain_ ||
               std::find(std::begin(kValues), std::end(kValues), type_->name) != std::end(kValues);
    }
    // Whether put() prints no braces.
    [[nodiscard]] bool is_bare() const { return is_plain_ && !half_; }

    [[nodiscard]] bool fits(Abi abi, size_t size) const {
        return type_->fits(abi, size) && size >= least(abi);
    }

    void put(PrintContext context, Bytes data) const {
        if (body_)
            body_->put(context, type_->name, data);
        else if (half_)
            put_pair(context, data);
        else
            put_field_body(context, *type_, data);
    }

  private:
    // Of what varies in size, there has to be one member at least.
    [[nodiscard]] size_t least(Abi abi) const {
        if (body_ || !type_->varies)
            return body_ ? body_->least : 0;
        const FieldPlace first = find_fields(type_->name).front().place(abi);
        return size_t{first.offset} + first.size;
    }

    void put_pair(PrintContext context, Bytes data) const {
        const size_t size = data.size() / 2;
        context.out.put("{ ");
        put_field_body(context, *half_, data.first(size));
        context.out.put(", ");
        put_field_body(context, *half_, data.subspan(size));
        context.out.put(" }");
    }

    const StructType *type_;
    const StructBody *body_;
    const StructType *half_ = nullptr; // of a pair
    bool has_fields_;
    bool is_plain_;
};

void put_undecoded(PrintContext context, Bytes data) {
    context.out.print(", {} byte{}\n", data.size(), data.size() == 1 ? "" : "s");
    put_dump(context.out, as_text(data), context.options.width);
}

void put_items(PrintContext context, const Decoder &decoder, const StructArrayRecord &record) {
    std::string_view separator = " ";
    for (size_t at = 0; at < record.data.size(); at += record.item_size) {
        context.out.put(separator);
        decoder.put(context, record.data.subspan(at, record.item_size));
        separator = decoder.is_value() ? ", " : "\n             ";
    }
}

} // namespace

void print(PrintContext context, const StructRecord &record) {
    Output &out = context.out;
    const Decoder decoder(record.name);
    if (!is_struct_name(record.name) || (decoder && !decoder.fits(context.abi, record.data.size()))) {
        out.put("invalid record\n");
    } else if (!decoder) {
        out.print("struct {}", record.name);
        put_undecoded(context, record.data);
    } else {
        out.print("{}{} {}", decoder.is_value() ? "" : "struct ", record.name, decoder.is_bare() ? "{ " : "");
        decoder.put(context, record.data);
        out.put(decoder.is_bare() ? " }\n" : "\n");
    }
}

void print(PrintContext context, const StructArrayRecord &record) {
    Output &out = context.out;
    const Decoder decoder(record.name);
    if (!is_struct_name(record.name) || (decoder && !decoder.fits(context.abi, record.item_size))) {
        out.put("invalid record\n");
    } else if (!decoder) {
        out.print("struct {}[{}]", record.name, record.data.size() / record.item_size);
        put_undecoded(context, record.data);
    } else {
        out.print("{}{}[] = {{", decoder.is_value() ? "" : "struct ", record.name);
        put_items(context, decoder, record);
        out.put(" }\n");
    }
}

} // namespace ktools
