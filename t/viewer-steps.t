#!/bin/sh
# The viewer's steps: undo, the back button, the URL, links and reload.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

fg-render -o notes.svg "$here/data/viewer-notes.folded"
node "$here/browser/steps.js" "$tmp"
