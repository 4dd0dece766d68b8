#!/bin/sh
# fg-diff --series: which functions changed, when, and whether the change lasted; t/unit/series.c
# simulates.
# tier: full
. "$(dirname "$0")/lib.sh"

"$UNIT/series" >said
while read -r line; do
	case $line in
	ok*) ok "${line#* - }" ;;
	not*) not_ok "${line#* - }" ;;
	esac
done <said

# series DIRECTORY LENGTH FROM TO FACTOR: in recordings FROM to TO, f3 has FACTOR times its value.
series() { mkdir -p "$1" && "$UNIT/series" "$@"; }
series stays 60 40 60 1.5
status '--series: a lasting change is exit status 1' 1 fg-diff --series stays/*
output 'the answer comes first, with the file' 'FAIL: f3 is slower since stays/p.040 and has stayed slower' \
	sh -c 'fg-diff --series stays/* | head -1 | cut -d: -f1,2'
output '--series writes the changes of a function as values' 'change	stayed	real	stays/p.040	f3
verdict		FAIL		' sh -c 'fg-diff --series --report=tsv stays/* | sed 1d | cut -f1,6,7,8,10 | sed "s/	f3 is.*/	/"'
fg-diff --series --report=markdown stays/* | grep -q '^| `f3` | `stays/p.040` | [0-9.]* % | [0-9.]* % | +[0-9.]* %, +[0-9.]* to +[0-9.]* % | stayed | real |$' &&
	ok 'as Markdown' || not_ok 'as Markdown'
ls stays/* | tr '\n' '\0' >names
output '--series --files0-from reads the names from a list' "$(fg-diff --series stays/* | head -1)" sh -c 'fg-diff --series --files0-from names | head -1'
status '--files0-from without --series' 2 fg-diff --files0-from names
status '--files0-from with files on the command line is an error' 2 fg-diff --series --files0-from names stays/p.001
series bump 60 20 35 1.6
status '--series: a temporary change passes' 0 fg-diff --series bump/*
output '--series: both steps of a temporary change are listed' 'bump/p.020 went away
bump/p.035 stayed' sh -c 'fg-diff --series --report=tsv bump/* | awk -F "\t" "\$1 == \"change\" { print \$8, \$6 }"'
for at in 112 115 117; do
	series late 120 $at 120 1.6
	output "a step at $at of 120 that lasts is there, from its first profile" "FAIL: f3 is slower since late/p.$at and has stayed slower" \
		sh -c 'fg-diff --series late/* | head -1 | cut -d: -f1,2'
done
mkdir ramp
perl -e 'srand 3; sub g { my $s = 0; $s += rand() - .5 for 1 .. 12; $s }
	for my $t (0 .. 119) { open F, ">", sprintf "ramp/p.%03d", $t;
		for my $f (0 .. 39) { my $m = 500 * (1 + .02 * g()) * ($f == 7 ? 1 + .3 * $t / 119 : 1);
			printf F "main;m%d;f%d %d\n", $f / 8, $f, $m + sqrt($m) * g() } close F }'
output 'a slow rise of 30 % drifts, with its interval' 'DRIFTS: f7 drifts from 2.5 % of the total to 3.24 % over 120 profiles' \
	sh -c 'fg-diff --series ramp/* | head -1 | cut -d"(" -f1 | sed "s/ $//"'
status '--series: an upward drift is exit status 1' 1 fg-diff --series ramp/*
output '--report=json of a series' 'DRIFTS f7 drifts 1 1' sh -c 'fg-diff --series --report=json ramp/* |
	perl -MJSON::PP -e "local \$/; my \$j = decode_json(<STDIN>); my \$c = \$j->{changes}[0]; my (\$l, \$h) = @{\$c->{interval_percent}};
		print join(q( ), \$j->{verdict}, \$c->{name}, \$c->{then}, scalar @{\$j->{changes}}, (\$l < 30 && 30 < \$h) + 0), qq(\n)"'
series faster 60 30 60 0.5
output '--series: a function that became faster is a change' 'CHANGED: 1 change, but none was a lasting slowdown.' sh -c 'fg-diff --series faster/* | head -1'
series moves 60 30 60 -0.4
status '--series: moved cost passes' 0 fg-diff --series moves/*
output '--series: moved cost is reported as moved' 'f3 moved
fresh moved' sh -c 'fg-diff --series --report=tsv moves/* | awk -F "\t" "\$1 == \"change\" { print \$10, \$7 }" | sort'
series same 60 0 0 1.01
output '--series: no change is reported as NO CHANGE' 'NO CHANGE: no function changed beyond noise.' sh -c 'fg-diff --series same/* | head -1'
awk '/;f3 / { $NF *= 12 } 1' same/p.000 >start && mv start same/p.000
output '--series: an unusual first profile is not a step' 'NO CHANGE: no function changed beyond noise.' \
	sh -c 'fg-diff --series same/* | head -1'
output '--looks is in the report' 1 sh -c 'fg-diff --series --looks 1000 same/* | grep -c "over 1000 analyses"'
series drifts 120 0 0 1
output '--series: profiles that are too correlated are CANNOT TELL' 'CANNOT TELL: neighbouring profiles are too similar to distinguish a step from chance; record longer intervals.' \
	sh -c 'fg-diff --series drifts/* | head -1'
# Functions that go up and down for many profiles, and one that takes three times as long at once.
mkdir wander jump
perl -e 'srand 2; sub g { my $s = 0; $s += rand() - .5 for 1 .. 12; $s }
	for my $t (0 .. 39) {
		for my $f (0 .. 19) { $at[$f] += .03 * g(); $v[$f] = 500 * exp($at[$f] + .03 * g()) }
		for my $d ("wander", "jump") { open F, ">", sprintf "$d/p.%03d", $t; print F "# unit: samples\n";
			for my $f (0 .. 19) { printf F "main;f$f %d\n", $v[$f] * ($f == 7 && $t >= 20 && $d eq "jump" ? 3 : 1) }
			close F } }'
output 'similar neighbours without a jump' 'CANNOT TELL' sh -c 'fg-diff --series wander/* | head -1 | cut -d: -f1'
output 'similar neighbours with one' 'FAIL: f7 is slower since jump/p.020 and has stayed slower
Neighbouring profiles are similar: only abrupt changes are reported, and no drifts.' \
	sh -c 'fg-diff --series jump/* | sed -n "1s/:[^:]*$//p; /^Neigh/p"'
mkdir rare
perl -e 'for my $t (0 .. 29) { open F, ">", sprintf "rare/p.%03d", $t; print F "# unit: samples\n";
	printf F "main;f$_ %d\n", 18 + 7 * $t % 5 for 0 .. 3; print F "main;rare 1\n" if $t >= 12 && $t < 17; close F }'
output 'five samples in five profiles may be chance' 'NO CHANGE' sh -c 'fg-diff --series rare/* | head -1 | cut -d: -f1'
sed -i 1d rare/*
output 'five values of unknown weight are a change' 'rare' \
	sh -c 'fg-diff --series --report=tsv rare/* | awk -F "\t" "\$1 == \"change\" { print \$10; exit }"'
status '--series of nine profiles is refused' 2 fg-diff --series stays/p.00[0-8]
: >empty
output 'an empty interval is left out' 1 sh -c 'fg-diff --series stays/* empty | grep -c "^Empty profiles left out: 1"'
status 'a file that is not there' 2 fg-diff --series stays/* nowhere
status 'standard input' 2 sh -c 'fg-diff --series stays/* - </dev/null'
fg-diff --series stays/* >one
fg-diff --series stays/* >two
same '--series: equal output each time' one two

# Two threads read: messages come in the order of the files even where the later one is much shorter.
long="$(perl -e 'print map { "main;f$_ 1\n" } 1 .. 200000')"
mkdir threads
for k in 0 1 2 3 4 5 6 7 8 9 a b c d e f g h i j k l; do echo 'main;f 5' >threads/p.$k; done
{ echo "$long"; echo 'main;last'; } >threads/p.4
perl -e 'print "main;f$_ 5\n" for 1 .. 30; print "main;first\n"' >threads/p.5
output 'the first malformed line is that of the first such file' \
	'fg-diff: threads/p.4:200001: no value at the end of the line; left out
fg-diff: 2 malformed lines were left out' sh -c 'fg-diff --series threads/* 2>&1 >out'
output '--strict refuses the same line' 'fg-diff: threads/p.4:200001: no value at the end of the line' \
	sh -c 'fg-diff --series --strict threads/* 2>&1 >out'
printf 'no folded text\n' >threads/p.5
output 'a warning comes before the error in a later file' 'fg-diff: threads/p.4:200001: no value at the end of the line; left out' \
	sh -c 'fg-diff --series threads/* 2>&1 >out | head -1'
{ echo '# unit: us'; echo "$long"; } >threads/p.4
{ echo '# unit: bytes'; echo 'main;f 5'; } >threads/p.5
{ echo '# unit: ns'; echo 'main;f 5'; } >threads/p.6
output 'the first two units that differ' 'fg-diff: a series needs one unit: threads/p.4 is in us, threads/p.5 in bytes' \
	sh -c 'fg-diff --series threads/* 2>&1 >out'

# Recordings of a service under varying load: tables of one line a stack, the stack, a TAB, and its
# samples in each file. Made on two processors, `busy`, `steady` beside other work, by
#	cc -g -O1 -fno-omit-frame-pointer -pthread -o service t/programs/service.c -lm
#	fg-record -q -F 1997 --no-labels --interval 0.25 -o 'live.%T.folded' -- ./service 10000 5000 6
# (`steady`: ./service 10000). In the first two, digest does six times the work from a moment on,
# which the program prints: 105443.037 in `slower` and
# 105506.687 in `busy`, both within the file that fg-diff names.
recorded() {
	mkdir "$1"
	gzip -dc "$here/data/series.$1.gz" | awk -F '\t' -v to="$1" '
		NR == 1 { for (i = 2; i <= NF; i++) { name[i] = to "/" $i; print "# unit: samples 0\n# period: 500751 ns 0" >name[i] }; next }
		{ for (i = 2; i <= NF; i++) if ($i > 0) print $1, $i >name[i] }'
}
while read -r set since; do
	recorded $set
	fg-diff --series $set/* >got 2>said
	output "recorded service, $set: a slowdown is exit status 1" 1 echo $?
	output "recorded service, $set: the function and since when" "FAIL: digest is slower since $set/live.$since.folded and has stayed slower" \
		sh -c 'head -1 got | cut -d: -f1,2'
done <<'END'
slower 20261124T105443.002Z
busy 20261124T105506.674Z
END
recorded steady
output 'recorded service, unchanged: no function changed' 'NO CHANGE: no function changed beyond noise.' \
	sh -c 'fg-diff --series steady/* 2>/dev/null | head -1'
done_testing
