/*
 * write: writes the sampler's header lines and its stacks, in canonical or time order.
 */
#include "sample/write.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "profile/folded.h"

/* The unit of an event's weights. */
static const char *
unit_of(const struct sample_event *e)
{
	return e->unit != NULL			     ? e->unit
	       : e->name[0] == '\0'		     ? FOLDED_SAMPLES
	       : e->varies || e->period != VALUE_ONE ? e->name
						     : FOLDED_SAMPLES;
}

const char *
sampler_unit(const struct sampler *s, const struct sample_event *e)
{
	return s->options->count ? FOLDED_SAMPLES : unit_of(e);
}

/* Adds an event's unit and period to those of folded inputs. */
static void
say_of_column(
    struct foldedheader *a, const struct sampler *s, unsigned column, const struct sample_event *e)
{
	const char *unit = unit_of(e);

	a->columns.values[column] = e->values;
	if (folded_unit_valid(sampler_unit(s, e)))
		folded_columns_unit(&a->columns, column, sampler_unit(s, e));
	if (e->period_given && e->stands.mixed)
		a->columns.period[column].mixed = true;
	else if (e->period_given && e->stands.unit != NULL)
		folded_columns_period(&a->columns, column, e->stands.number, e->stands.unit);
	if (e->single && !e->period_given && !e->varies && e->period != 0 &&
	    strcmp(unit, FOLDED_SAMPLES) != 0 && folded_unit_valid(unit))
		folded_columns_period(&a->columns, column, e->period, unit);
}

void
sampler_about(struct sampler *s, struct foldedheader *a)
{
	s->about.n = s->columns;
	if (foldedheader_join_units(&s->about, a) == FOLDEDHEADER_CONFLICT)
		cli_die("values of different units cannot be added up: %s and %s", s->about.unit[0],
		    foldedheader_unit(a, 0));
	foldedheader_join_periods(&s->about, a);
	foldedheader_join_values(&s->about, a, true, false);
	if (foldedheader_uneven(&s->about))
		cli_die("counts of samples at different periods cannot be added up; omit "
			"--samples, or scale the profiles with fg-merge --scale");
	foldedheader_free(a);
}

static void
say(struct sampler *s)
{
	if (s->columns > 1 && s->chosen) {
		struct foldedheader a = {
		    .nunit = s->columns, .nperiod = s->columns, .nvalues = s->columns};

		for (unsigned c = 0; c < s->columns; c++)
			say_of_column(&a, s, c, &s->event[s->column[c]]);
		sampler_about(s, &a);
	}
	for (uint32_t i = 0; s->columns == 1 && i < s->nevent; i++) {
		struct foldedheader a = {.nunit = 1, .nperiod = 1, .nvalues = 1};

		if (s->event[i].kept == 0)
			continue;
		say_of_column(&a, s, 0, &s->event[i]);
		sampler_about(s, &a);
	}
}

static int
compare_moments(const void *a, const void *b)
{
	const struct sample_moment *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* Length of a time step, ns: of the option, else the resolution of the input's time marks. */
static uint64_t
step_length(const struct sampler *s)
{
	return s->options->step != 0 ? s->options->step : s->marked ? 1 : 0;
}

/* The time step of a sample, counted from the first sample, or from 0 with time marks. */
static uint64_t
step_of(const struct sampler *s, const struct sample_moment *m)
{
	uint64_t first = s->marked ? 0 : s->moment[0].time;

	return step_length(s) == 0 ? 0 : (m->time - first) / step_length(s);
}

/*
 * Writes `# time: 0.25 s 0` at the start of a step. A value counts billionths: ns become
 * seconds.
 */
static void
write_mark(const struct sampler *s, struct output *o, uint64_t step)
{
	char time[VALUE_CHARS + sizeof " s"];
	size_t len = value_format((value)step * step_length(s), time);

	memcpy(time + len, " s", sizeof " s");
	folded_write_time(o, str_of(time), s->columns);
}

static void
write_in_time_order(struct sampler *s, struct output *o)
{
	const struct sample_moment *m = s->moment;
	const bool ends = s->about.ends && !s->options->no_header;
	struct foldedend end = {0};
	bool marks = s->timed && step_length(s) != 0 && !s->options->no_header;
	struct text stack = {0};

	if (s->nmoment > 0)
		sort_items(s->moment, s->nmoment, sizeof *s->moment, compare_moments);
	for (size_t i = 0, next; i < s->nmoment; i = next) {
		value *sum = s->weights + m[i].weight;
		uint64_t step = step_of(s, &m[i]);

		if (marks && m[i].time != SAMPLE_NO_TIME &&
		    (i == 0 || step != step_of(s, &m[i - 1])))
			write_mark(s, o, step);
		for (next = i + 1;
		     next < s->nmoment && m[next].node == m[i].node && step_of(s, &m[next]) == step;
		     next++)
			for (unsigned c = 0; c < s->columns; c++)
				sum[c] = value_sum(sum[c], s->weights[m[next].weight + c]);
		folded_stack(s->tree, m[i].node, &stack);
		foldedend_count(&end, sum, s->columns);
		folded_write_stack(o, stack.s, stack.len, sum, s->columns);
	}
	if (ends)
		foldedend_write(o, &end, s->columns);
	text_free(&stack);
}

void
sampler_describe(struct sampler *s, unsigned column, const char *unit, value period, const char *of,
    enum folded_values values)
{
	s->about.values[column] = values;
	if (folded_unit_valid(unit))
		folded_columns_unit(&s->about, column, unit);
	if (period > 0 && folded_unit_valid(of))
		folded_columns_period(&s->about, column, period, of);
}

uint64_t
sampler_length(const struct sampler *s)
{
	const struct calltree *t = s->tree;
	uint64_t *length = cli_alloc(t->nnode, sizeof *length), sum = 0;

	for (uint32_t n = CALLTREE_ROOT + 1; n < t->nnode; n++) {
		length[n] = length[t->node[n].parent] + t->name[t->node[n].name].len + 1;
		if (!s->options->time_order && calltree_is_stack(t, n))
			sum += length[n];
	}
	for (size_t i = 0; s->options->time_order && i < s->nmoment; i++)
		sum += length[s->moment[i].node];
	free(length);
	return sum;
}

void
sampler_write(struct sampler *s, struct output *o)
{
	say(s);
	s->about.n = s->columns;
	if (s->options->time_order) {
		if (!s->options->no_header && s->about.ends)
			foldedend_announce(o, s->columns);
		if (!s->options->no_header)
			folded_write_header(o, &s->about);
		write_in_time_order(s, o);
	} else {
		folded_write(o, s->tree, &s->about, !s->options->no_header);
	}
}
