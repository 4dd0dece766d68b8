# Sourced by the tests of script frames, after lib.sh.
#
#   lockstep NAME STACKS COMMAND...     ok when all stacks read by t/unit/script are correct
#   named NAME COMMAND...           ok when functions have the names that the program knows
#   free_running NAME STOPS COMMAND...  in the tier soak, ok when no stack of a running program is
#                                       impossible, and reading one takes few system calls
#   stepped NAME STOPS COMMAND...       the same at each of 200 instructions after a stop
#   offsets_are RUNTIME FLAGS...        ok when common/runtime/RUNTIME.c has the row that
#                                       share/offsets/offsets prints from the headers

data=$here/data/script
[ -x "$UNIT/script" ] || skip_all "the unit programs are not built"
tail -f /dev/null &
"$UNIT/script" -p $! >attached
kill $!
[ -s attached ] || skip_all "this machine refuses ptrace"

lockstep() {
	title=$1 stacks=$2
	shift 2
	timeout 1800 "$UNIT/script" "$stacks" "$@" >read 2>differ
	sed 's/^/# /' differ | cut -c1-2000
	check "$title: the order of script and C functions is the program's own in $stacks stacks" \
	    grep -q "^stacks $stacks wrong order 0;" read
	check "$title: names and lines are those of the language's backtrace" \
	    grep -q "backtraces $stacks wrong 0; without script 0" read
}

named() {
	title=$1
	shift
	timeout 1800 "$UNIT/script" -n 1000 "$@" >read 2>differ
	sed 's/^/# /' differ | cut -c1-2000
	check "$title: functions have the names by which they are called or which modules give them" \
	    grep -Eq "backtraces [1-9][0-9]* wrong 0; without script 0" read
}

free_running() {
	rates || return 0
	title=$1 stops=$2
	shift 2
	timeout 1800 "$UNIT/script" -f "$stops" "$@" >read 2>differ
	sed 's/^/# /' differ | cut -c1-2000
	check "$title: no impossible stack in $stops stops of a running program" \
	    grep -q "^stops $stops impossible 0 " read
	check "$title: at most 20 system calls on average read the interpreter's memory" \
	    awk '/^stops/ { few = $NF <= 20 } END { exit !few }' read
	sed 's/^/# /' read
}

stepped() {
	rates || return 0
	title=$1 stops=$2
	shift 2
	timeout 1800 "$UNIT/script" -s "$stops" "$@" >read 2>differ
	sed 's/^/# /' differ | cut -c1-2000
	check "$title: no impossible stack at the instructions after $stops stops" \
	    grep -q "^stops [1-9][0-9]* impossible 0 without script 0 " read
	sed 's/^/# /' read
}

offsets_are() {
	"$here/../share/offsets/offsets" "$@" >row || : >row
	check "$1: the offsets of its headers are a row of the reader's table" \
	    sh -c '[ -s row ] && tr -d " \t\n" <row >a && tr -d " \t\n" <"$1" >b && grep -qF -f a b' - \
	    "$here/../common/runtime/$1.c"
	sed 's/^/# /' row
}
