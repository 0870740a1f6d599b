// SPDX-License-Identifier: GPL-2.0-only
/* NAMEI: one record for each path that a system call looks up, as the kernel got it. */
#include "harness.h"

#include <sys/stat.h>
#include <sys/un.h>
#include <sys/socket.h>

FIXTURE_WITH_TRACE(namei)

/* A system call that takes paths, relative to the trace's folder. */
struct lookup {
	const char *name;
	int (*body)(void *arg);
	const char *paths[3];
	size_t count;
};

static int do_open(void *arg)
{
	return syscall(SYS_open, "ktrace.out", O_RDONLY) < 0;
}

static int do_openat(void *arg)
{
	return openat(AT_FDCWD, "./ktrace.out", O_RDONLY) < 0;
}

static int do_failing_open(void *arg)
{
	return syscall(SYS_open, "missing/file", O_RDONLY) != -1;
}

static int do_creat(void *arg)
{
	return syscall(SYS_creat, "new", 0600) < 0;
}

static int do_rename(void *arg)
{
	return syscall(SYS_rename, "old", "renamed");
}

static int do_failing_rename(void *arg)
{
	return syscall(SYS_rename, "missing", "renamed") != -1;
}

static int do_link(void *arg)
{
	return syscall(SYS_link, "old", "second");
}

static int do_symlink(void *arg)
{
	return syscall(SYS_symlink, "the target", "link");
}

static int do_readlink(void *arg)
{
	char text[16];

	return syscall(SYS_readlink, "missing", text, sizeof(text)) != -1;
}

static int do_stat(void *arg)
{
	struct stat st;

	return syscall(SYS_newfstatat, AT_FDCWD, "old", &st, 0);
}

static int do_access(void *arg)
{
	return syscall(SYS_access, "old", F_OK);
}

static int do_unlink(void *arg)
{
	return syscall(SYS_unlink, "old");
}

static int do_mkdir(void *arg)
{
	return syscall(SYS_mkdir, "folder", 0700);
}

static int do_rmdir(void *arg)
{
	return syscall(SYS_rmdir, "missing") != -1;
}

static int do_chdir(void *arg)
{
	return syscall(SYS_chdir, "..");
}

static int do_chmod(void *arg)
{
	return syscall(SYS_chmod, "old", 0640);
}

static int do_truncate(void *arg)
{
	return syscall(SYS_truncate, "old", 0L);
}

static int do_statfs(void *arg)
{
	char space[256];

	return syscall(SYS_statfs, ".", space);
}

static int do_twice(void *arg)
{
	return do_access(arg) || do_access(arg);
}

static const struct lookup lookups[] = {
	{ "open", do_open, { "ktrace.out" }, 1 },
	{ "openat", do_openat, { "./ktrace.out" }, 1 },
	{ "open that fails", do_failing_open, { "missing/file" }, 1 },
	{ "creat", do_creat, { "new" }, 1 },
	{ "rename", do_rename, { "old", "renamed" }, 2 },
	{ "rename that fails", do_failing_rename, { "missing", "renamed" }, 2 },
	{ "link", do_link, { "old", "second" }, 2 },
	{ "symlink", do_symlink, { "the target", "link" }, 2 },
	{ "readlink", do_readlink, { "missing" }, 1 },
	{ "newfstatat", do_stat, { "old" }, 1 },
	{ "access", do_access, { "old" }, 1 },
	{ "unlink", do_unlink, { "old" }, 1 },
	{ "mkdir", do_mkdir, { "folder" }, 1 },
	{ "rmdir", do_rmdir, { "missing" }, 1 },
	{ "chdir", do_chdir, { ".." }, 1 },
	{ "chmod", do_chmod, { "old" }, 1 },
	{ "truncate", do_truncate, { "old" }, 1 },
	{ "statfs", do_statfs, { "." }, 1 },
	{ "access, twice", do_twice, { "old", "old" }, 2 },
};

/* True if the paths in the file are those, in some order; says what is wrong. */
static bool has_paths(const struct records *records, const struct lookup *lookup)
{
	const struct record *r = NULL;
	bool seen[3] = { false };
	size_t count = 0;
	size_t i;

	while ((r = next_record(records, r, KTR_NAMEI, 0))) {
		for (i = 0; i < lookup->count; i++)
			if (!seen[i] && is_path(r, lookup->paths[i]))
				break;
		if (i == lookup->count) {
			fprintf(stderr, "# %s: path \"%.*s\"\n", lookup->name, (int)r->length,
				r->data);
			return false;
		}
		seen[i] = true;
		count++;
	}
	if (count != lookup->count)
		fprintf(stderr, "# %s: %zu records\n", lookup->name, count);
	return count == lookup->count;
}

TEST_F(namei, every_path_makes_exactly_one_record)
{
	struct records records;
	size_t i;

	ASSERT_EQ(0, chdir(self->trace.dir));
	for (i = 0; i < ARRAY_SIZE(lookups); i++) {
		make_file(self->trace.file, 0600);
		make_file("old", 0600);
		unlink("renamed");
		unlink("second");
		trace_body(&self->trace, EVERYTHING, lookups[i].body, NULL, &records);
		EXPECT_TRUE(has_paths(&records, &lookups[i]));
		records_free(&records);
	}
}

static int open_bad_address(void *arg)
{
	return syscall(SYS_open, 8, O_RDONLY) != -1 || errno != EFAULT;
}

TEST_F(namei, bad_address_makes_no_record)
{
	struct records records;

	trace_body(&self->trace, EVERYTHING, open_bad_address, NULL, &records);
	EXPECT_EQ(0, count_records(&records, KTR_NAMEI, 0));
}

static int open_long_path(void *arg)
{
	char path[4000];
	size_t i;

	for (i = 0; i < sizeof(path) - 1; i++)
		path[i] = i % 2 ? '.' : '/';
	path[sizeof(path) - 1] = '\0';
	return syscall(SYS_open, path, O_RDONLY) < 0;
}

TEST_F(namei, long_path_is_whole)
{
	const struct record *path;
	struct records records;

	trace_body(&self->trace, EVERYTHING, open_long_path, NULL, &records);
	path = next_record(&records, NULL, KTR_NAMEI, 0);
	ASSERT_NE(NULL, path);
	EXPECT_EQ(3999, path->length);
	EXPECT_EQ(0, memcmp("/././", path->data, 5));
}

static int open_too_long_path(void *arg)
{
	static char path[5000];

	memset(path, '/', sizeof(path) - 1);
	return syscall(SYS_open, path, O_RDONLY) != -1 || errno != ENAMETOOLONG;
}

TEST_F(namei, path_that_is_too_long_for_the_kernel_does_no_harm)
{
	struct records records;

	trace_body(&self->trace, EVERYTHING, open_too_long_path, NULL, &records);
	EXPECT_GE(1, count_records(&records, KTR_NAMEI, 0));
}

/* The bytes change between call and return: what counts is what was looked up. */
static int change_path_meanwhile(void *arg)
{
	char *path = shared_memory(4096);

	strcpy(path, "old");
	syscall(SYS_access, path, F_OK);
	strcpy(path, "changed");
	return 0;
}

TEST_F(namei, path_is_the_one_that_was_looked_up)
{
	struct records records;

	trace_body(&self->trace, EVERYTHING, change_path_meanwhile, NULL, &records);
	EXPECT_TRUE(is_path(next_record(&records, NULL, KTR_NAMEI, 0), "old"));
}

/* --- exec --- */

/* arg: the program */
static int exec_program(void *arg)
{
	char *const argv[] = { arg, "nothing", NULL };
	char *const envp[] = { NULL };

	execve(arg, argv, envp);
	return errno;
}

/* Up to the return of execve(2): what the program looks up itself is not meant. */
static size_t paths_of_exec(const struct records *records)
{
	const struct record *end = next_return(records, NULL, 0, SYS_execve);
	const struct record *r = NULL;
	size_t count = 0;

	require(end);
	while ((r = next_record(records, r, KTR_NAMEI, 0)) && r < end)
		count++;
	return count;
}

TEST_F(namei, exec_of_a_static_program_makes_one_record)
{
	char *program = (char *)program_path("tracee64");
	struct records records;

	trace_body(&self->trace, EVERYTHING, exec_program, program, &records);
	EXPECT_EQ(1, paths_of_exec(&records));
	EXPECT_TRUE(is_path(next_record(&records, NULL, KTR_NAMEI, 0), program));
}

TEST_F(namei, exec_of_a_dynamic_program_has_its_loader_second)
{
	static char loader[] = "/lib64/ld-linux-x86-64.so.2";
	const struct record *path;
	struct records records;

	trace_body(&self->trace, EVERYTHING, exec_program, "/bin/true", &records);
	path = next_record(&records, NULL, KTR_NAMEI, 0);
	EXPECT_TRUE(is_path(path, "/bin/true"));
	path = next_record(&records, path, KTR_NAMEI, 0);
	EXPECT_TRUE(is_path(path, loader));
	EXPECT_EQ(2, paths_of_exec(&records));
}

TEST_F(namei, exec_of_a_script_has_its_interpreter_second)
{
	char *script = (char *)trace_path(&self->trace, "script");
	const struct record *path;
	struct records records;
	char text[4200];

	snprintf(text, sizeof(text), "#!%s nothing\n", program_path("tracee64"));
	if (strlen(text) > 200)
		SKIP(return, "the tests' folder has too long a name for #!");
	write_file(script, text);
	ASSERT_EQ(0, chmod(script, 0755));
	trace_body(&self->trace, EVERYTHING, exec_program, script, &records);
	path = next_record(&records, NULL, KTR_NAMEI, 0);
	EXPECT_TRUE(is_path(path, script));
	path = next_record(&records, path, KTR_NAMEI, 0);
	EXPECT_TRUE(is_path(path, program_path("tracee64")));
	EXPECT_EQ(2, paths_of_exec(&records));
}

static int exec_missing(void *arg)
{
	return exec_program(arg) != ENOENT;
}

TEST_F(namei, exec_that_fails_makes_one_record)
{
	struct records records;

	trace_body(&self->trace, EVERYTHING, exec_missing, "/nonexistent", &records);
	EXPECT_EQ(1, count_records(&records, KTR_NAMEI, 0));
	EXPECT_TRUE(is_path(next_record(&records, NULL, KTR_NAMEI, 0), "/nonexistent"));
}

RUN_TESTS
