#!/bin/sh
# The programs are built with the hardening that the compiler supports, contain no build path, and
# take flags from make's command line.
# tier: quick
. "$(dirname "$0")/lib.sh"
CC=${CC:-cc}
command -v readelf >/dev/null || skip_all 'there is no readelf' binutils
# The compiler flags of this build; a build with sanitizers has no hardening flags.
flags=$UNIT/../../flags
grep -q -e '-fPIE' "$flags" 2>/dev/null || skip_all 'made with HARDEN='

for program in fg-collapse fg-diff fg-filter fg-merge fg-record fg-render; do
	file=$BIN/$program
	readelf -hlW "$file" >headers
	readelf -dW "$file" >dynamic
	check "$program: position independent" grep -q 'Type: *DYN' headers
	check "$program: the linker's tables cannot be written" grep -q GNU_RELRO headers
	check "$program: they are filled before it starts" grep -q 'BIND_NOW\|Flags:.* NOW' dynamic
	! grep -q " $program" "$flags" || check "$program: needs no library" eval '! grep NEEDED dynamic'
	check "$program: no stack can be executed" sh -c 'grep GNU_STACK headers | grep -qv RWE'
	if readelf -SW "$file" | grep -q '\.symtab\|\.dynsym'; then
		readelf -sW "$file" >symbols
		check "$program: stacks are checked" grep -q __stack_chk_fail symbols
		check "$program: buffers are checked, _FORTIFY_SOURCE" grep -q '_chk@\|_chk$' symbols
	fi
done

case $(uname -m) in
x86_64) landing=endbr64 option=-fcf-protection ;;
aarch64) landing='bti\|paciasp' option=-mbranch-protection ;;
*) landing= ;;
esac
if [ -n "$landing" ] && grep -q -e "$option" "$flags"; then
	objdump -d --no-show-raw-insn "$BIN/fg-collapse" | awk '/<main>:$/ { getline; print; exit }' >first
	check 'branches lead to marked places only' grep -q "$landing" first
else
	skip 'marked places for branches' 'the compiler has none'
fi

top=$(cd "$here/.." && pwd)
for program in "$BIN"/fg-*; do
	! grep -aqF -e "$top/" -e "$tmp" "$program" || echo "${program##*/}"
done >holding
same 'no program has a path of its build' /dev/null holding
done_testing
