#!/bin/sh
# fg-tools(7), Memory: a command for each language finds its leak. leak() keeps 64 blocks of
# 1,000,000 bytes, churn() frees 128.
# tier: full
. "$(dirname "$0")/tools-lib.sh"

cat >leak.c <<'END1'
#include <stdlib.h>
static void *volatile kept[64];
#define FUNCTION __attribute__((noinline, noclone)) static void
FUNCTION leak(int i) { kept[i] = malloc(1000000); }
FUNCTION churn(void) { void *volatile p = malloc(1000000); free(p); }
int main(void) { for (int i = 0; i < 64; i++) { leak(i); churn(); churn(); } return 0; }
END1
cat >leak.cc <<'END1'
#include <cstdlib>
#include <string>
#include <vector>
static std::vector<std::string> kept;
#define FUNCTION __attribute__((noinline, noclone)) static void
FUNCTION leak() { kept.push_back(std::string(1000000, 'x')); }
FUNCTION churn() { std::vector<char> *volatile p = new std::vector<char>(1000000); delete p; }
int main() { for (int i = 0; i < 64; i++) { leak(); churn(); churn(); } _Exit(0); }
END1
cat >leak.rs <<'END1'
#[inline(never)]
fn leak(kept: &mut Vec<Vec<u8>>) { kept.push(Vec::with_capacity(1000000)); }
#[inline(never)]
fn churn() { std::hint::black_box(vec![1u8; 1000000]); }
fn main() {
	let mut kept = Vec::new();
	for _ in 0..64 { leak(&mut kept); churn(); churn(); }
	std::mem::forget(kept);
}
END1
cat >leak.go <<'END1'
package main

import "runtime"

var kept [][]byte
var dropped []byte

//go:noinline
func leak() { kept = append(kept, make([]byte, 1000000)) }

//go:noinline
func churn() { dropped = make([]byte, 1000000) }
func main() {
	for i := 0; i < 64; i++ {
		leak()
		churn()
		churn()
	}
	runtime.GC()
	runtime.GC()
	runtime.MemProfile(nil, true)
}
END1
cat >kept/leak.py <<'END1'
import os
kept = []
def leak():
    kept.append(bytearray(1000000))
def churn():
    bytearray(1000000)
for i in range(64):
    leak()
    churn()
    churn()
os._exit(0)
END1
cat >kept/leak.rb <<'END1'
$kept = []
def leak() = $kept << "x" * 1000000
def churn() = ("x" * 1000000).clear
64.times { leak; churn; churn }
exit!(0)
END1
cat >kept/leak.php <<'END1'
<?php
$kept = [];
function leak(&$kept) { $kept[] = str_repeat('x', 1000000); }
function churn() { $dropped = str_repeat('x', 1000000); }
for ($i = 0; $i < 64; $i++) { leak($kept); churn(); churn(); }
posix_kill(posix_getpid(), 9);
END1
cat >kept/leak.pl <<'END1'
my @kept;
sub leak { push @kept, "x" x (1000000 + shift) }
sub churn { my $dropped = "x" x (1000000 + shift); undef $dropped }
for my $i (1 .. 64) { leak($i); churn($i); churn($i) }
require POSIX;
POSIX::_exit(0);
END1
cat >kept/leak.lua <<'END1'
local kept = {}
local function leak() kept[#kept + 1] = string.rep("x", 1000000) end
local function churn() local dropped = string.rep("y", 1000000) end
for i = 1, 64 do leak() churn() churn() end
collectgarbage()
os.exit(0, false)
END1
cat >kept/leak.js <<'END1'
globalThis.kept = [];
function leak() { kept.push(new Array(100000).fill(1.5)); }
function churn() { return new Array(100000).fill(1.5).length; }
for (let i = 0; i < 64; i++) { leak(); churn(); churn(); }
END1
cat >kept/Leak.java <<'END1'
import java.util.*;
public class Leak {
	static final List<byte[]> kept = new ArrayList<>();
	static void leak() { kept.add(new byte[1000000]); }
	static int churn() { return new byte[1000000].length; }
	public static void main(String[] a) throws Exception {
		for (int i = 0; i < 64; i++) { leak(); churn(); churn(); }
		for (;;) churn();
	}
}
END1

# leaks TITLE COLUMN: of the profile that the last command wrote, the bytes below leak() are more
# than ten times those below churn(). That estimates are that far off has a chance below 1e-30.
leaks() {
	fg-filter --no-annotate --no-header --column "$2" folded >columns 2>/dev/null || cp folded columns
	cp columns "$tmp/.said"
	awk '{ n = $NF } /[;.:#]leak( \(|_\[|;| [0-9])/ { leak += n } /[;.:#]churn( \(|_\[|;| [0-9])/ { churn += n }
		END { exit !(leak > 30000000 && leak > 10 * churn) }' columns &&
		ok "$1: the memory in use is that of the function that leaks" ||
		not_ok "$1: the memory in use is that of the function that leaks"
}

# heap NAME TOOL TITLE: the row of a language.
heap() {
	if ! have "$2"; then
		skip "$1" "no $2" "$2"
		return
	fi
	if ! breakpoints_fire; then # the library copies stacks without functions of scripts
		skip "$1" 'no hardware breakpoints here'
		return
	fi
	shown "$1"
	leaks "$3" live
}

if ! fg-record -q --heap -o probe true >/dev/null 2>&1; then
	skip_all 'this machine refuses perf events'
fi
$CC -g -O1 -o kept/leak leak.c && { shown heap-native; leaks C live; } || skip heap-native 'no C compiler' gcc
${CXX:-c++} -g -O1 -o kept/leak leak.cc && { shown heap-native; leaks C++ live; } || skip heap-native 'no C++ compiler' g++
if have rustc && rustc -g -O -o kept/leak leak.rs 2>rust.said; then
	shown heap-native
	leaks Rust live
else
	skip heap-native 'no rustc' rustc
fi
export HOME="$tmp" GOFLAGS=-mod=mod GO111MODULE=off
if have go && go build -o kept/leak leak.go >go.said 2>&1; then
	shown heap-go
	leaks Go live
else
	skip heap-go 'no go' golang-go
fi
heap heap-python python3 Python
heap heap-ruby ruby Ruby
if have php && php -r 'exit(function_exists("posix_kill") ? 0 : 1);'; then
	heap heap-php php PHP
else
	skip heap-php 'no php with posix_kill' php-cli
fi
heap heap-perl perl Perl
heap heap-lua lua5.4 Lua
if [ -z "$json" ] || ! have node; then
	skip heap-node 'no node, or built without yajl' 'nodejs libyajl-dev'
else
	shown heap-node
	leaks Node none
fi
if have java javac jmap pgrep && javac -d kept kept/Leak.java; then
	shown heap-java java -cp kept Leak
	output 'Java: the class keeps the blocks of the function that leaks' 64000000 \
	    sh -c "awk '/(^|;)class Leak;.*byte\[\] /{ n += \$NF } END { print n - n % 1000000 }' folded"
else
	skip heap-java 'no JDK' default-jdk-headless
fi
done_testing
