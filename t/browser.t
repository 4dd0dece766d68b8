#!/bin/sh
# The SVG in a real browser: opened from a file, hovered, zoomed, searched, reloaded.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

fg-render -o plain.svg "$here/data/viewer-plain.folded"
node "$here/browser/basics.js" "$tmp"
