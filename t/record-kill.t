#!/bin/sh
# Each process of fg-record is killed at random moments in each way to record: the program ends as it
# should, no process stays, and a file that is in place is complete. ROUNDS (24) is the number of
# kills of each process in each way: about 500 in all.
# tier: soak
. "$(dirname "$0")/lib.sh"

command -v perl >/dev/null || skip_all 'no perl' perl
cat >ends.c <<'END'
#include <stdio.h>
#include <time.h>

static volatile unsigned long sum;

static void __attribute__((noinline)) work(void)
{
	for (int i = 0; i < 1000; i++)
		sum += (unsigned long)i;
}

int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 2)
		work();
	puts("right");
	return 7;
}
END
$CC -O1 -g -o ends ends.c || skip_all 'no C compiler' gcc
mkdir kills
chmod 755 . kills
(cd kills && perl "$here/record-kill.pl" ../ends "${ROUNDS:-24}" "${SEED:-$$}" >../counts 2>../wrong)
awk -F '\t' '{ printf "# %s, %s: %d killed, %d right\n", $1, $2, $3, $4; n += $3 } END { print "# killed: " n + 0 }' counts
check 'each way has kills' test "$(cut -f 1 counts | sort -u | wc -l)" = 9
same 'a killed process of fg-record harms no program, file or process' /dev/null wrong
done_testing
