#!/bin/sh
# Names prepared to collide under XXH3 with its public secret: the 8 bytes in their middle equal
# those of the secret, so the product of them and the following bytes is 0, and all such names of
# one length have one hash. A table with that hash would compare each name with up to 150,000
# others.
# tier: quick
. "$(dirname "$0")/lib.sh"
secret=$(printf '\336\324\155\351\203\220\227\333')
export secret
names() {
	perl -e 'printf "%s%s%s%08d%s\n", $ARGV[0], "x" x 16, $ENV{secret}, $_, $ARGV[1] for 1 .. $ARGV[2]' "$@"
}

for at in '\t10 xxxxxxxxxxxx' '\t10 xxxxxxxxxxxxxxxx'; do
	for name in AAAAAAAA BBBBBBBB CCCCCCCC; do
		printf "app 1/1 1.5: 1 cycles:\n$at%s%s\n\n" "$secret" $name
	done >in
	fg-collapse -f perf --no-header in >got
	sed -n "s/^\t10 /app;/; s/^app;.*/& 1/p" in >want
	same 'lines that collide are different lines' want got
done

names 'main;' ' 1' 150000 >prepared
printf 'a;b 1\n' >one
for p in fg-merge fg-filter 'fg-merge -m' 'fg-render -T top' 'fg-collapse -f folded' 'fg-diff one'; do
	check "$p of 150,000 names" limited 60 sh -c "$p prepared >got 2>errors"
done
{ echo 'app 1/1 1.5: 1 cycles:'; names "$(printf '\t10 ')" ' (/x)' 150000; } >in
check '150,000 functions of perf script' limited 60 sh -c 'fg-collapse -f perf -j 1 in >got'
names '' ' 1/1 1.5: 1 cycles:' 150000 >in
check '150,000 thread names are folded within a minute of CPU time' limited 60 sh -c 'fg-collapse -f perf in >got'
same '150,000 comms: each one has its stack' /dev/stdin got <<END
# unit: samples 0
# values: sampled 0
$(names '' ' 1' 150000)
END
names 'app 1/1 1.5: 1 ' ':' 150000 >in
check '150,000 events are folded within a minute of CPU time' limited 60 sh -c 'fg-collapse -f perf -q -j 1 in >got'
names 'app 1/1 1.5: 1 ' ':' 150000 >in
check '150,000 events, two threads' limited 60 sh -c 'fg-collapse -f perf -q -j 2 in >got'
done_testing
