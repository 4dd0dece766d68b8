#!/bin/sh
# The viewer's functions in a real browser: identity, function list, search.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

fg-render -o same.svg <<'END_OF_PROFILE'
app;parse (a.c:3) 10
app;parse (a.c:9) 30
app;parse (b.c:9) 5
app;foo 10
app;foo_[i] 15
app;liba.so`copy_[l] 20
app;libb.so`copy_[l] 10
END_OF_PROFILE
fg-render -o sides.svg <<'END_OF_PROFILE'
# columns: base head 0 0
# compared: exact 0 0
app 5 0
app;grown 25 100
app;same 70 100
END_OF_PROFILE
fg-render -o marked.svg <<'END_OF_PROFILE'
# columns: base head noise 0 0 0
app;grown 25 100 0
app;shrunk 60 20 0
app;shaken 25 30 1
app;still 5 5 1
END_OF_PROFILE
fg-render -o narrow.svg <<'END_OF_PROFILE'
app;wide 100000
app;a;b;c;hit_small 1
app;a;b;c;hit_middle 3
app;a;x 10
app;hit_large 20000
END_OF_PROFILE
fg-render -o long.svg <<'END_OF_PROFILE'
app;std::collections::hash::map::poll_next<alloc::string::String>(char const*, unsigned long) 10
app;std::collections::hash::map::insert<alloc::string::String>(char const*, unsigned long) 8
app;std::collections::hash::map::remove<alloc::string::String>(char const*, unsigned long) 5
END_OF_PROFILE
printf '%s\n' 'm;python3`compress (/srv/w.py:3)_[p] 40' 'm;python3`compress (/usr/lib/python3/gzip.py:9)_[p] 30' 'm;python3`main (/srv/w.py:1)_[p] 10' |
	fg-render -o namesakes.svg
node "$here/browser/list.js" "$tmp"
