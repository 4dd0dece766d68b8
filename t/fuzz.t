#!/bin/sh
# Inputs of the fuzz targets, t/fuzz/readers: those of t/fuzz/seeds.pl reach the readers. t/fuzz/corpus has
# inputs that fuzzing found, with code that no seed reaches.
# tier: quick
. "$(dirname "$0")/lib.sh"
CAPTURE=${CAPTURE:-$UNIT/../capture/capture}
code=$UNIT/../fuzz/code

perl "$here/fuzz/seeds.pl" seeds
cp -r "$here/fuzz/corpus/." seeds
# ends NAME COMMAND...: it ends by itself, and no sanitizer reports (status 99).
ends() {
	what=$1
	shift
	"$@" >got 2>said
	got=$?
	check "$what: exit status $got" sh -c '[ $1 -le 125 ] && [ $1 != 99 ] && ! grep -E "Sanitizer|runtime error: " said || { cat said; exit 1; }' sh $got
}
for seed in seeds/*/*; do
	reader=${seed#seeds/}
	reader=${reader%/*}
	case $reader in
	capture) ;;
	capture-*) ends "$seed" "$CAPTURE" edit "$seed" "$here/data/captures/${reader#capture-}" ;;
	*) ends "$seed" "$code" "$reader" "$seed" ;;
	esac
done

# Frames of an image, read twice: those of a runtime whose names are unknown have none.
frames() {
	output "$1: frames" "$2" sh -c '"$1" "${2%/*}" "seeds/$2" | sed -n "/ frames in /{s/ frames.*//p;}" | uniq' sh "$code" "$1"
}
frames luajit/interpreter 2
frames luajit/trace 3
frames haskell/stack 1
frames beam/code 4
frames v8/12.0 5
frames oldpython/3.4 2
frames ruby/stack 2

[ "$(uname -m)" = x86_64 ] || { skip 'captures have the system calls of x86-64'; done_testing; exit; }
"$CAPTURE" replay "$here/data/captures/python" >replayed 2>said
"$CAPTURE" edit seeds/capture/none "$here/data/captures/python" >got 2>said
same 'a capture without changes has its stacks' replayed got
for capture in python java php perl-5-42 lua ruby-3-4 node; do
	for seed in seeds/capture/*; do
		ends "$capture, changed by ${seed##*/}" "$CAPTURE" edit "$seed" "$here/data/captures/$capture"
	done
done
"$CAPTURE" edit seeds/capture/how3 "$here/data/captures/java" >got 2>said
check 'a change of memory changes stacks' sh -c '! cmp -s "$1" got' sh "$here/data/captures/java/stacks"
done_testing
