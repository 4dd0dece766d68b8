#!/bin/sh
# tier: full
# Work is proportional to input: each family of hostile input is made at size N and at 2 N, and
# the second one may use at most 2.6 times the CPU time and the memory of the first. What is quadratic
# uses 4 times. Neither is a time: both runs share the machine, and the smallest of several counts.
. "$(dirname "$0")/lib.sh"
command -v perl >/dev/null || skip_all 'perl is not installed'
[ -x "$UNIT/cost" ] || skip_all 'the unit programs are not built'

LEAST=40000 # us and KiB of the larger run, below which a ratio is that of the start-up
LEAST_KB=20000

# least FILE CPU KB: the smaller ones of those two and of FILE, to FILE.
least() {
	[ -s "$1" ] && read -r cpu kb <"$1" || cpu=$2 kb=$3
	[ "$2" -lt "$cpu" ] && cpu=$2
	[ "$3" -lt "$kb" ] && kb=$3
	echo "$cpu $kb" >"$1"
}

# measure FILE COMMAND...: 1 when it did not end as it should (exit status 0 to 2).
measure() {
	to=$1
	shift
	"$UNIT/cost" cost "$@" >/dev/null 2>errors
	left=$?
	[ "$left" -le 2 ] || { echo "$*: exit status $left"; head -5 errors; return 1; }
	read -r now_cpu now_kb <cost
	least "$to" "$now_cpu" "$now_kb"
}

is_proportional() {
	read -r cpu1 kb1 <small
	read -r cpu2 kb2 <large
	{ [ "$cpu2" -le $LEAST ] || [ $((cpu2 * 10)) -le $((cpu1 * 26)) ]; } &&
	    { [ "$kb2" -le $LEAST_KB ] || [ $((kb2 * 10)) -le $((kb1 * 26)) ]; }
}

# grows NAME N MAKE COMMAND...: MAKE is a shell command that writes an input of size $n; COMMAND
# reads it as the file `in`.
grows() {
	name=$1 size=$2 make=$3
	shift 3
	mkdir -p 1 2
	n=$size sh -c "$make" >1/in && n=$((2 * size)) sh -c "$make" >2/in ||
	    { not_ok "$name: the input"; return; }
	rm -f small large
	for try in 1 2 3 4 5; do
		(cd 1 && measure ../small "$@") >"$tmp/.said" && (cd 2 && measure ../large "$@") >"$tmp/.said" ||
		    { not_ok "$name"; return; }
		[ "$try" -gt 1 ] && is_proportional && break
	done
	echo "# $name: $cpu1 -> $cpu2 us, $kb1 -> $kb2 KiB"
	echo "$cpu1 -> $cpu2 us, $kb1 -> $kb2 KiB" >"$tmp/.said"
	if is_proportional; then ok "$name"; else not_ok "$name"; fi
}

# data WORDS: a perf.data of the description on standard input, to which $n is known as $ARGV[0].
data() {
	cat >"$1.pl"
	echo "perl '$here/perfdata/make.pl' \$n <'$tmp/$1.pl'"
}

# Addresses that a multiplication by the golden ratio, which hash tables are often built on,
# brings to one place: the product's upper half is 0.
grows 'perf.data: addresses without a rule that collide' 30000 "$(data collide <<'END'
use integer;
my ($golden, $inverse) = (0x9e3779b97f4a7c15, 1);
$inverse *= 2 - $golden * $inverse for 1 .. 6;
event('cycles', sample => 'ip tid time period callchain regs_user stack_user', regs => 7 << 6, stack => 8,
	flags => 'mmap comm task sample_id_all mmap2 exclude_callchain_user');
comm(100, 'app');
mmap2(100, 0x1000, 0xffffffffffffe000, '/x/app', offset => 0x1000);
for my $i (1 .. $ARGV[0]) {
	my $at = $i * $inverse;
	sample(pid => 100, ip => $at, regs => [0x7000, 0x7000, $at], stack => "\0" x 8, dyn_size => 8);
}
END
)" fg-collapse -q in

done_testing
