#!/bin/sh
# Looks of the viewer in a real browser: figures, names, scales, rows.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

printf '%s\n' '# columns: base head 0 0' '# compared: exact 0 0' '# sides: build=13,arch=x%2Cy build=12%20a,arch=z 0 0' '# label: build=12%20a,13 host=web1 0 0' \
	'app;some_long_name_space::of/a_function 1000 12888' 'app;other_function_of_some_length 300 100' 'app;gone 70 0' |
	fg-render -o changes.svg
printf '%s\n' '# columns: base head 0 0' '# compared: exact 0 0' 'app;some_long_name_space::of/a_function 1294595353 1000000000' \
	'app;rest 11083121345 12083121345' | fg-render -o large.svg
printf '%s\n' '# unit: samples 0' '# time: 1 s 0' 'app;main;read 9' '# time: 2 s 0' 'app;main;sort 2' >timed
fg-render --heatmap -o times.svg timed
printf '%s\n' '# columns: base head 0 0' '# values: sampled 0 0' 's;parse 4000 6000' 's;validate 0 1080' 's;push_back 900 300' \
	's;old 500 0' 's;render 2000 2010' 's;store 1000 1800' 's;fmt 300 500' 's;q1 100 300' 's;q2 100 280' 's;q3 80 300' |
	fg-render -o sampled.svg
fg-render --flamechart -o chart.svg timed
printf '%s\n' 'a;b;c 1' 'a;b;d 2' >shallow
fg-render -o shallow.svg shallow
fg-render --height 20 -o given.svg shallow
awk 'BEGIN { for (i = 0; i < 90; i++) { s = s "f" i ";"; print s "x", 3 } }' | fg-render -o deep.svg
awk 'BEGIN { for (i = 0; i < 3000; i++) print "main;f" i, 1 + i * 7 % 5 }' | fg-render -o flat.svg
printf '%s\n' 'p;_start;main_[l];run_[l];eval_[l];f (w.py:1)_[p];read_[l] 400' 'p;_start;main_[l];other_[l] 4' |
	fg-render -o runs.svg
fg-render -o diff.svg "$here/data/viewer-diff.folded"
echo 'm;f 10' >'old; 1.folded'
echo 'm;f 12' >new.folded
fg-diff 'old; 1.folded' new.folded | fg-render -o files.svg
node "$here/browser/looks.js" "$tmp"
