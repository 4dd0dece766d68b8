#!/bin/sh
# tier: full
# Programs started by build tools: share/recipes/cargo-fg, go test, ctest, npm test (fg-tools(7)).
. "$(dirname "$0")/lib.sh"

cat >spin.c <<'END'
#include <time.h>
__attribute__((noinline)) void spin_in_test(void) { while (clock() < CLOCKS_PER_SEC / 5) continue; }
int main(void) { spin_in_test(); return 0; }
END

if command -v go >/dev/null; then
	mkdir go
	printf 'module parser\n\ngo 1.19\n' >go/go.mod
	cat >go/parser_test.go <<'END'
package parser
import "testing"
//go:noinline
func parse(n int) int { x := n; for i := 0; i < 1000; i++ { x = x*31 + i }; return x }
func TestParse(t *testing.T) { for i := 0; i < 200000; i++ { parse(i) } }
END
	(cd go && GOCACHE="$tmp/gocache" GOFLAGS=-mod=mod go test -count=1 \
		-exec "fg-record -o $tmp/go.folded --" .) >go.out 2>&1 || cat go.out
	check "go test -exec: the test's functions are in the profile" grep -q ';parser.TestParse' go.folded
	check "go test -exec: no frame of the go command or its compiler" \
		sh -c '! grep -v "^#" go.folded | grep -qE "^(go|compile|link);"'
else
	skip "go test -exec" "no go" golang-go
fi

if command -v ctest >/dev/null && command -v cmake >/dev/null; then
	mkdir ctest
	cp spin.c ctest/parser_test.c
	cat >ctest/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(parser C)
enable_testing()
add_executable(parser_test parser_test.c)
add_test(NAME parser COMMAND parser_test)
END
	(cd ctest && cmake -S . -B b && cmake --build b && cd b && fg-record -o "$tmp/all.folded" -- ctest) >c.out 2>&1 || cat c.out
	fg-filter --root-at '^parser_test$' all.folded >ctest.folded
	check "ctest: --root-at keeps the test program" grep -q '^parser_test;.*;spin_in_test' ctest.folded
else
	skip "ctest" "no cmake" cmake
fi

if command -v npm >/dev/null; then
	mkdir npm
	cc -O1 -o npm/spin spin.c
	echo '{"name":"parser","version":"1.0.0","scripts":{"test":"./spin"}}' >npm/package.json
	(cd npm && fg-record -o "$tmp/npm.folded" -- npm test --offline) >npm.out 2>&1 || cat npm.out
	check "npm test: the program that the script runs is in the profile" grep -q '^spin;.*;spin_in_test' npm.folded
else
	skip "npm test" "no npm" npm
fi

if ! command -v cargo >/dev/null || ! rustc -vV >/dev/null 2>&1; then
	skip "cargo fg" "no cargo or rustc" cargo
	done_testing
	exit
fi
PATH=$here/../share/recipes:$PATH
export CARGO_TARGET_DIR="$tmp/target" CARGO_TERM_QUIET=true

mkdir -p app/src app/benches app/tests app/examples
cat >app/Cargo.toml <<'END'
[package]
name = "app"
version = "0.1.0"
edition = "2021"
[[bench]]
name = "spin"
harness = false
END
cat >app/src/lib.rs <<'END'
extern "C" {
    fn clock() -> i64; // CPU time in us
}
#[inline(never)]
pub fn spin(ms: i64) -> u64 {
    let end = unsafe { clock() } + 1000 * ms;
    let mut x = 1u64;
    while unsafe { clock() } < end {
        for i in 0..1000 { x = x.wrapping_mul(31).wrapping_add(i); }
    }
    x
}
#[test]
fn unit_test() { assert!(spin(200) != 7); }
END
cat >app/src/main.rs <<'END'
fn main() {
    println!("{:?}", std::env::args().skip(1).collect::<Vec<_>>());
    app::spin(200);
}
END
echo 'fn main() { app::spin(200); }' >app/examples/example.rs
cp app/src/main.rs app/benches/spin.rs
echo '#[test] fn integration() { assert!(app::spin(200) != 7); }' >app/tests/integration.rs
cd app || exit 1

cargo fg --offline -o p.svg --folded p.folded -- 'one two' three >out 2>err || { cat err; }
output "cargo fg: arguments after -- reach the program" '["one two", "three"]' cat out
check "cargo fg: the picture is complete" xmllint --noout --huge p.svg
check "cargo fg: the note has the written files" grep -q '^cargo-fg: wrote p.svg and p.folded$' err

# Profile of the cargo target $2...: its stacks contain app::spin, and no frame of cargo or rustc.
profiled() {
	rm -f q.folded
	if cargo fg --offline -o q.svg --folded q.folded "$@" >out 2>err &&
		grep -q ';app::spin' q.folded && ! grep -v '^#' q.folded | grep -qE '^(cargo|rustc)[;-]'; then
		return 0
	fi
	tail -5 err
	return 1
}
check "cargo fg --bin: only the program" profiled --bin app
check "cargo fg --example" profiled --example example
check "cargo fg --bench NAME" profiled --bench spin
bench_of_bench() { profiled --bench spin -- --bench && test "$(cat out)" = '["--bench"]'; }
check "cargo fg --bench NAME -- --bench: the benchmark gets --bench once" bench_of_bench
check "cargo fg --bench without a name: all benchmarks" profiled --bench
check "cargo fg --test NAME" profiled --test=integration
check "cargo fg --test without a name: the sum of all tests" profiled --test
check "cargo fg --test without a name has unit tests" grep -q ';app::unit_test' q.folded
check "cargo fg --test without a name has integration tests" grep -q ';integration::integration' q.folded
check "cargo fg --unit-test" profiled --unit-test
mkdir -p ../bare/src
sed 's/app/bare/; /bench/,$d' Cargo.toml >../bare/Cargo.toml
{ sed 's/^pub fn/fn/' src/lib.rs; echo 'fn main() { spin(1); }'; } >../bare/src/main.rs
unit_of_program() {
	(cd ../bare && cargo fg --offline -o q.svg --folded q.folded --unit-test && grep -q 'bare::spin' q.folded)
}
check "cargo fg --unit-test of a package without a library" unit_of_program
check "cargo fg --dev" profiled --dev
check "cargo fg --flamechart: time order" profiled --flamechart --bin app
status "cargo fg: an unknown option is refused" 2 cargo-fg fg --no-such-option
check "cargo fg --unit-test LIBRARY" profiled --unit-test app
check "cargo fg --unit-test --dev -- TEST" profiled --unit-test --dev -- unit_test
check "cargo fg -c takes the words of perf's command line" profiled -c "record -F 499 -g" --bin app
check "cargo fg --post-process, --skip-after, -i, -b" profiled -b app -i --skip-after main --post-process cat
refused_event() {
	cargo fg --offline -c '-e no-such-event' --bin app >out 2>err
	[ $? = 125 ] && grep -q '^fg-record: no-such-event: ' err && ! grep '^fg-render' err
}
check "cargo fg: a recording that fg-record refuses has its message and its status only" refused_event
printf '[profile.release]\nstrip = true\n' >>Cargo.toml
check "cargo fg: strip = true in Cargo.toml does not remove the names" profiled --bin app
echo 'fn main() { std::process::exit(3) }' >examples/example.rs
status "cargo fg: a program that fails before its first sample keeps cargo's status" 3 \
	cargo fg --offline --example example -o r.svg
printf 'fn main() { app::spin(200); std::process::exit(3) }' >examples/example.rs
status "cargo fg: a program that fails keeps its status" 3 cargo fg --offline --example example -o r.svg
check "cargo fg: a program that fails has a picture" test -s r.svg
done_testing
