#!/bin/sh
# Unusual input: empty, junk, long lines, deep stacks, other encodings, slow pipes, special files.
# All programs read through one module; fg-collapse is tested for all.
# tier: quick
. "$(dirname "$0")/lib.sh"

# refuses NAME MESSAGE COMMAND...: exit 2, nothing on stdout, that message.
refuses() {
	what=$1
	printf 'fg-collapse: %s\n' "$2" >want
	shift 2
	"$@" >out 2>got
	got=$?
	check "$what: exit 2 and no output" test "$got" = 2 -a ! -s out
	same "$what: the message" want got
}

: >empty
printf '\n \n\n' >blank
printf 'app;f 1\n' >folded
printf 'app 1/1 1.5: 1 cycles:\n\t10 f (/x)\n\n' >perf
refuses 'an empty file' 'the input is empty' fg-collapse empty
refuses 'an empty stdin' 'the input is empty' fg-collapse </dev/null
refuses 'only empty files' 'the input is empty' fg-collapse empty /dev/null
output 'an empty file among others' 'app;f 2' fg-collapse --no-header empty folded empty perf
refuses 'an empty file with -f' 'no stacks in the input' fg-collapse -f folded empty
refuses 'comments alone' 'no stacks in the input' sh -c 'echo "# nothing" | fg-collapse -f perf'
refuses 'a missing file' 'missing: No such file or directory' fg-collapse folded missing
refuses 'a folder' '.: Is a directory' fg-collapse .
refuses 'a folder as stdin' 'stdin: Is a directory' sh -c 'fg-collapse <.'
refuses 'a closed stdin' 'stdin: Bad file descriptor' sh -c 'fg-collapse <&-'
if [ "$(id -u)" != 0 ]; then
	: >secret
	chmod 0 secret
	refuses 'no permission' 'secret: Permission denied' fg-collapse secret
else
	skip 'no permission' 'root may read everything'
fi

# Junk
head -c 3000000 /bin/sh >junk
awk 'BEGIN { srand(3); for (i = 0; i < 200000; i++) printf "%c", int(rand() * 256) }' >>junk
refuses 'binary junk' 'junk: looks like a program, a library or a core dump, which fg-collapse cannot read; use the output of perf script for a recording of it, or of gdb -batch -ex '\''thread apply all bt'\''' \
	fg-collapse junk
for f in perf folded; do
	fg-collapse -f $f junk >out 2>said
	check "binary junk as $f ends with 0 or 2" test $? = 0 -o $? = 2
	check "binary junk: the message has file and line, or the reason" grep -Eq '^fg-collapse: (junk:[0-9]+: |no )' said
	[ $f = perf ] && event="-e cycles" || event=
	fg-collapse -q -f $f $event junk $f >out 2>said
	check "a good $f after it does not hide it" test ! -s out
done

# Long lines: 10 MB are accepted; a line above 64 MB is skipped and reported
long() {
	head -c "$1" /dev/zero | tr '\0' x
}
{ printf 'a 1\nb;'; long 10000000; printf ' 2\nc 3\n'; } >in
fg-collapse in >got
same 'a line of 10 MB' in got
{ printf 'app 1/1 1.5: 1 cycles:\n\t10 '; long 10000000; printf ' (/x)\n\t20 main (/x)\n\n'; cat perf; } >in
fg-collapse --no-header -j 2 in >got
output 'a frame of 10 MB ends somewhere, the rest stays' '2 app;f 1' sh -c \
	'printf "%s %s\n" "$(wc -l <got)" "$(grep -x "app;f 1" got)"'
{ printf 'a 1\nb;'; long 68000000; printf ' 2\nc 3\n'; } >in
output 'a line over 64 MB is left out' 'a 1
c 3' fg-collapse in
echo 'fg-collapse: in:2: line longer than 64 MB; left out' >want
same 'a line over 64 MB is reported' want .errors
for j in 1 2; do
	{ awk 'BEGIN { for (i = 0; i < 30000; i++) print "app 1/1 1.5: 1 cycles:\n\t10 f (/x)\n" }'; printf 'b 1/1 1.5: 1 cycles:\n\t10 '; long 68000000; echo ' (/x)'; } >late
	fg-collapse -j $j late 2>&1 >/dev/null | grep -o '^fg-collapse: late:[0-9]*' >got
	cat late | fg-collapse -j $j 2>&1 >/dev/null | grep -o '^fg-collapse: stdin:[0-9]*' >>got
	printf 'fg-collapse: late:90002\nfg-collapse: stdin:90002\n' >want
	same "the number of a line over 64 MB, -j $j" want got
done
rm late
status 'a line over 64 MB with --strict' 2 fg-collapse --strict in
cat in | fg-collapse 2>/dev/null >got
printf 'a 1\nc 3\n' >want
same 'a line over 64 MB from a pipe' want got
{ cat perf; printf 'b 1/1 1.5: 1 cycles:\n\t10 '; long 68000000; printf ' (/x)\n\t20 main (/x)\n\n'; cat perf; } >in
output 'a line over 64 MB in perf script' 'app;f 2
b;main 1' fg-collapse --no-header in
rm in

# Deep stacks
awk 'BEGIN { printf "root"; for (i = 1; i < 5000; i++) printf ";f%d", i; print " 7" }' >deep
fg-collapse deep >got
same '5,000 frames deep' deep got
fg-collapse --time-order deep >got
same '5,000 frames deep in time order' deep got
awk 'BEGIN { print "root 1/1 1.5: 7 cycles:"; for (i = 4999; i > 0; i--) printf "\t%x f%d (/x)\n", i, i }' |
	fg-collapse -j 1 --no-header >got
same '5,000 frames of perf script' deep got
awk 'BEGIN { printf "root"; for (i = 1; i < 200000; i++) printf ";f"; print "g 7" }' >deep
fg-collapse deep >got
same '200,000 frames deep, all of one name' deep got
fg-collapse --time-order deep >got
same '200,000 frames deep in time order' deep got

# Encodings
printf '\357\273\277app;f 1\n' >in
output 'a mark of UTF-8' 'app;f 1' fg-collapse in
for e in LE BE; do
	mark='\377\376'
	[ $e = LE ] || mark='\376\377'
	{ printf "$mark"; printf 'app;größe 🔥 1\r\nb 2' | iconv -f UTF-8 -t UTF-16$e; } >in
	output "UTF-16$e" 'app;größe 🔥 1
b 2' fg-collapse in
	cat in | fg-collapse >got
	same "UTF-16$e from a pipe" .got got
	{ printf "$mark"; iconv -f UTF-8 -t UTF-16$e <perf; } >in
	output "perf script in UTF-16$e" 'app;f 1' fg-collapse --no-header in
	{ printf "$mark"; awk 'BEGIN { for (i = 0; i < 30000; i++) print "app;größe" i % 10 " 1" }' |
	    iconv -f UTF-8 -t UTF-16$e; } >in
	output "a long UTF-16$e" "$(for i in 0 1 2 3 4 5 6 7 8 9; do echo "app;größe$i 3000"; done)" fg-collapse in
done
printf '\377\376a\0\0\330b\0 \0001\0\n\0' >in
output 'half a pair of UTF-16' "$(printf 'a\357\277\275b 1')" fg-collapse in
printf '\377\376a\0 \0001\0\n\0b' >in
output 'half a character of UTF-16 at the end' 'a 1' fg-collapse in

awk 'BEGIN { for (i = 0; i < 60000; i++) printf "app 1/1 %d.5: 7 cycles:\n\t%x f%d (/x)\n\t20 main (/x)\n\n", i, i, i % 100 }' >many
fg-collapse perf many >want
# Each run has other hashes; blocks of the file are read into the same memory.
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	fg-collapse --no-header perf many
done | grep -v '^app;f 1$\|^app;main;f[0-9]* 4200$' >others
check 'a large file in blocks, 12 times: each function has its value' test ! -s others
{ printf '\377\376'; iconv -f UTF-8 -t UTF-16LE <many; } >in
for j in 1 4; do
	fg-collapse -j $j perf in >got
	same "UTF-16 as a second file, -j $j" want got
done
{ printf '\377\376'; head -c 100000 /bin/sh; } >in
status 'a UTF-16 byte order mark before other data is exit status 2' 2 fg-collapse in
printf '\377\376app;f 12\n' >in
{ printf '\357\273\277' && cat in; } >want
fg-merge in >got
same 'binary data after a UTF-16 byte order mark: a UTF-8 one is written first' want got
fg-merge got >again
same 'binary data after a UTF-16 byte order mark: the output is read back' want again

# Slow pipes with parts of lines
slow() {
	for part in 'app 1/1 1.' '5: 1 cyc' 'les:\n' '\t1' '0 f (/x)\n\t2' '0 main (/x)' '\n' '\napp 1/1 1.6:' ' 1 cycles:\n\t10 f' ' (/x)'; do
		printf "$part"
		sleep 0.02
	done
}
slow | fg-collapse --no-header -j 2 >got
printf 'app;f 1\napp;main;f 1\n' >want
same 'perf script in parts' want got
{ printf 'a;'; sleep 0.05; printf 'b '; sleep 0.05; printf '1'; sleep 0.05; printf '2\nc'; sleep 0.05; printf ' 1'; } |
	fg-collapse >got
printf 'a;b 12\nc 1\n' >want
same 'folded stacks in parts' want got
done_testing
