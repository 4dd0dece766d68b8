#!/bin/sh
# Output: errors and closed readers of stdout, and every type of file for -o. All programs write
# through one module; fg-collapse is tested for all.
# tier: quick
. "$(dirname "$0")/lib.sh"
printf 'app;f 1\n' >in
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "app;function_number_%d %d\n", i, i + 1 }' >long
fg-collapse long >want

# refuses NAME MESSAGE COMMAND...: exit 2 and that message.
refuses() {
	what=$1
	[ -z "$2" ] && : >message || printf 'fg-collapse: %s\n' "$2" >message
	shift 2
	"$@" >out 2>said
	got=$?
	check "$what: exit 2" test "$got" = 2
	same "$what: the message" message said
}

# Checks that no temporary file is left.
clean() {
	output "$1: nothing else is left" "$2" ls -A "$3"
}

# stdout
refuses 'a full stdout' 'stdout: No space left on device' sh -c 'fg-collapse in >/dev/full'
refuses 'a full stdout, long' 'stdout: No space left on device' sh -c 'fg-collapse long >/dev/full'
refuses 'a full stdout for --help' 'stdout: No space left on device' sh -c 'fg-collapse --help >/dev/full'
refuses 'a full stdout for --list-formats' 'stdout: No space left on device' sh -c 'fg-collapse --list-formats >/dev/full'
refuses 'a closed stdout' 'stdout: Bad file descriptor' sh -c 'fg-collapse in >&-'
# The exit status is 128 + SIGPIPE (13), or 2 if SIGPIPE is ignored.
perl -e '$SIG{PIPE} = "DEFAULT"; pipe my $r, my $w; close $r; open STDOUT, ">&", $w; close $w;
	exec "fg-collapse", "long"' 2>said
check 'a reader that has gone: killed by SIGPIPE' test $? = 141
check 'a closed pipe: no message' test ! -s said
perl -e '$SIG{PIPE} = "IGNORE"; pipe my $r, my $w; close $r; open STDOUT, ">&", $w; close $w;
	exec "fg-collapse", "long"' 2>said
check 'a closed pipe with SIGPIPE ignored: exit status 2' test $? = 2
check 'a closed pipe with SIGPIPE ignored: no message' test ! -s said

# A message for a closed stderr does not go into a file opened later with its descriptor.
printf 'a;b 1\nbad\na;b 1\n' >bad
fg-filter --time-order -o kept <bad 2>&-
output 'a closed stderr: no message in the output' 'a;b 2' cat kept
sh -c 'fg-merge -o kept missing 2>&- <&- >&-'
check 'all three descriptors closed: exit 2' test $? = 2
refuses 'a closed stdin' 'stdin: Bad file descriptor' sh -c 'fg-collapse -o kept <&-'
output 'all descriptors closed: the old file is kept' 'a;b 2' cat kept
printf 'a;b 1\n' >keep
fg-merge -o kept keep >&-
check 'a closed stdout with -o is none of our business' test $? = 0
output 'closed stdout with -o: the file is written' 'a;b 1' cat kept

# Quoted input cannot send control sequences to the terminal; a message stays on one line.
printf '# columns: a\033[2J\342\202\254 b\na 1 2\n' >in1
printf '# columns: a\302\233 b\na 1 2\n' >in2
fg-merge in1 in2 2>said
tr '\n' ' ' <said | grep -q "$(printf '[[:cntrl:]]\\|\302\233')" && not_ok 'no control character in a message' || ok 'no control character in a message'
output 'UTF-8 in a name stays, the rest is as vis(3) has it' 'fg-merge: grün\033[1m\n\240: No such file or directory' \
	sh -c "fg-merge '$(printf 'gr\303\274n\033[1m\n\240')' 2>&1"
long=$(awk 'BEGIN { for (i = 0; i < 4000; i++) printf "xyz" }')
fg-merge "--$long" 2>said
check 'a message has an end' test "$(wc -c <said)" -lt 9000
output 'a shortened message ends in ...' '...' sh -c "head -1 said | tail -c 4"

# -o
mkdir d
check '-o a new file' fg-collapse -o d/new long
same '-o a new file: it has all output' want d/new
output '-o: a new file has the mode of the umask' '640' sh -c 'umask 027; fg-collapse -o d/mode in; stat -c %a d/mode'
rm d/mode
clean 'a new file' new d
output '-o -' 'app;f 1' fg-collapse -o - in
output '--output=-' 'app;f 1' fg-collapse --output=- in
output '-o /dev/stdout' 'app;f 1' sh -c 'fg-collapse -o /dev/stdout in | cat'
ln -s /dev/stdout d/stdout
for o in /dev/stdout /dev/fd/1 /proc/self/fd/1 d/stdout; do
	{ echo before; fg-collapse -o $o in; echo after; } >d/redirected
	printf 'before\napp;f 1\nafter\n' | diff - d/redirected
	fg-collapse -o $o in >>d/redirected
	printf 'before\napp;f 1\nafter\napp;f 1\n' | diff - d/redirected
done >wrong 2>&1
same '-o /dev/stdout and its like go where stdout goes' /dev/null wrong
{ fg-collapse -o /dev/fd/3 in && fg-collapse -o /proc/self/fd/3 in; } 3>d/redirected
output '-o /dev/fd/3' 'app;f 1
app;f 1' cat d/redirected
refuses '-o a descriptor that is not open' '/dev/fd/7: Bad file descriptor' fg-collapse -o /dev/fd/7 in
refuses '-o a descriptor that is for reading' '/dev/fd/0: Bad file descriptor' sh -c 'fg-collapse -o /dev/fd/0 in </dev/null'
rm d/stdout d/redirected
echo old >d/old
chmod 751 d/old
ln d/old second
check '-o an existing file' fg-collapse -o d/old long
same '-o an existing file: it is replaced' want d/old
output '-o an existing file: it keeps its mode' 751 stat -c %a d/old
output '-o an existing file: it is a new file, readers of the old one keep that' old cat second
rm d/new d/old
printf 'a 1\n' >d/same
check '-o onto the input' fg-collapse -o d/same d/same d/same
output '-o onto the input: the file has the sum' 'a 2' cat d/same
rm d/same
echo old >d/target
ln -s target d/link
check '-o a symbolic link' fg-collapse -o d/link in
check '-o a symbolic link: it stays a link' test -L d/link
output '-o through a link: its target is written' 'app;f 1' cat d/target
clean 'a symbolic link' 'link
target' d
rm d/link d/target
ln -s target d/link
check '-o through a dangling link' fg-collapse -o d/link in
check '-o through a dangling link: it stays a link' test -L d/link
output '-o through a dangling link: its target is created' 'app;f 1' cat d/target
rm d/link d/target
check '-o /dev/null' fg-collapse -o /dev/null long
check '-o /dev/null: it stays a device' test -c /dev/null
refuses '-o /dev/full' '/dev/full: No space left on device' fg-collapse -o /dev/full in
mkfifo fifo
cat fifo >got &
check '-o a FIFO' fg-collapse -o fifo long
wait $!
same '-o a FIFO: the reader gets the output' want got
check '-o to a FIFO: it is still a FIFO' test -p fifo
refuses '-o a folder' 'd: Is a directory' fg-collapse -o d in
refuses '-o in a missing folder' 'none/out: No such file or directory' fg-collapse -o none/out in
refuses '-o nothing' ': No such file or directory' fg-collapse -o '' in
clean 'after all these' '' d

# An error leaves the old file unchanged.
echo old >d/old
status 'an input that is missing' 2 fg-collapse -o d/old missing
output 'leaves the old file' old cat d/old
printf 'a;b 1\nbad\na;b 1\n' >bad
status 'an input that is malformed, --strict' 2 fg-collapse --strict -o d/old bad
output 'leaves the old file' old cat d/old
clean 'a failure' old d
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	as='setpriv --reuid=65534 --clear-groups'
	chmod 755 . d
	chmod 644 d/old
	if $as sh -c "test -x '$BIN/fg-collapse' && test -r '$tmp/in'"; then
		refuses 'no permission for the file' 'd/old: Permission denied' $as fg-collapse -o d/old in
		refuses 'no permission for the folder' 'd/new: Permission denied' $as fg-collapse -o d/new in
		chmod 666 d/old
		check '-o to a writable file in a directory without write permission' $as fg-collapse -o d/old in
		output '-o to a writable file in a directory without write permission: it is written in place' 'app;f 1' cat d/old
		chmod 777 d
		echo old >d/old
		chmod 444 d/old
		refuses 'a file that may not be written in a folder that may' 'd/old: Permission denied' \
			$as fg-collapse -o d/old in
		clean 'no permission' old d
	else
		skip 'no permission' 'the programs cannot be reached by another user'
	fi
else
	skip 'no permission' 'needs root and setpriv'
fi

# The files of another user in a directory where all may make files would disclose the profile.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 .
	mkdir sticky theirs
	chmod 1777 sticky
	chown 65534 theirs
	setpriv --reuid=65534 --clear-groups sh -c 'umask 0; echo old >sticky/trap; echo old >theirs/file
		ln -s ../d/target sticky/link'
	refuses "-o another user's file in a sticky directory" 'sticky/trap: it belongs to another user, in a directory where others may make files; remove it first, or use another name' \
		fg-collapse -o sticky/trap in
	FG_SANDBOX=off refuses "-o another user's file, without the sandbox" 'sticky/trap: it belongs to another user, in a directory where others may make files; remove it first, or use another name' \
		fg-collapse -o sticky/trap in
	output "another user's file in a sticky directory: it is as it was" old cat sticky/trap
	refuses "-o another user's link in a sticky directory" 'sticky/link: Permission denied' \
		fg-collapse -o sticky/link in
	setpriv --reuid=65534 --clear-groups mkfifo -m 666 sticky/fifo
	refuses "-o another user's FIFO in a sticky directory" 'sticky/fifo: it belongs to another user, in a directory where others may make files; remove it first, or use another name' \
		timeout 600 fg-collapse -o sticky/fifo in # without a reader, an open FIFO blocks
	check "another user's link: its target was not made" test ! -e d/target
	chmod 600 theirs/file
	check "root's -o in the directory of a user" fg-collapse -o theirs/file in
	output 'his file keeps its owner and mode' '65534 600' stat -c '%u %a' theirs/file
	output 'his file is written' 'app;f 1' cat theirs/file
	clean 'the directory of a user' file theirs
	status 'root: an input that is missing' 2 fg-collapse -o theirs/file missing
	output "root: a failure leaves the user's file" 'app;f 1' cat theirs/file
	clean "a failure in a user's directory" file theirs
	chmod 4755 theirs/file
	check '-o onto a set-user-ID file' fg-collapse -o theirs/file in
	output 'a set-user-ID file loses that mode' 755 stat -c %a theirs/file
	rm theirs/file
	# Parts of the path may be renamed at any time.
	if command -v strace >/dev/null && strace -qq -o /dev/null true 2>/dev/null; then
		strace -qq -o calls -e trace=!execve fg-collapse -o theirs/new in
		output 'the directory of -o is a descriptor when the file is made and when it is named' 2 \
			grep -Ec '^openat\([0-9]+, "\.", .*O_TMPFILE|^linkat\(.*, [0-9]+, "new"' calls
	else
		skip 'the directory of -o' 'no strace'
	fi
	rm -r sticky theirs
else
	skip "another user's file" 'needs root and setpriv'
fi

# Disk full: no temporary file is left, the old file is unchanged.
mkdir disk
if mount -t tmpfs -o size=64k none disk 2>/dev/null; then
	trap 'umount "$tmp/disk"; cd /; rm -rf "$tmp"' EXIT
	refuses 'a full disk' 'disk/out: No space left on device' fg-collapse -o disk/out long
	clean 'a full disk' '' disk
	echo old >disk/out
	refuses 'a full disk with an old file' 'disk/out: No space left on device' fg-collapse -o disk/out long
	output 'a full disk: the old file is kept' old cat disk/out
	clean 'a full disk with an old file' out disk
	umount disk
	trap 'cd /; rm -rf "$tmp"' EXIT
else
	skip 'a full disk' 'no right to mount a tmpfs'
fi

# An interrupted program leaves no temporary file. fg-merge -m writes while its input is open.
rm -rf d
mkdir d
mkfifo input
awk 'BEGIN { for (i = 0; i < 30000; i++) printf "app;function_number_%06d %d\n", i, i + 1 }' >sorted
for sig in TERM:143 HUP:129 INT:130 KILL:137; do
	want=${sig#*:} sig=${sig%:*}
	perl -e '$SIG{$_} = "DEFAULT" for qw(INT HUP); exec "fg-merge", "-m", "-o", "d/out", "input"' &
	exec 3>input
	cat sorted >&3
	until ls -l /proc/$!/fd 2>/dev/null | grep -qF "$tmp/d/"; do kill -0 $! 2>/dev/null || break; done
	# After one SIGINT a program with a pipe for input reads on to its end.
	while [ -n "$(ls /proc/$!/fd 2>/dev/null)" ]; do kill -$sig $! 2>/dev/null; done
	wait $!
	check "$sig ends the program" test $? = "$want"
	exec 3>&-
	clean "$sig" '' d
done
(ulimit -f 64 && exec fg-collapse -o d/out long) 2>/dev/null
check 'a limit on the size of files is an error' test $? != 0
clean 'a limit on the size of files' '' d
done_testing
