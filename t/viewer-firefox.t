#!/bin/sh
# The viewer in Firefox.
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node'
firefox=$(command -v firefox-esr || command -v firefox) || skip_all 'no Firefox'

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
node "$here/browser/firefox.js" "$firefox" "$tmp"
