#!/bin/sh
# perf.data: stack copies are unwound with the registers that perf's masks select (trap 23).
# tier: quick
. "$(dirname "$0")/perfdata-lib.sh"
[ "$(uname -m)" = x86_64 ] || skip_all 'stackcopy takes the registers of x86-64 alone'
id=00112233445566778899aabbccddeeff01234567
$CC -O1 -g -fasynchronous-unwind-tables -Wl,--build-id=0x$id -o stackcopy "$here/programs/stackcopy.c" || skip_all 'it does not compile'
./stackcopy >copy.d

said() {
	{ echo "no $want in:"; cat "$@"; } >"$tmp/.said"
}

# copied NAME MASK SIZE DYN_SIZE STACK: the unwound stack matches the pattern STACK.
copied() {
	name=$1 mask=$2 size=$3 dyn=$4 want=$5
	{
		cat <<'END'
my ($mask, $size, $dyn, $id, $program) = @ARGV;
$mask = hex $mask;
event('cycles', sample => 'ip tid time period callchain regs_user stack_user', regs => $mask, stack => $size,
    flags => 'mmap comm task sample_id_all mmap2 exclude_callchain_user', period => 1);
build_id(100, $program, $id);
comm(100, 'app');
END
		cat copy.d
		cat <<'END'
my @regs = map { $reg{$_} // 0 } grep { $mask >> $_ & 1 } 0 .. 63;
$stack = substr $stack, 0, $size;
$dyn = length $stack if $dyn eq 'all';
kernel_map();
sample(pid => 100, ip => $reg{8}, regs => \@regs, stack => $stack . zeros($size - length $stack), dyn_size => $dyn);
sample(pid => 100, ip => k(), chain => ['kernel', k()], mode => 'kernel', regs => \@regs, stack => $stack . zeros($size - length $stack), dyn_size => $dyn);
END
	} >copied.d
	words="$mask $size $dyn $id $tmp/stackcopy"
	make_data <copied.d >in.data
	if [ -n "${CROSS:-}" ]; then
		perf script -f -i in.data 2>/dev/null | fg-collapse -q --no-header --no-annotate >got
		grep -Eq -e "^app;(.*;)?$want 1\$" got || said got
		judge "perf script: $name"
	fi
	limited 60 fg-collapse -q --no-header --no-annotate in.data >got 2>errors
	echo "exit $?" >>errors
	grep -Eq -e "^app;(.*;)?$want 1\$" got || said got errors
	judge "$name"
	grep -Eq -e "^app;(.*;)?${below:-$want;}\[kernel.kallsyms\] 1\$" got || said got errors
	judge "$name, below a call chain of the kernel"
}
all='main;middle;descend;descend;descend;leaf'
copied 'all of a stack, perf'"'"'s own mask' ff0fff 4096 all "$all"
copied 'more registers than the mask of today has' ffffffff 4096 all "$all"
copied '--user-regs=bx,bp,sp,ip,r12,r13,r14,r15' f001c2 4096 all "$all"
copied '--user-regs=bp,sp,ip: what the rules need' 1c0 4096 all "$all"
copied 'dyn_size is less than the copy has room for' ff0fff 8192 all "$all"
# The frame of middle has 256 bytes: a copy that ends in it does not include main's frame.
copied 'a copy that ends in middle' ff0fff 256 all '(\[truncated\];|\[unknown\];)?(middle;)?descend;descend;descend;leaf'
check 'a truncated copy does not guess main' sh -c '! grep -q main got'
# 248: where one of 256 bytes ends at a page, as it does in one of 256 runs, it was untouched.
copied 'a copy of which dyn_size ends in middle' ff0fff 4096 248 '(\[truncated\];|\[unknown\];)?(middle;)?descend;descend;descend;leaf'
check 'a copy that dyn_size ends in middle does not guess main' sh -c '! grep -q main got'
make_data <copied.d >in.data
fg-collapse -v in.data 2>&1 >/dev/null | tee errors | grep -q '2 stacks .* are deeper than the stack copy' || cp errors "$tmp/.said"
judge 'truncated stacks are counted, with the option that copies more'
below='(leaf;)?' # of which perf says nothing either
copied 'no stack pointer among the registers: the top alone' 100 4096 all leaf
copied 'no copy at all' ff0fff 0 all leaf
copied 'an empty copy' ff0fff 4096 0 leaf
fg-collapse in.data 2>&1 >/dev/null | tee errors | grep -q '2 stacks .* could not be copied: execve' &&
	! grep -q 'deeper than\|untouched' errors || cp errors "$tmp/.said"
judge 'stacks without a copied byte are told from those deeper than the copy'
copied 'the same with all registers' ff0fff 4096 all "$all"
sed '/^my @regs/s/^/@reg{6, 8} = (0, 16); $stack = zeros(length $stack); /' copied.d | make_data >in.data
{ fg-collapse in.data 2>&1 >/dev/null | tee errors | grep -q '2 stacks .*: their addresses are in no mapping: execve'; } ||
	cp errors "$tmp/.said"
judge 'stacks of a program that execve replaces are told from those without call frame information'
done_testing
