#include "sample/events.h"

#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "profile/folded.h"

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
		*e = (struct sample_event){.name = str_copy(name), .single = true};
		hash_index_add(&s->events, hash, s->nevent);
	}
	e->single &= s->single;
	e->values = folded_values_join(e->values, s->values);
	if (e->unit == NULL && unit.len > 0)
		e->unit = str_copy(unit);
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

/* Returns the number of a known event plus 1, or 0. */
static uint32_t
find_event(const struct sampler *s, struct str name)
{
	for (uint32_t i = 0; i < s->nevent; i++)
		if (str_equal(str_of(s->event[i].name), name))
			return i + 1;
	return 0;
}

/* Reads each event of a list into a column of its own; false, if one is unknown. */
static bool
choose_list(struct sampler *s, struct str list)
{
	uint32_t event[CALLTREE_COLUMNS] = {0};
	const char *name[CALLTREE_COLUMNS];
	unsigned n = 0;

	for (size_t at = 0, len; at <= list.len; at += len + 1) {
		const char *end = memchr(list.s + at, ',', list.len - at);
		uint32_t found;

		len = end != NULL ? (size_t)(end - list.s) - at : list.len - at;
		found = find_event(s, (struct str){list.s + at, len});
		if (found == 0 || n == CALLTREE_COLUMNS)
			return false;
		for (unsigned i = 0; i < n; i++)
			if (event[i] == found - 1)
				return false;
		event[n] = found - 1;
		name[n++] = s->event[found - 1].name;
	}
	if (n > 1)
		sampler_columns(s, name, event, n);
	return s->listed = n > 1;
}

void
sampler_default(struct sampler *s, uint32_t event)
{
	if (s->chosen)
		return;
	s->listed = false;
	if (s->options->event != NULL && choose_list(s, str_of(s->options->event)))
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
