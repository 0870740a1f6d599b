# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Shared by the scripts here: messages, the cache folder, locking.
# Plain sh, as some of them run before anything is installed.

CACHE=${KTRACE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/ktrace}
export CACHE

say() {
	printf '%s\n' "$*" >&2
}

die() {
	say "${0##*/}: $*"
	exit 1
}

# as_root COMMAND...: directly, or through sudo
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "must be root for this (there is no sudo): $*"
	fi
}

# lock FILE: held until this process ends; several test runs share the cache
lock() {
	mkdir -p "$(dirname "$1")"
	exec 9>"$1"
	flock 9
}

# release_of HEADERS: what `uname -r` says on the kernel these headers belong to
release_of() {
	sed -n 's/^#define UTS_RELEASE "\(.*\)"$/\1/p' \
		"$1/include/generated/utsrelease.h" 2>/dev/null | grep . ||
		die "$1: no kernel headers there (run scripts/setup, or set KDIR=)"
}
