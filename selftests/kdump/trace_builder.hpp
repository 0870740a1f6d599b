// SPDX-License-Identifier: GPL-2.0-only
//
// Makes trace files byte by byte, from the structures of the format alone: what the
// kernel would write, and what it never would.

#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <linux/ktrace.h>

namespace ktools::test {

template <typename T> void append_value(std::string &bytes, const T &value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

class TraceBuilder {
  public:
    enum class Version { V0, V1 };

    explicit TraceBuilder(Version version) : version_(version) {}

    // Of the records that follow.
    void set_version(Version version) { version_ = version; }
    void set_process(int pid, int64_t tid, std::string_view comm) {
        pid_ = pid;
        tid_ = tid;
        comm_ = comm;
    }
    void set_cpu(int cpu) { cpu_ = cpu; }
    void set_time(int64_t seconds, int64_t nanoseconds) {
        seconds_ = seconds;
        nanoseconds_ = nanoseconds;
    }
    // KTR_DROP in the next record.
    void drop() { flags_ = KTR_DROP; }

    void add(unsigned type, std::string_view payload) {
        if (version_ == Version::V1)
            append_value(bytes_, header_v1(type, payload.size()));
        else
            append_value(bytes_, header_v0(type, payload.size()));
        bytes_ += payload;
        flags_ = 0;
        tick();
    }

    void add_call(int code, std::vector<uint64_t> args, uint32_t abi = KTR_SV_LINUX64) {
        std::string payload;
        append_value(payload, static_cast<int16_t>(code));
        append_value(payload, static_cast<int16_t>(args.size()));
        append_value(payload, abi);
        for (const uint64_t arg : args)
            append_value(payload, arg);
        add(KTR_SYSCALL, payload);
    }

    void add_return(int code, int error, int64_t value, uint32_t abi = KTR_SV_LINUX64) {
        ktr_sysret raw{};
        raw.ktr_code = static_cast<int16_t>(code);
        raw.ktr_abi = static_cast<int16_t>(abi);
        raw.ktr_error = error;
        raw.ktr_retval = value;
        add_struct(KTR_SYSRET, raw);
    }

    void add_genio(int fd, unsigned direction, std::string_view data) {
        std::string payload;
        append_value(payload, ktr_genio{fd, direction});
        payload += data;
        add(KTR_GENIO, payload);
    }

    template <typename T> void add_struct(unsigned type, const T &raw) {
        std::string payload;
        append_value(payload, raw);
        add(type, payload);
    }

    template <typename T> void add_named(std::string_view name, const T &raw) {
        std::string payload(name);
        payload += '\0';
        append_value(payload, raw);
        add(KTR_STRUCT, payload);
    }

    [[nodiscard]] const std::string &bytes() const { return bytes_; }

  private:
    static constexpr int64_t kTick = 1'000'500;
    static constexpr int64_t kBillion = 1'000'000'000;

    [[nodiscard]] ktr_header header_v0(unsigned type, size_t size) const {
        ktr_header header{};
        fill(header, type, size);
        header.ktr_time.tv_sec = seconds_;
        header.ktr_time.tv_usec = nanoseconds_ / 1000;
        return header;
    }

    [[nodiscard]] ktr_header_v1 header_v1(unsigned type, size_t size) const {
        ktr_header_v1 header{};
        fill(header, type | KTR_VERSIONED, size);
        header.ktr_version = KTR_VERSION1;
        header.ktr_time.tv_sec = seconds_;
        header.ktr_time.tv_nsec = nanoseconds_;
        header.ktr_cpu = cpu_;
        return header;
    }

    template <typename Header> void fill(Header &header, unsigned type, size_t size) const {
        header.ktr_len = static_cast<int32_t>(size);
        header.ktr_type = static_cast<uint16_t>(type | flags_);
        header.ktr_pid = pid_;
        header.ktr_tid = tid_;
        std::memcpy(header.ktr_comm, comm_.data(), std::min(comm_.size(), sizeof(header.ktr_comm)));
    }

    void tick() {
        nanoseconds_ += kTick;
        seconds_ += nanoseconds_ / kBillion;
        nanoseconds_ %= kBillion;
    }

    Version version_;
    std::string bytes_;
    std::string comm_ = "sh";
    int pid_ = 100;
    int64_t tid_ = 100;
    int cpu_ = 0;
    unsigned flags_ = 0;
    int64_t seconds_ = 1'700'000'000;
    int64_t nanoseconds_ = 123'456'789;
};

} // namespace ktools::test
