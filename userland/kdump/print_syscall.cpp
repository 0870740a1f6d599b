// SPDX-License-Identifier: GPL-2.0-only
//
// CALL and RET.

#include "arg_meaning.hpp"
#include "names.hpp"
#include "print.hpp"
#include "print_argument.hpp"

#include <algorithm>
#include <array>
#include <linux/fcntl.h>
#include <optional>
#include <span>

namespace ktools {

namespace {

// A mode argument counts only when a file may be made.
constexpr uint64_t kOpenUsesMode = O_CREAT | (O_TMPFILE & ~O_DIRECTORY);

// The arguments of one call that the table knows.
class Arguments {
  public:
    Arguments(PrintContext context, const SyscallInfo &call, std::span<const uint64_t> values)
        : context_(context), call_(call), values_(values), meaning_(call, values) {}

    void put(size_t index) {
        const SyscallArg arg = meaning_.of(index);
        if (arg.kind == ArgKind::MODE && is_unused_mode(index)) {
            context_.out.put("<unused>");
            put_number(context_, values_[index]);
        } else {
            put_argument(context_, arg, call_.name, values_[index]);
        }
    }

  private:
    [[nodiscard]] bool is_unused_mode(size_t index) const {
        if (index == 0 || call_.args()[index - 1].type != "open")
            return false;
        return !(values_[index - 1] & kOpenUsesMode);
    }

    PrintContext context_;
    const SyscallInfo &call_;
    std::span<const uint64_t> values_;
    ArgMeaning meaning_;
};

// A record may have more than the call knows, or fewer: what is beyond it are plain numbers.
void put_arguments(PrintContext context, const SyscallInfo *call, const SyscallRecord &record) {
    std::array<uint64_t, SyscallInfo::kMaxArgs> values{};
    const size_t known =
        call && context.options.fancy ? std::min(call->args().size(), record.args.size()) : 0;
    const uint64_t bits = context.abi == Abi::Linux32 ? UINT32_MAX : UINT64_MAX;
    for (size_t index = 0; index < known; ++index)
        values[index] = record.args[index] & bits;
    std::optional<Arguments> arguments;
    if (known)
        arguments.emplace(context, *call, std::span(values).first(known));
    for (size_t index = 0; index < record.args.size(); ++index) {
        context.out.put(index == 0 ? '(' : ',');
        if (index < known)
            arguments->put(index);
        else
            put_number(context, record.args[index]);
    }
    context.out.put(record.args.size() ? ")\n" : "\n");
}

void put_value(PrintContext context, int64_t value) {
    if (!context.options.fancy) {
        put_number(context, static_cast<uint64_t>(value));
        return;
    }
    context.out.put_decimal(value);
    if (value < 0 || value > 9) {
        context.out.put('/');
        context.out.put_hex(static_cast<uint64_t>(value));
    }
}

void put_error(PrintContext context, int error) {
    context.out.put("-1 errno ");
    context.out.put_decimal(error);
    if (context.options.fancy) {
        context.out.put(' ');
        context.out.put(error_text(error));
    }
}

} // namespace

void put_number(PrintContext context, uint64_t value) {
    if (context.options.decimal)
        context.out.put_decimal(static_cast<int64_t>(value));
    else
        context.out.put_hex(value);
}

void put_syscall_name(PrintContext context, int code) {
    const SyscallInfo *info = find_syscall(context.abi, code);
    if (info)
        context.out.put(info->name);
    if (!info || context.options.numbers) {
        context.out.put('[');
        context.out.put_decimal(code);
        context.out.put(']');
    }
}

void print(PrintContext context, const SyscallRecord &record) {
    put_syscall_name(context, record.code);
    put_arguments(context, find_syscall(context.abi, record.code), record);
}

void print(PrintContext context, const SysretRecord &record) {
    put_syscall_name(context, record.code);
    context.out.put(' ');
    if (record.error == 0)
        put_value(context, record.value);
    else if (record.error == KTR_ERESTART)
        context.out.put("RESTART");
    else if (record.error == KTR_EJUSTRETURN)
        context.out.put("JUSTRETURN");
    else
        put_error(context, record.error);
    context.out.put('\n');
}

} // namespace ktools
