#!/bin/sh
# Large inputs: prints the CPU time and the peak memory of each, and checks its result.
# tier: soak
# LOAD in the environment: percent of the full sizes (100), which are 10 GB of perf script, 20
# million distinct stacks, 1,000,000 names, 10,000 files and a stack of 1,000,000 frames.
. "$(dirname "$0")/lib.sh"
command -v perl >/dev/null || skip_all 'perl is not installed' perl
[ -x "$UNIT/cost" ] || skip_all 'the unit programs are not built'
load=${LOAD:-100}
export COST_LIMIT=3600

# measure COMMAND...: reads stdin, writes `out`; sets cpu (us) and kb.
measure() {
	"$UNIT/cost" cost "$@" >out 2>errors || { head -3 errors; return 1; }
	read -r cpu kb <cost
}
figures() { echo "# $*: $((cpu / 1000)) ms of CPU, $((kb / 1024)) MiB"; }

# Perf script text, $1 MB with 1,000 distinct stacks. A sample has about 200 bytes.
script() {
	perl -e 'my ($mb) = @ARGV; my $line = "";
		for my $i (0 .. 999) { $line .= sprintf "app 100/%d 1.5: 1000 cycles:\n\t%x leaf%d (/usr/bin/app)\n", 100 + $i % 7, 4096 + $i, $i;
			$line .= sprintf "\t%x caller_%d+0x10 (/usr/bin/app)\n", 8192 + $_, $_ for 1 .. 3; $line .= "\n" }
		my $n = int($mb * 1e6 / length $line) + 1; print $line for 1 .. $n; print STDERR $n * 1000' "$1" 2>samples
}
for part in 1 4; do
	script $((25 * load * part)) | { measure fg-collapse -q -; echo "$cpu $kb" >cost.$part; }
	read -r cpu kb <cost.$part
	figures "$((25 * load * part)) MB of perf script through a pipe, 1,000 distinct stacks"
done
read -r _ small <cost.1
read -r _ large <cost.4
check 'perf script: four times the text takes the same memory (+20 % at most)' [ $((large * 10)) -le $((small * 12 + 20000)) ]
check 'perf script: every sample counts' sh -c '[ "$(awk "!/^#/ { n += \$NF } END { printf \"%.0f\", n }" out)" = "$(cat samples)000" ]'

stacks=$((200000 * load))
perl -e 'my $n = shift; printf "app;f%d;g%d;h%d 1\n", $_ % 1000, $_ / 1000 % 1000, $_ / 1000 for 0 .. $n - 1' $stacks |
	{ measure fg-filter -; echo "$cpu $kb" >cost.1; }
read -r cpu kb <cost.1
figures "$stacks distinct stacks"
output 'distinct stacks: none is lost' $stacks sh -c 'grep -vc "^#" out'
# A node has 16 bytes, its value 8, and its children's index or their array for sorting 8 to 16.
check 'distinct stacks: 42 bytes each' [ $((kb * 1024)) -le $((stacks * 42 + 16000000)) ]
rm -f out

names=$((10000 * load))
perl -e 'printf "app;function_with_a_name_%d 1\n", $_ for 1 .. shift' $names | { measure fg-filter -; echo "$cpu $kb" >cost.1; }
read -r cpu kb <cost.1
figures "$names distinct names"
output 'distinct names: none is lost' $names sh -c 'grep -vc "^#" out'

perl -e 'print "a;b 18446744073709551615\n" for 1 .. 1000' >big
output 'a sum beyond 64 bits is exact' 'a;b 18446744073709551615000' fg-filter big

files=$((100 * load))
mkdir files
perl -e 'for (1 .. shift) { open F, ">files/$_"; print F "app;main;f", $_ % 10, " 1\napp;g 2\n" }' $files
find files -type f -print0 | sort -z >list
measure fg-merge --files0-from=list
figures "$files input files"
output 'input files: every one counts' "app;g $((2 * files))" grep '^app;g ' out

frames=$((10000 * load))
perl -e 'print join(q{;}, map { "f$_" } 1 .. shift), " 1\n"' $frames >deep
for kind in svg tree top flame markdown json pprof speedscope; do
	check "a stack of $frames frames is drawn with -T $kind" measure fg-render -T $kind -o picture deep
	figures "$frames frames with -T $kind, $(wc -c <picture) bytes"
done
for program in 'fg-filter' 'fg-merge' 'fg-diff deep'; do
	# shellcheck disable=SC2086
	check "a stack of $frames frames passes through $program" measure $program deep
	figures "$frames frames through $program"
done
done_testing
