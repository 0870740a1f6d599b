// SPDX-License-Identifier: BSD-2-Clause
//
// The table of system calls.

#include "syscalls.hpp"

#include <algorithm>
#include <initializer_list>

namespace ktools {

namespace {

constexpr SyscallInfo row(int number64, int number32, std::string_view name,
                          std::initializer_list<SyscallArg> args) {
    SyscallInfo info{number64, number32, name, {}, static_cast<uint8_t>(args.size())};
    std::copy(args.begin(), args.end(), info.arg_array.begin());
    return info;
}

constexpr SyscallInfo kSyscalls[] = {
#define NOIO
#define IO(direction, fd_arg, shape, buf_arg)
#define A(kind, type, name) SyscallArg{ArgKind::kind, #type, #name},
#define KTR_SYSCALL(number64, number32, name, io, args) row(number64, number32, #name, {args}),
#include "../../uapi/ktrace_syscalls.def"
};

constexpr int number_in(const SyscallInfo &info, Abi abi) {
    return abi == Abi::Linux64 ? info.number64 : info.number32;
}

constexpr int greatest_number(Abi abi) {
    int greatest = 0;
    for (const SyscallInfo &info : kSyscalls)
        greatest = std::max(greatest, number_in(info, abi));
    return greatest;
}

// Index into kSyscalls by number; -1 for a number without a call.
template <Abi abi> constexpr auto index_by_number() {
    std::array<int16_t, greatest_number(abi) + 1> index{};
    index.fill(-1);
    int16_t at = 0;
    for (const SyscallInfo &info : kSyscalls) {
        if (number_in(info, abi) >= 0)
            index[static_cast<size_t>(number_in(info, abi))] = at;
        ++at;
    }
    return index;
}

constexpr auto kIndex64 = index_by_number<Abi::Linux64>();
constexpr auto kIndex32 = index_by_number<Abi::Linux32>();

const SyscallInfo *look_up(std::span<const int16_t> index, int number) {
    if (number < 0 || static_cast<size_t>(number) >= index.size())
        return nullptr;
    const int16_t at = index[static_cast<size_t>(number)];
    return at < 0 ? nullptr : &kSyscalls[at];
}

} // namespace

Abi abi_of_flags(uint32_t sv_flags) {
    constexpr uint32_t kIlp32 = 0x100;
    return sv_flags & kIlp32 ? Abi::Linux32 : Abi::Linux64;
}

const SyscallInfo *find_syscall(Abi abi, int number) {
    return abi == Abi::Linux64 ? look_up(kIndex64, number) : look_up(kIndex32, number);
}

} // namespace ktools
