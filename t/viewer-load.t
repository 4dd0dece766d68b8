#!/bin/sh
# How a static SVG becomes the interactive viewer in a real browser, and its message if it cannot.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

fg-render -o plain.svg "$here/data/viewer-plain.folded"
printf '%s 10\n' 'हिन्दी_शब्द_हिन्दी_शब्द' '日本語日本語日本語日本語日本語日本語' '👩‍🔬👩‍🔬👩‍🔬👩‍🔬👩‍🔬👩‍🔬' 'ﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺ' \
	'𒐫𒐫𒐫𒐫𒐫𒐫𒐫𒐫𒐫𒐫' | fg-render --width 500 -o wide.svg
awk 'BEGIN { for (i = 0; i < 200; i++) { s = s "f" i ";"; print s "x 1;y" i " 1"; print s "x " 300 } }' | fg-render --chains keep --max-depth 300 -o tall.svg
awk 'BEGIN { for (i = 0; i < 300; i++) { s = s "f" i ";"; for (k = 0; k < 4; k++) print s "x" k, (i > 12 ? 1 : 3000) } }' | fg-render -o tower.svg
awk 'BEGIN { for (i = 0; i < 20000; i++) print "m;f" i % 9 ";g" i * 7919 % 20011, i % 13 + 1 }' | fg-render -o large.svg
awk 'BEGIN { for (i = 0; i < 340; i++) for (k = 0; k < 300; k++) print "m;f" i ";g" k, i + k + 1 }' | LC_ALL=C sort >huge
fg-render --total 40000000 -o huge.svg huge
printf '%s\n' '# columns: base head 0 0' 'm;same 1000 1000' 'm;slow 100 400' 'm;gone 50 0' 'm;more 100 150' >two
fg-render -o two.svg two
fg-render --colors origin -o tested.svg "$here/data/viewer-diff.folded"
printf '%s\n' 'py;<module> (/srv/app/views/order.py:1)_[p];handler (/srv/app/views/order.py:12)_[p] 60' \
	'py;<module> (/srv/app/views/order.py:1)_[p];py::other:/srv/app/other.py 30' 'py;libc.so`[libc.so] 20' | fg-render -o script.svg
printf '%s\n' '# unit: ns 0' 'sh;main;wait_[l];schedule_[k] 5000000' 'sh;main;work 1000000' | fg-render -o waits.svg
printf '%s\n' 'a;<script>alert(1)</script>&amp; 30' "a;$(printf 'x\342\200\256y') 30" 'a; 10' \
	'a;std::map<int, std::vector<std::string, std::allocator<std::string> > >::operator[](std::pair<int, long> const&) 50' |
	fg-render -o hostile.svg
node "$here/browser/load.js" "$tmp"
