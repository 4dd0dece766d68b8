#!/bin/sh
# The manual pages: each option of --help is in the page of its program, referenced pages exist,
# and examples give the output shown. t/lint checks the markup.
#
# An example is a line of EXAMPLES that begins with `$ ` in mandoc's output, and the lines after it
# that begin with `> `; sh runs it. The lines up to the next example or the end of the display are
# the expected output; without such lines any output is accepted. All examples of a page run in
# order in one directory, with these files:
#
#   shop.perf     t/data/perf-cpp.txt
#   app.folded    t/data/demo.folded
#   FILE          t/data/PAGE.FILE, as fg-diff.1.old.1 for fg-diff(1)
#
# Examples are skipped if they record (perf, fg-record, sudo), open a browser, or need a program or
# file that is neither installed nor created by an earlier example.
# tier: full
. "$(dirname "$0")/lib.sh"
command -v mandoc >/dev/null || skip_all 'no mandoc' mandoc
man=$here/../man

for page in "$man"/*.[1-9]; do
	this=${page##*/}
	sed -n 's/^\.Xr \(fg-[a-z]*\|folded\) \([1-9]\).*/\1.\2/p' "$page" | sort -u >refers
	while read -r other; do
		check "$this: there is $other" test -e "$man/$other"
	done <refers
done

# Unifies the dashes of options, and removes other markup.
text() {
	mandoc -Tutf8 -O width=1000,indent=5 "$1" | sed "s/.$(printf '\b')//g; s/\xe2\x88\x92/-/g"
}

for program in "$BIN"/fg-*; do
	this=${program##*/}
	if ! [ -e "$man/$this.1" ]; then
		skip "$this: options" 'it has no page yet'
		continue
	fi
	text "$man/$this.1" >page
	"$program" --help | sed -n 's/^  \(-[^ ]\)[, ].*/\1/p; s/^ [^-]*\(-., \)\{0,1\}\(--[a-z0-9-]*\).*/\2/p' >options
	check "$this: --help has options" test -s options
	: >missing
	while read -r option; do
		grep -Eq -e "(^|[ |,[])$option([] =,[|]|[a-z]*\]|$)" page || echo "$option" >>missing
	done <options
	: >want
	same "$this: the page has every option of --help" want missing
done

# Splits the examples of a page: command N into N.sh, its expected output, if any, into N.want.
examples() {
	text "$1" | awk '
		/^[A-Z]/ { on = /^EXAMPLES/; indent = 0 }
		!on { next }
		/^ *\$ / {
			match($0, /^ */); indent = RLENGTH
			file = sprintf("%03d", ++n); blank = ""; shown = 0
			print substr($0, indent + 3) >(file ".sh"); next
		}
		indent && /^ *> / && !shown && match($0, /^ */) && RLENGTH == indent {
			print substr($0, indent + 3) >(file ".sh"); next
		}
		indent && /^ *$/ { blank = blank "\n"; next }
		indent && match($0, /^ */) && RLENGTH >= indent {
			printf "%s%s\n", blank, substr($0, indent + 1) >(file ".want"); blank = ""; shown = 1; next
		}
		{ indent = 0 }'
}

for page in "$man"/*.[15]; do
	this=${page##*/}
	rm -rf "$tmp/play"
	mkdir "$tmp/play"
	cd "$tmp/play" || exit 1
	cp "$here/data/perf-cpp.txt" shop.perf
	[ ! -e "$here/data/demo.folded" ] || cp "$here/data/demo.folded" app.folded
	for f in "$here/data/$this".*; do
		[ ! -e "$f" ] || cp "$f" "${f#"$here/data/$this."}"
	done
	mkdir .examples
	(cd .examples && examples "$page")
	for command in .examples/*.sh; do
		[ -e "$command" ] || continue
		expected=${command%.sh}.want
		title="$this: $(head -1 "$command")"
		if grep -Eq '(^|[ |])(perf (record|script)|fg-record|sudo|dtrace|bpftrace|firefox)|--open' "$command"; then
			skip "$title" 'it records or shows'
			continue
		fi
		sh "$command" >.examples/got 2>.examples/said
		got=$?
		absent=$(sed -n 's/.*: \([^ ]*\): not found$/\1/p; s/.*[ :]\([^ :]*\): No such file or directory$/\1/p' .examples/said | head -1)
		if [ -n "$absent" ]; then
			skip "$title" "no $absent" "$absent"
		elif [ -e "$expected" ]; then
			same "$title" "$expected" .examples/got
		else
			[ $got -lt 2 ] || cat .examples/said
			check "$title" test $got -lt 2
		fi
	done
done
done_testing
