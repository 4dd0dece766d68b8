#!/bin/sh
# The viewer in a real browser: every key, button and gesture.
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
fg-render -o diff.svg <<'END_OF_PROFILE'
# columns: base head
app;slower 100 150
app;faster 100 60
app;added 0 40
app;removed 60 0
app;same 200 201
END_OF_PROFILE
fg-render -o four.svg <<'END_OF_PROFILE'
# columns: instruction cache memory system
app;compute 90 5 5 0
app;chase 10 60 30 0
app;stream 10 20 70 0
app;call 5 5 5 40
END_OF_PROFILE
fg-render -o slow.svg <<END_OF_PROFILE
app;$(printf '%064d' 0 | tr 0 a)! 1
app;bc 1
app;a(b 1
END_OF_PROFILE
node "$here/browser/controls.js" "$tmp"
