#!/bin/sh
# Frames of Perl scripts equal those that the program itself reports, merged with native frames in
# the right order.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

perl -MConfig -e 'exit !($] >= 5.032 && $] < 5.043 && $Config{useithreads})' 2>/dev/null ||
	skip_all "no Perl 5.32 to 5.42 with ithreads" perl
flags=$(perl -MExtUtils::Embed -e ccopts 2>/dev/null)
# shellcheck disable=SC2086
${CC:-cc} -w -O1 -g -shared -fPIC $flags -o callback.so "$data/callback-perl.c" 2>/dev/null ||
	skip_all "no headers of Perl (libperl-dev)" libperl-dev

for mode in plain thread; do
	lockstep "Perl, $mode" 500 perl "$data/lockstep.pl" $mode 1 "$PWD/callback.so"
done
free_running Perl 1500 perl "$data/free.pl"
free_running "Perl, sort with a sub" 500 perl "$data/sort.pl"

# A program is examined before the dynamic linker, busy with another file, has relocated it.
cat >slow.s <<'END'
	.section .note.GNU-stack,"",%progbits
	.data
x:	.quad 0
	.rept 1000000
	.quad x
	.endr
END
${CC:-cc} -shared -o slow.so slow.s
for _ in 1 2 3 4 5; do
	fg-record -o o.folded env LD_PRELOAD="$PWD/slow.so" perl -e '$i++ while $i < 1_000_000' 2>&1
done >said
check "Perl that was examined before it was relocated is read" \
	sh -c '! grep "without script frames" said'

# shellcheck disable=SC2086
offsets_are perl $flags
done_testing
