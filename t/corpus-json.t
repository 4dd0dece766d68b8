#!/bin/sh
# JSON profiles of the corpus.
# tier: full
. "$(dirname "$0")/corpus-lib.sh"
fg-collapse --version | grep -q '^JSON profiles: yajl' || skip_all 'built without yajl' libyajl-dev

formats <<'EOF'
cpuprofile/node20.cpuprofile | -e samples | node20.cpuprofile.count.folded | anonymous
cpuprofile/node20.cpuprofile | -e us | node20.cpuprofile.us.folded | anonymous
cpuprofile/node20.cpuprofile | -e us | total 1008464
cpuprofile/node20.cpuprofile | -e hits | node20.cpuprofile.hit.folded | anonymous
cpuprofile/node20-200us.cpuprofile | -e samples | node20-200us.cpuprofile.count.folded | anonymous
cpuprofile/node20-200us.cpuprofile | -e us | node20-200us.cpuprofile.us.folded | anonymous
cpuprofile/node20-200us.cpuprofile | -e hits | node20-200us.cpuprofile.hit.folded | anonymous
cpuprofile/speedscope-Chrome-65-simple.cpuprofile | -e samples | speedscope-Chrome-65-simple.cpuprofile.count.folded |
cpuprofile/speedscope-Chrome-65-simple.cpuprofile | -e us | = (anonymous) 1060\n(anonymous);a;b;d 17002\n(anonymous);a;c;d 17572
cpuprofile/speedscope-Chrome-65-simple.cpuprofile | -e hits | speedscope-Chrome-65-simple.cpuprofile.hit.folded |
cpuprofile/speedscope-Chrome-65-simple.cpuprofile | -e samples --skip-after=c | = (anonymous) 1\n(anonymous);a;b;d 14\nc;d 14
cpuprofile/speedscope-node-10.11.0-example.cpuprofile | -e samples | speedscope-node-10.11.0-example.cpuprofile.count.folded |
cpuprofile/speedscope-node-10.11.0-example.cpuprofile | -e us | speedscope-node-10.11.0-example.cpuprofile.us.folded |
cpuprofile/speedscope-node-10.11.0-example.cpuprofile | -e hits | speedscope-node-10.11.0-example.cpuprofile.hit.folded |
heapprofile/node20.heapprofile | | node20.heapprofile.folded | anonymous
heapprofile/speedscope-node10.heapprofile | | speedscope-node10.heapprofile.folded | anonymous
heapprofile/node20.heapprofile | --pid | refused format heapprofile has no processes
speedscope/0.0.1-simple.speedscope.json | | 0.0.1-simple.speedscope.json.speedscope.folded |
speedscope/0.0.1-simple-no-pretty-print.speedscope.json | | 0.0.1-simple-no-pretty-print.speedscope.json.speedscope.folded |
speedscope/0.1.2-simple-sampled.speedscope.json | | 0.1.2-simple-sampled.speedscope.json.speedscope.folded |
speedscope/invalid-incomplete-trace.json | | = A 100
speedscope/invalid-incomplete-trace.json | --strict | refused a close event without an open one, or an open one without a close
stackprof/gen-wall.json | | gen-wall.json.stackprof.folded |
stackprof/gen-wall.json | -e us | gen-wall.json.speedscope.folded |
stackprof/gen-object.json.gz | | gen-object.json.stackprof.folded.gz |
stackprof/gen-object.json.gz | | gen-object.json.speedscope.folded |
stackprof/gen-object.json.gz | -e objects | total 749710
stackprof/speedscope-object-stackprof.json | | speedscope-object-stackprof.json.speedscope.folded |
stackprof/speedscope-stackprof-last-frame-no-name.json | | speedscope-stackprof-last-frame-no-name.json.speedscope.folded | nameless
stackprof/speedscope-simple-cpu-stackprof.json | -e us | speedscope-simple-cpu-stackprof.json.speedscope.folded |
stackprof/speedscope-simple-cpu-stackprof.json | | total 489
trace-event/speedscope-bex-interaction.json |  | speedscope-bex-interaction.json.speedscope.folded | 
trace-event/speedscope-end-event-with-empty-stack.json |  | speedscope-end-event-with-empty-stack.json.speedscope.folded | 
trace-event/speedscope-event-reordering-name-match.json |  | speedscope-event-reordering-name-match.json.speedscope.folded | details
trace-event/speedscope-mismatched-args.json |  | speedscope-mismatched-args.json.speedscope.folded | details
trace-event/speedscope-not-enough-end-events.json |  | speedscope-not-enough-end-events.json.speedscope.folded | details
trace-event/speedscope-out-of-order-unbalanced-name.json |  | speedscope-out-of-order-unbalanced-name.json.speedscope.folded | 
trace-event/speedscope-out-of-order.json |  | speedscope-out-of-order.json.speedscope.folded | 
trace-event/speedscope-simple-hermes.json |  | speedscope-simple-hermes.json.speedscope.folded | 
trace-event/speedscope-simple-object.json |  | speedscope-simple-object.json.speedscope.folded |  nameless
trace-event/speedscope-simple-partial.json |  | speedscope-simple-partial.json.speedscope.folded | details
trace-event/speedscope-simple-with-samples.json | --no-comm -e us | speedscope-simple-with-samples.json.speedscope.folded | 
trace-event/speedscope-simple.json |  | speedscope-simple.json.speedscope.folded | details
trace-event/speedscope-simultaneous-anonymous-calls.json |  | speedscope-simultaneous-anonymous-calls.json.speedscope.folded | details
trace-event/speedscope-too-many-end-events.json |  | speedscope-too-many-end-events.json.speedscope.folded | 
trace-event/speedscope-unbalanced-args.json |  | speedscope-unbalanced-args.json.speedscope.folded | details
trace-event/speedscope-unbalanced-name.json |  | speedscope-unbalanced-name.json.speedscope.folded | 
trace-event/speedscope-x-events-matching-end.json |  | speedscope-x-events-matching-end.json.speedscope.folded | 
trace-event/speedscope-x-events-matching-start.json |  | speedscope-x-events-matching-start.json.speedscope.folded | 
trace-event/speedscope-zero-duration-events.json |  | speedscope-zero-duration-events.json.speedscope.folded | 
chrome-trace/firefox-chrome-trace-issue-5429.json | -e samples | total 206
chrome-trace/firefox-chrome-trace-issue-5429.json | -e async | total 136724.875
chrome-trace/firefox-chrome-tracing.json | --tid | total 18838
chrome-trace/firefox-test.chrome-unchunked.json | -e us --no-comm | firefox-test.chrome-unchunked.json.speedscope.folded | anonymous placed last lost
chrome-trace/firefox-test.chrome-unchunked.json | -e us | total 303142
chrome-trace/firefox-test.chrome-unchunked.json | -e spans | total 276706
chrome-trace/firefox-test.chrome.gz | -e samples | total 3711
chrome-trace/firefox-test.chrome.gz | -e us | total 480242
chrome-trace/speedscope-Chrome-141-no-arg-data.json | -e us --no-comm | speedscope-Chrome-141-no-arg-data.json.speedscope.p0.folded | anonymous lost
chrome-trace/speedscope-Chrome-65-simple-timeline.json | -e us --no-comm | speedscope-Chrome-65-simple-timeline.json.speedscope.folded | waiting last
chrome-trace/speedscope-Chrome-65-simple-timeline.json | -e us | total 545683
chrome-trace/speedscope-Chrome-69-simple.json | -e us --no-comm | speedscope-Chrome-69-simple.json.speedscope.folded | anonymous placed waiting last
chrome-trace/speedscope-Chrome-69-simple.json | -e samples | total 2051
firefox/speedscope-Firefox-59-simple-firefox.json | -e ms --srcline --no-comm | speedscope-Firefox-59-simple-firefox.json.speedscope.folded | javascript rounded
firefox/speedscope-Firefox-61-recursion.json | -e ms --srcline --no-comm | speedscope-Firefox-61-recursion.json.speedscope.folded | javascript rounded
firefox/speedscope-Firefox-63-simple-firefox.json | -e ms --srcline --no-comm | speedscope-Firefox-63-simple-firefox.json.speedscope.folded | javascript rounded
firefox/speedscope-Firefox-63-simple-firefox.json | | total 39
firefox/speedscope-Firefox-59-firefox.json.gz | -e ms --srcline --no-comm | speedscope-Firefox-59-firefox.json.speedscope.folded | javascript rounded
firefox/speedscope-Firefox-59-firefox.json.gz | -e ms | total 10182.77577
firefox/firefox-gecko-1.json | --addrs | = Compositor 1\nCompositor;[unknown <100000f84>] 2\nCompositor;[unknown <100000f84>];Startup::XRE_Main 1\nCompositor;[unknown <100000f84>];[unknown <100001a45>] 2\nCompositor;[unknown <100000f84>];frobnicate 1\nGeckoMain 1\nGeckoMain;[unknown <100000f84>] 2\nGeckoMain;[unknown <100000f84>];Startup::XRE_Main 1\nGeckoMain;[unknown <100000f84>];[unknown <100001a45>] 2\nGeckoMain;[unknown <100000f84>];frobnicate 1
firefox/firefox-gecko-2.json | | total 21
firefox/firefox-gecko-2.json | --addrs -e ms | total 18
firefox/firefox-processed-3.json | | total 21
ghc-json/speedscope-simple.prof.json | | speedscope-simple.prof.json.speedscope.p0.folded |
ghc-json/speedscope-simple.prof.json | --ticks | total 798
ghc-json/speedscope-simple.prof.json | --bytes | speedscope-simple.prof.json.speedscope.p1.folded |
bpftrace/gen-json.json | | total 199
EOF

for file in gecko-2 processed-3; do
	fg-collapse -q --no-header --addrs "$corpus/firefox/firefox-$file.json" | grep -v webcontent >$file
done
same 'firefox: raw and processed say the same' gecko-2 processed-3

# Ids are local to a document when several documents are joined.
while read -r one other; do
	read_maybe_gz "$corpus/$one" >one
	read_maybe_gz "$corpus/$other" >other
	fg-collapse -q one other >want 2>said
	{ cat one && echo && cat other; } | fg-collapse -q >got 2>said
	same "$one and $other in one input" want got
done <<'EOF2'
chrome-trace/firefox-test.chrome-unchunked.json trace-event/speedscope-x-events-matching-end.json
trace-event/speedscope-simple.json trace-event/speedscope-out-of-order.json
cpuprofile/node20.cpuprofile cpuprofile/speedscope-Chrome-65-simple.cpuprofile
dhat/dhat.out.json dhat/firefox-dhat.json
firefox/firefox-processed-3.json firefox/speedscope-Firefox-61-recursion.json
heapprofile/node20.heapprofile heapprofile/speedscope-node10.heapprofile
speedscope/0.0.1-simple.speedscope.json speedscope/0.0.1-simple-no-pretty-print.speedscope.json
stackprof/gen-wall.json stackprof/speedscope-simple-cpu-stackprof.json
EOF2
done_testing
