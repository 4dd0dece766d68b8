#!/bin/sh
# The viewer's summary, call tree, order and saved pictures, in a real browser.
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node'
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium'

for name in plain diff; do
	cp "$here/data/viewer-$name.folded" $name.folded
	fg-render -o $name.svg $name.folded
done
node "$here/browser/pages.js" "$tmp"
