/*
 * join: for --join=function, gives the frames of all inputs' tables one text for each function.
 * A root frame of --prefix or --group-by keeps its own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"
#include "fg-merge/merge.h"
#include "fg-merge/table.h"
#include "names/joined.h"

/* The frames of one input. */
struct frames {
	struct calltree *names;
	size_t nprefix;
	const uint32_t *text; /* by name: its number in spelling */
	const struct calltree *spelling;
};

/* Interns the frames of a stack or, if `to` is not NULL, appends their text to it. */
static void
each_frame(const struct frames *f, struct str stack, struct text *to)
{
	const char *at = stack.s + f->nprefix, *end = stack.s + stack.len, *stop;

	for (; at <= end; at = stop + 1) {
		stop = memchr(at, ';', (size_t)(end - at));
		if (stop == NULL)
			stop = end;
		if (to == NULL) {
			calltree_intern(f->names, at, (size_t)(stop - at));
		} else {
			uint32_t name = calltree_find(f->names, at, (size_t)(stop - at));
			const struct calltree_name *text = &f->spelling->name[f->text[name]];

			text_add(to, text->s, text->len);
			if (stop < end)
				text_char(to, ';');
		}
	}
}

/* Returns a table of the same sums by the new text, and frees the other one. */
static struct table *
rewrite(struct table *own, const struct frames *f)
{
	struct table *to = table_new(own->columns);
	struct text stack = {0};

	for (uint32_t i = 0; i < own->n; i++) {
		struct str old = table_text(own, i);
		uint32_t n;

		text_cut(&stack, 0);
		text_add(&stack, old.s, f->nprefix);
		each_frame(f, old, &stack);
		n = table_find(to, stack.s, stack.len);
		for (unsigned c = 0; c < own->columns; c++)
			value_array_add(&to->sum[c], n, value_array_get(&own->sum[c], i));
	}
	text_free(&stack);
	table_free(own);
	return to;
}

void
merge_join(const struct merge *m, struct table **own)
{
	struct identity_side *side = cli_alloc(m->n, sizeof *side);
	struct frames *frames = cli_alloc(m->n, sizeof *frames);
	struct joined j;

	for (size_t i = 0; i < m->n; i++) {
		struct frames *f = &frames[i];

		*f = (struct frames){.names = calltree_new(0), .nprefix = m->source[i].nprefix};
		for (uint32_t k = 0; own[i] != NULL && k < own[i]->n; k++)
			each_frame(f, table_text(own[i], k), NULL);
		side[i] = (struct identity_side){
		    .name = f->names->name, .n = f->names->nname, .labels = m->source[i].labels};
	}
	joined_find(&j, side, m->n);
	for (size_t i = 0; i < m->n; i++) {
		frames[i].text = j.text[i];
		frames[i].spelling = j.spelling;
		if (own[i] != NULL)
			own[i] = rewrite(own[i], &frames[i]);
		calltree_free(frames[i].names);
		labels_free(m->source[i].labels);
		m->source[i].labels = NULL;
	}
	joined_free(&j);
	free(side);
	free(frames);
}
