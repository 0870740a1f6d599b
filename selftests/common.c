// SPDX-License-Identifier: GPL-2.0-only
#include "common.h"

#include <dirent.h>
#include <grp.h>
#include <libgen.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>

void require_failed(const char *file, int line, const char *condition)
{
	fprintf(stderr, "# %s:%d: a test needs %s (errno %d, %s)\n", file, line,
		condition, errno, strerror(errno));
	abort();
}

/* --- the trace file --- */

void trace_init(struct trace *trace)
{
	strcpy(trace->dir, "/tmp/ktrace-test.XXXXXX");
	require(mkdtemp(trace->dir));
	require(chmod(trace->dir, 0755) == 0);
	snprintf(trace->file, sizeof(trace->file), "%s/ktrace.out", trace->dir);
	make_file(trace->file, 0600);
}

void trace_fini(struct trace *trace)
{
	DIR *dir = opendir(trace->dir);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			unlinkat(dirfd(dir), entry->d_name,
				 entry->d_type == DT_DIR ? AT_REMOVEDIR : 0);
	if (dir)
		closedir(dir);
	rmdir(trace->dir);
}

const char *trace_path(const struct trace *trace, const char *name)
{
	static char paths[4][512];
	static unsigned int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", trace->dir, name);
	return path;
}

const char *make_file(const char *path, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	require(fd >= 0);
	require(fchmod(fd, mode) == 0);
	close(fd);
	return path;
}

void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	require(fd >= 0);
	require(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

long file_size(const char *path)
{
	struct stat st;

	require(stat(path, &st) == 0);
	return st.st_size;
}

/* --- a traced process --- */

void tracee_fork(struct tracee *tracee, int (*body)(void *arg), void *arg)
{
	int ends[2];
	char byte;

	require(pipe2(ends, O_CLOEXEC) == 0);
	fflush(NULL);
	tracee->pid = fork();
	require(tracee->pid >= 0);
	if (tracee->pid == 0) {
		close(ends[1]);
		/* End of file: the test gave up. */
		if (read(ends[0], &byte, 1) != 1)
			_exit(126);
		close(ends[0]);
		_exit(body(arg));
	}
	close(ends[0]);
	tracee->go = ends[1];
}

void tracee_release(struct tracee *tracee)
{
	require(write(tracee->go, "", 1) == 1);
	close(tracee->go);
	tracee->go = -1;
}

int tracee_reap(struct tracee *tracee)
{
	int status;

	require(waitpid(tracee->pid, &status, 0) == tracee->pid);
	return status;
}

void tracee_finish(struct tracee *tracee)
{
	int status;

	tracee_release(tracee);
	status = tracee_reap(tracee);
	errno = exit_code(status);
	require(status == 0);
}

void tracee_kill(struct tracee *tracee)
{
	kill(tracee->pid, SIGKILL);
	waitpid(tracee->pid, NULL, 0);
	if (tracee->go >= 0)
		close(tracee->go);
}

int wait_for_ever(void *arg)
{
	while (pause() == -1)
		;
	return 0;
}

void tracee_start(struct tracee *tracee, void (*prepare)(void))
{
	int ready[2];
	char byte;

	require(pipe2(ready, O_CLOEXEC) == 0);
	fflush(NULL);
	tracee->go = -1;
	tracee->pid = fork();
	require(tracee->pid >= 0);
	if (tracee->pid == 0) {
		if (prepare)
			prepare();
		require(write(ready[1], "", 1) == 1);
		_exit(wait_for_ever(NULL));
	}
	close(ready[1]);
	require(read(ready[0], &byte, 1) == 1);
	close(ready[0]);
}

/* --- other users --- */

void become_user(uid_t uid)
{
	require(setgroups(0, NULL) == 0);
	require(setresgid(uid, uid, uid) == 0);
	require(setresuid(uid, uid, uid) == 0);
	/* Lost with the change of user; a program that login starts has it. */
	require(prctl(PR_SET_DUMPABLE, 1) == 0);
}

int exit_code(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int run_as(uid_t uid, int (*body)(void *arg), void *arg)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	require(pid >= 0);
	if (pid == 0) {
		become_user(uid);
		_exit(body(arg));
	}
	require(waitpid(pid, &status, 0) == pid);
	return exit_code(status);
}

/* --- the rest --- */

const char *program_path(const char *name)
{
	static char path[2][4096];
	static unsigned int next;
	char self[4000] = "";
	char *ret = path[next++ % 2];

	require(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(ret, sizeof(path[0]), "%s/%s", dirname(self), name);
	return ret;
}

void wait_state(pid_t pid, const char *states)
{
	char name[64];
	char line[512];
	const char *state;

	snprintf(name, sizeof(name), "/proc/%d/stat", pid);
	for (;;) {
		FILE *file = fopen(name, "re");

		require(file && fgets(line, sizeof(line), file));
		fclose(file);
		/* PID (COMM) STATE, and the name may have anything in it */
		state = strrchr(line, ')');
		require(state && state[2] != 'Z');
		if (strchr(states, state[2]))
			return;
		sched_yield();
	}
}

void call_getppid(unsigned int n)
{
	while (n-- > 0)
		syscall(SYS_getppid);
}

void *shared_memory(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	require(memory != MAP_FAILED);
	return memory;
}

static int sysctl_open(const char *name, int flags)
{
	char path[128];

	snprintf(path, sizeof(path), "/proc/sys/kern/ktrace/%s", name);
	return open(path, flags | O_CLOEXEC);
}

long sysctl_get(const char *name)
{
	int fd = sysctl_open(name, O_RDONLY);
	char text[32];
	ssize_t got;

	if (fd < 0)
		return -1;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got < 0)
		return -1;
	text[got] = '\0';
	return strtol(text, NULL, 10);
}

int sysctl_set(const char *name, long value)
{
	int fd = sysctl_open(name, O_WRONLY);
	char text[32];
	int length = snprintf(text, sizeof(text), "%ld\n", value);
	ssize_t written;
	int error;

	if (fd < 0)
		return -1;
	written = write(fd, text, length);
	error = errno;
	close(fd);
	errno = error;
	return written == length ? 0 : -1;
}
