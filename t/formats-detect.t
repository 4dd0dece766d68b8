#!/bin/sh
# Unsupported input: one line states what it is, and which format to use instead.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

# Binary input is not parsed as text, even if its lines look like a text format.
printf '\037\001\n@a[\n  b\n]: 1\n\n\002' >junk
status 'control bytes: no text format claims the input' 2 fg-collapse junk
# magic NAME BYTES WORDS: a known type of file that is not a profile is named in one line.
magic() {
	printf "$2" >junk
	fg-collapse junk 2>said >/dev/null
	[ "$(wc -l <said)" = 1 ] && grep -qF -- "$3" said
	check "$1 is named, with what to read instead" test $? = 0
}
magic 'a tar archive' "$(printf '%257s' '')ustar" 'looks like a tar archive, which fg-collapse cannot read; use a file of the archive (tar -xf FILE)'
magic 'a zip archive' 'PK\003\004' 'use a file of the archive (unzip FILE)'
magic 'lz4' '\004"M\030abc' 'use the output of lz4 -dc FILE'
magic 'a core dump' '\177ELF\002' 'a core dump'
magic 'an SQLite database' 'SQLite format 3\000' 'an SQLite database'
magic 'a CTF trace' '\301\037\374\301' 'a CTF trace'
magic 'an event trace of Windows' "$(printf '%72s' '' | tr ' ' a)\002\000\002\300" 'an event trace of Windows'
magic 'a heap dump of Java' 'JAVA PROFILE 1.0.2\000' 'a heap dump of Java'
magic 'old .NET' '\024\000\000\000!FastSerialization.1' 'dotnet-trace'
# refused NAME TEXT: text without stacks that has lines like theirs
refused() {
	printf '%b' "$2" >junk
	status "$1 is refused" 2 fg-collapse junk
}
refused 'a line whose name has two words' 'Debian GNU/Linux 12\n'
refused 'a file of settings' 'old-python2 = 2.7\nold-python3 = 3.5\n'
refused 'a list that repeats a name' 'T 6\nint 7\nT 8\n'
refused 'a list of definitions' '#define A 1\n#define B 2\n'
refused 'numbers and words' 'printing: 1 2 3 4\n42 true world 0x0 [0/0]0x0 255\n'
refused 'code whose comments end in numbers' '\t<I120> = 120;\t// #define KEY_MACRO 112\n\t<I121> = 121;\t// of 8\n'
refused 'a number below a number' 'Example:\n\n  x = 5;\n  0.597183\n  268\n\n'
refused 'a Python source' 'import x\nmain 5\n'
profile='==12== 100 bytes in 1 blocks are still reachable in loss record 1 of 1\n==12==    at 0x40: malloc (a.c:2)\n==12==    by 0x80: main (a.c:8)\n'
printf '%b' "$profile" >report
output 'a report of leaks is read' 'main;malloc 100' fg-collapse -q --no-header report
refused 'Markdown that quotes it' "Look:\n\`\`\`\n$profile"
refused 'HTML that quotes it' "\n<!DOCTYPE html>\n<pre>\n$profile"
refused 'a manual page that quotes it' ".TH x 1\n$profile"
refused 'Texinfo that quotes it' "\\\\input texinfo\n$profile"
printf '%b' '```\n'"$profile" >junk
output 'text that quotes it is named' \
	'fg-collapse: junk: looks like a text in Markdown, which fg-collapse cannot read; use only the lines of the profile, if it quotes one' \
	sh -c 'fg-collapse junk 2>&1'
output 'text that quotes it is read with -f' 'main;malloc 100' fg-collapse -q --no-header -f memcheck junk
printf 'main 5\noperator new 3\nThread 12 1\nf (in libx) 2\n' >flat
output 'names without callers are stacks' 'Thread 12 1
f (in libx) 2
main 5
operator new 3' fg-collapse -q flat
printf 'hello\n\001\002\n' >junk
fg-collapse junk 2>said >/dev/null
output 'an unknown format gives one line' 'fg-collapse: junk: unknown format; fg-collapse -l lists the formats, -f selects one' cat said
done_testing
