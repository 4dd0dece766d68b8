#!/bin/sh
# Labels: header lines for the origin of a profile; preserved, merged, and used by --group-by.
# tier: quick
. "$(dirname "$0")/lib.sh"

# profile FILE LABELS STACK...
profile() {
	file=$1 labels=$2
	shift 2
	{ [ -z "$labels" ] || echo "# label: $labels 0"; printf '%s\n' "$@"; } >"$file"
}
profile web1 'host=web1 version=4.2' 'app;f 1' 'app;g 2'
profile web2 'host=web2 version=4.2' 'app;f 10'
profile web3 'version=4.3' 'app;f 100'

# Every program preserves labels
line='# label: host=web1 version=4.2 0'
for p in fg-merge 'fg-merge -m' 'fg-merge --sorted-lines' fg-filter 'fg-filter --time-order' fg-collapse \
	'fg-collapse --time-order'; do
	output "$p keeps labels" "$line" sh -c "$p web1 | head -1"
	output "$p --no-labels leaves them out" '' sh -c "$p --no-labels web1 | grep label"
	output "$p --no-header leaves them out" '' sh -c "$p --no-header web1 | grep label"
done
# The side's labels of one value that differ, base first.
for pair in '13 12' '12 13'; do
	set -- $pair
	printf '# label: build=%s who=x,y host=a 0\na 1\n' "$1" >side.base
	printf '# label: build=%s who=z host=a 0\na 1\n' "$2" >side.head
	output "each side of fg-diff has its label: $pair" "# sides: build=$1 build=$2 0 0" \
		sh -c 'fg-diff -q side.base side.head | fg-filter --drop nothing | grep "^# sides"'
done
fg-diff -q side.base side.head >one
fg-diff -q side.head side.base >other
output 'sides that are not the same are merged' '# sides: merged 0 0' sh -c 'fg-merge one other | grep "^# sides"'
status 'fg-diff --no-labels leaves out the sides' 1 sh -c 'fg-diff -q --no-labels side.base side.head | grep "^# sides"'
output 'fg-diff unites the labels of both sides' '# label: host=web1,web2 version=4.2 0 0' \
	sh -c 'fg-diff web1 web2 | grep label'
output 'fg-diff --no-labels leaves them out' '# columns: base head 0 0' sh -c 'fg-diff --no-labels web1 web2 | grep "^#"'
output 'columns: one zero for each' '# label: host=web1,web2 version=4.2 0 0' \
	sh -c 'fg-diff web1 web2 | fg-merge | grep label'
output '--column keeps labels' '# label: host=web1,web2 version=4.2 0' \
	sh -c 'fg-diff web1 web2 | fg-merge --column head | grep label'
check 'fg-render draws a file with labels' fg-render -o out.svg web1
output 'difffolded and flamegraph.pl see a stack of 0' 0 sh -c "awk '/^# label/ { n += \$NF } END { print n }' web1"

# Merged labels are sets
output 'values of several files are a set' '# label: host=web1,web2 version=4.2,4.3 0
app;f 111
app;g 2' fg-merge web2 web3 web1
fg-merge web1 web2 | fg-merge - web3 >a
fg-merge web3 web1 | fg-merge web2 - >b
same 'any grouping gives the same bytes' a b
fg-merge web1 web2 web3 >c
same 'as one merge' a c
for i in $(seq 64); do profile many.$i "n=v$i k=x" "a $i"; done
fg-merge many.* >got
output '64 values are listed' 64 sh -c "sed -n 's/.* n=\([^ ]*\) 0/\1/p' got | tr ',' '\n' | wc -l"
profile many.65 'n=v65' 'a 1'
output 'more than 64 values are *' '# label: k=x n=* 0' sh -c 'fg-merge many.* | head -1'
fg-merge many.* | fg-merge - many.1 | head -1 >got
echo '# label: k=x n=* 0' >want
same 'a label with the value * absorbs the others' want got
output 'an empty file has no labels' "$line" sh -c 'echo "# label: host=none 0" >empty; fg-merge empty web1 | head -1'

# --where label:
for p in fg-filter 'fg-filter --time-order'; do
	output "$p --where label: stacks of the files with that label" 'app;f 10' \
		sh -c "$p --no-header --where 'label:host=web2' web1 web2 web3"
	output "$p --where label with and, or, not" 'app;f 110
app;g 2' sh -c "$p --no-header --where 'not label:host=web1 or leaf g' web1 web3 web2 | fg-merge --no-header"
done
output '--where label: steps before it run for each file' 'x;app;f 10' \
	fg-filter --no-header --root x --where 'label:host="web2"' web1 web2
output '--where label: steps after it see the sum' 'app;f 11' \
	fg-filter --no-header --where 'label:version=4.2' --min 11 web1 web2 web3
output '--where label: of one file, as a stream' 'app;f 1
app;g 2' fg-filter --no-header --where 'label:host=web1' web1
output '--where label: a value is exact' '' fg-filter --no-header --where 'label:host=web' web1 web2
fg-diff web1 web2 >two
fg-filter --no-labels two >other
output '--where label with --column' 'app;f 10' \
	fg-filter --no-header --column head --where 'label:host=web2 and leaf f' other two
status '--where label behind --min is wrong usage' 2 fg-filter --min 3 --where label:host=web1 web1 web2
status '--where label without a value is wrong usage' 2 fg-filter --where label:host web1
printf 'label::f 1\n' >colons
output 'label:: is a name' 'label::f 1' fg-filter --where 'label::f' colons

# Text form
output 'separators in labels are percent-encoded' '# label: command=a%20b%3Bc%3Dd%2Ce%25f%0A star=%2A 0' \
	sh -c 'fg-collapse --label "command=a b;c=d,e%f
" --label "star=*" web1 --no-labels >/dev/null
	printf "app 1\n" | fg-collapse --label "command=a b;c=d,e%f
" --label "star=*" | head -1'
printf 'app 1\n' | fg-collapse --label 'k=a b;c=d,e%f' --label 'k=*' --label 'leer=' >got
fg-merge got | fg-filter | fg-collapse --time-order | fg-merge -m >back
same 'labels: lossless round trip' got back
output 'a label line without zeros, and moved' '# label: host=x 0' sh -c 'printf "a 1\n# label: host=x\n" | fg-merge -q | grep label'
output 'a malformed label line is a comment' 'a 1' sh -c 'printf "# label: no key 0\na 1\n" | fg-merge -q'
status '--label without a key is wrong usage' 2 fg-collapse --label nothing web1
output 'fg-collapse adds to the labels of folded stacks' '# label: host=web1 region=eu version=4.2 0' \
	sh -c 'fg-collapse --label region=eu web1 | head -1'
perf_script 20 >perf.txt
output '--label with another format' '# label: host=h 0' sh -c 'fg-collapse -q --label host=h -e cycles perf.txt | grep label'

# Groups
output '--group-by puts KEY=VALUE at the root' 'host=[unknown];app;f 100
host=web1;app;f 1
host=web1;app;g 2
host=web2;app;f 10' fg-merge --no-header --group-by host web1 web2 web3
output '--group-by with -m' 'version=4.2;app;f 11
version=4.2;app;g 2
version=4.3;app;f 100' fg-merge -m --no-header --group-by version web1 web2 web3
output '--prefix=label:KEY puts the value at the root' '[unknown];app;f 100
web1;app;f 1
web1;app;g 2
web2;app;f 10' fg-merge --no-header --prefix=label:host web1 web2 web3
mkdir by
fg-merge --group-by version -o 'by/x.%V.folded' web1 web2 web3
output '-o with %V: a file for each value' 'x.4.2.folded x.4.3.folded ' sh -c 'ls by | tr "\n" " "; echo'
fg-merge web1 web2 >want
same '-o with %V: each is the sum of its files' want by/x.4.2.folded
profile evil 'host=../../e%2Fvil' 'a 1'
fg-merge -m --group-by host -o 'by/%V' evil
output '-o with %V: a value does not leave the directory' '%2E.%2F..%2Fe%2Fvil' sh -c "ls by | grep vil"
status '--group-by reads no pipe' 2 sh -c 'cat web1 | fg-merge --group-by host'
status '--group-by with --prefix is wrong usage' 2 fg-merge --group-by host --prefix web1
mkdir a1 a2
cp web1 a1/h.folded
cp web2 a2/h.folded
cp web2 'a;b'
cp web3 'a:b'
cp web3 web1.folded
status '--prefix=base: two files of one base name are refused' 2 fg-merge --prefix=base a1/h.folded a2/h.folded
status '--prefix=base -q: two files of one base name are refused' 2 fg-merge -q --prefix=base a1/h.folded a2/h.folded
fg-merge -q --prefix=base -o got.new a1/h.folded a2/h.folded 2>said
check 'the message names both and the root, -o is not written' \
	sh -c 'grep -q "a1/h.folded and a2/h.folded would share the root h;" said && [ ! -e got.new ]'
status '--prefix=base: a list of files is checked as well' 2 \
	sh -c 'printf "a1/h.folded\0a2/h.folded\0" | fg-merge --prefix=base --files0-from -'
status '--prefix=base: a name given for one of them does not excuse the other' 2 \
	fg-merge --prefix=base h=web1 a2/h.folded
status '--prefix=base: one file, with and without a suffix' 2 fg-merge --prefix=base web1 web1.folded
status '--prefix: names that clean to one root are refused' 2 fg-merge --prefix './a;b' './a:b'
output '--prefix=base: NAME=FILE keeps them apart' 'h;app;f 1
h;app;g 2
i;app;f 10' fg-merge --no-header --prefix=base a1/h.folded i=a2/h.folded
output '--prefix: one NAME for two files is their sum' 'h;app;f 11
h;app;g 2' fg-merge --no-header --prefix h=a1/h.folded h=a2/h.folded
output '--prefix=base: one file twice counts twice' 'h;app;f 20' fg-merge --no-header --prefix=base a2/h.folded a2/h.folded
profile odd1 'host=a%3Bb%2Cc' 'x 1'
profile odd2 'host=a%3Ab,c' 'x 2'
output '--group-by: different values have different roots' 'host=a%3Bb%2Cc;x 1
host=a:b,c;x 2' fg-merge --no-header --group-by host odd1 odd2

# Labels in other formats, and round trips
fg-diff web1 web2 | sed '/^# sides/d' >both
for t in pprof otlp otlp-json; do
	fg-render --help | grep -q pprof && fg-render -T $t web1 >made 2>/dev/null || { skip "$t" 'not built in'; continue; }
	fg-collapse made >got
	same "$t carries labels there and back" web1 got
	output "$t: fg-collapse --no-labels" "$(fg-merge --no-labels web1)" fg-collapse --no-labels made
done
if fg-render -T pprof both >made 2>/dev/null; then
	fg-collapse made >got
	same 'a differential in pprof carries labels there and back' both got
	fg-render -T pprof web1 >made
	if command -v go >/dev/null && go tool pprof -raw made >got 2>/dev/null; then
		check 'samples of pprof have the labels' grep -q 'host:\[web1\]' got
	else
		skip 'samples of pprof have the labels' 'there is no go tool pprof' golang-go
	fi
fi

# Time marks
printf '# time: 0.5 s 0\na;b 1\na;b 1\n# time: 1.5 s 0\na;b 2\na;c 1\n' >marks
output 'fg-collapse --time-order keeps time marks' '# time: 0.5 s 0
a;b 2
# time: 1.5 s 0
a;b 2
a;c 1' fg-collapse --time-order marks
output 'fg-collapse --time-order=STEP makes steps of time marks' '# time: 0 s 0
a;b 2
# time: 1 s 0
a;b 2
a;c 1' fg-collapse --time-order=1s marks
output 'without time marks there is no time step' 'b 1
a 1' sh -c 'printf "b 1\na 1\n" | fg-collapse --time-order=1s'

# perf.data
case $(fg-collapse --version) in
*'not built in (libdw)'*) skip perf.data 'built without libdw' libdw-dev ;;
*) recordings=$shared ;;
esac
if [ -n "${recordings-}" ]; then
	for f in "$shared"/corpus/perf-data/*.data; do
		fg-collapse -q --label auto "$f" 2>/dev/null | grep '^# label: .*command=[^ ]*record.* host=' && break
	done >got
	check '--label auto has host and command of perf.data' test -s got
	for f in "$shared"/corpus/perf-data/*.data; do
		fg-collapse -q --label auto "$f" 2>/dev/null | grep '^# label: '
	done | grep -E '^# label: .*build-id=[^ :]+:([0-9a-f]{16,64}|none)[ ,]' >got
	check '--label auto has the build IDs of files without symbols' test -s got
fi
done_testing
