#!/bin/sh
# fg-filter: each option by exact output; the order of options, --time-order, totals, errors.
# tier: quick
. "$(dirname "$0")/lib.sh"

lines() {
	printf '%s\n' "$@"
}

# filter NAME INPUT EXPECTED OPTIONS...: stacks are separated by commas
filter() {
	name=$1 input=$2 want=$3
	shift 3
	printf '%s\n' "$input" | tr ',' '\n' >in
	printf '%s\n' "$want" | tr ',' '\n' | sed '/^$/d' >want
	fg-filter "$@" in >got 2>errors
	same "$name" want got
}

total() {
	awk '!/^# / { s += $NF } END { printf "%.9g\n", s }' "$@"
}

# Selecting stacks
in='main;f;g 1,main;f;h 2,main;g;h 4,start 8'
filter "--focus" "$in" 'main;f;g 1,main;g;h 4' --focus '^g$'
filter "--keep is an alias of --focus" "$in" 'main;f;g 1,main;g;h 4' --keep '^g$'
filter "--drop" "$in" 'main;f;h 2,start 8' --drop '^g$'
filter "--focus and --drop apply in order" "$in" 'main;f;g 1' --focus g --drop h
filter "a pattern matches anywhere in a name" "$in" 'main;f;g 1,main;f;h 2,main;g;h 4' --focus ai
filter "a pattern does not match across frames" "$in" '' --focus 'main.f'
filter "POSIX extended" "$in" 'main;g;h 4,start 8' --drop '^(f|x{2,3})$'
filter "--min" "$in" 'main;g;h 4,start 8' --min 4
filter "--min, a fraction" "a 0.5,b 0.25" 'a 0.5' --min 0.3
filter "--min percent" "$in" 'main;g;h 4,start 8' --min 26.6%
filter "--min percent refers to the remaining total" "$in" 'main;f;h 2' --focus f --min 50%
filter "--min percent keeps a stack with exactly that share" "a 1,b 3" 'a 1,b 3' --min 25%
filter "--top" "$in" 'main;g;h 4,start 8' --top 2
filter "--top, equal ones" "b 1,a;x 1,a 1,c 2" 'a 1,c 2' --top 2
filter "--top of more than there are" "$in" "$in" --top 100
in='a`f;libc.so`g 1,f;[libc.so] 2,libc;h 4,m`x_[k];y 8'
filter "--module" "$in" 'a`f;libc.so`g 1,f;[libc.so] 2' --module '^libc'
filter "--module is not the function" "$in" '' --module '^x'

# Changing stacks
in='main;f;g;f;h 1,main;g 2,f 4'
filter "--root-at: the first match" "$in" 'f 4,f;g;f;h 1' --root-at '^f$'
filter "--callees is an alias of --root-at" "$in" 'f 4,f;g;f;h 1' --callees '^f$'
filter "--callers" "$in" 'g;f;main 1,g;main 2' --callers '^g$'
filter "--callers of the first match" "$in" 'f 4,f;main 1' --callers '^f$'
filter "--skip-after: the last one, others stay" "$in" 'f 4,f;h 1,main;g 2' --skip-after f
filter "--skip-after is an exact name" "$in" 'f 4,main;f;g;f;h 1,main;g 2' --skip-after mai
filter "--skip-after without annotations" 'a;b_[l];c 1' 'b_[l];c 1' --skip-after b
filter "--until" "$in" 'f 4,main;f 1,main;g 2' --until '^f$'
filter "--hide" "$in" 'g 2,g;h 1' --hide '^(f|main)$'
filter "--hide: to the caller" 'a;b;c 1,a;b 2,a 4' 'a 7' --hide '[bc]'
filter "--only" "$in" 'f 4,f;f;h 1' --only '^[fh]$'
filter "--max-depth" "$in" 'f 4,main;f 1,main;g 2' --max-depth 2
filter "--root" "$in" 'all of it;f 4,all of it;main;f;g;f;h 1,all of it;main;g 2' --root 'all of it'
filter "--root stays one frame" 'a 1' 'x:y;a 1' --root 'x;y'
filter "--root '# x' does not become a comment" 'a 1' '#x;a 1' --root '# x'
filter "--reverse" "$in" 'f 4,g;main 2,h;f;g;f;main 1' --reverse
filter "--reverse twice" "$in" 'f 4,main;f;g;f;h 1,main;g 2' --reverse --reverse
filter "--collapse-recursion" 'a;b;b;b;c 1,a;b;c;b 2,a;a 4' 'a 4,a;b;c 1,a;b;c;b 2' --collapse-recursion
filter "--collapse-recursion=all" 'a;b;a;c 1,a;b;b;c;b;d 2,a;b;c;a;c;b 4,a;x;y;x 8' \
	'a;b;d 2,a;c 1,a;c;b 4,a;x 8' --collapse-recursion=all
in='a;f;read_[k];vfs_[k] 1,a;f 2,x_[k] 4,a;g_[l] 8'
filter "--kernel=drop" "$in" 'a;f 2,a;g_[l] 8' --kernel=drop
filter "--kernel=merge" "$in" 'a;f 3,a;g_[l] 8' --kernel=merge
filter "--kernel=only" "$in" 'read_[k];vfs_[k] 1,x_[k] 4' --kernel only
filter "--no-annotations" 'a_[l];b_[j]_[i] 1,a;b 2,_[k] 3,a_[x] 4,a (f.c:1)_[k] 5,a_[k] (f.c:1) 6' \
	'_[k] 3,a;b 3,a (f.c:1) 11,a_[x] 4' --no-annotations

# Annotations in patterns: with them and without
in='a;malloc_[l] 1,a;malloc 2,a;malloc_[k] (m.c:7) 4'
filter "a pattern matches without annotations" "$in" 'a;malloc 2,a;malloc_[l] 1' --focus '^malloc$'
filter "a pattern matches names with annotations" "$in" 'a;malloc_[l] 1' --focus '_\[l\]$'
filter "a pattern matches the source of a frame, which stays" "$in" 'a;malloc_[k] (m.c:7) 4' --focus '^malloc \(m\.c:7\)$'

# Names
filter "--rename" 'a1;b22 1,a2;b33 2' 'a;b2 1,a;b3 2' --rename 's/[0-9]//'
filter "--rename, every match" 'a1;b22 1,a2;b33 2' 'a;b 3' --rename 's/[0-9]//g'
filter "--rename with groups" 'std::vector<int>::at 1' 'at of std::vector<int> 1' \
	--rename 's/^(.*)::([^:]*)$/\2 of \1/'
filter "--rename: & and another delimiter" 'a/b;c 1' '<a/b>;c 1' --rename 's,a/b,<&>,'
filter "--rename: escapes" 'a/b 1,a&b 2' 'a&b 1,aandb 2' --rename 's/a&b/aandb/' --rename 's/\//\&/'
filter "--rename: i" 'FOO 1,foo 2' 'bar 3' --rename 's/foo/bar/i'
filter "--rename keeps annotations" 'a;foo_[l] 1' 'a;bar_[l] 1' --rename 's/^foo$/bar/'
filter "--rename to nothing hides" 'a;b;c 1' 'a;c 1' --rename 's/^b$//'
filter "--rename: a frame stays one frame" 'a;b 1' 'a:x;b 1' --rename 's/a/a;x/'
filter "--rename: empty matches" 'abc 1' '-a-b-c- 1' --rename 's/x*/-/g'
filter "--rename, fixed" 'a.b;axb 1' 'a&b;axb 1' -F --rename 's/a.b/a&b/'
filter "-i" 'Foo 1,bar 2' 'bar 2' -i --drop FOO
filter "-i applies to options before it" 'Foo 1,bar 2' 'bar 2' --drop FOO -i
filter "-F" 'a.b 1,axb 2' 'axb 2' -F --drop 'a.b'
filter "-F with -i" 'A.b 1,axb 2' 'axb 2' -Fi --drop 'a.B'

filter "--strip addresses" 'f+0x1c 1,f+0x2d/0x40 2,[l.so <7f12ab>] 4,[l.so] 8,j 0x7f123456 16,+0x1 32' \
	'+0x1 32,[l.so] 12,f 3,j 0x... 16' --strip addresses
filter "--strip generics" 'std::vector<std::pair<int (*)(a)> >::at 1,Vec::<T>::new 2,main.Map[go.shape.int_0] 4,<T as X>::f<U> 8' \
	'<T as X>::f 8,Vec::new 2,main.Map 4,std::vector::at 1' --strip generics
filter "--strip generics keeps complete names" 'A.<init> 1,f()::<lambda(int)> 2,s[abi:cxx11] 4,operator[] 8,g_[k] 16,x->y<z 32,[m] 64' \
	'A.<init> 1,[m] 64,f()::<lambda(int)> 2,g_[k] 16,operator[] 8,s[abi:cxx11] 4,x->y<z 32' --strip generics
filter "--strip generics: operators" 'a<b>::operator<< <c> 1,operator-><d> 2,operator<=> 4,operator()<e> 8,operator> 16' \
	'a::operator<< 1,operator() 8,operator-> 2,operator<=> 4,operator> 16' --strip generics
filter "--strip args" 'f(int (*)(a)) const 1,std::function<void (int)>::operator()(int) const 2,(anonymous namespace)::g(b)_[l] 4,main.(*T).Do 8,(idle) 16' \
	'(anonymous namespace)::g_[l] 4,(idle) 16,f 1,main.(*T).Do 8,std::function<void (int)>::operator() 2' --strip args
filter "--strip hashes" 'a::b::h0123456789abcdef 1,a::b 2,f.llvm.123 4,A$$Lambda$14/0x7f.run 8,A$$Lambda.0x7e.run 16,a::hello 32' \
	'A$$Lambda.run 24,a::b 3,a::hello 32,f 4' --strip hashes
filter "--strip lines" 'f (a.c:12) 1,f (a.c:13) 2,f (a.c:7)_[i] 4,g:42 8,<module> (m.py:1) 16,h (x.js:1:20) 32,A::1 64' \
	'<module> (m.py) 16,A::1 64,f (a.c) 3,f (a.c)_[i] 4,g 8,h (x.js) 32' --strip lines
filter "--strip clones" 'f.part.0 1,f.constprop.1.isra.0_[i] 2,f.cold 4,f.llvm.99 8,f [clone .cold] 16,a::f::h0123456789abcdef 32,f.2 64,.cold 128,f.0a1b2c3d4 256' \
	'.cold 128,a::f 32,f 285,f.2 64,f_[i] 2' --strip clones
filter "--strip generics: brackets without an end" 'a<b<c>d<e 1,f<g<h<i>j 2,k<l[m]n<o[p 4,q<r->s<t>u 8' \
	'a<bd<e 1,f<g<hj 2,k<ln<o[p 4,q<r->su 8' --strip generics
perl -e 'print "a;", "f<" x 500000, "g[" x 500000, " 1\n"' >unclosed
check '--strip generics: a million brackets without an end take time in proportion' \
	limited 60 sh -c 'fg-filter --strip=generics <unclosed | cmp - unclosed'
filter "--strip, several" 'f<a>(b)+0x12 1,f<c>(d) (x.c:3) 2' 'f 1,f (x.c) 2' --strip addresses,generics,args,lines

filter "--strip generics: a frame that is an annotation" '_[k] 1,a;_[k] 2,__[k] 4,f_[i].g 8,_[k]_[l] 16' \
	'_[k] 1,_[k]_[l] 16,__[k] 4,a;_[k] 2,f_.g 8' --strip generics
filter "--rename: a name that goes takes its annotations along" 'a_[k];b 1,a 2,a (x.c:1)_[k];c 4,_[k] 8,a2_[k] 16' \
	'_[k] 8,a (x.c:1)_[k];c 4,a2_[k] 16,b 1' --rename 's|^a$||'
filter "--rename: a name that is removed takes annotations along that the pattern does not match" 'x;a_[k]_[i];b 1' 'x;b 1' --rename 's|^a||'
most=$(perl -e 'print q(b) x 16384')
filter "--rename: names above 16384 bytes stay" "$most 1,c$most 2" "${most}c 1,c$most 2" --rename 's/$/c/'
check "--rename: names above 16384 bytes are reported" grep -q "such as one of 16385, stay" errors
filter "--rename with fixed strings: names above 16384 bytes are changed" "c$most 2" "d$most 2" -F --rename "s/c/d/"
filter "sums of 64 bits" 'r;b 9223372036854775807,r;c .5' 'r 9223372036854775807.5' --hide 'b|c'
filter "sums of 64 bits in the other order" 'r;b .5,r;c 9223372036854775807' 'r 9223372036854775807.5' --hide 'b|c'

# t/unit/pattern without REG_STARTEND, where strings need a terminating 0
portable() {
	output "portable patterns: $1 from $2 in $3" "$4" "$UNIT/pattern" "$1" "$2" "$3"
}

# A long string is searched with a prefilter expression first, which must not change the matches.
perl -e 'for my $end ("", "b", "ab", "(c)", "ca", "]", "a)", "x\\") {
	print "a" x 2000, "$end 1\n", $end, "a" x 1500, " 1\n", "c" x 1000, $end, "d" x 600, " 1\n" }' | sort -u >long
for e in 'a*b' '^b' '^(b|ab)' 'b$' '(a|aa)*b' '\(c\)' '[]]' '[^]acd]' '[[:alpha:]]b' 'a)' 'b|^ca|[)]' '(^c|d$)' '' 'c[(]' '[]b-]d'; do
	sed 's/ 1$//' long | grep -E -e "$e" | sed 's/$/ 1/' >want
	output "long strings that match $e" "$(cat want)" fg-filter --keep "$e" long
done

# A reference to a group can take unlimited time, so that no pattern may have one.
for e in '(a*)\1b' '[]\]](x)\1' '\\\1'; do
	status "a pattern that refers to a group, $e, is wrong usage" 2 fg-filter --keep "$e" long
done
for e in '[\1]' 'a\\1' '\(1' 'x\.1'; do
	status "a pattern that refers to no group, $e, is correct" 0 fg-filter --keep "$e" long
done
portable 'b+(c)' 0 abbcd '1-4 3-4 -1--1'
portable 'b+(c)(x|y)?' 0 'a\0bbc' '2-5 4-5 -1--1'
portable '(^|a)b$' 0 ab '0-2 0-1 -1--1'
portable '^b' 1 ab none
portable 'b$' 1 ab '1-2 -1--1 -1--1'
portable 'b$' 0 'ab\0' none
portable '' 2 ab '2-2 -1--1 -1--1'
if "$UNIT/collide" 200000 >prepared; then
	awk 'BEGIN { for (i = 0; i < 1500; i++) print "plain;frame" i, 1 }' >plain # the head has no control bytes
	cat plain prepared | limited 300 fg-filter | grep -av '^plain;' | sort >got
	sort prepared >want
	same "200,000 names prepared to collide" want got
	sed 's/^/a;/' prepared | limited 300 fg-filter --hide '^a$' | sort >got
	same "200,000 colliding names under one parent" want got
else
	skip "names prepared to collide" "this is another XXH3"
fi

# --other, --require and -v
in='a;b 1,c 2,d 4'
filter "--other" "$in" '[other] 6,a;b 1' --other --focus a
filter "--other, nothing cut" "$in" 'a;b 1,c 2,d 4' --other
filter "--other, several options" "$in" '[other] 3,d 4' --other --drop a --hide c
filter "without --other, removed stacks add nothing" "$in" '' --focus x
status "no remaining stack: exit status 0" 0 fg-filter --focus x in
status "--require: no remaining stack is exit status 1" 1 fg-filter --focus x --require in
status "--require with --other: no remaining stack is exit status 1" 1 fg-filter --focus x --require --other in
status "--require in time order" 1 fg-filter --focus x --require --other --time-order in
status "--require with something left" 0 fg-filter --focus a --require in
fg-filter -v --drop 'a|c' --top 1 in >got 2>errors
output "-v: removed stacks and values are reported" 'fg-filter: --drop a|c: removed 2 stacks, value 3
fg-filter: --top 1: removed 0 stacks, value 0
fg-filter: all options: removed 2 stacks, value 3' cat errors
lines 'a;b 1' 'c 2' | fg-filter --time-order -v --drop a >got 2>errors
output "-v in time order" 'fg-filter: --drop a: removed 1 stack, value 1
fg-filter: all options: removed 1 stack, value 1' cat errors

# Columns
lines '# columns: base head' 'a;b 1 10' 'c 5 0' 'd 2 4' >pairs
output "--other sums each column" '# columns: base head 0 0
[other] 6 10
d 2 4' fg-filter --other --drop 'b|c' pairs
output "--min takes the sum of columns" '# columns: base head 0 0
a;b 1 10
d 2 4' fg-filter --min 6 pairs
output "fg-filter --column keeps one column" 'a;b 10
d 4' fg-filter --column head --min 1 pairs
output "--column by number" 'a;b 1
c 5' fg-filter --column 1 --drop d pairs
output "fg-filter --no-header omits the header lines" 'd 2 4' fg-filter --no-header --focus d pairs
output "fg-filter --columns names the columns" '# columns: base head 0 0
d 2 4' sh -c "printf 'd 1 2\nd 1 2\n' | fg-filter --columns base,head"
output "columns in time order" '# columns: base head 0 0
[other] 1 10
c 5 0
d 2 4' fg-filter --time-order --other --drop b pairs
output "--column in time order" 'a;b 10
c 0
d 4' fg-filter --time-order --column head pairs
status "--column that does not exist is exit status 2" 2 fg-filter --column tail pairs

# Time order
in='b;x 1,a 1,a 2,c;y;z 1,b;x 4,b;x_[k] 1'
filter "--time-order keeps the order and adds up neighbours" "$in" 'b;x 1,a 3,c;y;z 1,b;x 4,b;x_[k] 1' --time-order
filter "--time-order: stacks that become equal are added up" "$in" 'b;x 1,a 3,c;y;z 1,b;x 5' --time-order --no-annotations
filter "--time-order: stacks that become neighbours are added up" "$in" 'b;x 1,a 3,b;x 4,b;x_[k] 1' --time-order --drop c
filter "--time-order --other" "$in" 'b;x 1,[other] 3,c;y 1,b;x 4,b;x_[k] 1' \
	--time-order --hide a --max-depth 2 --other
status "--time-order has no --top" 2 fg-filter --time-order --top 1 in
status "--time-order has no --min" 2 fg-filter --time-order --min 1 in
awk 'BEGIN { for (i = 0; i < 600000; i++) print "main;f" i % 7 ";g" int(i / 3) " 1" }' >long
fg-filter --time-order --hide '^main$' long >got
awk '{ sub("main;", ""); if ($1 != last && NR > 1) { print last, n; n = 0 }; last = $1; n += $2 } END { print last, n }' long >want
same "--time-order: more than one batch" want got

# Properties, on generated input
generate() {
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		n = split("main f f_[l] foo foo2 foo.x r_[k] s_[k] g<int> g", name, " ")
		for (i = 0; i < 500; i++) {
			stack = "start"
			for (d = int(rand() * 7); d >= 0; d--)
				stack = stack ";" name[1 + int(rand() * n)]
			print stack, 1 + int(rand() * 1000) + int(rand() * 4) / 4
		}
	}'
}
for seed in 1 2 3; do
	generate $seed >a
	fg-filter a >sorted
	fg-filter sorted >got
	same "seed $seed: without options sorted input is unchanged" sorted got
	fg-filter --time-order a | fg-filter >got
	same "seed $seed: time order, then sorted, is sorted" sorted got
	total a >want
	for option in '--hide=^f' --kernel=merge '--rename=s/o+/0/' --reverse --collapse-recursion \
		--collapse-recursion=all --max-depth=2 --until=foo --root=all --no-annotations \
		--strip=generics --skip-after=foo; do
		fg-filter "$option" a >out
		total out >got
		same "seed $seed: $option keeps the total" want got
	done
	for option in --focus=foo --drop=foo --root-at=foo --callers=foo --only=foo --kernel=drop \
		--kernel=only --min=500 --top=9; do
		fg-filter --other "$option" a >out
		total out >got
		same "seed $seed: $option keeps it with --other" want got
		case $option in --min* | --top*) continue ;; esac
		fg-filter "$option" a >want2
		fg-filter --time-order "$option" a | fg-filter >got
		same "seed $seed: $option in time order" want2 got
	done
	fg-filter --focus foo a >in1
	fg-filter --drop foo a | cat - in1 | fg-filter >got
	same "seed $seed: --focus and --drop are two halves" sorted got
	fg-filter --callers '^foo$' a >callers
	fg-filter --callees '^foo$' a >callees
	total callers >want2
	total callees >got
	same "seed $seed: both halves of a sandwich weigh the same" want2 got
done

# Depth, size, errors
awk 'BEGIN { for (i = 1; i <= 5000; i++) printf "%sf%d", (i > 1 ? ";" : ""), i; print " 1" }' >deep
fg-filter deep >got
same "fg-filter keeps a stack of 5,000 frames" deep got
fg-filter --reverse --reverse --collapse-recursion=all --hide '^x' --drop '^y' deep >got
same "5,000 frames through options" deep got
awk 'BEGIN { for (i = 1; i <= 5000; i++) printf "%sf%d", (i > 1 ? ";" : ""), i % 10; print " 1" }' |
	fg-filter --collapse-recursion=all >got
output "5,000 frames of recursion" 'f1;f2;f3;f4;f5;f6;f7;f8;f9;f0 1' cat got
filter "an empty frame" 'a;;b 1' 'a;;b 1' --drop x
filter "an empty name can be hidden" 'a;;b 1' 'a;b 1' --hide '^$'
filter "bytes that are no UTF-8" "$(printf 'a\377b;c 1')" "$(printf 'a\377b;c 1')" --focus 'a.b'
status "a malformed pattern is a usage error" 2 fg-filter --drop '(' in
status "a malformed --rename is a usage error" 2 fg-filter --rename 's/a' in
status "an unknown flag" 2 fg-filter --rename 's/a/b/x' in
status "an unknown --strip" 2 fg-filter --strip everything in
status "an unknown --kernel" 2 fg-filter --kernel=keep in
status "an unknown --collapse-recursion" 2 fg-filter --collapse-recursion=none in
status "--max-depth 0" 2 fg-filter --max-depth 0 in
status "--top without a number" 2 fg-filter --top x in
status "--min without a number" 2 fg-filter --min x% in
status "--root without a name" 2 fg-filter --root '' in
status "empty input is exit status 2" 2 fg-filter /dev/null
status "--time-order: empty input is exit status 2" 2 fg-filter --time-order /dev/null
lines 'a;a 1' 'no value' 'b;b 2' >bad
output "malformed lines are left out" 'a;a 1
b;b 2' fg-filter bad
fg-filter bad 2>errors >got
check "malformed lines: the first is reported" grep -q '^fg-filter: bad:2: ' errors
status "--strict" 2 fg-filter --strict bad
{ awk 'BEGIN { for (i = 0; i < 2000; i++) print "a;b" i, 1 }'; perl -e 'srand 1; print pack "C*", map { rand 256 } 1 .. 300000'; } >junk
lines 'a 1' >one
status "binary junk does not crash fg-filter" 0 sh -c \
	"fg-filter -q --strip addresses,generics,args,hashes,lines --rename 's/x*/y/g' --no-annotations \
	--collapse-recursion=all --hide q junk one 2>errors >got"
if [ -e /dev/full ]; then
	status "a full disk is exit status 2" 2 sh -c 'fg-filter one >/dev/full'
fi
fg-filter -o out one
same "-o writes the stacks to a file" one out


# Expressions: errors only; filter-model.t tests their meaning
lines 'app;main;a;b 5' 'app;main;a;x;b 3' 'app;main;leafy 2' 'app;z 1' >expr
while IFS='|' read -r e want; do
	output "--where '$e'" "$(echo "$want" | tr , '\n')" fg-filter --where "$e" expr
done <<'END'
a > ^b$|app;main;a;b 5
^a$ >> ^b$|app;main;a;b 5,app;main;a;x;b 3
leaf ^b$ and not ^a$ > ^b$|app;main;a;x;b 3
depth > 4 or leafy|app;main;a;x;b 3,app;main;leafy 2
depth=2|app;z 1
root app and ! (main)|app;z 1
"a" >> 'x' > /b/|app;main;a;x;b 3
END
output '--where -F: patterns are strings' 'app;z 1' fg-filter -F --where 'leaf z and not ^app' expr
for e in '' '(a' 'a)' 'depth x' 'depth > x' 'a > > b' 'a b' 'and' 'not' '/a' '"a' 'leaf' '[' "$(printf '(%.0s' $(seq 200))a"; do
	status "--where '$(echo "$e" | cut -c1-20)' is wrong usage" 2 fg-filter --where "$e" expr
done
output 'the place of an error in --where' "fg-filter: --where 'a or )': character 6: expected a pattern" \
	sh -c "fg-filter --where 'a or )' expr 2>&1 | head -1"
lines 'a;b 5' 'a;b;c 10' 'a;value;x 1' 'a;c 84' >values
while IFS='|' read -r e want; do
	output "--where '$e' compares values" "$(echo "$want" | tr , '\n')" fg-filter --where "$e" values
done <<'END'
value > 5|a;b;c 10,a;c 84
value<=5 and not value == 1|a;b 5
self >= 94%|a;b;c 10,a;c 84
self > 94%|
total = 15|a;b 5
value = 1.0 or total < 1.5|a;value;x 1
END
output "--where 'value > x' is a chain of frames" 'a;value;x 1' fg-filter --where 'value > x' values
output "--where with a value is by all files together" 'a;b 10
a;b;c 20
a;c 168' fg-filter --where 'value > 9' values values
status "--where with a value cannot be a stream" 2 fg-filter --time-order --where 'value > 5' values
while IFS='|' read -r e want; do
	fg-filter --where "$e" values >got 2>errors
	check "an error of --where '$e' has the spelling that works" grep -q "$want" errors
done <<'END'
a && b|write and
a OR b|write or
std::vector<int>::push|quote
self x|leaf NAME
total < x|a number
END

# Elements of other kinds of expressions, which regcomp(3) would take for something else
while IFS=' ' read -r re want; do
	for o in --focus --drop --root-at --until --hide --only --callers --module --where=leaf; do
		case $o in
		--where=*) set -- --where "leaf /$re/" ;;
		*) set -- "$o" "$re" ;;
		esac
		fg-filter "$@" values >got 2>errors
		check "$o $re is an error with the right spelling" \
			awk -v want="$want" 'NR == 1 && index($0, want) { found = 1 } END { exit !found }' errors
	done
	fg-filter --rename "s/$re//" values >got 2>errors
	check "--rename s/$re// is an error" grep -q '^fg-filter: --rename: ' errors
	fg-diff --match "$re" values values >got 2>errors
	check "fg-diff --match $re is an error" grep -q '^fg-diff: --match: .*character' errors
done <<'END'
\d [0-9]
pool-\D+ [^0-9]
a.*?b longest
x+? longest
(?:a) write (
(?i)a [Aa]
\Afoo write ^
foo\z write $
[\w.] [:alnum:]
operator++ write \+\+
(a)\1 groups
END
fg-filter --rename 's/(b)/\2/' values >got 2>errors
check '--rename with \2 and one group is an error with the number of groups' grep -q '2: the pattern (b) has 1 group;' errors
status '--rename with \1 and -F is an error' 2 fg-filter -F --rename 's/b/\1/' values
output '--rename knows \9 of nine groups' 'a;i 5' \
	sh -c "echo 'a;abcdefghi 5' | fg-filter --rename 's/(a)(b)(c)(d)(e)(f)(g)(h)(i)/\\9/'"
for re in '\w+' '\bb\b' '[\\d]' 'c{1,2}' '\.' '[]a]+' 'a|(b)*' '\<b' '[[:digit:]]' '\+\+'; do
	status "the pattern $re is valid" 0 fg-filter --focus "$re" values
done
output '--min-total hides rare functions' 'app 1
app;main 2
app;main;^a;b 8' sh -c "sed 's/;a;/;^a;/' expr | fg-filter --min-total 5"
output '--collapse-modules replaces the frames of a module by its name' 'app;m;libc.so.6;[kernel] 7' \
	sh -c "printf 'app;m\`a;m\`b;in_[i];[libc.so.6];k_[k];k2_[k] 7\n' | fg-filter --collapse-modules"

# Streams: the result equals that from a file, and memory does not grow with the input
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "app;main;function_%d;g%d_[k];leaf_function_%d %d\n", i / 20, i % 7, i % 20, i % 50 + 1 }' | fg-merge >big
head -n 1000 big >first
for o in '--focus g3' '--drop g3' '--where g3>leaf' '--min 20' '--root x --root y' '--kernel=drop' '--no-annotations' \
	'--rename s/g3_/g4_/' '--rename s/^app/b/ --focus 11' '--strip hashes' ''; do
	fg-filter -v $o big >got 2>said
	fg-filter -v $o <big >want 2>said2
	cmp -s got want && cmp -s said said2 || echo "$o"
done >wrong
same 'a file in canonical order gives the same as a pipe' /dev/null wrong
if command -v perl >/dev/null && [ -x /usr/bin/time ]; then
	quarantine=${ASAN_OPTIONS-}
	export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=1" # of freed memory
	for o in '--focus g3' '--drop g3' '--where g3>leaf' '--min 20' '--root x'; do
		/usr/bin/time -f %M fg-filter $o first 2>kb >got
		/usr/bin/time -f %M fg-filter $o big 2>>kb >got
		[ "$(tail -1 kb)" -lt $(($(head -1 kb) + $(wc -c <big) / 1024)) ] || echo "$o:" "$(tr '\n' ' ' <kb)" KB
	done >wrong
	same 'a file in canonical order takes less memory than its size' /dev/null wrong
	ASAN_OPTIONS=$quarantine
else
	skip 'memory' 'there is no /usr/bin/time' time
fi
{ cat big; echo 'app;late 1'; } >unordered
fg-filter --root x unordered >got
fg-filter --root x <unordered >want
same 'a file out of order at its end' want got

# Time ranges and labels
printf '# time: 0.000 s 0\na;b 1\n# time: 0.500 s 0\na;b 2\na;c 4\n# time: 1.500 s 0\na;b 8\n' >marks
output '--from and --to select steps of time' 'a;b 2
a;c 4' fg-filter --from 0.5 --to 1.5 marks
output '--from in time order keeps the marks' '# time: 0.500 s 0
a;b 2
a;c 4
# time: 1.500 s 0
a;b 8' fg-filter --time-order --from 500ms marks
output '--to without --from' 'a;b 3
a;c 4' fg-filter --to 1s marks
status '--from without time marks' 2 fg-filter --from 1 expr
status '--from with nothing in range, --require' 1 fg-filter --require --from 99 marks
lines '# label: host=web1 0' 'a 1' >l1
lines '# label: host=web2 0' 'a 10' >l2
lines 'a 100' >l3
output '--label selects files' '# label: host=web1 0
a 1' fg-filter --label host=web1 l1 l2 l3
output '--label with ! selects the others' 'a 110' fg-filter --no-labels --label '!host=web1' l1 l2 l3
status '--label that no file has, --require' 1 fg-filter --require --label host=web9 l1 l2
status '--label without a value is wrong usage' 2 fg-filter --label host l1
# A word is searched in many frames at once, an expression in each: the same stacks are left.
awk 'BEGIN {
	n = split("main work word_a aword sword wor d word_[k] x_[k]_(word.c:3) work_(x.c:1)_[i] wo_[k]_rd [x]", part, " ")
	long = "a_function_of_a_rather_long_name_that_has_no_"
	for (i = 0; i < 4000; i++) {
		stack = "app"
		for (d = 0; d < 2 + i % 9; d++) {
			x = (x * 1103515245 + 12345) % 2147483648
			frame = part[1 + int(x / 65536) % n]
			if (frame ~ /_\(/) gsub(/_\(/, " (", frame)
			stack = stack ";" (int(x / 1024) % 5 ? "" : long) frame
		}
		print stack, 1 + i % 7
	}
}' | fg-filter >words
for where in 'word' 'not word' 'leaf word' 'wor > word' 'main >> word and not aword' 'd or leaf k' 'root word or aword'; do
	fg-filter --where "$where" words >got
	fg-filter --where "$(printf %s "$where" | sed 's/w\(or\)/[w]\1/g; s/ k$/ [k]/; s/^d /[d] /')" words >want
	cmp got want || echo "$where"
	[ -s got ] || echo "$where: nothing is left"
	! cmp -s got words || echo "$where: all are left"
done >wrong
same 'words and expressions leave the same stacks' /dev/null wrong
done_testing
