#!/bin/sh
# The SVG in a real browser: opened from a file, hovered, zoomed, searched, reloaded.
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node'
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium'

fg-render -o plain.svg <<'END_OF_PROFILE'
server;main 5
server;main;parse 10
server;main;parse;read 20
server;main;parse;token 10
server;main;write 15
server;main;write;read 30
server;main;write;flush 4
server;idle 6
END_OF_PROFILE
node "$here/browser/basics.js" "$tmp"
