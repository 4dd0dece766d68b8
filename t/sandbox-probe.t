#!/bin/sh
# The sandbox from inside: over a hundred actions that a filter must not do are tried, with both
# parts of the sandbox and with each one; then in each program, with its real table, by a library
# at its end, as root and as another user.
# tier: soak
. "$(dirname "$0")/lib.sh"
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
[ -x "$UNIT/probe" ] || skip_all 'the unit programs are not built'
[ "$(uname -m)" = x86_64 ] || skip_all 'the list has the system calls of x86-64'

# tried HOW: the actions with FG_SANDBOX=HOW, in a directory of their own
tried() {
	rm -rf here
	mkdir here
	(cd here && echo a >in && echo b >outside && FG_SANDBOX=$1 "$UNIT/probe" in outside <in)
}
tried off >without
check 'most actions are allowed without the sandbox' \
    test "$(grep -c '^allowed' without)" -ge 60
tried seccomp >calls
tried landlock >files
tried both >all
grep -q '^refused file:read another file' files || skip_all 'this kernel has no Landlock'
grep -q '^refused call:socket' calls || skip_all 'this kernel has no seccomp'
output "both parts refuse all $(($(wc -l <all))) actions" '' grep '^allowed' all
output "seccomp without Landlock refuses all $(grep -c call: calls) system calls" '' grep '^allowed call' calls
output "Landlock without seccomp refuses all $(grep -c file: files) accesses to files" '' grep '^allowed file' files
echo "# refused with seccomp only: $(grep -c ^refused calls), with Landlock only: $(grep -c ^refused files)"

actions=$(($(wc -l <all)))
loading_ones
if ! $CC -shared -fPIC -D_GNU_SOURCE -DPRELOADED -o probe.so "$here/unit/probe.c" 2>said ||
    ! LD_PRELOAD=./probe.so fg-merge -V >/dev/null 2>said || [ -s said ]; then
	skip 'real tables' 'no library can be put before the programs' gcc
	done_testing
	exit
fi
mkdir other temporary real
chmod 755 . real temporary
chmod 777 here other
printf 'a;b 1\n' >real/a.folded
printf 'a;b 2\n' >real/b.folded
cat >real/d <<'END'
event('cycles', sample => 'ip tid time period');
comm(100, 'app');
mmap2(100, 0x10000000, 0x100000, '/bin/sh');
sample(pid => 100, ip => 0x10001000);
END
perl "$here/perfdata/make.pl" <real/d >real/perf.data
perf_script 9 >real/perf.txt
gzip -c real/a.folded >real/a.gz
chmod 644 real/*

# probed HOW COMMAND...: the actions in each process of the command, in the directory here
probed() {
	how=$1
	shift
	rm -rf here/* outside
	echo b >outside
	chmod 666 outside
	# shellcheck disable=SC2086
	(cd here && $as env TMPDIR="$tmp/temporary" FG_SANDBOX=$how PROBE=../outside LD_PRELOAD="$tmp/probe.so" \
		"$@" >/dev/null 2>"$tmp/lines")
	grep -E '^fg-[a-z]* [0-9]* (refused|allowed) ' lines >actions || :
}

# Commands, and the actions that the manual allows them.
cat >rows <<'END'
fg-collapse ../real/a.folded|
fg-collapse ../real/perf.txt|
fg-collapse ../real/a.gz|
fg-collapse -f perf.data ../real/perf.data|
fg-collapse -o ../other/out ../real/perf.data|
fg-collapse --symfs=/ --buildids=../real ../real/perf.data|
fg-collapse --debuginfod ../real/perf.data|bind connect socket socketpair
fg-merge ../real/a.folded ../real/b.folded|
fg-merge -m -o ../other/out ../real/a.folded|
fg-merge --skip-damaged=../other/list ../real/a.folded|
fg-filter -o ../other/out ../real/a.folded|
fg-filter ../real/a.gz|
fg-diff -o ../other/out ../real/a.folded ../real/b.folded|
fg-diff --report ../real/a.folded ../real/b.folded|
fg-render -o ../other/out ../real/a.folded|
fg-render -T top ../real/a.folded|
fg-render -T speedscope -o ../other/out ../real/a.gz|
END
tables() {
	while IFS='|' read -r command may; do
		for how in both seccomp landlock; do
			# shellcheck disable=SC2086
			probed $how $command
			case $how in
			both) part=. done=$may ;;
			seccomp) part=call: done=$may ;;
			landlock) part=file: done= ;;
			esac
			cp lines "$tmp/.said"
			# The main process; fg-opener of fg-collapse enters a sandbox at its first request.
			output "$who: $command: $how" "$actions $done" sh -c \
				'main=$(sed -n "/^fg-opener/!{s/^[^ ]* \([0-9]*\) .*/\1/p;q;}" "$1")
				echo $(grep -c "^[^ ]* $main " "$1") "$(grep "^[^ ]* $main allowed $2" "$1" |
					sed "s/.*://" | sort -u | tr "\n" " " | sed "s/ $//")"' - actions $part
		done
	done <rows
}
as= who=$(id -un)
tables
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null &&
    setpriv --reuid=65534 --regid=65534 --clear-groups "$(command -v fg-merge)" -V >/dev/null 2>&1; then
	as='setpriv --reuid=65534 --regid=65534 --clear-groups' who=another
	rm -f other/*
	tables
	as=
	# fg-record -a: the recorder and the symbolizer may read all that their user may,
	# and the recorder may fork the symbolizer. Their fg-opener has the user's rights.
	. "$here/record-lib.sh"
	if may_sample; then
		probed both fg-record -q -a -d 0.5 -o ../other/record.folded
		output 'fg-record: the recorder and the symbolizer read files, and fork' \
		    'call:clone call:fork file:/etc/shadow file:list the root directory file:read another file' sh -c \
		    'echo $(grep "^fg-record .* allowed" actions | sed "s/.* allowed //" | sort -u)'
		output 'fg-record: both tried all' 2 sh -c \
		    'grep "^fg-record" actions | cut -d" " -f2 | sort | uniq -c | grep -c "^ *'$actions' "'
	else
		skip 'fg-record' 'this machine refuses perf_event_open'
	fi
else
	skip 'real tables of another user, and of fg-record' 'needs root and setpriv'
fi
done_testing
