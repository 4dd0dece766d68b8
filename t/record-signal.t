#!/bin/sh
# fg-record: stacks of signal handlers, also on an alternate signal stack (sigaltstack(2)).
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
may_sample || skip_all 'this machine refuses perf_event_open'
[ "$(uname -m)" = x86_64 ] || skip_all 'only on x86-64'

cat >handler.c <<'END_OF_PROGRAM'
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static void
handler(int signal)
{
	(void)signal;
	close(creat("blocked", 0600));
	alarm(600);
	for (;;)
		pause();
}
__attribute__((noinline)) static void *
outer(void *stack)
{
	stack_t alternate = {.ss_sp = stack, .ss_size = 65536};
	struct sigaction a = {.sa_handler = handler, .sa_flags = stack != NULL ? SA_ONSTACK : 0};

	if (stack != NULL)
		sigaltstack(&alternate, NULL);
	sigaction(SIGUSR1, &a, NULL);
	raise(SIGUSR1);
	return stack;
}
int
main(int argc, char **argv)
{
	char below[65536];
	pthread_t thread;

	if (argc == 1)
		return outer(NULL) != NULL;
	if (argv[1][0] == 'h')
		return outer(malloc(65536)) != NULL; /* below the stack of main */
	pthread_create(&thread, NULL, outer, below); /* above the stack of the thread */
	pthread_join(thread, NULL);
	return below[0] != 0;
}
END_OF_PROGRAM
$CC -O1 -g -pthread -o handler handler.c
blocked() {
	test -e blocked && grep -q '^State:.S' "/proc/$1/status"
}
for stack in '' heap thread; do
	rm -f blocked
	# shellcheck disable=SC2086
	./handler $stack &
	wait_for blocked $!
	fg-record -q --off-cpu -d 0.2 -p $! -o "got$stack.folded"
	kill -9 $!
	wait $! 2>/dev/null
done
has '[signal] is between a handler and the interrupted function' \
	';main;.*outer;.*;\[signal\];handler;' got.folded
has 'callers of a handler on an alternate stack below' ';main;.*outer;.*;\[signal\];handler;' gotheap.folded
has 'callers of a handler on an alternate stack above' ';outer;.*;\[signal\];handler;' gotthread.folded
done_testing
