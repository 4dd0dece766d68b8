/*
 * bridge: folded stacks as the profiles of other tools. Each format is one file that
 * walks the tree,
 *
 *	for (node = CALLTREE_ROOT, depth = 0; (node = calltree_next(b.tree, node, &depth)) != 0;)
 *		if (bridge_ends(&b, node, k))
 *			write the stack with bridge_value(&b, node, k)
 *
 * and writes as it goes. What comes back from some of them is in profile/fgnote.h.
 */
#ifndef BRIDGE_H
#define BRIDGE_H

#include "fg-render/picture.h"
#include "fg-render/times.h"
#include "profile/fgnote.h"

struct bridge {
	const struct options *options;
	const struct calltree *tree; /* in canonical order, or in the input's */
	struct fgnote carried; /* its columns are those that are written */
	unsigned column[CALLTREE_COLUMNS]; /* of the tree, by index of these */
	const struct times *times; /* its samples in order of time, or NULL */
	uint32_t gap; /* the name of what is no frame in a flame chart, or 0 */
	struct text work;
};

/* Nothing of the picture but its tree and its columns is settled. */
void bridge_open(struct bridge *b, const struct picture *p);
void bridge_close(struct bridge *b);

/* Whether it is a frame. In a flame chart some nodes are a moment of their parent by itself. */
bool bridge_is_frame(const struct bridge *b, uint32_t node);

/* Whether a stack ends there that has a value, be it 0, in the column of that index. */
bool bridge_ends(const struct bridge *b, uint32_t node, unsigned k);
bool bridge_is_stack(const struct bridge *b, uint32_t node); /* in any column */
value bridge_value(const struct bridge *b, uint32_t node, unsigned k);

/*
 * Exits with 2, naming the column, where a value times 10^digits, or the sum of all, is
 * above the limit, which the message says in words.
 */
void bridge_limit(const struct bridge *b, unsigned k, uint64_t limit, const char *words);

/* The decimals of a column's values, for carried.digits. */
unsigned bridge_digits(const struct bridge *b, unsigned k);

/* What is shown of a frame's name: its function, or [module]. Good until the next call. */
struct str bridge_function(struct bridge *b, uint32_t name, struct frame *f);

const char *bridge_unit(const struct bridge *b, unsigned k); /* "samples" where none is said */
const char *bridge_column(const struct bridge *b, unsigned k); /* its name, or its unit */

/* How a unit of time is to ns: 1 for ns, 1000 for us... 0 for what is no time. */
uint64_t bridge_ns(const char *unit);

/* A string of JSON, with its quotes: of UTF-8; of any bytes, by vis(3). */
void json_string(struct text *t, struct str s);
void json_clean(struct text *t, struct str s);

void bridge_speedscope(const struct picture *p, struct output *o);
void bridge_firefox(const struct picture *p, struct output *o);
void bridge_d3(const struct picture *p, struct output *o);
void bridge_pprof(const struct picture *p, struct output *o);
void bridge_otlp(const struct picture *p, struct output *o);
void bridge_otlpjson(const struct picture *p, struct output *o);

#endif
