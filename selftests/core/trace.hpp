// SPDX-License-Identifier: GPL-2.0-only
// A trace file as records, taken apart with nothing but uapi/ktrace.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "../../uapi/ktrace.h"

struct Record {
    uint16_t type = 0; // without the flags
    bool drop = false;
    bool v1 = false;
    int32_t pid = 0;
    int64_t tid = 0;
    std::string comm;
    int64_t time = 0; // ns
    int32_t cpu = -1;
    std::string payload;
    size_t offset = 0; // in the file

    template <typename T> T as(size_t at = 0) const {
        T value{};
        if (at + sizeof(T) <= payload.size())
            std::memcpy(&value, payload.data() + at, sizeof(T));
        return value;
    }
    std::string data() const { return payload.substr(sizeof(ktr_genio)); } // of GENIO
};

struct Trace {
    explicit Trace(const std::vector<std::byte> &bytes);

    std::vector<Record> records;
    bool whole = true; // it ends on a record boundary and every header makes sense
    std::vector<uint16_t> types() const;
    std::vector<uint16_t> types_of(int32_t pid) const;
    size_t count(uint16_t type) const;
    const Record *first(uint16_t type) const;
    // By type, from the LOST records.
    std::map<uint32_t, uint64_t> lost() const;
    bool in_order() const; // times never go backwards
};
