#!/bin/sh
# fg-record: programs and files that are broken, or mean harm.
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
build shapes -g

# Debug information whose names are missing, as when the dwz file of a package is.
if command -v objcopy >/dev/null; then
	objcopy --remove-section .debug_str --remove-section .debug_line_str shapes nameless
	status "inlined calls without names are left out" 0 \
		fg-record -q --skip-after main --lines -o nameless.folded ./nameless busy 200
	has "the functions are there" '^main' nameless.folded
	lacks "and nothing is called by its module" '\[nameless\]' nameless.folded
else
	skip "debug information without names" "no objcopy"
fi
done_testing
