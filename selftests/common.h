/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests share: a folder with a trace file, and a child process that waits
 * until it is traced.
 *
 *	child                     test
 *	read(pipe) ...            trace_init, tracee_fork
 *	                          attach
 *	body(arg)     <---------  tracee_release
 *	_exit(result) --------->  tracee_reap
 *	                          records_read
 *
 * Nothing here sleeps to let something happen: a test waits for what it needs.
 */
#ifndef SELFTESTS_COMMON_H
#define SELFTESTS_COMMON_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sys/ktrace.h>

#include "records.h"

#define CALLS ((int)(KTRFAC_SYSCALL | KTRFAC_SYSRET))
#define LIVES ((int)(KTRFAC_PROCCTOR | KTRFAC_PROCDTOR))
#define EVERYTHING                                                             \
	(CALLS | LIVES |                                                       \
	 (int)(KTRFAC_NAMEI | KTRFAC_GENIO | KTRFAC_PSIG | KTRFAC_USER))
#define INHERIT ((int)KTRFAC_INHERIT)

/* The ordinary user of the tests, and one more. */
#define USER_ID 1000
#define OTHER_ID 1001

/* For what a test takes for granted; ends the test. */
#define require(condition)                                                     \
	do {                                                                   \
		if (!(condition))                                              \
			require_failed(__FILE__, __LINE__, #condition);        \
	} while (0)
void require_failed(const char *file, int line, const char *condition);

/* --- the trace file --- */

struct trace {
	char dir[64]; /* a new folder, 0755 */
	char file[96]; /* in it: empty, 0600 */
};
void trace_init(struct trace *trace);
/* Also takes away whatever else is in the folder. */
void trace_fini(struct trace *trace);
/* The name of another file in the folder; valid until the fourth call from then. */
const char *trace_path(const struct trace *trace, const char *name);
/* Makes a file, empties it if it is there. Returns its name. */
const char *make_file(const char *path, mode_t mode);
void write_file(const char *path, const char *text);
long file_size(const char *path);

/* --- a traced process --- */

struct tracee {
	pid_t pid;
	int go; /* its end of the pipe that the child waits on */
};
/* The child is in a read(2) from here to tracee_release(); its status is what body returns. */
void tracee_fork(struct tracee *tracee, int (*body)(void *arg), void *arg);
void tracee_release(struct tracee *tracee);
/* Returns the status of waitpid(2). */
int tracee_reap(struct tracee *tracee);
/* Release and reap; requires that the child exits with 0. */
void tracee_finish(struct tracee *tracee);
/* Ends a child that is not needed any more. */
void tracee_kill(struct tracee *tracee);

/*
 * A child that lives until tracee_kill(). prepare() (or NULL) has run there when this
 * returns, and the child sleeps or is about to.
 */
void tracee_start(struct tracee *tracee, void (*prepare)(void));
/* A body: does nothing, until a signal ends it. */
int wait_for_ever(void *arg);

/* Starts tracing; 0 or -1, as ktrace(2). */
static inline int attach(const struct trace *trace, int trpoints, pid_t pid)
{
	return ktrace(trace->file, KTROP_SET, trpoints, pid);
}

/* All of it: what a child that runs body leaves in the trace file. Returns the child's pid. */
static inline pid_t trace_body(struct trace *trace, int trpoints,
			       int (*body)(void *arg), void *arg,
			       struct records *ret)
{
	struct tracee child;

	tracee_fork(&child, body, arg);
	require(attach(trace, trpoints, child.pid) == 0);
	tracee_finish(&child);
	records_read(ret, trace->file);
	return child.pid;
}

/* --- other users --- */

/* Gives up root for good, as login does. */
void become_user(uid_t uid);
/* Runs body(arg) in a child as that user; returns its exit status, or 128 + signal. */
int run_as(uid_t uid, int (*body)(void *arg), void *arg);
/* The exit status of a wait status, or 128 + signal. */
int exit_code(int status);

/* --- the rest --- */

/* The folder of the test programs, and one of them. */
const char *program_path(const char *name);
/* Waits until a process sleeps; the states are those of proc(5), "S" in a system call. */
void wait_state(pid_t pid, const char *states);
static inline void wait_asleep(pid_t pid)
{
	wait_state(pid, "S");
}
/* Calls getppid(2) n times, past the C library. */
void call_getppid(unsigned int n);
/* No memory is there; hidden from the compiler, which would complain. */
static inline void *bad_address(void)
{
	void *address = (void *)8;

	__asm__("" : "+r"(address));
	return address;
}
/* Memory that stays shared with children. */
void *shared_memory(size_t size);
/* A number from a file of /proc/sys/kern/ktrace; -1 and errno when that is not possible. */
long sysctl_get(const char *name);
int sysctl_set(const char *name, long value);

#endif
