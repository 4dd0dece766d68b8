/*
 * bridge: export of folded stacks as profiles of other tools. Each format has a file that
 * walks the tree and writes while it walks:
 *
 *	for (node = CALLTREE_ROOT, depth = 0; (node = calltree_next(b.tree, node, &depth)) != 0;)
 *		if (bridge_ends(&b, node, k))
 *			write the stack with bridge_value(&b, node, k)
 *
 * For the note that makes some of the exports lossless, see profile/fgnote.h.
 */
#ifndef BRIDGE_H
#define BRIDGE_H

#include "fg-render/picture.h"
#include "fg-render/reading/times.h"
#include "profile/fgnote.h"

struct bridge {
	const struct options *options;
	const struct calltree *tree; /* in canonical order, or in that of the input */
	struct fgnote carried; /* the fgnote of the export; its columns are those written */
	unsigned column[CALLTREE_COLUMNS]; /* columns of the tree, by index of carried.columns */
	const struct times *times; /* samples in time order, or NULL */
	uint32_t gap; /* name number of gaps in a flame chart, or 0 */
	struct text work;
};

/*
 * Opens a picture without OUTPUT_LAYOUT: only its tree, columns, times and gap are used.
 * Release with bridge_close.
 */
void bridge_open(struct bridge *b, const struct picture *p);
void bridge_close(struct bridge *b);

/* True if a node is a frame. A gap of a flame chart is not: it is self time of its caller. */
static inline bool
bridge_is_frame(const struct bridge *b, uint32_t node)
{
	return b->gap == 0 || b->tree->node[node].name != b->gap;
}

/* True if a stack with a value, even 0, in column k ends at the node. */
static inline bool
bridge_ends(const struct bridge *b, uint32_t node, unsigned k)
{
	return value_array_has(&b->tree->self[b->column[k]], node);
}

/* True if a stack with a value in one of the columns ends at the node. */
static inline bool
bridge_is_stack(const struct bridge *b, uint32_t node)
{
	for (unsigned k = 0; k < b->carried.columns.n; k++)
		if (bridge_ends(b, node, k))
			return true;
	return false;
}

value bridge_value(const struct bridge *b, uint32_t node, unsigned k);

/*
 * Exits with an error that names the column if a value times 10^digits, or the sum of all, is
 * above the limit; `words` is the limit in words.
 */
void bridge_limit(const struct bridge *b, unsigned k, uint64_t limit, const char *words);

/* Returns the number of decimals of a column's values, for carried.digits. */
unsigned bridge_digits(const struct bridge *b, unsigned k);

/* Returns the name to show for a frame: its function, or [module]. Valid until the next call. */
struct str bridge_function(struct bridge *b, uint32_t name, struct frame *f);

const char *bridge_unit(const struct bridge *b, unsigned k); /* "samples" if none is given */
const char *bridge_column(const struct bridge *b, unsigned k); /* name, or else the unit */

/* Appends s as a JSON string with its quotes; text_show encodes other bytes than UTF-8. */
void json_clean(struct text *t, struct str s);

void bridge_speedscope(const struct picture *p, struct output *o);
void bridge_firefox(const struct picture *p, struct output *o);
void bridge_d3(const struct picture *p, struct output *o);
void bridge_pprof(const struct picture *p, struct output *o);
void bridge_otlp(const struct picture *p, struct output *o);
void bridge_otlpjson(const struct picture *p, struct output *o);

#endif
