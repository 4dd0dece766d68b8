/*
 * charged: own time is read by the process's CPU clock in ns, that of children from its stat file
 * in clock ticks.
 */
#include "fg-record/watching/charged.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "fg-record/asking/proc.h"

#define EACH (SECOND_NS / 10) /* between readings */
#define COST_SHARE 100 /* readings take at most this fraction of a CPU */
#define TRIES 4 /* until a reading is not disturbed by a wait(2) */

/* Time of all processes; those that no longer exist are removed. */
static uint64_t
add_up(struct ids *ids)
{
	uint64_t sum = 0, ns;
	size_t n = 0;

	for (size_t i = 0; i < ids->n; i++)
		if (proc_charged(ids->id[i], &ns)) {
			sum += ns;
			ids->id[n++] = ids->id[i];
		}
	ids->n = n;
	return sum;
}

/* The CPU time that is possible in `ns` ns, with the error of files that count clock ticks. */
static uint64_t
possible(const struct charged *c, uint64_t ns)
{
	return ns * (uint64_t)sysconf(_SC_NPROCESSORS_ONLN) +
	       2 * c->process.n * (SECOND_NS / (uint64_t)sysconf(_SC_CLK_TCK));
}

/*
 * A child that is waited for during the reading may be missing. The next pass has its time with
 * its parent's. 0: no process is alive.
 */
static uint64_t
read_all(struct charged *c)
{
	uint64_t sum = add_up(&c->process), last, since, now;

	if (c->process.n == 0)
		return 0;
	since = clock_ns(CLOCK_MONOTONIC);
	for (int i = 0; i < TRIES; i++) {
		last = sum;
		sum = add_up(&c->process);
		now = clock_ns(CLOCK_MONOTONIC);
		if (sum >= last && sum - last <= possible(c, now - since))
			break;
		since = now;
	}
	return sum;
}

void
charged_begin(struct charged *c, const struct ids *pids)
{
	c->first = pids->n > 0 ? pids->id[0] : 0;
	for (size_t i = 0; i < pids->n; i++) {
		struct ids children = proc_children(pids->id[i]);

		ids_add_new(&c->process, pids->id[i]);
		for (size_t k = 0; k < children.n; k++)
			if (!ids_have(pids, children.id[k]))
				ids_add_new(&c->other, children.id[k]);
		free(children.id);
	}
}

void
charged_see(struct charged *c, const struct perfevent *e, bool known)
{
	if (e->type == PERF_RECORD_FORK && e->pid != e->ppid)
		ids_add_new(&c->process, (int)e->pid);
	else if (e->type == PERF_RECORD_EXIT && e->pid == e->tid && !known &&
		 !ids_have(&c->process, (int)e->ppid)) {
		c->broken = true;
		c->orphaned |= (int)e->pid != c->first;
	}
}

void
charged_read(struct charged *c, uint64_t now, uint64_t counted, uint64_t expected)
{
	const uint64_t sum = read_all(c);
	const size_t others = c->other.n;
	const int64_t grown = (int64_t)(sum - c->sum), clocks = (int64_t)(counted - c->counted);
	uint64_t end;

	if (c->process.n == 0)
		return;
	end = clock_ns(CLOCK_MONOTONIC);
	add_up(&c->other);
	c->broken |= others != c->other.n;
	c->broken |=
	    grown < clocks - (int64_t)possible(c, 0) || grown > (int64_t)possible(c, end - c->time);
	if (c->begun && !c->broken) {
		c->uncounted += grown - clocks;
		c->expected_then += expected - c->expected;
	}
	c->begun = true;
	c->broken = false;
	c->time = now;
	c->sum = sum;
	c->counted = counted;
	c->expected = expected;
	c->next = end + EACH + (end - now) * COST_SHARE;
}

bool
charged_any_alive(struct charged *c)
{
	add_up(&c->process);
	return c->process.n > 0;
}

double
charged_scale(const struct charged *c)
{
	return c->uncounted > 0 && c->expected_then > 0
		   ? (double)c->uncounted / (double)c->expected_then
		   : 0;
}

void
charged_free(struct charged *c)
{
	free(c->process.id);
	free(c->other.id);
}
