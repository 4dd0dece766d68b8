# Sourced by the tests of perf.data: files made from descriptions, see t/perfdata/make.pl.
#
#   made NAME EXPECTED [OPTION...] <DESCRIPTION     fg-collapse's stacks of ./in.data
#   made_says NAME PATTERN [OPTION...] <DESCRIPTION its messages on standard error
#
# With todo='why' set, a test may fail. $words are arguments of the description.
# KEEP=DIRECTORY keeps the files, for t/fuzz/perfdata.
# CROSS=1 compares each file with `perf script` too, except where cross=no is set because perf is
# wrong.
. "$(dirname "$0")/formats-lib.sh"
command -v perl >/dev/null || skip_all 'there is no perl' perl
CC=${CC:-cc}
todo= words= cross= kept=0

make_data() {
	perl "$here/perfdata/make.pl" $words >made || return 1
	[ -z "${KEEP:-}" ] || cp made "$KEEP/$(basename "$0").$((kept += 1))"
	cat made
}

# judge NAME: a test result; the test fails if .said, the difference, is not empty.
judge() {
	if [ ! -s "$tmp/.said" ]; then
		ok "$1"
	elif [ -n "$todo" ]; then
		tests=$((tests + 1))
		echo "not ok $tests - $1 # TODO $todo"
		sed 's/^/# /' "$tmp/.said" | head -20
		: >"$tmp/.said"
	else
		not_ok "$1"
	fi
	todo=
}

made() {
	name=$1
	printf '%s\n' "$2" >want
	shift 2
	make_data >in.data || { not_ok "$name: the description"; return; }
	[ -z "${SAMPLES-}" ] || { cp in.data in; keep_sample "$name"; }
	if [ -n "${CROSS:-}" ] && [ -z "$cross" ]; then
		perf script -f -i in.data 2>perf.said | fg-collapse -q --no-header --no-annotate "$@" >got 2>&1
		diff -u want got >"$tmp/.said"
		judge "perf script: $name"
	fi
	cross=
	limited 60 fg-collapse -q --no-header --no-annotate "$@" in.data >got 2>errors
	echo "$?" >left
	{
		diff -u want got
		grep -qx 0 left || { echo "exit status $(cat left)"; cat errors; }
	} >"$tmp/.said" 2>&1
	judge "$name"
}

made_says() {
	name=$1 pattern=$2
	shift 2
	make_data >in.data || { not_ok "$name: the description"; return; }
	limited 60 fg-collapse -v "$@" in.data 2>&1 >got | tee errors | grep -Eqi -e "$pattern" ||
	    { echo "nothing says $pattern:"; cat errors; } >"$tmp/.said"
	judge "$name"
}
