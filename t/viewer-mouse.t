#!/bin/sh
# The viewer in a real browser: mouse, wheel and touch.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

fg-render -o plain.svg "$here/data/viewer-plain.folded"
awk 'BEGIN { for (i = 0; i < 200; i++) printf "%slevel_%d", i ? ";" : "", i; print " 7" }' |
	fg-render -o tall.svg
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "main;many;f%04d 1\n", i; print "main;one 3000" }' |
	fg-render -o others.svg
awk 'BEGIN { print "m;a 200\nm;aa 200"; s = "m;b"; for (i = 0; i < 60; i++) { s = s ";f" i; print s ";x 2" } print s, 80 }' | fg-render --chains keep -o slope.svg
node "$here/browser/mouse.js" "$tmp"
