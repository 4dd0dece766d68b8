# Sourced by the tests of fg-record after lib.sh: builds programs with known stacks, and checks
# which part of a profile has which stacks.

CC=${CC:-cc}

# Nothing has mounted tracefs on a fresh machine; perf mounts it too, when it runs as root.
[ -d /sys/kernel/tracing/events ] || [ "$(id -u)" != 0 ] ||
	mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null

# Prefixes for fg-record and for its command: fg-record gets a high priority, so that load does not
# make it lose samples; its command has the usual one. Needs root, otherwise empty.
prompt='' usual=''
if [ "$(nice -n -20 nice 2>/dev/null)" = -20 ]; then
	prompt='nice -n -20' usual='nice -n 20'
fi

# Builds the program $1 from shapes.c with further flags.
build() {
	to=$1
	shift
	$CC -O2 "$@" -o "$to" "$here/programs/shapes.c" -pthread -ldl
}

# The sum of the values in folded stacks.
total() {
	awk '{ n += $NF } END { printf "%.0f\n", n }'
}

# The percentage of the samples in file $2 whose stack matches the extended regular expression $1.
share() {
	all=$(total <"$2")
	[ "$all" -gt 0 ] || all=1
	echo $((100 * $(grep -E -e "$1" "$2" | total) / all))
}

# ok when samples in file $4 match $3: in the tier soak, at least $2 percent of them.
mostly() {
	least=$2
	rates || least=0
	got=$(share "$3" "$4")
	{
		echo "$got % instead of $least % match $3:"
		sort -t' ' -k1 "$4" | head -20
	} >"$tmp/.said"
	if [ "$got" -ge "$least" ] && grep -Eq -e "$3" "$4"; then ok "$1"; else not_ok "$1"; fi
}

# ok when file $3 has a line that matches $2.
has() {
	cp "$3" "$tmp/.said"
	if grep -Eq -e "$2" "$3"; then ok "$1"; else not_ok "$1"; fi
}

# ok when file $3 has no line that matches $2.
lacks() {
	grep -E -e "$2" "$3" >"$tmp/.said" 2>&1
	if [ -s "$tmp/.said" ]; then not_ok "$1"; else ok "$1"; fi
}

# True if this machine permits sampling.
may_sample() {
	fg-record -q --ptrace -h >/dev/null || return 1
	! fg-record true 2>&1 | grep -q perf_event_open
}

# Waits until process $1 runs the program $2.
started() {
	wait_for is_program "$@"
}
is_program() {
	[ "$(cat /proc/"$1"/comm)" = "$2" ]
}

# Waits until the program $2, a descendant of process $1, has used 0.2 s of CPU time.
at_work() {
	wait_for works "$@"
}
works() {
	cat /proc/[0-9]*/stat | awk -v top="$1" -v name="($2)" '
		{ parent[$1] = $4 }
		$2 == name && $14 >= 20 { worked[$1] }
		END {
			for (p in worked) {
				while (p > 1 && p != top)
					p = parent[p]
				found = found || p == top
			}
			exit !found
		}'
}

# The CPU time that process $1 (or PID/task/TID) has used, in hundredths of a second.
ticks() {
	awk '{ print $14 + $15 }' /proc/"$1"/stat 2>/dev/null
}

# Waits until process $1 has computed for $2 hundredths of a second more, or has ended.
until_ran() {
	wait_for has_run "$1" $(($(ticks "$1") + $2))
}
has_run() {
	! grep -q '^State:	[^ZX]' /proc/"$1"/status || [ "$(ticks "$1")" -ge "$2" ]
}

# Records, several times if need be, until file $2 has $1 samples: under load a program may not get a
# CPU for a while. The file has the samples of all these recordings.
until_samples() {
	: >"$2"
	wait_for more_samples "$@"
}
more_samples() {
	least=$1 file=$2
	shift 2
	fg-record -q -o one.samples "$@" && cat one.samples >>"$file" && [ "$(total <"$file")" -ge "$least" ]
}

# Waits until fg-record, process $1, has opened its events, or has ended.
recording() {
	wait_for records "$1"
}
records() {
	grep -q perf_event /proc/"$1"/maps || ! kill -0 "$1"
}

# Records process $1 with fg-record and options until it has run for $2 hundredths of a second;
# returns the exit status.
record_running() {
	of=$1 hundredths=$2
	shift 2
	fg-record "$@" -p "$of" &
	recorder=$!
	recording $recorder
	until_ran "$of" "$hundredths"
	kill -TERM $recorder
	wait $recorder
}

# Waits until process $1 has $2 threads.
has_threads() {
	wait_for counts_threads "$@"
}
counts_threads() {
	[ "$(ls /proc/"$1"/task | wc -l)" -ge "$2" ]
}

# Runs a command; $took is its duration in microseconds, since under load a recording lasts longer
# than requested.
timed() {
	took=$(date +%s%N)
	"$@"
	took=$((($(date +%s%N) - took) / 1000))
}

# For tests with Python scripts: sets data and python; skips all where these cannot be recorded.
needs_python_scripts() {
	data=$here/data/script
	python=/usr/bin/python3
	"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null ||
		skip_all "no Python 3.11 to 3.13" python3
	fg-record -q -o o true 2>said || skip_all "this machine refuses perf events"
	grep -q ptrace said && skip_all "this machine refuses perf events"
	return 0
}
