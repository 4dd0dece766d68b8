/*
 * costs: maps the events of a callgrind file to the columns of --bottleneck.
 */
#include "fg-collapse/callgrind/costs.h"

#include <stdlib.h>

#include "base/cli.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"

void
costs_die_large(const struct costs *c)
{
	cli_die("%s:%llu: a sum of costs is over 2^63", lines_name(c->reader->lines),
	    (unsigned long long)c->reader->number + 1);
}

static bool
is_system(struct str event)
{
	return str_is(event, "sysTime") || str_is(event, "sysCpuTime");
}

static struct str
unit_in(struct str about)
{
	struct str unit = {0};

	while (about.len > 0 && about.s[about.len - 1] == ')')
		about.len--;
	for (unit.s = about.s + about.len; unit.s > about.s && unit.s[-1] != ' ';)
		unit.s--;
	unit.len = (size_t)(about.s + about.len - unit.s);
	return unit;
}

/* Reads the text after `event:` in `event: sysTime : sysTime (elapsed us)`, which precedes
 * events:. */
void
costs_about_event(struct costs *c, struct str s)
{
	static const struct {
		const char *unit;
		int64_t ns;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}};
	struct str name, unit;

	scan_blanks(&s);
	name = scan_until(&s, ' ');
	if (!is_system(name))
		return;
	unit = unit_in(str_trim(s));
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (str_is(unit, units[i].unit)) {
			c->system_unit = units[i].unit;
			c->system_ns = units[i].ns;
		}
}

/*
 * Cycles per event in each of the four columns. System time counts 1 per ns, whatever its
 * unit in the file.
 */
enum { SYSTEM = 3 };

static const struct {
	const char *event;
	unsigned column;
	int64_t cycles;
} bottlenecks[] = {
    {"Ir", 0, 1},
    {"I1mr", 1, 10},
    {"D1mr", 1, 10},
    {"D1mw", 1, 10},
    {"ILmr", 2, 100},
    {"DLmr", 2, 100},
    {"DLmw", 2, 100},
    {"sysTime", SYSTEM, 1},
    {"sysCpuTime", SYSTEM, 1},
};

static const char *const bottleneck[] = {"instruction", "cache", "memory", "system"};

void
costs_start(struct costs *c)
{
	struct sampler *s = c->reader->sampler;
	uint32_t event[4];

	c->columns = 1;
	c->system_unit = "";
	c->system_ns = 1000;
	if (!c->reader->options->bottleneck) {
		sampler_tree(s, NULL, 1);
	} else {
		c->columns = 4;
		for (unsigned i = 0; i < 4; i++)
			event[i] = c->column[i] =
			    sampler_event(s, str_of(bottleneck[i]), str_of("cycles"));
		for (unsigned i = 0; i < 4; i++)
			if (folded_values_simulated(bottleneck[i]))
				sampler_values(s, event[i], FOLDED_EXACT);
		sampler_columns(s, bottleneck, event, 4);
	}
	callgraph_init(&c->graph, c->columns);
}

static unsigned
add_event(struct costs *c, struct str name)
{
	struct sampler *s = c->reader->sampler;
	bool ten = str_ends(name, "_(10ns)"); /* Xdebug's Time_(10ns), Memory_(bytes) */
	const char *unit = ten				? "ns"
			   : str_ends(name, "_(bytes)") ? "bytes"
			   : is_system(name)		? c->system_unit
							: "";
	uint32_t event = sampler_event(s, name, str_of(unit));
	unsigned e = 0;

	if (folded_values_simulated(s->event[event].name) || str_ends(name, "_(bytes)"))
		sampler_values(s, event, FOLDED_EXACT);
	while (e < c->events && c->event[e] != event)
		e++;
	if (e < c->events)
		return e;
	c->events++;
	c->event[e] = event;
	c->scale[e] = ten ? 10 : 1;
	if (c->columns == 1) {
		sampler_default(s, event);
		c->column[0] = s->column[0];
	}
	if (c->capself > 0)
		c->self[e] = cli_alloc(c->capself, sizeof *c->self[e]);
	return e;
}

static void
add_term(struct costs *c, unsigned cost, unsigned column, int64_t factor)
{
	c->term[c->terms++] = (struct term){cost, column, factor};
	c->has[column] = true;
}

/*
 * Determines which costs of a line are added to which column. If system CPU time is known,
 * elapsed system time is ignored.
 */
static void
set_terms(struct costs *c)
{
	const size_t n = sizeof bottlenecks / sizeof bottlenecks[0];
	const struct sample_event *event = c->reader->sampler->event;
	bool cpu = false;

	c->terms = 0;
	for (unsigned i = 0; i < c->width; i++)
		cpu |= strcmp(event[c->event[c->of[i]]].name, "sysCpuTime") == 0;
	for (unsigned i = 0; i < c->width; i++) {
		const char *name = event[c->event[c->of[i]]].name;

		if (c->columns == 1 && c->event[c->of[i]] == c->column[0])
			add_term(c, i, 0, c->scale[c->of[i]]);
		for (size_t k = 0; c->columns > 1 && k < n; k++)
			if (strcmp(name, bottlenecks[k].event) == 0 &&
			    !(cpu && strcmp(name, "sysTime") == 0))
				add_term(c, i, bottlenecks[k].column,
				    bottlenecks[k].column == SYSTEM ? c->system_ns
								    : bottlenecks[k].cycles);
	}
}

void
costs_events(struct costs *c, struct str s)
{
	c->width = 0;
	for (scan_blanks(&s); s.len > 0; scan_blanks(&s)) {
		struct str name = scan_until(&s, ' ');

		if (c->width == COSTS_EVENTS || c->events == COSTS_EVENTS)
			cli_die("%s:%llu: more than %d events", lines_name(c->reader->lines),
			    (unsigned long long)c->reader->number, COSTS_EVENTS);
		c->of[c->width++] = (uint8_t)add_event(c, name);
	}
	set_terms(c);
}

static void
check_bottleneck(const struct costs *c)
{
	const char *name = lines_name(c->reader->lines);

	if (!c->has[0])
		cli_die("%s: no event Ir, which --bottleneck needs; record with valgrind "
			"--tool=callgrind --cache-sim=yes",
		    name);
	if (!c->has[1])
		cli_note("%s: no cache events, so no columns cache and memory; record with "
			 "callgrind --cache-sim=yes",
		    name);
}

void
costs_finish(struct costs *c)
{
	if (c->columns > 1)
		check_bottleneck(c);
	c->width = c->events;
	for (unsigned e = 0; e < c->events; e++)
		c->of[e] = (uint8_t)e;
	set_terms(c);
	for (uint32_t f = 0; f < c->graph.functions; f++)
		for (unsigned i = 0; i < c->terms; i++) {
			const struct term *t = &c->term[i];
			int64_t *to = &c->graph.self[(size_t)f * c->columns + t->column], cost;

			if (__builtin_mul_overflow(c->self[t->cost][f], t->factor, &cost) ||
			    __builtin_add_overflow(*to, cost, to))
				costs_die_large(c);
		}
}
