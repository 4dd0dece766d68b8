#!/bin/sh
# unwind: a stack of the program's own, through its functions and those of libc.
. "$(dirname "$0")/lib.sh"

unwind=$UNIT/unwind
[ -x "$unwind" ] || skip_all "no $unwind: run make test"
"$unwind" >got
[ $? != 77 ] || skip_all "only on x86-64"
output "the leaf" look sed -n 1p got
output "each call of a recursion" 21 grep -c '^descend$' got
output "through libc to a callback" compare sed -n 23p got
check "main" grep -qx main got
output "as far as the first function" whole tail -1 got
check "it can be repeated" "$unwind" 1000
done_testing
