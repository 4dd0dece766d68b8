#include "base/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/message.h"

static volatile sig_atomic_t interrupted;
static pthread_mutex_t deferring = PTHREAD_MUTEX_INITIALIZER; /* inputs open on several threads */
static bool deferred;
static void (*last)(int sig); /* the handler of the second SIGINT, or SIG_DFL */

static void
note(int sig)
{
	interrupted = 1;
	signal(sig, last);
}

static void
raise_again(void)
{
	if (!interrupted)
		return;
	signal(SIGINT, SIG_DFL);
	raise(SIGINT);
}

void
interrupt_start(void)
{
	if (atexit(raise_again) != 0)
		cli_die("out of memory");
}

void
interrupt_defer(void)
{
	struct sigaction now, first = {.sa_handler = note, .sa_flags = SA_RESTART};

	pthread_mutex_lock(&deferring);
	if (!deferred && sigaction(SIGINT, NULL, &now) == 0 && now.sa_handler != SIG_IGN) {
		last = now.sa_handler;
		deferred = sigaction(SIGINT, &first, NULL) == 0;
	}
	pthread_mutex_unlock(&deferring);
}

bool
interrupt_then(void (*handler)(int sig))
{
	sigset_t ours, before;

	if (!deferred)
		return false;
	sigemptyset(&ours);
	sigaddset(&ours, SIGINT);
	sigprocmask(SIG_BLOCK, &ours, &before);
	last = handler;
	if (interrupted)
		signal(SIGINT, handler);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return true;
}
