#!/bin/sh
# fg-record --heap is killed at random moments while its command allocates: the output of the
# command is the same as without. ROUNDS (500) is the number of kills; each third one is without
# free breakpoints.
# tier: soak
. "$(dirname "$0")/lib.sh"

$CC -O2 -o churn "$here/programs/churn.c" -pthread || skip_all 'no C compiler' gcc
$CC -O2 -o breakpoints "$here/programs/breakpoints.c"
./churn >want
mkfifo printed
harmed=0 killed=0 ended=0
for i in $(awk -v n="${ROUNDS:-500}" 'BEGIN { while (i++ < n) print i }'); do
	cat printed >got &
	reader=$!
	first=
	[ $((i % 3)) != 0 ] || first=./breakpoints
	$first "$BIN/fg-record" -q --heap=4096 -o killed.folded ./churn >printed 2>/dev/null &
	recorder=$!
	sleep "0.$(awk -v i="$i" -v p=$$ 'BEGIN { srand(i * p); printf "%03d", rand() * 600 }')"
	kill -9 $recorder 2>/dev/null && killed=$((killed + 1))
	wait $recorder 2>/dev/null
	# A shell that was killed before it opened the pipe has left the reader waiting.
	true >printed &
	opener=$!
	wait $reader # until the command has ended
	kill -9 $opener 2>/dev/null
	wait $opener 2>/dev/null
	# Killed before it could start the command: nothing was printed.
	[ ! -s got ] || cmp -s want got || harmed=$((harmed + 1))
	[ ! -s got ] || ended=$((ended + 1))
done
echo "# $killed recorders killed, $ended commands ended, $harmed of them harmed"
[ $harmed = 0 ] && [ $ended -gt 0 ] && ok 'a command whose --heap recorder is killed has the output of a run without one' ||
	not_ok 'a command whose --heap recorder is killed has the output of a run without one'
done_testing
