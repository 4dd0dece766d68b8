#!/bin/sh
# perf.data: microseconds that threads were blocked, from what a recording has of that.
# tier: live
. "$(dirname "$0")/perfdata-lib.sh"

# A switch from one thread to another: 1 is asleep, 2 in the disk's queue, 0 ready to run, 16 dead.
cat >switch.pl <<'END'
sub name16 { substr $_[0] . zeros(16), 0, 16 }
sub switched {
	my ($prev, $state, $next, $ms, @chain) = @_;
	sample(event => 'sched:sched_switch', pid => $prev, cpu => 0, time => 1_000_000_000 + $ms * 1_000_000,
	    chain => ['kernel', k(), 'user', @chain], period => 1,
	    raw => zeros(8) . name16('prev') . u32($prev, 120) . u64($state) . name16('next') . u32($next, 120));
}
sub stat_ {
	my ($event, $tid, $ns, $ms) = @_;
	sample(event => "sched:$event", pid => 1, time => 1_000_000_000 + $ms * 1_000_000, chain => ['kernel', k(0x40)],
	    period => $ns, raw => zeros(8) . name16('app') . u32($tid, 0) . u64($ns));
}
sub scheduler {
	my $id = 40;
	event("sched:$_", type => 2, config => 300 + $id, ids => [$id++], sample => 'identifier ip tid time cpu period callchain raw', period => 1) for @_;
	kernel_map();
	app(100, qw(main read));
}
END
with() { cat switch.pl -; }
kernel='[kernel.kallsyms]'

cat >plain.d <<'END'
file(order => $ARGV[0] // '');
scheduler('sched_switch');
switched(100, 1, 0, 10, f('read'), f('main'));
switched(0, 0, 100, 17);
switched(100, 0, 200, 20, f('main'));
switched(200, 2, 100, 30, f('main'));
switched(100, 2, 0, 31, f('read'), f('main'));
switched(0, 0, 100, 33);
switched(100, 16, 0, 40, f('main'));
switched(0, 0, 100, 50);
END
for order in little big; do
	words=$order
	cross=no
	made "sched_switch: from where a thread leaves to when it is back, $order-endian" "app;[main];[read];$kernel 9000" --off-cpu <<END
$(with <plain.d)
END
done
words=
cross=no
made 'each sleep is a sample' "app;[main];[read];$kernel 2" --off-cpu --samples <<END
$(with <plain.d)
END
cross=no
made 'a range of time is one of when they fell asleep' "app;[main];[read];$kernel 2000" --off-cpu --from 15ms <<END
$(with <plain.d)
END
made_says 'a sleep without an end is said' '2 of 4 sleeps have no end' --off-cpu <<END
$(with <plain.d)
switched(100, 1, 0, 60, f('main'));
END

# perf record -e sched:sched_stat_sleep,sched:sched_stat_blocked,sched:sched_stat_iowait -e sched:sched_switch
cat >stat.d <<'END'
scheduler('sched_stat_sleep', 'sched_stat_blocked', 'sched_stat_iowait', 'sched_switch');
switched(100, 1, 0, 10, f('read'), f('main'));
stat_('sched_stat_sleep', 100, 5_000_000, 15);
switched(0, 0, 100, 19); # it waited for the processor
switched(100, 2, 0, 20, f('main'));
stat_('sched_stat_iowait', 100, 3_000_000, 23);
stat_('sched_stat_blocked', 100, 3_000_000, 23);
switched(0, 0, 100, 24);
END
cross=no
made 'sched_stat events: the time until the thread was woken, what is said twice once' "app;[main];$kernel 3000
app;[main];[read];$kernel 5000" --off-cpu <<END
$(with <stat.d)
END
cross=no
made 'of one process, of which nothing says when it is back' "app;[main];$kernel 3000
app;[main];[read];$kernel 5000" --off-cpu <<END
$(with <stat.d | grep -v 'switched(0')
END
cross=no
made 'sched_stat events that the kernel never wrote (kernel.sched_schedstats=0)' "app;[main];$kernel 4000
app;[main];[read];$kernel 9000" --off-cpu <<END
$(with <stat.d | grep -v '^stat_')
END
cross=no
made 'raw data that are too short do not say that it was ready to run' "app;[main] 9000
app;[main];$kernel 4000" --off-cpu <<END
$(with <stat.d | grep -v '^stat_' | sed 's/^switched(100, 1,.*/sample(event => "sched:sched_switch", pid => 100, chain => ["user", f("main")], raw => zeros(12), time => 1_010_000_000);/')
END

# context-switches with the records of --switch-events: bit 13 is out, 14 preempted.
cat >records.d <<'END'
event('context-switches', sample => 'ip tid time cpu period callchain', period => 1, flags => 'mmap comm task sample_id_all mmap2 context_switch');
kernel_map();
app(100, 'main');
my $ms = sub { 1_000_000_000 + $_[0] * 1_000_000 };
sample(pid => 100, chain => ['kernel', k(), 'user', f('main')], time => $ms->(1));
switch_(1, pid => 100, time => $ms->(1.1));
switch_(0, pid => 100, time => $ms->(8));
sample(pid => 100, chain => ['kernel', k(0x20), 'user', f('main')], time => $ms->(10));
switch_(1, pid => 100, misc => 1 << 14, time => $ms->(10.1));
switch_(0, pid => 100, time => $ms->(20));
END
cross=no
made 'records of --switch-events: who was preempted did not sleep' "app;[main];$kernel 7000" --off-cpu <records.d
cross=no
made 'the same of the whole machine' "app;[main];$kernel 7000" --off-cpu <<END
$(sed 's/switch_(\([01]\), pid => 100,/switch_cpu_wide(\1, 0, 0, pid => 100,/' records.d)
END

# What the installed perf records, against perf script's text of the same file.
cat >naps.sh <<'END'
for i in 1 2 3 4 5 6 7 8 9 10; do
	sleep 0.02
done
END
slept() { awk '/^sleep;.*nanosleep/ { n += $NF } END { print n + 0 }'; }
about() { check "$1" test "$2" -ge 200000 -a "$2" -le 2000000; }
# perf itself misses naps at times on a busy machine: then another recording, up to three.
recorded() {
	for _ in 1 2 3; do
		perf record -q "$@" -g -o switch.data sh naps.sh >/dev/null 2>.said || return 1
		us=$(fg-collapse -q --off-cpu switch.data | slept)
		[ "$us" -lt 200000 ] || break
	done
}
if recorded -a -e sched:sched_switch; then
	text=$(perf script -i switch.data 2>/dev/null | fg-collapse -q -f perf-sched | slept)
	if [ "$us" -lt 200000 ] && [ "$text" -lt 200000 ]; then
		skip 'perf record -a -e sched:sched_switch: ten naps of 20 ms' \
			'perf records no switches of the idle thread on a CPU here: perf script has none either'
	else
		about 'perf record -a -e sched:sched_switch: ten naps of 20 ms' "$us"
	fi
	echo "$us, and in the text $text" >.said
	# There the naps of whoever was ready but not running count too.
	check 'as in the text of perf script, or less' test "$us" -le $((text + 50)) -a "$((us + us / 2))" -ge "$text"
	recorded -e sched:sched_switch --switch-events
	about 'of one command, with --switch-events' "$us"
	perf record -q -e sched:sched_switch -g -o switch.data sh naps.sh >/dev/null 2>.said
	fg-collapse --off-cpu switch.data >got 2>missing
	check 'and without, which says what is missing' grep -q 'have no end in the recording: perf record -a, or --switch-events' missing
else
	skip 'sched:sched_switch' "perf cannot record it: $(head -1 .said)"
fi
if recorded -e context-switches -c 1 --switch-events; then
	about 'context-switches and --switch-events: the same naps' "$us"
	perf record -q -e context-switches -c 1 -g -o context.data sh naps.sh >/dev/null 2>.said
	status 'without the records it is refused' 2 fg-collapse --off-cpu context.data
fi
done_testing
