#!/bin/sh
# The pipe fg-collapse | fg-render, and the same pipe with other tools at its ends.
# tier: full
. "$(dirname "$0")/lib.sh"

fg-collapse -q "$here/data/demo.folded" >folded
fg-render --title 'the main job' folded >out.svg
check 'folded stacks become an SVG' xmllint --noout out.svg
check 'the SVG has the title' grep -q 'the main job' out.svg
fg-collapse -q "$here/data/demo.folded" | fg-render --title 'the main job' >piped.svg
same 'folded stacks through a pipe give the same SVG' out.svg piped.svg

flamegraph=$(command -v flamegraph.pl || ls /usr/share/perl5/Devel/NYTProf/flamegraph.pl 2>/dev/null)
if [ -n "$flamegraph" ]; then
	check 'flamegraph.pl reads our stacks' sh -c 'perl "$0" folded >theirs.svg' "$flamegraph"
	total=$(awk '{ sum += $NF } END { printf "%d", sum }' folded)
	check 'flamegraph.pl counts the same total' sh -c "tr -d , <theirs.svg | grep -q '<title>all ($total samples 100%)'"
	fg-collapse -q --no-annotate "$here/data/perf-cpp.txt" >classic
	check 'flamegraph.pl reads stacks of perf script' sh -c 'perl "$0" classic | grep -q "<title>all ("' "$flamegraph"
else
	skip 'flamegraph.pl reads our stacks' 'flamegraph.pl is not installed' libdevel-nytprof-perl
fi
if [ -n "$shared" ]; then
	for f in "$shared"/corpus/perf-script/*.folded; do
		fg-render "$f" 2>/dev/null | xmllint --noout - 2>/dev/null || echo "$f"
	done >bad
	find "$shared/corpus/perf-script" -name '*.folded' -empty >empty
	grep -vxFf empty bad >wrong
	: >nothing
	same "stackcollapse-perf.pl's stacks are drawn" nothing wrong
else
	skip "stackcollapse-perf.pl's stacks are drawn" 'no ../shared here'
fi

if perf record -q -e cpu-clock -F 997 -g -o perf.data -- sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done' >/dev/null 2>&1 &&
	perf script -i perf.data >script 2>/dev/null && [ -s script ]; then
	fg-collapse -q script >live
	check 'perf script of a real run' sh -c 'grep -q "^sh;" live && fg-render --countname ns live | xmllint --noout -'
	fg-collapse -q --samples script | awk '{ sum += $NF } END { print sum }' >ours
	grep -c 'cpu-clock' script >theirs
	same 'no sample is lost' theirs ours
else
	skip 'perf script of a real run' 'this machine has no perf, or refuses to be profiled' linux-perf
fi
done_testing
