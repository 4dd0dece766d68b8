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
magic 'old .NET' '\024\000\000\000!FastSerialization.1' 'dotnet-trace'
# Reports of tools, by a line of each: their names, and the hint.
while IFS='|' read -r sign what instead; do
	printf 'first line\n%b\nlast line 0\n' "$sign" >junk
	output "$what: is named" "looks like $what, which fg-collapse cannot read; use $instead" \
		sh -c 'fg-collapse junk 2>&1 | sed "s/^fg-collapse: junk: //"'
done <<'END'
  PID USER      PR  NI    VIRT    RES    SHR S  %CPU|a screen of top, which has no stacks|the recording of fg-record -a, or of perf record -a -g
procs -----------memory---------- ---swap--|a table of vmstat, which has no stacks|the recording of fg-record -a, or of perf record -a -g
avg-cpu:  %user   %nice %system|a table of iostat, which has no stacks|the stacks of waits: fg-record --off-cpu, or biostacks of bpftrace
01:12:13 AM   UID       PID    %usr|a table of pidstat, which has no stacks|the recording of fg-record -a, or of perf record -a -g
==7== Memcheck, a memory error detector|a report of valgrind's memcheck without leaks|the output of valgrind --leak-check=full COMMAND
==7== Massif, a heap profiler|messages of valgrind's massif|the file massif.out.PID that it wrote
execve("/bin/true", ["true"], 0x7ffc) = 0|the output of strace|the recording of perf trace record --call-graph fp COMMAND
write(1, "", 0) = 0\n+++ exited (status 0) +++|the output of ltrace|the recording of perf record -g COMMAND
            time    cpu  task name                       wait time|a report of perf sched timehist|the recording: perf sched record -g, then fg-collapse perf.data
  Task                  \0174   Runtime ms|a report of perf sched latency|the recording: perf sched record -g, then fg-collapse perf.data
     0.042 ( 0.012 ms): true/1 ... [continued]: execve())|the text of perf trace|the recording of perf trace record --call-graph fp COMMAND
[0.012s][info][gc] Using G1|a log of Java's garbage collector, which has no stacks|a flight recording (jcmd PID JFR.start settings=profile)
gc 1 @0.012s 0%: 0.01+0.5+0 ms|a trace of Go's garbage collector, which has no stacks|the heap profile: curl localhost:6060/debug/pprof/heap
SF:/srv/a.c\nDA:1,1|counts of lcov, which have no stacks|a profile of the program
mode: set\na.go:1.2,3.4 1 1|counts of Go's cover, which have no stacks|the profile of go test -cpuprofile
@usecs:\n[2, 4)   12 \0174@@@@@@@@@\0174|a histogram of bpftrace, which has no stacks|maps whose key has kstack or ustack
Timestamp,Provider,Counter Name|counters of dotnet-counters|the file of dotnet-trace collect -p PID
END
# Keys of JSON.
while IFS=' ' read -r json what; do
	echo "$json" >junk
	check "JSON: $what" sh -c "fg-collapse junk 2>&1 | grep -q \"looks like $what, which fg-collapse cannot read; use \""
done <<'END'
{"log":{"version":"1.2","creator":{"name":"x"}}} a HAR file of a browser
{"session":{"duration":1},"frame_tree":{"identifier":"f"}} the tree of a page of pyinstrument
{"lighthouseVersion":"12.0"} a report of Lighthouse
{"meta":{"version":"7","show_contexts":false},"files":{}} counts of coverage.py, which have no stacks
{"/a.js":{"path":"/a.js","statementMap":{}}} counts of Istanbul, which have no stacks
[{"pid":1,"thread_id":2,"frames":[{"name":"f","short_filename":"a.py"}]}] the JSON of py-spy dump
[{"jmhVersion":"1.37","benchmark":"a"}] results of JMH, which have no stacks
{"results":[{"command":"true","times":[0.1]}]} results of hyperfine, which have no stacks
{"constants":{"logEventTypes":{"A":1}},"events":[]} a network log of Chrome
[{"Plan":{"Node\u0020Type":"Scan"}}] a plan of PostgreSQL, which has no stacks
END
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
refused 'a Python source that quotes a list of tracemalloc' 'import x\n/a.py:3: size=10 B, count=1, average=10 B\n'
profile='==12== 100 bytes in 1 blocks are still reachable in loss record 1 of 1\n==12==    at 0x40: malloc (a.c:2)\n==12==    by 0x80: main (a.c:8)\n'
printf '%b' "$profile" >report
output 'a report of leaks is read' 'main;malloc 100' fg-collapse -q --no-header report
refused 'Markdown that quotes it' "Look:\n\`\`\`\n$profile"
refused 'HTML that quotes it' "\n<!DOCTYPE html>\n<pre>\n$profile"
refused 'a manual page that quotes it' ".TH x 1\n$profile"
refused 'Texinfo that quotes it' "\\\\input texinfo\n$profile"
refused 'a description of a tool that quotes it' "Demonstrations of app, the Linux version.\n\n$profile"
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
printf 'b 1\nb 2\n' >flat
fg-collapse flat 2>said
output 'text that may be stacks of one frame is not read, and the option that reads it is named' \
    'fg-collapse: flat: has lines of a name and a number; if these are stacks of one frame, use -f folded' cat said
done_testing
