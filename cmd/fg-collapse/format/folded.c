/*
 * folded: stacks that are already folded, merged without changes.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/foldedframe.h"
#include "profile/folded.h"
#include "profile/foldedtest.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/nodes.h"

static uint32_t
add_stack(struct sampler *s, struct text *work, const char *stack, size_t len)
{
	const char *end = stack + len, *semicolon;
	uint32_t node = CALLTREE_ROOT;

	do {
		semicolon = memchr(stack, ';', (size_t)(end - stack));
		if (semicolon == NULL)
			semicolon = end;
		node = sample_child(s, node,
		    foldedframe_name(s, work, (struct str){stack, (size_t)(semicolon - stack)}));
		stack = semicolon + 1;
	} while (semicolon < end);
	return node;
}

/* Reads stack by stack, for options that change stacks or preserve their order. */
static void
read_stacks(struct sampler *s, struct folded_file *f)
{
	const struct folded_columns *columns = &f->folded->columns;
	uint64_t time = SAMPLE_NO_TIME;
	struct text work = {0};
	struct folded_line l;

	while (folded_next(f, &l)) {
		if (l.time.len > 0 && s->options->time_order && foldedheader_time(l.time, &time))
			s->marked = true;
		sampler_tree(s, columns->name, columns->n);
		sample_add(s, add_stack(s, &work, l.stack, l.len), time, l.value);
	}
	text_free(&work);
}

static void
read_input(struct reader *r)
{
	const struct sample_options *o = &r->options->sample;
	struct sampler *s = r->sampler;
	struct folded folded = {
	    .strict = r->options->strict, .columns = s->about, .no_labels = r->options->no_labels};
	bool first = s->columns == 0;
	struct folded_file f;

	sampler_input(s, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	folded.columns.n = s->columns; /* number of columns of the previous inputs */
	folded_consumer(&f, &folded, r->lines);
	if (o->style.annotate != ANNOTATE_ALL || o->nskip_after > 0 || o->time_order ||
	    o->recursive) {
		read_stacks(s, &f);
	} else {
		struct calltree *tree = s->tree;

		folded_read(&f, &tree);
		if (tree != NULL)
			sampler_adopt(s, tree, folded.columns.name);
	}
	r->stacks += folded.lines;
	r->malformed += folded.malformed;
	sample_malformed(s, folded.malformed, 0);
	folded_release(&f);
	memcpy(s->about.unit, folded.columns.unit, sizeof s->about.unit);
	memcpy(s->about.period, folded.columns.period, sizeof s->about.period);
	memcpy(s->about.values, folded.columns.values, sizeof s->about.values);
	s->about.labels = folded.columns.labels;
	s->about.ends = folded.columns.ends;
	for (unsigned c = 0; first && c < folded.columns.n; c++)
		free(folded.columns.name[c]);
}

static int
sniff(const char *data, size_t len)
{
	return foldedtest(data, len, false).sure;
}

const struct format folded_format = {
    .name = "folded",
    .description = "folded stacks, passed through and merged",
    .origin = "any stackcollapse script; py-spy record -f raw; the -f of bcc tools",
    .provides = DATA_KIND | DATA_ORDER,
    .bytes = FORMAT_ANY, /* detection of folded text has its own rule */
    .flat = true,
    .sniff = sniff,
    .read = read_input,
};
