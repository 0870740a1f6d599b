// SPDX-License-Identifier: GPL-2.0-only
//
// The trace files of structures. The bytes are put down as the kernel's headers have them, and not with
// the table that kdump reads them by.

#include "struct_traces.hpp"

#include "trace_builder.hpp"

#include <functional>

namespace ktools::test {

namespace {

enum class StructAbi { Bits64, Bits32 };

using std::string_literals::operator""s;

// A structure, member by member.
class Bytes {
  public:
    explicit Bytes(StructAbi abi) : abi_(abi) {}

    Bytes &u8(uint8_t value) { return put(value); }
    Bytes &u16(int value) { return put(static_cast<uint16_t>(value)); }
    Bytes &u32(int64_t value) { return put(static_cast<uint32_t>(value)); }
    Bytes &u64(int64_t value) { return put(value); }
    // The ABI's long or pointer.
    Bytes &word(int64_t value) { return abi_ == StructAbi::Bits64 ? u64(value) : u32(value); }
    Bytes &words(std::initializer_list<int64_t> values) {
        for (const int64_t value : values)
            word(value);
        return *this;
    }
    // Four bytes that x86-64 leaves free before a long.
    Bytes &gap() { return abi_ == StructAbi::Bits64 ? zero(4) : *this; }
    Bytes &zero(size_t count) { return text("", count); }
    Bytes &text(std::string_view value, size_t room) {
        bytes_ += value;
        bytes_.append(room - value.size(), '\0');
        return *this;
    }
    Bytes &raw(std::string_view value) { return text(value, value.size()); }
    Bytes &up_to(size_t size) { return zero(size - bytes_.size()); }

    [[nodiscard]] const std::string &bytes() const { return bytes_; }
    [[nodiscard]] bool is64() const { return abi_ == StructAbi::Bits64; }

  private:
    template <typename T> Bytes &put(T value) {
        append_value(bytes_, value);
        return *this;
    }

    StructAbi abi_;
    std::string bytes_;
};

// Takes every record as (type, bytes, how many items: 0 for a single structure).
using Sink = std::function<void(std::string_view type, const std::string &bytes, size_t items)>;

class Samples {
  public:
    Samples(StructAbi abi, Sink sink) : abi_(abi), sink_(std::move(sink)) {}

    void all() {
        add_values();
        add_times();
        add_files();
        add_filesystems();
        add_signals();
        add_siginfo();
        add_processes();
        add_scheduling();
        add_descriptors();
        add_addresses();
        add_ipc();
        add_systems();
        add_extensible();
        add_arrays();
        if (!is64())
            add_old();
    }

  private:
    [[nodiscard]] bool is64() const { return abi_ == StructAbi::Bits64; }
    [[nodiscard]] Bytes make() const { return Bytes(abi_); }
    void add(std::string_view type, const Bytes &bytes, size_t items = 0) {
        sink_(type, bytes.bytes(), items);
    }

    void add_values() {
        add("int", make().u32(-5));
        add("int_pair", make().u32(3).u32(4));
        add("u64", make().u64(-1));
        add("loff", make().u64(-4096));
        add("off", make().word(-1));
        add("fd_set", make().word(0x80000009));
        add("fd_set", make().word(0));
        add("cpumask", make().raw("\x05\0\0\0\0\0\0\x80"s));
        add("nodemask", make().u64(1));
    }

    void add_times() {
        add("timespec", make().words({1, 5}));
        add("timespec", make().words({-1, 5}));
        add("timespec_pair", make().words({1, 0x3fffffff, 2, 0x3ffffffe}));
        add("timespec_pair", make().words({1, 1'000'000'000, 2, 999'999'999}));
        add("timespec64", make().u64(0x100000000).u64(7));
        add("timeval", make().words({3, 250'000}));
        add("timeval_pair", make().words({3, 1'000'000, 4, 1}));
        add("itimerval", make().words({1, 500'000, 2, 0}));
        add("itimerspec", make().words({0, 0, 5, 500'000'000}));
        add("timezone", make().u32(-60).u32(1));
        add("tms", make().words({1, 2, 3, 4}));
        add("utimbuf", make().words({1'700'000'000, -1}));
        add("timex", make()
                         .u32(0x2002)
                         .gap()
                         .words({-5, 6, 7, 8})
                         .u32(0x2041)
                         .gap()
                         .words({9, 10, 11, 12, 13, 14, 15, 16})
                         .u32(17)
                         .gap()
                         .words({18, 19, 20, 21, 22})
                         .u32(37)
                         .zero(44));
    }

    void add_files() {
        if (is64())
            add("stat", make()
                            .u64(0x801)
                            .u64(12345)
                            .u64(2)
                            .u32(0104644)
                            .u32(0)
                            .u32(1)
                            .u32(0)
                            .u64(5)
                            .u64(4097)
                            .u64(4096)
                            .u64(16)
                            .words({1'700'000'000, 0, 1'700'000'001, 5, 1'700'000'002, 999'999'999})
                            .zero(24));
        else
            add("stat", make()
                            .u32(0x801)
                            .u32(12345)
                            .u16(0104644)
                            .u16(2)
                            .u16(0)
                            .u16(1)
                            .u32(5)
                            .u32(4097)
                            .u32(4096)
                            .u32(16)
                            .words({1'700'000'000, 0, 1'700'000'001, 5, 1'700'000'002, 999'999'999})
                            .zero(8));
        Bytes statx = make();
        statx.u32(0x17ff).u32(4096).u64(0x100010).u32(1).u32(0).u32(4).u16(0100600).u16(0);
        statx.u64(99).u64(1 << 20).u64(2048).u64(0x203034);
        for (int i = 0; i < 4; ++i)
            statx.u64(1'700'000'000 + i).u32(i).u32(0);
        add("statx", statx.u32(8).u32(1).u32(259).u32(2).u64(31).u32(512).u32(512).up_to(256));
        add("flock", make().u16(1).u16(2).gap().words({-10, 100}).u32(42).gap());
        add("open_how", make().u64(02000101).u64(0640).u64(0x18));
        add("open_how", make().u64(0).u64(0).u64(0).u64(0x0102).u64(0));
        add("iovec", make().words({0x1000, 64}));
        add("file_handle", make().u32(8).u32(1).raw("\1\2\3\4\5\6\7\x88"s).zero(8));
    }

    void add_filesystems() {
        Bytes statfs = make();
        statfs.words({0xef53, 4096, 1000, 500, 400, 300, 200}).u32(0x11).u32(0x22);
        add("statfs", statfs.words({255, 4096, 0x1020}).up_to(is64() ? 120 : 64));
        add("ustat", make().u32(10).gap().word(20).text("name", 6).text("packed", 6).up_to(is64() ? 32 : 20));
        add("mount_attr", make().u64(0x1).u64(0x70).u64(0x40000).u64(-1));
    }

    void add_signals() {
        add("sigset", make().u64(0x4002));
        add("sigset", make().u64(0));
        add("sigset", make().u64(~0x40100LL));
        add("sigaction", make().words({0x401000, 0x14000004, 0x402000}).u64(1LL << 33));
        add("sigaction", make().words({1, 0, 0}).u64(0));
        add("sigaltstack", make().word(0x7000).u32(2).gap().word(8192));
        add("sigevent", make().word(7).u32(10).u32(0).up_to(64));
        add("sigevent", make().word(7).u32(34).u32(4).u32(4242).up_to(64));
    }

    // The three members that all kinds of siginfo have.
    Bytes siginfo(int signal, int code) const { return make().u32(signal).u32(0).u32(code).gap(); }

    void add_siginfo() {
        add("siginfo", siginfo(0, 0).up_to(128));
        add("siginfo", siginfo(15, 0).u32(100).u32(1000).up_to(128));
        add("siginfo", siginfo(17, 1).u32(101).u32(1000).u32(3).gap().words({4, 5}).up_to(128));
        add("siginfo", siginfo(11, 1).word(0x1234).up_to(128));
        add("siginfo", siginfo(11, 3).words({0x1234, 0, 0x1000, 0x2000}).up_to(128));
        add("siginfo", siginfo(11, 4).words({0x1234, 0}).u32(5).up_to(128));
        add("siginfo", siginfo(7, 4).word(0x5000).u16(12).up_to(128));
        add("siginfo", siginfo(14, -2).u32(3).u32(1).word(0x99).up_to(128));
        add("siginfo", siginfo(35, -1).u32(100).u32(1000).word(0x77).up_to(128));
        add("siginfo", siginfo(29, 1).word(0x41).u32(6).up_to(128));
        add("siginfo", siginfo(31, 1).word(0x8000).u32(39).u32(0xc000003e).up_to(128));
        add("siginfo", siginfo(10, 77).u32(1).u32(2).up_to(128));
    }

    void add_processes() {
        add("rlimit", make().words({1024, -1}));
        add("rlimit64", make().u64(1LL << 32).u64(-1));
        add("rusage", make().words({1, 500'000, 2, 3, 4096, 0, 0, 0, 10, 11, 0, 12, 13, 0, 0, 0, 14, 15}));
        add("cap_header", make().u32(0x20080522).u32(0));
        add("cap_data", make().u32(0x21).u32(0xffffffff).u32(0).u32(0x100).u32(0x1ff).u32(0));
        add("cap_data", make().u32(1).u32(2).u32(3));
        add("user_desc", make().u32(-1).u32(0x1000).u32(0xfffff).u32(0x51));
    }

    void add_scheduling() {
        add("sched_param", make().u32(50));
        add("sched_attr",
            make().u32(56).u32(6).u64(1).u32(-5).u32(0).u64(10).u64(20).u64(30).u32(0).u32(1024));
        add("sched_attr", make().u32(48).u32(0).u64(0).u32(19).u32(0).u64(0).u64(0).u64(0));
        add("futex_waitv", make().u64(1).u64(0x7000).u32(0x82).u32(0));
        add("futex_waitv_pair", make().u64(1).u64(0x7000).u32(0x82).u32(0).u64(2).u64(0x7004).u32(2).u32(0));
        add("clone_args", make()
                              .u64(0x3d0f00)
                              .u64(0)
                              .u64(0x10)
                              .u64(0x20)
                              .u64(0)
                              .u64(0x7000)
                              .u64(0x8000)
                              .u64(0x30)
                              .u64(0)
                              .u64(0)
                              .u64(0));
        add("clone_args", make().u64(0x4100).u64(0).u64(0).u64(0).u64(17).u64(0).u64(0).u64(0));
    }

    void add_descriptors() {
        add("epoll_event", make().u32(0x80000001).u64(0x1122334455667788));
        Bytes params = make();
        params.u32(8).u32(16).u32(0x1002).u32(0).u32(2000).u32(0x3).u32(0).zero(12);
        params.u32(0).u32(64).u32(256).u32(264).u32(276).u32(272).u32(384).zero(12);
        add("io_uring_params",
            params.u32(128).u32(192).u32(260).u32(268).u32(284).u32(320).u32(280).zero(12));
        add("iocb",
            make().u64(7).u32(0).u32(0).u16(1).u16(0).u32(4).u64(0x7000).u64(512).u64(1024).u64(0).u32(0).u32(
                0));
        add("io_event", make().u64(7).u64(0x7000).u64(512).u64(0));
        add("cachestat_range", make().u64(0).u64(8192));
        add("cachestat", make().u64(1).u64(2).u64(3).u64(4).u64(5));
    }

    void add_addresses() {
        const std::string inet6 = "\x0a\0\x01\xbb\0\0\0\0\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\1"s;
        add("sockaddr", make().raw("\2\0\0\x50\1\2\3\4"s).zero(8));
        add("sockaddr", make().raw(inet6).u32(0));
        add("sockaddr", make().raw(inet6));
        add("sockaddr", make().raw(inet6).u32(2));
        add("sockaddr", make().u16(1).raw("/run/x.sock").zero(1));
        add("sockaddr", make().u16(1).raw("/run/\033[31m"));
        add("sockaddr", make().u16(1).raw("\0abstract\0x"s));
        add("sockaddr", make().u16(1));
        add("sockaddr", make().u16(16).u16(0).u32(77).u32(0x15));
        add("sockaddr",
            make().u16(17).u16(0x0008).u32(2).u16(1).u8(4).u8(6).raw("\0\x11\x22\x33\x44\x55\0\0"s));
        add("sockaddr",
            make().u16(17).u16(0x0008).u32(2).u16(1).u8(4).u8(255).raw("\0\x11\x22\x33\x44\x55\0\0"s));
        add("sockaddr", make().u16(40).u16(0).u32(1024).u32(3).zero(4));
        add("sockaddr", make().u16(0).zero(14));
        add("sockaddr", make().u16(2).u16(0));
        add("sockaddr", make().u16(999).u16(0));
    }

    void add_ipc() {
        add("mq_attr", make().words({04000, 10, 8192, 1, 0, 0, 0, 0}));
        Bytes permissions = make().u32(0x1234).u32(1).u32(2).u32(3).u32(4);
        permissions.u16(0640).u16(0).u16(5).u16(0);
        permissions.gap().words({0, 0});
        Bytes queue = permissions;
        // i386 has the high halves of the times beside them.
        for (const int time : {100, 200, 300})
            queue.u64(time);
        add("msqid_ds", queue.words({6, 7, 16384}).u32(8).u32(9).words({0, 0}));
        Bytes segment = permissions;
        segment.word(4096);
        for (const int time : {100, 200, 300})
            segment.u64(time);
        add("shmid_ds", segment.u32(8).u32(9).words({2, 0, 0}));
        add("msgbuf", make().word(3).raw("text\n\0\"x\""s));
        add("sembuf", make().u16(1).u16(-2).u16(0x1800));
    }

    void add_systems() {
        Bytes names = make();
        for (const char *name : {"Linux", "host", "6.1.0", "#1 \"SMP\"\033", "x86_64", "(none)"})
            names.text(name, 65);
        add("utsname", names);
        Bytes info = make();
        info.words({3600, 65536, 32768, 16384, 1 << 30, 1 << 29, 3, 4, 5, 6}).u16(200).u16(0).gap();
        add("sysinfo", info.words({0, 0}).u32(1).up_to(is64() ? 112 : 64));
    }

    void add_extensible() {
        Bytes attr = make();
        attr.u32(1).u32(136).u64(0).u64(4000).u64(7).u64(4).u64(0x400000103);
        add("perf_event_attr", attr.u32(1).u32(0).up_to(112));
        add("bpf_attr", make().u32(1).u32(4).u32(8).u32(16));
        add("bpf_attr", make().u32(1).u32(4).u32(8).u32(16).u64(0x4142434445464748));
        add("bpf_common_attr", make().u64(0x7000).u32(4096).u32(1).u32(0).u32(0));
        add("landlock_ruleset_attr", make().u64(0x1fff));
        add("landlock_ruleset_attr", make().u64(0x1fff).u64(3).u64(1));
        add("mnt_id_req", make().u32(24).u32(0).u64(31).u64(1));
        add("ns_id_req", make().u32(32).u32(0).u64(9).u32(0x10000000).u32(0).u64(0));
        add("xattr_args", make().u64(0x7000).u32(10).u32(1));
        add("file_attr", make().u64(0x80).u32(4096).u32(1).u32(0).u32(0));
        add("lsm_ctx", make().u64(100).u64(0).u64(40).u64(8).text("label", 8));
        add("statmount", make().u32(512).u32(0).u64(3));
        add("of_the_future", make().u32(7));
    }

    void add_arrays() {
        add("pollfd", make().u32(3).u16(1).u16(0x11).u32(-1).u16(0x4004).u16(0), 2);
        add("pollfd", make(), 0);
        add("iovec", make().words({0x1000, 64, 0x2000, 8}), 2);
        add("epoll_event", make().u32(1).u64(3).u32(0x10).u64(4), 2);
        add("sembuf", make().u16(0).u16(-1).u16(0).u16(1).u16(1).u16(0x1000), 2);
        add("gid", make().u32(0).u32(10).u32(100), 3);
        add("int", make().u32(-2).u32(1), 2);
        add("u64", make().u64(1).u64(0x200000000), 2);
        add("timespec", make().words({1, 2, 3, 4}), 2);
        add("timespec_pair", make().words({1, 2, 3, 4}), 1);
        add("addr", make().words({0x1000, 0x2000}), 2);
    }

    void add_old() {
        add("stat64", make()
                          .u64(0x801)
                          .u32(0)
                          .u32(12345)
                          .u32(0100755)
                          .u32(1)
                          .u32(70000)
                          .u32(80000)
                          .u64(0)
                          .zero(4)
                          .u64(0x100000001)
                          .u32(4096)
                          .u64(16)
                          .u32(1)
                          .u32(2)
                          .u32(3)
                          .u32(4)
                          .u32(5)
                          .u32(6)
                          .u64(0x1122334455));
        add("statfs64", make()
                            .u32(0x01021994)
                            .u32(4096)
                            .u64(1LL << 33)
                            .u64(500)
                            .u64(400)
                            .u64(300)
                            .u64(200)
                            .u32(0x11)
                            .u32(0x22)
                            .u32(255)
                            .u32(4096)
                            .u32(0x21)
                            .zero(16));
        add("old_stat",
            make().u16(8).u16(99).u16(0100600).u16(1).u16(2).u16(3).u16(4).zero(2).u32(5).u32(6).u32(7).u32(
                8));
        add("itimerspec64", make().u64(0).u64(0).u64(0x100000000).u64(1));
        add("timespec64_pair", make().u64(1).u64(2).u64(3).u64(0x3fffffff));
        add("timex64",
            make().u32(0).u32(0).u64(-5).u64(6).u64(7).u64(8).u32(0x40).u32(0).up_to(160).u32(37).up_to(208));
        add("flock64", make().u16(0).u16(0).u64(1LL << 33).u64(100).u32(42));
        add("time", make().u32(-1));
        add("gid16", make().u16(5).u16(65535), 2);
        add("old_sigset", make().u32(0x4002));
        add("old_sigaction", make().u32(0).u32(2).u32(0x80000000).u32(0));
        Bytes old = make();
        Bytes oldest = make();
        for (const char *name : {"Linux", "host", "6.1.0", "#1", "i686"}) {
            old.text(name, 65);
            oldest.text(name, 9);
        }
        add("old_utsname", old);
        add("oldold_utsname", oldest);
        add("mmap_args", make().u32(0).u32(4096).u32(3).u32(0x22).u32(-1).u32(0));
        add("select_args", make().u32(4).u32(0x1000).u32(0).u32(0).u32(0x2000));
        add("old_dirent", make().u32(9).u32(16).u16(4).raw("name\0after"s));
    }

    StructAbi abi_;
    Sink sink_;
};

void start(TraceBuilder &trace, uint32_t abi) {
    trace.add_struct(KTR_PROCCTOR, ktr_proc_ctor{abi | KTR_SV_NATIVE});
}

uint32_t flags_of(StructAbi abi) { return abi == StructAbi::Bits64 ? KTR_SV_LINUX64 : KTR_SV_LINUX32; }

void add_single(TraceBuilder &trace, std::string_view type, std::string_view bytes) {
    trace.add(KTR_STRUCT, std::string(type) + '\0' + std::string(bytes));
}

void add_array(TraceBuilder &trace, std::string_view type, std::string_view bytes, size_t item_size) {
    std::string payload;
    append_value(payload, uint64_t{item_size});
    trace.add(KTR_STRUCT_ARRAY, payload + std::string(type) + '\0' + std::string(bytes));
}

std::string struct_records(StructAbi abi) {
    TraceBuilder trace(TraceBuilder::Version::V1);
    start(trace, flags_of(abi));
    Samples(abi, [&](std::string_view type, const std::string &bytes, size_t items) {
        if (items)
            add_array(trace, type, bytes, bytes.size() / items);
        else if (bytes.empty())
            add_array(trace, type, bytes, 8);
        else
            add_single(trace, type, bytes);
    }).all();
    return trace.bytes();
}

// The same, every record shortened and lengthened by a byte.
std::string damaged_struct_records(StructAbi abi) {
    TraceBuilder trace(TraceBuilder::Version::V1);
    start(trace, flags_of(abi));
    Samples(abi, [&](std::string_view type, const std::string &bytes, size_t) {
        add_single(trace, type, bytes + '\x01');
        add_single(trace, type, bytes.substr(0, bytes.empty() ? 0 : bytes.size() - 1));
        add_single(trace, type, bytes.substr(0, 1));
        add_single(trace, type, "");
        add_array(trace, type, bytes + '\x01', bytes.size() + 1);
        add_array(trace, type, bytes, 1);
    }).all();
    return trace.bytes();
}

// 64-bit and 32-bit calls of one program.
std::string mixed_struct_records() {
    constexpr int kNanosleep64 = 35;
    constexpr int kNanosleep32 = 162;
    const std::string long_time = "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"s;
    const std::string short_time = "\1\0\0\0\2\0\0\0"s;
    TraceBuilder trace(TraceBuilder::Version::V1);
    add_single(trace, "timespec", long_time); // before any CTOR: 64-bit
    add_single(trace, "timespec", short_time);
    start(trace, KTR_SV_LINUX64);
    trace.add_call(kNanosleep64, {0x1000, 0}, KTR_SV_LINUX64);
    add_single(trace, "timespec", long_time);
    trace.add_call(kNanosleep32, {0x1000, 0}, KTR_SV_LINUX32);
    add_single(trace, "timespec", short_time);
    add_single(trace, "timespec", long_time);
    trace.set_process(100, 101, "sh"); // another thread
    add_single(trace, "timespec", long_time);
    trace.set_process(100, 100, "sh");
    trace.add_return(kNanosleep32, 0, 0, KTR_SV_LINUX32);
    add_single(trace, "timespec", short_time); // what the call filled in may come after its end
    trace.add_call(kNanosleep64, {0x1000, 0}, KTR_SV_LINUX64);
    add_single(trace, "timespec", long_time);
    add_single(trace, "timespec", short_time);
    return trace.bytes();
}

} // namespace

std::vector<SampleTrace> struct_traces() {
    return {
        {"structs-64", struct_records(StructAbi::Bits64)},
        {"structs-32", struct_records(StructAbi::Bits32)},
        {"structs-damaged-64", damaged_struct_records(StructAbi::Bits64)},
        {"structs-damaged-32", damaged_struct_records(StructAbi::Bits32)},
        {"structs-mixed", mixed_struct_records()},
    };
}

} // namespace ktools::test
