#!/bin/sh
# The viewer in a real browser: summary, call tree, order and saved SVGs.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

for name in plain diff; do
	cp "$here/data/viewer-$name.folded" $name.folded
	fg-render -o $name.svg $name.folded
done
printf '# unit: ns 0\n# period: 1000000 ns 0\nmain;a 17339000000\n' | fg-render -o timed.svg
printf '# columns: base head 0 0\n# unit: ms 0 0\nmain;a 1200 1500\n' | fg-render -o faster.svg
fg-render -o four.svg "$here/data/viewer-four.folded"
printf 'app;a;b;c;d;x;y 30\napp;a;b;c;d;z 70\n' | fg-render -o chains.svg
printf 'app;a;b;c;d;x;y 30\napp;a;b;c;d;z 70\n' | fg-render --chains fold -o fold.svg
printf '%s\n' 'app`main 1' 'app`main;liba.so`f_[l] 0.5' 'app`main;libb.so`f_[l] 2' 'app`main;libc.so`f_[l] 3' \
	'app`main;libd.so`f_[l] 4' 'app`main;libe.so`f_[l] 5' >modules.folded
fg-render -o modules.svg modules.folded
cat >runtime.folded <<'END'
python3;_start;__libc_start_main_[l];Py_BytesMain;run_mod;_PyEval_EvalFrame;<module> (w.py:1)_[p];parse (w.py:9)_[p];sre_match;sre_search 400
python3;_start;__libc_start_main_[l];Py_BytesMain;run_mod;_PyEval_EvalFrame;<module> (w.py:1)_[p];compress (w.py:20)_[p];deflate_[l];read_[l];sys_read_[k];vfs_read_[k] 360
python3;_start;__libc_start_main_[l];Py_BytesMain;run_mod;import 5
python3;_start;__libc_start_main_[l];exit_[l] 3
END
fg-render -o runtime.svg runtime.folded
fg-render --chains keep -o runtime-kept.svg runtime.folded
printf 'p;q;r;s;t 98800\np;q;r;narrow 2\n' | fg-render --chains fold -o fold-narrow.svg
printf 'p;q;r;s;t 990\np;q 10\n' | fg-render --chains fold -o fold-own.svg
printf 'app;std::vec::push 3\napp;main 1\n' | fg-render -o colons.svg
cp "$here/data/viewer-wall.folded" wall.folded
fg-filter --column blocked wall.folded | sed '/^# columns/d' >off.folded
for name in wall off; do fg-render -o $name.svg $name.folded; done
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "main;many;f%04d 1\n", i; print "main;one 3000" }' |
	fg-render -o others.svg
{
	printf '%s\n' '# columns: base head' 'main;a;slow 1000 3000' 'main;a;scattered 100 130'
	for i in 1 2 3 4 5 6 7 8 9; do echo "main;b;same$i 1000 1000"; done
} | fg-render -o tested.svg
printf '%s\n' '# columns: base head noise' 'main;a;slow 1000 1010 0' 'main;a;scattered 100 200 1' \
	'main;b;same 5000 5000 1' | fg-render -o marked.svg
cat >ranked.folded <<END_OF_PROFILE
# columns: base head
# compared: exact
m;grows 2000 6000
m;shrinks 3000 1000
m;appears 0 1000
m;[libm.so.6] 0 9000
m;tiny 10 11
END_OF_PROFILE
fg-render -o ranked.svg ranked.folded
printf '%s\n' '# columns: base head' 'm;a 1000 3000' 'm;b 6000 6020' 'm;c 2000 2010' | fg-render -o interval.svg
printf '%s\n' '# columns: base head' '# compared: exact' 'm;a 1000000000 3000000000' 'm;an_inner_function_of_a_namespace_with_a_long_name 6000000000 20000000' 'm;c 2000000000 2010000000' |
	fg-render -o wide.svg
{
	printf '%s\n' '# columns: base head' 'main;a;shrinks 1294595353 294595353' 'main;a;scattered 100000000 130000000'
	for i in 1 2 3 4 5 6 7 8 9; do echo "main;b;same$i 1000000000 1000000000"; done
} | fg-render -o wider.svg
printf '%s\n' 'app;_start;work 20' 'app;_start;[libz.so.1]_[l] 30' 'main;x 50' | fg-render -o nameless.svg
printf '%s\n' '# unit: bytes 0' 'app;a;work 2000' 'app;b 3000' | fg-render -o held.svg
node "$here/browser/pages.js" "$tmp"
