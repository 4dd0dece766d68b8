#!/bin/sh
# Stacks of Haskell programs: the functions on the Haskell stack, in the program's own order.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "Haskell stacks are read on x86-64 only"
command -v ghc >/dev/null || skip_all "no GHC" ghc
may_sample || skip_all "this machine refuses perf_event_open"
for kind in plain threaded; do
	flag=
	[ $kind = plain ] || flag=-threaded
	ghc -v0 -O1 $flag -rtsopts -outputdir $kind.o -o chain.$kind "$here/data/script/chain.hs" 2>.said ||
		skip_all "GHC does not compile: $(head -n 1 .said)" ghc
done

# recorded DEPTH COMMAND...: a profile in `out`; `order` has the number of samples with the stack of
# the program, of those that are a part of it, of those that have no callers, and of others.
recorded() {
	depth=$1
	shift
	fg-record -v -F 997 -o out -- "$@" 2>said
	grep -v '^#' out | sed 's/;\(asm_\|entry_\)[^;]*_\[k\].*\( [0-9]*\)$/\2/' | perl -ne '
		BEGIN { $depth = shift }
		my ($stack, $n) = /^(.*) (\d+)$/ or die;
		my @main = map { /^Main_(?:zdw)?(deep|outer|middle|inner)_info$/ ? $1 : () } split /;/, $stack;
		my $all = "deep " x $depth . "outer middle inner ";
		my $had = join "", map { "$_ " } @main;
		$had eq $all ? $whole += $n : @main == 1 && $stack =~ /^[^;]*;[^;]*$/ ? $alone += $n :
			index($all, $had) == 0 ? $part += $n : ($other += $n, print STDERR "$_") if @main;
		END { printf "%d %d %d %d\n", $whole, $part, $alone, $other }' "$depth" >order 2>strange
	head -n 5 strange >.said
}

for run in "chain.plain 1 3 4000" "chain.plain 4 3 1000" "chain.threaded 2 3 2000 +RTS -N2"; do
	# shellcheck disable=SC2086
	recorded 3 ./$run
	check "$run: samples have the stack of the program" \
		awk '{ exit !($1 >= (rates ? 100 : 1)) }' rates="${RATES-}" order
	rated "$run: at most 5 % lack callers" awk '{ exit !($3 <= 0.05 * ($1 + $2 + $3)) }' order
	rated "$run: no stack has another order ($(cat order))" awk '{ exit $4 != 0 }' order
done
recorded 1000 ./chain.plain 1 1000 4000
check "1000 levels: samples have all of them" awk '{ exit !($1 >= (rates ? 100 : 1)) }' rates="${RATES-}" order
rated "1000 levels: no stack has another order ($(cat order))" awk '{ exit $4 != 0 }' order
fg-record -F 997 -o out -- ./chain.plain 1 3000 3000 2>said
has "3000 levels: the summary has the limit" "of stacks have more than 2048 functions, and are truncated" said
# Functions that a module does not export have no symbols.
sed 's/^module Main (.*) where/module Main (main) where/' "$here/data/script/chain.hs" >hidden.hs
ghc -v0 -O0 -outputdir hidden.o -o hidden hidden.hs
fg-record -F 997 -o out -- ./hidden 1 3 1000 2>said
check "code without symbols does not have the name before it" \
	sh -c 'grep -q "\[hidden\]" out && ! grep -q frame_dummy out'
fg-record --no-script -F 997 -o out -- ./chain.plain 1 3 3000 2>said
has "--no-script: the reason why callers are unknown" "the Haskell stack, .*, was not read" said
done_testing
