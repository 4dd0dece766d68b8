#!/bin/sh
# Formats by demand: thread dumps as JSON, crashed processes, kernel stacks with a number, leaks,
# profilers of PHP, R and Python, flame graphs of Pyroscope.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

# stacks NAME OPTIONS EXPECTED <PROFILE: like text, with header lines.
stacks() {
	cat >in
	folded "$@"
}

stacks 'coredumpctl: two threads, one frame without a module' '' '# unit: samples 0
# values: sampled 0
my_app;[libjli.so]_[l];pthread_join_[l];[libc.so.6]_[l] 1
my_app;[unknown];abort_[l];raise_[l];[libc.so.6]_[l] 1' <<'END'
           PID: 635109 (my app)
           UID: 1000 (u)
        Signal: 6 (ABRT)
  Command Line: /opt/app -x
    Executable: /opt/app
       Message: Process 635109 (my app) of user 1000 dumped core.

                Module libfoo.so without build-id.
                Stack trace of thread 635167:
                #0  0x00007237452cb3f4 n/a (libc.so.6 + 0x963f4)
                #1  0x0000723745272120 raise (libc.so.6 + 0x3d120)
                #2  0x00007237452594c3 abort (libc.so.6 + 0x244c3)
                #3  0x000072372bf5cb3e n/a (n/a + 0x0)

                Stack trace of thread 635109:
                #0  0x00007237452c5a19 n/a (libc.so.6 + 0x90a19)
                #1  0x00007237452cad43 pthread_join (libc.so.6 + 0x95d43)
                #2  0x0000723745441345 n/a (libjli.so + 0x8345)
                ELF object binary architecture: AMD x86-64
END
folded 'coredumpctl: --tid' '--tid --no-header --no-annotate' 'my_app-635109/635109;[libjli.so];pthread_join;[libc.so.6] 1
my_app-635109/635167;[unknown];abort;raise;[libc.so.6] 1'
sed -i 's/abort (libc.so.6 + 0x244c3)/abort/' in
fg-collapse in >got 2>said
output 'coredumpctl: a stack with a malformed frame is left out' 1 grep -c '^[^#]' got
check 'coredumpctl: the malformed frame is reported' grep -q '^fg-collapse: in:12: not a frame of coredumpctl; left out$' said
text 'coredumpctl: names of the linker' '--no-annotate' 'a;core::fmt::write;std::vector<int>::push_back;f 1' <<'END'
           PID: 7 (a)
       Message: Process 7 (a) of user 1000 dumped core.
                Stack trace of thread 7:
                #0  0x0000000000000001 _Z1fi (a + 0x1)
                #1  0x0000000000000002 _ZNSt6vectorIiE9push_backEi (a + 0x2)
                #2  0x0000000000000003 _RNvNtCs1_4core3fmt5write (a + 0x3)
END

stacks 'crash: bt -a with an exception, sources and registers' '' '# unit: samples 0
# values: sampled 0
kworker/0:1;worker_thread_[k];__schedule_[k] 1
swapper;default_idle_[k];native_safe_halt_[k];notifier_call_chain_[k];crash_nmi_callback_[k] 1' <<'END'
crash> bt -a
PID: 0        TASK: ffffffff81a8d020  CPU: 0   COMMAND: "swapper"
 #0 [ffff88003fc07e90] crash_nmi_callback at ffffffff81032256
 #1 [ffff88003fc07ea0] notifier_call_chain at ffffffff8151ac75
    [exception RIP: native_safe_halt+11]
    RIP: ffffffff8103ce3b  RSP: ffffffff81a01ea8  RFLAGS: 00000246
    RAX: 0000000000000000  RBX: 0000000000000000  RCX: 0000000000000000
--- <NMI exception stack> ---
 #2 [ffffffff81a01ea8] default_idle at ffffffff81014877 [acpi]

PID: 18       TASK: ffff88003d8d2080  CPU: 1   COMMAND: "kworker/0:1"
 #0 [ffff88003d8d9d08] __schedule+0x2e at ffffffff8151ac75
    /usr/src/linux/kernel/sched.c: 12
 #1 [ffff88003d8d9d80] worker_thread+0x11 at ffffffff81090a11
    /usr/src/linux/kernel/workqueue.c: 2045
END
folded 'crash: --lines and --pid' '--lines --pid --no-annotate --no-header' 'kworker/0:1-18;worker_thread (/usr/src/linux/kernel/workqueue.c:2045);__schedule (/usr/src/linux/kernel/sched.c:12) 1
swapper-0;default_idle;native_safe_halt;notifier_call_chain;crash_nmi_callback 1'

stacks 'ftrace: kernel and user stacks, an event without' '-e kmem_cache_alloc --pid' '# unit: samples 0
# values: exact 0
my_task-x-1234;[libc.so.6]_[l];entry_SYSCALL_64_after_hwframe_[k];vfs_read_[k];kmem_cache_alloc_[k] 1' <<'END'
# tracer: nop
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
       my task-x-1234    [001] d..2.  1234.567890: kmem_cache_alloc: call_site=f+0x1/0x2 ptr=1
       my task-x-1234    [001] d..2.  1234.567891: <stack trace>
 => kmem_cache_alloc+0x1a/0x280
 => vfs_read
 => entry_SYSCALL_64_after_hwframe
       my task-x-1234    [001] d..2.  1234.567892: <user stack trace>
 =>  /usr/lib/libc.so.6[+0x10de2c]
          <idle>-0       [000] .....  1235.000001: sched_waking: comm=a pid=1 prio=120
          <idle>-0       [000] d.h2.  1235.000002: schedule <-schedule_idle
          <idle>-0       [000] d.h2.  1235.000003: <stack trace>
 => schedule
 => do_idle [mod]
END
folded 'ftrace: the function tracer' '-e function --no-header' '<idle>;do_idle_[k];schedule_[k] 1'

printf '{"frame_records":[[["MainThread\\u0000<thread>\\u0000139836","main\\u0000/a.py\\u00003\\u0001l4"],0.5]],"sample_count":1}' >in
folded 'pyinstrument: a thread without its ID' '--no-header' 'MainThread;main (/a.py:3) 500000'
printf '%s\n' '# tracer: preemptirqsoff' '#   cmd     pid   ||||| time  |   caller' '    work-7       1...1    1us*: _raw_spin_lock <-take' \
	'    work-7       1dN.1 24683us : <stack trace>' ' => take' ' => kthread' >in
folded 'ftrace: a latency tracer' '--no-header --tid' 'work-7/7;kthread_[k];take_[k] 1'
printf '%s\n' ' irq/9-a-7     [002] .....  1.000001: <stack trace>' ' => take' ' => kthread' \
	' b-8     [002] .....  1.000002: <stack trace>' ' => take' >in
folded 'ftrace: stacks without events are samples each' '--no-header' 'b;take_[k] 1
irq/9-a;kthread_[k];take_[k] 1'
stacks 'ftrace-hist: a further key, percentages' '' '# unit: samples 0
# values: exact 0
common_pid:_bash_______[_____3249];kvmalloc_node_[k];__kmalloc_node_[k] 5184
common_pid:_sh_________[_____3250];do_sys_open_[k];kmem_cache_alloc_[k] 84' <<'END'
# event histogram
#
# trigger info: hist:keys=common_pid.execname,common_stacktrace:vals=hitcount,bytes_req:sort=hitcount:size=2048 [active]
#

{ common_pid: bash       [     3249], common_stacktrace:
         __kmalloc_node+0x1a5/0x280
         kvmalloc_node+0x35/0x80
} hitcount:       5184  bytes_req:      85152
{ common_pid: sh         [     3250], common_stacktrace:
         kmem_cache_alloc+0x1a5/0x280
         do_sys_open+0x120/0x400
} hitcount:         84  bytes_req:       1152

Totals:
    Hits: 5268
    Entries: 2
    Dropped: 0
END
folded 'ftrace-hist: another value' '-e bytes_req --no-comm --no-header --no-annotate' 'do_sys_open;kmem_cache_alloc 1152
kvmalloc_node;__kmalloc_node 85152'
sed -i '/^{ common_pid: sh/,/^}/d' in
check 'ftrace-hist: a missing entry is reported' sh -c 'fg-collapse in 2>&1 | grep -q "another number of entries"'

stacks 'page-owner: two orders, a module' '' '# unit: pages 0
# values: exact 0
bash;xfs_read_[k];__alloc_pages_[k] 4
systemd;__alloc_pages_[k];post_alloc_hook_[k] 1' <<'END'
Page allocated via order 0, mask 0x1100dca(GFP_HIGHUSER_MOVABLE|__GFP_ZERO), pid 1, tgid 1 (systemd), ts 1 ns
PFN 4096 type Movable Block 8 type Movable Flags 0xffffe(lru|swapbacked)
 post_alloc_hook+0x177/0x1a0
 __alloc_pages+0x39e/0x7e0
Charged to memcg user.slice

Page allocated via order 2, mask 0x0(), pid 77, tgid 70 (bash), ts 2 ns, free_ts 1 ns
PFN 4100 type Movable Block 8 type Movable Flags 0xffffe()
 __alloc_pages+0x39e/0x7e0
 xfs_read+0x6d/0xb0 [xfs]

END
folded 'page-owner: allocations' '-e allocations --no-comm --no-header --no-annotate' '__alloc_pages;post_alloc_hook 1
xfs_read;__alloc_pages 1'
text 'page-owner: show_stacks' '--no-annotate' 'sk_prot_alloc;post_alloc_hook 16
xfs_file_buffered_read;post_alloc_hook 824' <<'END'
 post_alloc_hook+0x177/0x1a0
 sk_prot_alloc+0x58/0x1a0
nr_base_pages: 16

 post_alloc_hook+0x177/0x1a0
 xfs_file_buffered_read+0x6d/0xb0 [xfs]
nr_base_pages: 824

END
text 'page-owner: page_owner_sort' '--no-annotate --no-comm --no-header' 'do_anonymous_page;post_alloc_hook 32' <<'END'
16 times, 32 pages, PID 1:
Page allocated via order 1, mask 0x0(), pid 1, tgid 1 (systemd), ts 1 ns
 post_alloc_hook+0x177/0x1a0
 do_anonymous_page+0x1/0x2

END

stacks 'phpspy: internal functions, comments' '--lines' '# unit: samples 0
# values: sampled 0
<main> (/srv/index.php:3);Shop\Cart::add (/srv/cart.php:42);usleep 1
<main> (/srv/index.php:9);strlen 1' <<'END'
0 usleep <internal>:-1
1 Shop\Cart::add /srv/cart.php:42
2 <main> /srv/index.php:3
# uri = /index.php
# peak_mem = 1234

0 strlen <internal>:-1
1 <main> /srv/index.php:9

END
sed -i '2d' in
output 'phpspy: a stack with a missing frame is left out' '<main>;strlen 1' fg-collapse -q --no-header in

stacks 'rprof: memory and lines' '--lines' '# unit: samples 0
# period: 20000 us 0
# values: sampled 0
my op;g (/srv/model.R:7);<GC> 1
my op;g (/srv/model.R:7);rnorm (/srv/model.R:3) 2' <<'END'
memory profiling: line profiling: sample.interval=20000
#File 1: /srv/model.R
:1204:0:9638:12:1#3 "rnorm" 1#7 "g" "my op" 
:1204:0:9638:12:1#3 "rnorm" 1#7 "g" "my op" 
:1300:0:9638:12:"<GC>" 1#7 "g" "my op" 
END

stacks 'importtime: nested imports beside output of the program' '' '# unit: us 0
# values: exact 0
encodings 748
encodings;codecs 345
encodings;codecs;_codecs 54
encodings;encodings.aliases 482
site 130
site;os 150
site;re 101
site;sys 120
zlib 107' <<'END'
import time: self [us] | cumulative | imported package
import time:        54 |         54 |     _codecs
import time:       345 |        399 |   codecs
import time:       482 |        482 |   encodings.aliases
hello
import time:       748 |       1629 | encodings
import time:       150 |        150 |   os
import time:       101 |        101 |   re
import time:       120 |        120 |   sys
import time:       130 |        501 | site
import time:       107 |        107 | zlib
END
sed -i '/codecs$/s/345/~/' in
folded 'importtime: a tree with a malformed line is left out' '--no-header' 'site 130
site;os 150
site;re 101
site;sys 120
zlib 107'
sed -i '/~/d' in
folded 'importtime: a tree without one of its lines is left out' '--no-header' 'site 130
site;os 150
site;re 101
site;sys 120
zlib 107'

stacks 'lsan: files, modules, indirect leaks' '--lines' '# unit: bytes 0
# values: exact 0
main (/src/leak.c:5);a (/src/leak.c:3);malloc (../asan/asan_malloc_linux.cpp:69) 300
main (/src/leak.c:5);operator new_[l] 16' <<'END'
=================================================================
==22937==ERROR: LeakSanitizer: detected memory leaks

Direct leak of 300 byte(s) in 3 object(s) allocated from:
    #0 0x7fa4eb6b89cf in malloc ../asan/asan_malloc_linux.cpp:69
    #1 0x55d7cfd6d18d in a /src/leak.c:3:9
    #2 0x55d7cfd6d1b5 in main /src/leak.c:5

Indirect leak of 16 byte(s) in 1 object(s) allocated from:
    #0 0x7fa4eb6b89cf in operator new(unsigned long) (/usr/lib/libasan.so.8+0xb89cf) (BuildId: 1f2e)
    #1 0x55d7cfd6d1b5 in main /src/leak.c:5

SUMMARY: AddressSanitizer: 316 byte(s) leaked in 4 allocation(s).
END
folded 'lsan: blocks' '-e blocks --no-header --no-annotate' 'main;a;malloc 3
main;operator new 1'
check 'lsan: another sum than that of the summary is reported' sh -c 'sed "s/ 300 byte/ 200 byte/" in >less; fg-collapse less 2>&1 |
	grep -q "another sum than that of the leaks"'

stacks 'memcheck: indirect bytes, another error' '--lines' '# unit: bytes 0
# values: exact 0
main (leak.c:5);a (leak.c:3);malloc_[l] 1300
main (leak.c:5);mk (leak.c:2);malloc_[l] 16' <<'END'
==22967== Memcheck, a memory error detector
==22967== Command: ./leak
==22967== 
==22967== Invalid read of size 4
==22967==    at 0x109150: mk (leak.c:2)
==22967==    by 0x109189: main (leak.c:5)
==22967== 
==22967== HEAP SUMMARY:
==22967==     in use at exit: 1,316 bytes in 4 blocks
==22967== 
==22967== 1,300 bytes in 3 blocks are possibly lost in loss record 1 of 2
==22967==    at 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)
==22967==    by 0x10916D: a (leak.c:3)
==22967==    by 0x109195: main (leak.c:5)
==22967== 
==22967== 40 (16 direct, 24 indirect) bytes in 1 blocks are definitely lost in loss record 2 of 2
==22967==    at 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)
==22967==    by 0x109150: mk (leak.c:2)
==22967==    by 0x10919A: main (leak.c:5)
==22967== 
==22967== LEAK SUMMARY:
==22967==    definitely lost: 16 bytes in 1 blocks
END
folded 'memcheck: blocks' '-e blocks --no-header --no-annotate' 'main;a;malloc 3
main;mk;malloc 1'
folded 'memcheck: with the bytes that a leak refers to' '-e bytes-with-indirect --no-header --no-annotate' 'main;a;malloc 1300
main;mk;malloc 40'

stacks 'jstack-json: virtual threads, containers' '--tid' '# unit: samples 0
# values: sampled 0
63406/22;java.util.concurrent.ThreadPerTaskExecutor;java.lang.VirtualThread.run;App.work 1
Common-Cleaner-63406/9 1
main-63406/1;App.main;java.lang.Thread.sleep 1
pool-1-thread-1-63406/30;java.util.concurrent.ThreadPerTaskExecutor;pool;App.run 1' <<'END'
{
  "threadDump": {
    "processId": "63406",
    "time": "2026-05-20T07:37:16.308017Z",
    "runtimeVersion": "21.0.2+13-58",
    "threadContainers": [
      {"container": "<root>", "parent": null, "owner": null,
        "threads": [
         {"tid": "1", "name": "main", "state": "TIMED_WAITING", "stack": [
           "java.base\/java.lang.Thread.sleep(Native Method)", "App.main(App.java:12)"]},
         {"tid": "9", "name": "Common-Cleaner", "stack": []}
        ], "threadCount": "2"},
      {"container": "java.util.concurrent.ThreadPerTaskExecutor@1b2c3d", "parent": "<root>", "owner": null,
        "threads": [
         {"tid": "22", "name": "", "virtual": true, "stack": ["App.work(App.java:3)", "java.base\/java.lang.VirtualThread.run(VirtualThread.java:309)"]}
        ], "threadCount": "1"},
      {"container": "pool@77", "parent": "java.util.concurrent.ThreadPerTaskExecutor@1b2c3d", "owner": "22",
        "threads": [
         {"tid": "30", "name": "pool-1-thread-1", "stack": ["App.run(App.java:5)"]}
        ], "threadCount": "1"}
    ]
  }
}
END
folded 'jstack-json: --state' '--state timed_waiting --no-header' 'main;App.main;java.lang.Thread.sleep 1'
sed -i 's/"runtimeVersion"/"formatVersion": 9, "runtimeVersion"/; s/App.work(App/App.work App/' in
fg-collapse in >got 2>said
check 'jstack-json: a newer version is reported' grep -q 'thread dump version 9; tested up to 2' said
output 'jstack-json: a thread with a malformed frame is left out' 3 grep -c '^[^#]' got

stacks 'actuator: native methods, modules' '--lines --module' '# unit: samples 0
# values: sampled 0
http-1;App.run 1
main;com.x.App.main (App.java:12);java.base`java.lang.Thread.sleep (Thread.java) 1' <<'END'
{"threads":[{"threadName":"main","threadId":1,"threadState":"TIMED_WAITING","stackTrace":[
{"classLoaderName":null,"moduleName":"java.base","methodName":"sleep","fileName":"Thread.java","lineNumber":-2,"nativeMethod":true,"className":"java.lang.Thread"},
{"methodName":"main","fileName":"App.java","lineNumber":12,"className":"com.x.App","nativeMethod":false}]},
{"threadName":"http-1","threadId":31,"threadState":"RUNNABLE","stackTrace":[{"methodName":"run","className":"App"}]}]}
END
folded 'actuator: --state' '--state RUNNABLE --no-header' 'http-1;App.run 1'

stacks 'perf-json: kernel frames, a frame without a symbol' '--tid' '# unit: samples 0
# values: sampled 0
w0-28419/28420;[w0];main;exc_page_fault_[k] 1
w0-28419/28420;main 1' <<'END'
{
	"linux-perf-json-version": 1,
	"headers": { "header-version": 1, "hostname": "vm" },
	"samples": [
		{ "timestamp": 4883222298299, "pid": 28419, "tid": 28420, "comm": "w0", "callchain": [
			{ "ip": "0xffffffff821f5127", "symbol": "exc_page_fault", "dso": "[kernel.kallsyms]" },
			{ "ip": "0x56269ebb922e", "symbol": "main", "dso": "w0" },
			{ "ip": "0x56269ebb9000", "dso": "w0" } ] },
		{ "timestamp": 4883223298299, "pid": 28419, "tid": 28420, "comm": "w0", "callchain": [
			{ "ip": "0x56269ebb922e", "symbol": "main", "dso": "w0" } ] }
	]
}
END
folded 'perf-json: --from' '--from 0.5ms --no-header' 'w0;main 1'

stacks 'pyinstrument: attributes, synthetic frames' '' '# unit: us 0
# values: sampled 0
<module> (/srv/app.py:1);Shop.sell (/srv/shop.py:4) 1500
<module> (/srv/app.py:1);[await] 2000' <<'END'
{"start_time": 1.5, "duration": 0.0035, "sample_count": 3, "start_call_stack": [], "target_description": "x", "cpu_time": 0.1,
"frame_records": [
[["<module>\u0000/srv/app.py\u00001\u0001l9", "sell\u0000/srv/shop.py\u00004\u0001cShop\u0001l5"], 0.001],
[["<module>\u0000/srv/app.py\u00001\u0001l10", "sell\u0000/srv/shop.py\u00004\u0001cShop"], 0.0005],
[["<module>\u0000/srv/app.py\u00001", "[await]"], 0.002]]}
END

stacks 'pyroscope: one profile' '' '# unit: samples 0
# period: 10000000 ns 0
# values: sampled 0
main 2
main;a 3
main;b 4
other 1
total 5' <<'END'
{"version": 1, "flamebearer": {"names": ["total", "main", "other", "a", "b"],
"levels": [[0, 15, 5, 0], [0, 1, 1, 2, 0, 9, 2, 1], [1, 3, 3, 3, 0, 4, 4, 4]], "numTicks": 15, "maxSelf": 5},
"metadata": {"format": "single", "units": "samples", "sampleRate": 100, "spyName": "gospy"}}
END
sed -i 's/0, 4, 4, 4/0, 4, 3, 4/' in
folded 'pyroscope: a bar whose value is not that of its parts is left out' '--no-header' 'main 2
main;a 3
other 1
total 5'
stacks 'pyroscope: two profiles' '' '# columns: base head 0 0
# unit: bytes 0 0
# values: sampled 0 0
main 2 0
main;a 3 1
main;b 0 4' <<'END'
{"version": 1, "flamebearer": {"names": ["total", "main", "a", "b"],
"levels": [[0, 5, 0, 0, 5, 0, 0], [0, 5, 2, 0, 5, 0, 1], [0, 3, 3, 0, 1, 1, 2, 0, 0, 0, 0, 4, 4, 3]], "numTicks": 10},
"leftTicks": 5, "rightTicks": 5, "metadata": {"format": "double", "units": "bytes"}}
END
stacks "pyroscope: the API's document" '' '# unit: samples 0
main 2
main;a 3
main;b 4
other 1
total 5' <<'END'
{"flamegraph":{"names":["total","main","other","a","b"],"levels":[{"values":["0","15","5","0"]},
{"values":["0","1","1","2","0","9","2","1"]},{"values":[1,3,3,3,0,4,4,4]}],"total":"15","maxSelf":"5"}}
END
sed 's/"values":\[1,/"value":[1,/' in >changed
output 'pyroscope: a level without values is malformed' 'fg-collapse: changed: byte 169: a level without values; left out' \
	sh -c 'fg-collapse changed 2>&1 >/dev/null | head -n 1'
stacks "pyroscope: two profiles of the API" '' '# columns: base head 0 0
# unit: samples 0 0
main 2 0
main;a 3 6' <<'END'
{"flamegraph":{"levels":[{"values":["0","5","0","0","6","0","0"]},{"values":["0","5","2","0","6","0","1"]},
{"values":["0","3","3","0","6","6","2"]}],"names":["total","main","a"],"total":"11","leftTicks":"5","rightTicks":"6"}}
END
stacks "pyroscope: a data frame of Grafana" '' '# unit: ns 0
main 2
main;a 3
main;b 4' <<'END'
{"results": {"A": {"status": 200, "frames": [{"schema": {"name": "response", "refId": "A", "meta": {"preferredVisualisationType": "flamegraph"},
"fields": [{"name": "level"}, {"name": "value", "config": {"unit": "ns"}}, {"name": "self", "config": {"unit": "ns"}},
{"name": "label", "config": {"type": {"enum": {"text": ["total", "main", "a", "b"]}}}}]},
"data": {"values": [[0, 1, 2, 2], [9, 9, 3, 4], [0, 2, 3, 4], [0, 1, 2, 3]]}}]}}}
END
stacks "pyroscope: two profiles in a panel of Grafana" '' '# columns: base head 0 0
# unit: samples 0 0
# values: sampled 0 0
main 2 0
main;a 1 2
main;b 0 4' <<'END'
[{"name": "response", "refId": "A", "fields": [{"name": "level", "values": [0, 1, 2, 2]},
{"name": "value", "values": [9, 9, 3, 4], "config": {"unit": "short"}}, {"name": "self", "values": [0, 2, 3, 4]},
{"name": "label", "values": ["total", "main", "a", "b"]},
{"name": "valueRight", "values": [6, 6, 2, 4]}, {"name": "selfRight", "values": [0, 0, 2, 4]}]}]
END

# The binary file of cProfile: main calls a and b, which call leaf for 1 s and for 3 s. The key of leaf
# is a reference to an object before it.
command -v perl >/dev/null && {
	perl -e 'use strict;
		sub text { "\xda" . chr(length $_[0]) . $_[0] } # short, interned, with a number
		my $objects = 0;
		my %key;
		sub key {
			my ($f) = @_;
			return "r" . pack "V", $key{$f} if exists $key{$f};
			$key{$f} = $objects;
			$objects += 3;
			return "\xa9\3" . text("/srv/app.py") . "i" . pack("V", 10 + length $f) . text($f);
		}
		sub cost { "i\1\0\0\0i\1\0\0\0g" . pack("d<", $_[0]) . "g" . pack "d<", $_[1] }
		my $out = "{";
		for (["main", 0.5, 5, {}], ["a", 0.25, 1.25, {main => 1.25}], ["b", 0.25, 3.25, {main => 3.25}], ["leaf", 4, 4, {a => 1, b => 3}]) {
			my ($f, $own, $total, $callers) = @$_;
			$out .= key($f) . ")\5" . cost($own, $total) . "{";
			$out .= key($_) . ")\4" . cost(0, $callers->{$_}) for sort keys %$callers;
			$out .= "0";
		}
		print $out . "0";' >in
	folded 'cprofile: stacks are estimated by the times of callers' '' '# unit: ns 0
# values: estimated 0
main (/srv/app.py:14) 500000000
main (/srv/app.py:14);a (/srv/app.py:11) 250000000
main (/srv/app.py:14);a (/srv/app.py:11);leaf (/srv/app.py:14) 1000000000
main (/srv/app.py:14);b (/srv/app.py:11) 250000000
main (/srv/app.py:14);b (/srv/app.py:11);leaf (/srv/app.py:14) 3000000000'
	damaged 'cprofile: truncated and changed at every second byte' cprofile 2
	printf '{f\377' >in
	status 'cprofile: a float that is longer than the file is malformed' 2 fg-collapse -f cprofile in
}

stacks 'svg: frames of flamegraph.pl' '' '# unit: samples 0
a;b;c 10
a;b;d<int> 20
a;e & f 1003' <<'END'
<?xml version="1.0" standalone="no"?>
<svg version="1.1" width="1200" height="118" viewBox="0 0 1200 118" xmlns="http://www.w3.org/2000/svg">
<!-- Flame graph stack visualization. See https://github.com/brendangregg/FlameGraph for latest version -->
<text id="title" x="600.00" y="24" >Flame Graph</text>
<g id="frames">
<g >
<title>all (1,033 samples, 100%)</title><rect x="10.0" y="85" width="1180.0" height="15.0" fill="rgb(1,2,3)" rx="2" ry="2" />
</g>
<g >
<title>a (1,033 samples, 100.00%)</title><rect x="10.0" y="69" width="1180.0" height="15.0" fill="rgb(1,2,3)" rx="2" ry="2" />
</g>
<g >
<title>b (30 samples, 2.90%)</title><rect x="10.0" y="53" width="34.3" height="15.0" fill="rgb(1,2,3)" rx="2" ry="2" />
</g>
<g >
<title>c (10 samples, 0.97%)</title><rect x="10.0" y="37" width="11.4" height="15.0" fill="rgb(1,2,3)" rx="2" ry="2" />
</g>
<g >
<title>d&lt;int&gt; (20 samples, 1.94%)</title><rect x="21.4" y="37" width="22.9" height="15.0" fill="rgb(1,2,3)" rx="2" ry="2" />
</g>
<g >
<title>e &amp; f (1,003 samples, 97.10%)</title><rect x="44.3" y="53" width="1145.7" height="15.0" fill="rgb(1,2,3)" rx="2" ry="2" />
</g>
</g>
</svg>
END
fgnote='stacks are those that the picture draws'
check 'svg: a note states that narrow frames are missing' sh -c "fg-collapse in 2>&1 >/dev/null | grep -q '$fgnote'"
damaged 'svg: frames, truncated and changed at every seventh byte' svg 7
stacks 'svg: frames of inferno, from the top, with a factor' '' '# unit: ms 0
a;b 20
a;c 8' <<'END'
<?xml version="1.0" standalone="no"?><svg version="1.1" width="1200" height="118" xmlns:fg="http://github.com/jonhoo/inferno"><!--Flame graph stack visualization.-->
<svg id="frames" x="10" width="1180" total_samples="11"><g><title>all (28 ms, 100%)</title><rect x="0.0%" y="36" width="100.0%" height="15" fg:x="0" fg:w="11"/></g>
<g><title>a (28 ms, 100.00%)</title><rect x="0.0%" y="52" width="100%" height="15" fg:x="0" fg:w="11"/></g>
<g><title>b (20 ms, 72.73%)</title><rect x="0.0%" y="68" width="72.7%" height="15" fg:x="0" fg:w="8"/></g>
<g><title>c (8 ms, 27.27%)</title><rect x="72.7%" y="68" width="27.3%" height="15" fg:x="8" fg:w="3"/></g></svg></svg>
END
printf '# columns: base head 0 0\n# unit: us 0 0\n# period: 10 us 0 0\n# values: sampled 0 0\nmain;\303\251tage;c 4.5 0\nmain;\303\251tage;c;d 0 2\nmain;\303\251t\303\251_[k] 3 1\n' >stacks.folded
fg-render stacks.folded | sed '/data-of="s[ct]/d; /<script/,/<\/script>/d' >in
same 'svg: the profile of fg-render, two columns' stacks.folded - <<END
$(fg-collapse -q in)
END
# Long stacks that repeat have numbers in the picture.
awk 'BEGIN { for (i = 0; i < 300; i++) { s = "r" i % 7; for (k = 0; k < 12; k++) s = s ";f" (i * 7 + k) % 30; print s, i + 1 } }' >many
fg-merge many >want
fg-render many >in
fg-collapse -q --no-header in >got
same 'svg: the profile of fg-render, 300 stacks' want got
sed 's/\(data-of="ids">.\{40\}\)./\1!/' in >changed
status 'svg: a damaged profile of fg-render is an error' 2 fg-collapse changed
fg-render stacks.folded | sed '/data-of="s[ct]/d; /<script/,/<\/script>/d' >in
damaged 'svg: a profile of fg-render, truncated and changed at every 19th byte' svg 19
# Two pictures of one kind compared.
compared() { # NAME EXPECTED: of the pictures ./base and ./head
	fg-collapse -q base >base.folded
	fg-collapse -q head >head.folded
	output "$1" "$2" sh -c 'fg-diff base.folded head.folded | sed "/^# [cs]/d"'
}
for picture in flamegraph-pl inferno; do # with a script, as theirs
	sed 's/<svg [^>]*>/&<script><![CDATA[ for (;i <n;) while (a < b) { } ]]><\/script>/' "$here/data/formats/svg/$picture" >"$picture"
done
cp flamegraph-pl base
sed 's/1,033/1,043/; s/b (30 /b (40 /; s/(20 samples/(30 samples/' base >head
compared 'svg: two pictures of flamegraph.pl compared' '# unit: samples 0 0
a;b;c 10 10
a;b;d<int> 20 30
a;e & f 1003 1003'
cp inferno base
sed 's/(28 ms/(38 ms/; s/(20 ms/(30 ms/; s/fg:w="11"/fg:w="15"/; s/fg:w="8"/fg:w="12"/; s/fg:x="8"/fg:x="12"/' base >head
compared 'svg: two pictures of inferno compared' '# unit: ms 0 0
a;b 20 30
a;c 8 8'
printf 'a;b 3\na;c 4\n' | fg-render >base
printf 'a;b 5\na;d 1\n' | fg-render >head
compared 'svg: two pictures of fg-render compared' 'a;b 3 5
a;c 4 0
a;d 0 1'
sed 's/\[0, 1, 2, 2\]/[5, 1, 2, 2]/' "$here/data/formats/pyroscope/data-frame" >in
check 'pyroscope: a data frame whose first bar has a level has malformed bars' \
	sh -c 'fg-collapse -f pyroscope in 2>&1 | grep -q "no stacks in the input: 4 malformed$"'
done_testing
