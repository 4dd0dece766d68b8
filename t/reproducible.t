#!/bin/sh
# Builds in two directories give the same bytes: some objects, an archive, and a library
# that is linked; t/builds.t compares whole programs.
# tier: full
. "$(dirname "$0")/lib.sh"
tree=$(cd "$here/.." && pwd)

goals='common/base/text.o common/base/cli.o common/lazy/yajl.o common/names/language.o
	common/profile/foldedheader.o cmd/fg-merge/fg-merge.o cmd/fg-render/picture/svgout.o'
mkdir -p "one/of a" two
for place in "one/of a" two; do
	cp -r "$tree/Makefile" "$tree/cmd" "$tree/common" "$tree/share" "$place"
	# shellcheck disable=SC2046 # names without blanks
	(cd "$place" && CCACHE_DISABLE=1 make -s BUILD=1 O=build B=bin $(for goal in $goals; do echo "build/$goal"; done) \
	    build/lazy.a bin/lib/fg/libfgheap.so) >"$tmp/said" 2>&1
done
for file in $(for goal in $goals; do echo "build/$goal"; done) build/lazy.a bin/lib/fg/libfgheap.so; do
	check "${file##*/} built in two directories has the same bytes" cmp "one/of a/$file" "two/$file"
done
done_testing
