#!/bin/sh
# Split debug information: object files (.dwo) and packages (.dwp) of both versions, by each
# compiler and packager of the machine, against the same code without it; missing and damaged ones.
# tier: quick
. "$(dirname "$0")/lib.sh"

symbol=$UNIT/symbol
CC=${CC:-cc}
[ -x "$symbol" ] || skip_all "no $symbol: run make test"

cat >part.h <<'END_H'
struct pair {
	int a, b;
};
struct list {
	struct pair *pair;
	struct list *next;
};
static inline __attribute__((always_inline)) int sum(const struct list *l)
{
	return l->pair->a + seen + (l->next != 0 ? l->next->pair->b : 0);
}
static inline __attribute__((always_inline)) int inner(int x)
{
	return x * 7 ^ seen++;
}
END_H
cat >one.c <<'END_C'
static volatile int seen;
#include "part.h"
int two(int);
int main(int argc, char **argv)
{
	(void)argv;
	return inner(argc) + two(inner(argc + 1));
}
END_C
cat >two.c <<'END_C'
static volatile int seen;
#include "part.h"
static inline __attribute__((always_inline)) int middle(int x)
{
	return inner(x + 2) + inner(x);
}
__attribute__((noinline, cold)) static int rare(int x)
{
	return middle(x);
}
static struct list *volatile all;
__attribute__((noinline)) int two(int x)
{
	return x > 7 ? rare(x) : all != 0 ? sum(all) : middle(x);
}
END_C

# ask DIRECTORY: all addresses of two.c's functions and of main.
ask() {
	objdump -d --no-show-raw-insn "$1/prog" | awk '
		/>:$/ { inside = $2 ~ /^<(main|two|rare|main.cold|two.cold)>/ }
		inside && $1 ~ /^[0-9a-f]+:$/ { sub(/:/, "", $1); print "0x" $1 }' |
		xargs "$symbol" -ils file "$tmp/$1/prog" 2>err
}

# compiled DIRECTORY COMPILER FLAGS...
compiled() {
	mkdir "$1"
	cp one.c two.c part.h "$1"
	(
		cd "$1" || exit 1
		shift
		"$@" -O2 -c one.c two.c && "$@" -O2 -o prog one.o two.o
	) >log 2>&1
}

# cases TITLE COMPILER VERSION FLAGS
cases() {
	rm -rf whole split
	if ! command -v "$2" >/dev/null || ! compiled whole "$2" -gdwarf-"$3" ||
		! compiled split "$2" -gdwarf-"$3" -gsplit-dwarf ${4-}; then
		skip "split DWARF $3 by $1" "$2 cannot: $(head -1 log)"
		return
	fi
	ask whole >expected
	check "$1, DWARF $3: there are inlined calls" grep -q '^inner_\[i\] (part.h:14) \[part.h:12\]$' expected
	ask split >got
	same "$1, DWARF $3: object files give the frames of a program without them" expected got
	for packager in dwp llvm-dwp; do
		title="$1, DWARF $3: a package by $packager gives the same frames"
		# Packagers of 2022 crash here, or run forever.
		case $packager$3$1 in
		dwp5* | llvm-dwp5gcc*) skip "$title" "$packager cannot" && continue ;;
		esac
		(cd split && command -v $packager && $packager -e prog -o prog.dwp) >log 2>&1 || {
			skip "$title" "$packager cannot"
			rm -f split/prog.dwp
			continue
		}
		mkdir away
		mv split/*.dwo away
		ask split >got
		same "$title" expected got
		cp split/prog.dwp "$3.dwp"
		mv away/*.dwo split
		rm -r away split/prog.dwp
	done
}

# GCC has each type unit of DWARF 5 in a section of its own, and all have one name.
cases 'gcc with type units' gcc 4 -fdebug-types-section
cases 'gcc with type units' gcc 5 -fdebug-types-section
rm -rf types
[ ! -d split ] || mv split types
cases 'clang with type units' clang 4 -fdebug-types-section
cases 'clang with type units' clang 5 -fdebug-types-section
cases gcc gcc 4
cases gcc gcc 5
cases clang clang 4
cases clang clang 5
[ -f split/prog ] || skip_all "no compiler writes split debug information"

mkdir objects
mv split/*.dwo objects
ask split >got
check 'functions have names without split debug information' grep -q '^two ' got
check 'no inlined call is invented without split debug information' sh -c '! grep -q _.i. got'
check 'a missing object file is reported once, with both places' \
	test "$(grep -c "^symbol: prog: inlined calls are unknown.*: not in $tmp/split/prog.dwp or $tmp/split/...\.dwo$" err)" = 1
cp objects/two.dwo split/one.dwo
ask split >got
check 'an object file of another unit is not used' grep -q '^symbol: prog: inlined calls are unknown' err
mkfifo split/two.dwo split/prog.dwp
check 'FIFOs in place of split files do not block' timeout 600 "$symbol" -i file "$tmp/split/prog" \
	"0x$(nm split/prog | awk '$3 == "two" { print $1 }')"
rm -f split/*.dwo split/*.dwp

# Every byte of the index, and each length: an answer, or none, but no crash.
for version in 4 5; do
	[ -f $version.dwp ] || {
		skip "a damaged package of DWARF $version" 'no packager'
		continue
	}
	rm -rf damaged
	mkdir damaged
	compiled damaged/x clang -gdwarf-$version -gsplit-dwarf || compiled damaged/x gcc -gdwarf-$version -gsplit-dwarf
	rm -f damaged/x/*.dwo
	address=0x$(nm damaged/x/prog | awk '$3 == "two" { print $1 }')
	index=$(objdump -h $version.dwp | awk '$2 == ".debug_cu_index" { print $6, $3 }')
	perl -e '
		my ($from, $index, $size, $command) = (shift, hex shift, hex shift, shift);
		my $to = "damaged/x/prog.dwp";
		open my $f, "<", $from or die; binmode $f; local $/; my $all = <$f>;
		my @changed = map { my ($at, $v) = @$_; my $c = $all; substr($c, $at, 1) = chr $v; $c }
			map { my $at = $_; map { [$at, $_] } 0, 1, 0x7f, 0xff } map { $index + $_ } 0 .. $size - 1;
		push @changed, map { substr $all, 0, $_ * length($all) / 40 } 0 .. 39;
		for my $bytes (splice @changed) {
			open my $o, ">", $to or die; binmode $o; print $o $bytes; close $o;
			my $status = system "$command >/dev/null 2>&1";
			die "status $status" if $status != 0;
		}' $version.dwp $index "exec '$symbol' -ils file '$tmp/damaged/x/prog' $address" 2>damage
	check "no damage to the index of a package, version $version, is a crash" test $? = 0
done

# Type, flags, place and size of each section of units: an answer, or none, but no crash.
sections=$([ ! -d types ] || readelf -SW types/two.dwo | grep -c ' \.debug_info\.dwo ')
if [ "${sections:-0}" -gt 1 ]; then
	ask types >got
	check 'type units in sections of their own: there are inlined calls' grep -q '^sum_\[i\] (part.h:10) \[part.h:8\]$' got
	address=0x$(nm types/prog | awk '$3 == "two" { print $1 }')
	perl -e '
		my ($file, $sections, $command) = @ARGV;
		open my $f, "<", $file or die; binmode $f; local $/; my $all = <$f>; close $f;
		my $headers = unpack "Q<", substr $all, 40, 8;
		for my $section (1 .. $sections) {
			for my $at (4 .. 11, 24 .. 39) {
				for my $v (0, 1, 8, 0xff) {
					my $c = $all;
					substr($c, $headers + 64 * $section + $at, 1) = chr $v;
					open my $o, ">", $file or die; binmode $o; print $o $c; close $o;
					my $status = system "$command >/dev/null 2>&1";
					die "section $section, byte $at, $v: status $status" if $status != 0;
				}
			}
		}' types/two.dwo "$sections" "exec '$symbol' -ils file '$tmp/types/prog' $address" 2>damage
	check 'no damage to the headers of sections of one name is a crash' test $? = 0
else
	skip 'damaged headers of sections of one name' 'no compiler writes such sections'
fi

printf '\001\021' >cut
rm -rf whole
compiled whole clang -gdwarf-5 || compiled whole gcc -gdwarf-5
objcopy --update-section .debug_abbrev=cut whole/prog
ask whole >got
check 'a table of abbreviations that ends within its first entry gives the symbols' grep -q '^two$' got

if command -v rustc >/dev/null; then
	cat >r.rs <<'END_RS'
use std::hint::black_box;
#[inline(always)] fn inner(k: u64) -> u64 { black_box(k) * 7 }
#[inline(always)] fn middle(k: u64) -> u64 { inner(k) + 1 }
#[no_mangle] #[inline(never)] pub fn work(k: u64) -> u64 { middle(k) * 3 }
fn main() { println!("{}", work(std::env::args().count() as u64)); }
END_RS
	for kind in off packed unpacked; do
		mkdir $kind
		rustc -O -g -C split-debuginfo=$kind -o $kind/r r.rs >log 2>&1
		objdump -d --no-show-raw-insn $kind/r | awk '
			/>:$/ { inside = $2 == "<work>:" }
			inside && $1 ~ /^[0-9a-f]+:$/ { sub(/:/, "", $1); print "0x" $1 }' |
			xargs "$symbol" -ils file "$tmp/$kind/r" >$kind.out 2>&1
	done
	check 'Rust: there are inlined calls' grep -q '^r::inner_\[i\] (r.rs:2) \[r.rs:2\]$' off.out
	same 'Rust: a package gives the frames of one file' off.out packed.out
	same 'Rust: object files give the frames of one file' off.out unpacked.out
else
	skip 'split debug information of Rust' 'no rustc'
fi

done_testing
