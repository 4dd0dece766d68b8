/*
 * v8nodes: the call trees of V8's profiles: nodes with a callFrame, either in a list, with ids
 * as children, or nested:
 *
 *	{"id": 5, "callFrame": {"functionName": "d", "url": "a.js", "lineNumber": 13},
 *	 "hitCount": 14, "children": [6, 7]}
 *
 * (root) does not become a frame; (program), (idle) and (garbage collector) do.
 */
#ifndef V8NODES_H
#define V8NODES_H

#include "base/intmap.h"
#include "fg-collapse/shape/json.h"
#include "fg-collapse/shape/jsonarray.h"
#include "fg-collapse/shape/prefixtable.h"
#include "sample/sampler.h"

struct v8 {
	struct prefixtable tree;
	struct json_numbers own; /* self value of each node: hitCount or selfSize */

	size_t valued, known; /* nodes that have a self value, and an id */

	/* Private. */
	struct text anonymous; /* name for anonymous functions */
	uint32_t *near; /* by id: index of the node plus 1, 0 for none */
	size_t nnear, capnear;
	struct intmap
	    far; /* by id much larger than the number of nodes: index of the node plus 1 */
	struct v8_link {
		uint32_t node;
		bool up; /* id is that of the parent; false: of a child */
		uint64_t id;
	} * link; /* links to resolve */
	size_t nlink, caplink;
	struct v8_level { /* the current node and its ancestors */
		uint32_t node;
		bool named, known; /* its function and its id were read */
		bool children; /* reading its children */
		struct text function, url;
		uint32_t line; /* from 1; 0: unknown */
	} * level;
	size_t nlevel, caplevel;
	size_t levels; /* levels whose function and url are allocated */
};

void v8_init(struct v8 *v, struct sampler *sampler);
void v8_free(struct v8 *v);

/* Reads the current value, a node with its descendants, into a struct v8. */
void v8_tree(struct json *j, void *to);

/* Adds a node with this parent; parent is NULL for a root. */
void v8_add(struct v8 *v, uint64_t id, struct str function, const uint64_t *parent);

/*
 * Resolves the links, once all nodes are read. The stacks of a node without its caller, in a piece
 * that the producer lost, are broken: they are malformed, and reported with their value.
 */
void v8_join(struct v8 *v);

/* Warns if some nodes have a self value and others do not. */
void v8_report_values(const struct v8 *v, const struct reader *r);

/* Appends all nodes of a piece and empties the piece. */
void v8_append(struct v8 *v, struct v8 *piece);

/* Index of the node with an id, or PREFIXTABLE_BROKEN. */
static inline uint32_t
v8_node(const struct v8 *v, uint64_t id)
{
	uint32_t number = id < v->nnear ? v->near[id] : 0;

	if (number == 0 && v->far.n > 0)
		number = (uint32_t)(uintptr_t)intmap_get(&v->far, id);
	return number > 0 ? number - 1 : PREFIXTABLE_BROKEN;
}

#endif
