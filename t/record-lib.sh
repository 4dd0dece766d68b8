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

# ok when at least $2 percent of the samples in file $4 match $3.
mostly() {
	got=$(share "$3" "$4")
	{
		echo "$got % instead of $2 % match $3:"
		sort -t' ' -k1 "$4" | head -20
	} >"$tmp/.said"
	if [ "$got" -ge "$2" ]; then ok "$1"; else not_ok "$1"; fi
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

# Wait until process $1 runs the program $2.
started() {
	i=0
	while [ "$(cat /proc/"$1"/comm 2>/dev/null)" != "$2" ] && [ $i -lt 1200 ]; do
		sleep 0.05
		i=$((i + 1))
	done
}

# Waits until the program $2, a descendant of process $1, has used 0.2 s of CPU time.
at_work() {
	i=0
	while [ $i -lt 600 ] && ! cat /proc/[0-9]*/stat 2>/dev/null | awk -v top="$1" -v name="($2)" '
		{ parent[$1] = $4 }
		$2 == name && $14 >= 20 { worked[$1] }
		END {
			for (p in worked) {
				while (p > 1 && p != top)
					p = parent[p]
				found = found || p == top
			}
			exit !found
		}'; do
		sleep 0.1
		i=$((i + 1))
	done
}

# Waits until process $1 has computed for $2 hundredths of a second more.
until_ran() {
	ran_until=$(($(awk '{ print $14 + $15 }' /proc/"$1"/stat) + $2))
	i=0
	while [ $i -lt 1200 ] && [ "$(awk '{ print $14 + $15 }' /proc/"$1"/stat 2>/dev/null)" -lt $ran_until ] 2>/dev/null; do
		sleep 0.1
		i=$((i + 1))
	done
}

# Records, several times if need be, until file $2 has $1 samples: under load a program may not get a
# CPU for a while. The file has the samples of all these recordings.
until_samples() {
	least=$1 file=$2 i=0
	shift 2
	: >"$file"
	while [ "$(total <"$file")" -lt "$least" ] && [ $i -lt 100 ]; do
		rm -f one.samples
		fg-record -q -o one.samples "$@"
		cat one.samples >>"$file"
		i=$((i + 1))
	done
}

# Waits until fg-record, process $1, has opened its events, or has ended.
recording() {
	until grep -q perf_event /proc/"$1"/maps 2>/dev/null || ! kill -0 "$1" 2>/dev/null; do sleep 0.05; done
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
	[ "$(uname -m)" = x86_64 ] || skip_all "scripts are read on x86-64 only"
	"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null ||
		skip_all "no Python 3.11 to 3.13"
	fg-record -q -o o true 2>said || skip_all "this machine refuses perf events"
	grep -q ptrace said && skip_all "this machine refuses perf events"
	return 0
}
