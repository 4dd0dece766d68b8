#!/bin/sh
# fg-record without the right to real-time priority: a process that keeps its place in the session
# of the command, and the recorder in a session of its own (where the scheduler shares the CPUs
# between sessions; the tests hold elsewhere too).
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "perf_event_open is refused here"
# Root's right to raise priorities, and the limit of real-time priority, are dropped.
ordinary="prlimit --rtprio=0 setpriv --bounding-set -sys_nice --inh-caps -sys_nice"
[ "$(id -u)" = 0 ] || ordinary="prlimit --rtprio=0"
# shellcheck disable=SC2086
$ordinary true 2>/dev/null || skip_all "no setpriv or prlimit" util-linux

cat >work.c <<'EOT'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static volatile sig_atomic_t interrupts;
static void count(int sig) { interrupts += sig == SIGINT || sig == SIGTERM; }
__attribute__((noinline)) void spin_here(void) { for (volatile long i = 0; i < 10000; i++) continue; }
int main(int argc, char **argv)
{
	signal(SIGINT, count);
	signal(SIGTERM, count);
	alarm(600);
	FILE *ready = fopen("ready", "w");
	fprintf(ready, "%d %d %d\n", (int)getpid(), (int)getppid(), (int)getsid(0));
	fclose(ready);
	rename("ready", "begun");
	if (argc > 1) /* runs until a signal has come, and a second of CPU time longer */
		while (!interrupts)
			spin_here();
	for (clock_t end = clock() + CLOCKS_PER_SEC; clock() < end;)
		spin_here();
	printf("%d\n", (int)interrupts);
	return 7;
}
EOT
$CC -O1 -o work work.c
# field PID N: a field of /proc/PID/stat (3: state, 6: session); the name has no spaces here.
field() { cut -d ' ' -f "$2" "/proc/$1/stat" 2>/dev/null; }
is_field() { [ "$(field "$1" "$2")" = "$3" ]; }
gone() { [ ! -e "/proc/$1" ] || is_field "$1" 3 Z; }
begin() {
	rm -f begun
	# shellcheck disable=SC2086
	$ordinary fg-record -q -o out.folded ./work "$@" >printed &
	front=$!
	wait_for [ -s begun ]
	read -r pid recorder session <begun
}

begin
output "the command stays in the session" "$(field $$ 6)" echo "$session"
wait "$front"
output "the status of the command" 7 echo $?
check "the profile" grep -q ';main;spin_here' out.folded

begin run
kill -TERM "$front"
wait "$front"
output "SIGTERM: the status of the command" 7 echo $?
output "SIGTERM: the command gets it once" 1 cat printed
check "SIGTERM: the profile" grep -q ';main;spin_here' out.folded

begin run
kill -KILL "$front"
check "SIGKILL ends the recorder" wait_for gone "$recorder"
check "SIGKILL leaves the command" kill -TERM "$pid"
wait_for gone "$pid"
output "SIGKILL: the command ends as it would" 1 cat printed
wait "$front" 2>/dev/null

# Ctrl-C goes to the foreground process group, in which the command is.
if command -v script >/dev/null; then
	rm -f begun
	{
		wait_for [ -s begun ]
		printf '\003'
		wait_for [ -e ended ]
	} | script -qec "trap : INT; $ordinary fg-record -q -o tty.folded ./work run >printed; echo \$? >status; : >ended" /dev/null >seen 2>&1
	output "Ctrl-C: the status of the command" 7 cat status
	output "Ctrl-C: the command gets SIGINT once" 1 cat printed
	check "Ctrl-C: the profile" grep -q ';main;spin_here' tty.folded
else
	skip "Ctrl-C" "no script(1)" bsdutils
fi
done_testing
