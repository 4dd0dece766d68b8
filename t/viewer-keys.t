#!/bin/sh
# The viewer with a keyboard, with a screen reader, embedded in other pages, and in small windows.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

fg-render -o notes.svg "$here/data/viewer-notes.folded"
fg-render -o diff.svg "$here/data/viewer-diff.folded"
printf '# columns: base head\napp 17339400000 21132124472\napp;small 1000 2000\n' | fg-render -o large.svg
awk 'BEGIN { for (i = 0; i < 120; i++) print "app;function_" i (i % 3 ? "" : "_[k]") " 1" }' >many
for name in 'std::sort' Java/lang/Object.wait_[j] main.js_[j] /usr/lib/python3/json.py Perl_pp 'foo::bar' x_[l]; do
	echo "app;$name 20"
done >>many
fg-render -o palettes.svg many
{ echo '<!doctype html><body><input>'; sed 1d notes.svg; sed 1d notes.svg; } >host.html
node "$here/browser/keys.js" "$tmp"
