#!/bin/sh
# fg-render --live: draws a stream as it arrives, over a time window, with keys on a terminal.
# tier: full
. "$(dirname "$0")/lib.sh"

steps() { # FIRST LAST
	i=$1
	while [ "$i" -le "$2" ]; do
		printf '# time: %d.000 s 0\nm;f%d 10\nm;g 6\n' "$i" "$i"
		i=$((i + 1))
	done
}
last() { awk -v RS= '{ last = $0 } END { print last }'; }

{ echo '# unit: ms 0'; steps 1 5; } >stream
fg-render -T flame --width 60 stream >want
fg-render --live=all -T flame --width 60 <stream | last >got
same 'window all: the last frame is the whole stream' want got
fg-render -T top stream >want
fg-render --live=all -T top <stream | last >got
same 'window all: -T top of the whole stream' want got
{ echo '# unit: ms 0'; steps 4 5; } >tail
fg-render -T flame --width 60 tail >want
fg-render --live=2 -T flame --width 60 <stream | last >got
same 'a window of 2 s has the last two steps' want got
printf '# time: 0.000 s 0\nm;old 800\n# time: 3.000 s 0\nm;new 100\n' >fading
fg-render --live=decay:1 -T top <fading | last | awk 'NR > 1 { print $1, $NF }' | sort >got
printf '%s\n' '0 m' '100 new' '100 old' >want
same 'decay:1 halves values after a second' want got
sed 's/ 0$//' stream | fg-render --live=all -T top | last >got
fg-render -T top stream >want
same 'marks without zeros are marks' want got

# A step is drawn when the next one begins, not only at the end of the stream.
mkfifo pipe
fg-render --live=all -T top <pipe >drawn &
exec 3>pipe
steps 1 1 >&3
printf '# time: 2.000 s 0\n' >&3
wait_for grep -q ' f1$' drawn
check 'a step is drawn before the stream ends' grep -q ' f1$' drawn
steps 2 2 | sed 1d >&3
exec 3>&-
wait
check 'the last step is drawn at the end' sh -c 'tail -n 5 drawn | grep -q " f2$"'
: >drawn
{
	echo 'm;a 1'
	wait_for grep -q ' m$' drawn
	echo 'm;b 1'
} | fg-render --live=all -T top >drawn
check 'without time marks, a pause ends a step' test "$(grep -c ' m$' drawn)" = 2
status 'a stream that is not folded stacks is refused' 2 sh -c 'yes "hello world, this is text" | head -n 50 | fg-render --live -T top'
status 'an empty stream: exit status 2' 2 sh -c 'fg-render --live -T top </dev/null'
status '--live with --reverse is refused' 2 fg-render --live --reverse stream
status '--live of a picture in a file is refused' 2 fg-render --live -T markdown stream

# Memory is bounded by the distinct stacks in the window, not in the stream.
awk 'BEGIN { for (s = 1; s <= 400; s++) { printf "# time: %d.000 s 0\n", s
	for (i = 0; i < 300; i++) print "main;step_" s ";function_number_" i " 1" } }' >long
if sh -c 'ulimit -v 400000; fg-render --version >/dev/null 2>&1'; then
	check 'memory is bounded by the window' sh -c 'ulimit -v 400000; fg-render --live=3 -T top <long >/dev/null'
else
	skip 'memory is bounded by the window' 'a sanitizer needs more address space'
fi
fg-render --live=3 -T top <long | last | grep -c function_number >count
output 'a window has only its last steps' 300 cat count

if fg-render --version | grep -q '^interactive terminal: ncursesw$' && command -v tmux >/dev/null; then
	tm() { LC_ALL=C.UTF-8 tmux -u -S "$PWD/tmux" -f /dev/null "$@"; }
	trap 'tm kill-server 2>/dev/null; cd /; rm -rf "$tmp"' EXIT
	screen() { tm capture-pane -p | sed 's/ *$//'; }
	on_screen() { screen | grep -q -- "$1"; }
	until_screen() {
		wait_for on_screen "$1"
		screen >now
	}
	rm -f pipe
	mkfifo pipe
	tm new-session -d -x 60 -y 16 "PATH='$PATH' NO_COLOR=1 fg-render --live=all -T flame <$PWD/pipe; exec tail -f /dev/null"
	tm pipe-pane 'cat >typescript'
	exec 3>pipe
	steps 1 2 >&3
	until_screen '│f1'
	check 'on a terminal it is drawn there' grep -q '│m' now
	steps 3 3 >&3
	until_screen '│f2'
	check 'on a terminal the graph is redrawn' grep -q '│f2' now
	tm send-keys ' '
	until_screen '(paused)'
	check 'space pauses' grep -q '(paused)' now
	steps 4 5 >&3
	sleep 1
	screen >now
	check 'a paused screen is not redrawn' sh -c '! grep -q "│f4" now'
	tm send-keys ' '
	until_screen '│f4'
	check 'the space key resumes' grep -q '│f4' now
	tm send-keys Down Down Enter
	until_screen '\[in '
	check 'keys zoom' grep -q '\[in ' now
	steps 6 7 >&3
	until_screen ': 36 samples'
	check 'a zoom stays while the stream continues' grep -q ': 36 samples  \[in g' now
	check 'no progress line is drawn over it' sh -c '! grep -q "the stream" typescript'
	tm send-keys q
	exec 3>&-
else
	skip 'a live terminal' 'there is no ncurses or no tmux' 'libncurses-dev tmux'
fi
done_testing
