/*
 * copysize: chooses the size from the rates of context switches and of ring bytes, and from what
 * recent stacks needed.
 */
#include "fg-record/watching/copysize.h"

#include <sys/ioctl.h>

#include "base/clock.h"
#include "kernel/perfabi.h"
#include "fg-record/record.h"

/* ns: switches are counted for at least this long */
#define COUNTED UINT64_C(100000000)
/* bytes of copies per second and CPU that the reader can empty before a ring is full */
#define COPIES_MAX (UINT64_C(64) << 20)
#define MEASURED 64 /* records of switches, at least */
#define PATIENCE_MAX UINT64_C(60000000000)
#define EFFECT UINT64_C(100000000) /* ns until smaller copies show in the rings */
#define STACKS_FEW 256 /* between two choices by them */
#define STACKS_RECENT 8192 /* then the counts are halved */

void
copysize_set(struct copysize *c, size_t level)
{
	const struct ids *off, *on = &c->fds[level];

	pthread_mutex_lock(&c->lock);
	off = &c->fds[c->level];
	/* One CPU after the other: a CPU has no samples between the two calls. */
	for (size_t i = 0; !c->paused && (i < off->n || i < on->n); i++) {
		if (i < off->n)
			ioctl(off->id[i], PERF_EVENT_IOC_DISABLE, 0);
		if (i < on->n)
			ioctl(on->id[i], PERF_EVENT_IOC_ENABLE, 0);
	}
	c->level = level;
	pthread_mutex_unlock(&c->lock);
}

void
copysize_pause(struct copysize *c, bool pause)
{
	const struct ids *fds;

	pthread_mutex_lock(&c->lock);
	fds = &c->fds[c->level];
	for (size_t i = 0; i < fds->n; i++)
		ioctl(fds->id[i], pause ? PERF_EVENT_IOC_DISABLE : PERF_EVENT_IOC_ENABLE, 0);
	c->paused = pause;
	pthread_mutex_unlock(&c->lock);
}

/* Changes to smaller copies, and multiplies the wait before larger ones by `times`. */
static void
shrink(struct copysize *c, size_t level, unsigned times)
{
	copysize_set(c, level);
	if (c->patience < PATIENCE_MAX)
		c->patience *= times;
}

/* Takes the mean of recent switches, of which threads of the kernel copy nothing. */
static void
measure(struct copysize *c)
{
	uint32_t *bytes = &c->bytes[c->levels - 1];

	if (c->measured && c->level + 1 == c->levels && c->switches >= MEASURED)
		*bytes = (uint32_t)((3 * (uint64_t)*bytes + 2 * c->copied / c->switches) / 4);
}

void
copysize_by_switches(struct copysize *c, size_t cpus)
{
	const uint64_t now = record_now(), past = now - c->since;
	/* Each switch writes two records. */
	const uint64_t rate =
	    c->switches / 2 * SECOND_NS / (past < COUNTED ? COUNTED : past) / cpus;
	size_t level = c->levels;

	if (c->levels < 2)
		return;
	do
		level--;
	while (level > 0 && rate * c->bytes[level] > COPIES_MAX);
	if (level < c->level)
		shrink(c, level, 4);
	else if (level > c->level && past < c->patience)
		return;
	else if (level > c->level)
		copysize_set(c, level);
	if (past >= COUNTED) {
		measure(c);
		c->since = now;
		c->switches = c->copied = 0;
	}
}

/* The largest level that is of use: one above that which holds 99 % of recent stacks. */
static size_t
most_useful(const struct copysize *c)
{
	uint64_t held = 0;
	size_t level = 0;

	while (level + 1 < c->levels && (held += c->needed[level]) * 100 < c->stacks * UINT64_C(99))
		level++;
	return level + 1 < c->levels ? level + 1 : level;
}

void
copysize_needs(struct copysize *c, uint64_t bytes)
{
	size_t level = 0, useful;

	if (!c->follows)
		return;
	while (level < c->levels && bytes > c->bytes[level])
		level++;
	c->needed[level]++;
	c->stacks++;
	useful = most_useful(c);
	if (c->stacks % STACKS_FEW == 0 || useful > c->useful)
		__atomic_store_n(&c->useful, useful, __ATOMIC_RELAXED);
	if (c->stacks < STACKS_RECENT)
		return;
	c->stacks = 0;
	for (size_t i = 0; i <= c->levels; i++)
		c->stacks += c->needed[i] /= 2;
}

void
copysize_by_fill(struct copysize *c, uint64_t bytes, uint64_t size, uint64_t lost)
{
	const size_t useful = __atomic_load_n(&c->useful, __ATOMIC_RELAXED);
	const uint64_t now = record_now(), past = now - c->read;
	uint64_t rate;

	if (c->levels < 2)
		return;
	c->read = now;
	if (lost > c->lost || bytes > size / 2) {
		c->lost = lost;
		c->since = now;
		c->late = 0;
		/* The rings still have copies of the previous size. */
		if (c->level > 0 && now - c->shrunk > EFFECT) {
			c->shrunk = now;
			shrink(c, c->level - 1, 2);
		}
		return;
	}
	if (c->level > useful)
		copysize_set(c, useful);
	if (c->level == useful || past == 0)
		return;
	/*
	 * With a reader as late as the latest, the ring may be at most half full of larger
	 * copies.
	 */
	rate = bytes * (c->bytes[c->level + 1] / c->bytes[c->level]) / (past / 1000 + 1);
	if (rate > c->rate)
		c->rate = rate; /* bytes/us, the maximum */
	if (now - c->since < c->patience)
		return;
	if (c->rate * (c->late / 1000) < size / 4)
		copysize_set(c, c->level + 1);
	c->since = now;
	c->late = c->rate = 0;
}
