#!/bin/sh
# The tree builds without warnings with each compiler and optimization level, without each optional
# library, and outside the tree; two builds are identical; a build without a library works.
# tier: soak
. "$(dirname "$0")/lib.sh"

tree=$here/..
# built NAME VARIABLE=VALUE...: builds into ./NAME with these make variables; fails on a warning
built() {
	to=$tmp/$1 name=$1
	shift
	make -s -C "$tree" BUILD=1 O="$to" B="$to/bin" "$@" programs >"$to.log" 2>&1
	got=$?
	grep -iE 'warning|error' "$to.log" >"$tmp/.said"
	[ $got = 0 ] || tail -n 5 "$to.log" >>"$tmp/.said"
	if [ $got = 0 ] && [ ! -s "$tmp/.said" ]; then ok "$name"; else not_ok "$name"; fi
}

for compiler in gcc clang; do
	if ! command -v $compiler >/dev/null; then
		skip $compiler 'it is not installed'
		continue
	fi
	for level in -O2 -O3; do
		built "$compiler$level" CC=$compiler CFLAGS="$level -g -Werror"
		output "$compiler $level: it runs" 'a;b 3' sh -c 'echo "a;b 3" | "$0"' "$tmp/$compiler$level/bin/fg-merge"
		rm -rf "$tmp/$compiler$level"
	done
done

for library in LIBIBERTY ZSTD LZMA YAJL EXPAT PROTOBUF LIBDEFLATE ZYDIS NCURSESW; do
	built "without-$library" WITHOUT=$library CFLAGS='-O1 -Werror'
	output "built without $library: fg-collapse runs" 'a;b 3' \
	    sh -c 'echo "a;b 3" | "$0" --no-header' "$tmp/without-$library/bin/fg-collapse"
	BIN=$tmp/without-$library/bin prove -Q "$here/formats-samples.t" "$here/folded.t" "$here/merge.t" >"$tmp/.said" 2>&1 &&
		ok "built without $library: its tests pass" || not_ok "built without $library: its tests pass"
	rm -rf "$tmp/without-$library"
done
built without-any WITHOUT='LIBIBERTY ZSTD LZMA YAJL EXPAT PROTOBUF LIBDEFLATE ZYDIS NCURSESW' CFLAGS='-O1 -Werror'

# Builds in another directory, and in one of another name, give identical programs.
cp -r "$tree/Makefile" "$tree/cmd" "$tree/common" "$tree/share" . && mkdir elsewhere && cp -r Makefile cmd common share elsewhere
for place in . elsewhere; do
	(cd $place && make -s BUILD=1 O=build B=bin programs) >said 2>&1
done
for program in fg-collapse fg-diff fg-filter fg-merge fg-record fg-render; do
	check "$program: two builds give the same bytes" cmp bin/$program elsewhere/bin/$program
done

if command -v aarch64-linux-gnu-gcc >/dev/null && [ -e /usr/lib/aarch64-linux-gnu/libdw.so ]; then
	built aarch64 CC=aarch64-linux-gnu-gcc
else
	skip aarch64 'no cross compiler with libraries'
fi
done_testing
