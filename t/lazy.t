#!/bin/sh
# Libraries that few inputs need are loaded for those inputs only, also in the sandbox; a missing
# one is an error of its own.
# tier: quick
. "$(dirname "$0")/lib.sh"
flags=${UNIT%/t/unit}/flags
if [ -r "$flags" ] && ! grep -q " LAZY=dw" "$flags"; then
	skip_all 'this build is linked with the libraries (LAZY=)'
fi
unset LD_LIBRARY_PATH
loading_ones

for p in fg-collapse fg-filter fg-merge fg-diff fg-render; do
	readelf -d "$BIN/$p" >dynamic || printf 'readelf failed\n' >>dynamic
	check "$p is not linked with a library of common/lazy" eval '! grep -E "failed|NEEDED.*lib(dw|elf|zstd|lzma|yajl|expat|ncursesw|Zydis)\." dynamic'
done

for p in fg-filter fg-merge fg-collapse; do
	if grep -q -e -fsanitize "$flags" 2>/dev/null; then
		skip "$p: libm" 'a sanitizer needs it'
		continue
	fi
	readelf -d "$BIN/$p" >dynamic || printf 'failed\n' >>dynamic
	check "$p starts without the mathematical library" eval '! grep -E "failed|NEEDED.*libm\." dynamic'
done

printf 'a;b 3\n' >plain
printf 'a;b 3\n' | gzip -c >gz
# `plain` as zstd and xz compress it.
printf '\050\265\057\375\000\130\061\000\000\141\073\142\040\063\012' >zst
printf '\375\067zXZ\000\000\001\151\042\336\066\002\000\041\001\026\000\000\000\164\057\345\243\001\000\005\141\073\142\040\063\012\000\000\000\215\001\107\031\000\001\032\006\305\352\310\171\220\102\231\015\001\000\000\000\000\001YZ' >xz
LD_DEBUG=files fg-filter plain 2>&1 | grep -q 'file=libc\.so' && debug=y || debug=

# loads LIBRARY PROGRAM ARGUMENT...: prints whether the program loads it
loads() {
	library=$1
	shift
	LD_DEBUG=files "$@" 2>&1 >/dev/null | grep -aq "file=lib$library\.so.*generating link map" && echo "loads $library" || echo without
}

for p in fg-collapse fg-filter fg-merge 'fg-diff plain' 'fg-render -T top'; do
	for library in dw elf deflate zstd lzma yajl expat ncursesw Zydis; do
		if [ -z "$debug" ]; then
			skip "$p: $library" 'LD_DEBUG does not show libraries'
			continue
		fi
		# shellcheck disable=SC2086
		output "$p: folded stacks need no $library" without loads $library $p plain
	done
done

# needs LIBRARY FEATURE FILE OPTION...: fg-collapse loads it for this file, unless its archive is linked (make
# ARCHIVES=), and reads the file as without sandbox
needs() {
	library=$1 feature=$2 file=$3
	shift 3
	if fg-collapse --version | grep -q "^$feature: not built in"; then
		skip "$file: $library" 'this build lacks it'
		return
	fi
	[ -z "$debug" ] || ! grep -q "lib$library\.so" "$BIN/fg-collapse" || output "$file: loads $library" "loads $library" loads "$library" fg-collapse "$@" "$file"
	FG_SANDBOX=off fg-collapse "$@" "$file" >want 2>&1
	fg-collapse "$@" "$file" >got 2>&1
	same "$file: the sandbox makes no difference" want got
	check "$file: it has stacks" grep -q ';' got
}
data=$here/data
needs zstd 'zstd input' zst
needs zstd 'zstd input' zst -f folded
needs lzma 'xz input' xz
needs lzma 'xz input' xz -f folded
needs yajl 'JSON profiles' "$data/formats/speedscope/sampled"
needs yajl 'JSON profiles' "$data/formats/speedscope/sampled" -f speedscope
needs expat 'XML profiles' "$data/formats/xctrace/plain"
needs expat 'XML profiles' "$data/formats/xctrace/plain" -f xctrace
# Readers that hold all of their input decompress a large gzip file with one member in one step.
# Other files, and those where this fails, are read like a pipe.
perl -e 'print q(1{1:1 2:2} ), (map { qq(2{1[$_ 1] 2:1} 4{1:$_ 4{1:$_}} 5{1:$_ 2:) . (2 + $_) . q(} ) } 1 .. 9000),
    q(6"" 6"samples" 6"count" ), (map { qq(6"function_$_" ) } 1 .. 9000)' | perl "$here/protobuf.pl" >large
gzip -c large >large.gz
needs deflate 'fast compression' large.gz
needs deflate 'fast compression' large.gz -f pprof
head -c 100000 large | gzip -c >members.gz
tail -c +100001 large | gzip -c >>members.gz
{ cat large.gz && head -c 512 /dev/zero; } >padded.gz
{ cat large.gz && echo rest; } >rest.gz
head -c 50000 large.gz >truncated.gz
perl -0777 -pe 'substr($_, -8, 1) ^= "\1"' large.gz >checksum.gz
perl -0777 -pe 'substr($_, -4, 1) ^= "\1"' large.gz >length.gz
perl -0777 -pe 'substr($_, -4, 4) = "\xff" x 4' large.gz >huge.gz
perl -0777 -pe 'substr($_, 40000, 9) = "\0" x 9' large.gz >damaged.gz
for kind in large members padded rest truncated checksum length huge damaged; do
	cat $kind.gz | fg-collapse -f pprof >want 2>&1
	echo $? >>want
	fg-collapse -f pprof - <$kind.gz >got 2>&1
	echo $? >>got
	same "$kind.gz: a file is read like a pipe" want got
done
# Another name in place of a library's, of the same length: no such file.
if fg-collapse --version | grep -q '^JSON profiles: yajl'; then
	sed 's/libyajl\.so/nosuchl.so/' "$BIN/fg-collapse" >fg-collapse
	chmod +x fg-collapse
	./fg-collapse "$data/formats/speedscope/sampled" >got 2>message
	output 'a missing library is an error' 2 echo $?
	check 'a missing library: the message has its name' grep -q 'cannot load a library: nosuchl\.so' message
	output 'input that needs no library is read where one is missing' 'a;b 3' ./fg-collapse -q --no-header gz
else
	skip 'a missing library' 'built without yajl' libyajl-dev
fi
done_testing
