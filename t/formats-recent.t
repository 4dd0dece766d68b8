#!/bin/sh
# Layouts of recent versions of profilers, of which a reader of older ones loses stacks.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

# Firefox: 66 has prefixOffset, 70 moves lib to the frames.
cat >firefox.66 <<'EOF'
{"meta":{"preprocessedProfileVersion":66,"version":34,"stackwalk":0},"libs":[{"name":"libx.so","path":"/lib/libx.so"}],
"shared":{"stackTable":{"frame":[0,1,2,1],"prefixOffset":[0,1,1,3],"length":4},
"frameTable":{"address":[-1,4096,-1],"func":[0,1,2],"line":[1,null,9],"length":3},
"funcTable":{"name":[0,1,2],"resource":[-1,0,-1],"source":[3,null,null],"lineNumber":[1,null,null]},
"resourceTable":{"lib":[0]},"sources":{"filename":[9,9,9,3]},"stringArray":["main","work","leaf","a.c"]},
"threads":[{"name":"T","pid":"1","tid":2,"samples":{"weightType":"samples","weight":null,"stack":[2,2,3,1,null],"time":[0,1,2,3,4]}}]}
EOF
text 'firefox 66: stacks by prefixOffset' '' 'T 1
T;main;work_[l] 2
T;main;work_[l];leaf 2' <firefox.66
sed 's/"preprocessedProfileVersion":66/"preprocessedProfileVersion":70/; s/"resourceTable":{"lib":\[0\]}/"resourceTable":{}/
	s/"line":\[1,null,9\]/&,"lib":[-1,0,-1]/' firefox.66 >firefox.70
text 'firefox 70: modules of frames' --module 'T 1
T;main;libx.so`work_[l] 2
T;main;libx.so`work_[l];leaf 2' <firefox.70
sed 's/Version":66/Version":71/' firefox.66 >in
fg-collapse in >got 2>said
check 'firefox: a newer version is reported' grep -qx 'fg-collapse: in: Firefox profile version 71; tested up to 70' said
sed 's/prefixOffset/prefixDistance/' firefox.66 >in
status 'firefox: stacks without parents are an error' 2 fg-collapse in
check 'firefox: the missing column and its place' sh -c 'fg-collapse in 2>&1 | grep -q "in: byte [0-9]*: a stackTable without a column frame, prefix or prefixOffset"'
sed 's/"stack":\[/"stacks":[/' firefox.66 >in
status 'firefox: samples without stacks are an error' 2 fg-collapse in
sed 's/"prefixOffset":\[0,1,1,3\]/"prefixOffset":[0,1,3,"x"]/' firefox.66 >in
status 'firefox: most stacks have a parent that is not there' 2 fg-collapse in
sed 's/"frame":\[0,1,2,1/"frame":[0,1,7,1/; s/"stack":\[2,2/"stack":[2,1/' firefox.66 >bad
text 'firefox: a stack with an unknown frame is left out' '' 'T 1
T;main;work_[l] 3' <bad
check 'firefox: its account' sh -c "fg-collapse -v in 2>&1 | grep -q ': 4 folded, 0 left out, 1 malformed'"

# perf report: the direction of chains, the unit of entries, branches with numbers
cat >inlined <<'EOF'
# Samples: 10  of event 'cycles'
# Event count (approx.): 70000
#
# Overhead       Samples  Command  Shared Object  Symbol
# ........  ............  .......  .............  ..........
#
    60.00%             6  w        libm.so.6      [.] sqrt@GLIBC
4 _start;main;mid;fsqrt (inlined)
2 _start;main;alt;fsqrt (inlined)
    30.00%             3  w        w              [.] leaf
3 _start;main;mid;leaf
    10.00%             1  w        w              [.] _init
1 _start;main;mid;leaf;_init
EOF
text 'perf report: the leaf of the first entry is inlined' '' 'w;_start;main;alt;fsqrt_[i] 2
w;_start;main;mid;fsqrt_[i] 4
w;_start;main;mid;leaf 3
w;_start;main;mid;leaf;_init 1' <inlined
sed '/^ /!s/^\([0-9]*\) \(.*\)/\1 \2/; s/_start;main;mid;fsqrt (inlined)/fsqrt (inlined);mid;main;_start/
	s/_start;main;alt;fsqrt (inlined)/fsqrt (inlined);alt;main;_start/; s/_start;main;mid;leaf;_init/_init;leaf;mid;main;_start/
	s/_start;main;mid;leaf$/leaf;mid;main;_start/' inlined >callee
text 'perf report: chains with the callee first' '' 'w;_start;main;alt;fsqrt_[i] 2
w;_start;main;mid;fsqrt_[i] 4
w;_start;main;mid;leaf 3
w;_start;main;mid;leaf;_init 1' <callee
text 'perf report: a tree whose first leaf is inlined; an entry without chain, with -n' '' 'w;main;mid;fsqrt_[i] 60
w;main;mid;leaf 30
w;page_fault_[k] 10' <<'EOF'
# Overhead  Samples  Command  Shared Object      Symbol
# ........  .......  .......  .................  ..........
#
    60.00%        6  w        libm.so.6          [.] sqrt@GLIBC
            |
            ---fsqrt (inlined)
               mid
               main

    30.00%        3  w        w                  [.] leaf
            |
            ---leaf
               mid
               main

    10.00%        1  w        [kernel.kallsyms]  [k] page_fault
EOF
cat >counted <<'EOF'
# Samples: 348  of event 'cycles'
# Event count (approx.): 348348
#
# Overhead  Command  Shared Object  Symbol
# ........  .......  .............  ..........
#
    98.85%  w        w              [.] leaf
            |
            ---main
               |
               |--201--mid
               |          leaf
               |
                --143--alt
                          leaf

     0.86%  w        w              [.] slow
            |
            ---main
               slow
     0.29%  w        w              [.] flat
EOF
text 'perf report -g count: branches with numbers, entries by their share of the samples' '' 'w;flat 1
w;main;alt;leaf 143
w;main;mid;leaf 201
w;main;slow 3' <counted
sed 's/--201--/--201201--/; s/--143--/--143143--/' counted >period
text 'perf report -g period' '--no-annotate' 'w;flat 1010
w;main;alt;leaf 143143
w;main;mid;leaf 201201
w;main;slow 2996' <period
check 'perf report -g period: the unit is the event' sh -c 'fg-collapse period | grep -qx "# unit: cycles 0"'
sed 's/--143--alt/--1x3--alt/' counted >bad
text 'perf report: a tree with a malformed branch is left out' '' 'w;flat 1
w;main;slow 3' <bad
check 'perf report: the malformed tree counts once' sh -c "fg-collapse -v in 2>&1 | grep -q ': 2 folded, 0 left out, 1 malformed'"

# Java's thread dumps
text 'jstack: a virtual thread is inside of its carrier' '' 'worker-1;Worker.run;V$$Lambda/0x00a1.run;Continuation.run;Continuation.enter;Demo.call;Demo.spin 1
worker-2;Worker.run;Continuation.run 1' <<'EOF'
Full thread dump OpenJDK 64-Bit Server VM (25.0.1+8-27 mixed mode, sharing):

"worker-1" #27 [42755] daemon prio=5 os_prio=31 cpu=7.97ms elapsed=7.22s tid=0x013a97a400  [0x0171e49000]
   Carrying virtual thread #26
	at Continuation.run(java.base@25.0.1/Continuation.java:251)
	at V$$Lambda/0x00a1.run(java.base@25.0.1/Unknown Source)
	at Worker.run(java.base@25.0.1/Worker.java:187)
   Mounted virtual thread #26
	at Demo.spin(Demo.java:140)
	- locked <0x01> (a java.lang.Object)
	at Demo.call(Demo.java:158)
	at Continuation.enter(java.base@25.0.1/Continuation.java:316)

"worker-2" #28 [42756] daemon prio=5 os_prio=31 tid=0x013a97b400  [0x0171e4a000]
   Carrying virtual thread #29
	at Continuation.run(java.base@25.0.1/Continuation.java:251)
	at Worker.run(java.base@25.0.1/Worker.java:187)
EOF
cat >dumped <<'EOF'
42755
2026-01-05T06:31:54.841234Z
25.0.1+8-27

#3 "main" RUNNABLE 2026-01-05T06:31:54.844Z
    at java.base/java.lang.Thread.sleep0(Native Method)
    at App.main(App.java:12)

#26 "w-1" virtual WAITING 2026-01-05T06:31:54.844839Z
    at java.base/java.lang.VirtualThread.park(VirtualThread.java:738)
    - waiting on <java.lang.Object@6f477fe2>
    at Demo.read(Demo.java:129)
EOF
text 'jcmd Thread.dump_to_file of JDK 25: stacks with locks are complete' '' 'main;App.main;java.lang.Thread.sleep0 1
w-1;Demo.read;java.lang.VirtualThread.park 1' <dumped
text 'jcmd Thread.dump_to_file of JDK 25: states' '--state WAITING --tid' 'w-1-?/26;Demo.read;java.lang.VirtualThread.park 1' <dumped
cat >traces.txt <<'EOF'
----- pid 4417 at 2026-01-05 06:31:54 -----
Cmd line: com.app

DALVIK THREADS (3):
"main" prio=5 tid=1 Sleeping
  | group="main" sCount=1 dsCount=0 obj=0x7472 self=0xb4f2
  | sysTid=4417 nice=0 cgrp=default sched=0/0 handle=0xb6f2b4c8
  | state=S schedstat=( 12 3 4 ) utm=1 stm=0 core=0 HZ=100
  at java.lang.Thread.sleep!(Native method)
  - sleeping on <0x0f3c> (a java.lang.Object)
  at com.app.MainActivity.onCreate(MainActivity.java:20)

"Binder_1" prio=5 tid=8 Native
  | group="main" sCount=1 dsCount=0 obj=0x12c0 self=0xaf4c
  | sysTid=4430 nice=0 cgrp=default sched=0/0 handle=0xaf4c
  kernel: binder_thread_read+0x4c8/0x12b4
  kernel: (couldn't read all of it)
  native: #00 pc 000000000001f2a4  /system/lib/libc.so (__ioctl+8)
  native: #01 pc 00000000000474b5  /system/lib/libbinder.so (???)
  (no managed stack frames)

"JDWP" daemon prio=5 tid=4 WaitingInMainDebuggerLoop
  | sysTid=4425 nice=0 cgrp=default sched=0/0 handle=0xaf4d
  (no managed stack frames)
EOF
text "Android's traces.txt: native and kernel frames" '' "Binder_1;[libbinder.so]_[l];__ioctl_[l];binder_thread_read_[k] 1
JDWP 1
main;com.app.MainActivity.onCreate;java.lang.Thread.sleep! 1" <traces.txt
text "Android's traces.txt: states and thread ids" '--state Native --tid' 'Binder_1-4417/4430;[libbinder.so]_[l];__ioctl_[l];binder_thread_read_[k] 1' <traces.txt
cat >jhsdb <<'EOF'
Attaching to process ID 13436, please wait...
Debugger attached successfully.
Deadlock Detection:

No deadlocks found.

"main" #1 prio=5 tid=0x00007f2a34017ea0 nid=0x3480 runnable [0x0000000000000000]
   java.lang.Thread.State: RUNNABLE
   JavaThread state: _thread_in_java
 - B.hot() @bci=26, line=1 (Compiled frame; information may be imprecise)
 - B.main(java.lang.String[]) @bci=40, line=2 (Interpreted frame)


"Finalizer" #3 daemon prio=8 tid=0x00007f2a340f9760 nid=0x348e in Object.wait() [0x00007f2a0594d000]
   java.lang.Thread.State: WAITING (on object monitor)
   JavaThread state: _thread_blocked
 - java.lang.Object.wait(long) @bci=0 (Interpreted frame)
	- waiting on <0x000000069ec02f40> (a java.lang.ref.ReferenceQueue$Lock)
 - java.lang.ref.Finalizer.run() @bci=37, line=172 (Interpreted frame)
EOF
text 'jhsdb jstack' '' 'Finalizer;java.lang.ref.Finalizer.run;java.lang.Object.wait 1
main;B.main;B.hot 1' <jhsdb
text 'jstack: names and ids of VisualVM and Spring Boot' --tid 'http-1-?/31;Queue.take;Unsafe.park 1' <<'EOF'
Full thread dump OpenJDK 64-Bit Server VM (17.0.10+7 mixed mode):

"http-1" - Thread t@31
   java.lang.Thread.State: WAITING
	at java.base@17.0.10/Unsafe.park(Native Method)
	- parking to wait for <1b2c3d> (a Lock)
	at app//Queue.take(Queue.java:141)

   Locked ownable synchronizers:
	- None
EOF
sed 's/at Demo.read(Demo.java:129)/at Demo.read/' dumped >in
fg-collapse -v in >got 2>said
check 'jstack: a stack with a malformed frame is left out' sh -c "grep -q '^main;' got && ! grep -q Demo got && grep -q ': 1 folded, 0 left out, 1 malformed' said"

# Kernel logs
cat >decoded <<'EOF'
[    5.1] task:flush-8:0 state:D stack:28520 pid:121   ppid:2      flags:0x00004000
[    5.1] Call Trace:
[    5.1]  <TASK>
[    5.1]  context_switch kernel/sched/core.c:5191 [inline]
[    5.1]  __schedule+0xae9/0x53f0 kernel/sched/core.c:6503
[    5.1]  ? preempt_count_add+0x6a/0xa0 kernel/sched/core.c:5500
[    5.1]  schedule (kernel/sched/core.c:6767 (discriminator 1))
[    5.1]  xfs_wait (fs/xfs/a.h:12 (discriminator 2) fs/xfs/wait.c:34) xfs
[    5.1]  kthread+0x2e4/0x3a0 [kmod] kernel/kthread.c:376
[    5.1]  ret_from_fork+0x1f/0x30 arch/x86/entry/entry_64.S:306
[    5.1]  </TASK>
[    5.1] INFO: lockdep is turned off.
EOF
text 'kernel log: frames with sources' '' 'flush-8:0;ret_from_fork_[k];kthread_[k];xfs_wait_[k];schedule_[k];__schedule_[k];context_switch_[i] 1' <decoded
text 'kernel log: --lines of decoded frames' '--lines --no-annotate' 'flush-8:0;ret_from_fork (arch/x86/entry/entry_64.S:306);kthread (kernel/kthread.c:376);xfs_wait (fs/xfs/wait.c:34);schedule (kernel/sched/core.c:6767);__schedule (kernel/sched/core.c:6503);context_switch (kernel/sched/core.c:5191) 1' <decoded
cat >lockup <<'EOF'
[ 12.1] watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [kworker/1:1:77]
[ 12.1] Modules linked in: foo(O)
[ 12.1] CPU: 1 UID: 0 PID: 77 Comm: kworker/1:1 Kdump: loaded Not tainted 6.12.0 #1
[ 12.1] Hardware name: QEMU Standard PC
[ 12.1] RIP: 0010:foo_spin+0x1b/0x20 [foo]
[ 12.1] Code: ff 90
[ 12.1] RSP: 0018:ffffb0c4c00dbe58 EFLAGS: 00000202
[ 12.1] RAX: 0000000000000001 RBX: ffff RCX: 0000000000000000
[ 12.1] Call Trace:
[ 12.1]  <IRQ>
[ 12.1]  timer_fn+0x5/0x10
[ 12.1]  </IRQ>
[ 12.1]  <TASK>
[ 12.1]  asm_common_interrupt+0x22/0x40
[ 12.1] RIP: 0010:copy_page+0x7/0x10
[ 12.1] Code: ff ff
[ 12.1] RSP: 0018:ffffb0c4c0b8fd80 EFLAGS: 00000246
[ 12.1]  foo_work+0x4/0x10 [foo]
[ 12.1]  kthread+0xda/0x100
[ 12.1]  </TASK>
[ 12.1] CPU: 0 PID: 1 Comm: init Not tainted 6.1.0
[ 12.1] RIP: 0010:[<ffffffff81001234>]  [<ffffffff81001234>] old_spin+0x14/0x20
[ 12.1] Call Trace:
[ 12.1]  [<ffffffff81060ad0>] old_work+0x29/0x70
EOF
text 'kernel log: the function at RIP, above a trace and inside of one' --no-annotate 'init;old_work;old_spin 1
kworker/1:1;kthread;foo_work;copy_page;asm_common_interrupt;timer_fn;foo_spin 1' <lockup
{ cat decoded; sed 's/__schedule+.*/!!! garbage/' decoded; } >in
fg-collapse -v in >got 2>said
check 'kernel log: a stack with a garbled frame is left out' sh -c "grep -q '^flush.*context_switch_\[i\] 1$' got && grep -q ': 1 folded, 0 left out, 1 malformed' said"
printf 'CPU: 1 PID: 4 Comm: a Not tainted\nCall Trace:\n garbage one\n garbage two\n' >bad
cat decoded >>bad
status 'kernel log: a trace without a frame that can be read is an error' 2 fg-collapse bad
check 'kernel log: its first line' sh -c "fg-collapse bad 2>&1 | grep -q '^fg-collapse: bad:3: not a frame of the kernel, after a line Call Trace:'"
{ printf 'CPU: 1 PID: 4 Comm: a Not tainted\nCall Trace:\n <TASK>\n </TASK>\n'; cat decoded; } >in
check 'kernel log: an empty trace is left out' sh -c "fg-collapse -v in 2>&1 | grep -q ': 1 folded, 1 left out, 0 malformed'"

# bpftrace
cat >printed <<'EOF'
Attached 1 probe

        number+264
        vsnprintf+1087
        entry_SYSCALL_64_after_hwframe+118

        main+12
        std::vector<int, std::allocator<int> >::push_back(int const&)+12


        number+264
        entry_SYSCALL_64_after_hwframe+118


EOF
text 'bpftrace: printed stacks, two empty lines between samples' '' 'entry_SYSCALL_64_after_hwframe;number 1
std::vector<int, std::allocator<int> >::push_back;main;entry_SYSCALL_64_after_hwframe;vsnprintf;number 1' <printed
{ printf 'Attaching 2 probes...\n'; sed 1d printed; } >older
check 'bpftrace: printed stacks of older versions' sh -c 'fg-collapse older >older.got && fg-collapse printed | cmp - older.got'
sed 's/vsnprintf+1087/what is this/' printed >in
fg-collapse -v in >got 2>said
check 'bpftrace: a printed stack with a garbled frame is left out' grep -q ': 1 folded, 0 left out, 1 malformed' said
cat >sources <<'EOF'
@[
    [inlined] clock@/src/a.c:12
    wrapper+14@/src/a.c:30
    loop+37@/src/my dir/a.c:41
    main@@GLIBC_2.2+9
    mail@home+1
, prog]: 7
EOF
text 'bpftrace 0.24: offsets and sources are not part of names' '' 'prog;mail@home;main;loop;wrapper;clock_[i] 7' <sources
text 'bpftrace 0.24: --lines' '--lines --no-annotate' 'prog;mail@home;main;loop (/src/my dir/a.c:41);wrapper (/src/a.c:30);clock (/src/a.c:12) 7' <sources
cat >leaks <<'EOF'
[11:16:33] Top 3 stacks with outstanding allocations:
78848 bytes in 77 allocations from stack
	0 [<00007f12ab34cd56>] mk+0x1a5 /src/al.c:5
	1 [<00007f12ab34cd99>] leakf+0x23
	2 [<00007f12ab34ce01>] <null sym>
1024 bytes in 1 allocations from stack
	0 [<00007f12ab34cd57>] mk+0x1a6 [/src/al.c:6]
	1 [<00007f12ab34ce99>] main+0x40
512 bytes in 1 allocations from stack
	0 [<00007f12ab34cd58>] f<int, long>+0x20 /src/a dir/leak.c:20
	1 [<00007f12ab34ce99>] main+0x41 [/src/a dir/leak.c:9]
EOF
text 'memleak of libbpf-tools: names' '' '[unknown];leakf;mk 78848
main;f<int, long> 512
main;mk 1024' <leaks
text 'memleak of libbpf-tools: --lines' --lines '[unknown];leakf;mk (/src/al.c:5) 78848
main;mk (/src/al.c:6) 1024
main (/src/a dir/leak.c:9);f<int, long> (/src/a dir/leak.c:20) 512' <leaks

# Text that is not a profile
refused() {
	name=$1
	cat >in
	status "$name is refused" 2 fg-collapse in
}
refused 'a unified diff' <<'EOF'
--- a/Cargo.toml
+++ b/Cargo.toml
@@ -25,6 +25,6 @@ targets = ["x86_64"]
 
 [lib]
 proc-macro = true
@@ -68,7 +68,7 @@
 //! procedural
EOF
refused "Prometheus' metrics" <<'EOF'
# HELP go_goroutines Number of goroutines.
# TYPE go_goroutines gauge
go_goroutines 42
http_requests_total{method="post",code="400"} 3
EOF

# clang -ftime-trace
text 'clang -ftime-trace: no sums, and the details in names' '' 'clang++;ExecuteCompiler 40
clang++;ExecuteCompiler;Source: a.h 40
clang++;ExecuteCompiler;Source: a.h;ParseClass: Fib<2> 20' <<'EOF'
{"traceEvents":[{"pid":7,"tid":7,"ph":"X","ts":10,"dur":20,"name":"ParseClass","args":{"detail":"Fib<2>"}},
{"pid":7,"tid":7,"ph":"X","ts":5,"dur":60,"name":"Source","args":{"detail":"a.h"}},
{"pid":7,"tid":7,"ph":"X","ts":0,"dur":100,"name":"ExecuteCompiler"},
{"pid":7,"tid":8,"ph":"X","ts":0,"dur":100,"name":"Total ExecuteCompiler","args":{"count":1,"avg ms":0}},
{"pid":7,"tid":9,"ph":"X","ts":0,"dur":60,"name":"Total Source","args":{"count":1,"avg ms":0}},
{"cat":"","pid":7,"tid":7,"ts":0,"ph":"M","name":"thread_name","args":{"name":"clang++"}}],"beginningOfTime":1}
EOF
cat >in <<'EOF'
[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":9,"name":"f"},{"ph":"e","cat":"c","id":"1","pid":1,"tid":1,"ts":5,"name":"g"}]
EOF
check 'chrome-trace: unmatched events that are not folded are not reported' sh -c 'test -z "$(fg-collapse in 2>&1 >/dev/null | grep counterpart)"'

# pprof of .NET agents: the last type is zero in all samples
printf '1{1:1 2:2} 1{1:3 2:4} 2{1[1] 2[0 5]} 2{1[2] 2[0 7]} 4{1:1 4{1:1}} 4{1:2 4{1:2}} 5{1:1 2:5} 5{1:2 2:6}
6"" 6"cpu" 6"ns" 6"lock" 6"count" 6"main" 6"work"' >types
sed 's/\[0 \([57]\)\]/[\1 0]/g' types | perl "$here/protobuf.pl" >in
folded 'pprof: the last type has no samples' '' '# unit: ns 0
main 5
work 7'
status 'pprof: -e selects the type without samples' 2 fg-collapse -e lock in
perl "$here/protobuf.pl" <types >in
folded 'pprof: the last type has samples' '--no-header' 'main 5
work 7'

# Java's hprof agent
cat >hprof <<'EOF'
JAVA PROFILE 1.0.1, created Fri Jun 14 01:15:30 2013

TRACE           represents a Java stack trace.
CPU SAMPLES     is a statistical profile of program execution.
--------

THREAD START (obj=5000016b, id = 200001, name="main", group="main")
TRACE 300182: (thread=200001)
	app.Shop.sell(Shop.java:12)
	app.Main.main(Main.java:Unknown line)
TRACE 300183:
	app.Main.main(Main.java:3)
CPU SAMPLES BEGIN (total = 3) Fri Jun 14 01:15:42 2013
rank   self  accum   count trace method
   1  100.0% 100.0%       3 300182 app.Shop.sell
CPU SAMPLES END
CPU SAMPLES BEGIN (total = 40) Fri Jun 14 01:15:43 2013
rank   self  accum   count trace method
   1  75.00% 75.00%      30 300182 app.Shop.sell
   2  25.00% 100.00%     10 300183 app.Main.main
CPU SAMPLES END
EOF
text 'hprof: the last table of CPU samples' '' 'app.Main.main 10
main;app.Main.main;app.Shop.sell 30' <hprof
{ sed '/^CPU SAMPLES BEGIN/,$d' hprof; cat <<'EOF'
SITES BEGIN (ordered by live bytes) Fri Jun 14 01:15:43 2013
          percent          live          alloc'ed  stack class
 rank   self  accum     bytes objs     bytes  objs trace name
    1 44.73% 44.73%      1024   16      2048    32 300182 byte[]
SITES END
CPU TIME (ms) BEGIN (total = 200) Fri Jun 14 01:15:43 2013
rank   self  accum   count trace method
   1  75.00% 75.00%      7 300182 app.Shop.sell
CPU TIME (ms) END
EOF
} >sites
text 'hprof: allocation sites' '-e live-bytes' 'main;app.Main.main;app.Shop.sell;byte[] 1024' <sites
text 'hprof: CPU time' '-e ms' 'main;app.Main.main;app.Shop.sell 150' <sites
sed 's/^	app.Shop.sell(.*/	app.Shop.sell/' hprof >in
fg-collapse -v in >got 2>said
check 'hprof: rows of a trace with a malformed frame are left out' grep -q ': 1 folded, 0 left out, 1 malformed' said

# Files that are recognized, but are not profiles
unreadable() { # what and the command; the file is the standard input
	cat >in
	fg-collapse in >got 2>said
	status=$?
	check "$1: refused, with the command for a profile" test $status = 2
	check "$1: the message" grep -qF "looks like $1, which fg-collapse cannot read; use $2" said
}
unreadable 'a report of perf sched timehist' 'the recording: perf sched record -g, then fg-collapse perf.data' <<'EOF'
           time    cpu  task name                       wait time  sch delay   run time
                        [tid/pid]                          (msec)     (msec)     (msec)
--------------- ------  ------------------------------  ---------  ---------  ---------
   79371.874569 [0011]  gcc[31949]                          0.014      0.000      1.148
EOF
unreadable 'a report of perf stat, which has no stacks' 'the recording of perf record -g COMMAND' <<'EOF'

 Performance counter stats for 'true':

              0.40 msec task-clock                       #    0.541 CPUs utilized
EOF
unreadable 'tracebacks of Python' 'the output of py-spy dump --pid PID' <<'EOF'
Traceback (most recent call last):
  File "a.py", line 3, in <module>
    main()
ValueError
EOF
unreadable 'the text of node --prof-process' 'the isolate*.log from which it was created' <<'EOF'
Statistical profiling result from isolate-0x1.log, (5 ticks, 0 unaccounted, 0 excluded).

 [JavaScript]:
EOF
unreadable 'a part of the text of node --prof-process' 'the isolate*.log from which it was created' <<'EOF'
 [Bottom up (heavy) profile]:
  Note: percentage shows a share of a particular caller in the total
  amount of its parent calls.

   ticks parent  name
   5345   90.0%  /usr/lib/libc.so
EOF
unreadable 'a heap graph of .NET as XML, which has no stacks' 'the file of dotnet-trace collect' <<'EOF'
<GCHeapDump>
<MemoryGraph NodeCount="1"></MemoryGraph></GCHeapDump>
EOF
unreadable 'a HAR file of a browser' "a trace of Chrome's DevTools" <<'EOF'
{"log":{"version":"1.2","creator":{"name":"WebInspector"},"pages":[]}}
EOF
unreadable 'a report of Lighthouse' 'a trace (lighthouse --save-assets)' <<'EOF'
{"lighthouseVersion":"10.0","screenshot":"<svg width=\"1\"><html>"}
EOF
unreadable 'a page of async-profiler' 'the output of jfrconv -o collapsed FILE' <<'EOF'
<!DOCTYPE html>
<html lang='en'><!-- Copyright The async-profiler authors -->
EOF
printf '\000\000\000\000!FastSerialization.1\000\000Graphs.MemoryGraph' >gcdump
check '.gcdump: a heap graph' sh -c "fg-collapse gcdump 2>&1 | grep -q 'a heap graph of .NET (dotnet-gcdump), which has no stacks'"
echo '[{"a":"<svg>"}]' >in
check '<svg inside of JSON is not a picture' sh -c "fg-collapse in 2>&1 | grep -q 'unknown format'"

# Prefixes of logs
fg-collapse -q dumped >want
prefixed() { # name, command that adds the prefix
	sed "$2" <dumped >in
	fg-collapse -q in >got 2>said
	same "$1: jstack" want got
	sed "$2" <dumped | fg-collapse -q >got
	same "$1, a pipe" want got
}
prefixed 'docker compose' 's/^/web-1  | /; s/ $//'
prefixed 'kubectl logs --timestamps' 's/^/2026-01-05T06:31:54.841234Z /'
prefixed 'a log of a container runtime' 's/^/2026-01-05T06:31:54.841234567+01:00 stderr F /'
prefixed 'kubectl logs --prefix --timestamps' 's|^|[pod/web-0/app] 2026-01-05T06:31:54.841234Z |'
prefixed 'journalctl' 's/^/Jan  5 06:31:54 host app[17]: /'
awk 'BEGIN { print "goroutine 1 [running]:\nmain.f()\n\t/src/a.go:5 +0x1\nmain.main()\n\t/src/a.go:9 +0x2" }' >go
fg-collapse -q go >want
sed 's/^/web  | /' go >in
fg-collapse -q in >got
same 'docker compose: Go' want got
printf 'web-1  | a;b 1\nweb-1  | c 2\nweb-10 | c;d 3\n' >in
output 'docker compose: folded lines of two containers' 'a;b 1
c 2
c;d 3' fg-collapse -q --no-header in
check 'a removed prefix is noted' sh -c 'fg-collapse in 2>&1 | grep -qx "fg-collapse: in: a prefix was removed from each line"'
printf 'web | a;b 1\nother  | c 2\n' >in
output 'bars that are not below each other are part of names' 'other  | c 2
web | a;b 1' fg-collapse -q --no-header in
printf 'web | a;b 1\nother | c 2\n\n' | sed 2d >in
output 'a single line is not a log' 'web | a;b 1' fg-collapse -q --no-header in
# Rows of tables with other inputs than the samples
text 'perf report --sort sym: perf leaves the leaf out of its tree' '' '_start;main;bar_[k] 20
_start;main;foo 50
_start;main;foo;inl_[i] 10
clone;foo 20' <<'END'
# Overhead  Symbol
# ........  ..............
#
    70.00%  [.] foo
            |
            |--50.00%--main
            |          _start
            |
             --20.00%--clone

    20.00%  [k] bar
            |
            ---main
               _start

    10.00%  [.] foo
            |
            ---inl (inlined)
               foo
               main
               _start

END
text 'jstack -F: threads without names' '' 'A.main;Socket.accept 1
[unknown] 1' <<'END'
Thread 4711: (state = IN_NATIVE)
 - Socket.accept(Socket) @bci=0 (Interpreted frame)
 - A.main(java.lang.String[]) @bci=20, line=12 (Compiled frame)


Thread 4720: (state = BLOCKED)
END
text 'jstack: hidden classes with packages and modules; a mounted thread with a name' '' \
    'a;java.lang.Thread$$Lambda/0x1f.run;a.B$$Lambda$4/123.run;c.D.run 1' <<'END'
"a" #3 prio=5 tid=0x00007f nid=0x12 runnable [0x0]
   Carrying virtual thread #21
	at a.B$$Lambda$4/123.run(Unknown Source)
	at java.base/java.lang.Thread$$Lambda/0x1f.run(java.base@25/Unknown Source)
   Mounted virtual thread "v" #21
	at c.D.run(D.java:1)
END
text 'ftrace-hist: keys behind the stack' '' 'pid:_sh_[_7];b_[k];a_[k] 3' <<'END'
# event histogram
#
# trigger info: hist:keys=common_stacktrace,pid.execname:vals=hitcount:sort=hitcount:size=2048 [active]
#

{ common_stacktrace:
         a+0x1/0x2
         b+0x1/0x2
, pid: sh [ 7]} hitcount:          3

Totals:
    Hits: 3
    Entries: 1
    Dropped: 0
END
text 'Grafana: a blank line before JSON' '' 'a 5' <<'END'

[{"fields": [{"name": "level", "values": [0, 1]}, {"name": "value", "values": [5, 5]},
{"name": "self", "values": [0, 5]}, {"name": "label", "values": ["total", "a"]}]}]
END
text 'sysrq: registers of arm64; stacks of an allocation and its end' '' 'do_free_[k];kfree_[k] 1
do_make_[k];kmalloc_[k] 1
spin;work_[k];busy_[k] 1' <<'END'
[    1.000000] CPU: 1 PID: 50 Comm: spin Not tainted 6.1.0 #1
[    1.000001] pc : busy+0x18/0x20
[    1.000002] lr : work+0x10/0x30
[    1.000003] Call trace:
[    1.000004]  busy+0x18/0x20
[    1.000005]  work+0x10/0x30
[    1.000006] 
[    1.000007] Allocated by task 49:
[    1.000008]  kmalloc+0x3f/0x80
[    1.000009]  do_make+0x3f/0x80
[    1.000010] 
[    1.000011] Freed by task 49:
[    1.000012]  kfree+0x3f/0x80
[    1.000013]  do_free+0x3f/0x80
END
text 'crash: the frame that an exception interrupted occurs once' '' 'swapper/0;default_idle_[k];halt_[k];nmi_[k] 1' <<'END'
PID: 0        TASK: ffffffff81a8d020  CPU: 0    COMMAND: "swapper/0"
 #0 [ffff880000009e50] nmi at ffffffff81031abf
    [exception RIP: halt+11]
    RIP: ffffffff81053a6b  RSP: ffffffff81a01ea8  RFLAGS: 00000296
--- <NMI exception stack> ---
 #1 [ffffffff81a01ea8] halt at ffffffff81053a6b
 #2 [ffffffff81a01eb8] default_idle at ffffffff8101d22d
END
text 'lsan: unknown modules, paths with blanks' --lines 'main (/src/a dir/x.cc:9);[unknown];malloc (/src/a.c:3) 8' <<'END'
Direct leak of 8 byte(s) in 1 object(s) allocated from:
    #0 0x49a in malloc /src/a.c:3:1
    #1 0x7f1  (<unknown module>)
    #2 0x7f2 in main /src/a dir/x.cc:9:3
END
text 'gdb: the frame of a signal is not inlined' '' 'main;<signal handler called>;f 1' <<'END'
#0  0x0000555 in f () at a.c:9
#1  <signal handler called>
#2  main () at a.c:5
END
done_testing
