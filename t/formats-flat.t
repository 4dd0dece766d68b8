#!/bin/sh
# Flat profiles of formats that have stacks: more than 10 samples, each of one frame, get a warning.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

# flat FORMAT HEAD SAMPLE: a profile of eleven times SAMPLE, printf's format of up to three numbers.
flat() {
	{ printf "$2" && for i in 1 2 3 4 5 6 7 8 9 10 11; do printf "$3" $i $i $i; done; } >in
	warned "$1"
}
warned() {
	output "$1: a warning of stacks of one frame" '0 1' sh -c \
		"fg-collapse -f '$1' in 2>said >got; echo \$? \$(grep -c '^fg-collapse: each stack is a single frame; a profile with call chains' said)"
}

flat austin '# austin: 3.0.0\n' 'P1;T1;a.py:f%d:%d 5\n'
flat bcc '' '    f%d+0x1 [a]\n    -                app (%d)\n        5\n\n'
flat bpftrace 'Attaching 1 probe...\n\n' '@[\n    f%d+1\n]: 3\n'
flat dtrace '' '\n              app`f%d\n                1\n'
flat eu-stack 'PID 1 - process\n' 'TID %d:\n#0  0x000000000000001%x f%d\n'
flat faulthandler '' 'Thread 0x%x (most recent call first):\n  File "/a.py", line %d in f%d\n\n'
flat gdb '' 'Thread %d (Thread 0x7f (LWP %d)):\n#0  0x0000000000000010 in f%d () from /lib/x.so\n\n'
flat go '' 'goroutine %d [running]:\nmain.f%d()\n\t/a.go:%d +0x1d\n\n'
flat java-exceptions '' 'java.lang.Error: no %d\n\tat A.f%d(A.java:%d)\n'
flat jstack 'Full thread dump OpenJDK 64-Bit Server VM (17 mixed mode):\n\n' \
	'"t%d" #%d prio=5 os_prio=0 tid=0x1 nid=0x2 runnable [0x0]\n   java.lang.Thread.State: RUNNABLE\n\tat A.f%d(A.java:3)\n\n'
flat lldb '' '  thread #%d\n    frame #0: 0x%x a`f%d\n'
flat perf '' 'app 1/1 1.%d: 2 cycles:\n\t%x f%d (/x)\n\n'
flat phpspy '' '0 f%d /a.php:%d\n\n'
flat sysrq '' 'Call Trace:\n f%d+0x1/0x2\n\n'
flat systemtap '' ' 0x%x : f%d+0x1/0x2 [app]\n\t%d\n\n'

# Eleven samples of a pprof profile, at two locations.
{ echo '1{1:1 2:2}' && for i in 1 2 1 2 1 2 1 2 1 2 1; do echo "2{1[$i] 2[1]}"; done &&
	echo '4{1:1 4{1:1}} 4{1:2 4{1:2}} 5{1:1 2:3} 5{1:2 2:4} 6"" 6"samples" 6"count" 6"a" 6"b"'; } |
	perl "$here/protobuf.pl" >in
warned pprof

if fg-collapse --version | grep -q yajl; then
	cat >in <<-'END'
	{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2,3]},{"id":2,"callFrame":{"functionName":"a"}},
	{"id":3,"callFrame":{"functionName":"b"}}],"startTime":0,"endTime":12,"samples":[2,3,2,3,2,3,2,3,2,3,2],"timeDeltas":[1,1,1,1,1,1,1,1,1,1,1]}
	END
	warned cpuprofile
	cat >in <<-'END'
	{"meta":{"preprocessedProfileVersion":70},"shared":{"stackTable":{"frame":[0,1],"prefixOffset":[0,0]},"frameTable":{"address":[-1,-1],"func":[0,1]},
	"funcTable":{"name":[0,1],"resource":[-1,-1]},"resourceTable":{},"stringArray":["a","b"]},"threads":[{"name":"T",
	"samples":{"weight":null,"stack":[1,0,1,0,1,0,1,0,1,0,1],"time":[0,1,2,3,4,5,6,7,8,9,10]}}]}
	END
	warned firefox
	cat >in <<-'END'
	{"shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[{"type":"sampled","unit":"none",
	"samples":[[0],[1],[0],[1],[0],[1],[0],[1],[0],[1],[0]],"weights":[1,1,1,1,1,1,1,1,1,1,1]}]}
	END
	warned speedscope
fi
done_testing
