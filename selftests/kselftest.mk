# SPDX-License-Identifier: GPL-2.0-only
#
# The tests that need the module: programs on the kernel's kselftest harness, and the
# programs they trace. selftests/run-vm runs them in a virtual machine.

BUILD ?= ../build
KST_CC ?= gcc

kst_out     := $(BUILD)/selftests
kst_headers := $(BUILD)/kselftest
kst_library := $(BUILD)/lib/libktrace.a

kst_tests    := ioctl_test ktrace_test record_test namei_test genio_test signal_test compat_test \
                lifecycle_test inherit_test exec_test exit_test limit_test flood_test fktrace_test \
                sysctl_test csw_test exec_args_test struct_test struct_fail_test struct_socket_test \
                sysctl_record_test fault_test capfail_test uring_test ktrace9_test
# 32-bit programs are static: a 64-bit Debian has no dynamic loader for them
kst_tests32  := ioctl_test32
kst_tracees  := tracee64 tracee32

kst_flags    := -std=gnu11 -O2 -g -Wall -Wextra -Wno-unused-parameter -pthread -MD -MP \
                -isystem $(kst_headers) -isystem ../userland/libktrace/include \
                $(CFLAGS)
kst_shared   := common records
kst_programs := $(addprefix $(kst_out)/,$(kst_tests) $(kst_tests32) $(kst_tracees))

ifeq ($(V),1)
kst_quiet =
kst_say   = @:
else
kst_quiet = @
kst_say   = @printf '  %-5s %s\n'
endif

.PHONY: kselftests
kselftests: $(kst_programs)

.SECONDARY:
$(kst_headers)/kselftest_harness.h: ../scripts/get-kselftest
	$(kst_quiet)../scripts/get-kselftest $(kst_headers)
	@touch $@

# so that the rules below also work without the Makefile that builds userland first
$(kst_library):
	$(kst_quiet)+$(MAKE) -C ../userland V=$(V) BUILD=$(BUILD) $@

$(kst_out)/%.o: %.c kselftest.mk | $(kst_headers)/kselftest_harness.h
	$(kst_say) CC 'selftests/$*.o'
	@mkdir -p $(@D)
	$(kst_quiet)$(KST_CC) $(kst_flags) -c -o $@ $<

$(kst_out)/%.o32: %.c kselftest.mk | $(kst_headers)/kselftest_harness.h
	$(kst_say) CC 'selftests/$*.o32'
	@mkdir -p $(@D)
	$(kst_quiet)$(KST_CC) -m32 $(kst_flags) -MF $@.d -c -o $@ $<

$(kst_out)/%_test: $(kst_out)/%_test.o $(kst_shared:%=$(kst_out)/%.o) $(kst_library)
	$(kst_say) LD 'selftests/$*_test'
	$(kst_quiet)$(KST_CC) -pthread -o $@ $^

$(kst_out)/%_test32: $(kst_out)/%_test.o32 $(kst_shared:%=$(kst_out)/%.o32)
	$(kst_say) LD 'selftests/$*_test32'
	$(kst_quiet)$(KST_CC) -m32 -static -pthread -o $@ $^

$(kst_out)/tracee64: $(kst_out)/tracee32.o
	$(kst_say) LD 'selftests/tracee64'
	$(kst_quiet)$(KST_CC) -static -o $@ $^

$(kst_out)/tracee32: $(kst_out)/tracee32.o32
	$(kst_say) LD 'selftests/tracee32'
	$(kst_quiet)$(KST_CC) -m32 -static -o $@ $^

-include $(wildcard $(kst_out)/*.d)
