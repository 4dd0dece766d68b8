#!/bin/sh
# fg-record is killed at random moments while it samples interpreted programs; they end with their
# usual results. ROUNDS (100) is the number of kills per language.
# tier: soak
. "$(dirname "$0")/lib.sh"

data=$here/data/script
[ "$(uname -m)" = x86_64 ] || skip_all "scripts are read on x86-64 only"
rounds=${ROUNDS:-100}
cp "$data/busy.py" "$data/busy.js" "$data/Busy.java" .
javac Busy.java 2>/dev/null
cat >busy.rb <<'END'
def go(n) = n < 2 ? 1 : go(n - 1) + go(n - 2)
go(10) while Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) < ARGV[0].to_f
exit 7
END
cat >busy.php <<'END'
<?php
function go($n) { return $n < 2 ? 1 : go($n - 1) + go($n - 2); }
$end = (float)$argv[1];
do { go(10); $u = getrusage(); } while ($u['ru_utime.tv_sec'] + $u['ru_utime.tv_usec'] / 1e6 < $end);
exit(7);
END

# killed NAME STATUS COMMAND...
killed() {
	language=$1 want=$2
	shift 2
	command -v "$1" >/dev/null || { skip "$language" "no $1"; return; }
	right=0 i=0
	while [ $i -lt "$rounds" ]; do
		i=$((i + 1))
		"$@" &
		program=$!
		fg-record -q -F 997 -o killed.folded -p $program 2>/dev/null &
		recorder=$!
		sleep "0.$(awk -v i=$i -v p=$$ 'BEGIN { srand(i * p); printf "%03d", rand() * 700 }')"
		kill -9 $recorder
		wait $program
		[ $? = "$want" ] && right=$((right + 1))
		wait $recorder
	done 2>/dev/null
	output "$language: $rounds programs end as they should" "$rounds" echo $right
}

killed Python 7 /usr/bin/python3 busy.py 0.4
killed Ruby 7 ruby busy.rb 0.4
killed PHP 7 php -n busy.php 0.4
killed Java 0 java -cp . Busy 1
erlc "$data/busy.erl" >/dev/null 2>&1 && killed Erlang 0 erl -noinput -run busy main 500
killed node 0 node busy.js 500
done_testing
