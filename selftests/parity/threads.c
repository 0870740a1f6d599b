// SPDX-License-Identifier: GPL-2.0-only
//
// Two threads that wait for each other, and calls that no command makes: traced by scripts/parity,
// as a 64-bit and as a 32-bit program.

#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int ready;

static void *other(void *unused)
{
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&turn);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, other, NULL);
	pthread_mutex_lock(&mutex);
	while (!ready)
		pthread_cond_wait(&turn, &mutex);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
}

static void descriptors(void)
{
	int pair[2];
	sigset_t set;
	int file = open("file", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
	int events = epoll_create1(EPOLL_CLOEXEC);

	sigemptyset(&set);
	epoll_ctl(events, EPOLL_CTL_ADD, eventfd(0, EFD_NONBLOCK), &(struct epoll_event){.events = EPOLLIN});
	signalfd(-1, &set, SFD_NONBLOCK);
	timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
	inotify_add_watch(inotify_init1(IN_NONBLOCK), ".", IN_CREATE | IN_ONLYDIR);
	fcntl(file, F_SETFL, O_NONBLOCK | O_APPEND);
	fcntl(file, F_SETFD, FD_CLOEXEC);
	posix_fallocate(file, 0, 4096);
	fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 8192);
	lseek(file, -1, SEEK_END);
	posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
	sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
	pipe2(pair, O_NONBLOCK);
	socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair);
	send(pair[0], "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	shutdown(pair[0], SHUT_WR);
	socket(AF_NETLINK, SOCK_RAW, 15);
	renameat2(AT_FDCWD, "file", AT_FDCWD, "file2", 1);
	unlinkat(AT_FDCWD, "file2", 0);
	memfd_create("m", MFD_ALLOW_SEALING);
}

static void memory(void)
{
	char *page = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int shared = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);

	madvise(page, 1 << 20, MADV_DONTNEED);
	msync(page, 4096, MS_SYNC | MS_INVALIDATE);
	mlock2(page, 4096, 1);
	mremap(page, 1 << 20, 1 << 21, MREMAP_MAYMOVE);
	shmat(shared, NULL, SHM_RDONLY);
	shmctl(shared, IPC_RMID, NULL);
	semctl(semget(IPC_PRIVATE, 1, IPC_CREAT | 0600), 0, IPC_RMID);
	msgctl(msgget(IPC_PRIVATE, IPC_CREAT | IPC_EXCL | 0600), IPC_RMID, NULL);
}

static void process(void)
{
	struct timespec now = {0};
	struct rusage usage;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_CAPBSET_READ, 21);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &now, NULL);
	getrusage(RUSAGE_CHILDREN, &usage);
	getpriority(PRIO_PROCESS, 0);
	sched_setscheduler(0, SCHED_BATCH | SCHED_RESET_ON_FORK, &(struct sched_param){0});
	unshare(CLONE_FS | CLONE_FILES);
	if (fork() == 0)
		_exit(0);
	waitpid(-1, NULL, WUNTRACED);
	waitid(P_ALL, 0, NULL, WEXITED | WNOHANG);
	kill(getpid(), 0);
}

int main(void)
{
	descriptors();
	memory();
	threads();
	process();
	return 0;
}
