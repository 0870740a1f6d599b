#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # functions are called by way of check
#
# Unloading and loading ktrace.ko, also while something is traced. TAP; as root, in a
# virtual machine, with the module loaded at the start and at the end.

set -u
top=$(cd "$(dirname "$0")/.." && pwd)
ktrace=$top/build/bin/ktrace
module=$top/build/module/$(uname -r)/ktrace.ko
dir=$(mktemp -d /tmp/ktrace-unload.XXXXXX)
number=0 failed=0 tracee=

# A program that lives until it is killed.
start_tracee() {
	tail -f /dev/null &
	tracee=$!
}

end_tracee() {
	kill "$tracee" 2>/dev/null
	wait "$tracee" 2>/dev/null || :
}

trap 'end_tracee; rm -rf "$dir"' EXIT

check() {	# WHAT COMMAND...
	what=$1
	shift
	number=$((number + 1))
	if "$@" >"$dir/output" 2>&1; then
		echo "ok $number $what"
	else
		sed 's/^/# /' "$dir/output"
		echo "not ok $number $what"
		failed=1
	fi
}

is_loaded() {
	grep -q '^ktrace ' /proc/modules
}

load() {
	is_loaded || insmod "$module"
}

# The writer of a file that nothing traces to any more takes a moment to close it.
unload() {
	tries=0
	until rmmod ktrace; do
		tries=$((tries + 1))
		[ "$tries" -lt 100 ] || return 1
		sleep 0.1
	done
	! is_loaded
}

trace() {
	: >"$dir/ktrace.out"
	"$ktrace" -a -i -f "$dir/ktrace.out" -p "$tracee"
}

refuses_to_unload() {
	trace || return
	! rmmod ktrace || return
	is_loaded
}

device_is_gone() {
	! [ -e /dev/ktrace ] && ! [ -e /proc/sys/kern/ktrace ]
}

device_is_back() {
	[ -c /dev/ktrace ] && [ -e /proc/sys/kern/ktrace/geniosize ]
}

unload_and_load_five_times() {
	for round in 1 2 3 4 5; do
		unload && device_is_gone && load && device_is_back || return
		"$ktrace" -f "$dir/round" true || return
		[ -s "$dir/round" ] || return
		echo "round $round"
	done
}

# In the moment in which a trace ends, again and again.
unload_right_after_a_trace() {
	for round in 1 2 3 4 5; do
		"$ktrace" -i -f "$dir/round" sh -c 'true | true' || return
		rmmod ktrace 2>/dev/null || unload || return
		load || return
		echo "round $round"
	done
}

# A process that is traced for less and less, until it dies.
unload_after_a_death() {
	"$ktrace" -i -f "$dir/partial" -p "$tracee" && "$ktrace" -c -t cnis -p "$tracee" &&
		end_tracee && unload && load
}

echo "TAP version 13"
load
start_tracee
check "unload_while_a_process_is_traced_is_refused" refuses_to_unload
check "traced_process_goes_on" kill -0 "$tracee"
check "tracing_is_stopped" "$ktrace" -C
check "unload_after_that_succeeds" unload
check "device_is_gone_after_unload" device_is_gone
check "load_brings_the_device_back" load
check "tracing_works_again" trace
end_tracee
check "unload_after_the_traced_process_died_succeeds" unload
load
check "unload_and_load_five_times" unload_and_load_five_times
check "unload_right_after_a_trace" unload_right_after_a_trace
start_tracee
check "unload_after_the_death_of_a_process_with_few_facilities" unload_after_a_death
load
echo "1..$number"
exit $failed
