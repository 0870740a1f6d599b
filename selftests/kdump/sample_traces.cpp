// SPDX-License-Identifier: GPL-2.0-only
//
// The trace files that the tests print, damage and read.

#include "sample_traces.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>

namespace ktools::test {

namespace {

using std::string_literals::operator""s;
using std::string_view_literals::operator""sv;
using Version = TraceBuilder::Version;

constexpr uint64_t kBuffer = 0x7ffc12345678;

void add_start(TraceBuilder &trace, uint32_t abi = KTR_SV_LINUX64) {
    trace.add_struct(KTR_PROCCTOR, ktr_proc_ctor{abi | KTR_SV_NATIVE});
}

// ---- one function for each family of records ------------------------------------------

void add_syscalls(TraceBuilder &trace) {
    const auto cwd = static_cast<uint64_t>(AT_FDCWD);
    trace.add_call(SYS_openat, {cwd, kBuffer, O_WRONLY | O_CREAT | O_TRUNC, 0644});
    trace.add(KTR_NAMEI, "/tmp/a\033[31mb");
    trace.add_return(SYS_openat, 0, 3);
    trace.add_call(SYS_openat, {0xffffff9c, kBuffer, O_RDONLY | O_CLOEXEC, 0x1234});
    trace.add(KTR_NAMEI, "/etc/say \"hi\" \\ \n");
    trace.add_return(SYS_openat, ENOENT, 0);
    trace.add_call(SYS_openat, {5, kBuffer, O_RDWR | 0x80000000u, 0});
    trace.add_return(SYS_openat, 0, 10);
    trace.add_call(SYS_chmod, {kBuffer, 04755});
    trace.add_call(SYS_chmod, {kBuffer, 0});
    trace.add_call(SYS_kill, {100, SIGTERM});
    trace.add_call(SYS_kill, {100, 0});
    trace.add_call(SYS_getpid, {});
    trace.add_return(SYS_getpid, 0, 100);
    trace.add_call(SYS_brk, {0, 7});
    trace.add_return(SYS_brk, 0, -4096);
    trace.add_return(SYS_read, KTR_ERESTART, 0);
    trace.add_return(SYS_execve, KTR_EJUSTRETURN, 0);
    trace.add_call(999, {1, 2});
    trace.add_return(999, ENOSYS, 0);
}

void add_io(TraceBuilder &trace) {
    trace.add_genio(1, KTR_UIO_WRITE, "hello world\n");
    trace.add_genio(0, KTR_UIO_READ, "\177ELF\002\001\001\000binary"sv);
    trace.add_genio(7, KTR_UIO_READ, "x");
    trace.add_genio(8, KTR_UIO_WRITE, "");
}

void add_signals(TraceBuilder &trace) {
    ktr_psig raw{};
    raw.signo = SIGINT;
    raw.code = SI_USER;
    trace.add_struct(KTR_PSIG, raw);
    raw.signo = SIGSEGV;
    raw.action = 0x401234;
    raw.code = 1;
    raw.mask[0] = 0x4002;
    trace.add_struct(KTR_PSIG, raw);
    raw.signo = 35;
    raw.code = SI_QUEUE;
    raw.mask[1] = 0x80000000;
    trace.add_struct(KTR_PSIG, raw);
    raw.signo = 99;
    raw.code = 77;
    trace.add_struct(KTR_PSIG, raw);
}

void add_switches(TraceBuilder &trace) {
    trace.add_struct(KTR_CSW, ktr_csw{1, 0, "pipe_re"});
    trace.add_struct(KTR_CSW, ktr_csw{0, 1, ""});
    trace.add(KTR_CSW, "\1\0\0\0\0\0\0\0"sv);
}

void add_addresses(TraceBuilder &trace) {
    sockaddr_in inet{};
    inet.sin_family = AF_INET;
    inet.sin_port = htons(80);
    inet.sin_addr.s_addr = htonl(0x01020304);
    trace.add_named("sockaddr", inet);
    sockaddr_in6 inet6{};
    inet6.sin6_family = AF_INET6;
    inet6.sin6_port = htons(443);
    inet6.sin6_addr = IN6ADDR_LOOPBACK_INIT;
    trace.add_named("sockaddr", inet6);
    sockaddr_un local{};
    local.sun_family = AF_UNIX;
    std::memcpy(local.sun_path, "/run/x.sock", 11);
    trace.add_named("sockaddr", local);
    trace.add(KTR_STRUCT, "sockaddr\0\1\0\0abstract\0x"sv);
    trace.add(KTR_STRUCT, "sockaddr\0\x10\0\1\2"sv);
}

void add_structs(TraceBuilder &trace) {
    struct stat status {};
    status.st_dev = 0x801;
    status.st_ino = 12345;
    status.st_mode = S_IFREG | S_ISUID | 0644;
    status.st_nlink = 2;
    status.st_rdev = 5;
    status.st_atim = {1'700'000'000, 0};
    status.st_mtim = {1'700'000'001, 5};
    status.st_ctim = {1'700'000'002, 999'999'999};
    status.st_size = 4097;
    status.st_blksize = 4096;
    status.st_blocks = 16;
    trace.add_named("stat", status);
    trace.add_named("itimerval", itimerval{{1, 500'000}, {2, 0}});
    trace.add_named("rusage", uint32_t{0x04030201});
    trace.add(KTR_STRUCT, "stat\0short"sv);
    trace.add(KTR_STRUCT, "\033]0;title\007\0abc"sv);
    std::string array;
    append_value(array, uint64_t{4});
    array += "pollfd\0abcdABCD"sv;
    trace.add(KTR_STRUCT_ARRAY, array);
}

void add_texts(TraceBuilder &trace) {
    trace.add(KTR_ARGS, "ls\0-l\0a \"b\"\0\0"sv);
    trace.add(KTR_ENVS, "PATH=/bin\0LANG=C\0unterminated"sv);
    trace.add(KTR_SYSCTL, "kernel.ostype\0"sv);
    trace.add(KTR_EMUL, "linux32"sv);
    trace.add(KTR_USER, "\1\2abc"sv);
    trace.add(KTR_USER, "");
}

void add_faults(TraceBuilder &trace) {
    trace.add_struct(KTR_FAULT, ktr_fault{0x7f0000001000, 3, 0});
    trace.add_struct(KTR_FAULTEND, ktr_faultend{0});
    trace.add_struct(KTR_FAULT, ktr_fault{0, 0, 0});
    trace.add_struct(KTR_FAULTEND, ktr_faultend{2});
    trace.add_struct(KTR_FAULTEND, ktr_faultend{55});
}

void add_losses(TraceBuilder &trace) {
    std::string lost;
    append_value(lost, ktr_lost{KTR_SYSCALL, 0, 3});
    append_value(lost, ktr_lost{KTR_SYSRET, 0, 2});
    trace.add(KTR_LOST, lost);
    trace.drop();
    trace.add_return(SYS_close, 0, 0);
    trace.add_struct(KTR_LOST, ktr_lost{50, 0, 1});
    trace.add(KTR_LOST, "");
}

void add_others(TraceBuilder &trace) {
    trace.add(KTR_CAPFAIL, "\0\0\0\0\x3e\0\0\0\3\2\0\x80\0\0\0\0\x21\0\0\0\0\0\0\0"sv);
    trace.add(KTR_CAPFAIL, "\2\0\0\0\x27\0\0\0\3\2\0\x80\0\0\0\0\0\0\0\0\0\0\0\0"sv);
    trace.add(KTR_EXTERR, "ee"sv);
    trace.add(KTR_URING, "\0\x16\0\0\5\0\0\0\0\0\0\0\0\0\0\0\x39\x30\0\0\0\0\0\0"sv);
    trace.add(KTR_URING, "\1\x16\0\0\xff\xff\xff\xff\xfe\xff\xff\xff\2\0\0\0\x39\x30\0\0\0\0\0\0"sv);
    trace.add(KTR_STACK, "kk"sv);
    trace.add(40, "from the future");
}

// ---- the traces -----------------------------------------------------------------------

std::string genio_texts() {
    TraceBuilder trace(Version::V1);
    trace.add_genio(1, KTR_UIO_WRITE, "no newline at the end");
    trace.add_genio(1, KTR_UIO_WRITE, "two\nlines\n");
    trace.add_genio(1, KTR_UIO_WRITE, "\n\n\tindented\n");
    trace.add_genio(1, KTR_UIO_WRITE,
                    "nul\0zero\0"
                    "7 cr\r back\\slash \"quoted\""sv);
    trace.add_genio(1, KTR_UIO_WRITE, std::string(100, 'w'));
    trace.add_genio(1, KTR_UIO_WRITE, std::string(70, 'w') + "\ttabbed\n" + std::string(71, 'v') + "\r");
    std::string all;
    for (int byte = 0; byte < 256; ++byte)
        all += static_cast<char>(byte);
    trace.add_genio(1, KTR_UIO_WRITE, all);
    trace.add_genio(1, KTR_UIO_WRITE, std::string(32, '\377'));
    trace.add_genio(1, KTR_UIO_WRITE, std::string(17, '\200'));
    return trace.bytes();
}

std::string two_abis() {
    TraceBuilder trace(Version::V1);
    const uint32_t kNone = 0;
    trace.add_call(1, {1, kBuffer, 2}, kNone); // before any CTOR: 64-bit
    trace.set_process(200, 201, "prog32");
    add_start(trace, KTR_SV_LINUX32);
    trace.add_call(4, {1, 0x8049000, 2}, KTR_SV_LINUX32);
    trace.add_return(4, 0, 2, KTR_SV_LINUX32);
    trace.add_call(4, {1, 0x8049000, 2}, kNone);
    trace.add_return(4, 0, 2, kNone);
    trace.add_call(295, {0xffffff9c, 0x8049000, O_RDONLY, 0}, KTR_SV_LINUX32);
    trace.add(KTR_NAMEI, "x");
    trace.add(KTR_PROCDTOR, "");
    trace.add_return(4, 0, 2, kNone); // the process is gone: 64-bit again
    trace.set_process(300, 300, "prog64");
    add_start(trace);
    trace.add_call(1, {1, kBuffer, 2}, kNone);
    trace.add_call(20, {}, KTR_SV_LINUX32); // int $0x80 in a 64-bit program
    return trace.bytes();
}

std::string strange_processes() {
    TraceBuilder trace(Version::V1);
    trace.set_process(-5, -1, "\033[2J\xff\\");
    trace.add_return(SYS_read, 0, 1);
    trace.set_process(4194304, 0x7fffffff, "twenty bytes of comm");
    trace.add_return(SYS_read, 0, 1);
    trace.set_process(7, 0, "");
    trace.add_return(SYS_read, 0, 1);
    return trace.bytes();
}

std::string strange_times() {
    TraceBuilder trace(Version::V1);
    trace.set_time(10, 5);
    trace.add_return(SYS_read, 0, 1);
    trace.set_time(12, 4);
    trace.add_return(SYS_read, 0, 2);
    trace.set_version(Version::V0);
    trace.set_time(11, 999'999'999);
    trace.add_return(SYS_read, 0, 3);
    trace.set_time(9, 0);
    trace.add_return(SYS_read, 0, 4);
    trace.set_version(Version::V1);
    trace.set_time(-3, 250);
    trace.add_return(SYS_read, 0, 5);
    return trace.bytes();
}

std::string dropped() {
    TraceBuilder trace(Version::V1);
    trace.add_return(SYS_read, 0, 1);
    trace.drop();
    trace.add(KTR_NAMEI, "first");
    trace.drop();
    trace.add(KTR_NAMEI, "second");
    trace.drop();
    trace.add_return(SYS_read, 0, 2);
    return trace.bytes();
}

std::string both_versions() {
    TraceBuilder trace(Version::V0);
    trace.add(KTR_NAMEI, "classic");
    trace.set_version(Version::V1);
    trace.set_cpu(3);
    trace.add(KTR_NAMEI, "versioned");
    trace.set_version(Version::V0);
    trace.add(KTR_NAMEI, "classic again");
    return trace.bytes();
}

} // namespace

std::string every_record(Version version) {
    TraceBuilder trace(version);
    trace.set_cpu(1);
    add_start(trace);
    add_syscalls(trace);
    trace.set_process(101, 102, "longer-name");
    trace.set_cpu(12);
    add_io(trace);
    add_signals(trace);
    add_switches(trace);
    add_addresses(trace);
    add_structs(trace);
    add_texts(trace);
    add_faults(trace);
    add_losses(trace);
    add_others(trace);
    trace.add(KTR_PROCDTOR, "");
    return trace.bytes();
}

std::vector<SampleTrace> sample_traces() {
    return {
        {"every-v0", every_record(Version::V0)},
        {"every-v1", every_record(Version::V1)},
        {"genio", genio_texts()},
        {"two-abis", two_abis()},
        {"strange-processes", strange_processes()},
        {"strange-times", strange_times()},
        {"dropped", dropped()},
        {"both-versions", both_versions()},
    };
}

} // namespace ktools::test
