/*
 * jfr: Java flight recordings by the JDK and async-profiler: every event with a stack. An
 * allocation's weight is its bytes, an event with a duration weighs its ns, others count
 * 1, as in jfr-text; also thread, state and sampling period.
 *
 * An event refers to its stack by the number of a constant, so the frames of each stack
 * are named once.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>
#include <strings.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/jfr/jfrchunk.h"
#include "fg-collapse/jfr/jfrconstants.h"
#include "fg-collapse/jfr/jfrevent.h"
#include "fg-collapse/jfr/jfrold.h"
#include "fg-collapse/shape/scan.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/sample.h"

/* Meaning of an event's field. */
enum role {
	NO_ROLE,
	START,
	DURATION,
	THREAD,
	STACK,
	STATE,
	SIZE,
	SAMPLES,
	PERIOD, /* of this sample */
	METHOD, /* leaf of the stack, which is that of its caller */
	ROLES
};

/* An event type with a stack. */
struct kind {
	uint32_t event; /* number in the sampler, set once seen: */
	bool seen;
	value period; /* ns, from a setting event or the samples; 0 if unknown */
	bool varies; /* samples have different periods */
	enum role weight; /* DURATION, SIZE, SAMPLES or NO_ROLE */
	enum role *role; /* role of each field */
	bool stacked;
	bool ends; /* version 0.9: the field of DURATION is the end */
};

struct recording {
	struct reader *reader;
	struct jfr_chunk chunk;
	struct jfr_constants constants;
	const struct jfr_type *states;
	struct kind *kind; /* by index of the type */
	uint64_t resolved, unresolved; /* stacks found, and not found */
	uint64_t lost, stackless; /* samples of CPU time */
	struct text state;
	uint32_t *sized; /* events whose weights are bytes */
	size_t nsized, capsized;
};

static enum role
role_of(struct str type, struct str name)
{
	if (str_is(name, "startTime"))
		return START;
	if (str_is(name, "duration") || str_is(name, JFROLD_END))
		return jfrevent_lasts(type) ? DURATION : NO_ROLE;
	if (str_is(name, "sampledThread") || str_is(name, "eventThread"))
		return THREAD;
	if (str_is(name, "stackTrace"))
		return STACK;
	if (str_is(name, "state"))
		return STATE;
	if (jfrevent_size(type, name))
		return SIZE;
	if (str_starts(type, "profiler.") && str_is(name, "samples"))
		return SAMPLES;
	if (str_is(name, "samplingPeriod"))
		return PERIOD;
	if (jfrevent_leaf(type, name))
		return METHOD;
	return NO_ROLE;
}

/* Finds the event types of the chunk that have stacks, and the roles of their fields. */
static void
find_kinds(struct recording *j)
{
	j->kind = cli_alloc(j->chunk.ntype + 1, sizeof *j->kind);
	for (size_t i = 0; i < j->chunk.ntype; i++) {
		const struct jfr_type *t = &j->chunk.type[i];
		struct kind *k = &j->kind[i];
		bool start = false, stack = false;

		k->role = cli_alloc(t->nfield + 1, sizeof *k->role);
		for (size_t f = 0; f < t->nfield; f++) {
			enum role role = k->role[f] = role_of(t->name, t->field[f].name);

			start |= role == START;
			stack |= role == STACK && t->field[f].constant && !t->field[f].array;
			k->ends |= role == DURATION && str_is(t->field[f].name, JFROLD_END);
			if (role == SIZE || role == SAMPLES ||
			    (role == DURATION && k->weight == NO_ROLE))
				k->weight = role;
		}
		if (!start || !stack || str_is(t->name, "jdk.ActiveSetting"))
			continue;
		k->stacked = true;
	}
	j->states = jfr_type_named(&j->chunk, "jdk.types.ThreadState");
	jfr_constants_begin(&j->constants, j->reader, &j->chunk);
}

/* True if an earlier chunk had this event, of bytes. */
static bool
is_sized(const struct recording *j, uint32_t event)
{
	for (size_t i = 0; i < j->nsized; i++)
		if (j->sized[i] == event)
			return true;
	return false;
}

/* The event number of a kind; created at its first use. */
static uint32_t
event_of(struct recording *j, const struct jfr_type *type, struct kind *k)
{
	struct sampler *s = j->reader->sampler;

	if (!k->seen) {
		k->event = sampler_event(s, jfrevent_name(type->name),
		    str_of(k->weight == SIZE	   ? "bytes"
			   : k->weight == DURATION ? "ns"
						   : FOLDED_SAMPLES));
		if (k->period != 0 && !k->varies)
			sampler_period(s, k->event, k->period, "ns");
		/* Times of locks and waits are measured. */
		if (k->weight != DURATION)
			sampler_values(s, k->event, FOLDED_SAMPLED);
	}
	if (!k->seen && k->weight == SIZE && !is_sized(j, k->event)) {
		vec_fit(j->sized, j->capsized, j->nsized + 1);
		j->sized[j->nsized++] = k->event;
	}
	k->seen = true;
	return k->event;
}

/* True if --state, a comma-separated list, contains this state, with or without STATE_. */
static bool
is_wanted(const char *list, struct str state)
{
	while (*list != '\0') {
		size_t len = strcspn(list, ",");
		struct str bare = state;

		scan_word(&bare, "STATE_");
		if ((len == state.len && strncasecmp(list, state.s, len) == 0) ||
		    (len == bare.len && len > 0 && strncasecmp(list, bare.s, len) == 0))
			return true;
		list += len + (list[len] == ',');
	}
	return false;
}

static void
handle_event(struct recording *j, const struct jfr_type *type, struct kind *k, struct jfr_cursor *c)
{
	uint64_t field[ROLES] = {0};
	size_t begin = c->in.at;
	const struct options *o = j->reader->options;
	struct sampler *s = j->reader->sampler;
	struct sample_task task = {0};
	const struct jfr_stack *stack;
	uint32_t leaf;
	value weight = VALUE_ONE;

	for (size_t i = 0; i < type->nfield && !c->in.bad; i++)
		if (k->role[i] == NO_ROLE)
			jfr_skip(&j->chunk, c, &type->field[i]);
		else
			field[k->role[i]] = jfr_number(&j->chunk, c, &type->field[i]);
	if (c->in.bad) {
		reader_malformed_byte(j->reader, begin, "a truncated event");
		return;
	}
	if (field[STACK] == 0) {
		j->stackless += str_is(type->name, "jdk.CPUTimeSample");
		sample_leave_out(s, 1);
		return;
	}
	if (field[PERIOD] != 0 && k->period == 0) {
		k->period = value_of(field[PERIOD]);
		if (k->seen)
			sampler_period(s, k->event, k->period, "ns");
	} else if (field[PERIOD] != 0 && k->period != value_of(field[PERIOD]) && !k->varies) {
		k->varies = true;
		sampler_period(s, event_of(j, type, k), 0, NULL);
	}
	if (k->ends)
		field[DURATION] -= field[DURATION] < field[START] ? field[DURATION] : field[START];
	if (o->state != NULL) {
		jfr_constants_text(&j->constants, j->states, field[STATE], "name", &j->state);
		if (!is_wanted(o->state, text_as_str(&j->state)))
			return;
	}
	if (k->weight != NO_ROLE) {
		uint64_t n = field[k->weight];

		weight = value_of(k->weight == DURATION ? jfr_ticks_ns(&j->chunk, n) : n);
	}
	if (o->threads || o->sample.tid) {
		jfr_constants_thread(&j->constants, field[THREAD]);
		task.tid = text_as_str(&j->constants.tid);
		if (o->threads)
			task.comm = text_as_str(&j->constants.thread);
	}
	if (!sample_begin(
		s, &task, event_of(j, type, k), jfr_time(&j->chunk, field[START]), weight))
		return;
	stack = jfr_constants_stack(&j->constants, field[STACK]);
	if (field[METHOD] != 0 && jfr_constants_method(&j->constants, field[METHOD], &leaf))
		sample_frame_named(s, leaf);
	for (uint32_t i = 0; stack != NULL && i < stack->n; i++)
		sample_frame_named(s, j->constants.name[stack->first + i]);
	if (stack == NULL)
		sample_frame_named(s, SAMPLE_MISSING);
	sample_end(s);
	j->resolved += stack != NULL;
	j->unresolved += stack == NULL;
}

/* Reads a jdk.ActiveSetting: the period of ExecutionSample is `10 ms`, async-profiler's
 * interval is in ns. */
static void
read_setting(struct recording *j, const struct jfr_type *type, struct jfr_cursor *c)
{
	struct text name = {0}, text = {0};
	uint64_t id = UINT64_MAX;
	const struct jfr_type *of;
	struct kind *k;
	const char *unit;
	struct str s;
	value v = 0;

	for (size_t i = 0; i < type->nfield && !c->in.bad; i++) {
		const struct jfr_field *f = &type->field[i];

		if (str_is(f->name, "id"))
			id = jfr_number(&j->chunk, c, f);
		else if (str_is(f->name, "name"))
			jfr_constants_read(&j->constants, c, f, &name);
		else if (str_is(f->name, "value"))
			jfr_constants_read(&j->constants, c, f, &text);
		else
			jfr_skip(&j->chunk, c, f);
	}
	of = jfr_type(&j->chunk, id);
	k = of != NULL ? &j->kind[of - j->chunk.type] : NULL;
	s = text_as_str(&text);
	if (!c->in.bad && k != NULL && k->stacked && k->weight == NO_ROLE &&
	    humannumber_scan(&s, &v, &unit) && s.len == 0 &&
	    ((str_is(text_as_str(&name), "period") && strcmp(unit, "ns") == 0) ||
		(str_is(text_as_str(&name), "interval") && unit[0] == '\0'))) {
		k->period = v;
		if (k->seen)
			sampler_period(j->reader->sampler, k->event, v, "ns");
	}
	text_free(&name);
	text_free(&text);
}

/* A sample of allocated bytes stands for those since the previous one: their mean is the period. */
static void
mean_periods(struct recording *j)
{
	struct sampler *s = j->reader->sampler;

	for (size_t i = 0; i < j->nsized; i++) {
		const struct sample_event *e = &s->event[j->sized[i]];
		value period = e->samples > 0 ? e->total / e->samples : 0;

		sampler_period(s, j->sized[i], period - period % VALUE_ONE, "bytes");
	}
	free(j->sized);
}

static void
free_kinds(struct recording *j)
{

	for (size_t i = 0; j->kind != NULL && i < j->chunk.ntype; i++)
		free(j->kind[i].role);
	free(j->kind);
	j->kind = NULL;
}

/*
 * Chooses the default event: the first of these that occurs, on-CPU samples before
 * allocations; otherwise the event that occurs first.
 */
static void
choose_event(struct reader *r, const unsigned char *data, size_t len)
{
	static const char *const names[] = {"jdk.ExecutionSample", "jdk.CPUTimeSample",
	    "profiler.WallClockSample", "jdk.ObjectAllocationSample",
	    "jdk.ObjectAllocationInNewTLAB", "profiler.LiveObject", "jdk.JavaMonitorEnter"};
	enum { NAMES = sizeof names / sizeof names[0] };
	unsigned best = NAMES;
	struct jfr_cursor event;
	struct jfr_chunk c;
	uint64_t type;

	for (size_t at = 0; best > 0 && at < len && jfr_chunk_read(&c, r, data, len, at, JFR_TYPES);
	     jfr_chunk_free(&c)) {
		for (size_t next = 0; best > 0 && jfr_chunk_event(&c, &next, &event, &type);) {
			const struct jfr_type *t = jfr_type(&c, type);

			for (unsigned i = 0; t != NULL && i < best; i++)
				if (str_is(t->name, names[i]))
					best = i;
		}
		at = c.end;
	}
	if (best < NAMES)
		sampler_default(r->sampler,
		    sampler_event(r->sampler, jfrevent_name(str_of(names[best])), (struct str){0}));
}

/* Reads a jdk.CPUTimeSamplesLost. */
static void
read_lost(struct recording *j, const struct jfr_type *type, struct jfr_cursor *c)
{
	for (size_t i = 0; i < type->nfield && !c->in.bad; i++)
		if (str_is(type->field[i].name, "lostSamples"))
			j->lost += jfr_number(&j->chunk, c, &type->field[i]);
		else
			jfr_skip(&j->chunk, c, &type->field[i]);
}

static void
read_events(struct recording *j)
{
	const struct jfr_type *settings = jfr_type_named(&j->chunk, "jdk.ActiveSetting");
	struct jfr_cursor event;
	uint64_t type;

	for (size_t next = 0; jfr_chunk_event(&j->chunk, &next, &event, &type);) {
		const struct jfr_type *t = jfr_type(&j->chunk, type);

		if (t == NULL)
			continue;
		if (t == settings)
			read_setting(j, t, &event);
		else if (str_is(t->name, "jdk.CPUTimeSamplesLost"))
			read_lost(j, t, &event);
		else if (j->kind[t - j->chunk.type].stacked)
			handle_event(j, t, &j->kind[t - j->chunk.type], &event);
	}
}

static void
read_input(struct reader *r)
{
	struct recording j = {.reader = r};
	size_t len;
	const unsigned char *data = source_whole(lines_source(r->lines), &len);

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	choose_event(r, data, len);
	for (size_t at = 0; at < len && jfr_chunk_read(&j.chunk, r, data, len, at, JFR_ALL);) {
		find_kinds(&j);
		read_events(&j);
		free_kinds(&j);
		at = j.chunk.end;
		jfr_chunk_free(&j.chunk);
	}
	mean_periods(&j);
	if (j.lost > 0 || j.stackless > 0)
		cli_note("%s: %llu %s of CPU time lost by the JVM, %llu without a stack",
		    lines_name(r->lines), (unsigned long long)j.lost,
		    text_form(j.lost, "sample", "samples"), (unsigned long long)j.stackless);
	if (j.unresolved > 0 && j.resolved == 0)
		cli_die(
		    "%s: the recording has no stack of any of its events", lines_name(r->lines));
	jfr_constants_free(&j.constants);
	text_free(&j.state);
}

static int
sniff(const char *data, size_t len)
{
	return len >= 4 && memcmp(data, "FLR", 4) == 0 ? 100 : 0;
}

const struct format jfr_format = {
    .provides = DATA_COMM | DATA_TID | DATA_KIND | DATA_SOURCE | DATA_TIMES | DATA_EVENT |
		DATA_COUNT | DATA_THREAD_NAMES | DATA_STATE,
    .bytes = FORMAT_BINARY,
    .sniff = sniff,
    .read = read_input,
};
