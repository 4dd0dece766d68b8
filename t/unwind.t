#!/bin/sh
# unwind: a stack of the program's own, through its functions and those of libc.
# tier: quick
. "$(dirname "$0")/lib.sh"

unwind=$UNIT/unwind
[ -x "$unwind" ] || skip_all "no $unwind: run make test"
"$unwind" >got
[ $? != 77 ] || skip_all "only on x86-64"
output "the leaf" look sed -n 1p got
output "each call of a recursion" 21 grep -c '^descend$' got
output "through libc to a callback" compare sed -n 23p got
check "main" grep -qx main got
output "as far as the first function" whole tail -1 got
check "it can be repeated" "$unwind" 1000

# What code says of its frames is held against what its compiler says, at each instruction.
agree() {
	"$UNIT/codeframe" "$1" | awk '{ print; exit !($2 > 50 && $4 * 100 < $2 && $8 * 20 < $2) }'
}
for flags in -O2 "-O2 -fno-omit-frame-pointer" -O0 "-O1 -fstack-protector-all"; do
	# shellcheck disable=SC2086
	${CC:-cc} $flags -fasynchronous-unwind-tables -o shapes "$here/programs/shapes.c" \
		-pthread -ldl
	check "frames by code are those of call frame information: $flags" agree "$PWD/shapes"
done
${CC:-cc} -O2 -fasynchronous-unwind-tables -s -o shapes "$here/programs/shapes.c" -pthread -ldl
check "a stripped file has its exported functions alone" "$UNIT/codeframe" "$PWD/shapes"
# As V8's builtins do: what follows the frame is of no account.
cat >drop.s <<'EOT'
	.globl main
	.type main, @function
main:	.cfi_startproc
	push %rbp
	.cfi_def_cfa %rsp, 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	sub $32, %rsp
	call exit@plt
	mov %rbp, %rsp
	pop %rbp
	.cfi_def_cfa %rsp, 8
	pop %rcx
	add $16, %rsp
	push %rcx
	ret
	.cfi_endproc
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
EOT
${CC:-cc} -o drop drop.s
check "a function that drops its arguments as it returns" sh -c \
	'"$1" -v "$2" >said; grep -q "^same" said && ! grep "CFA 6" said' sh "$UNIT/codeframe" "$PWD/drop"
# Any bytes are taken.
perl -0777 -ne 'srand 7; $n = length;
	for $i (1 .. 3000) { substr $_, 4096 + int rand($n - 8192), 1, chr int rand 256 }
	print' shapes >broken
check "code of any bytes" "$UNIT/codeframe" "$PWD/broken"
done_testing
