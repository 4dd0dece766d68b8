#!/bin/sh
# Text formats without a corpus file, and rare cases of others.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

text 'lldb' '--threads --tid' 'main-?/1;start_[l];main;spin_[i] 1
worker-?/2;[libpthread.dylib]_[l];w(int)::operator() 1' <<'EOF'
* thread #1, name = 'main', queue = 'com.apple.main-thread', stop reason = signal SIGSTOP
  * frame #0: 0x0000000100003f20 a.out`main(argc=1, argv=0x1) [inlined] spin(n=9) at main.c:10:5 [opt]
    frame #1: 0x0000000100003f30 a.out`main(argc=1) at main.c:12:3 [opt]
    frame #2: 0x0000000181234567 libdyld.dylib`start + 4
  thread #2, name = 'worker'
    frame #0: 0x0000000100003f40 a.out`w(int)::operator()(this=0x3) const at main.c:3
    frame #1: 0x0000000181234000 libpthread.dylib`
EOF
text 'lldb: source lines' '--srcline --module' 'a.out`main (main.c:12) 1' <<'EOF'
  thread #2
    frame #0: 0x0000000100003f40 a.out`main(argc=1) at main.c:12:3
EOF
text 'gdb: lines that are broken, locals, one thread' '--srcline' \
    'main (a.c:9);f(char const*)::{lambda()#1}::operator() (a.c:3);operator< <int> (a.h:7) 1' <<'EOF'
#0  operator< <int> (a=@0x7ffd: 3,
    b=@0x7ffe: 4) at a.h:7
        x = "#0  no (frame)"
#1  0x0000555 in f(char const*)::{lambda()#1}::operator() (
    this=0x7) at a.c:3
No locals.
#2  0x0000777 in main () at a.c:9
EOF
sed -i 's/^#1  0x0000555 in /#1  /' in
check 'gdb: a frame without an address has the one above inlined' \
    sh -c "fg-collapse in | grep -q 'operator< <int>_\[i\] 1'"
text 'gdb: without addresses no frame is inlined' '--no-header' 'main;f 1' <<'EOF'
#0  f (x=1) at a.c:3
#1  main () at a.c:9
EOF
text 'eu-stack -a and -b' '' 'main;f 1' <<'EOF'
PID 12 - core
TID 12:
#0  0x0000000000401136     f - /bin/a
    [3f3b1e]@0x400000+0x1136
#1  0x0000000000401150 - 1 main - /bin/a
    [3f3b1e]@0x400000+0x1150
EOF
text 'jstack: virtual threads of dump_to_file' '' 'main;Main.main;java.lang.Thread.sleep 1
worker_"a";java.lang.VirtualThread.run;Main$$Lambda/0x000078.run 1' <<'EOF'
4321
2026-11-20T10:00:00Z
21.0.1

#1 "main"
      java.base/java.lang.Thread.sleep(Thread.java:509)
      Main.main(Main.java:3)

#22 "worker "a"" virtual
      Main$$Lambda/0x000078.run(Unknown Source)
      java.base/java.lang.VirtualThread.run(VirtualThread.java:309)
EOF
# two_threads NAME OPTIONS EXPECTED: text of a jstack with a running and a waiting thread.
two_threads() {
	text "$@" <<'EOF'
"pool-1-thread-7" #9 prio=5 os_prio=0 tid=0x00007f nid=0x10 runnable  [0x0]
   java.lang.Thread.State: RUNNABLE
	at A.f(A.java:1)

"pool-1-thread-8" #10 prio=5 os_prio=0 tid=0x00008f nid=0x11 waiting  [0x0]
   java.lang.Thread.State: WAITING (parking)
	at A.g(A.java:2)

EOF
}
two_threads 'jstack: --include-runnable selects RUNNABLE threads' '--include-runnable' 'pool-1-thread-7;A.f 1'
two_threads 'jstack: --no-include-tid removes the number of a thread' '--no-include-tid' 'pool-1-thread;A.f 1
pool-1-thread;A.g 1'
two_threads 'jstack: --no-include-tname omits thread names' '--no-include-tname' 'A.f 1
A.g 1'
two_threads 'jstack: --include-tname and --include-tid undo earlier options' '--no-include-tid --no-comm --include-tid --include-tname' 'pool-1-thread-7;A.f 1
pool-1-thread-8;A.g 1'
text 'javacore: states, packages, native stacks' '--state CW,P' \
    'native;start_thread_[l];[j9thr29.so]_[l];pthread_cond_wait_[l] 1
w;java/lang/Object.wait 1' <<'EOF'
0SECTION       THREADS subcomponent dump routine
3XMTHREADINFO      "w" J9VMThread:0x1, omrthread_t:0x2, java/lang/Thread:0x3, state:CW, prio=8
3XMTHREADINFO1            (native thread ID:0x765A, native priority:0x8, native policy:UNKNOWN)
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at java/lang/Object.wait(Native Method)
3XMTHREADINFO3           Native callstack:
4XENATIVESTACK               pthread_cond_wait+0x1c5 (0x00007F22 [libpthread.so.0+0xd3c5])
NULL
3XMTHREADINFO      "r" J9VMThread:0x1, omrthread_t:0x2, java/lang/Thread:0x3, state:R, prio=8
4XESTACKTRACE                at a/B.c(B.java:1(Compiled Code))
3XMTHREADINFO      "native" J9VMThread:0x4, omrthread_t:0x5, java/lang/Thread:0x6, state:P, prio=8
4XENATIVESTACK               pthread_cond_wait+0x1c5 (0x00007F22 [libpthread.so.0+0xd3c5])
4XENATIVESTACK               (0x00007F33 [j9thr29.so+0x1])
4XENATIVESTACK               start_thread+0xc4 (0x00007F44 [libpthread.so.0+0x7dc5])
EOF
text 'exceptions: what causes have in common' '--module' 'Main.main;com.app.Shop.sell 1
Main.main;com.app.Shop.sell;com.app.Disk.read;java.base`java.io.Reader.read 1' <<'EOF'
2026-11-20 ERROR no
java.lang.IllegalStateException: no
	at com.app.Shop.sell(Shop.java:12) ~[shop.jar:1.2]
	at app//Main.main(Main.java:3)
Caused by: java.io.IOException: gone
	at java.base/java.io.Reader.read(Reader.java:1)
	at com.app.Disk.read(Disk.java:7)
	... 2 more
EOF
text 'go: states, elided frames, registers' '--state running --tid' '?/7;main.main;main.Map[...];main.(*T).f 1' <<'EOF'
SIGQUIT: quit
PC=0x46d521 m=0 sigcode=0

goroutine 7 gp=0xc000 m=0 mp=0x5 [running, locked to thread]:
main.(*T).f(0x1, {0x2, 0x3})
	/srv/a.go:3 +0x1 fp=0xc0 sp=0xc1 pc=0x4
main.Map[...](...)
	/srv/a.go:4
...additional frames elided...
main.main()
	/srv/a.go:9 +0x5
created by main.init in goroutine 1
	/srv/a.go:1 +0x7

goroutine 8 [chan receive, 3 minutes]:
main.g()
	/srv/a.go:3 +0x1

rax    0xfffffffffffffffc
EOF
text 'faulthandler: names of threads' '--threads' 'w_1;run (a.py:9);f (a.py) 1' <<'EOF'
Current thread 0x00007f57b5ffe6c0 [w 1] (most recent call first):
  File "a.py", line ??? in f
  File "a.py", line 9 in run

Current thread's C stack trace (most recent call first):
  Binary file "/usr/bin/python3", at _Py_DumpStack+0x1 [0x5]
EOF
text 'py-spy: variables, native frames, states' '--state active,active+gil --pid --threads' \
    'Main-165;<module> (a.py:3);read (libc.so.6) 1' <<'EOF'
Process 165: python3 a.py
Python v3.12.3 (/usr/bin/python3.12)

Thread 165 (active+gil): "Main"
    read (libc.so.6)
    <module> (a.py:3)
        Arguments:
            self: <Socket at 0x7f>
Thread 0x7F1 (idle): "b"
    g (a.py:1)
EOF
text 'tracemalloc: lines only' '-e bytes' '/usr/lib/a.py:353 1355776
/usr/lib/b.py:7 103' <<'EOF'
[ Top 10 ]
/usr/lib/a.py:353: size=1324 KiB, count=13112, average=103 B
/usr/lib/b.py:7: size=103 B, count=1, average=103 B
EOF
text 'tracemalloc: the pretty top' '' 'a.py:3 12595' <<'EOF'
Top 3 lines
#1: a.py:3: 12.3 KiB
    x = y
5 other: 1.0 KiB
Total allocated size: 13.3 KiB
EOF
text 'procstack' '--tid' '/usr/sbin/syncd-14680394/24576019;main;__fd_select 1
/usr/sbin/syncd-14680394/3;[unknown] 1' <<'EOF'
14680394: /usr/sbin/syncd 60
---------- tid# 24576019 (pthread ID:      1) ----------
0xd0119da4  __fd_select(??, ??, ??) + 0xe4
0x10000a5c  main(??, ??) + 0x23c
---------- tid# 3 (pthread ID:      2) ----------
0x10000a5c  ??(??) + 0x1
EOF
text 'kernel stacks that cat joined' '' 'entry_SYSCALL_64_after_hwframe_[k];do_syscall_64_[k];do_sys_poll_[k] 1
ret_from_fork_asm_[k];ret_from_fork_[k];kthread_[k];[nf_conntrack]_[k] 1
sys_read_[k];pipe_read_[k] 1' <<'EOF'
[<0>] do_sys_poll+0x4f5/0x590
[<0>] do_syscall_64+0x73/0x130
[<0>] entry_SYSCALL_64_after_hwframe+0x76/0x7e
[<0>] 0xffffffffc0123456 [nf_conntrack]
[<0>] kthread+0xe5/0x120
[<0>] ret_from_fork+0x31/0x50
[<0>] ret_from_fork_asm+0x1b/0x30
[<ffffffff811b3df0>] pipe_read+0x1/0x2
[<ffffffff811b3df0>] sys_read+0x1/0x2
[<ffffffffffffffff>] 0xffffffffffffffff
EOF
text 'kernel stacks with their files' '--tid --includeoffset' \
    '12/13;sys_read+0x1/0x2_[k] 1
7/7;f+0x1/0x2_[k];g+0x3/0x4_[k] 1' <<'EOF'
/proc/12/task/13/stack:[<0>] sys_read+0x1/0x2
==> /proc/7/stack <==
[<0>] g+0x3/0x4
[<0>] f+0x1/0x2
EOF
text 'the kernel log: SysRq-T' '--state D --pid' 'kworker/0:1-18;ret_from_fork_[k];worker_thread_[k];schedule_[k] 1' <<'EOF'
[  12.500000] sysrq: Show State
[  12.500001] task:systemd         state:S stack:0     pid:1     ppid:0      flags:0x00000002
[  12.500002] Call Trace:
[  12.500003]  <TASK>
[  12.500004]  schedule+0x5e/0xd0
[  12.500005]  </TASK>
[  12.500006] task:kworker/0:1     state:D stack:0     pid:18    ppid:2      flags:0x00004000
[  12.500007] Workqueue: events x
[  12.500008] Call Trace:
[  12.500009]  <TASK>
[  12.500010]  schedule+0x5e/0xd0
[  12.500011]  ? preempt_count_add+0x6a/0xa0
[  12.500012]  worker_thread+0x1/0x2 [virtio]
[  12.500013]  ret_from_fork+0x34/0x50
[  12.500014]  </TASK>
EOF
text 'the kernel log: old kernels, hung tasks, processors' '--pid' 'cloudflared-1505;dump_header_[k];dump_stack_[k] 1
php-fpm7.4-2823;schedule_[k];__schedule_[k] 1
rcu_sched-8;kthread_[k];schedule_[k] 1' <<'EOF'
Mar 22 13:21:10 node4 kernel: [10755.704700] php-fpm7.4      D    0  2823   1375 0x00000000
Mar 22 13:21:10 node4 kernel: [10755.704703] Call Trace:
Mar 22 13:21:10 node4 kernel: [10755.704712]  __schedule+0x2e3/0x740
Mar 22 13:21:10 node4 kernel: [10755.704712]  schedule+0x2e3/0x740
Mar 22 13:21:10 node4 kernel: [10755.704715] rcu_sched       S ffff88085f8f3a80     0     8      2 0x00000000
Mar 22 13:21:10 node4 kernel: [10755.704716] Call Trace:
Mar 22 13:21:10 node4 kernel: [10755.704717]  [<ffffffff8160955d>] schedule+0x29/0x70
Mar 22 13:21:10 node4 kernel: [10755.704717]  [<ffffffff8160955d>] ? x+0x29/0x70
Mar 22 13:21:10 node4 kernel: [10755.704717]  [<ffffffff8160955d>] kthread+0xcf/0xe0
Mar 22 12:05:46 node4 kernel: [ 6230.958817] CPU: 11 PID: 1505 Comm: cloudflared Not tainted 5.4.0-67-generic #75-Ubuntu
Mar 22 12:05:46 node4 kernel: [ 6230.958822] Call Trace:
Mar 22 12:05:46 node4 kernel: [ 6230.958846]  dump_stack+0x6d/0x8b
Mar 22 12:05:46 node4 kernel: [ 6230.958852]  dump_header+0x4f/0x1eb
EOF
text 'dtrace: two stacks, keys before and behind' '' 'bash;a.out`main;a.out`f;unix`sys_read 3
sshd;unix`sys_write 4
unix`x 2' <<'EOF'
  bash
              unix`sys_read+0x1

              a.out`f(int)+0x2
              a.out`main+0x3
                3

              unix`sys_write+0x1
  sshd                                                              4

CPU     ID                    FUNCTION:NAME
  0  64091                        :tick-60s

              unix`x+0x1
                2
EOF
text 'systemtap' '--module' 'main;libc-2.17.so`__read_[l];[kernel]`sys_read_[k] 2404' <<'EOF'
 0xffffffff8103ce3b : sys_read+0xb/0x10 [kernel]
 0x00007f5a3b1c0000 : __read+0x7/0x57 [/usr/lib64/libc-2.17.so] (inexact)
 0x0000000000400586 : main
	2404
EOF
text 'offwaketime' '--pid' 'vmstat-12;poll;schedule;--;wake_up_[w];swapper/1 0_[w] 77' <<'EOF'
Tracing blocked time (us) by user + kernel off-CPU and waker stack... Hit Ctrl-C to end.

    waker:           swapper/1 0
    ffffffff810df082 wake_up
    --               --
    schedule
    poll
    target:          vmstat 12
        77
EOF
text 'wcp' '--srcline' 'main (/srv/main.nim:12);poll__Y (/srv/a.nim:343) 17194
main (/srv/main.nim:13) 6' <<'EOF'
Full stacks:

99.791% ===================================== (17194 samples)
     1: poll__Y   (at /srv/a.nim:343)
     2: main   (at /srv/main.nim:12)

 0.209%  (6 samples)
     1: main   (at /srv/main.nim:13)
EOF
text 'ljp' '--shorten-pkgs' 'j.l.Thread.run 7
j.l.Thread.run;my_a;my_b 42' <<'EOF'
42 3  my_b(prog.java:455)
      my_a(prog.java:123)
      java.lang.Thread.run(Thread.java:744)
7 1  java.lang.Thread.run(Thread.java:744)
Total trace count = 49, Total ...
EOF
text 'vsprof: samples' '' 'main 8429
main;std::f<int,char> 306' <<'EOF'
Level,Function Name,Inclusive Samples,Inclusive Samples %,Module Name,
1,"main","8,735",100.00,"app.exe",
2,"std::f<int,char>",306,3.50,"app.exe",
EOF
text 'vtune: memory' '-e allocations' 'Total;a.exe`main;a.exe`f<int, int> 3' <<'EOF'
war: Column filter is ON.
Function Stack,Allocation Size:Self,Deallocation Size:Self,Allocations:Self,Module
Total,,,0,[Unknown]
 main,0,0,0,a.exe
  "f<int, int>",480,0,3,a.exe
EOF
sed '4s/^/x\n/' in >junk
output 'vtune: rows after a malformed line' 'Total;a.exe`main;a.exe`f<int, int> 3' fg-collapse -q --no-header -e allocations junk
text 'instruments: CSV of old versions' '' 'start 2
start;main 49' <<'EOF'
Running Time,Self (ms),,Symbol Name
51.0ms  100.0%,2,   ,start
49.0ms   96.0%,49,   , main
EOF
text 'instruments: of Xcode 16, its self values' '' 'start;main;delta() 846
start;main;delta();alpha() 786' <<'EOF'
Weight	Self Weight	Symbol Names
4.93 s  100.0%	0 s	   start
4.93 s  99.9%	0 s	    main
2.45 s   0.0%	846.00 ms	     delta()
797.00 ms   0.0%	786.00 ms	      alpha()
EOF
text 'jfr: a native frame of async-profiler' '' 'A.main;__poll 1' <<'EOF'
jdk.ExecutionSample {
  startTime = 11:33:06.016
  stackTrace = [
    .__poll()
    A.main() line: 3
  ]
}
EOF
text 'jfr: names of C++ with parentheses' '' 'A.main;libq.so.std::_Base<(q::Lock)2>::_M_release;libq.so.f::{lambda()#1}::operator() 1' <<'EOF'
jdk.ExecutionSample {
  startTime = 11:33:06.016
  stackTrace = [
    libq.so.f::{lambda()#1}::operator()() line: 0
    libq.so.std::_Base<(q::Lock)2>::_M_release() line: 0
    A.main(String[]) line: 3
  ]
}
EOF
text 'jfr: a traced method is the leaf; a virtual thread without a name' '--threads -e MethodTrace' \
    'virtual_thread;V.run;V.burn;V.traced 642000' <<'EOF'
jdk.MethodTrace {
  startTime = 17:52:44.072 (2026-11-29)
  duration = 0.642 ms
  method = V.traced(int)
  eventThread = "" (javaThreadId = 28, virtual)
  stackTrace = [
    V.burn(long) line: 3
    V.run() line: 7
  ]
}
EOF
text 'austin: samples of threads' '--tid' '10/123;<module> (/srv/a.py:3) 7
10/123;<module> (/srv/a.py:3);work (C:\x.py:12) 30
10/9;(garbage collector) 2' <<'EOF'
# austin: 3.6.0
# interval: 100
# mode: wall

P10;T0:123;/srv/a.py:<module>:3;C:\x.py:work:12 10
P10;T0:123;/srv/a.py:<module>:3;C:\x.py:work:12:14:1:8 20
P10;T0:123;/srv/a.py:<module>:3 7
P10;T9;:GC: 2
# duration: 5
EOF
text 'austin: time, idle and memory' '-e memory' 'f (a.py:1) 4096' <<'EOF'
# austin: 3.6.0
# mode: full
P10;T9;a.py:f:1 10,0,4096
P10;T9;a.py:f:1 10,1,-4096
EOF
text 'austin: the first version, without a header' '--tid' '10/7f;<module> (/srv/a.py:3);work (my module.py:12) 30
10/80 9
?/7f;<module> (/srv/a.py:3) 7' <<'EOF'
Process 10;Thread 80 9
Process 10;Thread 7f;<module> (/srv/a.py);L3;work (my module.py);L12 30
Thread 7f;<module> (/srv/a.py);L3 7 0 -180
EOF
text 'v8-log: code that replaces code, relative frames, a library' '' '(anonymous) (app.js:1)_[j];work_[j] 1
(anonymous) (app.js:1)_[j];work_[j];[node] 1
[unknown];(garbage collector) 1
a, b_[j] 1' <<'EOF'
v8-version,11,3,244,8,-node.26,0
v8-platform,linux,linux
shared-library,/usr/bin/node,0x400000,0xb71000,0
code-creation,JS,10,100,0x1000,256, app.js:1:1,0x10,~
code-creation,JS,10,110,0x2000,256,old app.js:2:18,0x20,~
code-creation,JS,10,120,0x2000,128,work app.js:5:18,0x30,*
code-creation,Builtin,2,130,0x3000,16,a\x2C b
tick,0x400010,1000,0,0x0,6,0x2010,-0x1000
tick,0x2010,2000,0,0x0,0,0x1010
tick,0x9999999,3000,0,0x0,1
tick,0x3000,4000,0,0x0,0,overflow
EOF
output 'v8-log: --to omits samples after it' '(anonymous) (app.js:1)_[j];work_[j];[node] 1' fg-collapse -q --no-header --to 500us in
text 'jfr: durations, threads' '-e JavaMonitorEnter --threads' 'w_1;A.main;A.f 20100000' <<'EOF'
jdk.ThreadPark {
  startTime = 11:33:06.016
  duration = 1.00 s
  stackTrace = [
    A.p()
  ]
}

jdk.JavaMonitorEnter {
  startTime = 11:33:06.016
  duration = 20.1 ms
  eventThread = "w 1" (javaThreadId = 12)
  stackTrace = [
    A.f(int) line: 3
    A.main(String[]) line: 9
  ]
}
EOF
text 'perf sched: a switch, delays, the idle thread' '-f perf-sched --tid' \
    'a_b-?/7;main;schedule_[k] 3000
c-?/8;schedule_[k] 50.5' <<'EOF'
a b     7 [000]     1.000000: sched:sched_switch: prev_comm=a b prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
	ffffffff821f8b58 schedule+0x618 ([kernel.kallsyms])
	          401136 main (/bin/a)

c     8 [001]     1.001000: sched:sched_switch: prev_comm=c prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
	ffffffff821f8b58 schedule+0x618 ([kernel.kallsyms])

swapper     0 [000]     1.002000: sched:sched_stat_sleep: comm=a b pid=7 delay=3000000 [ns]
	ffffffff821f8b58 wake+0x618 ([kernel.kallsyms])

swapper     0 [000]     1.002000: sched:sched_stat_sleep: comm=a b pid=7 delay=3000000 [ns]

swapper     0 [001]     1.002000: sched:sched_stat_blocked: comm=c pid=8 delay=50500 [ns]

swapper     0 [000]     1.005000: sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a b next_pid=7 next_prio=120
EOF
text 'perf report: callers of a tree, fractal' '' 'work;sorts 7.38
work;sorts;mix 2.02
work;sorts;start;main;mix 0.6' <<'EOF'
# Samples: 289  of event 'cycles'
#
# Overhead  Command  Shared Object  Symbol
# ........  .......  .............  ......
#
    10.00%  work     work           [.] mix
            |
            ---sorts
               |
               |--20.20%--mix
               |
                --6.00%--start
                          main
                          mix
EOF
text 'perf report: flat' '--no-comm' 'libc.so.6;memcpy_[l] 66.67
vmlinux;clear_page_[k] 33.33' <<'EOF'
# Overhead  Command  Shared Object  Symbol
# ........  .......  .............  ..............
#
    66.67%  work     libc.so.6      [.] memcpy
    33.33%  work     vmlinux        [k] clear_page
EOF
text 'pstats: the printed table' '' '/srv/busy.py;fib 76
{built-in method builtins.sorted} 29' <<'EOF'
         690005 function calls (463225 primitive calls) in 0.204 seconds

   Ordered by: internal time

   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
226895/115    0.076    0.000    0.076    0.001 /srv/busy.py:2(fib)
      115    0.029    0.000    0.039    0.000 {built-in method builtins.sorted}

EOF
sed '/sorted/s/^/x\n/' in >junk
output 'pstats: rows after a malformed line' '/srv/busy.py;fib 76
{built-in method builtins.sorted} 29' sh -c 'fg-collapse --no-header junk 2>said'
check 'pstats: a malformed line is reported' grep -q 'junk:7: not a row of' said
printf 'Call graph:\n    3 Thread_1\n    + 3 f  (in a)\nx\n    +   2 g  (in a)\n\nTotal number in stack:\n        9 f\n' >junk
output 'sample: lines after a malformed line' 'Thread_1;a`f 1
Thread_1;a`f;a`g 2' sh -c 'fg-collapse -f sample --no-header --no-annotate junk 2>said'
check 'sample: a malformed line is reported' grep -q 'junk:4: not a line of a call graph' said
text 'gprof: the flat profile' '' 'f 470
g 10' <<'EOF'
Flat profile:

Each sample counts as 0.01 seconds.
  %   cumulative   self              self     total
 time   seconds   seconds    calls  ms/call  ms/call  name
 98.00      0.47     0.47        1   470.81   470.81  f(int)
  2.00      0.48     0.01                             g

			Call graph
EOF
sed 's/^  2.00/x\n&/' in >junk
output 'gprof: rows after a malformed line' 'f 470
g 10' sh -c 'fg-collapse --no-header junk 2>said'
check 'gprof: a malformed line is reported' grep -q "not a row of gprof's" said
printf 'gmon\1\0\0\0\0\0\0\0' >gmon.out
fg-collapse gmon.out 2>said
check 'gmon.out is refused' grep -q 'use gprof -b -p ./app gmon.out for a flat profile' said
text 'xdebug: the order of time' '--time-order --from 0.0001 --no-header' '{main};f 30
{main} 20' <<'EOF'
Version: 3.2.0
File format: 4
TRACE START [2026-11-20 11:35:57.934326]
1	0	0	0.000100	100	{main}	1		/a.php	0	0
2	1	0	0.000200	100	f	1		/a.php	5	0
2	1	1	0.000230	100
			0.000250	100
TRACE END   [2026-11-20 11:35:58]
EOF
printf '  a`b\n  a`c\n  3\n' >in
for o in --time-order --from=1 --tid --pid --addrs --srcline --samples --state=R --threads --shorten-pkgs '-e x' --module; do
	status "dtrace cannot serve ${o%[= ]*}" 2 fg-collapse -f dtrace $o in
done
status 'dtrace cannot serve --no-modules' 2 fg-collapse -f bcc --no-modules in
text '--recursive' '--recursive' 'main;f;g;f 3' <<'EOF'
main;f;f;f;g;f;f 1
main;f;g;f 2
EOF

# Several files of different formats
printf '#0  f () at a.c:1\n#1  0x12 in main () at a.c:2\n\n' >one.gdb
printf '# unit: samples 0\nmain;f 2\n' >two.folded
printf 'Thread 0x7F1 (active): "MainThread"\n    f (a.py:3)\n' >three.pyspy
gzip one.gdb
output 'files of different formats add up, compressed or not' 'f (a.py:3) 1
main;f 3' fg-collapse -q --no-header --no-annotate one.gdb.gz two.folded three.pyspy
printf 'desc: x\ncmd: x\ntime_unit: i\n#-\nsnapshot=0\n#-\nheap_tree=peak\nn1: 8 (x) y\n n0: 8 0x1: main (a.c:1)\n' >heap
printf '# unit: bytes 0\nmain 2\n' >bytes
output 'where their units agree' 'main 10' fg-collapse -q --no-header heap bytes
output 'files with different units: the error names both' '2 bytes and samples' sh -c 'fg-collapse -q heap one.gdb.gz 2>said >got
	echo $? $(sed -n "s/.*values of different units cannot be added up: //p" said)'
check '-l: every format states a command that writes it' \
    sh -c "fg-collapse -l | awk 'NR % 2 == 0 && !/^                 *[^ ]/ { exit 1 } END { exit NR % 2 }'"
done_testing
