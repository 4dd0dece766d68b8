#!/bin/sh
# The origin of the code by its share of a profile: stacks of real recordings of each language, and
# names that need the process or a path.
# tier: quick
. "$(dirname "$0")/lib.sh"

# Writes the sum of the weights per origin, as expected.
expected() {
	awk -F'|' '{ n = $0; sub(/.* /, "", n); sum[$1] += n }
		END { printf "program %d library %d unknown %d\n", sum["program"], sum["library"], sum["unknown"] }' "$1"
}

shares() {
	fg-render -T json "$@" |
	    sed -n 's/^"origins":{"program":\([0-9]*\),"library":\([0-9]*\),"kernel":0,"unknown":\([0-9]*\),.*/program \1 library \2 unknown \3/p'
}

awk '/^@/ { n++; print substr($0, 2) >(n ".title"); next } !/^#/ { print >(n ".stacks") }' \
    "$here/data/cases/origin-share.txt"
check "there are ten languages and three more lists" test -f 13.stacks -a ! -f 14.stacks
for stacks in *.stacks; do
	title=$(cat "${stacks%.stacks}.title")
	sed 's/^[a-z]*|//' "$stacks" >in.folded
	output "$title: shares of the program and of libraries" "$(expected "$stacks")" shares in.folded
	sort -r in.folded >sorted.folded
	output "$title: in another order" "$(expected "$stacks")" shares sorted.folded
done

# Frames of scripts whose annotation another program removed.
while IFS='|' read -r process frame; do
	echo "$process;_start;eval_loop (ceval.c:9);$frame 1" >bare
	output "a frame of $process without its annotation is user code" "$frame 1" \
		fg-filter --origin user --no-header bare
done <<'END'
python3|parse (w.py:3)
ruby|Order#total (/srv/o.rb:7)
php|App::run (/srv/a.php:9)
node|handle (/srv/h.js:2)
END
done_testing
