/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ktrace(2), utrace(2) and fktrace(2) for programs written for the BSDs.
 *
 * The constants and the structures of a trace file are in <linux/ktrace.h>; here are
 * the functions of libktrace (link with -lktrace) and the names that OpenBSD and
 * NetBSD give to what <linux/ktrace.h> calls by its FreeBSD name.
 */
#ifndef KTRACE_SYS_KTRACE_H
#define KTRACE_SYS_KTRACE_H

#include <sys/time.h>
#include <sys/types.h>

/* The headers' time is the C library's where that has the same layout. */
#ifdef __LP64__
#define KTR_TIMEVAL struct timeval
#define KTR_TIMESPEC struct timespec
#endif
#include <linux/ktrace.h>

/* OpenBSD's and NetBSD's names. A facility that Linux has no use for is no bit at all. */
#define KTRFAC_EXECARGS KTRFAC_ARGS
#define KTRFAC_EXECENV KTRFAC_ENVS
#define KTRFAC_PLEDGE KTRFAC_CAPFAIL
#define KTRFAC_PINSYSCALL 0
#define KTRFAC_EXEC_ARG KTRFAC_ARGS
#define KTRFAC_EXEC_ENV KTRFAC_ENVS
#define KTRFAC_EXEC_FD 0
#define KTRFAC_MIB KTRFAC_SYSCTL
#define KTRFAC_PERSISTENT KTRFAC_ROOT
#define KTRFAC_VERSION(trpoints) (((trpoints) & KTRFAC_VER_MASK) >> KTRFAC_VER_SHIFT)

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Starts or stops tracing of process pid, or of process group -pid if pid is negative,
 * to the existing regular file tracefile. ops is a KTROP_*, perhaps with
 * KTRFLAG_DESCEND; trpoints are KTRFAC_* bits. Returns 0, or -1 with errno set: ENOSYS
 * when the kernel module is not loaded.
 */
int ktrace(const char *tracefile, int ops, int trpoints, pid_t pid);

/* The same for the trace file that is open as fd. */
int fktrace(int fd, int ops, int trpoints, pid_t pid);

/* Writes a record with len bytes at addr if the calling process is traced for USER. */
int utrace(const void *addr, size_t len);

#ifdef __cplusplus
}
#endif

#endif
