#!/bin/sh
# The viewer's colour modes and views of columns, in a real browser.
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node'
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium'

cat >origins.folded <<'END_OF_PROFILE'
app;kernel_[k] 20
app;shared_[l] 20
app;jit_[j] 20
app;inlined_[i] 20
app;libc.so.6`memcpy 20
app;vmlinux`schedule 20
app;[unknown] 20
app;site-packages/x.py:run 40
app;node_modules/y.js:go 40
END_OF_PROFILE
fg-render -o origins.svg origins.folded
fg-render --color java -o java.svg origins.folded
fg-render -o bare.svg <<'END_OF_PROFILE'
app;kernel 20
app;shared 20
app;memcpy 20
app;schedule 20
END_OF_PROFILE
fg-render -o diff.svg "$here/data/viewer-diff.folded"
fg-render -o noise.svg <<'END_OF_PROFILE'
# columns: base head noise
app;up 100 150 1
app;really 100 190 0
END_OF_PROFILE
printf 'a;b 3\na 2\na;c 4\na 5\nd 3\n' | fg-render --flamechart -o chart.svg
printf 'libc.so.6`memcpy\thref=https://example.org/memcpy\n' >attributes
fg-render --fontsize 10 --height 14 --colordiffusion --color hot --search-color '#00ff00' --total 300 \
	--nameattr attributes -o looks.svg origins.folded
fg-render -o four.svg "$here/data/viewer-four.folded"
node "$here/browser/modes.js" "$tmp"
