#!/bin/sh
# perf.data: blocked time in microseconds, from each kind of event that may record it.
# tier: quick
. "$(dirname "$0")/perfdata-lib.sh"

# A switch between two threads. States: 1 sleeping, 2 disk sleep, 0 runnable, 16 dead. The field
# offsets are in the file's tracing data; with the word "moved" they differ.
cat >switch.pl <<'END'
my $moved = grep { $_ eq 'moved' } @ARGV;
sub name16 { substr $_[0] . zeros(16), 0, 16 }
sub raw_switch {
	my ($prev, $state, $next) = @_;
	return zeros(8) . u64($state) . u32($next, 120, $prev, 120) . name16('prev') if $moved;
	return zeros(8) . name16('prev') . u32($prev, 120) . u64($state) . name16('next') . u32($next, 120);
}
sub switched {
	my ($prev, $state, $next, $ms, @chain) = @_;
	sample(event => 'sched:sched_switch', pid => $prev, cpu => 0, time => 1_000_000_000 + $ms * 1_000_000,
	    chain => ['kernel', k(), 'user', @chain], period => 1, raw => raw_switch($prev, $state, $next));
}
sub stat_ {
	my ($event, $tid, $ns, $ms) = @_;
	sample(event => "sched:$event", pid => 1, time => 1_000_000_000 + $ms * 1_000_000, chain => ['kernel', k(0x40)],
	    period => $ns, raw => zeros(8) . name16('app') . u32($tid, 0) . u64($ns));
}
# A wake-up by a thread, or in an interrupt (flags 8).
sub woken {
	my ($event, $waker, $tid, $ms, $flags, @chain) = @_;
	sample(event => "sched:$event", pid => $waker, cpu => 1, time => 1_000_000_000 + $ms * 1_000_000,
	    chain => ['kernel', k(0x40), 'user', @chain], period => 1,
	    raw => u16(0) . u8($flags, 0) . u32(0) . name16('app') . u32($tid, 120, 1, 0));
}
sub scheduler {
	my $id = 40;
	my @stat = ('char comm[16]' => 8, 'pid_t pid' => 24, 'u64 delay' => 32);
	my @switch = $moved ? ('long prev_state' => 8, 'pid_t next_pid' => 16)
	    : ('char prev_comm[16]' => 8, 'pid_t prev_pid' => 24, 'int prev_prio' => 28, 'long prev_state' => 32,
		'char next_comm[16]' => 40, 'pid_t next_pid' => 56, 'int next_prio' => 60);
	feature('TRACING_DATA', tracing(ftrace => [], sched => [map { tracepoint($_, 300, $_ eq 'sched_switch' ? @switch : @stat) } @_]))
	    unless grep { $_ eq 'bare' } @ARGV;
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
# Thread 100 sleeps from 10 to 17 and from 31 to 33 ms, thread 200 from 30 ms to the end.
slept=":200;[unknown];$kernel 20000
app;[main];[read];$kernel 9000"
for order in little big 'little moved' 'big moved'; do
	words=$order
	cross=no
	made "sched_switch: from switch-out to switch-in, or to the end ($order)" "$slept" --off-cpu <<END
$(with <plain.d)
END
done
words=
cross=no
made 'sched_switch from a pipe, with the format in a record' "$slept" --off-cpu <<END
$(with <plain.d | sed "s/^file(.*/file(pipe => 1);/; s/feature('TRACING_DATA', \(.*\))\$/tracing_data(\1)/")
END
cross=no
made 'each sleep is a sample' ":200;[unknown];$kernel 1
app;[main];[read];$kernel 2" --off-cpu --samples <<END
$(with <plain.d)
END
cross=no
made 'a range of time: the part of each sleep within it' ":200;[unknown];$kernel 2000
app;[main];[read];$kernel 2000" --off-cpu --from 6ms --to 22ms <<END
$(with <plain.d)
END
cross=no
made 'a recording of one process has no switch-ins: not counted' \
	"app;[main];[read];$kernel 2000" --off-cpu <<END
$(with <plain.d | grep -v 'switched(0' | sed 's/^switched(200.*/switched(100, 0, 100, 30); &/; s/^switched(100, 16/switched(100, 0, 100, 33, f("main")); &/')
END
made_says 'a sleep without an end is reported' '4 of 4 sleeps have no end' --off-cpu <<END
$(with <plain.d | grep -v 'switched(0')
switched(100, 1, 0, 60, f('main'));
END
made_says 'without wake-ups the summary says what is included' 'no wake-up events: run queue latency is included' --off-cpu <<END
$(with <plain.d)
END
words=bare
with <plain.d | make_data >in.data
status 'a recording without the format of sched_switch is refused' 2 fg-collapse --off-cpu in.data
words=

# Thread 100 sleeps from 10 ms until thread 300 wakes it at 13 ms; it waits for a CPU until 17 ms
# and runs until 20. Then it is preempted until 25, and sleeps from 30 until an interrupt wakes it
# at 34. cpu-clock samples it at 18, 19, 26 and 29 ms.
cat >woken.d <<'END'
scheduler(qw(sched_switch sched_waking sched_wakeup));
event('cpu-clock', type => 1, config => 0, ids => [50], sample => 'identifier ip tid time cpu period callchain', period => 1);
sub clock_ { sample(event => 'cpu-clock', pid => 100, cpu => 0, time => 1_000_000_000 + $_[0] * 1_000_000, chain => ['user', f($_[1])], period => 1_000_000) }
app(300, qw(main));
switched(100, 1, 0, 10, f('read'), f('main'));
woken('sched_waking', 300, 100, 12.9, 0, f('main'));
woken('sched_wakeup', 300, 100, 13, 0, f('main'));
switched(0, 0, 100, 17);
clock_(18, 'main');
clock_(19, 'read');
switched(100, 0, 300, 20, f('main'));
switched(300, 1, 100, 25, f('main'));
clock_(26, 'main');
clock_(29, 'read');
switched(100, 1, 0, 30, f('read'), f('main'));
woken('sched_waking', 300, 100, 34, 8, f('main'));
woken('sched_wakeup', 300, 100, 34, 8, f('main'));
switched(0, 0, 100, 35);
switched(100, 16, 0, 36, f('main'));
END
cross=no
made 'sched_wakeup ends blocked time: waiting for a CPU is not blocked' "app;[main];$kernel 11000
app;[main];[read];$kernel 7000" --off-cpu <<END
$(with <woken.d)
END
cross=no
made '--wall: on a CPU, waiting for one, blocked' "app;[main] 3000 0 0
app;[main];$kernel 0 5000 11000
app;[main];[read];$kernel 0 5000 7000
app;[read] 6000 0 0" --wall <<END
$(with <woken.d)
END
cross=no
made '--wakers: a thread, which the other waits for, and an interrupt' "app;[main];${kernel}_[k] 11000
app;[main];[read];${kernel}_[k];${kernel}_[w];[main]_[w];app_[w] 2900
app;[main];[read];${kernel}_[k];${kernel}_[w];interrupt_[w] 4000" --off-cpu --wakers --annotate <<END
$(with <woken.d)
END
with <plain.d | make_data >in.data
status '--wakers of a recording without sched_waking is refused' 2 fg-collapse --off-cpu --wakers in.data
status '--wall of a recording without samples of running threads is refused' 2 fg-collapse --wall in.data
status '--wakers needs --off-cpu or --wall' 2 fg-collapse --wakers in.data

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
made 'sched_stat events: blocked until the wake-up, duplicates once' "app;[main];$kernel 3000
app;[main];[read];$kernel 5000" --off-cpu <<END
$(with <stat.d)
END
cross=no
made 'sched_stat events of one process, without switch-ins' "app;[main];$kernel 3000
app;[main];[read];$kernel 5000" --off-cpu <<END
$(with <stat.d | grep -v 'switched(0')
END
cross=no
made 'sched_stat events that the kernel never wrote (kernel.sched_schedstats=0)' "app;[main];$kernel 4000
app;[main];[read];$kernel 9000" --off-cpu <<END
$(with <stat.d | grep -v '^stat_')
END
cross=no
made 'raw data that are too short: the thread counts as blocked' "app;[main] 9000
app;[main];$kernel 4000" --off-cpu <<END
$(with <stat.d | grep -v '^stat_' | sed 's/^switched(100, 1,.*/sample(event => "sched:sched_switch", pid => 100, chain => ["user", f("main")], raw => zeros(12), time => 1_010_000_000);/')
END

# context-switches events with the records of --switch-events: bit 13 means out, bit 14 preempted.
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
made '--switch-events of the whole system' "app;[main];$kernel 7000" --off-cpu <<END
$(sed 's/switch_(\([01]\), pid => 100,/switch_cpu_wide(\1, 0, 0, pid => 100,/' records.d)
END
done_testing
