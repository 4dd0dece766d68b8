# Sourced by every test: TAP on stdout, a new working directory, the programs in PATH.
#
#   check NAME COMMAND...           ok when the command exits 0
#   status NAME N COMMAND...        ok when it exits N
#   output NAME EXPECTED COMMAND... ok when its stdout is EXPECTED
#   same NAME EXPECTED GOT          ok when two files are equal, else their difference
#   rates                           true in the tier soak, where checks may rest on chance: shares, rates, times
#   rated NAME COMMAND...           check, in the tier soak only
#   wait_for COMMAND...             waits until it succeeds; its limit is the only one, and minutes long
#   limited N COMMAND...           runs the command with N seconds of CPU time, however busy the machine
#   loading_ones                    programs that load shared libraries, where those of the build do not
#   perf_script N                   N samples of two events as perf script writes them, the same each time
#   skip NAME REASON [PACKAGES]     PACKAGES of .ci/deps, by Debian's names, would prevent it
#   skip_all REASON [PACKAGES], done_testing

set -u
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
BIN=${BIN:-$here/../bin}
UNIT=${UNIT:-$here/../build/t/unit} # the tests' own programs
PATH=$BIN:$PATH
export BIN UNIT PATH
shared=
[ -d "$here/../../shared/corpus" ] && shared=$(cd "$here/../../shared" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'cd /; rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$tmp" || exit 1
tests=0
failed=0

ok() {
	tests=$((tests + 1))
	echo "ok $tests - $1"
}

not_ok() {
	tests=$((tests + 1))
	failed=$((failed + 1))
	echo "not ok $tests - $1"
	[ ! -s "$tmp/.said" ] || sed 's/^/# /' "$tmp/.said" | head -40
	: >"$tmp/.said"
}

# The filters may be static: BIN and PATH have the tests' own then, which load their libraries.
loading_ones() {
	grep -q ' fg-merge' "${UNIT%/t/unit}/flags" || return 0
	mkdir .loading
	ln -s "$BIN"/fg-* .loading
	ln -sf "${UNIT%/unit}/shared"/fg-* .loading
	BIN=$tmp/.loading
	PATH=$BIN:$PATH
}

check() {
	name=$1
	shift
	if "$@" >"$tmp/.said" 2>&1; then ok "$name"; else not_ok "$name"; fi
}

rates() {
	[ "${RATES-}" = 1 ]
}

rated() {
	! rates || check "$@"
}

# Five minutes, so that only a fault reaches the limit.
wait_for() {
	waits=3000
	until "$@" >/dev/null 2>&1; do
		waits=$((waits - 1))
		[ $waits -gt 0 ] || { echo "# waited in vain: $*" >&2; return 1; }
		sleep 0.1
	done
}

status() {
	name=$1 want=$2
	shift 2
	"$@" >"$tmp/.said" 2>&1
	got=$?
	[ "$got" = "$want" ] || echo "exit status $got instead of $want" >>"$tmp/.said"
	if [ "$got" = "$want" ]; then ok "$name"; else not_ok "$name"; fi
}

output() {
	name=$1 expected=$2
	shift 2
	printed=$(
		"$@" 2>"$tmp/.errors"
		echo .
	)
	[ -z "$expected" ] || expected="$expected
"
	printf %s "${printed%.}" >"$tmp/.got"
	if [ "$printed" = "$expected." ]; then
		ok "$name"
	else
		printf %s "$expected" >"$tmp/.expected"
		same "$name" "$tmp/.expected" "$tmp/.got"
	fi
}

same() {
	if diff -u "$2" "$3" >"$tmp/.said" 2>&1; then ok "$1"; else not_ok "$1"; fi
}

# Repeats the results in file $1, lines `ok NAME` and `not ok NAME` of a unit program.
relay() {
	while read -r line; do
		case $line in
		'ok '*) ok "${line#ok }" ;;
		*) not_ok "${line#not ok }" ;;
		esac
	done <"$1"
}

# Some virtual machines accept hardware breakpoints that never fire.
breakpoints_fire() {
	fg-record --check 2>/dev/null | grep -q '^breakpoints  *yes'
}

skip() {
	tests=$((tests + 1))
	skipped "$@"
	echo "ok $tests # SKIP $1: $2${3+ [$3]}"
}

skip_all() {
	skipped '' "$@"
	echo "1..0 # SKIP $1${2+ [$2]}"
	exit 0
}

# For the list that t/run ends with: test, name (none for a whole file), reason, packages.
skipped() {
	[ -z "${SKIPS-}" ] ||
		printf '%s\n' "$(printf '%s\t%s\t%s\t%s' "t/${0##*/}" "$1" "$2" "${3-}" | tr '\n' ' ')" >>"$SKIPS"
}

# A wall clock would count the time in which other programs run, too.
limited() (
	ulimit -t "$1" && shift && exec "$@"
)

perf_script() {
	awk -v n="$1" 'BEGIN {
		srand(7)
		for (i = 0; i < n; i++) {
			printf "prog %d/%d %d.%06d: %d %s:\n", 10 + i % 3, 10 + i % 5, i / 1000, i % 1000 * 1000,
				1 + int(rand() * 1000), i % 7 ? "cycles" : "faults"
			for (d = 2 + int(rand() * 9); d > 0; d--)
				printf "\t%16x function_%d+0x%x (/usr/bin/prog)\n", 4096 * d, int(rand() * 12), d
			print "\t     7f0000001000 main (/usr/bin/prog)\n"
		}
	}'
}

done_testing() {
	echo "1..$tests"
	[ "$failed" = 0 ] || exit 1
	exit 0
}
