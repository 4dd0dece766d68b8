#!/bin/sh
# The viewer's steps: undo, the back button, the address, links and reload.
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node'
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium'

fg-render -o notes.svg <<'END_OF_PROFILE'
app;main;fib;fib;fib 30
app;main;libc.so.6`memcpy_[l] 10
app;main;write_[l];sys_write_[k] 20
app;main;parse (src/parse.c:12);lex_[i] 15
app;idle 25
END_OF_PROFILE
node "$here/browser/steps.js" "$tmp"
