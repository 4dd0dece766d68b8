/*
 * gate: a comparison goes in, "no" comes out when something got slower by more than
 * the user allows. Decreases never fail, nor does what may be noise.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "report.h"

void
gate_parse(struct gate *g, const char *spec)
{
	const char *number = spec;
	bool self = false;
	size_t len;
	char *text;

	if (strncmp(spec, "self:", 5) == 0) {
		self = true;
		number += 5;
	} else if (strncmp(spec, "total:", 6) == 0) {
		number += 6;
	}
	len = strlen(number);
	if (len < 2 || number[len - 1] != '%')
		cli_usage("--fail-above: %s: not N%%, self:N%% or total:N%%", spec);
	text = cli_strdup(number);
	text[len - 1] = '\0';
	if (self) {
		g->self_set = true;
		g->self = cli_decimal("--fail-above", text, 0, 1e9);
	} else {
		g->total_set = true;
		g->total = cli_decimal("--fail-above", text, 0, 1e9);
	}
	free(text);
}

static bool
above(FILE *f, const struct change *c, double whole, double allowed, const char *kind,
    const struct calltree_name *name)
{
	double increase = c->head - c->base;

	if (c->verdict != VERDICT_REAL || increase <= 0 || increase <= allowed / 100 * whole)
		return false;
	fprintf(f, "too slow: %s", kind);
	if (name != NULL)
		report_name(f, name);
	if (whole > 0)
		fprintf(f, " +%.2f %% of the base, %g %% allowed", 100 * increase / whole, allowed);
	putc('\n', f);
	return true;
}

bool
gate_trips(FILE *f, const struct gate *g, const struct comparison *c)
{
	bool trips = false;

	if (g->total_set && !g->only)
		trips |= above(f, &c->whole, c->whole.base, g->total, "the whole", NULL);
	for (size_t i = 0; i < c->n; i++) {
		const struct row *row = &c->row[i];

		if (g->self_set)
			trips |=
			    above(f, &row->self, c->whole.base, g->self, "self of ", row->name);
		if (g->total_set)
			trips |= above(f, c->by == BY_STACK ? &row->self : &row->total,
			    c->whole.base, g->total, "total of ", row->name);
	}
	return trips;
}
