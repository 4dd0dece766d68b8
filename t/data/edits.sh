#!/bin/sh
# edits.sh: makes t/data/edits/LANGUAGE.before and .after anew, with fg-record in $PATH and the
# languages' own programs: profiles of one program before and after its sources were edited, moved to
# another directory and indented anew, without a change of a function. Usage: edits.sh [LANGUAGE ...]
#
# Only frames of the program remain, and stacks with 3 % of the total or more, since others are there by chance.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$here/edits"

# edit FILE COMMENT: comment lines at the top, and before lines that begin a function; more blanks
# before those that are indented, unless the language is Python, whose blanks are doubled.
edit() {
	awk -v c="$2" '{ blanks = $0; sub(/[^ ].*/, "", blanks) }
		NR == 1 && !/^(<\?php|package|-module)/ { print c " a new line"; print c " another one" }
		/^ *(def|function|func|sub|local function|async def|static|template|class|public|fn|inline|[a-z_]+\() / { print blanks c " edited" }
		{ print blanks $0 }
		NR == 1 && /^(<\?php|package|-module)/ { print c " a new line"; print c " another one" }' "$1" >"$1.new"
	mv "$1.new" "$1"
}

# record LANGUAGE SIDE DIRECTORY COMMAND...: keeps the frames of its source files.
record() {
	language=$1 side=$2 in=$3
	shift 3
	(cd "$in" && fg-record -q -F 1999 --source -o "$work/all" -- "$@" >/dev/null)
	LC_ALL=C awk -v work="$work" -v language="$language" '
		/^# / { next }
		{
			value = $NF
			sub(/ [0-9.]+$/, "")
			while ((at = index($0, work)) > 0) $0 = substr($0, 1, at - 1) "/w" substr($0, at + length(work))
			n = split($0, frame, ";")
			stack = last = ""
			for (i = 2; i <= n; i++)
				if (frame[i] ~ /[(\/]app\.|^App[.$]|^main\.|^app:/ && frame[i] !~ /_\[[kl]\]$|start_internal|lang_start/ && frame[i] != last)
					sum[language (stack = stack ";" (last = frame[i]))] += value
			all += value
		}
		END { for (stack in sum) if (sum[stack] > all / 30) print stack " 1" }' "$work/all" |
		LC_ALL=C sort >"$here/edits/$language.$side"
}

# both LANGUAGE FILE COMMENT BUILD COMMAND...: the program is standard input.
both() {
	language=$1 file=$2 comment=$3 build=$4
	shift 4
	cat >"$work/source"
	for side in before after; do
		[ $side = before ] && in=$work/tree.base/app || in=$work/elsewhere/next/app
		mkdir -p "$in"
		cp "$work/source" "$in/$file"
		[ $side = before ] || edit "$in/$file" "$comment"
		(cd "$in" && sh -ec "$build")
		record "$language" $side "$in" "$@"
	done
}

[ $# -gt 0 ] || set -- python node typescript typescript-map ruby php perl lua erlang java go cxx rust
for language; do
	echo "$language"
	case $language in
	python) both python app.py '#' : python3 app.py <<'END' ;;
class A:
    def method(self, n):
        return sum([i * i for i in range(n)])

class B:
    def method(self, n):
        t = 0
        for i in range(n): t += i * 3
        return t

def leaf(n):
    f = lambda x: sum(range(x))
    return f(n) + f(n + 1)

def outer(n):
    a, b = A(), B()
    for _ in range(n):
        leaf(300); a.method(200); b.method(200)

outer(6000)
END
	node | typescript)
		[ "$language" = node ] && { build='sed -i "s/: number//g" app.js' file=app.js; }
		[ "$language" = node ] || { build='sed "s/: number//g" app.ts >app.js' file=app.ts; }
		both "$language" $file '//' "$build" node app.js <<'END'
class A {
  method(n: number) { let t = 0; for (let i = 0; i < n; i++) t += Math.sqrt(i) * (i % 7); return t; }
}
class B {
  method(n: number) { let t = 0; for (let i = 0; i < n; i++) t += Math.cbrt(i) + (i % 5); return t; }
}
function leaf(n: number) {
  const anonymous = [1, 2].map((x) => { let t = 0; for (let i = 0; i < n; i++) t += Math.sin(i * x); return t; });
  return anonymous[0];
}
function outer(n: number) {
  const a = new A(), b = new B();
  for (let i = 0; i < n; i++) { leaf(3000); a.method(9000); b.method(9000); }
}
outer(4000);
END
		;;
	typescript-map) # by the compiler, TypeScript's tsc, with a source map that node reads
		both "$language" app.ts '//' 'tsc --target es2022 --sourceMap --types "" app.ts' \
			node --enable-source-maps app.js <<'END'
interface Item { id: number }
namespace stores {
  export class Store<T extends Item> {
    constructor(private items: T[]) {}
    method(n: number): number { let t = 0; for (let i = 0; i < n; i++) t += Math.sqrt(this.items[i % 3].id + i) * (i % 7); return t; }
  }
}
class Other {
  method(n: number): number { let t = 0; for (let i = 0; i < n; i++) t += Math.cbrt(i) + (i % 5); return t; }
}
function leaf(n: number): number {
  const anonymous = [1, 2].map((x: number): number => { let t = 0; for (let i = 0; i < n; i++) t += Math.sin(i * x); return t; });
  return anonymous[0];
}
function outer(n: number): void {
  const a = new stores.Store([{ id: 1 }, { id: 2 }, { id: 3 }]), b = new Other();
  for (let i = 0; i < n; i++) { leaf(3000); a.method(9000); b.method(9000); }
}
outer(4000);
END
		;;
	ruby) both ruby app.rb '#' : ruby app.rb <<'END' ;;
class A
  def method_a(n)
    t = 0
    n.times { |i| t += i * i }
    t
  end
end
def leaf(n)
  f = lambda { |x| (1..x).map { |i| i * 3 }.sum }
  f.call(n)
end
def outer(n)
  a = A.new
  n.times { leaf(300); a.method_a(300) }
end
outer(12000)
END
	php) both php app.php '//' : php app.php <<'END' ;;
<?php
class A {
  function method($n) { $t = 0; for ($i = 0; $i < $n; $i++) $t += $i * $i; return $t; }
}
class B {
  function method($n) { $t = 1; for ($i = 0; $i < $n; $i++) $t += $i % 7; return $t; }
}
function leaf($n) {
  $closure = function ($x) { $t = 0; for ($i = 0; $i < $x; $i++) $t += $i; return $t; };
  return $closure($n) + array_sum(array_map(function ($x) { $t = 0; for ($i = 0; $i < 100; $i++) $t += $x; return $t; }, [1, 2, 3]));
}
function outer($n) {
  $a = new A; $b = new B;
  for ($i = 0; $i < $n; $i++) { leaf(300); $a->method(300); $b->method(300); }
}
outer(30000);
END
	perl) both perl app.pl '#' : perl app.pl <<'END' ;;
package A;
sub method { my ($self, $n) = @_; my $t = 0; $t += $_ * $_ for 1 .. $n; return $t }
package B;
sub method { my ($self, $n) = @_; my $t = 0; $t += $_ % 7 for 1 .. $n; return $t }
package main;
sub leaf { my $n = shift; my $f = sub { my $t = 0; $t += $_ for 1 .. $_[0]; $t }; return $f->($n) }
sub outer { my $n = shift; for (1 .. $n) { leaf(300); A->method(300); B->method(300) } }
outer(30000);
END
	lua) both lua app.lua '--' : lua5.4 app.lua <<'END' ;;
local A = {}
function A.method(n) local t = 0 for i = 1, n do t = t + i * i end return t end
local B = {}
function B.method(n) local t = 1 for i = 1, n do t = t + i % 7 end return t end
function leaf(n)
  local inner = function(x) local t = 0 for i = 1, x do t = t + math.sin(i) end return t end
  return inner(n) + 1
end
function outer(n)
  for i = 1, n do leaf(300) A.method(300) B.method(300) end
end
outer(30000)
END
	erlang) both erlang app.erl '%' 'erlc +debug_info app.erl' erl +JPperf true -noshell -s app start -s init stop <<'END' ;;
-module(app).
-export([start/0, outer/1, leaf/1]).
start() ->
  outer(4000).
outer(0) -> ok;
outer(N) ->
  leaf(1600), repeat(fun(X) -> total(X, 1) end, 4), outer(N - 1).
repeat(_, 0) -> ok;
repeat(F, N) ->
  F(1600), repeat(F, N - 1).
leaf(N) ->
  1 + total(N, 0) + squares(N, 0).
total(0, T) -> T;
total(N, T) ->
  total(N - 1, T + N rem 7).
squares(0, T) -> T;
squares(N, T) ->
  squares(N - 1, T + N * N rem 11).
END
	java) both java App.java '//' 'javac App.java' java -Xint -cp . App <<'END' ;;
import java.util.function.IntUnaryOperator;
public class App {
  static class A { int method(int n) { int t = 0; for (int i = 0; i < n; i++) t += i * i; return t; } }
  static class B { int method(int n) { int t = 0; for (int i = 0; i < n; i++) t += i % 7; return t; } }
  static int leaf(int n) {
    IntUnaryOperator lambda = x -> { int t = 0; for (int i = 0; i < x; i++) t += i; return t; };
    return lambda.applyAsInt(n);
  }
  static void outer(int n) {
    A a = new A(); B b = new B();
    for (int i = 0; i < n; i++) { leaf(300); a.method(300); b.method(300); }
  }
  public static void main(String[] args) { outer(50000); }
}
END
	go) both go app.go '//' 'go build -o app app.go' ./app <<'END' ;;
package main
type A struct{}
type B struct{}
//go:noinline
func (A) method(n int) (t int) { for i := 0; i < n; i++ { t += i * i % 5 }; return }
//go:noinline
func (B) method(n int) (t int) { for i := 0; i < n; i++ { t += i % 7 }; return }
func inner(n int) (t int) { for i := 0; i < n; i++ { t += i % 11 }; return }
//go:noinline
func leaf(n int) int {
  f := func(x int) (t int) { for i := 0; i < x; i++ { t += i % 3 }; return }
  return f(n) + inner(n)
}
//go:noinline
func outer(n int) (t int) {
  var a A; var b B
  for i := 0; i < n; i++ { t += leaf(3000) + a.method(3000) + b.method(3000) }
  return
}
func main() { println(outer(40000)) }
END
	cxx) both cxx app.cc '//' 'g++ -O1 -g -o app app.cc' ./app <<'END' ;;
#include <cstdio>
#define KEEP __attribute__((noinline))
volatile int zero;
struct A { KEEP int method(int n) { int t = 0; for (int i = 0; i < n; i++) t += i * i % 5 + zero; return t; } };
struct B { KEEP int method(int n) { int t = 0; for (int i = 0; i < n; i++) t += i % 7 + zero; return t; } };
static inline __attribute__((always_inline)) int inner(int n) { int t = 0; for (int i = 0; i < n; i++) t += i % 11 + zero; return t; }
template <class T> KEEP T apply(T n) { T t = 0; for (T i = 0; i < n; i++) t += i % 13 + zero; return t; }
KEEP int leaf(int n) {
  auto f = [](int x) KEEP { int t = 0; for (int i = 0; i < x; i++) t += i % 3 + zero; return t; };
  return f(n) + inner(n) + apply<int>(n) + (int)apply<long>(n);
}
KEEP int outer(int n) {
  A a; B b; int t = 0;
  for (int i = 0; i < n; i++) t += leaf(2000) + a.method(2000) + b.method(2000);
  return t;
}
int main() { printf("%d\n", outer(20000)); }
END
	rust) both rust app.rs '//' 'rustc -g -O -o app app.rs' ./app <<'END' ;;
use std::hint::black_box;
struct A;
struct B;
impl A { #[inline(never)] fn method(&self, n: u64) -> u64 { let mut t = 0; for i in 0..n { t += black_box(i) % 5; } t } }
impl B { #[inline(never)] fn method(&self, n: u64) -> u64 { let mut t = 0; for i in 0..n { t += black_box(i) % 7; } t } }
#[inline(always)]
fn inner(n: u64) -> u64 { let mut t = 0; for i in 0..n { t += black_box(i) % 11; } t }
#[inline(never)]
fn apply<T: Into<u64> + Copy>(n: T) -> u64 { let mut t = 0; for i in 0..n.into() { t += black_box(i) % 13; } t }
#[inline(never)]
fn leaf(n: u64) -> u64 {
  let f = |x: u64| { let mut t = 0; for i in 0..x { t += black_box(i) % 3; } t };
  f(n) + inner(n) + apply(n) + apply(n as u32)
}
#[inline(never)]
fn outer(n: u64) -> u64 {
  let mut t = 0;
  for _ in 0..n { t += leaf(2000) + A.method(2000) + B.method(2000); }
  t
}
fn main() { println!("{}", outer(20000)); }
END
	esac
done
