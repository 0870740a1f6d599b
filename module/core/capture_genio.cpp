// SPDX-License-Identifier: GPL-2.0-only
// GENIO: the bytes that a system call has moved, as they are in the caller's memory at its end.
//
// In the probe a page that is not resident cannot be read (a write to /dev/null from memory
// that was never touched, say); then the caller tries again in the thread's door, where it may
// fault, through a buffer of the kernel's.
#include "capture.hpp"

#include <algorithm>

#include "ktrace_core.h"
#include "record.hpp"
#include "syscall_info.hpp"
#include "user_record.hpp"

#include "base/poison.hpp"

namespace ktr {

namespace {

// The bytes that a vector describes, for a write that failed.
bool sum_iovecs(const UserMemory &memory, const Segments &from, uint64_t *ret) {
    *ret = 0;
    for (uint64_t i = 0; i < std::min(from.count, kMaxIovecs); i++) {
        Piece piece{};
        if (!read_iovec(memory, from.address + i * 2 * memory.word(), &piece))
            return false;
        *ret += piece.length;
    }
    return true;
}

// What one record may hold: the administrator's limit, and what the rings take.
size_t capped(Thread &thread, uint64_t bytes) {
    OnCpu cpu;
    const uint64_t room = thread.target->session().ring(cpu.number()).max_length() - sizeof(ktr_genio);
    return static_cast<size_t>(std::min({bytes, uint64_t{ktrace_settings.geniosize}, room}));
}

// False if the data was not resident and must be.
bool emit_segments(Thread &thread, const UserMemory &memory, const ktr_genio &head, const Segments &from,
                   uint64_t bytes) {
    return emit_from_user(thread, memory, KTR_GENIO, {&head, sizeof(head)}, from, capped(thread, bytes));
}

// Each message is a record. sizeof(struct mmsghdr) is 64, 32 for 32-bit callers; msg_len follows the header.
bool emit_messages(Thread &thread, const UserMemory &memory, const ktr_genio &head, uint64_t vector,
                   LateReturn &end) {
    const uint64_t header_bytes = 7 * memory.word();
    const uint64_t stride = 8 * memory.word();
    for (; end.messages_done < end.result; end.messages_done++) {
        const uint64_t at = vector + end.messages_done * stride;
        Segments from{};
        uint32_t bytes = 0;
        if (!read_msghdr_data(memory, at, &from) || !memory.read(&bytes, at + header_bytes, sizeof(bytes)))
            return false;
        if (bytes != 0 && !emit_segments(thread, memory, head, from, bytes))
            return false;
    }
    return true;
}

// What was moved; a write that failed shows what it asked for. Not more than there is room for: with
// MSG_TRUNC a call returns how long the message was.
bool bytes_of(const UserMemory &memory, const LateReturn &end, const Io &io, const Segments &from,
              uint64_t *ret) {
    uint64_t room = 0;
    if (!from.vector)
        room = end.args[io.buffer_arg + 1];
    else if (end.result >= 0 && io.shape == IoShape::IOV)
        room = UINT64_MAX;
    else if (!sum_iovecs(memory, from, &room))
        return false;
    *ret = end.result < 0 ? room : std::min(room, static_cast<uint64_t>(end.result));
    return true;
}

} // namespace

// Reads that moved something; writes, failed ones too unless the memory was bad (as FreeBSD does).
bool moves_bytes(const Thread &thread, uint32_t abi, long number, long result) {
    const Io &io = syscall_info(abi, number).io;
    if (io.direction == IoDirection::NONE || !thread.target->wants(KTR_GENIO))
        return false;
    return result > 0 || (io.direction == IoDirection::WRITE && io.shape != IoShape::MMSG && result < 0 &&
                          result > -4096 && result != -kEfault);
}

bool capture_genio(Thread &thread, LateReturn &end, bool may_fault) {
    const Io &io = syscall_info(end.abi, end.number).io;
    const UserMemory memory(end.abi, may_fault);
    const uint32_t direction = io.direction == IoDirection::READ ? KTR_UIO_READ : KTR_UIO_WRITE;
    const ktr_genio head{static_cast<int32_t>(end.args[io.fd_arg]), direction};
    const uint64_t buffer = end.args[io.buffer_arg];
    if (io.shape == IoShape::MMSG)
        return emit_messages(thread, memory, head, buffer, end);
    Segments from{buffer, io.shape == IoShape::IOV ? end.args[io.buffer_arg + 1] : 0,
                  io.shape == IoShape::IOV};
    if (io.shape == IoShape::MSG && !read_msghdr_data(memory, buffer, &from))
        return false;
    uint64_t bytes = 0;
    if (!bytes_of(memory, end, io, from, &bytes))
        return false;
    return bytes == 0 || emit_segments(thread, memory, head, from, bytes);
}

} // namespace ktr
