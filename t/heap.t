#!/bin/sh
# fg-record --heap: the columns by stack, from allocations and ends of blocks that are given here.
# tier: quick
. "$(dirname "$0")/lib.sh"

[ -x "$UNIT/heap" ] || skip_all 'no t/unit/heap; make units builds it'

# With sizes far above the mean each block is sampled, and stands for itself.
columns() {
	tr ';' '\n' | sed 's/^ *//' | "$UNIT/heap" | sort
}

of() {
	printf '%s' "$1" | columns
}

output 'a freed block is allocated and not live' 'stack 1 allocated 1000
stack 1 allocations 1
stack 1 peak 1000
untracked 0' of 'a 7 16 1000 1 1 100; f 7 16 200'

output 'a block without an end is live' 'stack 1 allocated 1000
stack 1 allocations 1
stack 1 live 1000
stack 1 peak 1000
untracked 0' of 'a 7 16 1000 1 1 100'

output 'the peak has the stacks of the moment when most was live' 'stack 1 allocated 3000
stack 1 allocations 2
stack 1 live 1000
stack 1 peak 2000
stack 2 allocated 5500
stack 2 allocations 2
stack 2 live 500
stack 2 peak 5000
untracked 0' of 'a 7 16 2000 1 1 1; a 7 32 5000 1 2 2; f 7 16 3; a 7 48 1000 1 1 4; f 7 32 5; a 7 64 500 1 2 6'

output 'a block of the same address in another process is another block' 'stack 1 allocated 1000
stack 1 allocations 1
stack 1 live 1000
stack 1 peak 1000
stack 2 allocated 300
stack 2 allocations 1
stack 2 peak 300
untracked 0' of 'a 7 16 1000 1 1 1; a 8 16 300 1 2 2; f 8 16 3'

output 'the end of an unknown block changes nothing' 'stack 1 allocated 1000
stack 1 allocations 1
stack 1 live 1000
stack 1 peak 1000
untracked 0' of 'f 7 16 1; f 9 99 1; a 7 16 1000 1 1 2; f 7 32 3'

output 'an end that is reported late does not end the next block at its address' 'stack 1 allocated 1000
stack 1 allocations 1
stack 1 peak 1000
stack 2 allocated 300
stack 2 allocations 1
stack 2 live 300
untracked 0' of 'a 7 16 1000 1 1 10; a 7 16 300 1 2 30; f 7 16 20'

output 'blocks of a process that ends are live, and not in a later peak' 'stack 1 allocated 1000
stack 1 allocations 1
stack 1 live 1000
stack 2 allocated 1500
stack 2 allocations 1
stack 2 live 1500
stack 2 peak 1500
untracked 0' of 'a 7 16 1000 1 1 1; x 7; a 8 16 1500 1 2 2'

output 'execve ends all blocks of its process' 'stack 1 allocated 1000
stack 1 allocations 1
stack 1 peak 1000
untracked 0' of 'a 7 16 1000 1 1 1; e 7'

output 'a block whose realloc failed is live, with the stack of its allocation' 'stack 1 allocated 1000
stack 1 allocations 1
stack 1 live 1000
stack 1 peak 1000
untracked 0' of 'a 7 16 1000 1 1 1; f 7 16 2; r 7 16; r 7 16; r 7 32'

output 'bytes of untracked blocks are counted' 'stack 1 allocated 1000
stack 1 allocations 1
stack 1 live 1000
stack 1 peak 1000
untracked 1000' of 'u 7 16 1000 1 1 1; f 7 16 2'

# 1 - exp(-16 / 1600) of such blocks are sampled.
output 'a small block stands for the blocks of its size that were not sampled' 'stack 1 allocated 1608
stack 1 allocations 101
stack 1 live 1608
stack 1 peak 1608
untracked 0' of 'a 7 16 16 1600 1 1'

output 'an interval has its own allocations, and the live blocks of all' '--
stack 1 allocated 1000
stack 1 allocations 1
stack 1 live 1000
stack 1 peak 1000
stack 1 peak 1000
stack 2 allocated 10
stack 2 allocations 1
stack 2 live 10
stack 2 peak 10
untracked 0' of 'a 7 16 1000 1 1 1; w; a 7 32 10 1 2 2; f 7 16 3'

awk 'BEGIN { for (i = 1; i <= 3000; i++) printf "a 7 %d 100 1 %d %d\n", 16 * i, i % 3, i
	for (i = 1; i <= 3000; i += 2) printf "f 7 %d %d\n", 16 * i, 5000 }' | columns >many
output 'the table of blocks grows and forgets' 'stack 0 live 50000
stack 1 live 50000
stack 2 live 50000' grep live many
done_testing
