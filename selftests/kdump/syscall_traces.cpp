// SPDX-License-Identifier: GPL-2.0-only
//
// Traces of system calls alone.

#include "syscall_traces.hpp"

#include <arpa/inet.h>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <linux/fs.h>
#include <linux/fsmap.h>
#include <linux/futex.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/keyctl.h>
#include <linux/mempolicy.h>
#include <linux/mount.h>
#include <linux/prctl.h>
#include <linux/quota.h>
#include <linux/reboot.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ktools::test {

namespace {

using Version = TraceBuilder::Version;

constexpr uint64_t kP = 0x7ffc12345678;
constexpr auto kNone = static_cast<uint64_t>(-1);
constexpr auto kHere = static_cast<uint64_t>(AT_FDCWD);

struct Row {
    int number64;
    int number32;
    size_t args;
};

constexpr Row kRows[] = {
#define NOIO
#define IO(direction, fd_arg, shape, buf_arg)
#define A(kind, type, name) +1
#define KTR_SYSCALL(number64, number32, name, io, args) {number64, number32, 0 args},
#include "../../uapi/ktrace_syscalls.def"
};

struct Call {
    int number;
    std::vector<uint64_t> args;
};

std::string calls(uint32_t abi, const std::vector<Call> &list) {
    TraceBuilder trace(Version::V1);
    trace.add_struct(KTR_PROCCTOR, ktr_proc_ctor{abi | KTR_SV_NATIVE});
    for (const Call &call : list)
        trace.add_call(call.number, call.args, abi);
    return trace.bytes();
}

// Flags beside a value, and the same bits under another name.
const std::vector<Call> kFiles = {
    {SYS_open, {kP, O_RDONLY, 0}},
    {SYS_open, {kP, O_RDWR | O_TMPFILE, 0600}},
    {SYS_pipe2, {kP, 0}},
    {SYS_dup3, {3, 4, O_CLOEXEC}},
    {SYS_mknod, {kP, S_IFCHR | 0666, makedev(1, 3)}},
    {SYS_unlinkat, {kHere, kP, AT_REMOVEDIR}},
    {SYS_faccessat2, {kHere, kP, R_OK | X_OK, AT_EACCESS}},
    {SYS_access, {kP, F_OK}},
    {SYS_statx, {kHere, kP, AT_SYMLINK_NOFOLLOW, 0xfff, kP}},
    {SYS_newfstatat, {3, kP, kP, AT_EMPTY_PATH | 0x80}},
    {SYS_fcntl, {3, F_GETFL, 0}},
    {SYS_fcntl, {3, F_SETFL, O_WRONLY | O_NONBLOCK}},
    {SYS_fcntl, {3, F_SETFD, FD_CLOEXEC}},
    {SYS_fcntl, {3, F_DUPFD_CLOEXEC, 10}},
    {SYS_fcntl, {3, F_SETOWN, static_cast<uint64_t>(-100)}},
    {SYS_fcntl, {3, F_SETSIG, SIGIO}},
    {SYS_fcntl, {3, 99, 1}},
    {SYS_flock, {3, LOCK_EX | LOCK_NB}},
    {SYS_lseek, {3, static_cast<uint64_t>(-10), SEEK_END}},
    {SYS_lseek, {3, 4096, 77}},
    {SYS_ioctl, {1, TCGETS, kP}},
    {SYS_ioctl, {1, FS_IOC_GETFLAGS, kP}},
    {SYS_ioctl, {1, _IOWR('!', 0xee, int[3]), kP}},
    {SYS_ioctl, {1, 0xfedc, kP}},
    {SYS_swapon, {kP, SWAP_FLAG_PREFER | 7 | SWAP_FLAG_DISCARD}},
    {SYS_quotactl, {static_cast<uint32_t>(QCMD(Q_GETQUOTA, GRPQUOTA)), kP, 1000, kP}},
    {SYS_quotactl, {0x12345678, kP, 1000, kP}},
    {SYS_mount, {kP, kP, kP, MS_RDONLY | MS_BIND | (uint64_t{1} << 40), 0}},
};

const std::vector<Call> kMemoryAndIpc = {
    {SYS_mmap, {0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, kNone, 0}},
    {SYS_mmap, {0, 1 << 21, PROT_READ, MAP_SHARED | MAP_HUGETLB | (21u << 26), 3, 0x1000}},
    {SYS_mmap, {0, 1, 0x100000001, 0, 0xffffffff, 0}},
    {SYS_set_mempolicy, {MPOL_BIND | MPOL_F_STATIC_NODES, kP, 64}},
    {SYS_futex, {kP, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0}},
    {SYS_futex, {kP, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 2, 0, 0, 0xffffffff}},
    {SYS_futex, {kP, FUTEX_WAKE, 0x7fffffff, 0, 0, 0}},
    {SYS_futex, {kP, 55, 1, 0, 0, 0}},
    {SYS_shmget, {IPC_PRIVATE, 4096, IPC_CREAT | 0600}},
    {SYS_semget, {0x1234, 1, IPC_CREAT | IPC_EXCL | 0644}},
    {SYS_shmat, {1, 0, SHM_RDONLY}},
    {SYS_semctl, {1, 0, SETVAL, 1}},
    {SYS_msgctl, {1, IPC_RMID, 0}},
    {SYS_msgrcv, {1, kP, 10, static_cast<uint64_t>(-3), IPC_NOWAIT | MSG_NOERROR}},
    {SYS_add_key, {kP, kP, kP, 4, static_cast<uint64_t>(KEY_SPEC_SESSION_KEYRING)}},
    {SYS_keyctl, {KEYCTL_LINK, 0x2a, static_cast<uint64_t>(KEY_SPEC_USER_KEYRING), 0, 0}},
    {SYS_keyctl, {KEYCTL_GET_PERSISTENT, kNone, static_cast<uint64_t>(KEY_SPEC_PROCESS_KEYRING), 0, 0}},
};

const std::vector<Call> kSockets = {
    {SYS_socket, {AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP}},
    {SYS_socket, {AF_UNIX, SOCK_DGRAM, 0}},
    {SYS_socket, {AF_NETLINK, SOCK_RAW, 0}},
    {SYS_socket, {AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)}},
    {SYS_socket, {99, 0x100 | SOCK_STREAM, 9}},
    {SYS_setsockopt, {3, SOL_SOCKET, SO_REUSEADDR, kP, 4}},
    {SYS_setsockopt, {3, IPPROTO_TCP, TCP_NODELAY, kP, 4}},
    {SYS_getsockopt, {3, IPPROTO_IPV6, IPV6_V6ONLY, kP, kP}},
    {SYS_getsockopt, {3, SOL_PACKET, PACKET_STATISTICS, kP, kP}},
    {SYS_getsockopt, {3, 12345, 6, kP, kP}},
    {SYS_shutdown, {3, SHUT_RDWR}},
    {SYS_sendto, {3, kP, 10, MSG_NOSIGNAL | MSG_DONTWAIT, 0, 0}},
    {SYS_accept4, {3, 0, 0, SOCK_CLOEXEC}},
    {SYS_epoll_ctl, {5, EPOLL_CTL_ADD, 3, kP}},
};

const std::vector<Call> kProcesses = {
    {SYS_clone, {CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | SIGCHLD, 0, 0, kP, 0}},
    {SYS_clone, {CLONE_VM | CLONE_THREAD, 0, 0, kP, 0}},
    {SYS_clone, {CLONE_VM | 0x7f, 0, 0, kP, 0}},
    {SYS_unshare, {CLONE_NEWTIME | CLONE_NEWNS}},
    {SYS_wait4, {kNone, 0, WNOHANG | WUNTRACED, 0}},
    {SYS_waitid, {P_PIDFD, 3, kP, WEXITED | WSTOPPED, 0}},
    {SYS_kill, {static_cast<uint64_t>(-5), 0}},
    {SYS_kill, {1, static_cast<uint64_t>(-1)}},
    {SYS_setresuid, {0xffffffff, 1000, 0xfffffffe}},
    {SYS_prctl, {PR_SET_NAME, kP, 0, 0, 0}},
    {SYS_prctl, {PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0}},
    {SYS_prctl, {PR_CAPBSET_READ, 21, 0, 0, 0}},
    {SYS_prctl, {PR_SET_SECUREBITS, 0x81, 0, 0, 0}},
    {SYS_prctl, {PR_SET_SECCOMP, SECCOMP_MODE_FILTER, kP, 0, 0}},
    {SYS_prctl, {PR_SET_MM, PR_SET_MM_BRK, kP, 0, 0}},
    {SYS_ptrace, {PTRACE_SETOPTIONS, 100, 0, PTRACE_O_TRACEFORK | PTRACE_O_EXITKILL}},
    {SYS_ptrace, {PTRACE_CONT, 100, 0, SIGSTOP}},
    {SYS_clock_gettime, {CLOCK_MONOTONIC, kP}},
    {SYS_clock_gettime, {static_cast<uint64_t>(~100ll << 3 | 2), kP}},
    {SYS_clock_gettime, {static_cast<uint64_t>(~100ll << 3 | 6), kP}},
    {SYS_clock_gettime, {static_cast<uint64_t>(~3ll << 3 | 3), kP}},
    {SYS_sched_setscheduler, {0, SCHED_FIFO | SCHED_RESET_ON_FORK, kP}},
    {SYS_ioprio_set, {1, 0, 2 << 13 | 4}},
    {SYS_getrusage, {kNone, kP}},
    {SYS_prlimit64, {0, 7, 0, kP}},
    {SYS_personality, {0xffffffff}},
    {SYS_personality, {uint64_t{PER_LINUX32} | ADDR_NO_RANDOMIZE}},
    {SYS_rt_sigprocmask, {SIG_SETMASK, kP, 0, 8}},
    {SYS_rt_sigaction, {65, kP, 0, 8}},
    {SYS_poll, {kP, 1, kNone}},
    {SYS_reboot, {LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_CAD_OFF, 0}},
    {SYS_umask, {022}},
};

// Arguments as the registers hold them: nothing above 32 bits.
const std::vector<Call> kI386 = {
    {295, {0xffffff9c, 0x8049000, O_RDONLY | 0100000, 0}},    // openat
    {192, {0, 4096, PROT_READ, MAP_PRIVATE, 0xffffffff, 0}},  // mmap2
    {19, {3, 0xfffffff6, SEEK_CUR}},                          // lseek
    {140, {3, 0xffffffff, 0xfffffff6, 0xffe00000, SEEK_SET}}, // _llseek
    {221, {3, 13, 0xffe00000}},                               // fcntl64 F_SETLK64
    {54, {1, 0x80046601, 0xffe00000}},                        // ioctl FS_IOC_GETFLAGS
    {102, {1, 0xffe00000}},                                   // socketcall
    {117, {23, 0, 4096, IPC_CREAT | 0600, 0, 0}},             // ipc SHMGET
    {117, {1 << 16 | 12, 1, 0x8049000, 0, 5, 0}},             // ipc MSGRCV of version 1
    {120, {CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0}},    // clone
    {16, {0x8049000, 0xffff, 0xdead0005}},                    // lchown, 16 bits
    {168, {0x8049000, 1, 0xffffffff}},                        // poll
    {403, {0xfffffffa, 0xffe00000}},                          // clock_gettime64
    {37, {0xffffffff, SIGKILL}},                              // kill
};

} // namespace

std::string every_call(uint32_t abi, const std::vector<uint64_t> &values) {
    std::vector<Call> list;
    for (const Row &row : kRows) {
        const int number = abi == KTR_SV_LINUX64 ? row.number64 : row.number32;
        for (const uint64_t value : values) {
            if (number >= 0 && row.args > 0)
                list.push_back({number, std::vector<uint64_t>(row.args, value)});
        }
    }
    return calls(abi, list);
}

std::string typical_calls() {
    std::vector<Call> list = kFiles;
    for (const auto &more : {kMemoryAndIpc, kSockets, kProcesses})
        list.insert(list.end(), more.begin(), more.end());
    return calls(KTR_SV_LINUX64, list);
}

std::string typical_calls_i386() { return calls(KTR_SV_LINUX32, kI386); }

} // namespace ktools::test
