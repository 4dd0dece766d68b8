/*
 * offcpu: a table of threads that sleep.
 */
#include "offcpu.h"

#include <byteswap.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"

/*
 * The fields of sched:sched_switch, the same since Linux 2.6.38 on machines of 64 bits
 * (events/sched/sched_switch/format): prev_state and next_pid.
 */
#define PREV_STATE 32
#define NEXT_PID 56
#define SWITCH_SIZE 60
/* Of sched:sched_stat_sleep and its kind, since 2.6.32: pid and delay. */
#define STAT_PID 24
#define STAT_DELAY 32
#define STAT_SIZE 40
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
offcpu_is_stat(const struct attr *a)
{
	return strcmp(a->name, "sched:sched_stat_sleep") == 0 ||
	       strcmp(a->name, "sched:sched_stat_blocked") == 0 ||
	       strcmp(a->name, "sched:sched_stat_iowait") == 0;
}

bool
offcpu_has_stats(const struct attrs *a)
{
	for (size_t i = 0; i < a->n; i++)
		if (offcpu_is_stat(&a->attr[i]))
			return true;
	return false;
}

bool
offcpu_is(enum offcpu_source way, const struct attr *a)
{
	switch (way) {
	case OFFCPU_SAMPLES: return strcmp(a->name, "offcpu-time") == 0;
	case OFFCPU_TRACEPOINT: return is_switch(a);
	case OFFCPU_SWITCHES: return is_context_switch(a);
	default: return false;
	}
}

enum offcpu_source
offcpu_source(const struct attrs *a)
{
	bool records = false;

	for (size_t i = 0; i < a->n; i++)
		records |= a->attr[i].attr.context_switch;
	for (enum offcpu_source way = OFFCPU_SAMPLES; way <= OFFCPU_SWITCHES; way++)
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
	o->begun++;
}

const struct offcpu_sleep *
offcpu_end(struct offcpu *o, int tid)
{
	struct offcpu_sleep *s = intmap_get(&o->threads, (uint64_t)(unsigned)tid);

	if (s == NULL || !s->asleep)
		return NULL;
	s->asleep = false;
	o->ended++;
	return s;
}

void
offcpu_keep(struct offcpu *o, const struct offcpu_sleep *s, uint64_t ns)
{
	vec_fit(o->wait, o->capwait, o->nwait + 1);
	o->wait[o->nwait++] = (struct offcpu_wait){s->node, s->since, ns};
}

void
offcpu_free(struct offcpu *o)
{
	for (size_t i = 0; i < o->threads.size; i++)
		free(o->threads.slot[i].value);
	free(o->threads.slot);
	free(o->wait);
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

bool
offcpu_stat(struct offcpu_stat *s, const struct perfevent_sample *e, bool swapped)
{
	uint64_t ns;
	uint32_t tid;

	if (e->nraw < STAT_SIZE)
		return false;
	memcpy(&tid, e->raw + STAT_PID, 4);
	memcpy(&ns, e->raw + STAT_DELAY, 8);
	s->tid = (int)(swapped ? bswap_32(tid) : tid);
	s->ns = swapped ? bswap_64(ns) : ns;
	return true;
}
