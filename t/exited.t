#!/bin/sh
# Samples of exiting threads: the kernel still works for a thread after its exit record.
# tier: quick
. "$(dirname "$0")/lib.sh"

exited=$UNIT/exited
[ -x "$exited" ] || skip_all "no $exited: run make test"
"$exited" 10 >got
output "a sample after the exit of its thread has the thread's comm" "last thread: server" \
	grep "^last thread" got
output "a sample after the exit of its process has its comm" "last process: server" grep "^last process" got
output "mappings of a process are freed at its exit" "mappings: none" grep "^mappings:" got
output "mappings of another process are kept" "mappings of the parent: some" grep "of the parent" got
output "a thread without a number has one name" "without a number: :-1" grep "^without" got
"$exited" 1000 >got
output "the first of 2,000 exits is forgotten" "first process: :100002001" \
	grep "^first process" got
output "the last of 2,000 exits is stored" "last process: server" grep "^last process" got
done_testing
