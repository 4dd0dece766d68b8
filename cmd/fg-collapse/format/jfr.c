/*
 * jfr: Java flight recordings, as the JDK and async-profiler write them: every event
 * that has a stack. Allocations weigh their bytes, what has a duration its ns, all else
 * is counted, as jfr-text has it; and a thread, a state and the period of a sample.
 *
 * An event's stack is the number of a constant, so each stack is made of names once.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>
#include <strings.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/amount.h"
#include "fg-collapse/shape/funcname.h"
#include "fg-collapse/shape/jfrchunk.h"
#include "fg-collapse/shape/jfrevent.h"
#include "fg-collapse/shape/scan.h"

/* Which of an event's fields matters in which way. */
enum role { NO_ROLE, START, DURATION, THREAD, STACK, STATE, SIZE, SAMPLES };

/* A type of events with a stack. */
struct kind {
	uint32_t event; /* the sampler's, once one was seen: */
	bool seen;
	value period; /* ns, as a setting says it; 0 for unknown */
	enum role weight; /* DURATION, SIZE, SAMPLES, or none */
	enum role *role; /* by field */
	bool stacked;
};

/* What a constant became. */
struct made {
	uint32_t first, n; /* names, or bytes of text */
};

struct recording {
	struct reader *reader;
	struct jfr_chunk chunk;
	const struct jfr_type *traces, *frames, *methods, *classes, *symbols, *threads, *states,
	    *kinds;
	struct kind *kind; /* by type */
	struct intmap stack; /* by number: index in made, plus 1 */
	struct made *made;
	size_t nmade, capmade;
	struct intmap method; /* by number: a name, plus 1, where lines are not asked for */
	uint32_t *name; /* of the frames of stacks */
	size_t nname, capname;
	struct text class, function, thread, tid, state, scratch;
};

static enum role
role_of(struct str type, struct str name)
{
	if (str_is(name, "startTime"))
		return START;
	if (str_is(name, "duration"))
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
	return NO_ROLE;
}

/* Which events of the chunk have stacks, and what their fields are for. */
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
			if (role == SIZE || role == SAMPLES ||
			    (role == DURATION && k->weight == NO_ROLE))
				k->weight = role;
		}
		if (!start || !stack || str_is(t->name, "jdk.ActiveSetting"))
			continue;
		k->stacked = true;
	}
	j->traces = jfr_type_named(&j->chunk, "jdk.types.StackTrace");
	j->frames = jfr_type_named(&j->chunk, "jdk.types.StackFrame");
	j->methods = jfr_type_named(&j->chunk, "jdk.types.Method");
	j->classes = jfr_type_named(&j->chunk, "java.lang.Class");
	j->symbols = jfr_type_named(&j->chunk, "jdk.types.Symbol");
	j->threads = jfr_type_named(&j->chunk, "java.lang.Thread");
	j->states = jfr_type_named(&j->chunk, "jdk.types.ThreadState");
	j->kinds = jfr_type_named(&j->chunk, "jdk.types.FrameType");
}

/* The event of a kind, which has one when it is first seen. */
static uint32_t
event_of(struct recording *j, const struct jfr_type *type, struct kind *k)
{
	struct sampler *s = j->reader->sampler;

	if (!k->seen) {
		k->event = sampler_event(s, jfrevent_name(type->name),
		    str_of(k->weight == SIZE	   ? "bytes"
			   : k->weight == DURATION ? "ns"
						   : FOLDED_SAMPLES));
		if (k->weight != NO_ROLE || k->period != 0)
			sampler_period(s, k->event, k->period, "ns");
	}
	k->seen = true;
	return k->event;
}

/* A text, or the number of a symbol, which is one. */
static void
read_text(struct recording *j, struct jfr_cursor *c, const struct jfr_field *f, struct text *t)
{
	struct jfr_cursor at;
	struct str s;

	text_cut(t, 0);
	if (f->constant) {
		const struct jfr_type *type = jfr_type(&j->chunk, f->type);
		uint64_t n = jfr_long(c);

		if (!jfr_constant(&j->chunk, type, n, &at))
			return;
		c = &at;
		if (!type->primitive) { /* jdk.types.Symbol: its only field */
			if (type->nfield == 0 || type->field[0].constant)
				return;
		}
	}
	s = jfr_text(&j->chunk, c, &j->scratch);
	text_str(t, s);
}

/* A field of a constant as text. */
static void
constant_text(struct recording *j, const struct jfr_type *type, uint64_t number, const char *field,
    struct text *t)
{
	struct jfr_cursor at;

	text_cut(t, 0);
	if (!jfr_constant(&j->chunk, type, number, &at))
		return;
	for (size_t i = 0; i < type->nfield && !at.bad; i++) {
		if (str_is(type->field[i].name, field)) {
			read_text(j, &at, &type->field[i], t);
			return;
		}
		jfr_skip(&j->chunk, &at, &type->field[i]);
	}
}

/*
 * Its class and its name to j->class, java.util.Map.get, or its name to j->function where it
 * has no class. False for those that Java makes for itself and hides, lambda's and others.
 */
static bool
read_method(struct recording *j, uint64_t number)
{
	struct jfr_cursor at;
	const struct jfr_type *type = j->methods;
	uint64_t hidden = 0;

	text_cut(&j->class, 0);
	text_cut(&j->function, 0);
	if (!jfr_constant(&j->chunk, type, number, &at))
		return true;
	for (size_t i = 0; i < type->nfield && !at.bad; i++) {
		const struct jfr_field *f = &type->field[i];

		if (str_is(f->name, "hidden"))
			hidden = jfr_number(&j->chunk, &at, f);
		else if (str_is(f->name, "type"))
			constant_text(
			    j, j->classes, jfr_number(&j->chunk, &at, f), "name", &j->class);
		else if (str_is(f->name, "name"))
			read_text(j, &at, f, &j->function);
		else
			jfr_skip(&j->chunk, &at, f);
	}
	for (size_t i = 0; i < j->class.len; i++)
		if (j->class.s[i] == '/')
			j->class.s[i] = '.';
	if (j->class.len > 0) {
		text_char(&j->class, '.');
		text_str(&j->class, text_as_str(&j->function));
	}
	return hidden == 0;
}

/* What stands for the file, whose name is not recorded: Shop of app.Shop$Cart.add */
static struct str
outer_class(struct str method, size_t function)
{
	struct str class = {method.s, method.len - function - 1};

	class = str_from(
	    class, str_find_last(class, ".") < class.len ? str_find_last(class, ".") + 1 : 0);
	class.len = str_find(class, "$") > 0 ? str_find(class, "$") : class.len;
	return class;
}

#define HIDDEN UINT32_MAX /* instead of a name */

static uint32_t
frame_name(struct recording *j, uint64_t method, unsigned line, uint64_t kind)
{
	bool plain = !j->reader->sampler->options->style.source;
	struct frame f = {.line = line};
	void **known = plain ? intmap_at(&j->method, method) : NULL;
	uint32_t name = HIDDEN;

	if (plain && *known != NULL)
		return (uint32_t)((uintptr_t)*known - 1);
	if (!read_method(j, method))
		goto known;
	constant_text(j, j->kinds, kind, "description", &j->state);
	if (j->class.len > 0) {
		f.function = text_as_str(&j->class);
		f.file = outer_class(text_as_str(&j->class), j->function.len);
	} else { /* not Java's: as it is demangled */
		text_cut(&j->scratch, 0);
		funcname_add(&j->scratch, text_as_str(&j->function), false);
		f.function = text_as_str(&j->scratch);
	}
	if (str_is(text_as_str(&j->state), "Kernel"))
		f.kind = FRAME_KERNEL;
	name = sample_name(j->reader->sampler, &f);
known:
	if (plain)
		*intmap_at(&j->method, method) = (void *)((uintptr_t)name + 1);
	return name;
}

/* A value of jdk.types.StackFrame. */
static void
read_frame(struct recording *j, struct jfr_cursor *c)
{
	uint64_t method = 0, line = 0, kind = 0;
	uint32_t name;

	for (size_t i = 0; i < j->frames->nfield && !c->bad; i++) {
		const struct jfr_field *f = &j->frames->field[i];

		if (str_is(f->name, "method"))
			method = jfr_number(&j->chunk, c, f);
		else if (str_is(f->name, "lineNumber"))
			line = jfr_number(&j->chunk, c, f);
		else if (str_is(f->name, "type"))
			kind = jfr_number(&j->chunk, c, f);
		else
			jfr_skip(&j->chunk, c, f);
	}
	if (c->bad)
		return;
	name = frame_name(j, method, line <= INT32_MAX ? (unsigned)line : 0, kind);
	if (name == HIDDEN)
		return;
	vec_fit(j->name, j->capname, j->nname + 1);
	j->name[j->nname++] = name;
}

/* The names of a stack; NULL when there is none of that number. */
static const struct made *
stack_of(struct recording *j, uint64_t number)
{
	void **known = intmap_at(&j->stack, number);
	struct made m = {.first = (uint32_t)j->nname};
	struct jfr_cursor at;

	if (*known != NULL)
		return &j->made[(uintptr_t)*known - 1];
	if (j->frames == NULL || !jfr_constant(&j->chunk, j->traces, number, &at))
		return NULL;
	for (size_t i = 0; i < j->traces->nfield && !at.bad; i++) {
		const struct jfr_field *f = &j->traces->field[i];

		if (str_is(f->name, "frames") && f->array && !f->constant &&
		    f->type == j->frames->number && j->frames->nfield > 0) {
			for (uint64_t n = jfr_int(&at); n > 0 && !at.bad; n--)
				read_frame(j, &at);
		} else {
			jfr_skip(&j->chunk, &at, f);
		}
	}
	m.n = (uint32_t)j->nname - m.first;
	vec_fit(j->made, j->capmade, j->nmade + 1);
	j->made[j->nmade++] = m;
	*known = (void *)(uintptr_t)j->nmade;
	return &j->made[j->nmade - 1];
}

/* Its name in Java, or else that of the system; and its number in one of them. */
static void
read_thread(struct recording *j, uint64_t number)
{
	const struct jfr_type *type = j->threads;
	uint64_t java = 0, system = 0;
	struct jfr_cursor at;

	text_cut(&j->thread, 0);
	text_cut(&j->tid, 0);
	if (!jfr_constant(&j->chunk, type, number, &at))
		return;
	for (size_t i = 0; i < type->nfield && !at.bad; i++) {
		const struct jfr_field *f = &type->field[i];

		if (str_is(f->name, "osName")) {
			read_text(j, &at, f, &j->thread);
		} else if (str_is(f->name, "javaName")) {
			read_text(j, &at, f, &j->function);
			if (j->function.len > 0) {
				text_cut(&j->thread, 0);
				text_str(&j->thread, text_as_str(&j->function));
			}
		} else if (str_is(f->name, "javaThreadId")) {
			java = jfr_number(&j->chunk, &at, f);
		} else if (str_is(f->name, "osThreadId")) {
			system = jfr_number(&j->chunk, &at, f);
		} else {
			jfr_skip(&j->chunk, &at, f);
		}
	}
	if (java > 0 || system > 0)
		text_printf(&j->tid, "%llu", (unsigned long long)(java > 0 ? java : system));
}

/* Whether --state, a list with commas, names this one, with STATE_ or without. */
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
take_event(struct recording *j, const struct jfr_type *type, struct kind *k, struct jfr_cursor *c)
{
	uint64_t field[SAMPLES + 1] = {0};
	size_t begin = c->at;
	const struct options *o = j->reader->options;
	struct sampler *s = j->reader->sampler;
	struct sample_task task = {0};
	const struct made *stack;
	value weight = VALUE_ONE;

	for (size_t i = 0; i < type->nfield && !c->bad; i++)
		if (k->role[i] == NO_ROLE)
			jfr_skip(&j->chunk, c, &type->field[i]);
		else
			field[k->role[i]] = jfr_number(&j->chunk, c, &type->field[i]);
	if (c->bad) {
		reader_malformed_byte(j->reader, begin, "an event that is cut off");
		return;
	}
	if (field[STACK] == 0)
		return;
	if (o->state != NULL) {
		constant_text(j, j->states, field[STATE], "name", &j->state);
		if (!is_wanted(o->state, text_as_str(&j->state)))
			return;
	}
	if (k->weight != NO_ROLE) {
		uint64_t n = field[k->weight];

		weight = value_of(k->weight == DURATION ? jfr_ticks_ns(&j->chunk, n) : n);
	}
	if (o->threads || o->sample.tid) {
		read_thread(j, field[THREAD]);
		task.tid = text_as_str(&j->tid);
		if (o->threads)
			task.comm = text_as_str(&j->thread);
	}
	if (!sample_begin(
		s, &task, event_of(j, type, k), jfr_time(&j->chunk, field[START]), weight))
		return;
	stack = stack_of(j, field[STACK]);
	for (uint32_t i = 0; stack != NULL && i < stack->n; i++)
		sample_frame_named(s, j->name[stack->first + i]);
	sample_end(s);
	if (stack == NULL)
		reader_malformed_byte(
		    j->reader, begin, "an event's stack that is not in the recording");
}

/* jdk.ActiveSetting: the period of ExecutionSample is `10 ms`, async-profiler's interval ns. */
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

	for (size_t i = 0; i < type->nfield && !c->bad; i++) {
		const struct jfr_field *f = &type->field[i];

		if (str_is(f->name, "id"))
			id = jfr_number(&j->chunk, c, f);
		else if (str_is(f->name, "name"))
			read_text(j, c, f, &name);
		else if (str_is(f->name, "value"))
			read_text(j, c, f, &text);
		else
			jfr_skip(&j->chunk, c, f);
	}
	of = jfr_type(&j->chunk, id);
	k = of != NULL ? &j->kind[of - j->chunk.type] : NULL;
	s = text_as_str(&text);
	if (!c->bad && k != NULL && k->stacked && k->weight == NO_ROLE &&
	    amount_take(&s, &v, &unit) && s.len == 0 &&
	    ((str_is(text_as_str(&name), "period") && strcmp(unit, "ns") == 0) ||
		(str_is(text_as_str(&name), "interval") && unit[0] == '\0'))) {
		k->period = v;
		if (k->seen)
			sampler_period(j->reader->sampler, k->event, v, "ns");
	}
	text_free(&name);
	text_free(&text);
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
 * Of what there is, the first of these is kept where the user named none: what runs, then
 * what is allocated. Otherwise the event that is seen first.
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
		else if (j->kind[t - j->chunk.type].stacked)
			take_event(j, t, &j->kind[t - j->chunk.type], &event);
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
		free(j.stack.slot);
		free(j.method.slot);
		j.stack = j.method = (struct intmap){0};
		j.nmade = j.nname = 0;
		at = j.chunk.end;
		jfr_chunk_free(&j.chunk);
	}
	free(j.made);
	free(j.name);
	text_free(&j.class);
	text_free(&j.function);
	text_free(&j.thread);
	text_free(&j.tid);
	text_free(&j.state);
	text_free(&j.scratch);
}

static int
sniff(const char *data, size_t len)
{
	return len >= 4 && memcmp(data, "FLR", 4) == 0 ? 100 : 0;
}

const struct format jfr_format = {
    .name = "jfr",
    .description = "flight recordings of the JDK and of async-profiler",
    .origin = "java -XX:StartFlightRecording=filename=rec.jfr,settings=profile -jar app.jar",
    .lacks = DATA_PID | DATA_MODULE | DATA_ADDRESS,
    .has = HAS_THREADS | HAS_STATE,
    .sniff = sniff,
    .read = read_input,
};
