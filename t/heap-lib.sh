# Sourced by the tests of fg-record --heap after lib.sh: the known blocks of programs/heap.c.

# The values of the stacks whose last function is $1, in KiB: allocated, blocks, live, peak.
of() {
	fg-filter --no-annotate "$2" | awk -v f="$1" '/^#/ { next }
		{ s = $0; for (i = 0; i < 4; i++) sub(/ [0-9]+$/, "", s); if (s !~ ";" f "$") next
		a += $(NF - 3); b += $(NF - 2); l += $(NF - 1); p += $NF }
		END { printf "%g %d %g %g\n", a / 1024, b, l / 1024, p / 1024 }'
}

# The values of ./heap in file $1; the names begin with $2.
exact() {
	while read -r function want meaning; do
		want=$(echo "$want" | tr , ' ')
		output "$2$meaning" "$want" of "$function" "$1"
	done <<'END'
leaks 300,3,300,300 malloc: kept blocks are live
frees 10000,5,0,2000 malloc and free: freed blocks are not live, and one of them is at the peak
zeroes 100,1,100,0 calloc is counted once
grows 600,3,300,0 realloc: each size is an allocation, and the last block is live
fails 70,1,70,0 a block whose realloc failed is live
aligns 400,4,400,0 aligned blocks are counted once each
thread 400,4,400,0 blocks of threads count
child 100,1,100,0 a child's own block counts, and its copy of a block of its parent does not
before_exec 100,1,0,0 execve frees the blocks of a program
END
}
