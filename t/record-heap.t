#!/bin/sh
# fg-record --heap: known allocations of real programs. Their blocks are much larger than the mean
# distance of samples, so each block is sampled and stands for itself: all values are exact.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
. "$here/heap-lib.sh"

$CC -O2 -g -o heap "$here/programs/heap.c" -pthread || skip_all 'no C compiler'
# Records by --heap to file $1 until no record is lost; ./said has the messages of the last time.
recorded() {
	wait_for keeps_all "$@"
}
keeps_all() {
	to=$1
	shift
	fg-record -q --heap=1000 -o "$to" "$@" >printed 2>said
	got=$?
	! grep -q '^# label: ' "$to" || grep -q '^# label: .*lost=0 ' "$to"
}
breakpoints_fire || skip_all 'no hardware breakpoints here'
recorded heap.folded ./heap

check 'the exit status is that of the command' test "$got" = 5
printf 'right\n' >expected
same 'the library changes nothing that the program prints' expected printed

exact heap.folded ''

$CC -O2 -g -o maps "$here/programs/heapmaps.c" -pthread
recorded maps.folded --mappings ./maps
printf 'right\n' >expected
same '--mappings changes nothing that the program prints' expected printed
while read -r function want meaning; do
	output "--mappings: $meaning" "$(echo "$want" | tr , ' ')" of "$function" maps.folded
done <<'END'
keeps 6144,2,6144,6144 mappings of two threads are live
small 0,0,0,0 a mapping of 1 MiB is not counted
drops 5120,1,0,0 an unmapped one is not live
halves 4096,1,4096,4096 one with a part left is live, as a whole
parts 6144,1,0,0 one is unmapped with its last part, in any order
grows 9216,2,7168,7168 mremap is a new mapping
fails 8192,1,8192,8192 a mapping whose mremap failed is live, and a failed one is none
replaces 9216,1,0,0 one that MAP_FIXED replaces is not live
reserves 0,0,0,0 memory without access is not counted
file 0,0,0,0 a file is not counted
allocates 11264,1,11264,11264 a block of malloc is counted once
END
recorded unmapped.folded ./maps
output 'no mapping is counted without --mappings' '0 0 0 0' of keeps unmapped.folded

cat >new.cc <<'END'
#include <cstdlib>
#include <new>
#include <vector>
struct big { char bytes[100 << 10]; };
struct alignas(64) aligned { char bytes[100 << 10]; };
void *volatile kept[8];
__attribute__((noinline, noclone)) void objects() { kept[0] = new big; kept[1] = new aligned; kept[2] = new char[100 << 10];
	kept[3] = new (std::nothrow) big; delete static_cast<big *>(kept[3]); __asm__ volatile(""); }
__attribute__((noinline, noclone)) void container() { auto *v = new std::vector<big>; v->resize(2); kept[4] = v; __asm__ volatile(""); }
__attribute__((noinline, noclone)) void fails() { volatile size_t n = size_t(-1) / 4;
	try { kept[5] = operator new(n); } catch (const std::bad_alloc &) { kept[5] = malloc(100 << 10); } __asm__ volatile(""); }
int main() { objects(); container(); fails(); return kept[5] == nullptr; }
END
if ${CXX:-c++} -std=c++17 -O2 -g -o new new.cc; then
	recorded new.folded ./new
	output 'std::bad_alloc passes through the library' 0 echo $got
	output 'operators of C++ are counted once each' '400 4 300 300' of objects new.folded
	output 'the function that uses a container asked for its memory' '200 1 200 200' \
	    sh -c 'fg-filter --no-annotate --root-at "^container$" new.folded | awk "!/^#/ && \$(NF - 3) > 1024 {
		a += \$(NF - 3); b += \$(NF - 2); l += \$(NF - 1); p += \$NF } END { print a / 1024, b, l / 1024, p / 1024 }"'
	recorded all.folded --allocator-frames ./new
	has '--allocator-frames keeps operator new' 'objects;operator new' all.folded
	lacks 'the frames of an allocator are left out' '(operator new|malloc)(_\[.\])* [0-9]' new.folded
else
	skip 'operators of C++' 'no C++ compiler (g++)'
fi

$CC -O2 -static -o static "$here/programs/heap.c" -pthread 2>/dev/null && {
	fg-record --heap=1000 -o static.folded ./static >/dev/null 2>said
	has 'a static program is reported, with the way to see its memory' \
	    'of [0-9]+ programs? did not load libfgheap.so.*-e page-faults -c 1' said
}

cat >leak.py <<'END'
import os
keep = []
def leak():
    for i in range(3):
        keep.append(bytearray(100000))
def churn():
    for i in range(5):
        bytearray(1000000)
leak()
churn()
os._exit(0)
END
python=$(command -v /usr/bin/python3)
if [ -n "$python" ] && [ "$(id -u)" = 0 ]; then
	recorded py.folded "$python" leak.py
	lives() {
		fg-filter --column live py.folded | awk '!/^#/ && /;leak \(/ && $NF > 90000 { n += $NF } END { print n }'
	}
	output 'the blocks that a Python function keeps are live below it' 300003 lives
	output 'the blocks that a Python function drops are not live' '' sh -c \
	    'fg-filter --column live py.folded | grep ";churn (.* [0-9]\{6\}"'
else
	skip 'functions of Python' 'not root, or no python3'
fi

LD_PRELOAD=/nowhere/else.so fg-record -q --heap=1000 -o other.folded sh -c 'echo "$LD_PRELOAD"' 2>/dev/null >printed
has 'an LD_PRELOAD of the user is kept' 'libfgheap.so:/nowhere/else.so' printed
tail -f /dev/null &
fg-record --heap -d 0.1 -p $! -o attached.folded 2>said
kill $!
has '-p of a process without the library records page faults, with a note' \
    'malloc cannot be sampled; recording the stacks that touch new memory' said
LD_PRELOAD=$BIN/lib/fg/libfgheap.so FG_HEAP_MEAN=1000 ./heap serve &
wait_for grep -q '^50000000' /proc/$!/maps # the page with the functions that are sampled
serves() { fg-record -q --heap -d 1 -p "$1" -o attached.folded; grep -q ';main;serves ' attached.folded; }
wait_for serves $!
kill $!
has '-p of a process with the library records its heap' '^# period: 1000 bytes' attached.folded
has '-p of a process with the library has its blocks' ';main;serves [0-9]+ [0-9]+ (0|102400) ' attached.folded
if command -v javac >/dev/null && java -version 2>&1 | grep -q 'HotSpot\|OpenJDK'; then
	cat >Blocks.java <<'END'
public class Blocks {
	static Object kept;
	static void bytes() { kept = new byte[4000000]; }
	static void links() { kept = new Object[1000]; }
	public static void main(String[] a) throws Exception {
		for (;; Thread.sleep(10)) { bytes(); links(); }
	}
}
END
	javac Blocks.java
	# Without buffers each object is sampled, so that the bytes of a block are exact.
	java -Xint -XX:-UseTLAB -XX:+UseG1GC -XX:+UseCompressedOops -Xmx200m Blocks &
	wait_for grep -q libjvm /proc/$!/maps
	allocates() { fg-record -v --heap -d 3 -p "$1" -o java.folded 2>said; grep -q ';Blocks.main_\[j\];Blocks.links_\[j\] ' java.folded; }
	wait_for allocates $!
	kill $!
	has 'a running Java virtual machine: its columns are those of allocations' '^# columns: allocated allocations 0' java.folded
	output 'a running Java virtual machine: bytes and blocks of a method are exact without buffers' '4000016' \
	    awk '/;Blocks.main_\[j\];Blocks.bytes_\[j\] / { print $(NF - 1) / $NF }' java.folded
	output 'a running Java virtual machine: two methods have values of their own' '4016' \
	    awk '/;Blocks.main_\[j\];Blocks.links_\[j\] / { print $(NF - 1) / $NF }' java.folded
	has 'a running Java virtual machine: the summary has no live bytes' ' allocated in [0-9,]+ blocks?: estimates' said
	fg-record --heap -o java.folded java -Xint -version >/dev/null 2>said
	has 'a Java command: the summary names the way to record its objects' 'objects of the Java virtual machine .*--heap -p PID' said
else
	skip '--heap of a Java virtual machine' 'no JDK' default-jdk-headless
fi
if command -v go >/dev/null && [ "$(uname -m)" = x86_64 ]; then
	cp "$here/programs/heap.go" .
	export HOME="$tmp" GO111MODULE=off
	go build -o goheap heap.go && go build -ldflags -s -o stripped heap.go
	recorded go.folded ./goheap
	output 'a Go command: the exit status is its own' 7 echo $got
	has 'a Go command: its output is as without' '^right$' printed
	has 'a Go command: its columns have no peak' '^# columns: allocated allocations live 0' go.folded
	# Three blocks of 64 KiB kept, 100 of 128 KiB dropped, two of 256 KiB that an inlined function keeps
	has 'a Go command: kept blocks are live' ';main.main;main.leaks 196608 3 196608$' go.folded
	has 'a Go command: dropped blocks are not live' ';main.main;main.frees 13107200 100 0$' go.folded
	has 'a Go command: an inlined function is a frame, once' ';main.main;main.calls;main.inlined_\[i\] 524288 2 524288$' go.folded
	has 'a Go command: the leaf side of a deep stack is kept' '(;main.down){32,} 65536 1 0$' go.folded
	recorded go.folded ./stripped
	has 'a stripped Go command: values are the same' ';main.main;main.frees 13107200 100 0$' go.folded
	has 'a stripped Go command: inlined calls are their caller' ';main.main;main.calls 524288 2 524288$' go.folded
	./goheap 1m >waits &
	wait_for grep -q right waits
	fg-record --heap -d 0.1 -p $! -o go.folded 2>said
	has 'a running Go program: older blocks are live, and not allocated' ';main.main;main.leaks 0 0 196608$' go.folded
	fg-record --heap -d 0.4 --interval 0.1 -p $! -o 'go.%T.folded' 2>said
	output 'a running Go program: each interval has the live blocks' '0 0 196608' sh -c "grep -h ';main.main;main.leaks ' go.2*.folded | sed 's/.*leaks //' | sort -u"
	kill $!
	outlives() { fg-record -q --heap -d 0.5 -o go.folded ./goheap 2s >printed; grep -q main.leaks go.folded; }
	wait_for outlives
	has 'a Go command that outlives the recording has live blocks' ';main.main;main.leaks 196608 3 196608$' go.folded
	sed 's/.*runtime.MemProfile(.*//' heap.go >plain.go
	go build plain.go
	fg-record --heap -o go.folded ./plain >/dev/null 2>said
	has 'a Go command without runtime.MemProfile: the note names the import' 'import runtime/pprof' said
	has 'a Go command without runtime.MemProfile: large blocks are seen by breakpoints' ';main.main;main.frees [1-9][0-9]* [1-9][0-9]*$' go.folded
	has 'a Go command without runtime.MemProfile: only allocations are known' '^# columns: allocated allocations 0' go.folded
	go build -buildmode=pie -o pie plain.go && {
		fg-record --heap -o go.folded ./pie >printed 2>said
		output 'a Go command without libc runs with the library' 7 echo $?
		has 'a Go command without libc: page faults are recorded, with a note' 'recording the stacks that touch new memory' said
	}
	fg-record --heap -o go.folded sh -c ./goheap >/dev/null 2>said
	has 'a Go program that a shell starts: the summary names the way to record it' 'objects of Go .*as the command' said
else
	skip '--heap of Go' 'no go, or another processor' golang-go
fi
if command -v node >/dev/null; then
	fg-record --heap -o node.folded node -e 0 >/dev/null 2>said
	has 'a JavaScript command: the summary names the way to record its objects' 'JavaScript .*--heap-prof' said
else
	skip '--heap of JavaScript' 'no node' nodejs
fi
if command -v php >/dev/null; then
	echo '<?php function kept() { return str_repeat("x", 5000000); } $s = kept(); echo strlen($s), "\n";' >kept.php
	recorded php.folded php -n kept.php
	has 'PHP: --heap leaves the output of the program as it is' '^5000000$' printed
	has 'PHP: a large string is one block' ' 5000032 1 0 5000032$' php.folded
	! rates || has 'PHP: a large string is allocated by its function' ';kept \([^;]*kept.php:1\)_\[p\];str_repeat_\[p\] 5000032 ' php.folded
else
	skip '--heap of PHP' 'no php' php-cli
fi
status '--heap cannot be used with --off-cpu' 125 fg-record --heap --off-cpu true
status '--heap=0 is refused' 125 fg-record --heap=0 true
fg-record -q --heap=1000 --interval 1000 -o 'i.%T.folded' ./heap >printed
check 'an interval has a file with the four columns' sh -c 'grep -q "^# columns: allocated allocations live peak" i.*.folded'
check 'the header has the kinds of values: bytes are sampled, numbers estimated' \
	sh -c 'grep -hqx "# values: sampled estimated sampled sampled 0 0 0 0" i.*.folded'
fg-render heap.folded | grep -q 'live is shown\|"live"' && ok 'the picture shows the live column first' ||
	not_ok 'the picture shows the live column first'
done_testing
