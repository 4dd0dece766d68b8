#!/bin/sh
# Formats of aggregated stacks: files of the corpus.
# tier: full
. "$(dirname "$0")/corpus-lib.sh"

formats <<'EOF'
dtrace/example-dtrace-stacks.txt.gz | | example-dtrace-stacks.txt.folded |
dtrace/example-dtrace-stacks.txt.gz | | example-dtrace-stacks.txt.inferno.folded |
dtrace/example-dtrace-stacks.txt.gz | --includeoffset | example-dtrace-stacks.txt.inferno-offsets.folded | leaf
dtrace/inferno-java.txt | | inferno-java.txt.inferno.folded |
dtrace/inferno-java.txt | --no-modules --no-annotate | = main;foo;bar;baz 1
bpftrace/gen-kstack.txt | --no-annotate | gen-kstack.txt.perl.folded | offsets nothing
bpftrace/gen-kstack.txt | --no-annotate --includeoffset | gen-kstack.txt.perl.folded | nothing
bpftrace/gen-kstack.txt | | total 374
bpftrace/gen-kustack.txt | | total 761
bpftrace/gen-offcpu.txt | | total 9261613
bpftrace/gen-print.txt | | total 41
bpftrace/gen-ustack-perf.txt | | total 1190
bpftrace/gen-stats.txt | | refused no stacks in the input
bcc/offcputime-7.txt | | offcputime-7.txt.folded |
bcc/profile-10.txt | --pid | profile-10.txt.folded | task
bcc/profile-11.txt | --pid | profile-11.txt.folded | task
bcc/profile-12.txt | --pid | profile-12.txt.folded | task
bcc/profile-14.txt | --pid | profile-14.txt.folded | task
bcc/stackcount-15.txt | | stackcount-15.txt.folded |
bcc/stackcount-17.txt | --pid | stackcount-17.txt.folded | task
bcc/stackcount-19.txt | --pid | stackcount-19.txt.folded | task
bcc/wakeuptime-20.txt | | wakeuptime-20.txt.folded | wakeup
bcc/wakeuptime-22.txt | | wakeuptime-22.txt.folded | wakeup
bcc/memleak-2.txt | | = __libc_start_main_[l];main 160
bcc/memleak-2.txt | -e allocations | = __libc_start_main_[l];main 10
bcc/memleak-4.txt | --module | = libc-2.21.so`__libc_start_main_[l];allocs`main 32
bcc/memleak-5.txt | | = sys_bpf_[k];bpf_prog_load_[k] 248\nsys_mmap_[k];sys_mmap_pgoff_[k];vm_mmap_pgoff_[k];do_mmap_[k];mmap_region_[k];perf_mmap_[k] 328
macos-sample/inferno-sample.txt | --no-annotate | inferno-sample.txt.inferno.folded | ending idle repeated escape
macos-sample/inferno-sample.txt | --no-annotate --no-modules | inferno-sample.txt.inferno-no-modules.folded | idle repeated escape
macos-sample/inferno-sample.txt | | total 2475
macos-sample/inferno-odd-indentation.txt | --strict | refused inconsistent indentation
macos-sample/inferno-odd-indentation.txt | | total 825
pmcstat/speedscope-simple.txt | --no-annotate | speedscope-simple.txt.perl.folded | callerless
pmcstat/speedscope-simple.txt | --no-annotate | speedscope-simple.txt.speedscope.folded | callerless
pmcstat/speedscope-simple.txt | -e inst_retired.any | total 12603
vtune/inferno-vtune.csv | --no-annotate | inferno-vtune.csv.inferno.folded | total rounded
vtune/inferno-vtune.csv | --no-modules | inferno-vtune.csv.inferno-no-modules.folded | rounded
vtune/inferno-skipped-indentation.csv | --strict | refused inferno-skipped-indentation.csv:7: inconsistent indentation
vsprof/inferno-CallTreeSummary.csv | | total 63576647
vsprof/inferno-invalid-depth.csv | | refused inferno-invalid-depth.csv:3: not a row of a call tree
instruments/speedscope-7.3.1-simple-time-profile-deep-copy.txt | | speedscope-7.3.1-simple-time-profile-deep-copy.txt.speedscope.folded |
instruments/speedscope-7.3.1-random-allocations-deep-copy.txt | | total 450814280
ghcprof/gen-P.prof | | gen-P.prof.inferno.folded | semicolon nil
ghcprof/gen-P.prof | --time | gen-P.prof.inferno.folded | semicolon nil
ghcprof/gen-P.prof | --ticks | gen-P.prof.inferno-ticks.folded | semicolon nil
ghcprof/gen-P.prof | --bytes | gen-P.prof.inferno-bytes.folded | semicolon nil
ghcprof/gen-p.prof | | gen-p.prof.inferno.folded | semicolon nil
ghcprof/gen-p.prof | --bytes | refused no samples of event bytes
ghcprof/gen-pa.prof | | gen-pa.prof.inferno.folded | semicolon nil
ghcprof/gen-pa.prof | --ticks | gen-pa.prof.inferno-ticks.folded | semicolon nil
ghcprof/gen-pa.prof | --bytes | gen-pa.prof.inferno-bytes.folded | semicolon nil
ghcprof/inferno-ticks.prof | | inferno-ticks.prof.inferno.folded | nil
ghcprof/inferno-ticks.prof | --ticks | inferno-ticks.prof.inferno-ticks.folded | nil
ghcprof/inferno-ticks.prof | --bytes | inferno-ticks.prof.inferno-bytes.folded | nil
pprof/go-cpu.pb.gz.raw.txt | --no-annotate | go-cpu.pb.gz.t-cpu.folded |
pprof/go-cpu.pb.gz.raw.txt | --no-annotate -e samples | go-cpu.pb.gz.t-samples.folded |
pprof/go-allocs.pb.gz.raw.txt | --no-annotate | go-allocs.pb.gz.t-alloc_space.folded |
pprof/go-allocs.pb.gz.raw.txt | --no-annotate -e alloc_objects | go-allocs.pb.gz.t-alloc_objects.folded |
pprof/go-heap.pb.gz.raw.txt | --no-annotate | go-heap.pb.gz.t-inuse_space.folded |
pprof/go-heap.pb.gz.raw.txt | --no-annotate -e alloc_space | go-heap.pb.gz.t-alloc_space.folded |
pprof/pprof-sample.cpu.pb.gz.raw.txt | --no-annotate | pprof-sample.cpu.pb.gz.t-cpu.folded |
pprof/pprof-sample.cpu.pb.gz.raw.txt | --no-annotate -e samples | pprof-sample.cpu.pb.gz.t-samples.folded |
pprof/speedscope-simple.prof.raw.txt | | speedscope-simple.prof.t-cpu.folded |
pprof/speedscope-simple.prof.raw.txt | -e samples | speedscope-simple.prof.raw.txt.perl.folded |
pprof-legacy/pprof-java.cpu.raw.txt | -e samples | pprof-java.cpu.raw.txt.perl.folded |
pprof-legacy/pprof-java.heap.raw.txt | -e inuse_objects | pprof-java.heap.raw.txt.perl.folded |
pprof-legacy/pprof-java.contention.raw.txt | -e contentions | pprof-java.contention.raw.txt.perl.folded |
xdebug-trace/xdebug-fmt1.xt | | xdebug-fmt1.xt.folded | rounded
xdebug-trace/xdebug-fmt1.xt | -e calls | total 923
xdebug-trace/xdebug-fmt0.xt | | total 923
jfr-text/jfr-exec-a.txt | | jfr-exec-a.txt.folded |
jfr-text/jfr-alloc.txt | --samples | total 866
jfr-text/jfr-alloc.txt | -e JavaMonitorEnter --samples | total 16
perf-report/report-folded-count.txt | | total 162
perf-report/report-folded-count.txt | -e page-faults | total 7
perf-report/report-g-folded.txt | | total 99.97
perf-report/report-callee-nochildren.txt | | total 100.3
perf-report/report-g.txt | | refused use perf report --no-children -g folded,0,caller,count
perf-report/report-fractal.txt | | refused with --children a sample is counted in many entries
cachegrind/cachegrind.out | | total 27449567
cachegrind/cachegrind.out | -e D1mr | total 57446
pstats/cprofile.pstats | | total 203900152
perf-script/gen-sched-tracepoint.txt.gz | -f perf-sched | total 22055325
EOF

# top FILE SCRIPT: the hottest functions have the same self time, in percent, as in perf script
# output of the same recording.
top() {
	fg-collapse -q --no-annotate "$corpus/$1" | sed '/^# /d' >got
	fg-collapse -q --no-annotate "$corpus/$2" | sed '/^# /d' >script
	for side in got script; do
		sed 's/.*;\([^;]*\) \([^ ]*\)$/\2 \1/; s/([^)]*)$//' "$side" |
		    awk '{ v = $1; sub(/^[^ ]* /, ""); n[$0] += v; sum += v }
			END { for (i in n) if (n[i] > 0.055 * sum) printf "%s %.0f%%\n", i, 100 * n[i] / sum }' |
		    sort
		echo
	done >both
	awk '!NF { part++; next } { print >("top" part) }' part=0 both
	same "$1: the hottest functions" top1 top0
}
top perf-report/report-g-folded.txt perf-script/gen-cpp-g.txt
top perf-report/report-callee-nochildren.txt perf-report/report-callee-nochildren.txt.truth.folded

# one NAME STACK OPTIONS FILE PATTERN: the first line of the output that matches PATTERN is STACK.
one() {
	eval "fg-collapse -q $3 '$corpus/$4'" | grep -e "$5" | head -n 1 >got
	printf '%s\n' "$2" >want
	same "$1" want got
}

# inferno assumes that a caller's value includes its calls. stackcollapse-vsprof.pl writes only the
# leaves, and no spaces in names: its lines are a part of ours.
fg-collapse -q "$corpus/vsprof/inferno-CallTreeSummary.csv" | sed '/^# /d; s/ \([^ ]*\)$/\t\1/; s/ //g' |
    sort >ours
$rules <"$corpus/vsprof/inferno-CallTreeSummary.csv.perl.folded" | sed 's/ \([^ ]*\)$/\t\1/' |
    LC_ALL=C sort | comm -23 - ours >missing
: >want
same 'vsprof: all leaves of stackcollapse-vsprof.pl' want missing

# stackcollapse-bpftrace.pl cannot read these forms; one stack of each is checked.
one 'kernel below user, the comm at the root' \
    'work;[unknown];entry_SYSCALL_64_after_hwframe_[k];do_syscall_64_[k];ksys_read_[k];vfs_read_[k];seq_read_[k];seq_read_iter_[k] 1' \
    '' bpftrace/gen-kustack.txt '^work;.*;ksys_read_.*seq_read_iter_.k. '
one 'user first in the map' '[unknown];vfs_read_[k];seq_read_[k];seq_read_iter_[k] 1' \
    '' bpftrace/gen-ustack-perf.txt '^.unknown.;vfs_read_'
one 'a sum by kstack and comm' \
    'kcompactd0;common_startup_64;start_secondary;cpu_startup_entry;schedule_idle;__schedule 1024000' \
    --no-annotate bpftrace/gen-offcpu.txt '^kcompactd0;.*start_sec'
one 'printed stacks, below the line before them' \
    'rcu_preempt;ret_from_fork_asm;ret_from_fork;kthread;rcu_gp_kthread;schedule;__schedule 1' \
    '' bpftrace/gen-print.txt '^rcu_pre.*;rcu_gp_kthread;schedule;'
# The length of a GHC tick.
fg-collapse --ticks "$corpus/ghcprof/gen-P.prof" 2>said | grep '^# ' >got
printf '%s\n' '# unit: ticks 0' '# period: 1000 us 0' '# values: sampled 0' >want
same 'ghc: a tick is 1000 us' want got

# The unit that bcc's tools print.
fg-collapse "$corpus/bcc/offcputime-7.txt" 2>said | grep '^# ' >got
echo '# unit: us 0' >want
same 'bcc: offcputime is in us' want got
fg-collapse "$corpus/bcc/profile-10.txt" 2>said | grep '^# ' >got
printf '%s\n' '# unit: samples 0' '# period: 20408163 ns 0' '# values: sampled 0' >want
same 'bcc: a sample of profile is what 49 Hertz makes it' want got
check 'bcc: times and samples are not added up' \
    sh -c 'fg-collapse "$1/wakeuptime-20.txt" "$1/profile-10.txt" 2>&1 >/dev/null | grep -q "left out: - (4)"' - "$corpus/bcc"
fg-collapse --list-events "$corpus/pmcstat/speedscope-simple.txt" | sed 's/ .*//' >got
printf '%s\n' event inst_retired.any >want
same 'pmcstat: events that are there' want got
done_testing
