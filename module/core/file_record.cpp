// SPDX-License-Identifier: GPL-2.0-only
// Both headers of uapi/ktrace.h; Documentation/format.rst shows them byte by byte.
#include "file_record.hpp"

#include <cstring>

#include "base/poison.hpp"

namespace ktr {

static_assert(sizeof(ktr_header) == 56 && offsetof(ktr_header, ktr_time) == 32 &&
              offsetof(ktr_header, ktr_tid) == 48);
static_assert(sizeof(ktr_header_v1) == 64 && offsetof(ktr_header_v1, ktr_time) == 32 &&
              offsetof(ktr_header_v1, ktr_tid) == 48 && offsetof(ktr_header_v1, ktr_cpu) == 56);
static_assert(sizeof(Entry::comm) <= KTR_COMM_LEN);

namespace {

constexpr uint64_t kNsPerSecond = 1000000000;
constexpr uint64_t kNsPerMicrosecond = 1000;

size_t header_size(uint16_t type) {
    return type & KTR_VERSIONED ? sizeof(ktr_header_v1) : sizeof(ktr_header);
}

// What both headers have, at the same places.
template <typename Header> Header common_header(const Entry &entry, uint64_t realtime) {
    Header header{};
    header.ktr_len = static_cast<int32_t>(entry.length);
    header.ktr_type = static_cast<uint16_t>(entry.type | entry.flags);
    header.ktr_pid = entry.pid;
    std::memcpy(header.ktr_comm, entry.comm, sizeof(entry.comm));
    header.ktr_time.tv_sec = static_cast<int64_t>(realtime / kNsPerSecond);
    header.ktr_tid = entry.tid;
    return header;
}

} // namespace

size_t file_record_size(const Entry &entry) { return header_size(entry.flags) + entry.length; }

void put_file_record(std::byte *to, const Entry &entry, uint64_t realtime) {
    const uint64_t ns = realtime % kNsPerSecond;
    if (entry.flags & KTR_VERSIONED) {
        auto header = common_header<ktr_header_v1>(entry, realtime);
        header.ktr_version = KTR_VERSION1;
        header.ktr_time.tv_nsec = static_cast<int64_t>(ns);
        header.ktr_cpu = static_cast<int32_t>(entry.cpu);
        std::memcpy(to, &header, sizeof(header));
    } else {
        auto header = common_header<ktr_header>(entry, realtime);
        header.ktr_time.tv_usec = static_cast<int64_t>(ns / kNsPerMicrosecond);
        std::memcpy(to, &header, sizeof(header));
    }
    std::memcpy(to + header_size(entry.flags), entry.payload(), entry.length);
}

size_t file_record_at(const std::byte *from) {
    int32_t length = 0;
    uint16_t type = 0;
    std::memcpy(&length, from + offsetof(ktr_header, ktr_len), sizeof(length));
    std::memcpy(&type, from + offsetof(ktr_header, ktr_type), sizeof(type));
    return header_size(type) + static_cast<size_t>(length);
}

} // namespace ktr
