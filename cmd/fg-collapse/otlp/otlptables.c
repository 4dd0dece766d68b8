/*
 * otlp: samples are stored as indices, because the tables they refer to come last.
 */
#include "fg-collapse/otlp/otlptables.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/roundtrip.h"
#include "fg-collapse/shape/scan.h"
#include "profile/labelroot.h"
#include "profile/labels.h"
#include "sample/events.h"
#include "sample/sample.h"

void
otlp_init(struct otlp *o, struct reader *r)
{
	*o = (struct otlp){.reader = r};
	tables_init(&o->tables, r->sampler);
	otlp_resource(o);
}

static void
forget(struct otlp *o)
{
	for (size_t i = 0; i < o->nattribute; i++) {
		text_free(&o->attribute[i].key);
		text_free(&o->attribute[i].value);
	}
	free(o->nodes.slot);
	o->nodes = (struct intmap){0};
	tables_free(&o->tables);
	tables_init(&o->tables, o->reader->sampler);
	o->nstack = o->nattribute = o->nof = o->nprofile_attribute = o->ntype = o->nprofile =
	    o->nsample = 0;
	o->nlocation = o->nvalue = o->ntime = o->nindex = 0;
}

void
otlp_free(struct otlp *o)
{
	forget(o);
	for (size_t i = 0; i < o->nresource; i++) {
		text_free(&o->resource[i].comm);
		text_free(&o->resource[i].pid);
		text_free(&o->resource[i].group);
	}
	text_free(&o->group);
	free(o->resource);
	free(o->stack);
	free(o->attribute);
	free(o->of);
	free(o->profile_attribute);
	free(o->type);
	free(o->profile);
	free(o->sample);
	free(o->location);
	free(o->value);
	free(o->time);
	free(o->index);
}

void
otlp_attribute(struct otlp *o, struct str key, uint32_t key_string, struct str is)
{
	struct otlp_attribute *a;

	vec_fit(o->attribute, o->capattribute, o->nattribute + 1);
	a = &o->attribute[o->nattribute++];
	*a = (struct otlp_attribute){.key_string = key_string};
	text_str(&a->key, key);
	text_str(&a->value, is);
}

void
otlp_location_attribute(struct otlp *o, uint32_t attribute)
{
	vec_fit(o->of, o->capof, o->nof + 1);
	o->of[o->nof++] = (struct otlp_of){(uint32_t)o->tables.nlocation - 1, attribute};
}

static void
add_location(struct otlp *o, struct otlp_stack *s, uint32_t location)
{
	vec_fit(o->location, o->caplocation, o->nlocation + 1);
	o->location[o->nlocation++] = location;
	s->n++;
}

void
otlp_stack(struct otlp *o)
{
	vec_fit(o->stack, o->capstack, o->nstack + 1);
	o->stack[o->nstack++] = (struct otlp_stack){o->nlocation, 0};
}

void
otlp_stack_location(struct otlp *o, uint32_t location)
{
	add_location(o, &o->stack[o->nstack - 1], location);
}

void
otlp_resource(struct otlp *o)
{
	vec_fit(o->resource, o->capresource, o->nresource + 1);
	o->resource[o->nresource++] = (struct otlp_resource){0};
}

/* Attributes that name the task. */
enum task_key { KEY_NONE, KEY_THREAD, KEY_PROGRAM, KEY_PID, KEY_TID };

static enum task_key
task_key(struct str key)
{
	return str_is(key, "thread.name")		? KEY_THREAD
	       : str_is(key, "process.executable.name") ? KEY_PROGRAM
	       : str_is(key, "process.pid")		? KEY_PID
	       : str_is(key, "thread.id")		? KEY_TID
							: KEY_NONE;
}

/* Reads an attribute that names the task: a thread's name takes precedence over a program's. */
static void
read_attribute(
    struct str key, struct str is, struct str *comm, bool *named, struct str *pid, struct str *tid)
{
	const enum task_key of = task_key(key);

	if (of == KEY_THREAD || (of == KEY_PROGRAM && !*named))
		*comm = is;
	else if (of == KEY_PID)
		*pid = is;
	else if (of == KEY_TID)
		*tid = is;
	*named |= of == KEY_THREAD;
}

void
otlp_resource_attribute(struct otlp *o, struct str key, struct str is)
{
	struct otlp_resource *r = &o->resource[o->nresource - 1];
	struct str comm = {0}, pid = {0}, tid = {0};
	const char *group_by = o->reader->options->sample.group_by;

	read_attribute(key, is, &comm, &r->named, &pid, &tid);
	if (group_by != NULL && str_is(key, group_by) && r->group.len == 0)
		labelroot_add(&r->group, group_by, is, 0);
	if (comm.len > 0) {
		text_cut(&r->comm, 0);
		text_str(&r->comm, comm);
	}
	text_str(&r->pid, pid);
}

void
otlp_profile(struct otlp *o)
{
	vec_fit(o->profile, o->capprofile, o->nprofile + 1);
	o->profile[o->nprofile++] = (struct otlp_profile){
	    .first = o->ntype, .resource = (uint32_t)o->nresource - 1, .own.first = o->nlocation};
}

void
otlp_profile_attribute(struct otlp *o, uint32_t attribute)
{
	vec_fit(o->profile_attribute, o->capprofile_attribute, o->nprofile_attribute + 1);
	o->profile_attribute[o->nprofile_attribute++] =
	    (struct otlp_profile_attribute){(uint32_t)o->nprofile - 1, attribute};
}

void
otlp_period(struct otlp *o, uint64_t period)
{
	o->profile[o->nprofile - 1].period = period;
}

void
otlp_period_type(struct otlp *o, uint32_t type, uint32_t unit)
{
	o->profile[o->nprofile - 1].period_type = type;
	o->profile[o->nprofile - 1].period_unit = unit;
}

void
otlp_type(struct otlp *o, uint32_t type, uint32_t unit)
{
	vec_fit(o->type, o->captype, o->ntype + 1);
	o->type[o->ntype++] = (struct otlp_type){type, unit, 0};
	o->profile[o->nprofile - 1].ntype++;
}

void
otlp_default(struct otlp *o, uint32_t type)
{
	o->profile[o->nprofile - 1].chosen = type;
}

void
otlp_profile_location(struct otlp *o, uint32_t location)
{
	add_location(o, &o->profile[o->nprofile - 1].own, location);
}

void
otlp_sample(struct otlp *o)
{
	vec_fit(o->sample, o->capsample, o->nsample + 1);
	o->sample[o->nsample++] = (struct otlp_sample){.profile = (uint32_t)o->nprofile - 1,
	    .stack = TABLES_NONE,
	    .value = o->nvalue,
	    .time = o->ntime,
	    .index = o->nindex};
}

void
otlp_sample_stack(struct otlp *o, uint32_t stack)
{
	o->sample[o->nsample - 1].stack = stack;
}

void
otlp_sample_piece(struct otlp *o, uint32_t start, uint32_t length)
{
	o->sample[o->nsample - 1].own = (struct otlp_stack){start, length};
}

void
otlp_sample_value(struct otlp *o, int64_t v)
{
	vec_fit(o->value, o->capvalue, o->nvalue + 1);
	o->value[o->nvalue++] = v;
	o->sample[o->nsample - 1].nvalue++;
}

void
otlp_sample_time(struct otlp *o, uint64_t ns)
{
	vec_fit(o->time, o->captime, o->ntime + 1);
	o->time[o->ntime++] = ns;
	o->sample[o->nsample - 1].ntime++;
}

void
otlp_sample_attribute(struct otlp *o, uint32_t attribute)
{
	vec_fit(o->index, o->capindex, o->nindex + 1);
	o->index[o->nindex++] = attribute;
	o->sample[o->nsample - 1].nindex++;
}

static struct str
key_of(const struct otlp *o, const struct otlp_attribute *a)
{
	return a->key_string != TABLES_NONE ? tables_text(&o->tables, a->key_string)
					    : text_as_str(&a->key);
}

/* Sets the task, and its root frame by --group-by: a sample's attribute takes precedence over its
 * resource's. */
static void
read_task(struct otlp *o, struct sample_task *task, const struct otlp_sample *x)
{
	const struct otlp_resource *r = &o->resource[o->profile[x->profile].resource];
	const char *group_by = o->reader->options->sample.group_by;
	bool named = r->named;
	size_t groups = 0;

	text_cut(&o->group, 0);
	task->comm = text_as_str(&r->comm);
	task->pid = text_as_str(&r->pid);
	for (size_t i = x->index; i < x->index + x->nindex; i++) {
		const struct otlp_attribute *a;

		if (o->index[i] >= o->nattribute)
			continue;
		a = &o->attribute[o->index[i]];
		read_attribute(key_of(o, a), text_as_str(&a->value), &task->comm, &named,
		    &task->pid, &task->tid);
		if (group_by != NULL && str_is(key_of(o, a), group_by))
			labelroot_add(&o->group, group_by, text_as_str(&a->value), groups++);
	}
	task->group = text_as_str(groups > 0 ? &o->group : &r->group);
}

/* True if a sample has an attribute of that key and value. */
static bool
has_attribute(const struct otlp *o, const struct otlp_sample *x, uint32_t attribute)
{
	const struct otlp_attribute *a = &o->attribute[attribute], *b;

	for (size_t i = x->index; i < x->index + x->nindex; i++) {
		if (o->index[i] == attribute)
			return true;
		if (o->index[i] >= o->nattribute)
			continue;
		b = &o->attribute[o->index[i]];
		if (str_equal(key_of(o, a), key_of(o, b)) &&
		    str_equal(text_as_str(&a->value), text_as_str(&b->value)))
			return true;
	}
	return false;
}

/* Adds the attributes common to all samples of the message to the profile's labels, except those
 * of the task. */
static void
share_attributes(struct otlp *o)
{
	const struct otlp_sample *first = o->sample;

	for (size_t i = 0; o->nsample > 0 && i < first->nindex && i < LABELS_KEYS; i++) {
		const uint32_t attribute = o->index[first->index + i];
		struct str key;
		size_t k = 1;

		if (attribute >= o->nattribute || o->reader->options->no_labels)
			continue;
		key = key_of(o, &o->attribute[attribute]);
		if (task_key(key) != KEY_NONE)
			continue;
		while (k < o->nsample && has_attribute(o, &o->sample[k], attribute))
			k++;
		if (k == o->nsample)
			labels_add(&o->reader->sampler->about.labels, key,
			    text_as_str(&o->attribute[attribute].value), false);
	}
}

/* Marks the locations whose frame type attribute is `kernel`. */
static void
find_kernel(struct otlp *o)
{
	for (size_t i = 0; i < o->nof; i++) {
		const struct otlp_attribute *a;

		if (o->of[i].attribute >= o->nattribute || o->of[i].location >= o->tables.nlocation)
			continue;
		a = &o->attribute[o->of[i].attribute];
		if (str_is(key_of(o, a), "profile.frame.type") &&
		    str_is(text_as_str(&a->value), "kernel"))
			o->tables.location[o->of[i].location].kernel = true;
	}
}

/* Passes the period of each event of a profile to the sampler. */
static void
set_period(const struct otlp *o, const struct otlp_profile *p)
{
	struct str of = tables_unit(
	    tables_text(&o->tables, p->period_type), tables_text(&o->tables, p->period_unit));

	for (uint32_t i = 0; i < p->ntype; i++) {
		const struct otlp_type *t = &o->type[p->first + i];

		tables_period(o->reader->sampler, t->event,
		    tables_unit(tables_text(&o->tables, t->type), tables_text(&o->tables, t->unit)),
		    p->period, of);
	}
}

static void
name_events(struct otlp *o)
{
	struct sampler *s = o->reader->sampler;

	for (size_t i = 0; i < o->ntype; i++) {
		struct str name = tables_text(&o->tables, o->type[i].type);
		struct str unit = tables_text(&o->tables, o->type[i].unit);

		if (name.len == 0)
			name = str_of("samples");
		unit = tables_unit(name, unit);
		o->type[i].event = sampler_event(s, name, unit);
		if (str_is(unit, FOLDED_SAMPLES))
			sampler_values(s, o->type[i].event, FOLDED_SAMPLED);
	}
	for (size_t i = 0; i < o->nprofile; i++)
		if (o->profile[i].period != 0)
			set_period(o, &o->profile[i]);
	for (size_t i = 0; i < o->nprofile && !o->any; i++) {
		const struct otlp_profile *p = &o->profile[i];

		o->any = p->ntype > 0;
		if (o->any)
			sampler_default(
			    s, o->type[p->first + (p->chosen < p->ntype ? p->chosen : 0)].event);
	}
}

/* Finds the locations of a sample; false if its indices are invalid. */
static bool
stack_of(const struct otlp *o, const struct otlp_sample *x, struct otlp_stack *s)
{
	const struct otlp_stack *own = &o->profile[x->profile].own;

	*s = (struct otlp_stack){0};
	if (x->stack < o->nstack)
		*s = o->stack[x->stack];
	else if (x->stack != TABLES_NONE || x->own.first > own->n ||
		 x->own.n > own->n - x->own.first)
		return false;
	else
		*s = (struct otlp_stack){own->first + x->own.first, x->own.n};
	return true;
}

static void
take(struct otlp *o, const struct otlp_sample *x, const struct sample_task *task,
    const struct sample_weight *w, unsigned n, uint64_t time)
{
	struct sampler *s = o->reader->sampler;
	struct otlp_stack stack;
	void **node = NULL;

	if (!sample_begin_all(s, task, w, n, time))
		return;
	/* Samples share stacks by index: the frames of each are looked up once for each root. */
	if (x->stack < o->nstack) {
		node = intmap_at(&o->nodes, (uint64_t)s->root << 32 | x->stack);
		if (*node != NULL) {
			sample_end_at(s, (uint32_t)(uintptr_t)*node);
			return;
		}
	}
	if (!stack_of(o, x, &stack))
		sample_frame_named(s, SAMPLE_MISSING);
	for (size_t i = stack.first; i < stack.first + stack.n; i++)
		tables_frames(&o->tables, o->location[i]);
	if (node != NULL)
		*node = (void *)(uintptr_t)sample_end_at(s, CALLTREE_ROOT);
	else
		sample_end(s);
}

static struct sample_weight
weight_of(const struct otlp_type *type, int64_t v)
{
	return (struct sample_weight){type->event, value_of((uint64_t)v)};
}

/* Takes a sample of a profile with one type: one sample per time, or one for all. */
static void
pass_times(struct otlp *o, const struct otlp_sample *x, const struct sample_task *task)
{
	const struct otlp_type *type = &o->type[o->profile[x->profile].first];
	uint32_t n = x->nvalue > 0 ? x->nvalue : x->ntime;

	for (uint32_t i = 0; i < n; i++) {
		const int64_t v = x->nvalue > 0 ? o->value[x->value + i] : 1;
		const uint32_t t = x->ntime == n ? i : 0;
		struct sample_weight w;

		if (v < 0) {
			o->lost++;
			continue;
		}
		w = weight_of(type, v);
		take(o, x, task, &w, 1, x->ntime > 0 ? o->time[x->time + t] : SAMPLE_NO_TIME);
	}
}

static void
pass_sample(struct otlp *o, const struct otlp_sample *x)
{
	const struct otlp_profile *p = &o->profile[x->profile];
	struct sample_weight w[CALLTREE_COLUMNS];
	struct sample_task task = {0};

	read_task(o, &task, x);
	if (p->ntype == 1) {
		pass_times(o, x, &task);
		return;
	}
	if (x->nvalue != p->ntype || p->ntype > CALLTREE_COLUMNS) {
		o->lost++;
		return;
	}
	for (uint32_t i = 0; i < p->ntype; i++) {
		const int64_t v = o->value[x->value + i];

		if (v < 0) {
			o->lost++;
			return;
		}
		w[i] = weight_of(&o->type[p->first + i], v);
	}
	take(o, x, &task, w, p->ntype, x->ntime > 0 ? o->time[x->time] : SAMPLE_NO_TIME);
}

/* Value of an attribute if its key is that one; else empty. */
static struct str
value_of_key(const struct otlp *o, uint32_t attribute, const char *key)
{
	const struct otlp_attribute *a;

	if (attribute >= o->nattribute)
		return (struct str){0};
	a = &o->attribute[attribute];
	return str_is(key_of(o, a), key) ? text_as_str(&a->value) : (struct str){0};
}

/* The note that all profiles have if fg-render wrote them, else empty. */
static struct str
find_note(const struct otlp *o)
{
	struct str first = {0};
	size_t n = 0;

	for (size_t i = 0; i < o->nprofile_attribute; i++) {
		struct str note = value_of_key(o, o->profile_attribute[i].attribute, FGNOTE_KEY);

		if (note.len == 0)
			continue;
		if (n++ == 0)
			first = note;
		else if (!str_equal(note, first))
			return (struct str){0};
	}
	return n == o->nprofile ? first : (struct str){0};
}

/* Adds the values of a sample of fg-render to the current stack: one, or one for each time. */
static void
pass_values(struct otlp *o, struct roundtrip *c, const struct otlp_sample *x)
{
	const unsigned column = x->profile % c->carried.columns.n;

	for (uint32_t i = 0; i < x->nvalue; i++) {
		const int64_t n = o->value[x->value + i];
		const uint64_t time = x->ntime > 0 ? o->time[x->time + i] : SAMPLE_NO_TIME;
		value v[CALLTREE_COLUMNS] = {0};

		v[column] = roundtrip_value(c, column, (uint64_t)n);
		if (i + 1 < x->nvalue)
			roundtrip_add(c, time, v);
		else
			roundtrip_end(c, time, v);
	}
}

static bool
has_negative(const struct otlp *o, const struct otlp_sample *x)
{
	uint32_t i = 0;

	while (i < x->nvalue && o->value[x->value + i] >= 0)
		i++;
	return i < x->nvalue;
}

static void
pass_restored(
    struct otlp *o, struct roundtrip *c, const uint32_t *name, const struct otlp_sample *x)
{
	struct otlp_stack stack;

	if (!stack_of(o, x, &stack) || x->nvalue == 0 ||
	    x->nvalue != (x->ntime > 0 ? x->ntime : 1) || has_negative(o, x)) {
		o->lost++;
		return;
	}
	for (size_t i = stack.first + stack.n; i-- > stack.first;)
		roundtrip_location(c, &o->tables, name, o->location[i]);
	pass_values(o, c, x);
}

/* Reads the folded stacks of a profile by fg-render unchanged; false if it is not one. */
static bool
come_back(struct otlp *o)
{
	const struct tables *t = &o->tables;
	struct roundtrip c;
	uint32_t *name;

	if (o->nprofile == 0 || !roundtrip_begin(&c, o->reader, find_note(o)))
		return false;
	name = cli_alloc(t->nfunction + 1, sizeof *name);
	for (size_t i = 0; i < t->nfunction; i++)
		name[i] = roundtrip_name(&c, tables_text(t, t->function[i].system_name));
	for (size_t i = 0; i < o->nsample; i++)
		pass_restored(o, &c, name, &o->sample[i]);
	roundtrip_check(&c);
	free(name);
	roundtrip_free(&c);
	return true;
}

/* Exits with 2 if no sample has a frame, although the profile has locations. */
static void
check_stacks(const struct otlp *o)
{
	struct otlp_stack stack;

	for (size_t i = 0; i < o->nsample; i++)
		if (!stack_of(o, &o->sample[i], &stack) || stack.n > 0)
			return;
	if (o->nsample > 0 && o->tables.nlocation > 1)
		cli_die("%s: no sample has a location of the %zu in the profile",
		    lines_name(o->reader->lines), (size_t)o->tables.nlocation);
}

void
otlp_take(struct otlp *o)
{
	if (come_back(o)) {
		forget(o);
		return;
	}
	check_stacks(o);
	sampler_tree(o->reader->sampler, NULL, 1);
	find_kernel(o);
	name_events(o);
	for (size_t i = 0; i < o->nsample; i++)
		pass_sample(o, &o->sample[i]);
	share_attributes(o);
	forget(o);
}
