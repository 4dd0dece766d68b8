/*
 * joined: the text of an identity's functions, and a differential that another program made.
 */
#include "names/joined.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"

/* True if a frame's text is chosen before another one, of the same profile. */
static bool
is_before(const struct calltree_name *a, const struct calltree_name *b)
{
	return calltree_compare_names(a, b) < 0;
}

void
joined_find(struct joined *j, const struct identity_side *profile, size_t sides)
{
	struct identity_side *side = cli_alloc(sides, sizeof *side);
	struct identity id;
	const struct calltree_name **frame; /* by function */
	size_t *last; /* by function: the side of its frame */
	uint32_t *number; /* by function, in spelling */
	struct text text = {0};

	memcpy(side, profile, sides * sizeof *side);
	identity_find(&id, side, sides);
	frame = cli_alloc(id.functions->nname, sizeof *frame);
	last = cli_alloc(id.functions->nname, sizeof *last);
	number = cli_alloc(id.functions->nname, sizeof *number);
	*j = (struct joined){calltree_new(0), cli_alloc(sides, sizeof *j->text), sides};
	for (size_t s = 0; s < sides; s++)
		for (uint32_t i = 1; i < side[s].n; i++) {
			uint32_t f = side[s].function[i];

			if (frame[f] == NULL || last[f] != s ||
			    is_before(&side[s].name[i], frame[f]))
				frame[f] = &side[s].name[i];
			last[f] = s;
		}
	for (uint32_t f = 1; f < id.functions->nname; f++)
		if (frame[f] != NULL)
			number[f] = identity_text(&id, f, frame[f], &text)
					? calltree_intern(j->spelling, text.s, text.len)
					: calltree_intern(j->spelling, frame[f]->s, frame[f]->len);
	for (size_t s = 0; s < sides; s++) {
		j->text[s] = cli_alloc(side[s].n, sizeof *j->text[s]);
		for (uint32_t i = 1; i < side[s].n; i++)
			j->text[s][i] = number[side[s].function[i]];
	}
	text_free(&text);
	free(frame);
	free(last);
	free(number);
	identity_free(&id);
}

void
joined_free(struct joined *j)
{
	for (size_t s = 0; s < j->sides; s++)
		free(j->text[s]);
	free(j->text);
	calltree_free(j->spelling);
	*j = (struct joined){0};
}

#define COLUMNS 2

/* A differential: the part of its tree that each column has. */
struct parts {
	uint8_t *node; /* by node: a bit for each column */
	uint8_t *name; /* by name: the same */
	struct calltree_name *frame[COLUMNS]; /* of the names that each column has; from 1 */
	uint32_t *number[COLUMNS]; /* by name: its number in frame */
};

/* Finds the parts; false if no name could be another one of the other column. */
static bool
find_parts(struct parts *p, const struct calltree *t)
{
	uint8_t single = 0; /* columns that have a name of their own */

	for (uint32_t i = t->nnode; i-- > 1;) {
		for (unsigned c = 0; c < COLUMNS; c++)
			if (calltree_self(t, i, c) != 0)
				p->node[i] |= (uint8_t)(1 << c);
		if (p->node[i] == 0 && calltree_is_stack(t, i))
			p->node[i] = 1 << 1;
		p->node[t->node[i].parent] |= p->node[i];
		p->name[t->node[i].name] |= p->node[i];
	}
	for (uint32_t i = 1; i < t->nname; i++)
		if (p->name[i] != 3)
			single |= p->name[i];
	return single == 3;
}

/* Collects the names that a column has. */
static void
collect(struct parts *p, const struct calltree *t, unsigned column, struct identity_side *side)
{
	p->frame[column] = cli_alloc(t->nname, sizeof *p->frame[column]);
	p->number[column] = cli_alloc(t->nname, sizeof *p->number[column]);
	side->name = p->frame[column];
	side->n = 1;
	for (uint32_t i = 1; i < t->nname; i++)
		if (p->name[i] & (1 << column)) {
			p->frame[column][side->n] = t->name[i];
			p->number[column][i] = side->n++;
		}
}

/* True if a column has a name whose text is another one now. */
static bool
renames(const struct parts *p, const struct joined *j, const struct identity_side *side, unsigned c)
{
	for (uint32_t i = 1; i < side->n; i++) {
		const struct calltree_name *a = &p->frame[c][i];
		const struct calltree_name *b = &j->spelling->name[j->text[c][i]];

		if (a->len != b->len || memcmp(a->s, b->s, a->len) != 0)
			return true;
	}
	return false;
}

/* Adds the stacks of both columns to a tree with the text that j has for each function. */
static struct calltree *
rename_parts(const struct calltree *t, const struct parts *p, const struct joined *j)
{
	struct calltree *to = calltree_new(t->columns);
	uint32_t *name = cli_alloc(j->spelling->nname, sizeof *name);

	for (uint32_t i = 1; i < j->spelling->nname; i++)
		name[i] = calltree_intern(to, j->spelling->name[i].s, j->spelling->name[i].len);
	for (unsigned c = 0; c < COLUMNS; c++) {
		uint32_t *node = cli_alloc(t->nnode, sizeof *node);

		for (uint32_t i = 1; i < t->nnode; i++) {
			if (!(p->node[i] & (1 << c)))
				continue;
			node[i] = calltree_child(to, node[t->node[i].parent],
			    name[j->text[c][p->number[c][t->node[i].name]]]);
			if (value_array_has(&t->self[c], i))
				calltree_add(to, node[i], c, calltree_self(t, i, c));
		}
		free(node);
	}
	free(name);
	return to;
}

struct calltree *
joined_columns(struct calltree *t, const struct labels *labels)
{
	struct parts p = {.node = cli_alloc(t->nnode, sizeof *p.node),
	    .name = cli_alloc(t->nname, sizeof *p.name)};
	struct calltree *to = t;

	if (find_parts(&p, t)) {
		struct identity_side side[COLUMNS] = {0};
		struct joined j;

		for (unsigned c = 0; c < COLUMNS; c++) {
			side[c].labels = labels;
			collect(&p, t, c, &side[c]);
		}
		joined_find(&j, side, COLUMNS);
		if (renames(&p, &j, &side[0], 0) || renames(&p, &j, &side[1], 1)) {
			to = rename_parts(t, &p, &j);
			calltree_free(t);
		}
		joined_free(&j);
	}
	for (unsigned c = 0; c < COLUMNS; c++) {
		free(p.frame[c]);
		free(p.number[c]);
	}
	free(p.node);
	free(p.name);
	return to;
}
