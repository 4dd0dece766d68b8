#!/bin/sh
# The tree builds without warnings with each compiler and optimization level, with sanitizers,
# without each optional library, for AArch64 and outside the tree; two builds are identical; a
# build without a library works; a 32-bit one is refused.
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

for library in DW LIBIBERTY ZSTD LZMA YAJL EXPAT LIBDEFLATE ZYDIS NCURSESW; do
	built "without-$library" WITHOUT=$library CFLAGS='-O1 -Werror'
	output "built without $library: fg-collapse runs" 'a;b 3' \
	    sh -c 'echo "a;b 3" | "$0" --no-header' "$tmp/without-$library/bin/fg-collapse"
	BIN=$tmp/without-$library/bin prove -Q "$here/formats-samples.t" "$here/folded.t" "$here/merge.t" >"$tmp/.said" 2>&1 &&
		ok "built without $library: its tests pass" || not_ok "built without $library: its tests pass"
	rm -rf "$tmp/without-$library"
done
built without-any WITHOUT='LIBIBERTY ZSTD LZMA YAJL EXPAT LIBDEFLATE ZYDIS NCURSESW' CFLAGS='-O1 -Werror'

built linked LAZY= CFLAGS='-O1 -Werror'
check 'linked with all libraries: fg-collapse is' sh -c 'readelf -d "$0" | grep -q "NEEDED.*libdw"' "$tmp/linked/bin/fg-collapse"
rm -rf "$tmp/linked"

# Static programs, as for a machine whose libraries are older, or another C library's.
built static STATIC=1 CFLAGS='-O1 -Werror'
for program in fg-collapse fg-diff fg-filter fg-merge fg-record fg-render; do
	lacks_needed() { ! readelf -d "$1" | grep -q NEEDED && file "$1" | grep -q 'static'; }
	check "STATIC=1: $program needs no library" lacks_needed "$tmp/static/bin/$program"
done
if [ "$(id -u)" = 0 ]; then
	mkdir empty && cp "$tmp/static/bin/fg-collapse" "$tmp/static/bin/fg-render" "$here/data/formats/pprof/the" empty
	check 'STATIC=1: fg-collapse reads pprof in a root without libraries' \
	    sh -c 'chroot empty /fg-collapse /the 2>&1 | grep ";"'
	check 'STATIC=1: fg-render writes a picture in a root without libraries' \
	    sh -c 'echo "a;b 3" | chroot empty /fg-render | grep "</svg>"'
else
	skip 'STATIC=1: in a root without libraries' 'not root'
fi
rm -rf "$tmp/static" empty

# Builds in another directory, and in one of another name, give identical programs.
cp -r "$tree/Makefile" "$tree/cmd" "$tree/common" "$tree/share" . && mkdir elsewhere && cp -r Makefile cmd common share elsewhere
for place in . elsewhere; do
	(cd $place && make -s BUILD=1 O=build B=bin programs) >said 2>&1
done
for program in fg-collapse fg-diff fg-filter fg-merge fg-record fg-render; do
	check "$program: two builds give the same bytes" cmp bin/$program elsewhere/bin/$program
done

# gcc warns of null pointers in the checks that -fsanitize=undefined itself adds.
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	built "$compiler-sanitizers" CC=$compiler HARDEN= CFLAGS='-O1 -g -Werror -Wno-unknown-warning-option -Wno-format-truncation -Wno-nonnull -fsanitize=address,undefined' \
	    LDFLAGS='-fsanitize=address,undefined'
	output "$compiler, sanitizers: it runs" 'a;b 3' sh -c 'echo "a;b 3" | FG_SANDBOX=off "$0"' "$tmp/$compiler-sanitizers/bin/fg-merge"
	rm -rf "$tmp/$compiler-sanitizers"
done

# 32-bit machines are refused, before anything is compiled.
if echo | ${CC:-cc} -m32 -E - >/dev/null 2>&1; then
	make -C "$tree" BUILD=1 O="$tmp/narrow" B="$tmp/narrow/bin" CC="${CC:-cc} -m32" programs >said 2>&1
	output 'a 32-bit build is refused' 2 echo $?
	check 'a 32-bit build is refused with the reason' grep -q '64-bit' said
else
	skip 'a 32-bit build' 'the compiler makes none'
fi

# AArch64, if Debian's packages for it are installed, or extracted into AARCH64_ROOT.
root=${AARCH64_ROOT-}
libraries=$root/usr/lib/aarch64-linux-gnu
if command -v aarch64-linux-gnu-gcc >/dev/null && [ -e "$libraries/libdw.so" ]; then
	(
		export PKG_CONFIG_LIBDIR="$libraries/pkgconfig:$root/usr/share/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
		make -s -C "$tree" BUILD=1 O="$tmp/aarch64" B="$tmp/aarch64/bin" CC="aarch64-linux-gnu-gcc${root:+ --sysroot=$root}" \
		    CFLAGS='-O2 -Werror' programs
	) >aarch64.log 2>&1
	check 'AArch64: compiled without a warning' [ -x aarch64/bin/fg-record -a -x aarch64/bin/fg-render ]
	if command -v qemu-aarch64 >/dev/null; then
		mkdir emulated
		for program in aarch64/bin/fg-*; do
			printf '#!/bin/sh\nexec qemu-aarch64 -L "%s" "%s" "$@"\n' "${root:-/}" "$tmp/$program" >emulated/${program##*/}
			chmod +x emulated/${program##*/}
		done
		check 'AArch64: tests of filters pass in an emulator' env BIN="$tmp/emulated" prove -Q "$here/folded.t" "$here/merge.t"
	else
		skip 'AArch64: tests of filters' 'there is no qemu-aarch64' qemu-user
	fi
else
	skip 'AArch64' 'no cross compiler with libraries (AARCH64_ROOT)' gcc-aarch64-linux-gnu
fi
done_testing
