/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR BSD-2-Clause */
/*
 * ktrace for Linux: the file format and the /dev/ktrace interface.
 *
 * A trace file is a sequence of records: a header (struct ktr_header, or struct
 * ktr_header_v1 when KTR_VERSIONED is set in ktr_type), then ktr_len bytes of
 * payload. Everything is in native byte order, without padding between records;
 * both headers may be mixed in one file. The values of KTR_*, KTRFAC_*, KTROP_*
 * and the payloads are FreeBSD's; errno, signal and system call numbers are
 * Linux's own. Documentation/format.rst shows a worked example.
 *
 * Calls on /dev/ktrace (mode 0666) are ioctls on one argument struct of fixed
 * width, the same for 32-bit callers. Its first member is its size as the caller
 * knows it: members beyond that are zero, and a caller whose struct is larger than
 * the kernel's gets E2BIG unless what the kernel does not know is zero.
 *   KTRACE_IOC_INFO    what this module can do
 *   KTRACE_IOC_KTRACE  ktrace(2) and fktrace(2)
 *   KTRACE_IOC_UTRACE  utrace(2)
 *   KTRACE_IOC_STATS   counters of one trace file
 */
#ifndef KTRACE_UAPI_H
#define KTRACE_UAPI_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* Operations (the low two bits of ops) and their flag. */
#define KTROP_SET 0
#define KTROP_CLEAR 1
#define KTROP_CLEARFILE 2
#define KTROP(ops) ((ops) & 3)
#define KTRFLAG_DESCEND 4

/* Record types: KTR_SYSCALL ... from the one list. */
enum ktr_record_type {
#define KTR_RECORD(name, number, letter, dflt, label, fixed, payload) KTR_##name = number,
#include "ktrace_records.def"
#undef KTR_RECORD
	KTR_NTYPES = 23 /* one more than the greatest */
};

/* Facilities: one bit for each record type. */
enum ktr_facility {
#define KTR_RECORD(name, number, letter, dflt, label, fixed, payload) KTRFAC_##name = 1 << (number),
#include "ktrace_records.def"
#undef KTR_RECORD
	KTRFAC_MASK = 0x00ffffff
};

/* Beside the facilities in trpoints, and in the state of a traced process. */
#define KTRFAC_ROOT 0x80000000u    /* traced by a privileged user (never taken from trpoints) */
#define KTRFAC_INHERIT 0x40000000u /* children are traced, too */
#define KTRFAC_DROP 0x20000000u    /* a record was lost (never taken from trpoints) */

/* The header that KTROP_SET asks for: bits 24 to 27 of trpoints. */
#define KTRFAC_VER_SHIFT 24
#define KTRFAC_VER_MASK 0x0f000000u
#define KTRFACv0 (0 << KTRFAC_VER_SHIFT)
#define KTRFACv1 (1 << KTRFAC_VER_SHIFT)

/* Flags in ktr_type. */
#define KTR_DROP 0x8000	     /* records of this process were lost before this one */
#define KTR_VERSIONED 0x4000 /* the header is struct ktr_header_v1 */
#define KTR_TYPE (KTR_DROP | KTR_VERSIONED)
#define KTR_VERSION0 0
#define KTR_VERSION1 1

#define KTR_COMM_LEN 20	       /* bytes of ktr_comm, NUL-padded */
#define KTR_USER_MAXLEN 2048   /* bytes of one utrace(2) record */
#define KTR_PATH_MAX 1024      /* bytes of the trace file's path, with its NUL */

/* Programs of 64 bits may have the C library's own types in the headers (<sys/ktrace.h> does so). */
#ifndef KTR_TIMEVAL
#define KTR_TIMEVAL         \
	struct {            \
		__s64 tv_sec;  \
		__s64 tv_usec; \
	}
#define KTR_TIMESPEC        \
	struct {            \
		__s64 tv_sec;  \
		__s64 tv_nsec; \
	}
#endif

/* The header of the manual page; 56 bytes. */
struct ktr_header {
	__s32 ktr_len;		     /* bytes that follow this header */
	__u16 ktr_type;		     /* KTR_*, and perhaps KTR_DROP */
	__u16 ktr_pad;		     /* zero */
	__s32 ktr_pid;		     /* process, in the tracer's pid namespace */
	char ktr_comm[KTR_COMM_LEN]; /* command name of the thread */
	KTR_TIMEVAL ktr_time; /* CLOCK_REALTIME, microseconds */
	__s64 ktr_tid; /* thread; the word was ktr_buf, a kernel pointer, on 4.4BSD */
};

/* The versioned header; 64 bytes. */
struct ktr_header_v1 {
	__s32 ktr_len;
	__u16 ktr_type;	   /* KTR_* | KTR_VERSIONED, and perhaps KTR_DROP */
	__u16 ktr_version; /* KTR_VERSION1 */
	__s32 ktr_pid;
	char ktr_comm[KTR_COMM_LEN];
	KTR_TIMESPEC ktr_time; /* CLOCK_REALTIME, nanoseconds */
	__s64 ktr_tid;
	__s32 ktr_cpu; /* processor that the event happened on */
	__u32 ktr_pad; /* zero */
};

/* Which table a system call number belongs to; also PROCCTOR's sv_flags. */
#define KTR_SV_LINUX64 0x203u
#define KTR_SV_LINUX32 0x103u
#define KTR_SV_NATIVE 0x80000000u /* errno, signals and structures are Linux's own */

/* KTR_SYSCALL: a system call begins. */
struct ktr_syscall {
	__s16 ktr_code; /* number */
	__s16 ktr_narg; /* how many arguments follow */
	__u32 ktr_abi;	/* KTR_SV_LINUX64 or KTR_SV_LINUX32 (padding on FreeBSD) */
	__u64 ktr_args[];
};

/* KTR_SYSRET: a system call ends. */
struct ktr_sysret {
	__s16 ktr_code;
	__s16 ktr_abi; /* as in struct ktr_syscall (ktr_eosys, unused, on FreeBSD) */
	__s32 ktr_error; /* 0, an errno, KTR_ERESTART or KTR_EJUSTRETURN */
	__s64 ktr_retval; /* 0 if ktr_error is not */
};
#define KTR_ERESTART (-1)    /* interrupted; the kernel restarts the call */
#define KTR_EJUSTRETURN (-2) /* successful exec or sigreturn: the registers are new */

/* KTR_GENIO: bytes moved by a call; the data follows. */
struct ktr_genio {
	__s32 ktr_fd;
	__u32 ktr_rw; /* KTR_UIO_READ or KTR_UIO_WRITE */
};
#define KTR_UIO_READ 0
#define KTR_UIO_WRITE 1

/* KTR_PSIG: a signal is delivered. */
struct ktr_psig {
	__s32 signo;
	__u32 ktr_pad;
	__u64 action; /* address of the handler; 0 SIG_DFL, 1 SIG_IGN */
	__s32 code;   /* si_code */
	__u32 mask[4]; /* blocked before the handler runs; Linux uses the first two words */
	__u32 ktr_pad2;
};

/* KTR_CSW: a context switch. */
struct ktr_csw {
	__s32 out;  /* 1 leaves the processor, 0 comes back */
	__s32 user; /* 1 involuntary, 0 voluntary */
	char wmesg[8]; /* what it waits in, NUL-terminated */
};

/* KTR_PROCCTOR: what kind of process this is; before its other records. */
struct ktr_proc_ctor {
	__u32 sv_flags; /* KTR_SV_LINUX64 or KTR_SV_LINUX32, | KTR_SV_NATIVE */
};

/* KTR_CAPFAIL: a call was refused. */
struct ktr_cap_fail {
	__s32 cap_type;	   /* KTR_CAPFAIL_* */
	__s16 cap_code;	   /* system call */
	__u16 cap_pad;
	__u32 cap_svflags; /* KTR_SV_* */
	__u32 cap_pad2;
	__u64 cap_needed;  /* NOTCAPABLE: bit n for capability n */
	__u64 cap_data[127]; /* zero */
};
#define KTR_CAPFAIL_NOTCAPABLE 0 /* a capability is missing */
#define KTR_CAPFAIL_SYSCALL 2	 /* by a seccomp filter */

/* KTR_FAULT and KTR_FAULTEND. */
struct ktr_fault {
	__u64 vaddr;
	__s32 type; /* KTR_FAULT_* bits */
	__u32 ktr_pad;
};
struct ktr_faultend {
	__s32 result; /* KTR_KERN_* */
};
#define KTR_FAULT_READ 1
#define KTR_FAULT_WRITE 2
#define KTR_FAULT_EXEC 4
#define KTR_KERN_SUCCESS 0
#define KTR_KERN_INVALID_ADDRESS 1
#define KTR_KERN_PROTECTION_FAILURE 2
#define KTR_KERN_RESOURCE_SHORTAGE 6
#define KTR_KERN_MEMORY_ERROR 10

/* KTR_URING: an io_uring request. */
struct ktr_uring {
	__u8 event;  /* KTR_URING_SUBMIT, KTR_URING_COMPLETE */
	__u8 opcode; /* IORING_OP_* */
	__u16 ktr_pad;
	__s32 fd;     /* submit: descriptor or fixed file; complete: -1 */
	__s32 result; /* complete: bytes or -errno */
	__u32 flags;  /* complete: IORING_CQE_F_* */
	__u64 user_data;
};
#define KTR_URING_SUBMIT 0
#define KTR_URING_COMPLETE 1

/* KTR_LOST: records that found no room; an array, one item for each type that lost any. */
struct ktr_lost {
	__u32 ktr_type;
	__u32 ktr_pad;
	__u64 ktr_count;
};

/*
 * The calls. A pointer is a __u64; -1 with errno set is failure.
 */
#define KTRACE_ABI_VERSION 1

/* Feature bits of ktrace_info. */
#define KTRACE_FEATURE_NAMEI_KERNEL (1ull << 0) /* paths are the kernel's own copy */
#define KTRACE_FEATURE_COMPAT (1ull << 1)	/* 32-bit programs are traced */
#define KTRACE_FEATURE_TASK_WORK (1ull << 2)	/* deferred work by task_work_add */

struct ktrace_info {
	__u32 size;
	__u32 abi_version; /* KTRACE_ABI_VERSION */
	__u64 features;	   /* KTRACE_FEATURE_* */
	__u64 facilities;  /* KTRFAC_* bits that this module records */
	__u64 ring_bytes;  /* memory of one trace file's rings */
};

/* ktrace(2): EINVAL for flags that are not known. */
#define KTRACE_BY_FD 1u /* fktrace(2): the file is fd, file is ignored */
struct ktrace_args {
	__u32 size;
	__u32 flags; /* KTRACE_BY_FD */
	__u64 file;  /* const char *: the trace file's path; ignored by KTROP_CLEAR */
	__s32 fd;
	__s32 ops;	/* KTROP_*, KTRFLAG_DESCEND */
	__u32 trpoints; /* KTRFAC_*, header version */
	__s32 pid;	/* process, or process group if negative */
};

struct ktrace_utrace {
	__u32 size;
	__u32 pad; /* zero */
	__u64 addr;
	__u64 len;
};

/* Counters of the trace file open as fd, since tracing to it began; ENOENT if nothing traces to it. */
struct ktrace_stats {
	__u32 size;
	__s32 fd;
	__u64 records; /* written */
	__u64 bytes;   /* written */
	__u64 waits;   /* times a traced thread waited for the writer */
	__u64 timeouts; /* waits that ended without progress */
	__u64 lost[32]; /* records that found no room, by type */
};

#define KTRACE_IOC_MAGIC 'K'
#define KTRACE_IOC_INFO _IOWR(KTRACE_IOC_MAGIC, 0x80, struct ktrace_info)
#define KTRACE_IOC_KTRACE _IOW(KTRACE_IOC_MAGIC, 0x81, struct ktrace_args)
#define KTRACE_IOC_UTRACE _IOW(KTRACE_IOC_MAGIC, 0x82, struct ktrace_utrace)
#define KTRACE_IOC_STATS _IOWR(KTRACE_IOC_MAGIC, 0x83, struct ktrace_stats)

#endif
