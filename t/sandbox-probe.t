#!/bin/sh
# The sandbox of a filter from inside: over a hundred actions that it must not do are tried, with
# both parts of the sandbox and with each one.
# tier: soak
. "$(dirname "$0")/lib.sh"
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
[ -x "$UNIT/probe" ] || skip_all 'the unit programs are not built'
[ "$(uname -m)" = x86_64 ] || skip_all 'the list has the system calls of x86-64'

# tried HOW: the actions with FG_SANDBOX=HOW, in a directory of their own
tried() {
	rm -rf here
	mkdir here
	(cd here && echo a >in && echo b >outside && FG_SANDBOX=$1 "$UNIT/probe" in outside <in)
}
tried off >without
check 'most actions are allowed without the sandbox' \
    test "$(grep -c '^allowed' without)" -ge 60
tried seccomp >calls
tried landlock >files
tried both >all
grep -q '^refused file:read another file' files || skip_all 'this kernel has no Landlock'
grep -q '^refused call:socket' calls || skip_all 'this kernel has no seccomp'
output "both parts refuse all $(($(wc -l <all))) actions" '' grep '^allowed' all
output "seccomp without Landlock refuses all $(grep -c call: calls) system calls" '' grep '^allowed call' calls
output "Landlock without seccomp refuses all $(grep -c file: files) accesses to files" '' grep '^allowed file' files
echo "# refused with seccomp only: $(grep -c ^refused calls), with Landlock only: $(grep -c ^refused files)"
done_testing
