#!/bin/sh
# Heap profiles of the corpus.
# tier: full
. "$(dirname "$0")/corpus-lib.sh"

heap='filed templates arguments allocator above'
formats <<EOF
massif/massif.out | --no-annotate | massif.out.folded | arguments
massif/massif3.out | --no-annotate | massif3.out.folded | arguments unnamed
massif/massif.out | | total 12667761
massif/massif3.out | | total 18022400
massif/massif.out | -e bytes | refused has no events
heaptrack/ht.zst | --no-annotate -e allocations | ht.zst.allocations.folded | $heap unnamed unordered
heaptrack/ht.zst | --no-annotate | ht.zst.allocations.folded | $heap unnamed unordered
heaptrack/ht.zst | --no-annotate -e temporary | ht.zst.temporary.folded | $heap nil first
heaptrack/ht.zst | --no-annotate -e leaked | ht.zst.leaked.folded | $heap unordered nil
heaptrack/ht.zst | --no-annotate -e peak | ht.zst.peak.folded | $heap unnamed unordered nil
heaptrack/ht.zst | -e bytes | total 15076978
heaptrack/ht.zst | --samples | refused has no sample counts
EOF

if fg-collapse --version | grep -q '^JSON profiles: yajl'; then
	formats <<'EOF'
dhat/dhat.out.json | --no-annotate -e tb | dhat.out.json.tb.folded | arguments unnamed versions
dhat/dhat.out.json | --no-annotate | dhat.out.json.tb.folded | arguments unnamed versions
dhat/dhat.out.json | --no-annotate -e tbk | dhat.out.json.tbk.folded | arguments unnamed versions
dhat/dhat.out.json | --no-annotate -e gb | dhat.out.json.gb.folded | arguments unnamed
dhat/dhat.out.json | -e eb | total 5900842
dhat/dhat.out.json | -e eb --pid | refused has no process
dhat/firefox-dhat.json | --no-annotate -e tb | firefox-dhat.json.tb.folded.gz | places
dhat/firefox-dhat.json | --no-annotate -e tbk | firefox-dhat.json.tbk.folded.gz | places
EOF
else
	skip dhat 'built without yajl' libyajl-dev
fi
done_testing
