#!/bin/sh
# The viewer in a real browser: every key, button and gesture.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

fg-render -o notes.svg "$here/data/viewer-notes.folded"
fg-render -o diff.svg "$here/data/viewer-diff.folded"
fg-render -o mixed.svg <<'END_OF_PROFILE'
app;_start;PyEval_EvalCode;<module> (/srv/app.py:1)_[p];View.get (/srv/views.py:12)_[p];memcpy_[l] 5
app;_start;PyEval_EvalCode;<module> (/srv/app.py:1)_[p];map_[p];read_[k] 2
END_OF_PROFILE
fg-render -o native.svg <<'END_OF_PROFILE'
app;_start;PyEval_EvalCode;<module> (/srv/app.py:1)_[p] 7
app;_start;gc_main 3
END_OF_PROFILE
fg-render -o four.svg "$here/data/viewer-four.folded"
sed 's/^#.*/# columns: cache-misses instructions branches cycles/' "$here/data/viewer-four.folded" |
	fg-render -o counts.svg
fg-render -o slow.svg <<END_OF_PROFILE
app;$(printf '%064d' 0 | tr 0 a)! 1
app;bc 1
app;a(b 1
END_OF_PROFILE
# 6 MB of text, and one stack of 4.5 MB
awk 'BEGIN {
	name = sprintf("%0500d", 0)
	for (i = 0; i < 600; i++) {
		line = sprintf("f%04d", i)
		for (k = 0; k < 20; k++)
			line = line ";" k name
		print line, i + 1
	}
	line = "g"
	for (k = 0; k < 9000; k++)
		line = line ";" k % 2 name
	print line, 7
}' >long.folded
fg-render -o long.svg long.folded
node -e "require('node:fs').writeFileSync('tall.folded', require('$here/browser/profile.js').profile(3000).join('\n'))"
fg-render -o tall.svg tall.folded
node "$here/browser/controls.js" "$tmp"
