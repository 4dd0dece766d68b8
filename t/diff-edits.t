#!/bin/sh
# Editing, moving and indenting sources anew without changing functions leaves no removed or new
# frame: recordings of programs in twelve languages (TypeScript twice), made by t/data/edits.sh.
# tier: quick
. "$(dirname "$0")/lib.sh"

edits=$here/data/edits
# lone: frames that only one column of a differential has.
lone() { awk '{ if ($NF == 0 || $(NF - 1) == 0) n++ } END { print n + 0 }' "$1"; }

for language in python node typescript typescript-map ruby php perl lua erlang java go cxx rust; do
	cp "$edits/$language.before" b
	cp "$edits/$language.after" h
	check "$language: the recordings have functions, and differ" sh -c "[ \$(wc -l <b) -ge 3 ] && { [ $language = java ] || [ $language = go ] || ! cmp -s b h; }"
	fg-diff -q --no-header b h >d
	output "$language: no frame is removed or new" 0 lone d
	fg-merge -q --join=function b h >m
	output "$language: merged by function, no stack is there twice" "$(wc -l <b)" wc -l <m
	awk '{ sub(/ 1$/, ""); n[$0] += FILENAME == "b" ? 1 : 1000 } END { for (s in n) print s, n[s] % 1000, int(n[s] / 1000) }' b h >t
	fg-render -q -T pprof t | fg-collapse -q --no-header - >d
	output "$language: a differential joined by text has no frame removed or new" 0 lone d
	# A function that is gone is removed with its callees, and nothing else.
	grep -v leaf h >less
	fg-diff -q --no-header b less >d
	output "$language: a function that is gone is removed, and no other" "$(grep -c leaf b)" lone d
done
done_testing
