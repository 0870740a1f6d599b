// SPDX-License-Identifier: BSD-2-Clause
//
// Arguments whose meaning depends on another one.

#include "arg_meaning.hpp"

#include <array>
#include <linux/fcntl.h>
#include <linux/futex.h>
#include <linux/ipc.h>
#include <linux/kcmp.h>
#include <linux/keyctl.h>
#include <linux/mount.h>
#include <linux/prctl.h>
#include <linux/wait.h>
#include <netinet/in.h>
#include <sys/ptrace.h>
#include <sys/socket.h>

namespace ktools {

// If the selecting argument is `value`, argument `arg` is `kind` and `type`.
struct ArgRule {
    uint32_t value;
    uint8_t arg;
    ArgKind kind;
    std::string_view type;
};

// The first rule that fits decides.
struct ArgRules {
    std::array<std::string_view, 2> calls;
    uint8_t selector;
    uint32_t mask; // of the selector
    std::span<const ArgRule> rules;
};

namespace {

constexpr uint32_t kAnyValue = UINT32_MAX - 1;

// clang-format off
constexpr ArgRule kFcntl[] = {
    {F_DUPFD, 2, ArgKind::FD, "_"},
    {F_DUPFD_CLOEXEC, 2, ArgKind::FD, "_"},
    {F_SETFD, 2, ArgKind::FLAGS, "fd_flags"},
    {F_SETFL, 2, ArgKind::FLAGS, "open"},
    {F_SETOWN, 2, ArgKind::PID, "_"},
    {F_SETSIG, 2, ArgKind::SIG, "_"},
    {F_SETLEASE, 2, ArgKind::ENUM, "lease"},
    {F_NOTIFY, 2, ArgKind::FLAGS, "dnotify"},
    {F_ADD_SEALS, 2, ArgKind::FLAGS, "seals"},
    {F_SETPIPE_SZ, 2, ArgKind::UINT, "_"},
};

constexpr ArgRule kPrctl[] = {
    {PR_SET_PDEATHSIG, 1, ArgKind::SIG, "_"},
    {PR_SET_DUMPABLE, 1, ArgKind::ENUM, "prctl_dumpable"},
    {PR_SET_SECCOMP, 1, ArgKind::ENUM, "seccomp_mode"},
    {PR_CAPBSET_READ, 1, ArgKind::ENUM, "capability"},
    {PR_CAPBSET_DROP, 1, ArgKind::ENUM, "capability"},
    {PR_SET_TSC, 1, ArgKind::ENUM, "prctl_tsc"},
    {PR_SET_TIMING, 1, ArgKind::ENUM, "prctl_timing"},
    {PR_SET_SECUREBITS, 1, ArgKind::FLAGS, "securebits"},
    {PR_SET_MM, 1, ArgKind::ENUM, "prctl_mm"},
    {PR_SET_PTRACER, 1, ArgKind::ENUM, "prctl_ptracer"},
    {PR_SET_VMA, 1, ArgKind::ENUM, "prctl_vma"},
    {PR_MCE_KILL, 1, ArgKind::ENUM, "prctl_mce_kill"},
    {PR_MCE_KILL, 2, ArgKind::ENUM, "prctl_mce_policy"},
    {PR_CAP_AMBIENT, 1, ArgKind::ENUM, "prctl_cap_ambient"},
    {PR_CAP_AMBIENT, 2, ArgKind::ENUM, "capability"},
    {PR_GET_SPECULATION_CTRL, 1, ArgKind::ENUM, "prctl_speculation"},
    {PR_SET_SPECULATION_CTRL, 1, ArgKind::ENUM, "prctl_speculation"},
    {PR_SET_SPECULATION_CTRL, 2, ArgKind::FLAGS, "prctl_speculation_ctrl"},
    {PR_SET_SYSCALL_USER_DISPATCH, 1, ArgKind::ENUM, "prctl_dispatch"},
    {PR_SCHED_CORE, 1, ArgKind::ENUM, "prctl_sched_core"},
    {PR_SCHED_CORE, 2, ArgKind::PID, "_"},
};

constexpr ArgRule kPtrace[] = {
    {PTRACE_SETOPTIONS, 3, ArgKind::FLAGS, "ptrace_options"},
    {PTRACE_SEIZE, 3, ArgKind::FLAGS, "ptrace_options"},
    {PTRACE_GETREGSET, 2, ArgKind::ENUM, "ptrace_regset"},
    {PTRACE_SETREGSET, 2, ArgKind::ENUM, "ptrace_regset"},
    {PTRACE_CONT, 3, ArgKind::SIG, "_"},
    {PTRACE_DETACH, 3, ArgKind::SIG, "_"},
    {PTRACE_SYSCALL, 3, ArgKind::SIG, "_"},
    {PTRACE_SINGLESTEP, 3, ArgKind::SIG, "_"},
    {PTRACE_SYSEMU, 3, ArgKind::SIG, "_"},
    {PTRACE_LISTEN, 3, ArgKind::SIG, "_"},
};

// Where a timeout would be, these have a second count.
constexpr ArgRule kFutex[] = {
    {FUTEX_WAKE, 2, ArgKind::INT, "_"},
    {FUTEX_REQUEUE, 2, ArgKind::INT, "_"},
    {FUTEX_REQUEUE, 3, ArgKind::INT, "_"},
    {FUTEX_CMP_REQUEUE, 2, ArgKind::INT, "_"},
    {FUTEX_CMP_REQUEUE, 3, ArgKind::INT, "_"},
    {FUTEX_CMP_REQUEUE_PI, 2, ArgKind::INT, "_"},
    {FUTEX_CMP_REQUEUE_PI, 3, ArgKind::INT, "_"},
    {FUTEX_WAKE_OP, 2, ArgKind::INT, "_"},
    {FUTEX_WAKE_OP, 3, ArgKind::INT, "_"},
    {FUTEX_WAIT_BITSET, 5, ArgKind::ENUM, "futex_bitset"},
    {FUTEX_WAKE_BITSET, 5, ArgKind::ENUM, "futex_bitset"},
};

constexpr ArgRule kSocket[] = {
    {AF_INET, 2, ArgKind::ENUM, "socket_protocol"},
    {AF_INET6, 2, ArgKind::ENUM, "socket_protocol"},
    {AF_NETLINK, 2, ArgKind::ENUM, "protocol_netlink"},
    {AF_PACKET, 2, ArgKind::ENUM, "protocol_packet"},
    {AF_BLUETOOTH, 2, ArgKind::ENUM, "protocol_bluetooth"},
    {AF_CAN, 2, ArgKind::ENUM, "protocol_can"},
    {kAnyValue, 2, ArgKind::ENUM, "protocol_plain"},
};

constexpr ArgRule kSocketOption[] = {
    {SOL_SOCKET, 2, ArgKind::ENUM, "sockopt_socket"},
    {IPPROTO_IP, 2, ArgKind::ENUM, "sockopt_ip"},
    {IPPROTO_IPV6, 2, ArgKind::ENUM, "sockopt_ipv6"},
    {IPPROTO_TCP, 2, ArgKind::ENUM, "sockopt_tcp"},
    {IPPROTO_UDP, 2, ArgKind::ENUM, "sockopt_udp"},
    {SOL_RAW, 2, ArgKind::ENUM, "sockopt_raw"},
    {SOL_PACKET, 2, ArgKind::ENUM, "sockopt_packet"},
    {SOL_NETLINK, 2, ArgKind::ENUM, "sockopt_netlink"},
    {SOL_TLS, 2, ArgKind::ENUM, "sockopt_tls"},
    {AF_VSOCK, 2, ArgKind::ENUM, "sockopt_vsock"},
};

constexpr ArgRule kKeyctl[] = {
    {KEYCTL_JOIN_SESSION_KEYRING, 1, ArgKind::PTR, "_"},
    {KEYCTL_SET_REQKEY_KEYRING, 1, ArgKind::ENUM, "key_default"},
    {KEYCTL_GET_PERSISTENT, 1, ArgKind::UID, "_"},
    {KEYCTL_GET_PERSISTENT, 2, ArgKind::KEY, "serial"},
    {KEYCTL_CHOWN, 2, ArgKind::UID, "_"},
    {KEYCTL_CHOWN, 3, ArgKind::GID, "_"},
    {KEYCTL_LINK, 2, ArgKind::KEY, "serial"},
    {KEYCTL_UNLINK, 2, ArgKind::KEY, "serial"},
    {KEYCTL_SEARCH, 4, ArgKind::KEY, "serial"},
    {KEYCTL_INSTANTIATE, 4, ArgKind::KEY, "serial"},
    {KEYCTL_INSTANTIATE_IOV, 4, ArgKind::KEY, "serial"},
    {KEYCTL_NEGATE, 3, ArgKind::KEY, "serial"},
    {KEYCTL_REJECT, 4, ArgKind::KEY, "serial"},
    {KEYCTL_MOVE, 2, ArgKind::KEY, "serial"},
    {KEYCTL_MOVE, 3, ArgKind::KEY, "serial"},
    {KEYCTL_MOVE, 4, ArgKind::FLAGS, "key_move"},
    {KEYCTL_CAPABILITIES, 1, ArgKind::PTR, "_"},
    {KEYCTL_DH_COMPUTE, 1, ArgKind::PTR, "_"},
    {KEYCTL_SESSION_TO_PARENT, 1, ArgKind::HEX, "_"},
    {kAnyValue, 1, ArgKind::KEY, "serial"},
};

constexpr ArgRule kIpc[] = {
    {SEMGET, 1, ArgKind::KEY, "ipc"},
    {SEMGET, 3, ArgKind::FLAGS, "ipc_get"},
    {SEMCTL, 3, ArgKind::ENUM, "semctl_cmd"},
    {MSGGET, 1, ArgKind::KEY, "ipc"},
    {MSGGET, 2, ArgKind::FLAGS, "ipc_get"},
    {MSGCTL, 2, ArgKind::ENUM, "msgctl_cmd"},
    {MSGSND, 3, ArgKind::FLAGS, "sysv_msg"},
    {MSGRCV, 3, ArgKind::FLAGS, "sysv_msg"},
    {SHMGET, 1, ArgKind::KEY, "ipc"},
    {SHMGET, 2, ArgKind::SIZE, "_"},
    {SHMGET, 3, ArgKind::FLAGS, "shmget"},
    {SHMAT, 2, ArgKind::FLAGS, "shmat"},
    {SHMCTL, 2, ArgKind::ENUM, "shmctl_cmd"},
};

constexpr ArgRule kKcmp[] = {
    {KCMP_FILE, 3, ArgKind::FD, "_"},
    {KCMP_FILE, 4, ArgKind::FD, "_"},
    {KCMP_EPOLL_TFD, 3, ArgKind::FD, "_"},
};
constexpr ArgRule kWaitid[] = {
    {P_PIDFD, 1, ArgKind::FD, "_"},
};
constexpr ArgRule kFsconfig[] = {
    {FSCONFIG_SET_PATH, 4, ArgKind::DIRFD, "_"},
    {FSCONFIG_SET_PATH_EMPTY, 4, ArgKind::DIRFD, "_"},
    {FSCONFIG_SET_FD, 4, ArgKind::FD, "_"},
};

constexpr ArgRule kIoPriority[] = {
    {kAnyValue, 2, ArgKind::ENUM, "ioprio"},
};

constexpr uint32_t kAllBits = ~0u;
constexpr ArgRules kRules[] = {
    {{"fcntl", "fcntl64"}, 1, kAllBits, kFcntl},
    {{"prctl"}, 0, kAllBits, kPrctl},
    {{"ptrace"}, 0, kAllBits, kPtrace},
    {{"futex", "futex_time64"}, 1, static_cast<uint32_t>(FUTEX_CMD_MASK), kFutex},
    {{"socket", "socketpair"}, 0, kAllBits, kSocket},
    {{"getsockopt", "setsockopt"}, 1, kAllBits, kSocketOption},
    {{"keyctl"}, 0, kAllBits, kKeyctl},
    {{"ipc"}, 0, 0xffff, kIpc},
    {{"kcmp"}, 2, kAllBits, kKcmp},
    {{"waitid"}, 0, kAllBits, kWaitid},
    {{"ioprio_set"}, 0, kAllBits, kIoPriority},
    {{"fsconfig"}, 1, kAllBits, kFsconfig},
};
// clang-format on

const ArgRules *find_rules(std::string_view call) {
    for (const ArgRules &rules : kRules) {
        for (const std::string_view name : rules.calls) {
            if (name == call)
                return &rules;
        }
    }
    return nullptr;
}

} // namespace

ArgMeaning::ArgMeaning(const SyscallInfo &call, std::span<const uint64_t> values) : call_(call) {
    const ArgRules *rules = find_rules(call.name);
    if (!rules || rules->selector >= values.size())
        return;
    selected_ = static_cast<uint32_t>(values[rules->selector]) & rules->mask;
    rules_ = rules;
}

SyscallArg ArgMeaning::of(size_t index) const {
    const SyscallArg &plain = call_.args()[index];
    if (!rules_)
        return plain;
    for (const ArgRule &rule : rules_->rules) {
        if (rule.arg == index && (rule.value == selected_ || rule.value == kAnyValue))
            return {rule.kind, rule.type, plain.name};
    }
    return plain;
}

} // namespace ktools
