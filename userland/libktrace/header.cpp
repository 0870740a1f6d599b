// SPDX-License-Identifier: BSD-2-Clause
//
// The two headers of a record.

#include "header.hpp"

namespace ktools {

namespace {

static_assert(sizeof(ktr_header) == 56 && offsetof(ktr_header, ktr_time) == 32);
static_assert(sizeof(ktr_header_v1) == 64 && offsetof(ktr_header_v1, ktr_cpu) == 56);

// Types up to here may be of a newer kernel; beyond, they are damage.
constexpr uint32_t kTypeLimit = 64;

std::string_view comm_of(Bytes bytes) {
    static_assert(offsetof(ktr_header, ktr_comm) == offsetof(ktr_header_v1, ktr_comm));
    const std::string_view text = as_text(bytes.subspan(offsetof(ktr_header, ktr_comm), KTR_COMM_LEN));
    return text.substr(0, text.find('\0'));
}

template <typename Raw> RecordView common_part(const Raw &raw, Bytes bytes) {
    RecordView view;
    view.type = raw.ktr_type & ~static_cast<uint32_t>(KTR_TYPE);
    view.after_drop = raw.ktr_type & KTR_DROP;
    view.pid = raw.ktr_pid;
    view.tid = raw.ktr_tid;
    view.comm = comm_of(bytes);
    return view;
}

bool is_versioned(Bytes bytes) {
    return load<uint16_t>(bytes.subspan(offsetof(ktr_header, ktr_type))) & KTR_VERSIONED;
}

bool in_range(int64_t value, int64_t limit) { return value >= 0 && value < limit; }

std::string time_implausibility(Bytes bytes) {
    constexpr int64_t kMillion = 1'000'000;
    constexpr int64_t kBillion = 1'000'000'000;
    if (is_versioned(bytes)) {
        const auto raw = load<ktr_header_v1>(bytes);
        if (raw.ktr_version != KTR_VERSION1)
            return "expected a header of version 1, found version " + std::to_string(raw.ktr_version);
        if (!in_range(raw.ktr_time.tv_nsec, kBillion))
            return "expected nanoseconds below 1000000000, found " + std::to_string(raw.ktr_time.tv_nsec);
        return {};
    }
    const auto raw = load<ktr_header>(bytes);
    if (!in_range(raw.ktr_time.tv_usec, kMillion))
        return "expected microseconds below 1000000, found " + std::to_string(raw.ktr_time.tv_usec);
    return {};
}

} // namespace

size_t header_size(Bytes start) { return is_versioned(start) ? sizeof(ktr_header_v1) : sizeof(ktr_header); }

RecordView parse_header(Bytes bytes) {
    if (is_versioned(bytes)) {
        const auto raw = load<ktr_header_v1>(bytes);
        RecordView view = common_part(raw, bytes);
        view.is_v1 = true;
        view.cpu = raw.ktr_cpu;
        view.time = {raw.ktr_time.tv_sec, raw.ktr_time.tv_nsec};
        return view;
    }
    const auto raw = load<ktr_header>(bytes);
    RecordView view = common_part(raw, bytes);
    view.time = {raw.ktr_time.tv_sec, raw.ktr_time.tv_usec * 1000};
    return view;
}

std::string implausibility(Bytes bytes, size_t max_payload) {
    const auto length = load<int32_t>(bytes);
    if (length < 0 || static_cast<size_t>(length) > max_payload)
        return "expected a record length from 0 to " + std::to_string(max_payload) + ", found " +
               std::to_string(length);
    const uint32_t type =
        load<uint16_t>(bytes.subspan(offsetof(ktr_header, ktr_type))) & ~static_cast<uint32_t>(KTR_TYPE);
    if (type == 0 || type >= kTypeLimit)
        return "expected a record type from 1 to " + std::to_string(kTypeLimit - 1) + ", found " +
               std::to_string(type);
    // The rest is looked at when the whole header is there.
    return bytes.size() < header_size(bytes) ? std::string() : time_implausibility(bytes);
}

} // namespace ktools
