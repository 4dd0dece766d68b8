#!/bin/sh
# The manual pages: every option of --help stands in the page of its program, pages refer to
# pages that exist, and the examples do what they show. t/lint checks their markup.
#
# An example is a line of EXAMPLES that begins with `$ ` in the page as mandoc
# shows it, with the lines that begin with `> ` after it; it is run by sh. What
# follows up to the next one or the end of the display is the output that it
# should have; where nothing follows any output will do. All examples of a page
# run one after the other in one folder, with these files:
#
#   shop.perf     t/data/perf-cpp.txt
#   app.folded    t/data/demo.folded
#   FILE          t/data/PAGE.FILE, as fg-diff.1.old.1 for fg-diff(1)
#
# Not run are examples that record (perf, fg-record, sudo) or open a browser, and
# those with programs that are not there or files that neither are here nor were
# made by an example before.
# tier: live
. "$(dirname "$0")/lib.sh"
command -v mandoc >/dev/null || skip_all 'no mandoc'
man=$here/../man

for page in "$man"/*.[1-9]; do
	this=${page##*/}
	sed -n 's/^\.Xr \(fg-[a-z]*\|folded\) \([1-9]\).*/\1.\2/p' "$page" | sort -u >refers
	while read -r other; do
		check "$this: there is $other" test -e "$man/$other"
	done <refers
done

# The dashes of options, and no other marks.
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

# Example N of a page: its command in N.sh, its output in N.want when it shows one.
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
			skip "$title" "no $absent"
		elif [ -e "$expected" ]; then
			same "$title" "$expected" .examples/got
		else
			[ $got -lt 2 ] || cat .examples/said
			check "$title" test $got -lt 2
		fi
	done
done
done_testing
