#!/bin/sh
# callgrind: sums of the corpus files equal those that the files state.
# tier: full
. "$(dirname "$0")/corpus-lib.sh"

# near NAME WANT GOT: the same stacks, values differing by less than 1: the reference has
# thousandths, fg-collapse rounds.
near() {
	perl -e '
		my %sum;
		for my $file (0, 1) {
			open my $in, "<", $ARGV[$file] or die;
			/^# / or /^(.*) (\S+)$/ && ($sum{$1}[$file] += $2) while <$in>;
		}
		for (sort keys %sum) {
			my ($want, $got) = map { $_ // 0 } @{$sum{$_}}[0, 1];
			print "$_: $got, not $want\n" and $bad++ if abs($want - $got) >= 1.001;
			$n++ if $got > 0;
		}
		exit $bad > 0 || $n == 0' "$2" "$3" >"$tmp/.said"
	if [ $? = 0 ]; then ok "$1"; else not_ok "$1"; fi
}

# sums FILE COLUMN: the self cost of each function equals FILE.self.tsv; arguments are ignored.
sums() {
	sed '/^#/d' "$1.self.tsv" | awk -F '\t' -v c="$2" '{ n = NF == 1 ? 0 : $c; if (n > 0) print $1 " " n }' |
	    $rules copies versions >want.self
	sed '/^# /d; s/.*;//' got | awk '{ n = $NF; sub(/ [^ ]*$/, ""); s[$0] += n }
		END { for (f in s) printf "%s %d\n", f, s[f] }' | $rules copies versions >got.self
	same "$(basename "$1"): what each function costs itself" want.self got.self
}

while read -r file event reference; do
	at=$corpus/callgrind/$file
	fg-collapse -q --no-header --no-annotate $(echo "$event" | sed 's/^-$//; s/^./-e &/') "$at" >got 2>said
	case $event$file in # its unit is 10 ns, ours ns
	-cachegrind.out.php-xdebug | -speedscope-callgrind.multiple-event-types.log) awk '{ n = $NF / 10; sub(/ [^ ]*$/, ""); print $0, n }' got >tens && mv tens got ;;
	esac
	read_maybe_gz "$corpus/callgrind/$reference" | $rules copies versions >want.rules
	$rules copies versions <got >got.rules
	near "callgrind/$reference" want.rules got.rules
	events=$(sed -n 's/^events: *//p' "$at" | head -n 1)
	column=1
	for e in $events; do
		column=$((column + 1))
		[ "$event" = "$e" ] && break
		[ "$event" = - ] && break
	done
	sums "$at" $column
	total=$(sed -n 's/^totals: *//p' "$at" | cut -d ' ' -f $((column - 1)) | head -n 1)
	[ -z "$total" ] || output "$file: its total" "$total" awk '{ n += $NF } END { printf "%d\n", n }' got
done <<'EOF'
callgrind.plain.out - callgrind.plain.out.folded.gz
callgrind.noct.out - callgrind.noct.out.folded.gz
callgrind.full.out - callgrind.full.out.folded.gz
callgrind.full.out Dr callgrind.full.out.ev-Dr.folded.gz
callgrind.full.out sysTime callgrind.full.out.ev-sysTime.folded
callgrind.multi.out - callgrind.multi.out.folded
callgrind.multi.out.1 - callgrind.multi.out.1.folded
callgrind.threads.out-01 - callgrind.threads.out-01.folded.gz
callgrind.threads.out-02 - callgrind.threads.out-02.folded.gz
callgrind.toggle.out - callgrind.toggle.out.folded.gz
callgrind.xtree-leak.kcg DB callgrind.xtree-leak.kcg.ev-DB.folded
callgrind.xtree-leak.kcg DBk callgrind.xtree-leak.kcg.ev-DBk.folded
callgrind.xtree-memory.kcg - callgrind.xtree-memory.kcg.folded
callgrind.xtree-memory.kcg totB callgrind.xtree-memory.kcg.ev-totB.folded
pprof.cpu.callgrind - pprof.cpu.callgrind.folded
pprof.cpu.call_tree.callgrind - pprof.cpu.call_tree.callgrind.folded
cachegrind.out.php-xdebug - cachegrind.out.php-xdebug.folded
speedscope-callgrind.example.log - speedscope-callgrind.example.log.folded
speedscope-callgrind.multiple-event-types.log - speedscope-callgrind.multiple-event-types.log.folded
speedscope-callgrind.name-compression.log - speedscope-callgrind.name-compression.log.folded
EOF

formats <<'EOF'
callgrind/speedscope-callgrind.subposition-compression.log | | refused :13: a relative cost; only positions can be relative
callgrind/callgrind.xtree-leak.kcg | | refused no samples of event RB; left out: DB (3)
callgrind/callgrind.multi.out | --bottleneck | total 0
callgrind/cachegrind.out.php-xdebug | --bottleneck | refused no event Ir, which --bottleneck needs
callgrind/callgrind.plain.out | --samples | refused has no sample counts besides its weights
callgrind/callgrind.plain.out | --pid | refused has no process
folded/speedscope-simple.txt | --bottleneck | refused has no costs of caches and memory
callgrind/callgrind.plain.out | --bottleneck -e Ir | refused --bottleneck cannot be used with --event
EOF

at=$corpus/callgrind/callgrind.full.out
output 'all events, with their totals' 'D1mr D1mr 167 21767' \
    sh -c "fg-collapse --list-events '$at' | awk '\$1 == \"D1mr\" { print \$1, \$2, \$3, \$4 }'"
fg-collapse --bottleneck "$at" >got 2>said
output '--bottleneck: the columns header' '# columns: instruction cache memory system 0 0 0 0
# unit: cycles 0 0 0 0' head -n 2 got
# totals: Ir, 10 (I1mr + D1mr + D1mw), 100 (ILmr + DLmr + DLmw), sysTime
output '--bottleneck: the column sums' "58690185 $((10 * (2304 + 21767 + 7506))) $((100 * (1956 + 6899 + 6455))) 589985000" \
    awk '!/^# / { for (i = 0; i < 4; i++) s[i] += $(NF - 3 + i) } END { print s[0], s[1], s[2], s[3] }' got
for c in 0 1 2 3; do
	awk -v c=$c '/^# / { next } { n = $(NF - 3 + c); NF -= 4 } n { print $0, n }' got | LC_ALL=C sort >column.$c
done
fg-collapse -q --no-header -e Ir "$at" | LC_ALL=C sort >want
same '--bottleneck: the instruction column is event Ir' want column.0
fg-collapse -q --no-header -e sysTime "$at" | LC_ALL=C sort >want
for f in want column.3; do
	awk '{ n = $NF; sub(/ [^ ]*$/, ""); sub(/.*;/, ""); s[$0] += n } END { for (f in s) print f, s[f] }' $f | LC_ALL=C sort >$f.self
done
awk '{ n = $NF * 1000; sub(/ [^ ]*$/, ""); print $0, n }' want.self >want.cycles
same 'each function has 1 cycle for each ns of its sysTime' want.cycles column.3.self
check 'fg-render draws the four columns' sh -c 'fg-render -q got >got.svg && grep -q "<svg" got.svg'
fg-diff -q got got >diff 2>said
check 'fg-diff compares one of them' grep -q '^# columns: base head' diff
fg-collapse --bottleneck "$corpus/callgrind/callgrind.plain.out" >got 2>said
check '--bottleneck without cache events: the note names --cache-sim=yes' grep -q -- '--cache-sim=yes' said

fg-collapse -q --no-header "$corpus/callgrind/callgrind.threads.out-01" >one
fg-collapse -q --no-header "$corpus/callgrind/callgrind.threads.out-02" >two
fg-collapse -q --no-header "$corpus"/callgrind/callgrind.threads.out-0? >got 2>/dev/null
fg-merge -q one two >want
fg-collapse -q --no-header "$corpus/callgrind/callgrind.threads.out-01" "$corpus/callgrind/callgrind.threads.out-02" >got
same 'the threads of a run add up' want got

done_testing
