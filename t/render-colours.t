#!/bin/sh
# fg-render: colours by the costs of a frame: their hue, their strength, and the words of the legend.
# tier: quick
. "$(dirname "$0")/lib.sh"

# Rows of the static SVG that each class fills: "b0 1 b10 2".
rows() {
	fg-render "$@" | perl -ne '
		while (/<path class="([a-z]\d+)" stroke="#\w+" d="([^"]*)"/g) {
			my ($class, $d) = ($1, $2);
			$w{$class} += $1 while $d =~ /h(\d{2,})/g;
		}
		END { print join(" ", map { sprintf "%s %.3g", $_, $w{$_} / 4720 }
			sort { substr($a, 1) <=> substr($b, 1) } keys %w), "\n" }'
}
legend() {
	fg-render "$@" | perl -ne 'print "$1\n" if /<text class="dim"[^>]* y="60.8">(.*)<\/text>/' | paste -sd '|'
}

four='# columns: instruction cache memory system\n'
printf "$four"'%s\n' 'main 0 0 1 0' 'main;load 0 0 1 0' 'main;load;compute 1000000 0 0 0' >trifle
output 'bottleneck: a few cycles of memory of its own give a caller no colour of memory' 'b0 1 b10 3' rows trifle
printf "$four"'%s\n' 'main 10 0 20 0' 'main;compute 1000 0 0 0' >some
output 'bottleneck: a frame whose own cost is 3 % has a half tone, with the hue of its total' 'b0 0.971 b5 1 b10 1' rows some
printf "$four"'%s\n' 'main 0 0 400 0' 'main;compute 1000 0 0 0' >quarter
output 'bottleneck: a frame whose own cost is over a quarter is strong' 'b0 1.71 b10 1' rows quarter
check 'bottleneck: the legend explains hue and strength' \
	sh -c 'fg-render trifle | grep -q ">most of the total; pale: the cost is in callees<"'
printf '# columns: cpu waiting blocked\n# unit: us 0 0 0\n%s\n' 'sh 1 0 0' 'sh;work 100 0 0' 'sh;nap 0 0 300' >wall
output 'wait: callers are pale' 't0 0.249 t2 0.748 t10 2' rows wall
printf '# columns: base head\n# values: exact\n%s\n' 'm;f 1000 1500' 'm;g 1000 1000' 'm;h 1000 1001' >exact
output 'differential: exact values have no threshold, and a trifle is pale' 'd0 0.428 d4 0.285 d10 2.28' rows exact
printf '# columns: base head\n# values: sampled\n%s\n' 'm;f 10003 60007' 'm;g 10003 10003' 'm;h 10003 10013' >sampled
output 'differential: a trifle of samples has no colour' 'd0 0.749 d4 0.249 d10 2' rows sampled

bytes() {
	printf '# columns: base head\n# unit: bytes 0 0\n# values: %s 0 0\nm;cache 41943040 83886080\nm;buf 20971520 20971520\n' "$1"
}
bytes exact >heap
sed /values/d heap >old
output 'bytes grow and shrink' \
	'▲ grew|▼ shrank|+ added|− removed|unchanged|pale: the change is in callees' legend heap
output 'exact bytes: a doubled function is painted as grown' 'd0 0.8 d4 0.2 d10 2' rows heap
output 'bytes that may be sampled have sizes and colours' 'd0 0.8 d4 0.2 d10 2' rows old
output 'untested: the legend of a frame without a colour is little change' \
	'▲ grew|▼ shrank|+ added|− removed|little change|pale: the change is in callees' legend old
check 'exact bytes: the function grew' sh -c 'fg-render -T markdown heap | grep -q "^- Grew: .cache. +40 MiB"'
check 'bytes that may be sampled have no verdict' sh -c 'fg-render -T markdown old | grep -q "^- No verdict: .*# values:"'
check 'bytes that may be sampled are never within noise' sh -c '! fg-render -T markdown old | grep -q "noise"'
sed 's/bytes/ns/' old >times
output 'times become slower and faster' \
	'▲ slower|▼ faster|+ added|− removed|no clear change|pale: the change is in callees' legend times
sed 's/bytes/calls/' heap >calls
output 'counts become more and fewer' \
	'▲ more|▼ fewer|+ added|− removed|unchanged|pale: the change is in callees' legend calls
check '-T flame has the same words' sh -c 'CLICOLOR_FORCE=1 fg-render -T flame heap | grep -q "grew.*shrank.*unchanged"'

if [ -n "$shared" ] && [ -d "$shared/corpus/viewer4" ]; then
	at=$shared/corpus/viewer4
	output 'a cost of memory of 1 in 500,000 gives no colour of memory' 'b0 1 b10 3' rows "$at/bottleneck.folded"
	fg-diff "$at/heap-peak.base.folded" "$at/heap-peak.head.folded" >peak
	check 'peak of a heap without values: the doubled function leads, without a verdict' sh -c \
		'fg-render -T markdown peak | grep -q "^- Largest increases, not tested: .big. +10.6 MiB"'
	check 'peak of a heap without values: no word of noise' sh -c '! fg-render -T markdown peak | grep -qi noise'
	{ echo '# values: exact 0' && cat "$at/heap-peak.base.folded"; } >base
	{ echo '# values: exact 0' && cat "$at/heap-peak.head.folded"; } >head
	fg-diff base head >peak
	check 'exact peak of a heap: the doubled function grew' sh -c \
		'fg-render -T markdown peak | grep -q "^- Grew: .big. +10.6 MiB"'
	check 'exact peak of a heap: fg-diff says the same' sh -c 'fg-diff --report base head | grep -q "^CHANGED\|big"'
else
	skip 'a cost of memory of 1 in 500,000, peak of a heap' 'no corpus'
fi
done_testing
