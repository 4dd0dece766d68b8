/*
 * offcpu: a table of threads that sleep.
 */
#include "offcpu.h"

#include <byteswap.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

/*
 * The fields of sched:sched_switch, the same since Linux 2.6.38 on machines of 64 bits
 * (events/sched/sched_switch/format): prev_state and next_pid.
 */
#define PREV_STATE 32
#define NEXT_PID 56
#define SWITCH_SIZE 60
#define STATE_GONE 0xf0 /* EXIT_DEAD, EXIT_ZOMBIE, parked or dead: it does not come back */
#define STATE_WAITS 0x0f /* asleep, stopped or traced; what is above says that it was preempted */

static bool
is_switch(const struct attr *a)
{
	return strcmp(a->name, "sched:sched_switch") == 0;
}

static bool
is_context_switch(const struct attr *a)
{
	return a->attr.type == PERF_TYPE_SOFTWARE &&
	       a->attr.config == PERF_COUNT_SW_CONTEXT_SWITCHES;
}

bool
offcpu_is(enum offcpu_way way, const struct attr *a)
{
	switch (way) {
	case OFFCPU_SAMPLES: return strcmp(a->name, "offcpu-time") == 0;
	case OFFCPU_TRACEPOINT: return is_switch(a);
	case OFFCPU_SWITCHES: return is_context_switch(a);
	default: return false;
	}
}

enum offcpu_way
offcpu_way(const struct attrs *a)
{
	bool records = false;

	for (size_t i = 0; i < a->n; i++)
		records |= a->attr[i].attr.context_switch;
	for (enum offcpu_way way = OFFCPU_SAMPLES; way <= OFFCPU_SWITCHES; way++)
		for (size_t i = 0; i < a->n; i++)
			if (offcpu_is(way, &a->attr[i]) && (way != OFFCPU_SWITCHES || records))
				return way;
	return OFFCPU_NONE;
}

void
offcpu_begin(struct offcpu *o, int tid, uint32_t node, uint64_t time)
{
	struct offcpu_sleep **s =
	    (struct offcpu_sleep **)intmap_at(&o->threads, (uint64_t)(unsigned)tid);

	if (*s == NULL)
		*s = cli_alloc(1, sizeof **s);
	**s = (struct offcpu_sleep){node, time, true};
}

const struct offcpu_sleep *
offcpu_end(struct offcpu *o, int tid)
{
	struct offcpu_sleep *s = intmap_get(&o->threads, (uint64_t)(unsigned)tid);

	if (s == NULL || !s->asleep)
		return NULL;
	s->asleep = false;
	return s;
}

void
offcpu_free(struct offcpu *o)
{
	for (size_t i = 0; i < o->threads.size; i++)
		free(o->threads.slot[i].value);
	free(o->threads.slot);
}

bool
offcpu_switch(struct offcpu_switch *s, const struct perfevent_sample *e, bool swapped)
{
	uint64_t state;
	uint32_t next;

	if (e->nraw < SWITCH_SIZE)
		return false;
	memcpy(&state, e->raw + PREV_STATE, 8);
	memcpy(&next, e->raw + NEXT_PID, 4);
	if (swapped) {
		state = bswap_64(state);
		next = bswap_32(next);
	}
	s->blocked = (state & STATE_WAITS) != 0 && (state & STATE_GONE) == 0;
	s->next = (int)next;
	return true;
}
