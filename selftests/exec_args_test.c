// SPDX-License-Identifier: GPL-2.0-only
/* ARGS and ENVS: the strings that exec was given. EMUL: what the image is. */
#include "harness.h"

#include <sys/stat.h>

#define STRINGS ((int)(KTRFAC_ARGS | KTRFAC_ENVS))
#define LONGEST 65536

FIXTURE(exec_args)
{
	struct trace trace;
	struct records records;
};
FIXTURE_SETUP(exec_args)
{
	trace_init(&self->trace);
}
FIXTURE_TEARDOWN(exec_args)
{
	records_free(&self->records);
	trace_fini(&self->trace);
}

struct exec {
	const char *program;
	const char *const *argv;
	const char *const *envp;
};

#define STRINGS_OF(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define NO_STRINGS ((const char *const[]){ NULL })

/* 0 with the program that "nothing" is the first argument of, else errno. */
static int exec_it(void *arg)
{
	const struct exec *e = arg;

	syscall(SYS_execve, e->program, e->argv, e->envp);
	return errno;
}

/* 0 if the exec fails. */
static int fail_to_exec(void *arg)
{
	return exec_it(arg) == 0;
}

#define TRACE(facilities, body, ...)                                           \
	trace_body(&self->trace, facilities, body,                             \
		   &(struct exec){ __VA_ARGS__ }, &self->records)

/* The bytes are those of a string literal with the NUL that C adds. */
#define IS(record, type, text) is_bytes(record, type, text, sizeof(text))

static bool is_bytes(const struct record *r, unsigned int type, const char *bytes, size_t length)
{
	return r && r->type == type && r->length == length && memcmp(r->data, bytes, length) == 0;
}

static const struct record *first(const struct records *records, unsigned int type)
{
	return next_record(records, NULL, type, 0);
}

/* --- success --- */

TEST_F(exec_args, arguments_are_as_they_were_given)
{
	TRACE(STRINGS, exec_it, program_path("tracee64"),
	      STRINGS_OF("the name", "nothing", "with spaces", "\xff\x01"), NO_STRINGS);
	EXPECT_TRUE(IS(first(&self->records, KTR_ARGS), KTR_ARGS,
		       "the name\0nothing\0with spaces\0\xff\x01"));
	EXPECT_EQ(1, self->records.count);
}

TEST_F(exec_args, environment_is_as_it_was_given)
{
	TRACE(STRINGS, exec_it, program_path("tracee64"), STRINGS_OF("x", "nothing"),
	      STRINGS_OF("A=1", "no equals sign", "B="));
	EXPECT_TRUE(IS(first(&self->records, KTR_ARGS), KTR_ARGS, "x\0nothing"));
	EXPECT_TRUE(IS(first(&self->records, KTR_ENVS), KTR_ENVS, "A=1\0no equals sign\0B="));
	EXPECT_EQ(2, self->records.count);
}

TEST_F(exec_args, empty_strings_are_kept)
{
	TRACE(STRINGS, exec_it, program_path("tracee64"),
	      STRINGS_OF("", "nothing", "", "", "end", ""), STRINGS_OF("", "A=", ""));
	EXPECT_TRUE(IS(first(&self->records, KTR_ARGS), KTR_ARGS, "\0nothing\0\0\0end\0"));
	EXPECT_TRUE(IS(first(&self->records, KTR_ENVS), KTR_ENVS, "\0A=\0"));
}

TEST_F(exec_args, strings_come_between_the_call_and_its_return)
{
	const struct record *r;

	TRACE(STRINGS | CALLS | (int)KTRFAC_NAMEI, exec_it, program_path("tracee64"),
	      STRINGS_OF("x", "nothing"), STRINGS_OF("A=1"));
	r = next_call(&self->records, NULL, 0, SYS_execve);
	ASSERT_NE(NULL, r);
	EXPECT_TRUE(is_path(r + 1, program_path("tracee64")));
	EXPECT_TRUE(IS(r + 2, KTR_ARGS, "x\0nothing"));
	EXPECT_TRUE(IS(r + 3, KTR_ENVS, "A=1"));
	EXPECT_EQ(r + 4, next_return(&self->records, r, 0, SYS_execve));
	EXPECT_EQ(KTR_EJUSTRETURN, sysret_of(r + 4).ktr_error);
}

TEST_F(exec_args, image_of_32_bit_has_its_strings)
{
	TRACE(STRINGS, exec_it, program_path("tracee32"), STRINGS_OF("x", "nothing", "", "y"),
	      STRINGS_OF("A=1", ""));
	EXPECT_TRUE(IS(first(&self->records, KTR_ARGS), KTR_ARGS, "x\0nothing\0\0y"));
	EXPECT_TRUE(IS(first(&self->records, KTR_ENVS), KTR_ENVS, "A=1\0"));
}

/* The program is started with its interpreter, as the kernel has put it together. */
TEST_F(exec_args, script_has_the_arguments_of_its_interpreter)
{
	char text[5000], wanted[5000];
	const char *script = trace_path(&self->trace, "script");
	int length;

	snprintf(text, sizeof(text), "#!%s nothing\n", program_path("tracee64"));
	write_file(script, text);
	ASSERT_EQ(0, chmod(script, 0755));
	TRACE(STRINGS, exec_it, script, STRINGS_OF("x", "y"), NO_STRINGS);
	length = snprintf(wanted, sizeof(wanted), "%s%cnothing%c%s%cy",
			  program_path("tracee64"), 0, 0, script, 0);
	EXPECT_TRUE(is_bytes(first(&self->records, KTR_ARGS), KTR_ARGS, wanted, length + 1));
}

TEST_F(exec_args, each_of_the_two_can_be_alone)
{
	TRACE((int)KTRFAC_ENVS, exec_it, program_path("tracee64"), STRINGS_OF("x", "nothing"),
	      STRINGS_OF("A=1"));
	EXPECT_EQ(1, self->records.count);
	EXPECT_TRUE(IS(self->records.at, KTR_ENVS, "A=1"));
}

/* --- failure --- */

TEST_F(exec_args, failing_exec_has_its_strings)
{
	const struct record *r;

	TRACE(STRINGS | CALLS | (int)KTRFAC_NAMEI, fail_to_exec, "/nonexistent",
	      STRINGS_OF("x", "", "z"), STRINGS_OF("A=1", ""));
	r = next_call(&self->records, NULL, 0, SYS_execve);
	ASSERT_NE(NULL, r);
	EXPECT_TRUE(is_path(r + 1, "/nonexistent"));
	EXPECT_TRUE(IS(r + 2, KTR_ARGS, "x\0\0z"));
	EXPECT_TRUE(IS(r + 3, KTR_ENVS, "A=1\0"));
	EXPECT_EQ(r + 4, next_return(&self->records, r, 0, SYS_execve));
	EXPECT_EQ(ENOENT, sysret_of(r + 4).ktr_error);
}

TEST_F(exec_args, exec_of_what_is_no_program_has_its_strings)
{
	TRACE(STRINGS | CALLS, fail_to_exec, self->trace.file, STRINGS_OF("x", "y"),
	      STRINGS_OF("A=1"));
	EXPECT_TRUE(IS(first(&self->records, KTR_ARGS), KTR_ARGS, "x\0y"));
	EXPECT_TRUE(IS(first(&self->records, KTR_ENVS), KTR_ENVS, "A=1"));
	EXPECT_EQ(EACCES,
		  sysret_of(next_return(&self->records, NULL, 0, SYS_execve)).ktr_error);
}

static int fail_to_execveat(void *arg)
{
	const struct exec *e = arg;

	return syscall(SYS_execveat, AT_FDCWD, e->program, e->argv, e->envp, 0) != -1;
}

TEST_F(exec_args, failing_execveat_has_its_strings)
{
	TRACE(STRINGS, fail_to_execveat, "/nonexistent", STRINGS_OF("x", "y"),
	      STRINGS_OF("A=1"));
	EXPECT_TRUE(IS(first(&self->records, KTR_ARGS), KTR_ARGS, "x\0y"));
	EXPECT_TRUE(IS(first(&self->records, KTR_ENVS), KTR_ENVS, "A=1"));
}

/* As of an exec that succeeds: no strings, no record. */
TEST_F(exec_args, vectors_that_are_null_make_no_record)
{
	TRACE(STRINGS | CALLS, fail_to_exec, "/nonexistent", NULL, NULL);
	EXPECT_EQ(1, count_calls(&self->records, 0, SYS_execve));
	EXPECT_EQ(0, count_records(&self->records, KTR_ARGS, 0));
	EXPECT_EQ(0, count_records(&self->records, KTR_ENVS, 0));
}

TEST_F(exec_args, empty_environment_makes_no_record)
{
	TRACE(STRINGS, fail_to_exec, "/nonexistent", STRINGS_OF("x"), NO_STRINGS);
	EXPECT_EQ(1, self->records.count);
	EXPECT_TRUE(IS(first(&self->records, KTR_ARGS), KTR_ARGS, "x"));
}

TEST_F(exec_args, vectors_at_bad_addresses_make_no_record)
{
	TRACE(STRINGS | CALLS, fail_to_exec, program_path("tracee64"), bad_address(),
	      STRINGS_OF("A=1"));
	EXPECT_EQ(EFAULT,
		  sysret_of(next_return(&self->records, NULL, 0, SYS_execve)).ktr_error);
	EXPECT_EQ(0, count_records(&self->records, KTR_ARGS, 0));
}

/* tracee32 gives "exec" an empty environment; it ends with 99 when that has failed. */
static int exec_what_fails_in_32_bit(void *arg)
{
	const char *path = program_path("tracee32");
	pid_t pid = fork();
	int status;

	if (pid == 0)
		syscall(SYS_execve, path, STRINGS_OF("x", "exec", "/nonexistent", "", "y"),
			NO_STRINGS);
	return waitpid(pid, &status, 0) != pid || exit_code(status) != 99;
}

TEST_F(exec_args, failing_exec_of_a_32_bit_program_has_its_strings)
{
	const struct record *r;

	trace_body(&self->trace, STRINGS | INHERIT, exec_what_fails_in_32_bit, NULL,
		   &self->records);
	r = first(&self->records, KTR_ARGS);
	EXPECT_TRUE(IS(r, KTR_ARGS, "x\0exec\0/nonexistent\0\0y"));
	EXPECT_TRUE(IS(next_record(&self->records, r, KTR_ARGS, 0), KTR_ARGS,
		       "/nonexistent\0\0y"));
	EXPECT_EQ(0, count_records(&self->records, KTR_ENVS, 0));
}

/* --- much --- */

/* As the kernel has them: "x", "nothing", and 100000 letters. */
static char *much(void)
{
	char *text = malloc(100001);

	require(text);
	memset(text, 'm', 100000);
	text[100000] = '\0';
	return text;
}

static bool is_much(const struct record *r, unsigned int type, const char *start, size_t length)
{
	size_t i;

	if (!r || r->type != type || r->length != LONGEST || memcmp(r->data, start, length))
		return false;
	for (i = length; i < r->length; i++)
		if (r->data[i] != 'm')
			return false;
	return true;
}

TEST_F(exec_args, long_strings_are_cut)
{
	char *text = much();

	TRACE(STRINGS, exec_it, program_path("tracee64"), STRINGS_OF("x", "nothing", text, "end"),
	      STRINGS_OF("A=1", text));
	EXPECT_TRUE(is_much(first(&self->records, KTR_ARGS), KTR_ARGS, "x\0nothing", 10));
	EXPECT_TRUE(is_much(first(&self->records, KTR_ENVS), KTR_ENVS, "A=1", 4));
	free(text);
}

TEST_F(exec_args, long_strings_of_a_failing_exec_are_cut)
{
	char *text = much();

	TRACE(STRINGS, fail_to_exec, "/nonexistent", STRINGS_OF("x", text, "end"),
	      STRINGS_OF("A=1", text));
	EXPECT_TRUE(is_much(first(&self->records, KTR_ARGS), KTR_ARGS, "x", 2));
	EXPECT_TRUE(is_much(first(&self->records, KTR_ENVS), KTR_ENVS, "A=1", 4));
	free(text);
}

/* --- EMUL --- */

/* No NUL. */
static bool is_emul(const struct record *r, const char *name)
{
	return is_bytes(r, KTR_EMUL, name, strlen(name));
}

static int do_nothing(void *arg)
{
	return 0;
}

TEST_F(exec_args, attaching_has_emul)
{
	trace_body(&self->trace, (int)KTRFAC_EMUL, do_nothing, NULL, &self->records);
	ASSERT_EQ(1, self->records.count);
	EXPECT_TRUE(is_emul(self->records.at, "linux64"));
}

TEST_F(exec_args, emul_follows_exec_to_32_bit_and_back)
{
	TRACE((int)KTRFAC_EMUL, exec_it, program_path("tracee32"),
	      STRINGS_OF("x", "exec", program_path("tracee64"), "nothing"), NO_STRINGS);
	ASSERT_EQ(3, self->records.count);
	EXPECT_TRUE(is_emul(&self->records.at[0], "linux64"));
	EXPECT_TRUE(is_emul(&self->records.at[1], "linux32"));
	EXPECT_TRUE(is_emul(&self->records.at[2], "linux64"));
}

TEST_F(exec_args, emul_of_exec_comes_before_its_strings)
{
	const struct record *r;

	TRACE((int)KTRFAC_EMUL | STRINGS, exec_it, program_path("tracee32"),
	      STRINGS_OF("x", "nothing"), STRINGS_OF("A=1"));
	r = first(&self->records, KTR_ARGS);
	ASSERT_NE(NULL, r);
	EXPECT_TRUE(is_emul(r - 1, "linux32"));
	EXPECT_EQ(KTR_ENVS, r[1].type);
}

static int fork_once(void *arg)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return waitpid(pid, NULL, 0) != pid;
}

TEST_F(exec_args, child_that_is_traced_too_has_emul)
{
	pid_t pid = trace_body(&self->trace, (int)KTRFAC_EMUL | INHERIT, fork_once, NULL,
			       &self->records);

	ASSERT_EQ(2, self->records.count);
	EXPECT_EQ(pid, self->records.at[0].pid);
	EXPECT_NE(pid, self->records.at[1].pid);
	EXPECT_TRUE(is_emul(&self->records.at[1], "linux64"));
}

RUN_TESTS
