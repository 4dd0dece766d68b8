#!/bin/sh
# The C library need not be glibc: the sources compile with the headers of musl. Linking is not
# possible here, since the required libraries are built for glibc.
# tier: full
. "$(dirname "$0")/lib.sh"
command -v musl-gcc >/dev/null || skip_all 'there is no musl-gcc' musl-tools
cd "$here/.." || exit 1

# Links the headers of other libraries one by one, so that no glibc header is found.
mkdir "$tmp/include"
for h in elfutils libelf.h gelf.h dwarf.h xxhash.h zlib.h zconf.h zstd.h zstd_errors.h lzma lzma.h \
    libdeflate.h libiberty Zydis Zycore bsd linux asm-generic asm yajl ncurses.h ncurses_dll.h curses.h unctrl.h expat.h expat_external.h; do
	for d in /usr/include /usr/include/"$(${CC:-cc} -print-multiarch 2>/dev/null)"; do
		[ -e "$d/$h" ] && ln -sf "$d/$h" "$tmp/include/$h"
	done
done
[ -e "$tmp/include/bsd" ] || skip_all 'the headers of libbsd are not in /usr/include' libbsd-dev

generated=$(dirname "$UNIT")/.. # what the build made, and the flags that it was made with
defines=$(grep -oE -- '-D[A-Z_]+' "$generated/flags" | sort -u)
for f in $(find cmd common t/unit -name '*.c' | sort); do
	musl-gcc -fsyntax-only -Wall -Wextra -std=gnu11 $defines \
	    -Icommon -Icmd -I"$generated/common" -I"$generated/cmd" -I"$generated" -isystem "$tmp/include" \
	    -isystem "$tmp/include/bsd" "$f" || echo "$f"
done >"$tmp/said" 2>&1
head -20 "$tmp/said" | sed 's/^/# /'
check 'all C compiles against musl' test ! -s "$tmp/said"
done_testing
