#!/bin/sh
# perf.data of AArch64: the link register has the caller of a leaf without a frame, and return
# addresses may be signed (pointer authentication). The programs are stored in t/data/arm64.
# tier: quick
. "$(dirname "$0")/perfdata-lib.sh"
id=00112233445566778899aabbccddeeff01234567
for name in plain bare signed; do
	gzip -dc "$here/data/arm64/$name.so.gz" >$name.so && touch -d 2001-01-01 $name.so && nm $name.so >$name.nm ||
		skip_all 'no nm reads files of AArch64'
done

# at FUNCTION[+BYTES]: its address in $library, hexadecimal
at() {
	offset=0
	case $1 in *+*) offset=${1#*+} ;; esac
	printf '%x\n' $((0x$(sed -n "s/ [tT] ${1%+*}\$//p" $library.nm) + offset))
}

# link NAME STACK LINK USER...: the stack of a call chain of frame pointers with that link register.
# Addresses are FUNCTION+BYTES. base: of the mapping; high: bits above the address in LINK.
link() {
	name=$1 want=$2
	shift 2
	words="$tmp/$library.so $id $base $high ${kernel:-no}"
	for function; do
		words="$words $(at "$function")"
	done
	cross=no
	made "$name" "$want" <link.d
}
cat >link.d <<'END'
my ($so, $id, $base, $high, $kernel, @at) = @ARGV;
feature('ARCH', string('aarch64'));
event('cycles', sample => 'ip tid time period callchain regs_user', regs => 1 << 30, flags => 'mmap comm task sample_id_all mmap2',
    period => 1);
comm(100, 'app');
kernel_map();
mmap2(100, hex $base, 0x100000, $so);
build_id(100, $so, $id);
my ($link, @user) = map { hex($base) + hex } @at;
sample(pid => 100, chain => [$kernel eq 'no' ? () : ('kernel', k()), 'user', @user], regs => [$link | hex $high], abi => 2);
END
library=plain base=ffff80000000 high=0 kernel=
link 'the caller of a leaf without a frame is in the link register' 'app;root;many;middle;leaf 1' middle+12 leaf+32 many+72 root+48
link 'the link register is unused once the function has saved it' 'app;root;many;middle 1' middle+12 middle+16 many+72 root+48
link 'the caller of a function that has not saved the link register yet' 'app;root;many;middle 1' many+72 middle root+48
link 'the caller of a function that has restored the link register' 'app;root;many;middle 1' many+72 middle+36 root+48
kernel=yes
link 'the caller of a leaf that the kernel interrupted' 'app;root;many;middle;leaf;[kernel.kallsyms] 1' middle+12 leaf+32 many+72 root+48
kernel=

# Equal call chains with different callers of the leaf; a process without that register.
words="$tmp/plain.so $id $(at leaf+32) $(at root+48) $(at middle+12) $(at many+48)"
cross=no
made 'equal call chains with another link register are other stacks' "app;root;leaf 1
app;root;many;leaf 1
app;root;middle;leaf 2" <<'END'
my ($so, $id, $leaf, $root, @link) = @ARGV;
feature('ARCH', string('aarch64'));
event('cycles', sample => 'ip tid time period callchain regs_user', regs => 1 << 30, flags => 'mmap comm task sample_id_all mmap2',
    period => 1);
comm(100, 'app');
mmap2(100, 0x10000000, 0x100000, $so);
build_id(100, $so, $id);
my @chain = ('user', map { 0x10000000 + hex } $leaf, $root);
sample(pid => 100, chain => \@chain, regs => [0x10000000 + hex $_], abi => 2) for @link, $link[0];
sample(pid => 100, chain => \@chain, abi => 0);
END

# Without call frame information and frame pointers: by the instructions.
library=bare
link 'without call frame information: the caller of a leaf' 'app;root;many;middle;leaf 1' middle+8 leaf+32 many+64 root+32
link 'without call frame information: a saved link register' 'app;root;many;middle 1' middle+8 middle+12 many+64 root+32
cat >copy.d <<'END'
my ($so, $id, @at) = @ARGV;
feature('ARCH', string('aarch64'));
event('cycles', sample => 'ip tid time period callchain regs_user stack_user', regs => (1 << 33) - 1, stack => 8192,
    flags => 'mmap comm task sample_id_all mmap2 exclude_callchain_user', period => 1);
comm(100, 'app');
mmap2(100, 0x10000000, 0x100000, $so);
build_id(100, $so, $id);
my ($leaf, $link, %stack) = @at;
my $copy = zeros(8192);
substr $copy, $_, 8, u64($stack{$_} && 0x10000000 + hex $stack{$_}) for keys %stack;
my @regs = (0) x 33;
@regs[30, 31, 32] = (0x10000000 + hex $link, 0x7ff000, 0x10000000 + hex $leaf);
sample(pid => 100, ip => $regs[32], regs => \@regs, abi => 2, stack => $copy, dyn_size => 8192);
END
# copy NAME STACK PC LINK BYTES=ADDRESS...: unwinds a stack copy with return addresses above sp.
copy() {
	name=$1 want=$2 words="$tmp/$library.so $id $(at "$3") $(at "$4")"
	shift 4
	for word; do
		case ${word#*=} in 0) words="$words ${word%=*} 0" ;; *) words="$words ${word%=*} $(at "${word#*=}")" ;; esac
	done
	cross=no
	made "$name" "$want" <copy.d
}
# The frames: middle 16 bytes, with the return address at 0; many 48, at 40; root 32, at 16.
copy 'a copy without call frame information: a leaf, frames of its callers' 'app;root;many;middle;leaf 1' leaf+32 middle+8 \
	0=many+64 56=root+32 80=0
copy '... a function that has not made its frame yet' 'app;root;many;middle 1' middle many+64 40=root+32 64=0
copy '... a frame of 5,040 bytes' 'app;root;large;middle;leaf 1' leaf+32 middle+8 0=large+40 32=root+48 5072=0

# With pointer authentication: the first instruction signs the link register. CONFIG_ARM64_VA_BITS
# is 36 to 52; the code fills the bits above, except bit 55.
library=signed
link 'signed: the caller of a leaf that does not sign' 'app;root;many;middle;leaf 1' middle+16 leaf+32 many+76 root+52
while read -r bits base high; do
	link "$bits-bit addresses: the caller in a signed link register" 'app;root;many;middle 1' many+76 middle+4 root+52
done <<'END'
36 f00000000 7f7fff7000000000
39 7f80000000 7f2fff8000000000
42 3ff80000000 2d57540000000000
47 7fff80000000 7f7f800000000000
48 ffff80000000 ff7d000000000000
52 fffff80000000 2530000000000000
END
done_testing
