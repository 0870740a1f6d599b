// SPDX-License-Identifier: GPL-2.0-only
// CAPFAIL: a system call was refused because the thread lacks a capability, or by seccomp.
//
// The kernel asks for capabilities that it can do without (to use reserved memory, say), so a
// missing one is only noted; it is recorded at the end of a call that failed with EPERM or EACCES.
#include "capture.hpp"

#include "syscall_info.hpp"

#include "base/poison.hpp"

namespace ktr {

namespace {

void emit_failure(Thread &thread, uint32_t abi, long number, uint32_t kind, uint64_t capabilities) {
    // In place: it is larger than a frame of the kernel's stack should be.
    emit(*thread.target, identity_of(thread), KTR_CAPFAIL, sizeof(ktr_cap_fail), [=](std::byte *to) {
        ktr_cap_fail *fail = new (to) ktr_cap_fail{};
        fail->cap_type = static_cast<int32_t>(kind);
        fail->cap_code = static_cast<int16_t>(number);
        fail->cap_svflags = abi | KTR_SV_NATIVE;
        fail->cap_needed = capabilities;
        return true;
    });
}

} // namespace

void note_missing_capability(Thread &thread, uint32_t capability) {
    thread.missing_capabilities |= uint64_t{1} << (capability & 63);
}

void capture_refusal(Thread &thread, uint32_t abi, long number, long result) {
    const uint64_t missing = std::exchange(thread.missing_capabilities, 0);
    if (!thread.target->wants(KTR_CAPFAIL) || (result != -kEperm && result != -kEacces))
        return;
    if (missing != 0)
        emit_failure(thread, abi, number, KTR_CAPFAIL_NOTCAPABLE, missing);
}

void capture_seccomp(Thread &thread, uint32_t abi, long number) {
    if (thread.target->wants(KTR_CAPFAIL))
        emit_failure(thread, abi, number, KTR_CAPFAIL_SYSCALL, 0);
}

} // namespace ktr
