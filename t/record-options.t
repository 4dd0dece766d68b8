#!/bin/sh
# fg-record refuses options that exclude each other, or lack one that they need, and names both.
# tier: quick
. "$(dirname "$0")/lib.sh"

# The name x.svg is refused only after these checks, so that nothing is recorded.
refused() {
	rm -f failed
	while IFS='|' read -r given want; do
		# shellcheck disable=SC2086
		fg-record $given -o x.svg true >message 2>&1
		[ "$? $(sed -n '1s/^fg-record: //p' message)" = "125 $want" ] ||
			{ echo "$given: not: $want" && cat message; } >>failed
	done
	check "$1" test ! -e failed
	[ ! -e failed ] || sed 's/^/# /' failed
}

refused 'an option without the one that it needs' <<'END'
--with-children|--with-children needs -p or --cgroup
--wakers|--wakers needs --off-cpu or --wall
--idle hide|--idle needs --off-cpu or --wall
--keep 2|--keep needs --interval
--keep-files 2 --stream|--keep-files needs --interval
--weight field:count|--weight field:count needs -e TRACEPOINT
--interval 1|--interval needs -o with %T, which is the start time: -o 'name.%T.folded'
END
refused 'an option beside one that it excludes, in both orders' <<'END'
-F 1 -c 1|--freq cannot be used with --count
-c 1 -F 1|--freq cannot be used with --count
--source --srcline|--source cannot be used with --lines
--lines --source|--source cannot be used with --lines
--off-cpu -F 1|--off-cpu cannot be used with --freq
-e cycles --off-cpu|--off-cpu cannot be used with --event
--off-cpu --weight field:x|--off-cpu cannot be used with --weight field:NAME
--wall --off-cpu|--wall cannot be used with --off-cpu
--weight period --wall|--wall cannot be used with --weight period
--wall --call-graph lbr|--wall cannot be used with --call-graph lbr
-e wall -c 1|--wall cannot be used with --count
-e alloc|--event alloc: try --heap, memory by the stack that allocates it
-e nativemem|--event nativemem: try --heap, memory by the stack that allocates it
-e lock|--event lock: try --off-cpu, the time in which threads wait for locks and for all else, or -e lock:contention, that for locks of the kernel
--ptrace -c 1|--ptrace cannot be used with --count
--call-graph fp --ptrace|--ptrace cannot be used with --call-graph fp
--deep-stacks --per-thread|--deep-stacks cannot be used with --per-thread
--deep-stacks --ptrace|--deep-stacks cannot be used with --ptrace
--stream --time-order=1|--stream cannot be used with --time-order
--interval 1 --stream|--stream cannot be used with --interval
--interval 1 --keep 2 --no-annotate|--keep cannot be used with --no-header
END
refused 'the last of several --call-graph and --weight counts' <<'END'
--call-graph fp --call-graph dwarf,800 --deep-stacks|-o x.svg: fg-record writes folded stacks; use fg-record ... | fg-render -o x.svg
--weight period --weight samples --off-cpu|-o x.svg: fg-record writes folded stacks; use fg-record ... | fg-render -o x.svg
-e wall --wakers|-o x.svg: fg-record writes folded stacks; use fg-record ... | fg-render -o x.svg
-e cpu|-o x.svg: fg-record writes folded stacks; use fg-record ... | fg-render -o x.svg
--wall --wakers --idle show|-o x.svg: fg-record writes folded stacks; use fg-record ... | fg-render -o x.svg
END
status '--keep with two times in the name' 125 fg-record --interval 1 --keep 2 -o 'a%T%T' true
cp "$tmp/.said" message
check '--keep with two times in the name: the message names %T' grep -q 'needs one %T in the last part' message
status '--every needs a name' 125 fg-record --every -p 1
cp "$tmp/.said" message
check '--every without a name: the message names -p NAME' grep -q -e '--every needs -p NAME' message
status '-a with a command is refused' 125 fg-record -a true
# A thread reads rings of any size: without it, large rings lose more than small ones.
if [ "$(id -u)" = 0 ] && [ "$(getconf _NPROCESSORS_CONF)" -le 4 ]; then
	fg-record -q -m 64 -o threads.folded -- \
		sh -c 'until [ -e threads ]; do sleep 0.1; done' &
	recorder=$!
	two_threads() { [ "$(ls /proc/$recorder/task | wc -l)" -ge 2 ]; }
	check "--ring-size 64: a thread empties the rings" wait_for two_threads
	: >threads
	wait
else
	skip "--ring-size 64: a thread empties the rings" "not root, or too many CPUs"
fi
most=$(cat /proc/sys/kernel/perf_event_max_sample_rate 2>/dev/null)
if [ -n "$most" ] && fg-record -q -o rate.folded true 2>/dev/null; then
	status "-F above the kernel's maximum: it is lowered" 0 fg-record -F $((most + 1)) -o rate.folded true
	fg-record -F $((most + 1)) -o rate.folded true 2>message
	check "-F above the kernel's maximum: a note has both rates" grep -q "^fg-record: -F $((most + 1)): .*; recording at -F [0-9]* (sudo sysctl" message
else
	skip "-F above the kernel's maximum" "this machine has no perf events"
fi
done_testing
