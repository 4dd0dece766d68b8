#!/bin/sh
# The heatmap strip in a real browser: a selected time range is what the graph shows.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

awk 'BEGIN {
	print "# unit: samples 0"
	for (s = 0; s < 20; s++)
		for (k = 0; k < 100; k += 5) {
			if (s == 7)
				continue
			printf "# time: %.2f s 0\n", s + k / 100
			print "main;work;" (s < 10 ? "first" : "second") " 2"
			if (s == 12)
				print "main;spike;" (k < 50 ? "early" : "late") " 8.5"
		}
}' >times.folded
fg-render --heatmap -o times.svg times.folded
fg-render --heatmap --flamechart -o chart.svg times.folded
fg-render -o plain.svg times.folded
node "$here/browser/time.js" "$tmp"
