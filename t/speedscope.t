#!/bin/sh
# fg-render -T speedscope in speedscope itself: its importer accepts the file, the page shows it,
# and its export has the same stacks.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium
page=
for folder in $(npm root -g 2>/dev/null) /usr/local/lib/node_modules /usr/lib/node_modules; do
	[ -z "$page" ] && [ -e "$folder/speedscope/dist/release/index.html" ] &&
		page=$folder/speedscope/dist/release/index.html
done
[ -n "$page" ] || skip_all 'no speedscope, the package of npm (npm install -g speedscope)' npm

printf '%s\n' '# columns: cpu space 0 0' '# unit: us bytes 0 0' 'app;main (a.c:3)_[l];f (a.c:9)_[i];g_[i] 12 1' \
	'app;libc.so.6`memcpy_[l] 5 0' 'app;do_syscall_64_[k] 3.5 2048' 'a"b\\;é;<script> 1 0' >columns.folded
printf '%s\n' '# unit: ms 0' '# time: 0 s 0' 'b;x 2' 'a 1' '# time: 0.010 s 0' 'b;x 3' '# time: 0.030 s 0' 'b 1' >order.folded
printf 'a\\b;c"d;e\\x41 1\na\377\376b;\303\251;\342\200\256x 2\n[];[unknown];`x 3\n  y ; z 4\n' >bytes.folded
for f in columns order bytes; do
	fg-render -T speedscope --title "it's $f" -o $f.json $f.folded
done
node "$here/browser/speedscope.js" "$tmp" "$page"
