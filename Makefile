# SPDX-License-Identifier: GPL-2.0-only
#
#   make                 build the kernel module and the programs
#   make module KDIR=... the module only, for the kernel whose headers are in KDIR
#   make install         PREFIX=/usr/local DESTDIR=
#   make demo            set up, boot a virtual machine and trace something there
#   make check           set up and run every test
#   make vm              a shell in a virtual machine with the module loaded
#   make parity          compare kdump with strace on real programs, in a virtual machine
#   make lint selftests debug-kernel clean
#   V=1                  show the commands

PREFIX ?= /usr/local
DESTDIR ?=
V ?= 0
export V PREFIX DESTDIR
MAKEFLAGS += --no-print-directory

KTRACE_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ktrace
# the running kernel if its headers are installed, else the one scripts/setup fetched
KDIR ?= $(firstword $(wildcard /lib/modules/$(shell uname -r)/build) $(KTRACE_CACHE)/kernels/6.1/headers)

.PHONY: all module userland selftests install clean demo check lint vm debug-kernel parity
all: module userland

module:
	@scripts/build-module $(KDIR) V=$(V)

userland selftests:
	@+$(MAKE) -C $@ V=$(V)

selftests: userland

install: all
	@+$(MAKE) -C userland install V=$(V)
	@scripts/install-module $(KDIR)

clean:
	@echo "  CLEAN   build"
	@rm -rf build

demo check lint debug-kernel parity:
	@scripts/$@

vm:
	@scripts/vm
