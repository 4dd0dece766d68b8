#!/bin/sh
# Addresses into function names: ELF symbols, inlined calls, lines, stubs, separate and
# compressed debug information, linkers, the kernel, names, corrupted files. symbol-jit.t has
# generated code.
# tier: quick
. "$(dirname "$0")/lib.sh"

symbol=$UNIT/symbol
CC=${CC:-cc}
CXX=${CXX:-c++}
[ -x "$symbol" ] || skip_all "no $symbol: run make test"

have() {
	command -v "$1" >/dev/null 2>&1
}

# The address of symbol $2 in $1, and of the first call to $3 within it.
address() {
	nm "$1" | awk -v name="$2" '$3 == name { print $1 }'
}
call() {
	objdump -d --no-show-raw-insn "$1" | awk -v within="<$2>:" -v callee="<$3" '
		/>:$/ { inside = $2 == within }
		inside && /call/ && index($0, callee) { sub(/:.*/, "", $1); print $1; exit }'
}

cat >inlines.c <<'END'
#include <stdlib.h>
static inline __attribute__((always_inline)) int third(int x)
{
	return x * 7 ^ rand();
}
static inline __attribute__((always_inline)) int second(int x)
{
	return third(x) + 1;
}
static inline __attribute__((always_inline)) int first(int x)
{
	return second(x + 1) * 3;
}
__attribute__((noinline)) int work(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += first(i);
	return s;
}
int main(int argc, char **argv)
{
	(void)argv;
	return work(argc) == 12345;
}
END
cat >expected <<'END'
third_[i] (inlines.c:4) [inlines.c:2]
second_[i] (inlines.c:8) [inlines.c:6]
first_[i] (inlines.c:12) [inlines.c:10]
work (inlines.c:18) [inlines.c:14]
END

# inlines NAME COMPILER FLAGS...: compile, and expect the four frames.
inlines() {
	title=$1 compiler=$2
	shift 2
	if ! $compiler -O2 "$@" -o inlines inlines.c >log 2>&1; then
		skip "$title" "$compiler cannot: $(head -1 log)"
		return
	fi
	"$symbol" -ils file "$tmp/inlines" "$(call inlines work rand)" >got 2>&1
	same "$title" expected got
}

inlines 'inlined frames with their lines, DWARF 5' "$CC" -gdwarf-5
inlines 'DWARF 4' "$CC" -gdwarf-4
inlines 'a program at fixed addresses' "$CC" -g -no-pie -fno-pie
inlines 'static-pie' "$CC" -g -static-pie
inlines 'static' "$CC" -g -static
inlines 'compressed sections' "$CC" -g -gz=zlib
inlines 'clang, without .debug_aranges' clang -g
inlines 'lld' clang -g -fuse-ld=lld
inlines 'mold' clang -g -fuse-ld=mold
inlines 'gold' "$CC" -g -fuse-ld=gold
inlines 'split DWARF 5' "$CC" -gdwarf-5 -gsplit-dwarf
inlines 'split DWARF 4' "$CC" -gdwarf-4 -gsplit-dwarf

# libdw looks for the split file beside the debug file first.
if $CC -O2 -gdwarf-5 -gsplit-dwarf -o inlines inlines.c 2>/dev/null; then
	at=$(call inlines work rand)
	mkdir -p fifo/.debug
	objcopy --only-keep-debug inlines fifo/.debug/inlines.debug
	strip -o fifo/inlines inlines
	objcopy --add-gnu-debuglink=fifo/.debug/inlines.debug fifo/inlines
	"$symbol" -ils file "$tmp/fifo/inlines" "$at" >got 2>&1
	same 'a split file of a separate debug file' expected got
	for f in *.dwo; do mkfifo "fifo/.debug/$f"; done
	timeout 600 "$symbol" -ils file "$tmp/fifo/inlines" "$at" >got 2>&1
	check 'a FIFO in place of a split file does not block' test $? = 0
	rm -r fifo ./*.dwo
else
	skip 'split files of a separate debug file' "$CC cannot"
fi

# 200 MB in 200 KB: libdwfl would decompress it.
$CC -O2 -g -Wl,--build-id=none -o inlines inlines.c
at=$(call inlines work rand)
head -c 200000000 /dev/zero | gzip >inlines.debug
strip inlines
objcopy --add-gnu-debuglink=inlines.debug inlines
"$UNIT/cost" cost "$symbol" -ils file "$tmp/inlines" "$at" >got 2>&1
check 'a compressed file in place of a debug file is not decompressed' awk '{ exit $2 > 150000 }' cost

inlines 'link-time optimisation' "$CC" -g -flto

# As distributions ship them: stripped programs and compressed debug files.
"$CC" -O2 -g -gz=zlib -Wl,--build-id -o inlines inlines.c
at=$(call inlines work rand)
objcopy --only-keep-debug inlines inlines.debug
strip inlines
objcopy --add-gnu-debuglink=inlines.debug inlines
"$symbol" -ils file "$tmp/inlines" "$at" >got 2>&1
same 'a stripped program, with a compressed debug file' expected got
# Four bytes in the middle of the compressed .debug_info become zeros.
set -- $(objdump -h inlines.debug | awk '$2 == ".debug_info" { print $6, $3 }')
printf '\0\0\0\0' | dd of=inlines.debug bs=1 seek=$((0x$1 + 0x$2 / 2)) conv=notrunc 2>/dev/null
"$symbol" -is file "$tmp/inlines" "$at" >got 2>&1
echo "work" >one
same 'a compressed debug file with corruption gives the symbol' one got

$CC -O2 -g -o inlines inlines.c
at=$(call inlines work rand)
output 'inlined frames only on request' work "$symbol" file "$tmp/inlines" "$at"
output 'lines only on request' 'third_[i]
second_[i]
first_[i]
work' "$symbol" -i file "$tmp/inlines" "$at"
output 'assembly without sizes' '_start
_init
_fini' "$symbol" -i file "$tmp/inlines" "$(address inlines _start)" "$(address inlines _init)" "$(address inlines _fini)"
output 'addresses that are nowhere' '[inlines]
[inlines]' "$symbol" -ils file "$tmp/inlines" 0 ffffffffffffffff
offset=$(readelf -SW inlines | sed 's/^ *\[ *[0-9]*\] *//' | awk '$1 == ".text" { print $3, $4 }')
output 'offsets in the file' _start "$symbol" offset "$tmp/inlines" \
	"$(printf '%x' $((0x$(address inlines _start) - 0x${offset% *} + 0x${offset#* })))"

# Stubs of the procedure linkage table, with and without CET, with lazy and immediate binding.
stubs() {
	title=$1
	shift
	if ! "$@" -O2 -o stubs inlines.c >log 2>&1; then
		skip "$title" "$(head -1 log)"
		return
	fi
	stub=$(objdump -d --no-show-raw-insn stubs | awk '/call.*<rand[@$]plt/ { print $3; exit }')
	if [ -n "$stub" ]; then
		output "$title" rand@plt "$symbol" file "$tmp/stubs" "$stub"
	else
		skip "$title" 'it calls rand without a stub'
	fi
}
stubs 'rand@plt' "$CC" -Wl,-z,lazy
stubs 'rand@plt with CET' "$CC" -fcf-protection -Wl,-z,ibtplt
stubs 'rand@plt, bound at once' "$CC" -Wl,-z,now
stubs 'rand@plt by lld' clang -fuse-ld=lld
stubs 'rand@plt by mold' clang -fuse-ld=mold

# In lld's output, addresses of code differ from file offsets.
if have ld.lld && clang -g -O2 -fuse-ld=lld -o lld inlines.c 2>/dev/null; then
	offset=$(readelf -SW lld | sed 's/^ *\[ *[0-9]*\] *//' | awk '$1 == ".text" { print $3, $4 }')
	at=$(address lld work)
	check 'lld: offset and address differ' test "${offset% *}" != "0000000000${offset#* }"
	output 'lld: the segment has the difference' work "$symbol" offset "$tmp/lld" \
		"$(printf '%x' $((0x$at - 0x${offset% *} + 0x${offset#* })))"
else
	skip 'offset and address differ with lld' 'no lld' lld
fi

# Separate debug information.
$CC -O2 -g -Wl,--build-id -o whole inlines.c
at=$(call whole work rand)
objcopy --only-keep-debug whole whole.debug
strip -o stripped whole
output 'a stripped program: exported names' '[stripped]' "$symbol" -i file "$tmp/stripped" "$at"
objcopy --add-gnu-debuglink=whole.debug stripped
"$symbol" -ils file "$tmp/stripped" "$at" >got
same 'found by its debuglink' expected got
mkdir .debug
mv whole.debug .debug/
mkfifo whole.debug
timeout 300 "$symbol" -ils file "$tmp/stripped" "$at" >got # a process that waits takes no CPU time
same 'in .debug, past a FIFO' expected got
rm whole.debug
objcopy --remove-section .note.gnu.build-id stripped bare
echo '1 less' >>.debug/whole.debug
output 'a debug file with another checksum is not used' '[bare]' "$symbol" -i file "$tmp/bare" "$at"
truncate -s -7 .debug/whole.debug
"$symbol" -ils file "$tmp/bare" "$at" >got
same 'a debug file is found by its checksum, without a build-id' expected got
if have xz; then
	nm whole | awk '$2 ~ /[tT]/ && $3 == "work" { print $3 }' >keep
	objcopy -S --keep-symbols=keep .debug/whole.debug mini
	xz -f mini
	strip -o with-mini whole
	objcopy --add-section .gnu_debugdata=mini.xz with-mini
	output 'symbols of .gnu_debugdata' work "$symbol" file "$tmp/with-mini" "$at"
else
	skip 'symbols of .gnu_debugdata' 'no xz' xz-utils
fi
if have dwz; then
	cp whole one
	cp whole two
	dwz -m common.debug one two
	"$symbol" -ils file "$tmp/one" "$at" >got
	same 'shared by dwz' expected got
else
	skip 'shared by dwz' 'no dwz' dwz
fi

# The choice among several symbols of one address, and nested symbols.
cat >names.s <<'END'
	.text
	.globl strong, __strong
	.weak weak
	.type strong, @function
	.type __strong, @function
	.type weak, @function
	.type local, @function
weak:
local:
__strong:
strong:
label:
	nop
	nop
inside:
	nop
	ret
	.size strong, 4
	.size __strong, 4
	.size weak, 4
	.size local, 4
	nop
	nop
	nop
	nop
	.globl bare
bare:
	nop
	nop
	.type after, @function
after:
	ret
	.size after, 1
	.globl _start
_start:
	ret
	.data
	.globl data
data:
	.quad 0
END
$CC -nostdlib -static -o names names.s
at=$((0x$(address names strong)))
hex() {
	printf '%x' $(($1))
}
output 'a global name before a local before a weak one' strong "$symbol" file "$tmp/names" "$(hex "$at")"
output 'a label does not end its function' strong "$symbol" file "$tmp/names" "$(hex "$at + 3")"
output 'no function between two' '[names]' "$symbol" file "$tmp/names" "$(hex "$at + 5")"
output 'a label without size reaches to the next' bare "$symbol" file "$tmp/names" "$(hex "$at + 9")"
output 'the last one to the end of its section' '_start
[names]' "$symbol" file "$tmp/names" "$(address names _start)" "$(hex "0x$(address names _start) + 1")"
output 'data symbols are not functions' '[names]' "$symbol" file "$tmp/names" "$(address names data)"

cat >scopes.cc <<'END'
#include <cstdlib>
#define INLINE inline __attribute__((always_inline))
namespace {
struct hidden {
	static INLINE int member(int x) { return rand() * x; }
};
}
namespace shown {
template <typename T> INLINE T each(T x) { return hidden::member(x) + 1; }
struct thing {
	__attribute__((noipa)) int operator()(int x) const { return each<int>(x) * 3; }
};
}
int main(int argc, char **)
{
	return shown::thing()(argc);
}
END
if [ "$("$symbol" demangle _Z1fv)" = '- | -' ]; then
	skip 'scopes of inlined C++ functions' 'built without libiberty' libiberty-dev
elif $CXX -O2 -g -o scopes scopes.cc 2>log; then
	output 'scopes of inlined C++ functions' '(anonymous namespace)::hidden::member_[i]
shown::each<int>_[i]
shown::thing::operator()' "$symbol" -i file "$tmp/scopes" "$(call scopes _ZNK5shown5thingclEi rand)"
else
	skip 'scopes of inlined C++ functions' "no C++ compiler: $(head -1 log)" g++
fi

# A stripped Go program has its own symbol table (pclntab), in the layouts of Go 1.2, 1.16 and
# 1.18.
gotable() { # the magic number, the header's words, how an address is written, 0 or _start
	cat <<END
	.text
	.globl _start
_start:	nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop
	.section .gopclntab,"a"
table:	.long $1
	.byte 0, 0, 1, 8
	.quad $2
functions:
	$3 $4, one - records
	$3 $4 + 4, two - records
	$3 $4 + 8
one:	$3 $4
	.long first - names
two:	$3 $4 + 4
	.long second - names
	.long 0, 0, 0, 0, 0, 0, 0, 0
	$5
first:	.asciz "main.first"
second:	.asciz "main.(*box).second"
END
}
for layout in 0xfffffffb 0xfffffffa 0xfffffff1; do
	case $layout in
	0xfffffffb) gotable $layout 2 .quad _start '.set names, table; .set records, table' ;;
	0xfffffffa) gotable $layout '2, 0, names - table, 0, 0, 0, functions - table' .quad _start \
		'.set records, functions; names:' ;;
	*) gotable $layout '2, 0, _start, names - table, 0, 0, 0, functions - table' .long 0 \
		'.set records, functions; names:' ;;
	esac >go.s
	$CC -nostdlib -static -o go go.s 2>said || { cat said; not_ok "go.s"; continue; }
	at=0x$(address go _start)
	strip -o go-stripped go
	output "a stripped program of Go ($layout)" 'main.first
main.(*box).second
[go-stripped]' "$symbol" file "$tmp/go-stripped" "$(hex "$at")" "$(hex "$at + 5")" "$(hex "$at + 9")"
	# Damaged tables: no read beyond the table.
	for offset in 8 16 24 32 40 48 56 64 72 80 88; do
		perl -e 'local $/; open F, "<", "go-stripped"; $_ = <F>; my $o = index($_, pack "V", hex shift);
			substr($_, $o + shift, 6) = "\xff" x 6; print' $layout $offset >go-broken
		"$symbol" file "$tmp/go-broken" "$(hex "$at")" "$(hex "$at + 5")" >out 2>&1 || [ $? -le 1 ] ||
			not_ok "a table that lies at $offset ($layout)"
	done
done

# The mapped file is used, even if its path now names another file.
cat >sleeper.c <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}
END
$CC -o sleeper sleeper.c
cp sleeper waiter
mkfifo ready
./sleeper >ready &
pid=$!
read -r line <ready
output 'the mapped file of a process is found' 'sleeper found' "$symbol" mapped "$pid" /sleeper
rm sleeper
output 'the mapped file of a process is found after its deletion' 'sleeper found' "$symbol" mapped "$pid" /sleeper
cp inlines sleeper
output 'the mapped file of a process is found after its replacement' 'sleeper found' "$symbol" mapped "$pid" /sleeper
kill "$pid"
wait "$pid" 2>/dev/null

mkdir there
if [ "$(id -u)" = 0 ] && unshare -m mount -t tmpfs none there 2>/dev/null; then
	cp whole there/sleeper
	unshare -m sh -c 'mount -t tmpfs none there && cp waiter there/sleeper && exec there/sleeper' >ready &
	pid=$!
	read -r line <ready
	output 'a program in another mount namespace' 'sleeper found' "$symbol" mapped "$pid" there/sleeper
	kill "$pid"
	wait "$pid" 2>/dev/null
else
	skip 'a program in another mount namespace' 'not allowed to make one'
fi
cp .debug/whole.debug cut
strip -o stripped whole
objcopy --add-gnu-debuglink=cut stripped
status 'debug information that is cut short while it is mapped' 0 "$symbol" -ils file "$tmp/stripped" \
	"$(address whole _start)" "!: >$tmp/cut" "$(address whole work)" "$(call whole work rand)"

# The kernel and the vdso.
if [ "$(awk '/ T vfs_read$/ { print $1 }' /proc/kallsyms 2>/dev/null | tr -d 0)" != '' ]; then
	at=$(awk '$2 == "T" && $3 == "vfs_read" { print $1 }' /proc/kallsyms)
	output 'a kernel function' vfs_read "$symbol" kernel "$at"
	module=$(awk '$4 != "" && $2 ~ /[tT]/ { print; exit }' /proc/kallsyms)
	if [ -n "$module" ]; then
		set -- $module
		output 'a function of a kernel module' "$3 $4" "$symbol" kernel "$1"
	else
		skip 'a function of a kernel module' 'no modules'
	fi
else
	skip 'a kernel function' 'the kernel hides its addresses'
fi
# kallsyms_show_value(): unprivileged users see addresses if both kptr_restrict and
# perf_event_paranoid are low.
restrict=$(cat /proc/sys/kernel/kptr_restrict 2>/dev/null || echo 2)
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 0)
if [ "$(id -u)" = 0 ] && have setpriv && { [ "$restrict" = 1 ] || { [ "$restrict" = 0 ] && [ "$paranoid" -gt 1 ]; }; } &&
    chmod 755 "$tmp" && setpriv --reuid 65534 test -x "$symbol"; then
	output 'hidden kernel addresses are noticed' '[[kernel.kallsyms]]
hidden' setpriv --reuid 65534 "$symbol" kernel ffffffff81000000
else
	skip 'hidden kernel addresses are noticed' 'not root, or others see them'
fi
$CC -x c -O0 -o vdso - <<'END'
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
int main(void)
{
	const char *image = (const char *)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Ehdr) *e = (const void *)image;
	const ElfW(Shdr) *s = (const void *)(image + e->e_shoff);
	for (int i = 0; image && i < e->e_shnum; i++)
		if (s[i].sh_type == SHT_DYNSYM) {
			const ElfW(Sym) *sym = (const void *)(image + s[i].sh_offset);
			const char *names = image + s[s[i].sh_link].sh_offset;
			for (size_t k = 1; k < s[i].sh_size / sizeof(*sym); k++)
				if (!strcmp(names + sym[k].st_name, "__vdso_clock_gettime"))
					printf("%lx\n", (unsigned long)sym[k].st_value);
		}
	return 0;
}
END
at=$(./vdso | head -1)
if [ -n "$at" ]; then
	output 'the vdso' __vdso_clock_gettime "$symbol" vdso "$at"
else
	skip 'the vdso' 'this machine has none'
fi

# Names.
while read -r name plain; do
	output "$name" "$plain | $plain" "$symbol" demangle "$name"
done <<'END'
camlStdlib__List__iter_261 Stdlib.List.iter
camlStdlib.List.iter_261 Stdlib.List.iter
camlT__$2b$2b_81 T.++
camlT__fun_170 T.fun_170
camlT__entry T.entry
camlT__f_1_22 T.f_1
camlT__1 T.1
camlT -
caml_c_call -
camlize__it -
END
if [ "$("$symbol" demangle _Z1fv)" = '- | -' ]; then
	skip 'demangled names' 'built without libiberty' libiberty-dev
else
	while IFS='	' read -r name plain full; do
		output "$name" "$plain | $full" "$symbol" demangle "$name"
	done <<'END'
_ZN3foo3barEi	foo::bar	foo::bar(int)
_ZN3foo3barEi.cold	foo::bar	foo::bar(int) [clone .cold]
_ZNSt6vectorIiSaIiEE9push_backERKi@@GLIBCXX_3.4	std::vector<int, std::allocator<int> >::push_back	std::vector<int, std::allocator<int> >::push_back(int const&)
_ZZN3fooEiENKUlvE_clEv	foo(int)::{lambda()#1}::operator()	foo(int)::{lambda()#1}::operator()() const
_ZN3fooclEi	foo::operator()	foo::operator()(int)
_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE	core::ptr::drop_in_place<alloc::string::String>	core::ptr::drop_in_place<alloc::string::String>
_RINvNtC3std3mem8align_ofjdE	std::mem::align_of::<usize, f64>	std::mem::align_of::<usize, f64>
_Znwm@GLIBCXX_3.4@plt	operator new@plt	operator new(unsigned long)@plt
_D3std5stdio7writelnFAyaZv	std.stdio.writeln	std.stdio.writeln(immutable(char)[])
__ZN3foo3barEi	foo::bar	foo::bar(int)
malloc@@GLIBC_2.2.5	-	-
_start	-	-
END
	# Each template argument contains the previous one twice: gigabytes if written out.
	check 'a name that doubles forty times ends' "$symbol" demangle "$(awk 'BEGIN {
		name = "_RINvC1a1fTuuE"; at = 9
		digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		for (i = 0; i < 40; i++) {
			reference = "B" (at > 62 ? substr(digits, int((at - 1) / 62) + 0, 1) : "") \
				substr(digits, (at - 1) % 62 + 1, 1) "_"
			at = length(name) - 2
			name = name "T" reference reference "E"
		}
		print name "E" }')"
fi

# Corrupted files: any result is accepted, but no crash. ASan and UBSan check in make check.
$CC -O1 -o corrupt "$here/programs/corrupt.c"
crashed=
addresses=$(seq 4096 16 4600 | xargs printf '%x ')
seed=0
while [ "$seed" -lt 60 ]; do
	cp whole broken
	./corrupt broken "$seed" $((1 << (seed % 10)))
	limited 60 "$symbol" -ils file "$tmp/broken" $addresses >got 2>&1
	got=$?
	{ [ "$got" -le 1 ] && ! grep -q 'runtime error' got; } || crashed="$crashed seed $seed: $got $(tail -3 got)"
	seed=$((seed + 1))
done
check "sixty corrupted programs$crashed" test -z "$crashed"
for n in 0 10 64 200 1000 5000; do
	head -c "$n" whole >short
	limited 60 "$symbol" -ils file "$tmp/short" 1000 1060 >got 2>&1
	[ $? -le 1 ] || crashed="$crashed short $n"
done
check "programs cut short$crashed" test -z "$crashed"
mkfifo fifo
check 'a FIFO in place of a program' timeout 300 sh -c '"$1" file "$2/fifo" 1000; test $? -le 1' - "$symbol" "$tmp"

done_testing
