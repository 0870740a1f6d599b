#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # the tests are called by their names
#
# ktrace(1) and kdump(1), from end to end. TAP; as root, in a virtual machine, with the
# module loaded. Each test is a function that succeeds, in a folder of its own.

set -u
top=$(cd "$(dirname "$0")/.." && pwd)
PATH=$top/build/bin:$PATH
LD_LIBRARY_PATH=$top/build/lib
export LD_LIBRARY_PATH
module=$top/build/module/$(uname -r)/ktrace.ko
dir=$(mktemp -d /tmp/ktrace-tools.XXXXXX)
chmod 755 "$dir"
trap 'rm -rf "$dir"' EXIT
number=0 failed=0

check() {	# FUNCTION: also the name of the test
	number=$((number + 1))
	work=$dir/$1
	mkdir -m 777 "$work"
	# not in a condition, where set -e has no effect
	(cd "$work" && set -e && "$1") >"$dir/output" 2>&1
	result=$?
	if [ $result = 0 ]; then
		echo "ok $number $1"
	else
		sed 's/^/# /' "$dir/output" | head -n 40
		echo "not ok $number $1"
		failed=1
	fi
}

# status N COMMAND...: it must exit with N
status() {
	expected=$1
	shift
	actual=0
	"$@" || actual=$?
	[ "$actual" = "$expected" ] || {
		echo "exit status $actual, not $expected: $*"
		return 1
	}
}

as_user() {
	setpriv --reuid=1000 --regid=1000 --clear-groups "$@"
}

# dump PATTERN...: every pattern is in what kdump prints of ktrace.out
dump() {
	kdump >dump.txt
	for pattern; do
		grep -qE -- "$pattern" dump.txt || {
			echo "no line matches: $pattern"
			tail -n 25 dump.txt
			return 1
		}
	done
}

# count PATTERN: lines of the last dump
count() {
	grep -cE -- "$1" dump.txt || :
}

# --- a command ---

exit_status_is_the_commands() {
	status 3 ktrace sh -c 'exit 3'
	dump 'CALL +(exit_group|exit)\((0x)?3\)'
}

trace_of_a_command_is_complete() {
	status 0 ktrace sh -c 'echo hello >/dev/null'
	dump 'NAMI +"/dev/null"' 'CALL +write\(' '"hello' 'CALL +exit_group\('
}

command_that_does_not_exist_is_status_1() {
	status 1 ktrace nosuchcommand 2>errors
	grep -q 'nosuchcommand' errors
}

command_killed_by_a_signal_has_the_same_status() {
	# 128 + 9, as of a shell without ktrace
	status 137 sh -c 'ktrace sh -c "kill -9 \$\$"; exit $?'
	dump 'PSIG +SIGKILL'
}

output_of_a_command_is_the_same() {
	# /proc and /tmp change by themselves
	# shellcheck disable=SC2010 # it is the output of ls that counts
	ls -l / | grep -v -e ' proc$' -e ' tmp$' >untraced
	ktrace ls -l / | grep -v -e ' proc$' -e ' tmp$' >traced
	cmp untraced traced
}

standard_input_of_a_command_is_the_same() {
	seq 1 5000 >numbers
	ktrace sort -n -r <numbers >traced
	sort -n -r numbers >untraced
	cmp untraced traced
}

environment_of_a_command_is_the_same() {
	env | grep -v '^_=' | sort >untraced
	ktrace env | grep -v '^_=' | sort >traced
	cmp untraced traced
}

trace_file_is_private() {
	ktrace true
	[ "$(stat -c %a ktrace.out)" = 600 ]
}

trace_file_can_have_another_name() {
	ktrace -f other true
	[ -s other ]
	[ ! -e ktrace.out ]
	kdump -f other | grep -q 'CALL'
}

old_trace_file_is_replaced() {
	echo "not a trace" >ktrace.out
	ktrace true
	dump 'CALL +exit_group'
}

missing_folder_of_the_trace_file_is_an_error() {
	status 1 ktrace -f missing/file true 2>errors
	grep -q 'missing/file' errors
}

children_are_traced_with_i_only() {
	ktrace sh -c 'true; cat /dev/null; true'
	kdump -s | awk '$1 ~ /^[0-9]+$/ { print $1 }' | sort -u >without
	ktrace -i sh -c 'true; cat /dev/null; true'
	kdump -s | awk '$1 ~ /^[0-9]+$/ { print $1 }' | sort -u >with
	head with without
	[ "$(wc -l <without)" = 1 ]
	[ "$(wc -l <with)" = 2 ]
}

pipeline_is_traced_as_a_whole() {
	ktrace -i sh -c 'echo one two | tr a-z A-Z | cat >result'
	[ "$(cat result)" = "ONE TWO" ]
	dump '(NAMI|ARGS) .*"[^"]*/tr"' '(NAMI|ARGS) .*"[^"]*/cat"' '"ONE TWO'
	[ "$(count 'CALL +exit_group')" -ge 3 ]
}

letters_select_what_is_traced() {
	ktrace -t n cat /dev/null
	dump 'NAMI +"/dev/null"'
	[ "$(count 'CALL|RET |GIO ')" = 0 ]
}

unknown_letter_is_an_error() {
	status 2 ktrace -t Q true 2>errors
	[ -s errors ]
	[ ! -e ktrace.out ]
}

both_versions_of_the_header_are_read() {
	ktrace -v 0 true
	dump 'CALL +exit_group'
	ktrace -v 1 true
	dump 'CALL +exit_group'
}

thirty_two_bit_program_is_decoded() {
	ktrace "$top/build/selftests/tracee32" calls /tmp/of-32-bits
	dump 'CALL +getppid' 'NAMI +"/tmp/of-32-bits"' '"some bytes'
}

# --- running processes ---

start_tail() {
	echo first >growing
	tail -n 1 -f growing >tail.txt &
	tail=$!
	until grep -q first tail.txt; do
		sleep 0.1
	done
}

end_tail() {
	kill "$tail"
	wait "$tail" 2>/dev/null || :
}

running_process_is_traced_with_p() {
	start_tail
	ktrace -p "$tail"
	echo second >>growing
	until grep -q second tail.txt; do
		sleep 0.1
	done
	ktrace -c -p "$tail"
	dump '"second'
	kill -0 "$tail"
	end_tail
}

c_with_a_pid_stops_all_tracing_of_it() {
	start_tail
	ktrace -i -p "$tail"
	ktrace -c -p "$tail"
	size=$(stat -c %s ktrace.out)
	end_tail
	[ "$(stat -c %s ktrace.out)" = "$size" ]
}

c_with_a_file_stops_tracing_to_it() {
	start_tail
	ktrace -p "$tail"
	ktrace -c -f ktrace.out
	size=$(stat -c %s ktrace.out)
	end_tail
	[ "$(stat -c %s ktrace.out)" = "$size" ]
}

capital_c_stops_everything() {
	start_tail
	ktrace -p "$tail"
	ktrace -C
	size=$(stat -c %s ktrace.out)
	end_tail
	[ "$(stat -c %s ktrace.out)" = "$size" ]
}

missing_process_is_an_error() {
	true &
	gone=$!
	wait "$gone"
	status 1 ktrace -p "$gone" 2>errors
	grep -q "$gone" errors
	[ ! -e ktrace.out ]
}

no_pid_is_an_error() {
	status 2 ktrace -p 0
	status 2 ktrace -p 12x
	status 2 ktrace -p 1 -g 1
}

# --- -a ---

a_appends() {
	ktrace true
	ktrace -a true
	dump 'CALL'
	[ "$(count 'CALL +exit_group')" = 2 ]
}

a_refuses_a_file_of_another_user() {
	: >ktrace.out
	chmod 666 ktrace.out
	status 1 as_user "$(command -v ktrace)" -a true
	[ ! -s ktrace.out ]
}

a_refuses_what_is_no_regular_file() {
	mkfifo fifo
	status 1 ktrace -a -f fifo true
}

# --- an ordinary user ---

ordinary_user_traces_a_command() {
	status 3 as_user "$(command -v ktrace)" sh -c 'exit 3'
	[ "$(stat -c %u ktrace.out)" = 1000 ]
	dump 'CALL +exit_group'
}

ordinary_user_may_not_trace_others() {
	status 1 as_user "$(command -v ktrace)" -p $$ 2>errors
	grep -q 'Operation not permitted' errors
}

set_uid_program_of_an_ordinary_user_runs_as_ever() {
	cp "$(command -v id)" ./privileged
	chown 0:0 privileged
	chmod 4755 privileged
	as_user "$(command -v ktrace)" ./privileged -u >uid
	[ "$(cat uid)" = 0 ]
	kdump >dump.txt
	[ "$(count 'CALL +exit_group')" = 0 ]
}

# --- other tools at the same time ---

strace_works_on_a_traced_command() {
	command -v strace >/dev/null || return 0
	ktrace -i strace -o strace.txt sh -c 'exit 3' || [ $? = 3 ]
	grep -q 'exit_group(3)' strace.txt
	dump 'CALL +exit_group'
}

ktrace_works_below_strace() {
	command -v strace >/dev/null || return 0
	strace -f -o strace.txt ktrace sh -c 'exit 3' || [ $? = 3 ]
	dump 'CALL +exit_group'
}

# --- without the module ---

unload() {
	tries=0
	until rmmod ktrace 2>/dev/null; do
		tries=$((tries + 1))
		[ "$tries" -lt 100 ]
		sleep 0.1
	done
}

missing_module_is_said_clearly() {
	unload
	result=0
	ktrace true 2>errors || result=$?
	insmod "$module"
	cat errors
	[ "$result" = 1 ]
	grep -q 'not loaded' errors
	[ ! -e ktrace.out ]
}

echo "TAP version 13"
# shellcheck disable=SC2013 # names are words
for test in $(sed -n 's/^\([a-z0-9_]*\)() {$/\1/p' "$0"); do
	case $test in
	as_user | check | count | dump | end_tail | start_tail | status | unload) ;;
	*)	check "$test" ;;
	esac
done
echo "1..$number"
exit $failed
