/*
 * cputimer: opens a timer on the CPU clock of this process, waits until it has expired and leaves
 * its signal pending, closes it, and takes all signals. Before Linux 6.13 the signal of the timer
 * itself stays pending; another one takes its place on later kernels. Prints the number of rounds
 * that this process survived.
 */
#include "fg-record/stopping/cputimer.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 100
#define INTERVAL UINT64_C(1000000) /* ns */

int
main(void)
{
	sigset_t none;

	sigemptyset(&none);
	for (int i = 0; i < ROUNDS; i++) {
		struct cputimers timers;
		struct pollfd expired = {.events = POLLIN};

		if (!cputimer_open(&timers, INTERVAL) || !cputimer_add(&timers, getpid()))
			return 1;
		expired.fd = timers.fd;
		while (poll(&expired, 1, 0) == 0)
			continue; /* this takes CPU time */
		sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = getpid()});
		cputimer_close(&timers);
		sigprocmask(SIG_SETMASK, &none, NULL);
	}
	printf("%d\n", ROUNDS);
	return 0;
}
