/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's harness with this project's main(): skips without the module, and gives
 * tests more time on slow (debug) kernels. To be included once in a program.
 */
#ifndef SELFTESTS_HARNESS_H
#define SELFTESTS_HARNESS_H

#include "common.h"

#include <kselftest_harness.h>

static inline void scale_timeouts(void)
{
	const char *scale = getenv("KTRACE_TIMEOUT_SCALE");
	struct __fixture_metadata *fixture;
	struct __test_metadata *test;

	if (!scale || atoi(scale) < 1)
		return;
	for (fixture = __fixture_list; fixture; fixture = fixture->next)
		for (test = fixture->tests; test; test = test->next)
			test->timeout *= atoi(scale);
}

static inline int run_tests(int argc, char **argv)
{
	if (access("/dev/ktrace", F_OK) != 0) {
		ksft_print_header();
		ksft_exit_skip("no /dev/ktrace: the module is not loaded\n");
	}
	scale_timeouts();
	return test_harness_run(argc, argv);
}

#define RUN_TESTS                                                              \
	int main(int argc, char **argv)                                        \
	{                                                                      \
		return run_tests(argc, argv);                                  \
	}

/* Most tests have nothing but a trace file. */
#define FIXTURE_WITH_TRACE(name)                                               \
	FIXTURE(name) { struct trace trace; };                                 \
	FIXTURE_SETUP(name) { trace_init(&self->trace); }                      \
	FIXTURE_TEARDOWN(name) { trace_fini(&self->trace); }

#endif
