#!/bin/sh
# fg-record is killed at random moments while it samples programs of each language in each mode;
# the programs end with their usual status. ROUNDS (13) is the number of kills per language and
# mode: 585 in all.
# tier: soak
. "$(dirname "$0")/lib.sh"

data=$here/data/script
rounds=${ROUNDS:-13}
cp "$data/busy.py" "$data/busy.js" "$data/Busy.java" .
javac Busy.java 2>/dev/null
erlc "$data/busy.erl" >/dev/null 2>&1
cat >busy.rb <<'END'
def go(n) = n < 2 ? 1 : go(n - 1) + go(n - 2)
exit 1 unless go(10) == 89 while Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) < ARGV[0].to_f
exit 7
END
cat >busy.php <<'END'
<?php
function go($n) { return $n < 2 ? 1 : go($n - 1) + go($n - 2); }
$end = (float)$argv[1];
do {
	if (go(10) != 89)
		exit(1);
	$u = getrusage();
} while ($u['ru_utime.tv_sec'] + $u['ru_utime.tv_usec'] / 1e6 < $end);
exit(7);
END
cat >busy.pl <<'END'
sub go { my $n = shift; return $n < 2 ? 1 : go($n - 1) + go($n - 2) }
while ((times)[0] < $ARGV[0]) { exit 1 if go(10) != 89 || join(' ', sort { $a <=> $b } 10, 9) ne '9 10' }
exit 7;
END
cat >busy.lua <<'END'
local function go(n) if n < 2 then return 1 end return go(n - 1) + go(n - 2) end
while os.clock() < tonumber(arg[1]) do
	if coroutine.wrap(function() return go(10) end)() ~= 89 then os.exit(1) end
end
os.exit(7)
END
mkfifo result

# A fraction of a second, up to 0.7.
pause() {
	sleep "0.$(awk -v i="$1" -v p=$$ 'BEGIN { srand(i * p); printf "%03d", rand() * 700 }')"
}

# The program's status is in $status in both cases.
kill_attached() { # ROUND OPTIONS COMMAND...
	round=$1 options=$2
	shift 2
	"$@" &
	program=$!
	# shellcheck disable=SC2086 # no option, or one
	fg-record -q -F 997 $options -o killed.folded -p $program 2>/dev/null &
	recorder=$!
	pause "$round"
	kill -9 $recorder
	wait $program
	status=$?
	wait $recorder
}

# The program outlives its recorder: a shell between the two reports its status.
kill_parent() { # ROUND COMMAND...
	round=$1
	shift
	# shellcheck disable=SC2016 # the inner shell's own
	fg-record -q -F 997 -o killed.folded -- \
	    sh -c 'echo started; "$@"; echo $?' sh "$@" >result 2>/dev/null &
	recorder=$!
	{
		read -r status
		pause "$round"
		kill -9 $recorder
		read -r status
		cat # until all have closed it: the next round must not open this one's end
	} <result
	wait $recorder
}

# killed NAME STATUS COMMAND...
killed() {
	language=$1 want=$2
	shift 2
	command -v "$1" >/dev/null || { skip "$language" "no $1" "$1"; return; }
	for mode in "" --off-cpu --wall --ptrace command; do
		right=0 i=0
		while [ $i -lt "$rounds" ]; do
			i=$((i + 1))
			case $mode in
			command) kill_parent $((i * 8191)) "$@" ;;
			*) kill_attached $i "$mode" "$@" ;;
			esac
			[ "$status" = "$want" ] && right=$((right + 1))
		done 2>/dev/null
		output "$language, ${mode:--p}: $rounds programs end as they should" "$rounds" echo $right
	done
}

killed Python 7 /usr/bin/python3 busy.py 0.4
killed Ruby 7 ruby busy.rb 0.4
killed PHP 7 php -n busy.php 0.4
killed Perl 7 perl busy.pl 0.4
killed Lua 7 lua5.4 busy.lua 0.4
killed LuaJIT 7 luajit busy.lua 0.4
killed Java 0 java -cp . Busy 1
[ ! -f busy.beam ] || killed Erlang 0 erl -noinput -run busy main 500
killed node 0 node busy.js 500
done_testing
