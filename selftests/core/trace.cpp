// SPDX-License-Identifier: GPL-2.0-only
#include "trace.hpp"

#include <algorithm>

namespace {

template <typename Header> Header header_at(const std::vector<std::byte> &bytes, size_t at) {
    Header header{};
    std::memcpy(&header, bytes.data() + at, sizeof(header));
    return header;
}

template <typename Header> void common(Record &record, const Header &header) {
    record.type = header.ktr_type & static_cast<uint16_t>(~KTR_TYPE);
    record.drop = header.ktr_type & KTR_DROP;
    record.pid = header.ktr_pid;
    record.tid = header.ktr_tid;
    record.comm = std::string(header.ktr_comm, strnlen(header.ktr_comm, sizeof(header.ktr_comm)));
    record.time = header.ktr_time.tv_sec * 1'000'000'000;
}

} // namespace

Trace::Trace(const std::vector<std::byte> &bytes) {
    for (size_t at = 0; at < bytes.size();) {
        Record record;
        record.offset = at;
        if (bytes.size() - at < sizeof(ktr_header)) {
            whole = false;
            return;
        }
        const auto header = header_at<ktr_header>(bytes, at);
        record.v1 = header.ktr_type & KTR_VERSIONED;
        const size_t header_size = record.v1 ? sizeof(ktr_header_v1) : sizeof(ktr_header);
        if (header.ktr_len < 0 || bytes.size() - at < header_size + static_cast<size_t>(header.ktr_len)) {
            whole = false;
            return;
        }
        common(record, header);
        record.time += header.ktr_time.tv_usec * 1000;
        if (record.v1) {
            const auto v1 = header_at<ktr_header_v1>(bytes, at);
            common(record, v1);
            record.time += v1.ktr_time.tv_nsec;
            record.cpu = v1.ktr_cpu;
            whole &= v1.ktr_version == KTR_VERSION1 && v1.ktr_pad == 0;
        }
        whole &= record.type > 0 && record.type < KTR_NTYPES;
        at += header_size;
        record.payload.assign(reinterpret_cast<const char *>(bytes.data()) + at,
                              static_cast<size_t>(header.ktr_len));
        at += record.payload.size();
        records.push_back(std::move(record));
    }
}

std::vector<uint16_t> Trace::types() const {
    std::vector<uint16_t> all;
    for (const Record &record : records)
        all.push_back(record.type);
    return all;
}

std::vector<uint16_t> Trace::types_of(int32_t pid) const {
    std::vector<uint16_t> all;
    for (const Record &record : records)
        if (record.pid == pid)
            all.push_back(record.type);
    return all;
}

size_t Trace::count(uint16_t type) const {
    return static_cast<size_t>(std::count_if(records.begin(), records.end(),
                                             [&](const Record &record) { return record.type == type; }));
}

const Record *Trace::first(uint16_t type) const {
    for (const Record &record : records)
        if (record.type == type)
            return &record;
    return nullptr;
}

std::map<uint32_t, uint64_t> Trace::lost() const {
    std::map<uint32_t, uint64_t> sum;
    for (const Record &record : records)
        for (size_t at = 0; record.type == KTR_LOST && at < record.payload.size(); at += sizeof(ktr_lost))
            sum[record.as<ktr_lost>(at).ktr_type] += record.as<ktr_lost>(at).ktr_count;
    return sum;
}

bool Trace::in_order() const {
    return std::is_sorted(records.begin(), records.end(),
                          [](const Record &a, const Record &b) { return a.time < b.time; });
}
