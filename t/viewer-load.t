#!/bin/sh
# How a picture becomes live in a real browser, and what stands there where it cannot.
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node'
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium'

fg-render -o plain.svg "$here/data/viewer-plain.folded"
node "$here/browser/load.js" "$tmp"
