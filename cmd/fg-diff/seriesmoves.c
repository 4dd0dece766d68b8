/*
 * seriesmoves: compares the profiles before and after a step of a series as two sides.
 */
#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "fg-diff/compare.h"
#include "fg-diff/moved.h"
#include "fg-diff/series.h"

#define WINDOW 40 /* profiles on each side of a step that are read again to find cost shifts */

void
series_moves(struct series *s, size_t first, size_t end)
{
	static const struct spent by_function = {.by = BY_FUNCTION};
	size_t at = s->change[first].step.at;
	size_t n[2] = {
	    at < WINDOW ? at : WINDOW, s->length - at < WINDOW ? s->length - at : WINDOW};
	struct spent spent[2] = {by_function, by_function};
	struct side side[2] = {{0}, {0}};
	struct comparison *c;
	struct identity id;
	struct moves moves;

	/* the profiles between the steps before and after this one, of any function */
	for (size_t k = 0; k < s->changes; k++) {
		size_t other = s->change[k].step.at;

		if (other < at && at - other < n[0] && at - other >= SEGMENT_MIN)
			n[0] = at - other;
		if (other > at && other - at < n[1] && other - at >= SEGMENT_MIN)
			n[1] = other - at;
	}
	for (int k = 0; k < 2; k++) {
		side[k].runs = (unsigned)n[k];
		side[k].path = cli_alloc(n[k], sizeof *side[k].path);
		for (size_t i = 0; i < n[k]; i++)
			side[k].path[i] = s->path[s->file[k == 0 ? at - n[0] + i : at + i]];
		side[k].column = s->column;
		side[k].spent = &spent[k];
		side[k].nspent = 1;
		side[k].keeps_nodes = true;
		side_load(&side[k]);
	}
	side_identify(&id, &side[0], &side[1], NULL);
	side_finish(&side[0]);
	side_finish(&side[1]);
	c = compare_sides(&(struct comparing){
	    .base = &side[0],
	    .head = &side[1],
	    .noise = {.kind = NOISE_RUNS, .shares = true, .confidence = 0.99},
	    .allowed = INFINITY,
	});
	moved_find(&moves, c);
	for (size_t i = first; i < end; i++) {
		struct series_change *x = &s->change[i];
		const struct calltree_name *name = &s->names->name[x->function];
		uint32_t function = identity_named(&id, name->s, name->len);
		const struct row *row = function != 0 ? compare_function(c, function) : NULL;
		const struct move *move = row != NULL ? &moves.self[row - c->row] : NULL;

		if (x->step.after < x->step.before)
			for (size_t k = 0; k < c->n && move != NULL && !move->found; k++)
				if (moves.self[k].found && moves.self[k].from == row)
					move = &moves.self[k];
		if (move == NULL || !move->found || move->within == NULL)
			continue;
		x->moved = true;
		x->caller =
		    calltree_intern(s->names, move->within->name->s, move->within->name->len);
	}
	moved_free(&moves);
	compare_free(c);
	for (int k = 0; k < 2; k++) {
		free(side[k].path);
		side_free(&side[k]);
	}
	identity_free(&id);
}
