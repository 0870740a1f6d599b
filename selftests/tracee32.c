// SPDX-License-Identifier: GPL-2.0-only
/*
 * A small static program to trace, built for i386 (tracee32) and x86-64 (tracee64).
 *
 *	tracee32 nothing ...	exits with 0
 *	tracee32 calls FILE	known system calls, one of them a lookup of FILE
 *	tracee32 exec PROGRAM ARGUMENT...
 *	tracee32 fault		dies of SIGSEGV
 *	tracee32 uid UID	exits with 0 if that is the effective user
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int make_calls(const char *file)
{
	struct iovec pieces[2] = { { "two ", 4 }, { "pieces", 6 } };
	int fd = open("/dev/null", O_WRONLY);

	syscall(SYS_getppid);
	syscall(SYS_access, file, F_OK);
	syscall(SYS_close, -1);
	syscall(SYS_lseek, fd, 5, 0);
	if (write(fd, "some bytes", 10) != 10 || writev(fd, pieces, 2) != 10)
		return 1;
	syscall(SYS_sched_yield);
	return 0;
}

int main(int argc, char **argv)
{
	char *const environment[] = { NULL };

	if (argc >= 2 && !strcmp(argv[1], "nothing"))
		return 0;
	if (argc == 3 && !strcmp(argv[1], "calls"))
		return make_calls(argv[2]);
	if (argc == 2 && !strcmp(argv[1], "fault"))
		raise(SIGSEGV);
	if (argc == 3 && !strcmp(argv[1], "uid"))
		return geteuid() != (uid_t)atoi(argv[2]);
	if (argc > 2 && !strcmp(argv[1], "exec"))
		execve(argv[2], argv + 2, environment);
	return 99;
}
