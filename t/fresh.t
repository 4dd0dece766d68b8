#!/bin/sh
# Fixtures of other projects, so that a change of a producer is found soon: FRESH names a directory
# with a checkout of each project, by its name. The sum of a fixture is that of the project's own
# expectation, where it has one; else, the output is that of the last time, which is stored in
# FRESH/results. The fixtures themselves are not part of this tree.
# tier: soak
. "$(dirname "$0")/lib.sh"
[ -n "${FRESH-}" ] || skip_all 'FRESH= names no directory of checkouts'
[ -d "$FRESH" ] || skip_all "$FRESH is not a directory"

# Project, pattern of its fixtures, and sed's change of a fixture's path to that of its expectation.
cat >projects <<'END'
FlameGraph test/*.txt -
inferno tests/data/collapse-dtrace/*.txt s,[^/]*$,results/&,
inferno tests/data/collapse-[!d]*/*.txt s,\.txt$,-collapsed.txt,;s,[^/]*$,results/&,
inferno tests/data/collapse-ghcprof/*.prof -
inferno tests/data/flamegraph/*/*.svg -
firefox-profiler src/test/fixtures/upgrades/*.json* -
firefox-profiler profiler-cli/src/test/fixtures/* -
samply fixtures/*/*.json* -
speedscope sample/profiles/*/* -
pprof profile/testdata/* -
async-profiler test/test/*/*.jfr -
jmc core/tests/org.openjdk.jmc.flightrecorder.test/src/main/resources/*/* -
perfetto test/data/*.pftrace -
simpleperf testdata/* -
pyinstrument test/*/*.pyisession -
pyroscope pkg/*/testdata/*.json -
austin test/data/* -
perfview src/TraceEvent/TraceEvent.Tests/inputs/*.nettrace -
END

# sum FILE: the number of folded stacks' values, of those that are not negative.
sum() { awk '!/^#/ { n += $NF } END { printf "%.6g\n", n }' "$1"; }

results=$FRESH/results
mkdir -p "$results" || skip_all "$results cannot be written"
while read -r project pattern expected; do
	[ -d "$FRESH/$project" ] || continue
	(cd "$FRESH/$project" && eval "ls -d $pattern" 2>/dev/null) >files
	while read -r file; do
		[ -f "$FRESH/$project/$file" ] || continue
		limited 60 fg-collapse "$FRESH/$project/$file" >got 2>said
		status=$?
		[ $status = 0 ] || { echo "exit status $status" && cat said; } | sed "s,$FRESH/,,g" >got
		want=
		[ "$expected" = - ] || want=$FRESH/$project/$(printf '%s\n' "$file" | sed "$expected")
		last=$results/$(printf '%s\n' "$project/$file" | tr / ,)
		# Others add up the events of a profile.
		if [ -f "$want" ] && [ $status = 0 ] && ! grep -q '; left out: ' said; then
			sum "$want" >wanted
			sum got >summed
			same "$project: $file has the sum that the project expects" wanted summed
		elif [ -f "$last" ]; then
			same "$project: $file has last time's output" "$last" got
		fi
		cp got "$last"
	done <files
done <projects
ok 'the results are stored for the next time'
done_testing
