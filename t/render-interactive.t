#!/bin/sh
# fg-render --interactive: the screen of a terminal, compared with -T flame of the same stacks.
# tier: full
. "$(dirname "$0")/lib.sh"

if ! fg-render --version | grep -q '^interactive terminal: ncursesw$'; then
	skip 'the interactive terminal' 'fg-render was built without ncurses' 'libncurses-dev tmux'
	done_testing
	exit
elif ! command -v tmux >/dev/null; then
	skip 'the interactive terminal' 'there is no tmux' tmux
	done_testing
	exit
fi

# A new tmux server for each terminal, since an ending one remains for a moment.
server=0
tm() { LC_ALL=C.UTF-8 tmux -u -S "$PWD/tmux$server" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null; cd /; rm -rf "$tmp"' EXIT

cat >in <<'END'
main;parse;read 5
main;parse 10
main;exec;std::vector<int, std::allocator<int> >::push_back(int const&) 40
main;exec;std::vector<int, std::allocator<int> >::push_back(int const&);malloc 4
main;exec 2
other;exec;malloc 9
idle 1
END

# terminal: runs a command in a shell, in a terminal of a given size, without colours unless the
# command enables them.
terminal() {
	tm kill-server 2>/dev/null
	server=$((server + 1))
	cat >run <<END
PATH='$PATH' NO_COLOR=1 LC_ALL=C.UTF-8 TERM=screen-256color
export PATH NO_COLOR LC_ALL TERM
stty -g >before
$3
echo "status \$?" >status
stty -g >after
echo finished
exec tail -f /dev/null
END
	rm -f status after
	tm new-session -d -x "$1" -y "$2" "sh $PWD/run"
	tm set-option -s set-clipboard on
}
keys() { tm send-keys "$@"; }
screen() { tm capture-pane -p | sed 's/ *$//'; }
on_screen() { screen | grep -q -- "$1"; }

is_selected() { screen | tail -n 2 | head -n 1 | grep -qF -- "$text"; }
# Waits until the second to last line of the screen, the selected frame, begins with the text.
selected() {
	text=$1
	wait_for is_selected
}

is_shown() {
	screen | sed 1d | head -n "$(wc -l <want)" >got
	cmp -s want got
}
# The screen shows what -T flame draws of these stacks, at the same width.
shows() {
	name=$1 wide=$2
	shift 2
	fg-render -T flame --inverted --width "$wide" "$@" | sed -e 1d -e 's/ *$//' >want
	wait_for is_shown
	same "$name" want got
}

terminal 80 24 'fg-render --interactive in'
selected 'all  71 samples'
shows 'the whole graph' 80 in
screen | head -n 1 >title
check 'the title' grep -q '^Flame Graph: 71 samples' title
keys Down Down
selected 'exec  46 samples  64.79 %'
check 'down selects the widest callee' is_selected
keys Enter
grep '^main;exec' in >exec
shows 'Enter zooms' 80 exec
keys u
shows 'u undoes it' 80 in
keys U
shows 'U does it again' 80 exec
tm resize-window -x 60 -y 20
shows 'a resize keeps the place' 60 exec
screen >now
check 'the status line has the selected frame' grep -q '^exec  46 samples' now
tm resize-window -x 80 -y 24
shows 'a resize to the former width keeps the place' 80 exec
keys BSpace
grep '^main' in >main
shows 'Backspace zooms out by one' 80 main
keys 0
shows '0 shows all' 80 in
keys / m a l l o c Enter
selected 'malloc'
check '/ selects a match' is_selected
keys n
selected 'malloc  9 samples'
check 'n selects the next match' is_selected
keys y
has_buffer() { tm show-buffer | grep -q .; }
wait_for has_buffer
output 'y copies the stack' 'other;exec;malloc 9' tm show-buffer
keys 0 / '^exec$' Enter n
selected 'exec  46 samples'
keys s
selected 'exec  55 samples'
awk '{ v = $NF; sub(/ [0-9]+$/, ""); n = split($0, f, ";"); for (i = 1; i <= n && f[i] != "exec"; i++) continue
	if (i <= n) { s = f[i]; for (i++; i <= n; i++) s = s ";" f[i]; print s, v } }' in >callees
fg-render -T flame --inverted --width 80 callees | sed -e 1,2d -e 's/ *$//' >want
screen | sed 1d | sed -n '/^│exec/,/^$/p' | sed '/^$/d' >got
same 's shows the callees below' want got
awk '{ v = $NF; sub(/ [0-9]+$/, ""); n = split($0, f, ";"); for (i = 1; i <= n && f[i] != "exec"; i++) continue
	if (i <= n) { s = f[i]; for (i--; i > 0; i--) s = s ";" f[i]; print s, v } }' in >callers
fg-render -T flame --width 80 callers | sed -e 1d -e 's/ *$//' | sed -n '/[│]/p' | sed -e '/^│exec/,$d' >want
screen | sed 1d | sed '/^│exec/,$d' | sed '/^$/d' >got
same 's shows the callers above' want got
keys q
wait_for [ -s after ]
same 'q leaves the terminal as it was' before after
output 'q: exit status 0' 'status 0' cat status

# The only caller of a function, and a match inside a row of several frames.
frames() { screen | grep -o '│[^│─]*' | tr -d '│' | tr '\n' ' '; }
printf '%s\n' 'm;a;x 5' 'm;c 4' >chain
terminal 80 24 'fg-render --interactive chain'
selected 'all'
keys / '^x$' Enter
selected 'x  5 samples'
keys s
is_callers() { screen | grep -q 'callers and callees of x'; }
wait_for is_callers
output 's shows callers that are one chain' 'm a x ' sh -c 'echo "$1"' sh "$(frames)"
keys q
wait_for [ -s after ]
printf '%s\n' 'm;a;f;x 5' 'm;a;f;y 2' 'm;b;f;y 3' >inside
terminal 80 24 'fg-render --interactive inside'
selected 'all'
keys / '^f$' Enter
selected 'f  3 samples'
keys s
is_callers() { screen | grep -q 'callers and callees of f'; }
wait_for is_callers
output 's shows the callers of the match, not of the last frame in its row' 'm m a b f x y ' sh -c 'echo "$1"' sh "$(frames)"
keys q
wait_for [ -s after ]
printf '%s\n' 'm;a;f;x 5' 'm;c 4' >chain
terminal 80 24 'fg-render --interactive chain'
selected 'all'
keys / '^x$' Enter
selected 'x  5 samples'
keys s
is_callers() { screen | grep -q 'callers and callees of x'; }
wait_for is_callers
output 's shows each of the callers, which are one row elsewhere' 'm a f x ' sh -c 'echo "$1"' sh "$(frames)"
keys q
wait_for [ -s after ]

printf '# columns: base head 0 0\nm;same 100 100\nm;slow 10 40\nm;fast 30 10\n' >two
terminal 80 24 'cat two | fg-render --interactive'
selected 'all'
shows 'a differential from a pipe' 80 two
keys e
shows 'e shows head' 80 --column head --colors function two
keys b
shows 'b shows base' 80 --column base --colors function two
keys d
shows 'd shows both' 80 two

printf 'main;outer;middle;inner 3\nmain;other 9\n' >chain
terminal 80 24 'fg-render --interactive chain'
selected 'all'
shows 'a row of folded frames' 80 chain
keys Down Down Right
selected 'inner  3 samples'
check 'a folded row has the name of its last frame' is_selected
keys / m i d d l e Enter
selected 'middle  3 samples'
check 'during a search, a folded row has the name of the match' is_selected

for signal in TERM HUP INT SEGV; do
	terminal 80 24 'fg-render --interactive in'
	selected 'all'
	pid=$(pgrep -f "fg-render --interactive in" | while read -r p; do
		[ "$(readlink "/proc/$p/cwd")" = "$PWD" ] && [ "$(cat "/proc/$p/comm")" = fg-render ] && echo "$p"; done | head -n 1)
	kill -$signal "$pid"
	wait_for [ -s after ]
	same "SIG$signal restores the terminal" before after
	wait_for on_screen finished
	screen >now
	check "SIG$signal: the screen is the shell's again" grep -q finished now
done

# Filters by key, as fg-filter has them; count and share of matches; the mouse; a narrow title.
title() { screen | head -n 1; }
in_title() { title | grep -qF -- "$1"; }
terminal 80 24 'fg-render --interactive in'
selected 'all'
keys / '^exec$' Enter
wait_for in_title 'matches'
output 'a search shows the number of frames and their part of the width' \
	'Flame Graph: 71 samples  [2 matches, 77.46 %]' title
keys f
wait_for in_title 'only stacks with exec'
fg-filter --focus '^exec$' in >focused
shows 'f keeps the stacks with the function' 80 focused
keys u
shows 'u takes the filter back' 80 in
keys h
wait_for in_title 'hidden: exec'
fg-filter --hide '^exec$' in >hidden
shows 'h hides the function' 80 hidden
keys 0
shows '0 takes the filters back' 80 in
keys / '^malloc$' Enter
selected 'malloc'
keys D
wait_for in_title 'without stacks with malloc'
fg-filter --drop '^malloc$' in >dropped
shows 'D drops the stacks with the function' 80 dropped
keys O
is_refused() { screen | tail -n 1 | grep -q 'no frame would be left'; }
wait_for is_refused
check 'O refuses to leave no frame' is_refused
keys q
wait_for [ -s after ]

printf '%s\n' 'app;main;work 3' 'app;main;read_[l];sys_read_[k] 9' >origins
terminal 80 24 'fg-render --interactive origins'
selected 'all'
keys O
wait_for in_title 'only user code'
fg-filter --origin user origins >own
shows 'O keeps user code' 80 own
keys q
wait_for [ -s after ]

terminal 40 24 'fg-render --interactive --title "A title of many words that is long" in'
selected 'all'
keys Down Down Enter
wait_for in_title '[in exec]'
check 'a long title loses its start' test "$(title | cut -c 1-3)" = '…' -o "$(title | head -c 3)" = '…'
# A click: button 0, column 3, line 4 (the second level), then once more; the wheel is button 65.
click() { tm send-keys -H 1b 5b 3c 30 3b 33 3b 34 4d 1b 5b 3c 30 3b 33 3b 34 6d; }
terminal 80 24 'TERM=xterm-256color fg-render --interactive in'
selected 'all'
click
selected 'exec'
check 'a click selects a frame' is_selected
click
wait_for in_title '[in exec]'
shows 'a second click zooms to it' 80 exec
keys q
wait_for [ -s after ]
same 'after the mouse, q leaves the terminal as it was' before after

printf '# columns: base head 0 0\nm;same 100 100\nm;slow 10 40\nm;fast 30 10\n' >two
terminal 80 24 'fg-render --interactive two'
selected 'all'
keys / s l o w Enter
selected 'slow  10 samples → 40 samples  +300.00 %'
check 'a differential has the change of the selected frame' is_selected
keys h
wait_for in_title 'hidden: slow'
fg-filter --hide slow two >hidden
shows 'h hides a function of a differential' 80 hidden
keys q
wait_for [ -s after ]

# The legend: a letter keeps its kind, the capital one removes it.
cat >kinds <<'END'
# unit: samples 0
one;app`main;libz.so`deflate_[l] 6
one;app`main;parse (w.py:3)_[p];sys_read_[k] 9
two;app`main;libm.so`sin_[l] 5
END
on_foot() { screen | tail -n 1 | grep -q -- "$1"; }
# Name, key, title, options of fg-filter for the same stacks.
legend() {
	terminal 100 24 'fg-render --interactive --chains keep kinds'
	selected 'all'
	keys l
	wait_for on_screen 'a  only user code; A  hidden: user code'
	screen | sed '1d; /^$/d; s/; .*//' | head -n 9 >entries
	keys "$2"
	wait_for in_title "$3"
	title=$3 name=$1
	shift 3
	fg-filter "$@" kinds >kept
	shows "$name" 100 --chains keep kept
	keys q
	wait_for [ -s after ]
}
legend 'legend: hide an origin' C 'hidden: system code' --hide '_\[k\]$'
output 'the legend has origins, languages, threads and modules' 'a  only user code
b  only library code
c  only system code
d  only python
e  only stacks with one
f  only stacks with two
g  only stacks with module libz.so
h  only stacks with module libm.so' head -n 8 entries
legend 'legend: only a language' d 'only python' --lang python
legend 'legend: only a thread' f 'only stacks with two' --focus '^two$'
legend 'legend: without a thread' F 'without stacks with two' --drop '^two$'
legend 'legend: only stacks with a module' g 'only stacks with module libz.so' --focus '^libz.so`'
legend 'legend: hide a module' G 'hidden: module libz.so' --hide '^libz.so`'

terminal 100 24 'fg-render --interactive --chains keep kinds'
selected 'all'
keys / s i n Enter H
wait_for in_title 'hidden: module libm.so'
fg-filter --hide '^libm.so`' kinds >kept
shows 'H hides the module of a frame' 100 --chains keep kept
keys u l z
wait_for on_foot 'there is no such entry'
ok 'a letter without an entry is refused'
keys q
wait_for [ -s after ]

printf '# columns: base head 0 0\nm;same 1000 1000\nm;slow 100 400\nm;fast 300 100\n' >grown
terminal 100 24 'fg-render --interactive grown'
selected 'all'
keys l
wait_for on_screen 'only stacks with slower; '
screen | sed -n 's/^\([a-z]\)  only stacks with slower; .*/\1/p' >letter
keys "$(cat letter)"
wait_for in_title 'only stacks with slower'
fg-filter --focus slow grown >slower
shows 'legend: only what became slower' 100 slower
keys u / f a s t Enter
selected 'fast  300 samples → 100 samples  −66.67 %'
check 'a change has the minus sign of the page' is_selected
keys q
wait_for [ -s after ]

printf '# columns: cpu waiting blocked 0 0 0\n# unit: ns 0 0 0\nm;nap;schedule_[k] 0 0 50\nm;work 60 0 0\n' >wall
terminal 100 24 'fg-render --interactive --chains keep wall'
selected 'all'
keys l
wait_for on_screen 'only stacks with nap; '
keys "$(screen | sed -n 's/^\([a-z]\)  only stacks with nap; .*/\1/p')"
wait_for in_title 'only stacks with nap'
fg-filter --focus nap wall >naps
shows 'legend: only who waits longest' 100 --chains keep naps
keys q
wait_for [ -s after ]

# Colours: 8, 256 or 24-bit, as the terminal supports.
colours() {
	terminal 80 24 "unset NO_COLOR; TERM=$2 fg-render --interactive in"
	selected 'all'
	tm capture-pane -pe >coloured
	check "$1" grep -q "$3" coloured
}
colours '16 colours' screen '\[[0-9;]*4[0-7]m'
colours '256 colours' screen-256color '48;5;[0-9]*m'
if infocmp xterm-direct >/dev/null 2>&1; then
	colours 'exact colours' xterm-direct '48;2;[0-9;]*m'
else
	skip 'exact colours' 'terminfo has no xterm-direct'
fi
# -T top of a stream on a terminal: heading and functions, one line each.
awk 'BEGIN { for (i = 10; i < 60; i++) printf "m;std::vector<int, std::allocator<int> >::emplace_back_%d_with_a_long_name(int const&, unsigned long) %d\n", i, i
	printf "# time: 1.000 s 0\nm;g 1\n" }' >long
terminal 80 12 '{ cat long; sleep 60; } | fg-render --live=all -T top'
wait_for on_screen 'back_5[0-9]'
screen >drawn
check '--live -T top: the heading stays on the screen' sh -c 'head -n 1 drawn | grep -q "self %.*function$"'
# The keys of -T top: a paused screen keeps its values while stacks arrive.
terminal 80 12 'i=0; while sleep 0.2; do echo "# time: $i.000 s 0"; echo "m;f $((i += 1))"; done | fg-render --live=all -T top'
samples_of_f() { screen | awk '$NF == "f" { print $1 }'; }
wait_for eval '[ -n "$(samples_of_f)" ]'
keys Space
wait_for on_screen '^paused'
# Ten equal screens, one after the other: the picture is complete then, and stacks still arrive.
is_steady() {
	was=$now
	now=$(samples_of_f)
	equal=$([ "$was" = "$now" ] && echo $((equal + 1)) || echo 0)
	[ "$equal" -ge 10 ]
}
now='' equal=0
wait_for is_steady
check '--live -T top: the space key pauses' test -n "$was" -a "$was" = "$(samples_of_f)"
keys Space
wait_for eval '[ "$(samples_of_f)" != "$was" ]'
check '--live -T top: a second space resumes' test "$(samples_of_f)" != "$was"
keys q
wait_for on_screen finished
check '--live -T top: q quits' grep -q 'status 0' status
check '--live -T top: the terminal is as before' cmp before after
check '--live -T top: a function is one line of the terminal' test "$(sed -n '2,9p' drawn | grep -c '^ *[0-9]* sample.*%.*%  .*[^ ]')" = 8
if command -v setsid >/dev/null; then
	tm kill-server
	setsid fg-render --interactive in </dev/null >out 2>err
	check '-T interactive without a terminal is an error' grep -q 'no terminal' err
fi
done_testing
