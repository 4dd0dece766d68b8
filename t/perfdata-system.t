#!/bin/sh
# perf.data of the whole machine (perf record -a), compared with perf script by address, so that
# equal names cannot hide a difference.
# tier: soak
. "$(dirname "$0")/lib.sh"
command -v perl >/dev/null || skip_all 'there is no perl' perl
if ! perf record -q -a -e cpu-clock -g -o try.data true >.said 2>&1 || ! perf script -i try.data >/dev/null 2>&1; then
	skip_all "perf cannot record the whole machine: $(head -1 .said)"
fi

# Short-lived programs that start all the time, and a long-lived one.
cat >busy.sh <<'END'
( n=0; while [ $n -lt 60000 ]; do n=$((n + 1)); done ) &
i=0
while [ $i -lt 80 ]; do
	ls / >/dev/null
	/bin/true
	i=$((i + 1))
done
wait
END

# held FILE: compares the stacks of both by address. perf script prints return addresses; one less
# is an address in the call. Exceptions: perf drops a call chain with an address above -4096, we
# drop only that address. Where a frame pointer chain contains the kernel's marker (-128), our
# stack ends, and perf's continues with [unknown]: such roots are ignored on both sides. One sample
# in 100 may be in a mapping from before an exec, which perf never removes.
cat >held.pl <<'END'
use strict; use warnings; no warnings 'portable';
my (%perfs, %ours, $thrown, $comm, $period, @frames, $where);
sub kept { $_[0] !~ /bpf/ } # a program's function has no address there
sub done {
	return unless defined $comm;
	@frames ? $perfs{join ';', $comm, reverse @frames} += $period : ($thrown += $period);
	undef $comm;
	@frames = ();
}
$thrown = 0;
open my $f, '-|', "perf script -F comm,pid,tid,time,period,event,ip,dso -i $ARGV[0] 2>/dev/null" or die;
while (<$f>) {
	if (/^(\S.*?) +-?\d+\/-?\d+ +[\d.]+: +(\d+)/) {
		done();
		($comm, $period, $where) = ($1, $2, '');
		$comm =~ tr/ /_/;
	} elsif (/^\s+([0-9a-f]+) \((.*)\)$/) {
		my ($at, $module) = (hex $1, $2);
		my $in = $module =~ /^\[(?!unknown|vdso|vsyscall|heap|stack|anon)/ ? 'kernel' : 'user';
		$at-- if $in eq $where; # not where each part was interrupted
		$where = $in;
		$module =~ s/ \(deleted\)$//;
		if ($module =~ /^\/memfd:|^\/\/anon|^\[anon|^\/anon_hugepage|perf-\d+\.map$|^\[heap|^\[stack|^\/SYSV|^\/dev\/zero/) {
			push @frames, '[jit]';
		} elsif ($module eq '[unknown]') {
			push @frames, '[unknown]';
		} else {
			$module =~ s/.*\///;
			$module =~ s/^\[(.*)\]$/$1/;
			push @frames, $module eq 'jit' ? '[jit]' : sprintf '[%s <%x>]', $module, $at;
		}
	}
}
done();
open $f, '-|', "fg-collapse -q --addrs --no-annotate --symfs empty --buildids empty --kallsyms /dev/null --maps '' $ARGV[0]" or die;
while (<$f>) {
	next if /^#/ || !/^(.*) (\d+)$/;
	my ($stack, $value) = ($1, $2);
	$stack =~ s/\[jit <\w+>\]/[jit]/g;
	$stack =~ s/\[unknown <\w+>\]/[unknown]/g;
	$ours{$stack} += $value;
}
my ($missing, $more) = (0, 0);
for my $of (\%perfs, \%ours) {
	for (keys %$of) {
		(my $known = $_) =~ s/^([^;]*)(;\[unknown\])+(?=;)/$1/;
		$of->{$known} += delete $of->{$_} if $known ne $_;
	}
}
for my $stack (grep { kept($_) } keys %{{%perfs, %ours}}) {
	my $d = ($ours{$stack} // 0) - ($perfs{$stack} // 0);
	$d > 0 ? ($more += $d) : ($missing -= $d);
	print STDERR "$d $stack\n" if $d;
}
my $all = 0;
$all += $_ for values %perfs;
$more -= $thrown;
print $all == 0 ? "no stacks\n" : $missing > $all / 100 || $more != $missing ? "missing $missing, more $more of $all\n" : "the same\n";
END
mkdir empty
echo 'the same' >wanted
# recorded NAME [OPTION...]: a recording without lost records.
recorded() {
	name=$1
	shift
	perf record -q -a -e cpu-clock -F 1997 -m 4M -g "$@" -o all.data sh busy.sh >/dev/null 2>&1
	if perf report -i all.data --stats 2>/dev/null | grep -q 'LOST.* [1-9]'; then
		skip "$name" 'the ring buffers overflowed'
		return
	fi
	perl held.pl all.data >got 2>differ
	cmp -s wanted got || cut -c 1-300 differ | head -20 >>got
	same "$name" wanted got
}
recorded 'perf record -a: every stack of perf script, and none besides'
total() { awk '!/^#/ { n += $NF } END { printf "%.0f\n", n }'; }
fg-collapse -q --no-inline all.data | total >got
perf script --no-inline -i all.data 2>/dev/null | fg-collapse -q | total >want
same 'perf record -a: its total' want got
recorded 'with records of switches between' --switch-events
done_testing
