/*
 * give: finds the unit of each event's values, and passes the entries to the sampler.
 */
#include "fg-collapse/perfreport/give.h"

#include <string.h>

#include "base/cli.h"
#include "fg-collapse/perfreport/chains.h"
#include "fg-collapse/perfreport/chaintree.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/scan.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/sample.h"

/* Values of an event: percent of its total, samples, or the period. */
enum unit { UNIT_PERCENT, UNIT_SAMPLES, UNIT_PERIOD };

/* Fills f from a name as perf printed it; f's function points into *name. */
static void
make_frame(const struct entries *p, const struct entry *e, struct frame *f, struct text *name,
    struct str s)
{
	*f = (struct frame){0};
	f->inlined = chains_name(s).len < s.len;
	s = chains_name(s);
	text_cut(name, 0);
	if (!str_is(s, "[unknown]") && !str_starts(s, "0x") && !str_is(s, "0"))
		plainname_add(name, s, false);
	f->function = text_as_str(name);
	if (str_equal(s, entries_text(p, e->symbol))) {
		f->module = entries_text(p, e->module);
		f->kind = e->kind;
	}
}

/* Passes v for the entry's symbol only (and its module, if requested). */
static void
give_symbol(struct entries *p, const struct entry *e, value v, bool module)
{
	struct sampler *s = p->reader->sampler;
	struct sample_task task = {.comm = entries_text(p, e->comm)};
	struct text name = {0};
	struct frame f;

	if (v == 0 || !sample_begin(s, &task, p->tree.event, SAMPLE_NO_TIME, v))
		return;
	if (e->symbol.len > 0) {
		make_frame(p, e, &f, &name, entries_text(p, e->symbol));
		sample_frame(s, &f);
	}
	if (module && e->module.len > 0) {
		f = (struct frame){.function = frame_module_name(entries_text(p, e->module))};
		sample_frame(s, &f);
	}
	sample_end(s);
	text_free(&name);
}

static void
give_chain(struct entries *p, const struct entry *e, const struct chain *c)
{
	struct sample_task task = {.comm = entries_text(p, e->comm)};
	struct str s = entries_text(p, c->frames);
	struct text name = {0};

	if (!sample_begin(p->reader->sampler, &task, p->tree.event, SAMPLE_NO_TIME, c->v))
		return;
	while (s.len > 0) {
		size_t last = str_find_last(s, ";");
		struct str frame;
		struct frame f;

		if (p->caller) { /* from its end: leaf first */
			frame = last < s.len ? str_from(s, last + 1) : s;
			s.len = last < s.len ? last : 0;
		} else {
			frame = scan_until(&s, ';');
		}
		make_frame(p, e, &f, &name, frame);
		sample_frame(p->reader->sampler, &f);
	}
	sample_end(p->reader->sampler);
	text_free(&name);
}

/*
 * True if perf left the leaf out of the entry's tree: with the symbol as first key of --sort it
 * prints the first frame of a tree only as the symbol of the entry.
 */
static bool
lacks_leaf(const struct entries *p, const struct entry *e)
{
	for (int i = COMMAND; i <= OBJECT; i++)
		if (p->column[i].width > 0 && p->column[i].at < p->column[SYMBOL].at)
			return false;
	for (size_t i = 0, first = 1; i < e->nnode; i++) {
		const struct node *n = &p->node[e->node + i];
		struct str name = entries_text(p, n->name);

		first |= n->depth == 0;
		if (first && str_equal(chains_name(name), entries_text(p, e->symbol)))
			return false;
		first &= chains_name(name).len < name.len; /* inlined: the next one as well */
	}
	return !p->caller && e->symbol.len > 0;
}

/* Passes a tree whose value is `total`. */
static void
give_tree(struct entries *p, const struct entry *e, value total, bool counted)
{
	struct sample_task task = {.comm = entries_text(p, e->comm)};
	value sum = chaintree_values(p, e, total, counted);
	const uint32_t above = lacks_leaf(p, e) ? 1 : 0;
	struct text name = {0};

	p->tree.callers = !p->caller;
	p->tree.task = task;
	p->tree.root = sample_root(p->reader->sampler, &task);
	if (above > 0) {
		struct frame f;

		make_frame(p, e, &f, &name, entries_text(p, e->symbol));
		indent_line(&p->tree, 0, &f, sum);
	}
	for (size_t i = 0; i < e->nnode; i++) {
		const struct node *n = &p->node[e->node + i];
		struct frame f;

		make_frame(p, e, &f, &name, entries_text(p, n->name));
		indent_line(&p->tree, n->depth + above, &f, n->v);
	}
	indent_end(&p->tree);
	if (total > sum)
		give_symbol(p, e, total - sum, false);
	text_free(&name);
}

/*
 * Sum of the first fork of a tree, or of the folded chains: perf prints the number of a branch
 * exactly, that of an entry only with a column of samples.
 */
static value
printed_sum(const struct entries *p, const struct entry *e)
{
	uint32_t depth = UINT32_MAX;
	value sum = 0;

	for (size_t i = 0; i < e->nchain; i++)
		sum = value_sum(sum, p->chain[e->chain + i].v);
	for (size_t i = 0; i < e->nnode; i++) {
		const struct node *n = &p->node[e->node + i];

		if (n->v == NO_VALUE || (depth != UINT32_MAX && n->depth != depth))
			continue;
		depth = n->depth;
		sum = value_sum(sum, n->v);
	}
	return sum;
}

static bool
has_chains(const struct entries *p, const struct part *part)
{
	for (size_t i = 0; i < part->nentry; i++)
		if (p->entry[part->entry + i].nnode + p->entry[part->entry + i].nchain > 0)
			return true;
	return false;
}

/* The unit of all entries of a part. Numbers are samples or, with -g period, parts of the period.
 */
static enum unit
unit_of(const struct entries *p, const struct part *part)
{
	value sum = 0;

	if (!part->counted)
		return !part->columned || part->percent || has_chains(p, part) ? UNIT_PERCENT
									       : UNIT_SAMPLES;
	for (size_t i = 0; i < part->nentry; i++)
		sum = value_sum(sum, printed_sum(p, &p->entry[part->entry + i]));
	return part->samples > 0 && part->period > part->samples && sum / 2 > part->samples
		   ? UNIT_PERIOD
		   : UNIT_SAMPLES;
}

/* The value of an entry: as it is printed, or its percentage of the event's total. */
static value
total_of(const struct entries *p, const struct part *part, const struct entry *e, enum unit unit)
{
	const value all = unit == UNIT_SAMPLES ? part->samples : part->period;
	const value margin = all / 20000 + VALUE_ONE / 2, sum = printed_sum(p, e);
	value v;

	if (unit == UNIT_PERCENT)
		return e->overhead;
	if (unit == UNIT_SAMPLES && part->columned)
		return e->samples;
	v = humannumber_round(
	    humannumber_scale(all, (uint64_t)(e->overhead / (VALUE_ONE / 100)), 10000));
	return sum > 0 && v <= sum + margin && sum <= v + margin ? sum : v;
}

static void
give_part(struct entries *p, const struct part *part)
{
	static const char *const name[] = {"percent", FOLDED_SAMPLES, ""};
	const enum unit unit = unit_of(p, part);
	const bool chains = has_chains(p, part);

	if (part->nentry == 0)
		return;
	p->tree.event =
	    sampler_event(p->reader->sampler, entries_text(p, part->event), str_of(name[unit]));
	sampler_values(p->reader->sampler, p->tree.event,
	    name[unit][0] == 'p' ? FOLDED_ESTIMATED : FOLDED_SAMPLED);
	for (size_t i = 0; i < part->nentry; i++) {
		const struct entry *e = &p->entry[part->entry + i];
		value total = total_of(p, part, e, unit), sum = printed_sum(p, e);

		if (e->broken) {
			sample_malformed(p->reader->sampler, 0, total);
			continue;
		}
		if (e->nnode > 0) {
			give_tree(p, e, total, unit != UNIT_PERCENT);
			continue;
		}
		for (size_t k = 0; k < e->nchain; k++)
			give_chain(p, e, &p->chain[e->chain + k]);
		if (e->nchain == 0)
			give_symbol(p, e, total, !chains);
		else if (total > sum && (unit == UNIT_PERCENT || part->columned))
			give_symbol(p, e, total - sum, false);
	}
}

void
give_report(struct entries *p)
{
	chains_find_order(p);
	for (size_t i = 0; i < p->npart; i++)
		give_part(p, &p->part[i]);
}
