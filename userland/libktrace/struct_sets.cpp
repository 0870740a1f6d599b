// SPDX-License-Identifier: BSD-2-Clause
//
// The flags and constants in members of structures, by the names in struct_fields.def. The values
// are written out: the headers that have them exclude each other, and x86's are ABI.

#include "structs.hpp"

#include <algorithm>

namespace ktools {

namespace {

constexpr Flag bit(uint64_t value, std::string_view name) { return {value, value, name}; }
constexpr Flag is(uint64_t value, std::string_view name) { return {~uint64_t{0}, value, name}; }

// clang-format off
constexpr Flag kPollEvents[] = {
    bit(0x1, "POLLIN"), bit(0x2, "POLLPRI"), bit(0x4, "POLLOUT"), bit(0x8, "POLLERR"), bit(0x10, "POLLHUP"),
    bit(0x20, "POLLNVAL"), bit(0x40, "POLLRDNORM"), bit(0x80, "POLLRDBAND"), bit(0x100, "POLLWRNORM"),
    bit(0x200, "POLLWRBAND"), bit(0x400, "POLLMSG"), bit(0x1000, "POLLREMOVE"), bit(0x2000, "POLLRDHUP"),
};
constexpr Flag kEpollEvents[] = {
    bit(0x1, "EPOLLIN"), bit(0x2, "EPOLLPRI"), bit(0x4, "EPOLLOUT"), bit(0x8, "EPOLLERR"),
    bit(0x10, "EPOLLHUP"), bit(0x20, "EPOLLNVAL"), bit(0x40, "EPOLLRDNORM"), bit(0x80, "EPOLLRDBAND"),
    bit(0x100, "EPOLLWRNORM"), bit(0x200, "EPOLLWRBAND"), bit(0x400, "EPOLLMSG"), bit(0x2000, "EPOLLRDHUP"),
    bit(0x10000000, "EPOLLEXCLUSIVE"), bit(0x20000000, "EPOLLWAKEUP"), bit(0x40000000, "EPOLLONESHOT"),
    bit(0x80000000, "EPOLLET"),
};
constexpr Flag kSignalActions[] = {
    bit(0x1, "SA_NOCLDSTOP"), bit(0x2, "SA_NOCLDWAIT"), bit(0x4, "SA_SIGINFO"),
    bit(0x400, "SA_UNSUPPORTED"), bit(0x800, "SA_EXPOSE_TAGBITS"), bit(0x4000000, "SA_RESTORER"),
    bit(0x8000000, "SA_ONSTACK"), bit(0x10000000, "SA_RESTART"), bit(0x40000000, "SA_NODEFER"),
    bit(0x80000000, "SA_RESETHAND"),
};
constexpr Flag kSignalStack[] = {
    bit(0x1, "SS_ONSTACK"), bit(0x2, "SS_DISABLE"), bit(0x80000000, "SS_AUTODISARM"),
};
constexpr Flag kUringSetup[] = {
    bit(0x1, "IORING_SETUP_IOPOLL"), bit(0x2, "IORING_SETUP_SQPOLL"), bit(0x4, "IORING_SETUP_SQ_AFF"),
    bit(0x8, "IORING_SETUP_CQSIZE"), bit(0x10, "IORING_SETUP_CLAMP"), bit(0x20, "IORING_SETUP_ATTACH_WQ"),
    bit(0x40, "IORING_SETUP_R_DISABLED"), bit(0x80, "IORING_SETUP_SUBMIT_ALL"),
    bit(0x100, "IORING_SETUP_COOP_TASKRUN"), bit(0x200, "IORING_SETUP_TASKRUN_FLAG"),
    bit(0x400, "IORING_SETUP_SQE128"), bit(0x800, "IORING_SETUP_CQE32"),
    bit(0x1000, "IORING_SETUP_SINGLE_ISSUER"), bit(0x2000, "IORING_SETUP_DEFER_TASKRUN"),
    bit(0x4000, "IORING_SETUP_NO_MMAP"), bit(0x8000, "IORING_SETUP_REGISTERED_FD_ONLY"),
    bit(0x10000, "IORING_SETUP_NO_SQARRAY"), bit(0x20000, "IORING_SETUP_HYBRID_IOPOLL"),
};
constexpr Flag kUringFeatures[] = {
    bit(0x1, "IORING_FEAT_SINGLE_MMAP"), bit(0x2, "IORING_FEAT_NODROP"),
    bit(0x4, "IORING_FEAT_SUBMIT_STABLE"), bit(0x8, "IORING_FEAT_RW_CUR_POS"),
    bit(0x10, "IORING_FEAT_CUR_PERSONALITY"), bit(0x20, "IORING_FEAT_FAST_POLL"),
    bit(0x40, "IORING_FEAT_POLL_32BITS"), bit(0x80, "IORING_FEAT_SQPOLL_NONFIXED"),
    bit(0x100, "IORING_FEAT_EXT_ARG"), bit(0x200, "IORING_FEAT_NATIVE_WORKERS"),
    bit(0x400, "IORING_FEAT_RSRC_TAGS"), bit(0x800, "IORING_FEAT_CQE_SKIP"),
    bit(0x1000, "IORING_FEAT_LINKED_FILE"), bit(0x2000, "IORING_FEAT_REG_REG_RING"),
    bit(0x4000, "IORING_FEAT_RECVSEND_BUNDLE"), bit(0x8000, "IORING_FEAT_MIN_TIMEOUT"),
};
constexpr Flag kClone[] = {
    bit(0x00000100, "CLONE_VM"), bit(0x00000200, "CLONE_FS"), bit(0x00000400, "CLONE_FILES"),
    bit(0x00000800, "CLONE_SIGHAND"), bit(0x00001000, "CLONE_PIDFD"), bit(0x00002000, "CLONE_PTRACE"),
    bit(0x00004000, "CLONE_VFORK"), bit(0x00008000, "CLONE_PARENT"), bit(0x00010000, "CLONE_THREAD"),
    bit(0x00020000, "CLONE_NEWNS"), bit(0x00040000, "CLONE_SYSVSEM"), bit(0x00080000, "CLONE_SETTLS"),
    bit(0x00100000, "CLONE_PARENT_SETTID"), bit(0x00200000, "CLONE_CHILD_CLEARTID"),
    bit(0x00800000, "CLONE_UNTRACED"), bit(0x01000000, "CLONE_CHILD_SETTID"),
    bit(0x02000000, "CLONE_NEWCGROUP"), bit(0x04000000, "CLONE_NEWUTS"), bit(0x08000000, "CLONE_NEWIPC"),
    bit(0x10000000, "CLONE_NEWUSER"), bit(0x20000000, "CLONE_NEWPID"), bit(0x40000000, "CLONE_NEWNET"),
    bit(0x80000000, "CLONE_IO"), bit(0x00000080, "CLONE_NEWTIME"), bit(0x100000000, "CLONE_CLEAR_SIGHAND"),
    bit(0x200000000, "CLONE_INTO_CGROUP"),
};
constexpr Flag kSchedFlags[] = {
    bit(0x01, "SCHED_FLAG_RESET_ON_FORK"), bit(0x02, "SCHED_FLAG_RECLAIM"),
    bit(0x04, "SCHED_FLAG_DL_OVERRUN"), bit(0x08, "SCHED_FLAG_KEEP_POLICY"),
    bit(0x10, "SCHED_FLAG_KEEP_PARAMS"), bit(0x20, "SCHED_FLAG_UTIL_CLAMP_MIN"),
    bit(0x40, "SCHED_FLAG_UTIL_CLAMP_MAX"),
};
constexpr Flag kResolve[] = {
    bit(0x01, "RESOLVE_NO_XDEV"), bit(0x02, "RESOLVE_NO_MAGICLINKS"), bit(0x04, "RESOLVE_NO_SYMLINKS"),
    bit(0x08, "RESOLVE_BENEATH"), bit(0x10, "RESOLVE_IN_ROOT"), bit(0x20, "RESOLVE_CACHED"),
};
constexpr Flag kMountAttr[] = {
    bit(0x1, "MOUNT_ATTR_RDONLY"), bit(0x2, "MOUNT_ATTR_NOSUID"), bit(0x4, "MOUNT_ATTR_NODEV"),
    bit(0x8, "MOUNT_ATTR_NOEXEC"), bit(0x70, "MOUNT_ATTR__ATIME"), bit(0x10, "MOUNT_ATTR_NOATIME"),
    bit(0x20, "MOUNT_ATTR_STRICTATIME"), bit(0x80, "MOUNT_ATTR_NODIRATIME"),
    bit(0x100000, "MOUNT_ATTR_IDMAP"), bit(0x200000, "MOUNT_ATTR_NOSYMFOLLOW"),
};
constexpr Flag kPropagation[] = {
    bit(0x20000, "MS_UNBINDABLE"), bit(0x40000, "MS_PRIVATE"), bit(0x80000, "MS_SLAVE"),
    bit(0x100000, "MS_SHARED"),
};
constexpr Flag kProtection[] = {
    bit(0x1, "PROT_READ"), bit(0x2, "PROT_WRITE"), bit(0x4, "PROT_EXEC"), bit(0x8, "PROT_SEM"),
    bit(0x1000000, "PROT_GROWSDOWN"), bit(0x2000000, "PROT_GROWSUP"),
};
constexpr Flag kMapping[] = {
    bit(0x3, "MAP_SHARED_VALIDATE"), bit(0x1, "MAP_SHARED"), bit(0x2, "MAP_PRIVATE"),
    bit(0x10, "MAP_FIXED"), bit(0x20, "MAP_ANONYMOUS"), bit(0x40, "MAP_32BIT"), bit(0x100, "MAP_GROWSDOWN"),
    bit(0x800, "MAP_DENYWRITE"), bit(0x1000, "MAP_EXECUTABLE"), bit(0x2000, "MAP_LOCKED"),
    bit(0x4000, "MAP_NORESERVE"), bit(0x8000, "MAP_POPULATE"), bit(0x10000, "MAP_NONBLOCK"),
    bit(0x20000, "MAP_STACK"), bit(0x40000, "MAP_HUGETLB"), bit(0x80000, "MAP_SYNC"),
    bit(0x100000, "MAP_FIXED_NOREPLACE"),
};
constexpr Flag kQueueFlags[] = {
    bit(0x800, "O_NONBLOCK"),
};
constexpr Flag kSemFlags[] = {
    bit(0x800, "IPC_NOWAIT"), bit(0x1000, "SEM_UNDO"),
};
constexpr Flag kStatxResult[] = {
    bit(0xfff, "STATX_ALL"), bit(0x7ff, "STATX_BASIC_STATS"), bit(0x00000001, "STATX_TYPE"),
    bit(0x00000002, "STATX_MODE"), bit(0x00000004, "STATX_NLINK"), bit(0x00000008, "STATX_UID"),
    bit(0x00000010, "STATX_GID"), bit(0x00000020, "STATX_ATIME"), bit(0x00000040, "STATX_MTIME"),
    bit(0x00000080, "STATX_CTIME"), bit(0x00000100, "STATX_INO"), bit(0x00000200, "STATX_SIZE"),
    bit(0x00000400, "STATX_BLOCKS"), bit(0x00000800, "STATX_BTIME"), bit(0x00001000, "STATX_MNT_ID"),
    bit(0x00002000, "STATX_DIOALIGN"), bit(0x4000, "STATX_MNT_ID_UNIQUE"), bit(0x8000, "STATX_SUBVOL"),
    bit(0x10000, "STATX_WRITE_ATOMIC"), bit(0x20000, "STATX_DIO_READ_ALIGN"),
};
constexpr Flag kStatxAttributes[] = {
    bit(0x00000004, "STATX_ATTR_COMPRESSED"), bit(0x00000010, "STATX_ATTR_IMMUTABLE"),
    bit(0x00000020, "STATX_ATTR_APPEND"), bit(0x00000040, "STATX_ATTR_NODUMP"),
    bit(0x00000800, "STATX_ATTR_ENCRYPTED"), bit(0x00001000, "STATX_ATTR_AUTOMOUNT"),
    bit(0x00002000, "STATX_ATTR_MOUNT_ROOT"), bit(0x00100000, "STATX_ATTR_VERITY"),
    bit(0x00200000, "STATX_ATTR_DAX"), bit(0x400000, "STATX_ATTR_WRITE_ATOMIC"),
};
constexpr Flag kStatfsFlags[] = {
    bit(0x1, "ST_RDONLY"), bit(0x2, "ST_NOSUID"), bit(0x4, "ST_NODEV"), bit(0x8, "ST_NOEXEC"),
    bit(0x10, "ST_SYNCHRONOUS"), bit(0x20, "ST_VALID"), bit(0x40, "ST_MANDLOCK"), bit(0x400, "ST_NOATIME"),
    bit(0x800, "ST_NODIRATIME"), bit(0x1000, "ST_RELATIME"), bit(0x2000, "ST_NOSYMFOLLOW"),
};
constexpr Flag kTimexModes[] = {
    bit(0xa001, "ADJ_OFFSET_SS_READ"), bit(0x8001, "ADJ_OFFSET_SINGLESHOT"), bit(0x0001, "ADJ_OFFSET"),
    bit(0x0002, "ADJ_FREQUENCY"), bit(0x0004, "ADJ_MAXERROR"), bit(0x0008, "ADJ_ESTERROR"),
    bit(0x0010, "ADJ_STATUS"), bit(0x0020, "ADJ_TIMECONST"), bit(0x0080, "ADJ_TAI"),
    bit(0x0100, "ADJ_SETOFFSET"), bit(0x1000, "ADJ_MICRO"), bit(0x2000, "ADJ_NANO"),
    bit(0x4000, "ADJ_TICK"),
};
constexpr Flag kTimexStatus[] = {
    bit(0x0001, "STA_PLL"), bit(0x0002, "STA_PPSFREQ"), bit(0x0004, "STA_PPSTIME"), bit(0x0008, "STA_FLL"),
    bit(0x0010, "STA_INS"), bit(0x0020, "STA_DEL"), bit(0x0040, "STA_UNSYNC"), bit(0x0080, "STA_FREQHOLD"),
    bit(0x0100, "STA_PPSSIGNAL"), bit(0x0200, "STA_PPSJITTER"), bit(0x0400, "STA_PPSWANDER"),
    bit(0x0800, "STA_PPSERROR"), bit(0x1000, "STA_CLOCKERR"), bit(0x2000, "STA_NANO"),
    bit(0x4000, "STA_MODE"), bit(0x8000, "STA_CLK"),
};
constexpr Flag kFutex2[] = {
    {3, 0x0, "FUTEX2_SIZE_U8"}, {3, 0x1, "FUTEX2_SIZE_U16"}, {3, 0x2, "FUTEX2_SIZE_U32"},
    {3, 0x3, "FUTEX2_SIZE_U64"}, bit(0x4, "FUTEX2_NUMA"), bit(0x8, "FUTEX2_MPOL"),
    bit(0x80, "FUTEX2_PRIVATE"),
};
constexpr Flag kDescriptor[] = {
    bit(0x1, "seg_32bit"), {6, 0x2, "contents_expand_down"}, {6, 0x4, "contents_code"},
    {6, 0x6, "contents_conforming"}, bit(0x8, "read_exec_only"), bit(0x10, "limit_in_pages"),
    bit(0x20, "seg_not_present"), bit(0x40, "useable"), bit(0x80, "lm"),
};
constexpr Flag kSharedMode[] = {
    bit(0x200, "SHM_DEST"), bit(0x400, "SHM_LOCKED"), bit(0x100, "S_IRUSR"), bit(0x80, "S_IWUSR"),
    bit(0x40, "S_IXUSR"), bit(0x20, "S_IRGRP"), bit(0x10, "S_IWGRP"), bit(0x8, "S_IXGRP"),
    bit(0x4, "S_IROTH"), bit(0x2, "S_IWOTH"), bit(0x1, "S_IXOTH"),
};
constexpr Flag kPerfFlags[] = {
    bit(0x1, "disabled"), bit(0x2, "inherit"), bit(0x4, "pinned"), bit(0x8, "exclusive"),
    bit(0x10, "exclude_user"), bit(0x20, "exclude_kernel"), bit(0x40, "exclude_hv"),
    bit(0x80, "exclude_idle"), bit(0x100, "mmap"), bit(0x200, "comm"), bit(0x400, "freq"),
    bit(0x800, "inherit_stat"), bit(0x1000, "enable_on_exec"), bit(0x2000, "task"),
    bit(0x4000, "watermark"), {0x18000, 0x18000, "precise_ip=3"}, {0x18000, 0x10000, "precise_ip=2"},
    {0x18000, 0x8000, "precise_ip=1"}, bit(0x20000, "mmap_data"), bit(0x40000, "sample_id_all"),
    bit(0x80000, "exclude_host"), bit(0x100000, "exclude_guest"), bit(0x200000, "exclude_callchain_kernel"),
    bit(0x400000, "exclude_callchain_user"), bit(0x800000, "mmap2"), bit(0x1000000, "comm_exec"),
    bit(0x2000000, "use_clockid"), bit(0x4000000, "context_switch"), bit(0x8000000, "write_backward"),
    bit(0x10000000, "namespaces"), bit(0x20000000, "ksymbol"), bit(0x40000000, "bpf_event"),
    bit(0x80000000, "aux_output"), bit(0x100000000, "cgroup"), bit(0x200000000, "text_poke"),
    bit(0x400000000, "build_id"), bit(0x800000000, "inherit_thread"), bit(0x1000000000, "remove_on_exec"),
    bit(0x2000000000, "sigtrap"),
};
constexpr Flag kLockType[] = {
    is(0, "F_RDLCK"), is(1, "F_WRLCK"), is(2, "F_UNLCK"),
};
constexpr Flag kWhence[] = {
    is(0, "SEEK_SET"), is(1, "SEEK_CUR"), is(2, "SEEK_END"), is(3, "SEEK_DATA"), is(4, "SEEK_HOLE"),
};
constexpr Flag kNotify[] = {
    is(0, "SIGEV_SIGNAL"), is(1, "SIGEV_NONE"), is(2, "SIGEV_THREAD"), is(4, "SIGEV_THREAD_ID"),
};
constexpr Flag kAioCommand[] = {
    is(0, "IOCB_CMD_PREAD"), is(1, "IOCB_CMD_PWRITE"), is(2, "IOCB_CMD_FSYNC"), is(3, "IOCB_CMD_FDSYNC"),
    is(5, "IOCB_CMD_POLL"), is(6, "IOCB_CMD_NOOP"), is(7, "IOCB_CMD_PREADV"), is(8, "IOCB_CMD_PWRITEV"),
};
constexpr Flag kPerfType[] = {
    is(0, "PERF_TYPE_HARDWARE"), is(1, "PERF_TYPE_SOFTWARE"), is(2, "PERF_TYPE_TRACEPOINT"),
    is(3, "PERF_TYPE_HW_CACHE"), is(4, "PERF_TYPE_RAW"), is(5, "PERF_TYPE_BREAKPOINT"),
};
constexpr Flag kSchedPolicy[] = {
    is(0, "SCHED_NORMAL"), is(1, "SCHED_FIFO"), is(2, "SCHED_RR"), is(3, "SCHED_BATCH"),
    is(5, "SCHED_IDLE"), is(6, "SCHED_DEADLINE"), is(7, "SCHED_EXT"),
};
constexpr Flag kFileSystem[] = {
    is(0xadf5, "ADFS_SUPER_MAGIC"), is(0x0187, "AUTOFS_SUPER_MAGIC"), is(0x00c36400, "CEPH_SUPER_MAGIC"),
    is(0x64626720, "DEBUGFS_MAGIC"), is(0x73636673, "SECURITYFS_MAGIC"), is(0xf97cff8c, "SELINUX_MAGIC"),
    is(0x858458f6, "RAMFS_MAGIC"), is(0x01021994, "TMPFS_MAGIC"), is(0x958458f6, "HUGETLBFS_MAGIC"),
    is(0x73717368, "SQUASHFS_MAGIC"), is(0xf15f, "ECRYPTFS_SUPER_MAGIC"),
    is(0xe0f5e1e2, "EROFS_SUPER_MAGIC_V1"), is(0xef53, "EXT4_SUPER_MAGIC"),
    is(0x9123683e, "BTRFS_SUPER_MAGIC"), is(0xf2f52010, "F2FS_SUPER_MAGIC"),
    is(0x9660, "ISOFS_SUPER_MAGIC"), is(0x58465342, "XFS_SUPER_MAGIC"), is(0x6165676c, "PSTOREFS_MAGIC"),
    is(0xde5e81e4, "EFIVARFS_MAGIC"), is(0x794c7630, "OVERLAYFS_SUPER_MAGIC"),
    is(0x65735546, "FUSE_SUPER_MAGIC"), is(0x4d44, "MSDOS_SUPER_MAGIC"),
    is(0x2011bab0, "EXFAT_SUPER_MAGIC"), is(0x6969, "NFS_SUPER_MAGIC"),
    is(0x52654973, "REISERFS_SUPER_MAGIC"), is(0xff534d42, "CIFS_SUPER_MAGIC"),
    is(0xfe534d42, "SMB2_SUPER_MAGIC"), is(0x27e0eb, "CGROUP_SUPER_MAGIC"),
    is(0x63677270, "CGROUP2_SUPER_MAGIC"), is(0x74726163, "TRACEFS_MAGIC"), is(0x01021997, "V9FS_MAGIC"),
    is(0x42494e4d, "BINFMTFS_MAGIC"), is(0x1cd1, "DEVPTS_SUPER_MAGIC"), is(0x50495045, "PIPEFS_MAGIC"),
    is(0x9fa0, "PROC_SUPER_MAGIC"), is(0x534f434b, "SOCKFS_MAGIC"), is(0x62656572, "SYSFS_MAGIC"),
    is(0x09041934, "ANON_INODE_FS_MAGIC"), is(0x6e736673, "NSFS_MAGIC"), is(0xcafe4a11, "BPF_FS_MAGIC"),
    is(0x15013346, "UDF_SUPER_MAGIC"),
};
// clang-format on

struct NamedSet {
    std::string_view name;
    FlagSet flags;
};

constexpr NamedSet kSets[] = {
    {"clone", kClone},
    {"epoll_events", kEpollEvents},
    {"fs_magic", kFileSystem},
    {"futex2_flags", kFutex2},
    {"io_uring_features", kUringFeatures},
    {"io_uring_setup", kUringSetup},
    {"iocb_cmd", kAioCommand},
    {"lock_type", kLockType},
    {"mmap_flags", kMapping},
    {"mmap_prot", kProtection},
    {"mount_attr", kMountAttr},
    {"mount_propagation", kPropagation},
    {"mq_flags", kQueueFlags},
    {"perf_flags", kPerfFlags},
    {"perf_type", kPerfType},
    {"poll_events", kPollEvents},
    {"resolve", kResolve},
    {"sa_flags", kSignalActions},
    {"sched_attr_flags", kSchedFlags},
    {"sched_policy_name", kSchedPolicy},
    {"seek_whence", kWhence},
    {"sem_flags", kSemFlags},
    {"shm_mode", kSharedMode},
    {"sigev_notify", kNotify},
    {"ss_flags", kSignalStack},
    {"statfs_flags", kStatfsFlags},
    {"statx_attributes", kStatxAttributes},
    {"statx_result", kStatxResult},
    {"timex_modes", kTimexModes},
    {"timex_status", kTimexStatus},
    {"user_desc_flags", kDescriptor},
};

constexpr bool by_name(const NamedSet &a, const NamedSet &b) { return a.name < b.name; }
static_assert(std::is_sorted(std::begin(kSets), std::end(kSets), by_name));

} // namespace

FlagSet find_struct_set(std::string_view name) {
    const auto found = std::lower_bound(std::begin(kSets), std::end(kSets), NamedSet{name, {}}, by_name);
    if (found != std::end(kSets) && found->name == name)
        return found->flags;
    return find_flag_set(name);
}

} // namespace ktools
