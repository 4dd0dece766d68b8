/*
 * eventlist: reports the folded events and the dropped samples; lists all events.
 */
#include "fg-collapse/eventlist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/text.h"
#include "sample/write.h"

static int
compare_events(const void *a, const void *b)
{
	const struct sample_event *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

void
eventlist_report(const struct sampler *s)
{
	const struct sample_event **e = cli_alloc(s->nevent, sizeof *e);
	const struct sample_event *first = &s->event[s->column[0]];
	struct text kept = {0}, left = {0};

	for (uint32_t i = 0; i < s->nevent; i++)
		e[i] = &s->event[i];
	sort_items(e, s->nevent, sizeof *e, compare_events);
	for (uint32_t i = 0; i < s->nevent; i++) {
		if (e[i]->kept > 0 && e[i]->name[0] != '\0')
			text_printf(&kept, "%s%s", kept.len == 0 ? "" : " and ", e[i]->name);
		if (e[i]->kept < e[i]->samples)
			text_printf(&left, "%s%s (%llu)", left.len == 0 ? "; left out: " : ", ",
			    e[i]->name[0] != '\0' ? e[i]->name : "-",
			    (unsigned long long)(e[i]->samples - e[i]->kept));
	}
	free(e);
	if (s->samples == 0)
		cli_die("no samples of event %s%s%s%s", first->name,
		    s->options->range ? " between --from and --to" : "",
		    s->timeless > 0 ? "; some samples have no time" : "",
		    left.len > 0 ? left.s : "");
	if (left.len > 0 || isatty(STDERR_FILENO))
		cli_note("%llu %s%s%s, --countname %s%s", (unsigned long long)s->samples,
		    text_form(s->samples, "sample", "samples"), kept.len > 0 ? " of " : "",
		    kept.len > 0 ? kept.s : "", sampler_unit(s, first), left.len > 0 ? left.s : "");
	text_free(&kept);
	text_free(&left);
}

/* A row of the list. */
struct row {
	struct text name; /* without control characters, for a terminal */
	const char *unit;
	char samples[24], total[VALUE_CHARS];
	bool kept;
};

static void
fill(struct row *r, const char *name, const char *unit, uint64_t samples, value total, bool kept)
{
	*r = (struct row){.unit = unit, .kept = kept};
	text_show(&r->name, str_of(name));
	snprintf(r->samples, sizeof r->samples, "%llu", (unsigned long long)samples);
	value_format(total, r->total);
}

static int
wider(int width, const char *s)
{
	return (int)strlen(s) > width ? (int)strlen(s) : width;
}

static void
write_rows(struct row *row, size_t n, struct output *out)
{
	int name = 5, unit = 4, samples = 7, total = 5;

	for (size_t i = 0; i < n; i++) {
		name = wider(name, row[i].name.s);
		unit = wider(unit, row[i].unit);
		samples = wider(samples, row[i].samples);
		total = wider(total, row[i].total);
	}
	output_printf(out, "%-*s  %-*s  %*s  %*s\n", name, "event", unit, "unit", samples,
	    "samples", total, "total");
	for (size_t i = 0; i < n; i++) {
		output_printf(out, "%-*s  %-*s  %*s  %*s%s\n", name, row[i].name.s, unit,
		    row[i].unit, samples, row[i].samples, total, row[i].total,
		    row[i].kept ? "  default" : "");
		text_free(&row[i].name);
	}
}

/* Lists the columns of folded input, which has no events. */
static void
list_columns(const struct sampler *s, uint64_t stacks, struct output *out)
{
	struct row row[CALLTREE_COLUMNS];

	for (unsigned c = 0; c < s->columns; c++) {
		struct value_array totals = calltree_totals(s->tree, c);
		const char *unit = s->about.unit[c];

		fill(&row[c], s->columns > 1 ? s->about.name[c] : "-", unit != NULL ? unit : "-",
		    stacks, value_array_get(&totals, CALLTREE_ROOT), true);
		value_array_free(&totals);
	}
	write_rows(row, s->columns, out);
}

void
eventlist_list(const struct sampler *s, uint64_t stacks, struct output *out)
{
	struct row *row = cli_alloc(s->nevent, sizeof *row);

	for (uint32_t i = 0; i < s->nevent; i++) {
		const struct sample_event *e = &s->event[i];

		fill(&row[i], e->name[0] != '\0' ? e->name : "-", sampler_unit(s, e), e->samples,
		    e->total, e->kept > 0);
	}
	if (s->nevent > 0)
		write_rows(row, s->nevent, out);
	free(row);
	if (stacks > 0)
		list_columns(s, stacks, out);
}
