#!/bin/sh
# fg-render: the summary names the right cause: origins, waits, missing symbols, units.
# tier: quick
. "$(dirname "$0")/lib.sh"

says() {
	name=$1 want=$2
	shift 2
	fg-render -T markdown "$@" >said 2>&1
	check "$name" grep -qF -- "$want" said
	sed 's/^/# /' said | head -n 12
}
says_not() {
	name=$1 want=$2
	shift 2
	fg-render -T markdown "$@" >said 2>&1
	check "$name" sh -c 'test -s said && ! grep -qF -- "$1" said' sh "$want"
}

# An inlined frame has the origin of its caller.
printf 'p;main;lib_fn_[l];inl_[i] 90\np;main;vfs_read_[k];kinl_[i] 10\n' >inlined
says 'inlined frames have the origin of their callers' \
	'Of the time 90.0 % is in libraries, 10.0 % in the kernel; 100.0 % in inlined functions.' inlined
printf 'p;main;lib_fn_[l];inl_[i] 90\np;main;inl_[i];inner_[i] 10\n' >both
says 'one inlined function of a library and of the program counts for both' \
	'Of the time 10.0 % is in programs, 90.0 % in libraries' both
says 'an inlined function of two modules is one function in the list' '`inl` 90.0 %' both
printf 'p;main;a 50\np;main;lib_fn_[l];inl_[i] 30\np;main;a;in_a_[i] 20\n' >parts
says 'parts of functions that are inlined into libraries are no own code' \
	'Own code by total: `a` 70.0 % ± 9.0, `in_a` 20.0 % ± 7.8.' parts
printf 'p;main;f_[l] 50\np;[unsampled] 30\np;main;[signal];g 20\n' >notes
says_not 'frames that stand for no code have no debug package' 'install' notes
says 'frames that stand for no code are no own code' 'Own code by total: `main` 70.0 % ± 9.0, `g` 20.0 % ± 7.8.' notes
fg-render both >1.svg
sed '1!G;h;$!d' both | fg-render >2.svg
same 'the order of lines does not matter' 1.svg 2.svg

# Reasons of waits.
cat >waits <<'END'
sh;main;run_all;waitchild;wait4_[l];entry_SYSCALL_64_[k];do_syscall_64_[k];kernel_wait4_[k];do_wait_[k];schedule_[k] 44
sh;main;read_all;read_[l];do_syscall_64_[k];vfs_read_[k];pipe_read_[k];schedule_[k] 32
sh;main;sync;fsync_[l];do_syscall_64_[k];ext4_sync_file_[k];folio_wait_bit_[k];io_schedule_[k];schedule_[k] 10
sh;main;touch;asm_exc_page_fault_[k];handle_mm_fault_[k];filemap_fault_[k];io_schedule_[k];schedule_[k] 8
sh;main;write_log;write_[l];do_syscall_64_[k];balance_dirty_pages_[k];io_schedule_timeout_[k];schedule_[k] 6
END
says 'waits are given with their reasons and functions' 'Waits 44.0 % for child processes (in `waitchild`), 32.0 % on pipes (in `read_all`), 10.0 % for disks (in `sync`), 8.0 % for page faults (in `touch`).' waits
says 'the function that waits is ranked, not the scheduler' 'Longest waiting: `waitchild` 44.0 %' waits
sed 's/_\[[a-z]\]//g' waits >bare
says 'the reasons are found without annotations' 'Waits 44.0 % for child processes' bare
cat >asleep <<'END'
# unit: us 0
# label: event=off-cpu 0
sh;main;loop;__GI___wait4_[l] 60
sh;main;serve;syscall_[l];syscall:epoll_wait_[k] 30
sh;main;other;read_[l];syscall:read_[k] 10
END
says 'stacks without kernel frames are off-CPU by the label' \
	'Waits 60.0 % for child processes (in `loop`), 30.0 % for events (poll, epoll) (in `serve`), 10.0 % for reasons that the stacks do not show (in `other`).' asleep
cat >spawns <<'END'
sh;main;start;__vfork_[l];do_syscall_64_[k];__x64_sys_vfork_[k];kernel_clone_[k];wait_for_completion_state_[k];schedule_timeout_[k];schedule_[k] 60
sh;main;spawn;__spawnix_[l];__clone3_[l];do_syscall_64_[k];__do_sys_clone3_[k];kernel_clone_[k];wait_for_completion_state_[k];schedule_[k] 30
sh;main;other;clone_[l];do_syscall_64_[k];__x64_sys_clone_[k];kernel_clone_[k];copy_process_[k];schedule_[k] 10
END
says 'vfork and posix_spawn wait for the child, clone does not' \
	'Waits 90.0 % for child processes (mostly in `start`), 10.0 % for reasons that the stacks do not show (in `other`).' spawns
cat >interpreter <<'END'
python3;_start;__libc_start_main_[l];Py_BytesMain_[l];handler (/srv/app.py:3)_[p];poll_[l];do_syscall_64_[k];do_sys_poll_[k];schedule_[k] 60
python3;_start;__libc_start_main_[l];Py_BytesMain_[l];take_gil_[l];futex_wait_[k];schedule_[k] 40
END
says 'under an interpreter in a library _start does not wait' 'Longest waiting: `handler (app.py)` 60.0 % ± 9.6, `take_gil` 40.0 % ± 9.6.' interpreter
says_not '_start under an interpreter is not a caller' '`_start`' interpreter
printf '%s\n' 'gz;_start;[gz];[gz];[libz.so.1]_[l];pipe_read_[k];schedule_[k] 30' \
	'gz;_start;[gz];[gz];asm_sysvec_apic_timer_interrupt_[k];schedule_[k] 10' 'gz;_start;main;nap;schedule_[k] 60' >nameless
says 'a wait in code without symbols is charged to its module' '30.0 % is in `[libz.so.1]`, 10.0 % in `[gz]`, which have no symbols' nameless
says_not 'a wait in code without symbols is not charged to the process' '`gz`' nameless
says 'such a module is not the function that waits' '30.0 % on pipes.' nameless
printf '%s\n' 'sh;main;read_[l];schedule_[k] 60' 'sh;ret_from_fork_[k];worker_thread_[k];schedule_[k] 30' 'sh;schedule_[k] 10' >inside
says 'a wait of kernel frames alone is charged to the kernel function, not to the process' 'Longest waiting: `main` 60.0 % ± 9.6, `worker_thread` 30.0 % ± 9.0, `schedule` 10.0 % ± 5.9.' inside
printf 'a;main;recv_msg;futex_wait_[k];schedule_[k];send_[w];producer_[w] 50\nb;main;x;schedule_[k] 1\n' >woken
says 'who wakes is named where it was recorded' '(in `recv_msg`, woken by `producer`)' woken
printf '%s\n' 'sh;main;[sh] 9' 'sh;_start;[libc.so.6];[libc.so.6];[libc.so.6] 30' 'sh;main;work_[l] 20' 'sh;main;[cc1plus];[cc1plus] 41' >stripped
says 'modules without symbols are one finding' '41.0 % is in `[cc1plus]`, 30.0 % in `[libc.so.6]`, 9.0 % in `[sh]`, which have no symbols: install their debug packages (Debian: libc6-dbg).' stripped
says 'functions with names are ranked' 'Most self time: `work` 20.0 %' stripped
fg-render -T markdown stripped | grep -v 'no symbols' >rest
check 'modules without symbols are neither culprit, caller, recursion nor path' test "$(grep -c '`\[' rest)" = 0
printf '%s\n' 'sh;[kernel.kallsyms]_[k] 40' 'sh;[libz.so.1]_[l] 30' 'sh;[libssl.so.3]_[l] 30' >kinds
says 'each kind of module has its own hint' ', which have no symbols: install their debug packages (Debian: libssl3-dbgsym, zlib1g-dbgsym); record as root, or with kernel' kinds
printf '%s\n' 'sh;main;work_[l] 20' 'sh;main;[cc1plus] 80' >one
says 'one module has one package' '80.0 % is in `[cc1plus]`, which has no symbols: install its debug package.' one
says_not 'a process is not a caller' 'called by `sh`' one
printf '%s\n' 'node;main;work_[l] 20' 'node;main;[jit]_[j] 80' >jit
says 'code of a JIT compiler has no debug package' '80.0 % is in `[jit]`, which has no symbols: let its runtime write a perf map.' jit
printf '%s\n' 'cc1plus;cc1plus+0x41230;cc1plus+0x51230 30' 'cc1plus;cc1plus+0x41230;libc.so.6+0x28f0_[l] 20' \
	'cc1plus;[cc1plus] 2' 'x;main;work_[l] 40' 'x;main;offset+0x1c 8' >starts
printf '%s\n' '# columns: base head' 'm;[start];[libz.so.1] 1000 3000' 'm;b 6000 6020' 'm;c 2000 2050' >two
says 'a change without symbols is of a module, and no module calls it' \
	'code without symbols in `[libz.so.1]` +2,000 samples (+22.22 % of base'"'"'s total, between +1 and +57 %, called by `m`)' two
says 'functions of modules without symbols are one finding too' '32.0 % is in cc1plus, 20.0 % in libc.so.6, which have no symbols' starts
awk 'BEGIN { for (i = 0; i < 3000; i++) print "main;f" i, 1 }' >flat
says 'no function of a flat profile is called the hottest' '- Most self time: no function has 0.1 %.' flat
says_not 'no share of a flat profile is 0.0 %' 'Most self.* 0.0 %' flat
says 'an offset in a function is not one' 'Most self time: `work` 40.0 % ± 9.6 (for `main`), `offset+0x1c` 8.0 % ± 5.3.' starts
says_not 'an unsymbolized function is not a caller' 'called by `cc1plus+0x' starts
says 'the heaviest stacks have them' '30.0 % `cc1plus;cc1plus+0x41230;cc1plus+0x51230`.' starts

cat >module <<'END'
# unit: samples 0
p;a_[l];libz.so.1.2.13`libz.so.1.2.13+0x4970_[l] 9
p;b;libz.so.1.2.13+0x4970_[l] 8
p;libz.so.1.2.13+0x5d8c_[l] 3
END
says 'functions without symbols are missing with and without their module in front' \
	'100.0 % is in libz.so.1.2.13, which has no symbols' module
says_not 'a function without a symbol is not the hottest' 'Most self' module
says 'a stack names the module of such a function once' '45.0 % `p;a;libz.so.1.2.13+0x4970`.' module
check 'JSON has the modules without symbols' sh -c \
	'fg-render -T json module | grep -q "\"without_symbols\":\[{\"module\":\"libz.so.1.2.13\",\"value\":20,"'
printf 'main;f;app+0x1a2b 90\nmain;g 10\n' >address
says 'starts of functions need not be multiples of 16' '90.0 % is in app, which has no symbols' address
says 'an offset in a function of another module is not a start' 'Most self time: ``libc.so.6`read+0x19``' - <<'END'
a;libc.so.6`read+0x19 5
END

cat >script <<'END'
# unit: samples 0
python3;_start;Py_RunMain;_PyEval_EvalFrame;<module> (/srv/w.py:1)_[p];parse (/srv/w.py:3)_[p];libz.so.1`inflate_[l] 400
python3;_start;Py_RunMain;_PyEval_EvalFrame;<module> (/srv/w.py:1)_[p];parse (/srv/w.py:3)_[p];PyDict_New 100
python3;_start;Py_RunMain;_PyEval_EvalFrame;<module> (/srv/w.py:1)_[p];compress (/srv/w.py:9)_[p];compress (/usr/lib/python3.11/gzip.py:9)_[p] 300
python3;_start;Py_RunMain;_PyEval_EvalFrame;<module> (/srv/w.py:1)_[p];main (/srv/w.py:20)_[p] 200
END
says 'the first list of a script is its own functions by total, without those of libraries and the interpreter' \
	'Own code by total: `parse (w.py)` 50.0 % ± 3.1, `compress (w.py)` 30.0 % ± 2.8, `main (w.py)` 20.0 % ± 2.5.' script
says 'the hottest functions have the own function that they work for' \
	'Most self time: ``libz.so.1`inflate`` 40.0 % ± 3.0 (for `parse (w.py)`), `compress (gzip.py)` 30.0 % ± 2.8 (for `compress (w.py)`)' script
printf 'a;b 6\na;c 4\n' >same
says_not 'a profile that does not tell own code has no list of it' 'Own code' same
check 'the list of the panel is that of own functions' sh -c \
	'fg-render script | grep -q ">Own code by total<" && fg-render script | grep -q ">50.0.%.*parse (w.py)<"'

# The wording depends on the unit.
awk 'BEGIN { print "# columns: base head 0 0\n# unit: samples 0 0\n# period: 1 ms 0 0"; for (i = 0; i < 1500; i++) print "m;f" i, 10, i % 2 ? 9 : 13 }' >calm
says 'changes within noise alone are not those of other functions' '1,500 functions changed within noise, together by +1,500 samples' calm
printf '# columns: base head noise 0 0 0\n# unit: bytes bytes bytes 0 0 0\nm;a 4000000 8000000 0\nm;b 9000000 9000000 1\n' >heap
says 'memory grows' 'Grew: `a` +3.81 MiB' heap
printf '# unit: bytes\nm;a 4000000 8000000\nm;b 9000000 9000000\n' >pair
says 'one unit is that of base and head, where no header names them' 'base 12.4 MiB → head 16.2 MiB' pair
printf '# unit: bytes 0\nm;a 4000000\n' >memory
says 'memory is not time' 'Most self memory: `a`' memory
printf '# unit: cache-misses 0\nm;a 4000000\n' >events
says 'events are counted' 'Most self cache-misses: `a`' events
printf '# unit: samples 0\n# period: 1 block:* 0\nm;a_[k] 4\n' >tracepoints
says 'samples of events are not time' 'Most self samples: `a` 100.0 %' tracepoints
says 'samples of events are no time in origins' 'Of the samples 100.0 % is in the kernel' tracepoints
printf '# unit: samples 0\n# label: event=page-faults:u 0\nm;a_[k] 4\n' >rated
says 'samples of events at a rate are not time' 'Most self samples: `a` 100.0 %' rated
for event in cycles:u cpu-clock cpu/ref-cycles/ page-faults,task-clock '*'; do
	printf '# unit: samples 0\n# label: event=%s 0\nm;a 4\n' "$event" >clock
	says "samples of $event are time" 'Most self time: `a` 100.0 %' clock
done
printf '# unit: samples 0\n# period: 10101010 ns 0\n# label: event=page-faults 0\nm;a 4\n' >clock
says 'a period says more than a label' 'Most self time: `a` 100.0 %' clock
printf '# unit: samples 0\n# period: 100000 cycles 0\nm;a 4\n' >cycles
says 'samples of cycles are' 'Most self time: `a` 100.0 %' cycles
printf '# columns: base head 0 0\n# unit: ms 0 0\n%s\n' 'm;a 1000 1300' 'm;b 2000 2600' 'm;c 500 650' >longer
says 'a head that is longer as a whole is said to be so' \
	"Head is 30 % longer in total; the functions' shares are equal." longer
says_not 'a head that is longer: no function became slower' 'Slower' longer
# The total of one run a side has the interval that fg-diff gives it.
for f in longer two; do
	for side in 2 3; do
		awk -v side=$side '/;/ { print $1, $side } /^# unit/ { print "# unit: " $3, 0 }' $f >$side
	done
	interval=$(fg-diff --report 2 -- 3 | sed -n 's/^In total.*; \(.* %\)), which may be noise.*/\1/p')
	says "the total's change may be noise: $f" \
	    "he change of the total may be noise" $f
	says "the total's change has its interval" " ($(echo "${interval:-none}" | sed 's/-/−/g'))." $f
done

printf '%s\n' 'm;a 101010100' 'm;b 30303030' 'm;c 80808080' >ns
says 'ns without a unit are recognized by their common divisor, and it is said' \
	'read as ns at 99 samples a second' ns
says 'ns without a unit are shown as time' '212 ms, 21 samples' ns
printf '%s\n' 'm;a 101010100' 'm;b 30303031' 'm;c 80808080' >counts
says 'numbers without a common divisor stay counts' '212,121,211 samples' counts

# Text output has the heaviest stacks and the lines of the hottest functions; the viewer gets JSON.
printf '%s\n' 'm;f (a.c:3) 30' 'm;f (a.c:9) 60' 'm;g 10' >lines
says 'source lines of the hottest function' 'Lines of `f`: a.c:9 60.0 %, a.c:3 30.0 %.' lines
# An anonymous function is identified by its line, which is its first one, not one that ran.
printf '%s\n' 'm;(anonymous) (/s/a.js:3)_[j] 30' 'm;(anonymous) (/s/a.js:3)_[j];(anonymous) (/s/a.js:9)_[j] 60' \
    'm;a.lua:4 (/s/a.lua:4)_[p] 5' 'm;f (/s/a.py:4)_[p] 5' >anonymous
says 'anonymous functions are told by their lines' \
    'Most self time: `(anonymous) (a.js:9)` 60.0 % ± 9.6, `(anonymous) (a.js:3)` 30.0 % ± 9.0' anonymous
printf '%s\n' 'm;f;g;g_[i] 50' 'm;f;g 3' 'm;h 2' >own
says 'a function inlined into its own frame is called by another one' 'leads to `g` 90.9 %, called by `f`' own
says 'anonymous functions of different lines call each other, not themselves' '`(anonymous) (a.js:9)` is called by `(anonymous) (a.js:3)`' anonymous
says_not 'anonymous functions of different lines are not recursive' Recursive anonymous
says_not 'first lines of functions are no list of lines' 'Lines of' anonymous
printf '%s\n' 'm;f (/s/a.py:4)_[p] 5' 'm;f (/s/a.py:6)_[p] 5' 'm;g (/s/a.py:9)_[p] 50' >ran
says 'functions are told by their first line, not by the lines that ran' 'Lines of `g (a.py)`: a.py:9 83.3 %' ran
fg-render -T top anonymous >out
check 'a Lua function is its place' grep -q ' a.lua:4 (/s/a.lua)$' out
says 'the heaviest stacks' 'Heaviest stacks: 60.0 % `m;f`.' lines
awk 'BEGIN { for (i = 0; i < 3000; i++) print "m;f" i, 1 + i % 2 }' >flat
says_not 'no stack of a flat profile is called heavy' Heaviest flat
printf '%s\n' '# columns: instruction cache memory system' 'm 0 0 1 0' 'm;f 100000 0 0 0' >small
says_not 'a stack below 0.1 % is not listed' ' 0.0 %' small
printf '%s\n' 'a;g;g_[i] 5' 'a;h;h_[i];h 5' >parts
says 'an inlined part of a function is not a recursive call' 'Recursive: `h` (2 deep, 50.0 %).' parts
printf '%s\n' 'j;java.lang.Long.parseLong_[j];java.lang.Long.parseLong_[j] 5' 'j;W.fib_[j];W.fib_[j];W.fib_[j] 5' >java
says 'an overload in Java, whose names have no arguments, is not a recursive call' 'Recursive: `W.fib` (3 deep, 50.0 %).' java
printf '%s\n' 'java;clone3_[l];work;clone3_[k] 5' 'java;clone3_[l];r;r_[k];r 5' >kernel
says "the kernel's function of a name is another one" 'Recursive: `r` (2 deep, 50.0 %).' kernel
echo 'app;main;load;read_[l];entry_SYSCALL_64_after_hwframe_[k];do_syscall_64_[k];ksys_read_[k];vfs_read_[k];ext4_read_[k];io_schedule_[k] 9' >entry
says 'of the kernel a stack keeps the last frames' 'stacks: 100.0 % `app;main;load;read;…;ext4_read;io_schedule`.' entry
awk 'BEGIN { s = "app"; for (i = 1; i < 30; i++) s = s ";" (i == 12 ? "mine" : "l" i "_[l]"); print s, 5 }' >between
says 'a long stack keeps own code between its ends' 'stacks: 100.0 % `app;l1;l2;l3;l4;…;mine;…;l25;l26;l27;l28;l29`.' between
{ echo '# label: command=make%20-j4 host=web1,web2 duration=12.3s 0'; cat lines; } >labelled
says 'where the profile comes from' 'Recorded: command make -j4, duration 12.3s, host web1 and web2.' labelled
{ echo '# label: command=sh%20-c%20a%0a-%20b%e2%80%ae 0'; cat lines; } >multiline
says 'a command of several lines stays in its sentence' 'Recorded: command sh -c a\\n- b\\u202e.' multiline

# The label build-id has the files without symbols: their functions are module+0xSTART.
{
	echo '# label: build-id=cc1:0123abcd,x%3ay:none host=h 0'
	printf '%s\n' 'm;cc1+0x839 60' 'm;f 30' 'm;x:y+0x801 10'
} >builds
says 'files without symbols have their build IDs' \
	'60.0 % is in cc1 (build ID 0123abcd), 10.0 % in x:y, which have no symbols' builds
says 'a start that is no multiple of 16 is no function' 'Most self time: `f` 30.0 %' builds
says 'the build IDs are not repeated' 'Recorded: host h.' builds
sed 1d builds >unlabelled
says 'without the label such a name is a function' 'Most self time: `cc1+0x839` 60.0 %' unlabelled
sed 's/0123abcd/0123abcg/' builds >damaged
says 'a malformed build ID is not shown' 'Most self time: `cc1+0x839` 60.0 %' damaged
{ echo '# label: build-id=cc1:4567 0'; tail -n +2 builds; } >other
fg-merge builds other >both
says 'two builds of one file have both build IDs' '60.0 % is in cc1 (build ID 0123abcd, 4567), 10.0 % in x:y' both
sed 's/cc1/libc.so.6/' builds >libc
says 'a known package is named without the build ID' '60.0 % is in libc.so.6, 10.0 %' libc
if command -v jq >/dev/null; then
	output 'JSON: functions' '[["f","a.c",90,90],["g",null,10,10]]' \
		sh -c 'fg-render -T json lines | jq -c "[.functions[] | [.name, .file, .self, .self_percent]]"'
	output 'JSON: labels' '{"command":["make -j4"],"duration":["12.3s"],"host":["web1","web2"]}' \
		sh -c 'fg-render -T json labelled | jq -c .labels'
	output 'JSON: lines' '[["f","a.c",9,60],["f","a.c",3,30]]' \
		sh -c 'fg-render -T json lines | jq -c "[.lines[] | [.function, .file, .line, .self]]"'
	output 'JSON: waits' '["child",44,"waitchild"]' \
		sh -c 'fg-render -T json waits | jq -c ".waits[0] | [.reason, .value, .function]"'
	output 'JSON: modules without symbols' '["cc1plus",41]' \
		sh -c 'fg-render -T json stripped | jq -c ".without_symbols[0] | [.module, .value]"'
	output 'JSON: changes' '["a",4000000,8000000,"grew"]' \
		sh -c 'fg-render -T json heap | jq -c ".changes[0] | [.name, .base, .head, .verdict]"'
	printf 'a\377"\\;b\033\t 3\n' >bad
	check 'JSON of any bytes is valid' sh -c '{ yes "plain;x 1" | head -n 30000; cat bad; } | fg-render -T json | jq -e .schema'
else
	skip 'JSON' 'there is no jq' jq
fi

# The summary of a flame chart is about functions.
i=0
while [ $i -lt 20 ]; do
	echo "m;f 2"
	echo "m;g 1"
	i=$((i + 1))
done >chart
says 'a flame chart has functions' '`f` 66.7 %' --flamechart chart
says_not 'a flame chart has no widest path' 'widest path' --flamechart chart
done_testing
