// SPDX-License-Identifier: BSD-2-Clause
//
// ktrace(2), fktrace(2) and utrace(2): ioctls on /dev/ktrace.
//
// The device is opened for every call. A descriptor kept open would be seen by the
// program (which may close all it does not know, and then reuse the number), and none
// of the calls is frequent enough to pay for that risk.

#include <sys/ktrace.h>

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace {

// As a system call that the kernel does not have, the module may simply not be there.
int absent_to_enosys(int error) {
    switch (error) {
    case ENOENT:
    case ENXIO:
    case ENODEV:
        return ENOSYS;
    default:
        return error;
    }
}

int call_device(unsigned long request, void *argument) {
    const int fd = open("/dev/ktrace", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        errno = absent_to_enosys(errno);
        return -1;
    }
    const int result = ioctl(fd, request, argument);
    const int error = errno;
    close(fd);
    errno = error;
    return result;
}

uint64_t address_of(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

} // namespace

extern "C" int ktrace(const char *tracefile, int ops, int trpoints, pid_t pid) {
    ktrace_args args{};
    args.size = sizeof(args);
    args.file = address_of(tracefile);
    args.fd = -1;
    args.ops = ops;
    args.trpoints = static_cast<uint32_t>(trpoints);
    args.pid = pid;
    return call_device(KTRACE_IOC_KTRACE, &args);
}

extern "C" int fktrace(int fd, int ops, int trpoints, pid_t pid) {
    ktrace_args args{};
    args.size = sizeof(args);
    args.flags = KTRACE_BY_FD;
    args.fd = fd;
    args.ops = ops;
    args.trpoints = static_cast<uint32_t>(trpoints);
    args.pid = pid;
    return call_device(KTRACE_IOC_KTRACE, &args);
}

extern "C" int utrace(const void *addr, size_t len) {
    ktrace_utrace args{};
    args.size = sizeof(args);
    args.addr = address_of(addr);
    args.len = len;
    return call_device(KTRACE_IOC_UTRACE, &args);
}
