#!/bin/sh
# fg-diff compares functions, not the names of frames: lines, checkouts, environments, versions of
# packages and builds may differ. Each program has other names and paths.
# tier: quick
. "$(dirname "$0")/lib.sh"

# identity.pl KIND SEED: files b and h, the same functions at the same cost, KIND selects the
# difference of their frames.
cat >identity.pl <<'PERL'
use strict;
my ($kind, $seed) = @ARGV;
srand $seed;
my @syllable = qw(ba do ke li mu no ra si tu ve wo za);
my %used;
sub word { for (;;) { my $w = join '', map { $syllable[rand @syllable] } 1 .. 2 + rand 2; return $w unless $used{$w}++ } }
sub pick { $_[rand @_] }
my %form = ( # root, suffix of files, annotation, [anonymous functions]
	python => ['python3', '.py', '_[p]', '<lambda>', 'C.<locals>.<listcomp>'], node => ['node', '.js', '_[j]', '(anonymous)'],
	typescript => ['node', '.ts', '_[j]', '(anonymous)'], ruby => ['ruby', '.rb', '_[p]', 'block in each'],
	php => ['php', '.php', '_[p]', '{closure}'], perl => ['perl', '.pl', '_[p]', 'main::__ANON__'],
	lua => ['lua', '.lua', '_[p]'], erlang => ['beam', '.erl', '_[p]'], java => ['java', '.java', '_[j]'],
	go => ['app', '.go', ''], cxx => ['app', '.cc', '_[i]'], rust => ['app', '.rs', '_[i]'],
	cpuprofile => ['node', '.js', '', '(anonymous)'], pyspy => ['python3', '.py', '']);
my %root = ( # directories that differ between base and head
	checkout => ['/w/profile/tree.base', '/w/profile/tree.head'],
	build => ['/tmp/build-123/src', '/tmp/build-9876/src'],
	home => ['/home/' . word() . '/' . word(), '/srv/' . word()],
	venv => ['/opt/a/venv/lib/python3.11/site-packages', '/home/b/.venv/lib/python3.12/site-packages'],
	pnpm => ['/a/node_modules/.pnpm/PKG@1.2.0/node_modules/PKG', '/a/node_modules/.pnpm/PKG@1.3.1/node_modules/PKG'],
	gem => ['/usr/lib/ruby/gems/3.1.0/gems/PKG-2.2.3/lib', '/usr/lib/ruby/gems/3.2.0/gems/PKG-2.3.0/lib'],
	gomod => ['/root/go/pkg/mod/PKG@v1.2.0', '/root/go/pkg/mod/PKG@v1.4.0'],
	cargo => ['/root/.cargo/registry/src/index.crates.io-6f17d22bba15001f/PKG-1.2.0/src',
		'/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/PKG-1.2.9/src']);
my ($language, $where) = split /,/, $kind;
my ($process, $suffix, $annotation, @anonymous) = @{$form{$language}};
my (@b, @h);
# files of several packages, two files of one name in each
my @file;
for my $pkg (map { word() } 1 .. 2) {
	push @file, [$pkg, $_] for '', '/' . word(), '/' . word();
}
my @dir = map { my $d = $_->[1]; $_->[1] } @file;
my @base = (pick('util', 'core', 'index', 'lib')) x 6;
my (@fb, @fh);
for my $i (0 .. $#file) {
	my ($pkg, $dir) = @{$file[$i]};
	my @r = @{$root{$where || 'checkout'}};
	@r = ($r[0], $r[0]) if !$where;
	s/PKG/$pkg/g for @r;
	my $in = $r[0] =~ /\Q$pkg/ ? '' : "/$pkg";
	push @fb, "$r[0]$in$dir/$base[$i]$suffix";
	push @fh, "$r[1]$in$dir/$base[$i]$suffix";
}
# functions: unique names, one name in two files, one name twice in a file, anonymous ones
my @function; # [name, file, line in base, line in head]
my $lines = $language ne 'pyspy' && $suffix !~ /^\.(go|cc|rs|java)$/;
for my $i (0 .. $#file) {
	my $shift = 1 + int rand 5;
	my ($line, $method) = (1, word());
	for my $name (word(), 'get', word(), $lines ? ($method, word(), $method) : (), @anonymous, @anonymous) {
		$line += 1 + int rand 3;
		push @function, [$name, $i, $line, $line + $shift];
	}
}
sub stacks {
	my ($k, @file) = @_;
	srand $seed + 1;
	my @out;
	for (1 .. 40) {
		my @f = map { $function[rand @function] } 1 .. 2 + rand 5;
		push @out, join(';', $process, map { "$_->[0] ($file[$_->[1]]:$_->[2 + $k])$annotation" } @f) . ' ' . int(10 + rand 90);
	}
	return @out;
}
for ([0, 'b', @fb], [1, 'h', @fh]) {
	my ($k, $name, @f) = @$_;
	open my $to, '>', $name;
	print $to map { "$_\n" } '# unit: Ir 0', stacks($k, @f);
}
PERL

# lone DIFFERENTIAL: number of stacks that only one side has.
lone() { awk '/^# /{next} $NF == 0 || $(NF - 1) == 0 { n++ } END { print n + 0 }' "$1"; }

# by_text: writes the differential of b and h as other programs do.
by_text() {
	awk '/^# / { next } { v = $NF; sub(/ [^ ]*$/, ""); sum[FILENAME, $0] += v; seen[$0] }
		END { for (s in seen) print s, sum["b", s] + 0, sum["h", s] + 0 }' b h | LC_ALL=C sort
}

total() { awk '/^# /{next} { n += $NF } END { print n }' "$1"; }

# all KIND NAME: programs 1 to 10 of a kind have no stack of one side, and no function changed.
all() {
	bad=
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		perl identity.pl "$1" $seed || bad="$bad generator"
		$BIN/fg-diff -q b h >d 2>err && [ -s d ] && [ "$(lone d)" = 0 ] || bad="$bad $seed"
		$BIN/fg-diff -q --report=tsv b h >r 2>>err
		grep -q '^verdict.*NO CHANGE' r || bad="$bad $seed(report)"
		by_text >t
		fg-render -q -T pprof t 2>/dev/null | fg-collapse -q - >d 2>>err
		[ -s d ] && awk '/^# /{next} $NF != $(NF - 1) { bad = 1 } END { exit bad }' d ||
			bad="$bad $seed(differential)"
		fg-merge -q --join=function b h >d && fg-merge -q h >m &&
			[ "$(wc -l <d)" = "$(wc -l <m)" ] && [ "$(total d)" = $(($(total b) + $(total h))) ] || bad="$bad $seed(merge)"
	done
	check "$2" test -z "$bad" || echo "# seeds:$bad"
}

for language in python node typescript ruby php perl lua erlang java go cxx rust cpuprofile pyspy; do
	all $language "$language: lines inserted above functions change nothing"
done
for where in checkout build home venv pnpm gem gomod cargo; do
	all python,$where "files of Python elsewhere are the same files: $where"
	all node,$where "files of JavaScript elsewhere are the same files: $where"
	all rust,$where "files of inlined functions elsewhere are the same files: $where"
done

# Differentials joined by text: of other programs, or of an older fg-diff.
perl identity.pl python,checkout 77
by_text >t
fg-diff -q --no-header b h >d
for output in top tree markdown flame svg; do
	fg-render -q -T $output t >x 2>/dev/null
	fg-render -q -T $output d >y 2>/dev/null
	same "a differential joined by text has the functions of fg-diff: -T $output" y x
done
check 'a differential of fg-diff is drawn as it is' sh -c "fg-render -q -T pprof d | fg-collapse -q --no-header - | cmp - d"
printf 'p;get (/a/x.py:10)_[p] 5 0\np;get (/a/x.py:30)_[p] 7 5\np;get (/a/x.py:50)_[p] 0 7\n' >t
fg-render -q -T pprof t | fg-collapse -q --no-header - >x
output 'a line that is that of another function in head counts as both' \
	'p;get (/a/x.py:30)_[p] 5 5
p;get (/a/x.py:50)_[p] 7 7' cat x
fg-render -q --column head -T top t >x
check 'one column is not joined by function' test "$(grep -c get x)" = 1
printf '# columns: calls bytes 0 0\np;get (/a/x.py:10)_[p] 5 0\np;get (/a/x.py:30)_[p] 0 5\n' >t
fg-render -q -T pprof t | fg-collapse -q --no-header - >x
check 'other pairs of columns are not joined by function' test "$(wc -l <x)" = 2
sed 's/_\[p\]//g' b >b2
printf '%s\n' '# label: build-id=m:aa 0' 'm;m+0x45010 5 0' 'm;m+0x45020 0 5' 'm;m+0x45030 1 1' >t
fg-render -q -T pprof t | fg-collapse -q --no-header - >x
check 'addresses of one build stay apart in a differential' test "$(grep -c '+0x' x)" = 3
printf '%s\n' 'm;m+0x45010 5 0' 'm;m+0x45020 0 5' >t
fg-render -q -T pprof t | fg-collapse -q --no-header - >x
output 'addresses of unknown builds are one frame of a differential' 'm;m (no symbols) 5 5' cat x

# fg-merge --join=function.
printf 'p;f (/a/x.py:1)_[p] 5\np;g_[k] 1\n' >1
printf 'p;f (/b/x.py:2)_[p] 7\np;g_[k] 2\n' >2
output '--join=function has the frames of the last file' 'p;f (/b/x.py:2)_[p] 12
p;g_[k] 3' fg-merge -q --join=function 1 2
output '--join=text adds up equal text' 'p;f (/a/x.py:1)_[p] 5
p;f (/b/x.py:2)_[p] 7
p;g_[k] 3' fg-merge -q --join=function --join=text 1 2
output '--join=function with --prefix' '1;p;f (/b/x.py:2)_[p] 5
1;p;g_[k] 1
2;p;f (/b/x.py:2)_[p] 7
2;p;g_[k] 2' fg-merge -q --join=function --prefix 1 2
output '--join=function with --scale and --mean' 'p;f (/b/x.py:2)_[p] 5.5
p;g_[k] 1.25' fg-merge -q --join=function --scale 1=3 --mean 1 2
output '--join=function with --normalize' 'p;f (/b/x.py:2)_[p] 12.083333333
p;g_[k] 2.916666667' fg-merge -q --join=function --normalize 1 2
gzip -k 1
output '--join=function from a pipe and a compressed file' 'p;f (/b/x.py:2)_[p] 12
p;g_[k] 3' sh -c 'fg-merge -q --join=function 1.gz - <2'
printf '# columns: a b 0 0\np;f (/a/x.py:1)_[p] 5 1\n' >c1
printf '# columns: a b 0 0\np;f (/a/x.py:9)_[p] 5 2\n' >c2
output '--join=function with several columns' 'p;f (/a/x.py:9)_[p] 10 3' fg-merge -q --no-header --join=function c1 c2
output '--join=function of builds that differ' '# label: build-id=m:aa,m:bb 0
m;m (no symbols, rebuilt) 9' sh -c '
	printf "# label: build-id=m:aa 0\nm;m+0x45010 4\n" >l1
	printf "# label: build-id=m:bb 0\nm;m+0x45020 5\n" >l2
	fg-merge -q --join=function l1 l2'
status '--join=function has no stream' 2 fg-merge -m --join=function 1 2
status '--join has two values' 2 fg-merge --join=line 1 2

# --series: a commit shifts lines, another one rebuilds a stripped program.
mkdir series
for i in $(seq 10 49); do
	[ $i -lt 30 ] && line=5 id=aa at=10 || line=8 id=bb at=50
	awk -v i=$i -v line=$line -v id=$id -v at=$at 'BEGIN { srand(i); print "# unit: samples 0\n# label: build-id=m:" id " 0"
		for (f = 1; f < 12; f++) printf "p;f%d (/r/%s/x.py:%d)_[p] %d\n", f, id, 9 * f + line, 300 + 40 * rand()
		for (f = 1; f < 6; f++) printf "p;m+0x45%d%d %d\n", f, at, 300 + 40 * rand()
		printf "p;get (/r/%s/x.py:%d)_[p] %d\n", id, 200 + line, 300 + 40 * rand()
		printf "p;get (/r/%s/x.py:%d)_[p] %d\n", id, 300 + line, (i < 40 ? 300 : 600) + 40 * rand() }' >series/$i
done
fg-diff -q --series --report=tsv series/* >r
check '--series: functions whose lines shift have no step; another of the name has its own' \
	test "$(awk -F '\t' '$1 == "change" { print $10 }' r)" = 'get (x.py:308)'
fg-diff -q --series --report series/* >r
check '--series: a stripped program that is rebuilt is one function, with the advice' \
	grep -q '^m (no symbols, rebuilt) stands for .* -dbgsym' r

# Several functions of one name in one file.
printf 'p;get (/a/x.py:10)_[p] 5\np;get (/a/x.py:30)_[p] 7\n' >b
printf 'p;get (/a/x.py:20)_[p] 5\np;get (/a/x.py:40)_[p] 7\n' >h
output 'methods of one name in one file are paired in order of definition' \
	'p;get (/a/x.py:20)_[p] 5 5
p;get (/a/x.py:40)_[p] 7 7' $BIN/fg-diff -q --no-header b h
printf 'p;get (/a/x.py:30)_[p] 7\np;get (/a/x.py:50)_[p] 5\n' >h
output 'a line that is that of another function in head pairs by order' \
	'p;get (/a/x.py:30)_[p] 5 7
p;get (/a/x.py:50)_[p] 7 5' $BIN/fg-diff -q --no-header b h
printf 'p;get (/a/x.py:20)_[p] 5\np;get (/a/x.py:40)_[p] 6\np;get (/a/x.py:50)_[p] 1\n' >h
$BIN/fg-diff -q --no-header b h >d
check 'unequal numbers of methods of one name are one function' grep -qx 'p;get (/a/x.py:20)_\[p\] 12 12' d
$BIN/fg-diff -v --report b h >r 2>&1
check '-v names merged functions of one name in one file' grep -q '^get stands for several functions of one name' r
printf 'p;get (/a/x.py:10)_[p] 5\np;get (/a/y.py:10)_[p] 7\n' >b
printf 'p;get (/c/x.py:11)_[p] 5\np;get (/c/y.py:11)_[p] 9\n' >h
$BIN/fg-diff -q --report=tsv b h >r
check 'functions of one name in two files are two rows with their files' \
	awk -F '\t' '$1 == "self" && $NF { n[$2]++ } /get \(x.py\)/ { x++ } /get \(y.py\)/ { y++ } END { exit !(x == 2 && y == 2) }' r

# Files with names of functions that many files have.
printf 'n;run (/a/srv.js:1)_[j];(anonymous) (/a/srv.js:10)_[j] 5\nn;run (/a/srv.js:1)_[j];(anonymous) (/a/srv.js:20)_[j] 7\n' >b
printf 'n;run (/b/c/srv.js:2)_[j];(anonymous) (/b/c/srv.js:14)_[j] 5\nn;run (/b/c/srv.js:2)_[j];(anonymous) (/b/c/srv.js:29)_[j] 7\n' >h
$BIN/fg-diff -q --no-header b h >d
check 'a file of other checkouts with only such names is one file' test -s d -a "$(lone d)" = 0
printf 'p;main (/b/c/srv.js:3)_[j] 2\n' >>h
$BIN/fg-diff -q --no-header b h >d
check 'a file with one more of them in head is one file' test "$(lone d)" = 1
printf 'p;main (/a/srv.js:3)_[j];serve (/a/srv.js:4)_[j] 2\n' >>b
printf 'p;main (/b/c/srv.js:3)_[j];listen (/b/c/srv.js:4)_[j] 2\n' >>h
$BIN/fg-diff -q --no-header b h >d
check 'a file with others on both sides is another file' test "$(lone d)" -gt 2
printf 'p;<module> (/a/in/__init__.py:1)_[p] 5\n' >b
printf 'p;<module> (/b/out/__init__.py:1)_[p] 5\n' >h
$BIN/fg-diff -q --no-header b h >d
check 'a name that most packages have tells no file' test "$(lone d)" = 2
sed 's/out/in/' h >h2
$BIN/fg-diff -q --no-header b h2 >d
check 'in a directory of one name such a file is one file' test "$(lone d)" = 0

# Anonymous functions with their place in the name.
for form in 'main::__ANON__[@:3]' '{closure:@:3}'; do
	bad=
	for file in '' ' (@:3)'; do
		echo "p;go (@:1)_[p];$form${file}_[p] 5" | sed 's#@#/a/x.pl#g' >b
		echo "p;go (@:2)_[p];$form${file}_[p] 5" | sed 's#@#/b/c/x.pl#g; s/:3/:9/g' >h
		$BIN/fg-diff -q --no-header b h >d
		[ -s d ] && [ "$(lone d)" = 0 ] || bad="$bad '$file'"
	done
	check "$form: its place does not count" test -z "$bad"
done

# Java numbers the classes of lambdas as they are linked.
printf 'p;A.go_[j];A$$Lambda$14/0x00007f1001000a00.run_[j] 5\np;B$$Lambda$3.run_[j] 1\np;B$$Lambda$4.run_[j] 2\n' >b
sed 's/Lambda.14/Lambda$77/; s/0a00/0b88/' b >h
$BIN/fg-diff -q --no-header b h >d
check 'the only lambda of a class is one function, whatever its number' test "$(lone d)" = 0
check 'several lambdas of a class stay apart' test "$(wc -l <d)" = 3
# java SEED SHIFT: lambdas of three classes, linked after SHIFT others; some numbers have one digit more
java() {
	perl -e 'srand $ARGV[0]; for my $c (map { join "", map { (qw(Ba Do Ke Li Mu No))[rand 6] } 1 .. 3 } 1 .. 3) {
		my $n = 7 + int rand 3;
		for my $k (1 .. 2 + rand 3) {
			my $at = $n + $k + $ARGV[1];
			printf "j;%s.go_[j];%s\$\$Lambda\$%d/0x%08x.run_[j];%s.lambda\$go\$%d_[j] %d\n", $c, $c, $at, rand 1e9, $c, $at, $k } }' "$@"
}
bad=
for seed in 1 2 3 4 5 6 7 8 9 10; do
	java $seed 0 >b
	java $seed 5 >h
	$BIN/fg-diff -q --no-header b h >d
	[ -s d ] && [ "$(lone d)" = 0 ] && [ "$(awk '$(NF - 1) != $NF' d)" = '' ] || bad="$bad $seed"
done
check 'lambdas of which all have other numbers match in their order' test -z "$bad"
printf 'p;A.lambda$go$3_[j] 5\np;A.lambda$go$4_[j] 900\n' >b
printf 'p;A.lambda$go$4_[j] 900\np;A.lambda$go$5_[j] 5\n' >h
$BIN/fg-diff -q --no-header b h >d
output 'a number that both sides have is that function' 'p;A.lambda$go$4_[j] 900 900' grep 900 d

# Lua has the line of the definition in the names of functions without a name.
for form in 'function <@:3>' '@:3' '@:3 (@:3)_[p]' '[trace] @:3' '@@:3'; do
	echo "lua;main chunk (@:0)_[p];${form}_[p] 5
lua;main chunk (@:0)_[p];${form}_[p];${form%:3*}:8${form##*@:3}_[p] 6" | sed 's#@\([^@]\)#/a/x.lua\1#g; s/_\[p\]_/_/g' >b
	sed 's#/a/#/b/c/#g; s/:8/:15/g; s/:3/:9/g' b >h
	$BIN/fg-diff -q --no-header b h >d
	check "Lua: the line in $form does not count" test "$(wc -l <d)" = 2 -a "$(lone d)" = 0
done

# Two profiles of one program: which of its anonymous functions have samples differs.
printf 'n;run (/a/x.js:4)_[j];(anonymous) (/a/x.js:10)_[j] 1\nn;run (/a/x.js:4)_[j];(anonymous) (/a/x.js:20)_[j] 900\n' >b
printf 'n;run (/a/x.js:4)_[j];(anonymous) (/a/x.js:20)_[j] 900\nn;run (/a/x.js:4)_[j];(anonymous) (/a/x.js:30)_[j] 1\n' >h
$BIN/fg-diff -q --no-header b h >d
output 'a line that both sides have is one function, if the file did not change' \
	'n;run (/a/x.js:4)_[j];(anonymous) (/a/x.js:20)_[j] 900 900' grep 900 d
sed 's/x.js:4)/x.js:14)/' h >h2
$BIN/fg-diff -q --no-header b h2 >d
check 'a line that both sides have counts by order, if the file changed' test "$(lone d)" = 0

# Files that only one side has, and files that moved.
printf 'p;main (/a/m.py:1)_[p] 9\np;<module> (/a/old/util.py:1)_[p] 5\np;load (/a/old/util.py:3)_[p] 3\n' >b
printf 'p;main (/a/m.py:1)_[p] 9\np;<module> (/a/new/util.py:1)_[p] 5\np;parse (/a/new/util.py:3)_[p] 3\n' >h
$BIN/fg-diff -q --no-header b h >d
check 'a new file of the same base name with other functions is not the removed one' test "$(lone d)" = 4
sed 's/load/parse/' b >b2
$BIN/fg-diff -q --no-header b2 h >d
check 'a moved file with equal functions is the same file' test "$(lone d)" = 0
fg-diff -q --report b2 h >r
check 'the report names files that were moved' grep -qx '/a/old/util.py is now /a/new/util.py.' r
printf 'p;f (/a/m.py:1)_[p] 9\np;g (/a/m.py:9)_[p] 5\n' >b
printf 'p;f (/a/m.py:1)_[p] 9\np;g (/a/other.py:1)_[p] 5\n' >h
$BIN/fg-diff -q --report b h >r
check 'a function that moved to another file is the same one' grep -q '^NO CHANGE\|^CANNOT TELL: no function changed' r
check 'the report names functions that moved to another file' grep -q '^g was moved from /a/m.py to /a/other.py' r

# Modules without symbols.
# rebuilt.pl SEED BASE_ID HEAD_ID SHIFT: functions without symbols whose addresses are shifted.
cat >rebuilt.pl <<'PERL'
my ($seed, $base, $head, $shift) = @ARGV;
srand $seed;
my $module = join '', map { chr(97 + rand 26) } 1 .. 6;
my @f = map { 0x1000 * int(2 + rand 90) + 16 * int rand 200 } 1 .. 25;
for (['b', 0, $base], ['h', $shift, $head]) {
	my ($to, $by, $id) = @$_;
	srand $seed + 7;
	open my $file, '>', $to;
	print $file "# unit: Ir 0\n", $id ? "# label: build-id=$module:$id 0\n" : '';
	for (1 .. 60) {
		printf $file "%s;main;%s %d\n", $module, join(';', map { sprintf "$module+0x%x", $f[rand @f] + $by } 1 .. 1 + rand 4), 5 + rand 40;
	}
}
PERL
bad='' same='' row=''
for seed in 1 2 3 4 5 6 7 8 9 10; do
	perl rebuilt.pl $seed aa11 bb22 64
	$BIN/fg-diff -q --fail-above 0% --report=tsv b h >d 2>r || bad="$bad $seed"
	[ "$(lone d)" = 0 ] || bad="$bad $seed(stacks)"
	grep -q '(no symbols, rebuilt)' r || row="$row $seed"
	perl rebuilt.pl $seed aa11 aa11 0
	$BIN/fg-diff -q --report=tsv b h >r
	grep -q 'no symbols' r && same="$same $seed"
done
check 'a stripped program that is rebuilt did not change' test -z "$bad"
check 'functions without symbols of two builds are one row' test -z "$row"
check 'functions without symbols of one build are compared each' test -z "$same"
perl rebuilt.pl 3 '' '' 64
$BIN/fg-diff -q --report --fail-above 0% b h >d 2>r
check 'functions without symbols of unknown builds are one row, with the reason' \
	grep -q '(no symbols) stands for .* that the builds are equal is not known' r
perl rebuilt.pl 4 aa11 aa11 64
$BIN/fg-diff -q b h >d
check 'functions without symbols that no side shares are one row, whatever the label says' test "$(lone d)" = 0
printf 'p;main;0x7f0011223344 5\np;main;0x7f0011229999_[l] 4\n' >b
printf 'p;main;0x7fa011223344 5\np;main;0x7fa011229999_[l] 4\n' >h
output 'bare addresses are compared as one' 'p;main;[unknown] (addresses) 9 9' $BIN/fg-diff -q --no-header b h
printf 'p;f.part.0 5\np;g.3 6\n' >b
printf 'p;f 5\np;g.7 6\n' >h
output "a compiler's copies of functions are these functions in stacks, too" 'p;f 5 5
p;g.7 6 6' $BIN/fg-diff -q --no-header b h
# Earlier runs of other commits and checkouts.
mkdir runs
for i in 1 2 3 4; do
	printf '# unit: samples 0\np;f (/r%s/x.py:%s)_[p] %s\np;g (/r%s/x.py:99)_[p] 300\np;h 400\n' $i $i $((300 + i)) $i >runs/$i
done
printf '# unit: samples 0\np;f (/b/x.py:7)_[p] 301\np;g (/b/x.py:99)_[p] 300\np;h 400\n' >b
printf '# unit: samples 0\np;f (/h/x.py:8)_[p] 304\np;g (/h/x.py:100)_[p] 300\np;h 400\n' >h
$BIN/fg-diff --baseline runs --report=tsv b h >r
check '--baseline: runs of other checkouts have the same functions' test "$(awk -F '\t' '$1 == "self"' r | wc -l)" = 3
done_testing
