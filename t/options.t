#!/bin/sh
# The long options of the six programs: an alias has the effect of its option, and the table in
# fg-tools(7) lists all options with the letters and aliases of --help.
# tier: quick
. "$(dirname "$0")/lib.sh"

# Lines of "name program cell"; a cell is the letter with its dash, `alias`, or `yes`.
for p in record collapse merge diff filter render; do
	"$BIN/fg-$p" --help | awk -v p="$p" '
		/^  -/ || /^      --/ {
			letter = $1 ~ /^-[^-]/ ? substr($1, 1, 2) : ""
			sub(/^ *(-., )? */, "")
			name = $1; sub(/^--/, "", name); sub(/[=[].*/, "", name)
			alias = / alias for /
			if (!alias && NF == 1) { getline; alias = /alias for / }
			print name, p, alias ? "alias" : letter != "" ? letter : "yes"
		}'
done | LC_ALL=C sort >options
check '--help has options in all six programs' test "$(cut -d' ' -f2 options | sort -u | wc -l)" = 6

# name, then a cell for each program, - for none
awk '
	{ cell[$1, $2] = $3; names[$1] }
	END {
		n = split("record collapse merge diff filter render", p, " ")
		for (name in names) {
			line = name
			for (i = 1; i <= n; i++)
				line = line " " ((name, p[i]) in cell ? cell[name, p[i]] : "-")
			print line
		}
	}' options | LC_ALL=C sort >want
sed -n '/^\.Bl -column "--truncate/,/^\.El/s/^\.It Fl -\([a-z0-9-]*\) Ta /\1 Ta /p' \
	"$here/../man/fg-tools.7" | sed 's/ Ta Fl \([^ ]\)/ Ta -\1/g; s/ Ta / /g; s/\\&-/-/g' >got
LC_ALL=C sort got >sorted
same 'the table of fg-tools(7) has all options of --help (a new option needs a row there)' want sorted

# Names with two meanings, one as an option and one as an alias for scripts of other tools or older
# versions. fg-tools(7) has the reason for each. There are no others.
awk '$3 == "yes" || $3 ~ /^-/ { own[$1] = own[$1] " " $2 }
	$3 == "alias" { other[$1] = other[$1] " " $2 }
	END { for (n in own) if (n in other) print n ":" own[n] "; alias in" other[n] }' options |
	LC_ALL=C sort >two
cat >two.want <<'END'
kernel: filter; alias in collapse
label: collapse record; alias in filter
module: collapse record; alias in filter
only: filter; alias in diff
pid: record; alias in collapse
tid: record; alias in collapse
to: collapse filter; alias in merge
weight: record; alias in merge
END
same 'names that are an option here and an alias there' two.want two

cat >p.folded <<'END'
# unit: ns
a`main;b`f_[k];g_[j] 3
a`main;c`h_[i] 5
END
printf '# label: host=x\nm;n 1\n' >l.folded

# alike PROGRAM "OLD" "NEW" [FILE ...]: both command lines write the same non-empty output
alike() {
	program=$1 old=$2 new=$3
	shift 3
	# shellcheck disable=SC2086
	{ "fg-$program" -q $old "$@" >old.out 2>&1; echo "exit $?" >>old.out
	"fg-$program" -q $new "$@" >new.out 2>&1; echo "exit $?" >>new.out; }
	check "fg-$program $old is not an error" grep -qx 'exit 0' old.out
	same "fg-$program $old is $new" new.out old.out
}

cp "$here/data/perf-cpp.txt" perf.txt
alike collapse --pid --show-pid perf.txt
alike collapse --tid --show-tid perf.txt
alike collapse --srcline --lines perf.txt
alike collapse --kernel '--annotate=k --no-header' perf.txt
alike collapse --jit '--annotate=j --no-header' perf.txt
alike collapse --all '--annotate=kj --no-header' perf.txt
alike collapse --no-annotate '--no-annotations --no-header' perf.txt
alike collapse --nthreads=2 --jobs=2 perf.txt
alike collapse -n2 -j2 perf.txt
alike merge --weight=p.folded=2 --scale=p.folded=2 p.folded
alike filter --keep=h --focus=h p.folded
alike filter --module=^a$ --focus-module=^a$ p.folded
alike filter --label=host=x --focus-label=host=x l.folded p.folded
alike filter --no-annotate '--no-annotations --no-header' p.folded
alike diff '--report=tsv --only=h' '--report=tsv --match=h' p.folded p.folded
alike render '-T top --percent-limit=50' '-T top --min-percent=50' p.folded
alike render --nthreads=2 --jobs=2 p.folded
alike render --min-width=2 --minwidth=2 p.folded
mkdir tsv tsv.to tsv.text
fg-merge -T tsv -o tsv p.folded && fg-merge --to=tsv -o tsv.to p.folded && fg-merge --text=tsv -o tsv.text p.folded
check 'fg-merge --to=tsv is --text=tsv' diff -r tsv.to tsv.text
check 'fg-merge -T tsv is --text=tsv' diff -r tsv tsv.text

# --no-annotations keeps header lines; --no-annotate does not.
output 'fg-filter --no-annotations keeps the header lines' '# unit: ns 0
a`main;b`f;g 3
a`main;c`h 5' fg-filter --no-annotations p.folded
output 'fg-filter --no-annotate omits them' 'a`main;b`f;g 3
a`main;c`h 5' fg-filter --no-annotate p.folded
output 'fg-filter --no-annotations applies to later options only' 'a`main;b`f;g 3' \
	fg-filter --focus='_\[k\]$' --no-annotate p.folded
fg-record -V -v >said
check 'fg-record -V -v lists the versions of interpreters, and where their offsets are from' \
    grep -q '^php 7\.4 to .*: offsets from ' said
done_testing
