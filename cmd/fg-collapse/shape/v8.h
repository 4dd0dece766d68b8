/*
 * v8: the call trees of V8's profiles: nodes with a callFrame, in a list whose children
 * are numbers, or one in the other,
 *
 *	{"id": 5, "callFrame": {"functionName": "d", "url": "a.js", "lineNumber": 13},
 *	 "hitCount": 14, "children": [6, 7]}
 *
 * (root) is no frame; (program), (idle) and (garbage collector) are.
 */
#ifndef V8_H
#define V8_H

#include "base/intmap.h"
#include "fg-collapse/shape/json.h"
#include "fg-collapse/shape/jsonarray.h"
#include "fg-collapse/shape/prefixtable.h"

struct v8 {
	struct prefixtable tree;
	struct json_numbers own; /* of each node: hitCount or selfSize */

	/* Private. */
	struct text anonymous; /* name of a function without one */
	uint32_t *near; /* by id: number of the node from 1 on, 0 for none */
	size_t nnear, capnear;
	struct intmap far; /* the same of ids that are much larger than there are nodes */
	struct v8_link {
		uint32_t node;
		bool up; /* id is its parent, else its child */
		uint64_t id;
	} * link; /* not followed yet */
	size_t nlink, caplink;
	struct v8_level { /* a node that is read, and those around it */
		uint32_t node;
		bool children; /* up to within its children */
		struct text function, url;
		uint32_t line; /* from 1 on; 0: unknown */
	} * level;
	size_t nlevel, caplevel;
	size_t levels; /* that have texts */
};

void v8_init(struct v8 *v, struct sampler *sampler);
void v8_free(struct v8 *v);

/* The value at hand: an array of nodes. */
void v8_nodes(struct v8 *v, struct json *j);
/* The same: a node with all below it. */
void v8_tree(struct v8 *v, struct json *j);

/* A node that was read elsewhere, below *parent if that is not NULL. */
void v8_add(struct v8 *v, uint64_t id, struct str function, const uint64_t *parent);

/* When all nodes are read: what is below what. */
void v8_join(struct v8 *v);

/* Say so where the callers of a node that was taken are below itself. */
void v8_check(const struct v8 *v, struct json *j);

/* Add all nodes of a piece; then the piece is empty. */
void v8_append(struct v8 *v, struct v8 *piece);

/* The node of an id, PREFIXTABLE_NONE when there is none. */
static inline uint32_t
v8_node(const struct v8 *v, uint64_t id)
{
	uint32_t number = id < v->nnear ? v->near[id] : 0;

	if (number == 0 && v->far.n > 0)
		number = (uint32_t)(uintptr_t)intmap_get(&v->far, id);
	return number > 0 ? number - 1 : PREFIXTABLE_NONE;
}

#endif
