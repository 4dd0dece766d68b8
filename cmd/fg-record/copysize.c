/*
 * copysize: chooses the size from the rates of context switches and of ring bytes.
 */
#include "fg-record/copysize.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>

#include "fg-record/record.h"

#define SECOND UINT64_C(1000000000) /* ns */
/* ns: switches are counted for at least this long */
#define COUNTED UINT64_C(20000000)
#define SWITCHES_FEW 500 /* per second and CPU; fewer let a ring hold many large copies */
#define PATIENCE_MAX UINT64_C(60000000000)

void
copysize_set(struct copysize *c, size_t level)
{
	const struct ids *off = &c->fds[c->level], *on = &c->fds[level];

	for (size_t i = 0; i < off->n; i++)
		ioctl(off->id[i], PERF_EVENT_IOC_DISABLE, 0);
	for (size_t i = 0; i < on->n; i++)
		ioctl(on->id[i], PERF_EVENT_IOC_ENABLE, 0);
	c->level = level;
}

/* Changes to smaller copies, and waits four times longer before larger ones. */
static void
shrink(struct copysize *c, size_t level)
{
	copysize_set(c, level);
	if (c->patience < PATIENCE_MAX)
		c->patience *= 4;
}

void
copysize_by_switches(struct copysize *c, size_t cpus)
{
	const uint64_t now = record_now(), past = now - c->since;
	const bool large = c->level > 0;
	bool few;

	if (c->levels < 2 || past < (large ? 0 : c->patience))
		return;
	/* Each switch writes two records. */
	few = c->switches / 2 * SECOND <= SWITCHES_FEW * cpus * (past < COUNTED ? COUNTED : past);
	if (large && !few)
		shrink(c, 0);
	else if (!large && few)
		copysize_set(c, c->levels - 1);
	if (past >= COUNTED) {
		c->since = now;
		c->switches = 0;
	}
}

void
copysize_by_fill(struct copysize *c, uint64_t bytes, uint64_t size, uint64_t lost)
{
	const uint64_t now = record_now(), past = now - c->read;
	uint64_t rate;

	if (c->levels < 2)
		return;
	c->read = now;
	if (lost > c->lost || bytes > size / 2) {
		c->lost = lost;
		c->since = now;
		c->late = 0;
		if (c->level > 0)
			shrink(c, c->level - 1);
		return;
	}
	if (c->level + 1 == c->levels || past == 0)
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
