/*
 * join: for --join=function, gives the frames of all inputs' tables one text for each function.
 * A root frame of --prefix or --group-by keeps its own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"
#include "fg-merge/merge.h"
#include "profile/table.h"
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

static void
intern_frames(void *arg, const struct table *own, uint32_t number, const struct table_stack *stack)
{
	(void)own, (void)number;
	each_frame(arg, stack->text, NULL);
}

struct rewriting {
	const struct frames *frames;
	struct table *to;
	struct text stack;
};

static void
rewrite_stack(void *arg, const struct table *own, uint32_t number, const struct table_stack *stack)
{
	struct rewriting *r = arg;

	text_cut(&r->stack, 0);
	text_add(&r->stack, stack->text.s, r->frames->nprefix);
	each_frame(r->frames, stack->text, &r->stack);
	table_carry(r->to, table_find(r->to, r->stack.s, r->stack.len), own, number);
}

/* Returns a table of the same sums by the new text, and frees the other one. */
static struct table *
rewrite(struct table *own, const struct frames *f)
{
	struct rewriting r = {f, table_new(own->columns), {0}};

	table_walk(own, rewrite_stack, &r);
	text_free(&r.stack);
	table_free(own);
	return r.to;
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
		if (own[i] != NULL)
			table_walk(own[i], intern_frames, f);
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
