#!/bin/sh
# The viewer in Firefox.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
firefox=$(command -v firefox-esr || command -v firefox) || skip_all 'no Firefox' firefox-esr

fg-render -o plain.svg "$here/data/viewer-plain.folded"
awk 'BEGIN { for (i = 0; i < 400; i++) printf "%slevel_%d", i ? ";" : "", i; print " 7" }' |
	fg-render -o deep.svg
awk 'BEGIN { for (s = 0; s < 20; s++) printf "# time: %d.1 s 0\nmain;part_%d 1\n", s, s }' |
	fg-render --heatmap -o times.svg
awk 'BEGIN { for (i = 0; i < 340; i++) for (k = 0; k < 300; k++) print "m;f" i ";g" k, i + k + 1 }' | fg-render -o huge.svg
node "$here/browser/firefox.js" "$firefox" "$tmp"
