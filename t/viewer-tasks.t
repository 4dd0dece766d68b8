#!/bin/sh
# Ten tasks of a reader in the viewer, with the clicks and keys that they take.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

fg-render -o service.svg <<'END'
main;parse;malloc_[l];sys_brk_[k] 5
main;parse;memcpy_[l] 40
main;parse;split 20
main;reply;malloc_[l] 5
main;reply;write_[l];sys_write_[k] 10
main;idle;read_[l];sys_read_[k] 20
END
fg-render -o script.svg <<'END'
python3;_start;Py_BytesMain;_PyEval_EvalFrame;<module> (w.py:1)_[p];compress (w.py:20)_[p];deflate_[l] 60
python3;_start;Py_BytesMain;_PyEval_EvalFrame;<module> (w.py:1)_[p];parse (w.py:9)_[p] 40
END
fg-render -o compared.svg <<'END'
# columns: base head 0 0
main;parse 1000 3000
main;reply 500 500
main;idle 2000 1000
END
awk 'BEGIN {
	print "# unit: samples 0"
	for (i = 0; i < 100; i++)
		printf "# time: %g s 0\nmain;%s 10\n", i / 10, i < 70 ? "early" : "late"
}' | fg-render --heatmap -o times.svg
node "$here/browser/tasks.js" "$tmp"
