/*
 * counted: reads the counters by read(2), which adds those of inherited events.
 */
#include "fg-record/watching/counted.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cli.h"
#include "kernel/perfabi.h"

void
counted_begin(struct counted *c, size_t n)
{
	c->one = cli_alloc(n, sizeof *c->one);
	c->n = n;
}

void
counted_add(struct counted *c, size_t i, int fd)
{
	ids_add(&c->one[i].fds, fd);
}

void
counted_sample(struct counted *c, size_t i)
{
	if (i < c->n)
		c->one[i].samples++;
}

void
counted_enable(const struct counted *c, bool enable)
{
	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < c->one[i].fds.n; k++)
			ioctl(c->one[i].fds.id[k],
			    enable ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

uint64_t
counted_sum(const struct ids *fds)
{
	uint64_t sum = 0, counts;

	for (size_t k = 0; k < fds->n; k++)
		if (read(fds->id[k], &counts, sizeof counts) == sizeof counts)
			sum += counts;
	return sum;
}

/* Samples of one tracepoint that were not read. */
static uint64_t
missing(const struct counted_one *it)
{
	const uint64_t events = counted_sum(&it->fds);

	return events <= it->samples ? 0 : events - it->samples;
}

uint64_t
counted_missing(const struct counted *c)
{
	uint64_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += missing(&c->one[i]);
	return n;
}

void
counted_free(struct counted *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->one[i].fds.id);
	free(c->one);
	*c = (struct counted){0};
}
