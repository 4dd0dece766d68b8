#!/bin/sh
# The viewer in a real browser: every key, button and gesture.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node'
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium'

fg-render -o notes.svg "$here/data/viewer-notes.folded"
fg-render -o diff.svg "$here/data/viewer-diff.folded"
fg-render -o four.svg "$here/data/viewer-four.folded"
sed 's/^#.*/# columns: cache-misses instructions branches cycles/' "$here/data/viewer-four.folded" |
	fg-render -o counts.svg
fg-render -o slow.svg <<END_OF_PROFILE
app;$(printf '%064d' 0 | tr 0 a)! 1
app;bc 1
app;a(b 1
END_OF_PROFILE
node "$here/browser/controls.js" "$tmp"
