#!/bin/sh
# perf.data of other architectures: stack copies are unwound with the call frame information of
# their modules.
# tier: full
. "$(dirname "$0")/perfdata-lib.sh"
{ command -v clang && command -v ld.lld; } >/dev/null || skip_all 'there is no clang and lld, which know other machines' 'clang lld'
id=00112233445566778899aabbccddeeff01234567

# library TARGET: root calls middle, which calls leaf; their frames have 16, 64 and 32 bytes.
library() {
	clang -target "$1" -x assembler -nostdlib -shared -fuse-ld=lld -Wl,--build-id=0x$id -Wl,-z,separate-code -o "$1.so" - 2>said &&
	    touch -d 2001-01-01 "$1.so" && nm "$1.so" >"$1.nm" 2>>said
}
at() { sed -n "s/^0*\([0-9a-f]*\) [tT] $1\$/\1/p" "$target.nm"; }

# The whole copy is used: the address of main, given only in the call chain, would be [unknown]
# here.
cat >copy.d <<'END'
my ($so, $id, $arch, $mask, $word, $abi, $pc, @stack) = @ARGV;
file();
feature('ARCH', string($arch));
event('cycles', sample => 'ip tid time period callchain regs_user stack_user', regs => $mask, stack => 256,
    flags => 'mmap comm task sample_id_all mmap2 exclude_callchain_user', period => 1);
comm(100, 'app');
mmap2(100, 0x10000000, 0x100000, $so);
build_id(100, $so, $id);
my $sp = 0x7ff000;
my %at = map { split /=/ } @stack; # bytes above sp = address in the file
my $copy = zeros(256);
for (keys %at) {
	my $to = ($at{$_} =~ /^signed:(.*)/ ? 0x2f << 48 | hex $1 : hex $at{$_}) + 0x10000000;
	substr $copy, $_, $word, $word == 8 ? u64($to) : u32($to);
}
my @regs = map { 0 } grep { $mask >> $_ & 1 } 0 .. 63;
my @numbers = grep { $mask >> $_ & 1 } 0 .. 63;
my ($sp_is, $pc_is) = $arch eq 'aarch64' ? (31, 32) : (7, 8);
$numbers[$_] == $sp_is and $regs[$_] = $sp for 0 .. $#numbers;
$numbers[$_] == $pc_is and $regs[$_] = 0x10000000 + hex $pc for 0 .. $#numbers;
sample(pid => 100, ip => 0x10000000 + hex $pc, regs => \@regs, abi => $abi, stack => $copy, dyn_size => 256);
END
plus() { printf '%x' $((0x$1 + $2)); }

target=aarch64-linux-gnu
if library $target <<'END'
	.text
	.macro function name, size
	.globl \name
	.type \name, %function
\name:	.cfi_startproc
	hint #25 // paciasp: from here on the return address is signed
	.cfi_negate_ra_state
	sub sp, sp, #\size
	.cfi_def_cfa_offset \size
	str x30, [sp, #(\size - 8)]
	.cfi_offset 30, -8
	nop
	nop
	nop
	add sp, sp, #\size
	ret
	.cfi_endproc
	.size \name, . - \name
	.endm
	function leaf, 32
	function middle, 64
	.globl root
	.type root, %function
root:	.cfi_startproc
	.cfi_undefined 30
	nop
	nop
	nop
	.cfi_endproc
	.size root, . - root
END
then
	leaf=$(at leaf) middle=$(at middle) root=$(at root)
	for signed in '' signed:; do
		words="$tmp/$target.so $id aarch64 8589934591 8 2 $(plus "$leaf" 16) 24=$signed$(plus "$middle" 16) 88=$signed$(plus "$root" 8)"
		cross=no
		made "a copy of AArch64${signed:+, with pointer authentication}" 'app;root;middle;leaf 1' <copy.d
	done
else
	skip 'AArch64' "$(head -1 said)"
fi

# Frames of Go by its own table, as strip(1) leaves it, and by its instructions.
if command -v go >/dev/null; then
	printf 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println(1) }\n' >main.go
	HOME=$tmp GOCACHE=$tmp/cache GO111MODULE=off GOFLAGS= GOARCH=arm64 CGO_ENABLED=0 go build -ldflags=-w -o go.arm64 main.go >said 2>&1
	check 'AArch64: frames of Go by its table are those of its instructions' sh -c \
	    '"$1" "$2" | awk "{ print; exit !(\$2 > 50000 && \$4 * 10 < \$2) }"' sh "$UNIT/codeframe" "$tmp/go.arm64"
else
	skip 'AArch64: frames of Go' 'there is no go'
fi

# A 32-bit process in a file of x86-64: registers 0 to 8 are those of i386.
target=i386-linux-gnu
if library $target <<'END'
	.text
	.macro function name, size
	.globl \name
	.type \name, %function
\name:	.cfi_startproc
	subl $\size, %esp
	.cfi_def_cfa_offset \size + 4
	nop
	nop
	nop
	addl $\size, %esp
	ret
	.cfi_endproc
	.size \name, . - \name
	.endm
	function leaf, 28
	function middle, 60
	.globl root
	.type root, %function
root:	.cfi_startproc
	.cfi_undefined 8
	nop
	nop
	nop
	.cfi_endproc
	.size root, . - root
END
then
	leaf=$(at leaf) middle=$(at middle) root=$(at root)
	words="$tmp/$target.so $id x86_64 511 4 1 $(plus "$leaf" 4) 28=$(plus "$middle" 4) 92=$(plus "$root" 2)"
	cross=no
	made 'a stack copy of a 32-bit process' 'app;root;middle;leaf 1' <copy.d
else
	skip '32-bit processes' "$(head -1 said)"
fi
done_testing
