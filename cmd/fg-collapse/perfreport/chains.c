/*
 * chains: folded call chains of perf report. The output does not state which end is the
 * root. It follows from the entries' symbols or, if these are absent, from the end with
 * fewer distinct names.
 */
#include "fg-collapse/perfreport/chains.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/shape/scan.h"

/* Determines whether chains begin at the root, from the position of the entry's symbol. */
static void
find_order(struct report *p, struct str first, struct str last)
{
	struct str symbol = text_as_str(&p->symbol);

	if (p->caller_known || symbol.len == 0 || str_equal(first, last))
		return;
	p->caller_known = true;
	p->caller = str_equal(symbol, last) && !str_equal(symbol, first);
}

static void
take_folded(struct report *p, struct str comm, uint32_t event, value v, struct str s)
{
	struct sample_task task = {.comm = comm};
	struct text name = {0};

	if (!sample_begin(p->reader->sampler, &task, event, SAMPLE_NO_TIME, v))
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
		report_frame(p, &f, &name, frame);
		sample_frame(p->reader->sampler, &f);
	}
	sample_end(p->reader->sampler);
	text_free(&name);
}

/* Counts a name at one end of a chain, if it is new there. */
static void
count_end(struct report *p, int side, struct str name)
{
	uint32_t hash = (uint32_t)hash_bytes(name.s, name.len), *n = &p->nend[side];

	for (uint32_t at = hash, k; (k = hash_index_next(&p->ends[side], hash, &at)) != 0;)
		if (str_equal(name, text_as_str(&p->end[side][k - 1])))
			return;
	vec_fit(p->end[side], p->capend[side], (size_t)*n + 1);
	p->end[side][*n] = (struct text){0};
	text_str(&p->end[side][(*n)++], name);
	hash_index_add(&p->ends[side], hash, *n);
}

/* Gives the waiting chains to the sampler. Without a symbol they begin at the end with fewer
 * names. */
void
report_waiting(struct report *p)
{
	if (!p->caller_known)
		p->caller = p->nend[0] < p->nend[1];
	text_cut(&p->symbol, 0);
	for (size_t i = 0; i < p->nwait; i++) {
		const struct chain *c = &p->wait[i];

		take_folded(p, (struct str){p->waiting.s + c->comm, c->comm_len}, c->event, c->v,
		    (struct str){p->waiting.s + c->at, c->len});
	}
	for (int side = 0; side < 2; side++) {
		for (uint32_t i = 0; i < p->nend[side]; i++)
			text_free(&p->end[side][i]);
		free(p->end[side]);
		hash_index_free(&p->ends[side]);
	}
	free(p->wait);
	text_free(&p->waiting);
}

/* Reads `7.61% mix;sorts;main` or `14 main;sorts;mix`. */
bool
report_read_folded(struct report *p, struct str s)
{
	struct str first = s, last;
	bool percent;
	value v;

	if (!p->open || !scan_decimal(&s, &v))
		return false;
	percent = scan_word(&s, "%");
	if (!scan_word(&s, " ") || s.len == 0)
		return false;
	report_refuse_children(p);
	p->chains = true;
	report_part(p, percent ? "percent" : "samples");
	first = last = s;
	first.len = str_find(s, ";");
	if (first.len < s.len)
		last = str_from(s, str_find_last(s, ";") + 1);
	find_order(p, first, last);
	p->folded = value_sum(p->folded, v);
	if (p->caller_known || p->symbol.len > 0) {
		take_folded(p, text_as_str(&p->comm), p->tree.event, v, s);
		return true;
	}
	vec_fit(p->wait, p->capwait, p->nwait + 1);
	p->wait[p->nwait] = (struct chain){.comm = p->waiting.len,
	    .comm_len = p->comm.len,
	    .len = s.len,
	    .event = p->tree.event,
	    .v = v};
	text_str(&p->waiting, text_as_str(&p->comm));
	p->wait[p->nwait++].at = p->waiting.len;
	text_str(&p->waiting, s);
	count_end(p, 0, first);
	count_end(p, 1, last);
	return true;
}
