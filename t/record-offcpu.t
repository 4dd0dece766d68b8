#!/bin/sh
# fg-record --off-cpu: who was blocked, where, for how long.
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
[ "$(id -u)" = 0 ] || skip_all "--off-cpu needs root here"

# Between $1 and $2 microseconds of stacks that match $3 in file $4.
between() {
	grep -E -e "$3" "$4" | awk -v low="$1" -v high="$2" \
		'{ n += $NF } END { print n + 0; exit !(n >= low && n <= high) }'
}

# A child that nobody waits for has left its CPU for the last time, and is not blocked.
cat >zombies.c <<'EOT'
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 50; i++)
		if (fork() == 0)
			_exit(0);
	sleep(3);
	return 0;
}
EOT
$CC -o zombies zombies.c || skip_all "no C compiler"
fg-record -q -a --off-cpu -d 3 -o zombies.folded &
pid=$!
sleep 1
./zombies
wait $pid
check "zombies are not blocked" between 0 6000000 '^zombies;' zombies.folded
fg-record -q --off-cpu -o zombies.folded ./zombies
check "nor those of a command" between 2900000 4000000 '^zombies;' zombies.folded

# A server that hangs is blocked all the time.
sleep 60 &
pid=$!
started $pid sleep
fg-record --off-cpu -p $pid -d 1 -o hung.folded 2>err
check "a process that sleeps all the time" between 990000 1500000 '^sleep;.*nanosleep' hung.folded
lacks "is not 'nothing was blocked'" 'nothing was blocked' err
fg-record -q --off-cpu -t $pid -d 0.6 --interval 0.3 -o hung.%T.folded
cat hung.2*.folded >hungs.folded
check "the same in intervals" between 590000 900000 '^sleep;.*nanosleep' hungs.folded
kill $pid
wait $pid 2>/dev/null
done_testing
