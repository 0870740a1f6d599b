// SPDX-License-Identifier: GPL-2.0-only
// ARGS and ENVS: the strings that exec got, each with its NUL; EMUL: what the image is.
//
// A successful exec has put the strings in a row on the new stack, where they are resident. Those
// of one that failed are still in the caller's memory, behind a vector of pointers, and are
// collected in its door.
#include "capture.hpp"

#include <algorithm>
#include <cstring>

#include "syscall_info.hpp"
#include "user_memory.hpp"

#include "base/poison.hpp"

namespace ktr {

namespace {

constexpr uint64_t kPage = 4096;
constexpr size_t kMaxStrings = KTRACE_STRINGS_MAX;

void emit_area(Thread &thread, uint32_t type, uint64_t start, uint64_t end) {
    Target &target = *thread.target;
    if (!target.wants(type) || end <= start)
        return;
    const UserMemory memory(KTR_SV_LINUX64, /*may_fault=*/false);
    OnCpu cpu;
    const size_t most = std::min(kMaxStrings, target.session().ring(cpu.number()).max_length());
    const size_t length = std::min<uint64_t>(end - start, most);
    const auto fill = [&](std::byte *to) { return memory.read(to, start, length); };
    if (emit(target, identity_of(thread), type, length, fill) == Emit::kRefused && !target.session().failed())
        target.count_lost(type);
}

// Bytes of the string at `from`, its NUL included, put to `to`; 0 if it cannot be read. What does
// not fit into `room` is cut off.
size_t read_string(const UserMemory &memory, uint64_t from, char *to, size_t room) {
    size_t length = 0;
    while (length < room) {
        // Not across a page: the next one may not exist.
        const size_t part = std::min<uint64_t>(room - length, kPage - (from + length) % kPage);
        if (!memory.read(to + length, from + length, part))
            return 0;
        if (const void *end = std::memchr(to + length, '\0', part))
            return static_cast<size_t>(static_cast<const char *>(end) - to) + 1;
        length += part;
    }
    return length;
}

// The strings behind a vector of pointers, in a row.
size_t read_strings(const UserMemory &memory, uint64_t vector, char *to, size_t room) {
    size_t length = 0;
    for (uint64_t at = vector; vector != 0 && length < room; at += memory.word()) {
        uint64_t string = 0;
        if (!memory.read_word(&string, at) || string == 0)
            break;
        const size_t added = read_string(memory, string, to + length, room - length);
        if (added == 0)
            break;
        length += added;
    }
    return length;
}

void emit_vector(Thread &thread, uint32_t type, const UserMemory &memory, uint64_t vector, char *buffer) {
    if (!thread.target->wants(type))
        return;
    if (const size_t length = read_strings(memory, vector, buffer, kMaxStrings))
        emit_bytes(*thread.target, identity_of(thread), type, buffer, length);
}

} // namespace

void capture_emulation(Target &target, const Identity &who, uint32_t abi) {
    const char *name = abi == KTR_SV_LINUX32 ? "linux32" : "linux64";
    if (target.wants(KTR_EMUL))
        emit_bytes(target, who, KTR_EMUL, name, 7);
}

void capture_image(Thread &thread, const ktrace_image &image) {
    emit_area(thread, KTR_ARGS, image.arg_start, image.arg_end);
    emit_area(thread, KTR_ENVS, image.env_start, image.env_end);
}

bool records_failed_exec(const Thread &thread, uint32_t abi, long number, long result) {
    return result < 0 && syscall_info(abi, number).vectors_at != 0 &&
           (thread.target->wants(KTR_ARGS) || thread.target->wants(KTR_ENVS));
}

void capture_failed_exec(Thread &thread, const LateReturn &end) {
    char *buffer = static_cast<char *>(kshim_alloc_pages(kMaxStrings));
    if (!buffer) {
        thread.target->count_lost(KTR_ARGS);
        return;
    }
    const UserMemory memory(end.abi, /*may_fault=*/true);
    const unsigned argv = syscall_info(end.abi, end.number).vectors_at;
    emit_vector(thread, KTR_ARGS, memory, end.args[argv], buffer);
    emit_vector(thread, KTR_ENVS, memory, end.args[argv + 1], buffer);
    kshim_free_pages(buffer);
}

} // namespace ktr
