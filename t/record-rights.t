#!/bin/sh
# Another user's process is recorded by two processes: the one that parses has no rights, the
# other one has them and ends with it.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
[ "$(id -u)" = 0 ] || skip_all 'not root'
setpriv --reuid 65534 --clear-groups true 2>/dev/null || skip_all 'no setpriv' util-linux
# The leak checker would trace from another process; a crash is to reach the handler.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0:handle_segv=0
export ASAN_OPTIONS
unset FG_SANDBOX
cat >spin.c <<'END'
volatile long x;
__attribute__((noinline)) void leaf(void) { for (int i = 0; i < 1000; i++) x++; }
int main(void) { for (;;) { leaf(); x++; } }
END
# The program is private to its user, in a directory that no other user may enter.
chmod 755 .
mkdir private
$CC -O1 -g -o private/spin spin.c
chown -R 65534 private
chmod 700 private private/spin
setpriv --reuid 65534 --clear-groups private/spin &
target=$!
trap 'kill -9 $target 2>/dev/null' EXIT
fg-record -q -p $target -d 0.2 -o probe.folded 2>err || skip_all "no perf events: $(head -1 err)"

# state PID NAME: a field of its status
state() { sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status" 2>/dev/null; }

# start OPTION...: records in the background; $recorder parses, $opener has the rights
start() {
	fg-record "$@" -p $target -d 600 2>err &
	recorder=$!
	opener=
	wait_for parts
}
parts() {
	for child in $(cat /proc/$recorder/task/$recorder/children 2>/dev/null); do
		[ "$(state $child Name)" = fg-opener ] && opener=$child
	done
	[ "$opener" ] && [ "$(state $recorder NoNewPrivs)" = 1 ] && [ "$(state $recorder Seccomp)" != 0 ]
}
# gone PID: it has ended; so has a zombie
gone() {
	case $(state "$1" State) in '' | Z*) return 0 ;; *) return 1 ;; esac
}
alive() { case $(state $target State) in R*) return 0 ;; *) return 1 ;; esac; }

start -q -o p.folded
check 'fg-record -p of another user: a second process opens files' test -n "$opener"
output 'fg-record itself gets no new privileges' 1 state $recorder NoNewPrivs
powerless() { # but for CAP_IPC_LOCK, where `ulimit -l` cannot be raised
	case $1 in 0000000000000000 | 0000000000004000) return 0 ;; *) return 1 ;; esac
}
check 'fg-record itself has no capabilities' powerless "$(state $recorder CapPrm)"
recording $recorder
until_ran $target 50
kill -INT $recorder
wait $recorder
check 'fg-record ends by SIGINT' test $? = 0
check 'the process that opens files ends with fg-record' wait_for gone "$opener"
check 'another user: names of a private program' grep -q '^spin;.*;main;leaf [1-9]' p.folded

# -o in a directory of another user, in place of a file of that user
mkdir theirs
echo old >theirs/out.folded
chown -R 65534 theirs
chmod 755 theirs
record_running $target 50 -q -o theirs/out.folded 2>err
check "-o replaces another user's file" grep -q ';main;leaf [1-9]' theirs/out.folded
output 'the replaced file keeps its owner' 65534 stat -c %u theirs/out.folded
fg-record -q -p $target --interval 0.2 --keep-files 2 -o 'theirs/i%T.folded' 2>err &
recorder=$!
wait_for eval '[ "$(ls theirs | grep -c ^i)" = 2 ]'
first=$(ls theirs | grep -m 1 ^i)
wait_for [ ! -e "theirs/$first" ]
kill -INT $recorder
wait $recorder
output '--interval: only the newest files' 2 sh -c 'ls theirs | grep -c ^i'
rated '--interval: the newest files have names' sh -c 'cat theirs/i* | grep -q ";main;leaf [1-9]"'
if command -v strace >/dev/null; then
	# The order of the calls: the bytes, the name, the directory.
	strace -f -qq -o calls -e trace=fsync,linkat,openat fg-record -q -p $target -d 0.6 --interval 0.4 \
		-o 'theirs/i%T.folded' 2>err
	check '--interval: each file is on the disk before it has its name, and then its directory' \
		awk '/ fsync\(/ { synced = named ? 0 : 1; done += named; named = 0 }
			/ linkat\(.*"i.*folded"/ { if (!synced) exit 1; named = 1 }
			END { exit done < 1 }' calls
else
	skip '--interval: each file is on the disk' 'no strace'
fi
output '--interval: no temporary file is left' 0 sh -c 'ls -A theirs | grep -c "^\.fg"'

if command -v strace >/dev/null; then
	# CAP_DAC_READ_SEARCH is bit 2, CAP_SYSLOG bit 34.
	strace -f -qq -e trace=capset,clone,clone3 -o calls fg-record -q -o out.folded true 2>/dev/null
	output "the process that symbolizes only has capabilities to read" \
		'1<<CAP_DAC_READ_SEARCH|1<<CAP_SYSLOG' \
		sh -c 'sed -n "s/.*capset(.*effective=\([^,]*\), permitted=\1, inheritable=0.*= 0$/\1/p" calls'
else
	skip 'the process that symbolizes only has capabilities to read' 'no strace' strace
fi

echo old >crash.folded
start -q -o crash.folded
kill -SEGV $recorder
wait $recorder
output 'a crash of the parser is exit status 125' 125 echo $?
check 'a crash of the parser: a message' grep -q 'it crashed' err
output 'a crash of the parser: -o is untouched' old cat crash.folded
check 'a crash of the parser: the process that opens files ends' wait_for gone "$opener"

start -q -o killed.folded
kill -9 $recorder
wait $recorder 2>/dev/null
check 'the parser killed: the process that opens files ends' wait_for gone "$opener"
check 'the parser killed: no file' test ! -e killed.folded

start -q -o killed.folded
kill -9 "$opener"
wait_for gone "$opener"
kill -INT $recorder
wait $recorder
output 'the opener killed: exit status 125' 125 echo $?
check 'the opener killed: a message' test -s err
check 'the opener killed: no file' test ! -e killed.folded
check 'the target still runs' alive

# A container as Docker makes it: root, in namespaces of its own, here without any capability.
kill -9 $target
wait $target 2>/dev/null
chown -R 0 private
target=
unshare -m -p -f setpriv --bounding-set=-all --inh-caps=-all private/spin 2>/dev/null &
unshared=$!
spins() {
	target=$(cat /proc/$unshared/task/$unshared/children 2>/dev/null) # of unshare, which waits
	target=${target%% *}
	[ "$target" ] && [ "$(state $target Name)" = spin ] || ! kill -0 $unshared
}
wait_for spins
if [ "$target" ] && [ "$(state $target CapPrm)" = 0000000000000000 ]; then
	start -q -o inside.folded
	check "a container's root: a second process opens files" test -n "$opener"
	check "a container's root: fg-record itself has no capabilities" powerless "$(state $recorder CapPrm)"
	output "a container's root: system calls are limited" 2 state $recorder Seccomp
	recording $recorder
	until_ran $target 50
	kill -INT $recorder
	wait $recorder
	check "a container's root: names of a private program" grep -q '^spin;.*;main;leaf [1-9]' inside.folded
else
	skip "a container's root" 'no namespaces, or no setpriv'
fi

FG_SANDBOX=off fg-record -q -p $target -d 600 -o off.folded 2>err &
recorder=$!
recording $recorder
openers=0
for child in $(cat /proc/$recorder/task/$recorder/children); do
	[ "$(state $child Name)" = fg-opener ] && openers=1
done
output 'FG_SANDBOX=off: one process' 0 echo $openers
kill -INT $recorder
wait $recorder
done_testing
