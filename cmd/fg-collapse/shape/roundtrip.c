/*
 * roundtrip: adds the restored stacks to the sampler without an event, as for folded input.
 */
#include "fg-collapse/shape/roundtrip.h"

#include <string.h>

#include "base/cli.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/foldedframe.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/write.h"

bool
roundtrip_begin(struct roundtrip *c, struct reader *r, struct str s)
{
	struct folded_columns *columns = &c->carried.columns;
	struct foldedheader about;

	if (!fgnote_begins(s))
		return false;
	*c = (struct roundtrip){.reader = r};
	if (!fgnote_read(&c->carried, s))
		return false;
	c->start = labels_start(columns->labels);
	sampler_tree(r->sampler, columns->name, columns->n);
	about = (struct foldedheader){
	    .columns = *columns, .nunit = columns->n, .nperiod = columns->n, .nvalues = columns->n};
	if (!r->options->no_labels)
		labels_join(&r->sampler->about.labels, columns->labels);
	*columns = (struct folded_columns){.n = columns->n}; /* the sampler has the header now */
	sampler_about(r->sampler, &about);
	return true;
}

void
roundtrip_free(struct roundtrip *c)
{
	fgnote_free(&c->carried);
	text_free(&c->text);
	text_free(&c->work);
}

uint32_t
roundtrip_name(struct roundtrip *c, struct str s)
{
	text_cut(&c->text, 0);
	if (!fgnote_unframe(&c->text, s)) { /* not encoded: use the text unchanged */
		text_cut(&c->text, 0);
		text_str(&c->text, s);
	}
	/* Not frame_clean, because the folded text may have other control characters. */
	for (size_t i = 0; i < c->text.len; i++)
		if (c->text.s[i] == '\n' || c->text.s[i] == '\0')
			c->text.s[i] = ' ';
		else if (c->text.s[i] == ';')
			c->text.s[i] = ':';
	return foldedframe_name(c->reader->sampler, &c->work, text_as_str(&c->text));
}

void
roundtrip_frame(struct roundtrip *c, uint32_t name)
{
	c->node = sample_child_known(c->reader->sampler, c->node, name);
}

void
roundtrip_location(
    struct roundtrip *c, const struct tables *t, const uint32_t *name, uint32_t location)
{
	const struct tables_location *l;

	if (location >= t->nlocation) {
		roundtrip_frame(c, SAMPLE_MISSING);
		return;
	}
	l = &t->location[location];
	for (uint32_t k = l->lines; k-- > 0;) {
		uint32_t function = t->line[l->line + k].function;

		roundtrip_frame(c, function < t->nfunction ? name[function] : SAMPLE_MISSING);
	}
}

void
roundtrip_add(struct roundtrip *c, uint64_t time, const value *v)
{
	struct sampler *s = c->reader->sampler;

	if (c->node == SAMPLE_MISSING) {
		sample_malformed(s, 0, v[0]);
		return;
	}
	if (time == SAMPLE_NO_TIME || !s->options->time_order) {
		sample_add(s, c->node, SAMPLE_NO_TIME, v);
		return;
	}
	s->marked = true;
	sample_add(s, c->node, time < c->start ? time : time - c->start, v);
}

void
roundtrip_end(struct roundtrip *c, uint64_t time, const value *v)
{
	struct sampler *s = c->reader->sampler;
	const bool first = s->account.missing == 0;

	roundtrip_add(c, time, v);
	if (c->node != SAMPLE_MISSING) {
		c->reader->stacks++;
	} else {
		sample_missing(s, 1);
		if (first)
			s->account.first_missing += c->reader->stacks;
	}
	c->node = CALLTREE_ROOT;
}

void
roundtrip_check(const struct roundtrip *c)
{
	if (!c->rounded && !fgnote_rest_unread(&c->carried))
		return;
	cli_warn("%s: the decimals in fg-render's note do not match the samples; values are "
		 "rounded or wrong",
	    lines_name(c->reader->lines));
	if (c->reader->options->strict)
		cli_exit_error();
}

value
roundtrip_value(struct roundtrip *c, unsigned column, uint64_t n)
{
	value v;

	if (c->carried.rest[column].len > 0 && !c->rounded) {
		if (fgnote_exact(&c->carried, column, n, &v))
			return v;
		c->rounded = true;
	}
	return n * fgnote_step(&c->carried, column);
}
