#!/bin/sh
# tier: full soak
# fg-record on a terminal: the file it chooses, the report; options of other programs.
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "perf_event_open is refused here"
command -v script >/dev/null || skip_all "no script(1)" bsdutils

cat >app.c <<'END'
#include <time.h>
__attribute__((noinline)) void spin_here(void) { for (volatile long i = 0; i < 100000; i++) continue; }
int main(void) { while (clock() < CLOCKS_PER_SEC / 4) spin_here(); return 0; }
END
$CC -O1 -o app app.c
mkdir work
cd work || exit 1
cp ../app .
# Runs a command line on a terminal of its own; its output goes to ./seen.
on_terminal() { script -qec "$1" /dev/null </dev/null >seen 2>&1; }

on_terminal 'fg-record ./app'
check "fg-record ./app writes app.folded" grep -q ';main;spin_here' app.folded
check "app.folded begins with fg-record's header line" sh -c '[ "$(head -n 1 app.folded)" = "# recorded: by fg-record 0" ]'
has "the report names the file and the commands that come next" \
	"wrote app.folded; next: fg-render -T top app.folded, or fg-render -o app.svg app.folded" seen
has "the report lists the heaviest function first, with a bar" "^ *[0-9.]+ %  #+ +spin_here" seen
check "the report lists at most five functions" sh -c '[ "$(grep -c "%  #" seen)" -le 5 ]'
on_terminal 'fg-record -q ./app'
lacks "-q: no report" "spin_here|wrote" seen
output "a second recording overwrites fg-record's own file" "app.folded" ls -1 --ignore=app --ignore=seen
echo 'mine 1' >app.folded
on_terminal 'fg-record -q ./app'
output "a file that fg-record did not write is kept" "mine 1" cat app.folded
check "app.2.folded is written beside a file of another program" grep -q ';main;spin_here' app.2.folded
ln -sf app.2.folded app.folded
on_terminal 'fg-record -q ./app'
check "a symbolic link is not overwritten" test -L app.folded
rm -f *.folded
cp app 'my app;'
on_terminal 'fg-record -q "./my app;"'
check "characters that a shell would interpret become _" test -s my_app_.folded
on_terminal 'fg-record -q -a -d 0.1'
check "-a writes system.folded" test -s system.folded
on_terminal "fg-record -q -p $$ --with-children -d 0.2"
check "-p writes the process's name" test -s "$(cat /proc/$$/comm).folded"
rm -f *.folded
on_terminal 'fg-record -q -o - ./app'
check "-o - writes to the terminal" grep -q ';main;spin_here' seen
output "-o - writes no file" "" find . -name '*.folded'
fg-record -q ./app >piped
check "into a pipe or a file nothing changes" sh -c 'grep -q ";main;spin_here" piped && ! grep -q "^# recorded" piped && [ ! -e app.folded ]'

# SIGINT is ignored where the tests run in the background of a shell.
cat >../until.c <<'END'
#include <signal.h>
#include <unistd.h>
__attribute__((noinline)) void spin_here(void) { for (volatile long i = 0; i < 10000; i++) continue; }
int main(void)
{
	signal(SIGINT, SIG_DFL);
	alarm(1800);
	while (access("stop", F_OK) != 0)
		for (int i = 0; i < 100; i++)
			spin_here();
	return 0;
}
END
$CC -O1 -o until ../until.c
script -qefc 'fg-record ./until' seen </dev/null >/dev/null 2>&1 &
wait_for grep -q hottest seen
: >stop
wait
has "the progress line names the hottest function so far" "[0-9]+ s, [0-9]+ samples?, [0-9]+ lost, hottest: spin_here" seen
rm -f stop *.folded

# Ctrl-C reaches the foreground group of the terminal, not a command in another session. A test run
# in the background starts with SIGINT ignored, which a shell cannot undo.
printf 'cd "$1" && exec ./until\n' >../session.sh
# interrupted JOB: runs JOB in a terminal with Ctrl-C once the function is sampled, until it ends or
# ./runs has a second line.
interrupted() {
	rm -f ended stop runs seen
	{
		wait_for grep -q 'hottest: spin_here' seen
		printf '\003'
		wait_for eval '[ -e ended ] || grep -q 2 runs'
		: >stop
		wait_for [ -e ended ]
	} | perl -e '$SIG{$_} = "DEFAULT" for qw(HUP INT QUIT); exec @ARGV' \
	    script -qefc "trap : INT; $1; echo \$? >status; : >ended" seen >/dev/null 2>&1
}
interrupted 'fg-record -o session.folded setsid sh ../session.sh .'
output "Ctrl-C: a command in a session of its own gets SIGINT from fg-record" 130 cat status
check "Ctrl-C: the profile of a command in a session of its own is written" grep -q ';main;spin_here' session.folded

# A command that Ctrl-C ended: fg-record ends by SIGINT too, after the profile has been written.
echo 'for i in 1 2 3; do echo $i >>runs; fg-record -o loop.folded ./until; done' >../loop.sh
interrupted "$(command -v bash || echo sh) ../loop.sh"
output "Ctrl-C: a shell's loop stops" 1 cat runs
check "Ctrl-C: the profile of the loop is written" grep -q ';main;spin_here' loop.folded
rm -f ended stop runs seen status *.folded

# Ctrl-C whose SIGINT fg-record reads only after the command has ended by it.
cat >../late.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static int done;
static pid_t group; /* of the terminal: the command's, since fg-record may have its own */
pid_t wait4(pid_t pid, int *status, int options, struct rusage *used)
{
	siginfo_t info;
	if (!done && options == WNOHANG && access("sampled", F_OK) == 0) {
		done = 1;
		group = getpgid(pid);
		kill(getenv("LATER") ? pid : -group, SIGINT);
		waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	}
	return (pid_t)syscall(SYS_wait4, pid, status, options, used);
}
int linkat(int from, const char *old, int to, const char *new, int flags)
{
	if (done == 1 && getenv("LATER")) {
		done = 2;
		kill(-group, SIGINT);
	}
	return (int)syscall(SYS_linkat, from, old, to, new, flags);
}
END
# The command writes its process ID, since it is a grandchild where fg-record gets a session of its own.
late() {
	rm -f late.folded sampled stop pid
	env LD_PRELOAD="$PWD/../late.so" ${2-} \
	    perl -e '$SIG{INT} = "DEFAULT"; setpgrp; exec @ARGV' fg-record -q -o late.folded \
	    sh -c 'echo $$ >pid; exec ./until' &
	wait_for test -s pid
	until_ran "$(cat pid)" 20
	: >sampled
	wait $!
	output "Ctrl-C$1: fg-record ends by SIGINT" 130 echo $?
	check "Ctrl-C$1: the profile is written" grep -q ';main;spin_here' late.folded
}
if $CC -shared -fPIC -o ../late.so ../late.c && LD_PRELOAD=../late.so fg-record -V >/dev/null 2>&1; then
	late " between the command's end and that of the recording"
	late " that comes while the profile is written, after it has ended the command" LATER=1
else
	skip "Ctrl-C that comes late" "no library can be put before fg-record's"
fi

refused() {
	status "$1 is refused" 125 fg-record $1 ./app
	fg-record $1 ./app 2>err
	has "$1: $2" "$2" err
}
refused "-o x.svg" "fg-record writes folded stacks; use fg-record ... [|] fg-render -o x.svg"
refused "-o x.pb.gz" "fg-render -T pprof -o x.pb.gz"
refused "--title=x" "an option of fg-render"
refused "-g" "call stacks are always recorded"
status "an unknown option without a hint is refused" 125 fg-record --no-such ./app
done_testing
