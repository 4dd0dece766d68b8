#!/bin/sh
# unwind: a stack of the test program itself, through its functions and those of libc.
# tier: quick
. "$(dirname "$0")/lib.sh"

unwind=$UNIT/unwind
[ -x "$unwind" ] || skip_all "no $unwind: run make test"
"$unwind" >got
[ $? != 77 ] || skip_all "only on x86-64"
output "the leaf" look sed -n 1p got
output "each call of a recursion" 21 grep -c '^descend$' got
output "a function with a long entry of call frame information" describe sed -n 23p got
output "through libc to a callback" compare sed -n 24p got
check "main" grep -qx main got
output "as far as the first function" whole tail -1 got
check "unwinding 1000 times" "$unwind" 1000

# Unwind rules from decoded instructions are compared with the compiler's CFI, at each instruction.
agree() {
	"$UNIT/codeframe" "$1" | awk '{ print; exit !($2 > 50 && $4 * 100 < $2 && $8 * 20 < $2) }'
}
for flags in -O2 "-O2 -fno-omit-frame-pointer" -O0 "-O1 -fstack-protector-all"; do
	# shellcheck disable=SC2086
	${CC:-cc} $flags -fasynchronous-unwind-tables -o shapes "$here/programs/shapes.c" \
		-pthread -ldl
	if fg-record --version | grep -q ': Zydis$'; then
		check "frames by code are those of call frame information: $flags" agree "$PWD/shapes"
	else
		skip "frames by code are those of call frame information: $flags" 'this build has no Zydis'
	fi
done
if fg-record --version | grep -q ': Zydis$'; then
	check "sizes of frames by code are those of call frame information" sh -c \
		'"$1" -f "$2" | awk "{ print; exit !(\$2 > 400 && \$4 == 0 && \$8 == 0) }"' sh "$UNIT/codeframe" "$PWD/shapes"
else
	skip "sizes of frames by code are those of call frame information" 'this build has no Zydis'
fi
# Code of AArch64, from gcc 12; its call frame information leaves out that a register is restored
# before the stack pointer is.
for name in plain signed; do
	gzip -dc "$here/data/arm64/$name.so.gz" >$name.so
	check "AArch64: frames by code are those of call frame information: $name" sh -c \
		'"$1" "$2" | awk "{ print; exit !(\$2 > 200 && \$4 <= 10 && \$8 == 0) }"' sh "$UNIT/codeframe" "$PWD/$name.so"
done
${CC:-cc} -O2 -fasynchronous-unwind-tables -s -o shapes "$here/programs/shapes.c" -pthread -ldl
check "a stripped file has only exported functions" "$UNIT/codeframe" "$PWD/shapes"
# Without .eh_frame_hdr, as musl-gcc links static programs, the starts of functions are those of
# .eh_frame. hide FILE COPY: a copy with another type of its program header PT_GNU_EH_FRAME.
hide() {
	perl -0777 -ne 'my ($at, $size, $n) = (unpack("Q", substr $_, 32), unpack "vv", substr $_, 54);
		for my $p (map { $at + $_ * $size } 0 .. $n - 1) {
			next if unpack("V", substr $_, $p, 4) != 0x6474e550;
			substr $_, $p, 4, pack "V", 0;
			$hidden++;
		}
		print; exit(($hidden // 0) != 1)' "$1" >"$2"
}
# starts_remain FILE MIN: at each address of code; there are at least MIN functions.
starts_remain() {
	hide "$1" hidden && "$UNIT/codeframe" -s "$1" >with && "$UNIT/codeframe" -s "$PWD/hidden" >without &&
		[ "$(wc -l <with)" -ge "$2" ] && cmp with without
}
libc=$(ldd "$BIN/fg-record" | awk '$1 ~ /^libc\.so/ { print $3 }')
check "starts of functions without .eh_frame_hdr: a stripped program" starts_remain "$PWD/shapes" 10
if [ -n "$libc" ]; then
	check "starts of functions without .eh_frame_hdr: the C library" starts_remain "$libc" 1000
else
	skip "starts of functions without .eh_frame_hdr: the C library" "fg-record is not linked with it"
fi
${CC:-cc} -O2 -fasynchronous-unwind-tables -s -Wl,--no-eh-frame-hdr -o headless \
	"$here/programs/shapes.c" -pthread -ldl
check "starts of functions of a program linked without .eh_frame_hdr" sh -c \
	'[ "$("$1" -s "$2" | wc -l)" -ge 10 ]' sh "$UNIT/codeframe" "$PWD/headless"
# noise OFFSET SIZE: starts are read from copies with random bytes in .eh_frame, which is there.
noise() {
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		perl -0777 -ne 'BEGIN { ($seed, $at, $n) = splice @ARGV, 0, 3; srand $seed }
			for my $i (1 .. 4 * $seed) {
				substr $_, hex($at) + int rand hex $n, 1, chr int rand 256;
			}
			print' "$seed" "$1" "$2" headless >noisy
		"$UNIT/codeframe" -s "$PWD/noisy" >with || return 1
	done
}
eh_frame=$(objdump -h headless 2>/dev/null | awk '$2 == ".eh_frame" { print $6, $3 }')
if [ -n "$eh_frame" ]; then
	check "starts of functions with a damaged .eh_frame" noise "${eh_frame% *}" "${eh_frame#* }"
else
	skip "starts of functions with a damaged .eh_frame" "no objdump shows where it is" binutils
fi
# V8's builtins end like this: the instructions after the frame is gone do not matter.
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

# At each instruction of functions that realign the stack, and of first functions of coroutines.
# all_complete PROGRAM [ARGUMENT]: at each of its instructions the stack is right and complete.
all_complete() {
	"$UNIT/steps" "$@" >said
	right=$?
	cat said
	[ $right = 0 ] && awk 'END { exit !($1 > 20 && $1 == $5) }' said
}
for flags in -O2 "-O2 -fno-omit-frame-pointer" -O0; do
	# shellcheck disable=SC2086
	${CC:-cc} $flags -o realign "$here/programs/realign.c"
	if fg-record --version | grep -q ': Zydis$'; then
		check "callers at each instruction of functions that realign the stack: $flags" \
			all_complete "$PWD/realign"
	else
		skip "callers at each instruction of functions that realign the stack: $flags" 'this build has no Zydis'
	fi
done
${CC:-cc} -O1 -o coroutine "$here/programs/coroutine.c"
check "stacks of a coroutine of ucontext are complete" all_complete "$PWD/coroutine"
check "stacks of a coroutine of Boost.Context are complete" all_complete "$PWD/coroutine" boost

# decodes_as_objdump FILE MIN: the length, target and stack effect of each instruction equal
# objdump's; there are at least MIN instructions.
decodes_as_objdump() {
	"$UNIT/codeframe" -d "$1" | sort -u >decoded
	objdump -d -w -M intel --no-show-raw-insn "$1" | perl "$here/programs/effects.pl" |
		sort -u >shown
	comm -23 decoded shown >different
	head -5 different
	[ "$(wc -l <decoded)" -ge "$2" ] && [ ! -s different ]
}
# Instructions that hand-written opcode tables get wrong: HLT, XOP, 16-bit operands.
cat >odd.s <<'EOT'
	.globl main
	.type main, @function
main:	pushw %ax
	popw %ax
	push %fs
	pop %gs
	vpcomltb %xmm1, %xmm2, %xmm3
	vprotb $3, %xmm1, %xmm2
	vphaddbd %xmm1, %xmm2
	xchg %rsp, %rax
	xchg %rax, %rsp
	mov %esp, %ebp
	mov %ebp, %esp
	mov %fs:(%rsp), %rbx
	mov (%rsp, %rbx), %rbx
	mov %rbx, -8(%rbp)
	add $-128, %rsp
	sub $0x12345, %rsp
	and $-16, %rsp
	lea 8(%rsp), %rsp
	lea -40(%rbp), %rsp
	lea (%rsp, %rax), %rsp
	movabs $0x1122334455667788, %rax
	movabs %al, 0x1122334455667788
	enter $16, $0
	leave
	inc %rsp
	bswap %r12
	cmp $1, %rsp
	test %rsp, %rsp
	loop main
	jrcxz main
	notrack jmp *%rax
	jmp *main(%rip)
	lretq
	hlt
	ud2
	iretq
	rep ret
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
EOT
if [ -n "$libc" ] && fg-record --version | grep -q ': Zydis$' && command -v objdump >/dev/null; then
	${CC:-cc} -o odd odd.s
	check "odd instructions decode as objdump shows them" decodes_as_objdump "$PWD/odd" 37
	check "the instructions of the C library decode as objdump shows them" \
		decodes_as_objdump "$libc" 50000
else
	skip "decoding compared with objdump" "no Zydis or no objdump" binutils
fi

# Random bytes as code do not crash the decoder.
perl -0777 -ne 'srand 7; $n = length;
	for $i (1 .. 3000) { substr $_, 4096 + int rand($n - 8192), 1, chr int rand 256 }
	print' shapes >broken
check "code of any bytes" "$UNIT/codeframe" "$PWD/broken"
done_testing
