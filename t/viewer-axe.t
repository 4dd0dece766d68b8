#!/bin/sh
# Accessibility of the viewer by the rules of axe-core: names, roles, contrast.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium
modules=$(npm root -g 2>/dev/null)
axe=$(NODE_PATH=${NODE_PATH-$modules:/usr/share/nodejs} node -p 'require.resolve("axe-core/axe.min.js")' 2>/dev/null) ||
	skip_all 'no axe-core (npm install -g axe-core, or NODE_PATH)'

fg-render -o notes.svg "$here/data/viewer-notes.folded"
fg-render -o diff.svg "$here/data/viewer-diff.folded"
fg-render -o four.svg "$here/data/viewer-four.folded"
printf '%s\n' '# columns: cpu waiting blocked 0 0 0' '# unit: ns 0 0 0' 'sh;main;wait_[l];schedule_[k] 0 2000 5000000' 'sh;main;work 1000000 0 0' |
	fg-render -o waits.svg
printf '%s\n' '# unit: samples 0' '# time: 1 s 0' 'app;main;read 3' '# time: 2 s 0' 'app;main;sort 2' >timed.folded
fg-render -o strip.svg --heatmap timed.folded
fg-render -o chart.svg --flamechart timed.folded
node "$here/browser/axe.js" "$tmp" "$axe"
