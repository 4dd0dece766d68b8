/*
 * cputimer: a POSIX timer on the CPU clock of each process (clock_getcpuclockid(3),
 * timer_create(2)).
 *
 * The kernel checks such timers only in its tick: if the thread is blocked at each tick, as may
 * happen often on a busy CPU, the timer does not expire. So the number of intervals is read from
 * the clock itself.
 */
#include "fg-record/stopping/cputimer.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/vec.h"

#define SIGNAL SIGRTMIN /* of an expired timer; blocked, and read from a signalfd */

bool
cputimer_open(struct cputimers *c, uint64_t interval)
{
	sigset_t set;

	*c = (struct cputimers){.interval = interval};
	sigemptyset(&set);
	sigaddset(&set, SIGNAL);
	sigprocmask(SIG_BLOCK, &set, NULL);
	c->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return c->fd >= 0;
}

struct cputimer *
cputimer_find(const struct cputimers *c, int pid)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->timer[i].pid == pid)
			return &c->timer[i];
	return NULL;
}

static struct timespec
timespec_of(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS)};
}

bool
cputimer_add(struct cputimers *c, int pid)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGNAL};
	struct cputimer *t = cputimer_find(c, pid), new = {.pid = pid, .threads = 1};
	struct itimerspec when = {.it_interval = timespec_of(c->interval)};
	uint64_t first;

	if (t != NULL) {
		t->threads++;
		return true;
	}
	event.sigev_value.sival_int = pid;
	if (clock_getcpuclockid(pid, &new.clock) != 0 ||
	    timer_create(new.clock, &event, &new.id) != 0)
		return false;
	/*
	 * The first interval ends at a random time, so that processes shorter than an interval
	 * are sampled too.
	 */
	first = 1 + (uint64_t)random() % c->interval;
	when.it_value = timespec_of(first);
	if (timer_settime(new.id, 0, &when, NULL) != 0) {
		timer_delete(new.id);
		return false;
	}
	new.next = clock_ns(new.clock) + first;
	vec_fit(c->timer, c->cap, c->n + 1);
	c->timer[c->n++] = new;
	return true;
}

void
cputimer_remove(struct cputimers *c, int pid)
{
	struct cputimer *t = cputimer_find(c, pid);

	if (t == NULL || --t->threads > 0)
		return;
	timer_delete(t->id);
	*t = c->timer[--c->n];
}

struct cputimer *
cputimer_next(struct cputimers *c)
{
	struct signalfd_siginfo info;
	struct cputimer *t;

	while (read(c->fd, &info, sizeof info) == sizeof info) {
		t = cputimer_find(c, info.ssi_int);
		if (info.ssi_code != SI_TIMER || t == NULL) /* the timer has been deleted */
			continue;
		return t;
	}
	return NULL;
}

void
cputimer_count(const struct cputimers *c, struct cputimer *t)
{
	uint64_t now = clock_ns(t->clock), n;

	if (now < t->next)
		return;
	n = (now - t->next) / c->interval + 1;
	t->owed += n;
	t->next += n * c->interval;
}

void
cputimer_close(struct cputimers *c)
{
	while (c->n > 0)
		timer_delete(c->timer[--c->n].id);
	/*
	 * Before Linux 6.13, the pending signal of a deleted timer would end this process once the
	 * signal is unblocked. Ignoring a signal discards it.
	 */
	signal(SIGNAL, SIG_IGN);
	signal(SIGNAL, SIG_DFL);
	free(c->timer);
	if (c->fd >= 0)
		close(c->fd);
	*c = (struct cputimers){.fd = -1};
}
