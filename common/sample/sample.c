/*
 * sample: adds samples to a call tree. Events and frames are numbers here, so a sample needs a
 * comparison, an addition, and one lookup per frame.
 */
#include "sample/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"
#include "base/vec.h"
#include "profile/folded.h"

void
sample_skip_after(struct sample_options *o, const char *function)
{
	vec_fit(o->skip_after, o->capskip_after, o->nskip_after + 1);
	o->skip_after[o->nskip_after++] = function;
}

struct sampler *
sampler_new(const struct sample_options *o)
{
	struct sampler *s = cli_alloc(1, sizeof *s);

	s->options = o;
	s->start = SAMPLE_NO_TIME;
	return s;
}

void
sampler_free(struct sampler *s)
{
	for (uint32_t i = 0; i < s->nevent; i++) {
		free(s->event[i].name);
		free(s->event[i].unit);
		free(s->event[i].stands.unit);
	}
	folded_columns_free(&s->about);
	hash_index_free(&s->events);
	calltree_free(s->tree);
	text_free(&s->text);
	text_free(&s->task);
	free(s->event);
	free(s->moment);
	free(s->weights);
	free(s->skip);
	free(s->frame);
	free(s);
}

uint64_t
sample_ns(value v, uint64_t unit)
{
	uint64_t rest, whole = value_whole(v, &rest);

	if (whole >= SAMPLE_NO_TIME / unit)
		return SAMPLE_NO_TIME;
	return whole * unit + rest * unit / (uint64_t)VALUE_ONE;
}

void
sampler_choose(struct sampler *s)
{
	s->chosen = false;
}

void
sampler_input(struct sampler *s, const char *name, enum sample_order order)
{
	s->input = name;
	s->leaf_first = order == SAMPLE_LEAF_FIRST;
	s->started = false;
	s->start = SAMPLE_NO_TIME;
}

static char *
copy(struct str s)
{
	char *c = cli_alloc(s.len + 1, 1);

	if (s.len > 0)
		memcpy(c, s.s, s.len);
	return c;
}

uint32_t
sampler_event(struct sampler *s, struct str name, struct str unit)
{
	uint32_t hash = (uint32_t)hash_bytes(name.s, name.len);
	struct sample_event *e = NULL;

	for (uint32_t at = hash, n; (n = hash_index_next(&s->events, hash, &at)) != 0;)
		if (str_equal(str_of(s->event[n - 1].name), name)) {
			e = &s->event[n - 1];
			break;
		}
	if (e == NULL) {
		vec_fit(s->event, s->capevent, (size_t)s->nevent + 1);
		e = &s->event[s->nevent++];
		*e = (struct sample_event){.name = copy(name), .single = true};
		hash_index_add(&s->events, hash, s->nevent);
	}
	e->single &= s->single;
	e->values = folded_values_join(e->values, s->values);
	if (e->unit == NULL && unit.len > 0)
		e->unit = copy(unit);
	return (uint32_t)(e - s->event);
}

void
sampler_weights(struct sampler *s, bool single, enum folded_values values)
{
	s->single = single;
	s->values = values;
}

void
sampler_values(struct sampler *s, uint32_t event, enum folded_values values)
{
	struct sample_event *e = &s->event[event];

	e->values = folded_values_join(e->values, values);
}

void
sampler_period(struct sampler *s, uint32_t event, value period, const char *of)
{
	struct sample_event *e = &s->event[event];
	struct folded_period *p = &e->stands;

	e->period_given = true;
	if (of == NULL || period == 0 || !folded_unit_valid(of))
		return;
	if (p->unit == NULL) {
		p->number = period;
		p->unit = cli_strdup(of);
	} else if (p->number != period || strcmp(p->unit, of) != 0) {
		p->mixed = true;
	}
}

/* Sets the columns of all stacks; exits when an input has different ones. */
static void
set_columns(struct sampler *s, const char *const *name, unsigned n)
{
	bool same = s->columns == 0 || s->columns == n;

	for (unsigned c = 0; same && n > 1 && c < s->columns; c++)
		same = strcmp(s->about.name[c], name[c]) == 0;
	if (!same && (n == 1 || s->columns == 1))
		cli_die("%s: a profile with %u column%s after one with %u", s->input, n,
		    text_form(n, "", "s"), s->columns);
	if (!same)
		cli_die("%s: its columns differ from those of the profile before it", s->input);
	if (s->columns != 0)
		return;
	s->columns = n;
	s->tree = calltree_new(n);
	for (unsigned c = 0; n > 1 && c < n; c++)
		s->about.name[c] = cli_strdup(name[c]);
}

void
sampler_default(struct sampler *s, uint32_t event)
{
	if (s->chosen)
		return;
	s->chosen = true;
	s->column[0] = s->options->event == NULL
			   ? event
			   : sampler_event(s, str_of(s->options->event), (struct str){0});
}

void
sampler_columns(struct sampler *s, const char *const *name, const uint32_t *event, unsigned n)
{
	set_columns(s, name, n);
	memcpy(s->column, event, n * sizeof *event);
	s->chosen = s->started = true;
}

struct calltree *
sampler_tree(struct sampler *s, char *const *name, unsigned n)
{
	set_columns(s, (const char *const *)name, n);
	return s->tree;
}

void
sampler_adopt(struct sampler *s, struct calltree *t, char *const *name)
{
	if (s->tree == t)
		return;
	set_columns(s, (const char *const *)name, t->columns);
	calltree_free(s->tree);
	s->tree = t;
	text_cut(&s->task, 0);
}

static bool
in_range(struct sampler *s, uint64_t time)
{
	const struct sample_options *o = s->options;
	uint64_t since = time > s->start ? time - s->start : 0;

	if (time == SAMPLE_NO_TIME)
		s->timeless++;
	return time != SAMPLE_NO_TIME && since >= o->from && since < o->to;
}

void
sampler_start(struct sampler *s, uint32_t event, uint64_t time)
{
	if (!s->started) {
		sampler_default(s, event);
		set_columns(s, NULL, 1);
	}
	s->started = true;
	if (s->start == SAMPLE_NO_TIME)
		s->start = time != SAMPLE_NO_TIME ? time : 0;
}

bool
sampler_take(struct sampler *s, uint64_t time, uint64_t n)
{
	if (s->options->list || (s->options->range && !in_range(s, time))) {
		s->account.left_out += n;
		return false;
	}
	s->samples += n;
	return true;
}

bool
sampler_timeless(const struct sampler *s)
{
	return !s->options->range && !s->options->time_order;
}

bool
sample_wanted_many(struct sampler *s, uint32_t event, uint64_t n)
{
	if (s->start == SAMPLE_NO_TIME)
		sampler_start(s, event, SAMPLE_NO_TIME);
	sample_event_count(&s->event[event], VALUE_ONE, n);
	if (event != s->column[0]) {
		s->account.left_out += n;
		return false;
	}
	s->event[event].kept += n;
	return sampler_take(s, SAMPLE_NO_TIME, n);
}

value
sample_counted(const struct sampler *s, uint32_t event, value weight)
{
	const char *unit = s->event[event].unit;

	if (!s->options->count || (unit != NULL && strcmp(unit, FOLDED_SAMPLES) == 0))
		return weight;
	return VALUE_ONE;
}

static bool
begin(struct sampler *s, const struct sample_task *task, uint64_t time)
{
	s->open = true;
	s->time = time;
	s->nframe = 0;
	s->root = sample_root(s, task);
	return true;
}

bool
sample_begin(
    struct sampler *s, const struct sample_task *task, uint32_t event, uint64_t time, value weight)
{
	s->open = false;
	if (!sample_wanted(s, event, time, weight))
		return false;
	s->weight[0] = sample_counted(s, event, weight);
	return begin(s, task, time);
}

/*
 * Counts n samples of an event by their summed weight: assumes equal weights if it is divisible
 * by n.
 */
static void
count_many(struct sample_event *e, value weight, uint64_t n)
{
	if (n == 1 || weight % n == 0) {
		sample_event_count(e, n == 1 ? weight : weight / n, n);
		return;
	}
	e->varies = true;
	sample_event_count(e, weight, 1);
	e->samples += n - 1;
}

bool
sample_begin_all(struct sampler *s, const struct sample_task *task, const struct sample_weight *w,
    unsigned nweight, uint64_t time)
{
	return sample_begin_many(s, task, w, nweight, time, 1);
}

bool
sample_begin_many(struct sampler *s, const struct sample_task *task, const struct sample_weight *w,
    unsigned nweight, uint64_t time, uint64_t n)
{
	bool any = false;

	s->open = false;
	if (nweight == 0 || n == 0) {
		s->account.left_out += n > 0 ? n : 1;
		return false;
	}
	if (s->start == SAMPLE_NO_TIME)
		sampler_start(s, w[0].event, time);
	memset(s->weight, 0, s->columns * sizeof s->weight[0]);
	for (unsigned i = 0; i < nweight; i++) {
		if (w[i].weight == 0)
			continue;
		count_many(&s->event[w[i].event], w[i].weight, n);
		for (unsigned c = 0; c < s->columns; c++)
			if (s->column[c] == w[i].event) {
				value one = sample_counted(s, w[i].event, 0);

				s->weight[c] = one == 0 ? w[i].weight : one * n;
				s->event[w[i].event].kept += n;
				any = true;
			}
	}
	if (!any)
		s->account.left_out += n;
	return any && sampler_take(s, time, n) && begin(s, task, time);
}

void
sample_frame_named(struct sampler *s, uint32_t name)
{
	if (!s->open)
		return;
	vec_fit(s->frame, s->capframe, s->nframe + 1);
	s->frame[s->nframe++] = name;
}

void
sample_frame(struct sampler *s, const struct frame *f)
{
	if (s->open)
		sample_frame_named(s, sample_name(s, f));
}

void
sample_add(struct sampler *s, uint32_t node, uint64_t time, const value *weight)
{
	if (node == CALLTREE_ROOT) /* no comm and no frames */
		node = calltree_child(s->tree, node, calltree_intern(s->tree, "[unknown]", 9));
	if (!s->options->time_order) {
		for (unsigned c = 0; c < s->columns; c++)
			calltree_add(s->tree, node, c, weight[c]);
		return;
	}
	s->timed |= time != SAMPLE_NO_TIME;
	if (time == SAMPLE_NO_TIME)
		time = s->nmoment > 0 ? s->moment[s->nmoment - 1].time : 0;
	vec_fit(s->moment, s->capmoment, s->nmoment + 1);
	vec_fit(s->weights, s->capweights, s->nweights + s->columns);
	s->moment[s->nmoment++] = (struct sample_moment){time, node, s->nweights};
	memcpy(s->weights + s->nweights, weight, s->columns * sizeof *weight);
	s->nweights += s->columns;
}

uint32_t
sample_end_at(struct sampler *s, uint32_t node)
{
	if (!s->open)
		return CALLTREE_ROOT;
	s->open = false;
	if (node == CALLTREE_ROOT) {
		node = s->root;
		for (size_t i = 0; i < s->nframe; i++)
			node =
			    sample_child(s, node, s->frame[s->leaf_first ? s->nframe - 1 - i : i]);
	}
	sample_add(s, node, s->time, s->weight);
	return node;
}

void
sample_end(struct sampler *s)
{
	sample_end_at(s, CALLTREE_ROOT);
}

void
sample_count(struct sampler *s, uint32_t node, uint64_t time, uint64_t weight)
{
	value v;

	if (s->options->count)
		weight = 1;
	if (node != CALLTREE_ROOT && !s->options->time_order) {
		value_array_count(&s->tree->self[0], node, weight);
	} else {
		v = value_of(weight);
		sample_add(s, node, time, &v);
	}
}

/*
 * Length of a comm without its number: `ksoftirqd/3` is ksoftirqd, `GC Thread#0` GC Thread,
 * `pool-1-thread-12` pool-1-thread. perf writes `:-1` for a nameless thread.
 */
static size_t
normalized(const char *s, size_t len)
{
	const char *slash = memrchr(s, '/', len);
	size_t n = len;

	if (slash != NULL && slash > s && slash + 1 < s + len &&
	    ((slash[1] >= '0' && slash[1] <= '9') ||
		(slash[1] == 'u' && slash + 2 < s + len && slash[2] >= '0' && slash[2] <= '9')))
		return (size_t)(slash - s);
	while (n > 0 && s[n - 1] >= '0' && s[n - 1] <= '9')
		n--;
	if (n == len || n < 2 || s[0] == ':' || strchr("-_#:. /", s[n - 1]) == NULL)
		return len;
	while (n > 1 && strchr("-_#:. /", s[n - 1]) != NULL)
		n--;
	return n;
}

static void
add_id(struct text *t, struct str id)
{
	text_str(t, id.len > 0 ? id : str_of("?"));
}

/* The node of a root frame of group_by. */
static uint32_t
group_root(struct sampler *s, struct str group)
{
	text_cut(&s->text, 0);
	text_str(&s->text, group);
	if (group.len == 0)
		text_printf(&s->text, "%s=[unknown]", s->options->group_by);
	frame_clean(s->text.s, s->text.len);
	return calltree_child(
	    s->tree, CALLTREE_ROOT, calltree_intern(s->tree, s->text.s, s->text.len));
}

/*
 * The root frame as stackcollapse-perf.pl writes it: comm, comm-PID or comm-PID/TID, `_` for
 * spaces.
 */
uint32_t
sample_root(struct sampler *s, const struct sample_task *task)
{
	const struct sample_options *o = s->options;
	struct text *t = &s->text;
	struct str comm = task->comm;
	uint32_t parent = o->group_by == NULL ? CALLTREE_ROOT : group_root(s, task->group);

	if (o->no_comm)
		return parent;
	text_cut(t, 0);
	if (comm.len > 0 && o->normalize_comm)
		comm.len = normalized(comm.s, comm.len);
	text_str(t, comm);
	if (o->pid || o->tid) {
		if (comm.len > 0)
			text_char(t, '-');
		add_id(t, task->pid);
	}
	if (o->tid) {
		text_char(t, '/');
		add_id(t, task->tid);
	}
	if (t->len == 0)
		return parent;
	if (parent == s->task_parent && str_equal(text_as_str(t), text_as_str(&s->task)))
		return s->task_node;
	s->named = true;
	s->task_parent = parent;
	text_cut(&s->task, 0);
	text_str(&s->task, text_as_str(t));
	for (size_t i = 0; i < t->len; i++)
		if (t->s[i] == ' ')
			t->s[i] = '_';
	frame_clean(t->s, t->len);
	s->task_node = calltree_child(s->tree, parent, calltree_intern(s->tree, t->s, t->len));
	return s->task_node;
}

uint32_t
sample_name(struct sampler *s, const struct frame *f)
{
	text_cut(&s->text, 0);
	frame_write(&s->text, f, &s->options->style);
	return calltree_intern(s->tree, s->text.s, s->text.len);
}

/* True if a frame's function, or its name without suffixes, is given by --skip-after. */
static bool
is_named(const struct sample_options *o, const struct calltree_name *name)
{
	struct str body = {name->s, frame_body(name->s, name->len)};
	struct frame f;

	frame_read(&f, body);
	for (size_t i = 0; i < o->nskip_after; i++) {
		struct str wanted = str_of(o->skip_after[i]);

		if (wanted.len > 0 && (str_equal(wanted, body) || str_equal(wanted, f.function)))
			return true;
	}
	return false;
}

enum { NOT_ASKED, SKIPS, SKIPS_NOT };

static bool
skips(struct sampler *s, uint32_t name)
{
	if (name >= s->capskip) {
		size_t had = s->capskip;

		vec_fit(s->skip, s->capskip, (size_t)name + 1);
		memset(s->skip + had, NOT_ASKED, s->capskip - had);
	}
	if (s->skip[name] == NOT_ASKED)
		s->skip[name] = is_named(s->options, &s->tree->name[name]) ? SKIPS : SKIPS_NOT;
	return s->skip[name] == SKIPS;
}

uint32_t
sample_child(struct sampler *s, uint32_t node, uint32_t name)
{
	if (s->options->nskip_after > 0 && skips(s, name))
		node = CALLTREE_ROOT;
	if (s->options->recursive && node != CALLTREE_ROOT && s->tree->node[node].name == name)
		return node;
	return calltree_child(s->tree, node, name);
}

struct sampler *
sampler_fork(const struct sampler *s)
{
	struct sampler *new = sampler_new(s->options);

	new->single = s->single;
	new->values = s->values;
	new->input = s->input;
	new->leaf_first = s->leaf_first;
	new->started = s->started;
	new->start = s->start;
	for (uint32_t i = 0; i < s->nevent; i++)
		sampler_event(new, str_of(s->event[i].name), str_of(s->event[i].unit));
	new->chosen = s->chosen;
	memcpy(new->column, s->column, sizeof new->column);
	set_columns(new, NULL, 1);
	return new;
}

void
sampler_join(struct sampler *dst, struct sampler *src)
{
	for (uint32_t i = 0; i < src->nevent; i++) {
		const struct sample_event *from = &src->event[i];
		uint32_t n = sampler_event(dst, str_of(from->name), str_of(from->unit));
		struct sample_event *to = &dst->event[n];

		if (from->samples == 0)
			continue;
		to->values = folded_values_join(to->values, from->values);
		to->varies |= from->varies || (to->period != 0 && to->period != from->period);
		to->period = from->period;
		to->samples += from->samples;
		to->kept += from->kept;
		to->total = value_sum(to->total, from->total);
	}
	dst->samples += src->samples;
	dst->timeless += src->timeless;
	dst->account.left_out += src->account.left_out;
	sample_malformed(dst, src->account.malformed, src->account.lost);
	dst->named |= src->named;
	calltree_merge(dst->tree, src->tree);
	sampler_free(src);
}
