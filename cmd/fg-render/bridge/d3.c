/*
 * d3: writer of the nested tree of d3-flame-graph,
 * <https://github.com/spiermar/d3-flame-graph>: {"name": "root", "value": 3, "children":
 * [...]}. Values are totals. For a differential the value is head's, and delta is head minus
 * base.
 */
#include "fg-render/bridge/bridge.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/output.h"
#include "base/text.h"

/* The names of functions as JSON, each encoded when its first node is written. */
struct encoded {
	struct text json;
	struct encoded_name {
		size_t at, len; /* len 0: not yet encoded */
	} * of; /* by name */
};

static void
write_name(struct bridge *b, struct encoded *names, uint32_t name, struct output *o)
{
	struct encoded_name *n = &names->of[name];
	struct frame f;

	if (n->len == 0) {
		n->at = names->json.len;
		text_json(&names->json, bridge_function(b, name, &f));
		n->len = names->json.len - n->at;
	}
	output_write(o, names->json.s + n->at, n->len);
}

static void
write_node(struct bridge *b, struct encoded *names, const struct value_array *totals, uint32_t node,
    struct output *o)
{
	value base = value_array_get(&totals[0], node), head = base;

	output_text(o, "{\"name\":");
	if (node == CALLTREE_ROOT)
		output_text(o, "\"root\"");
	else
		write_name(b, names, b->tree->node[node].name, o);
	output_text(o, ",\"value\":");
	if (b->carried.columns.n > 1)
		head = value_array_get(&totals[1], node);
	output_value(o, head);
	if (b->carried.columns.n > 1) {
		output_text(o, head < base ? ",\"delta\":-" : ",\"delta\":");
		output_value(o, head < base ? base - head : head - base);
	}
}

void
bridge_d3(const struct picture *p, struct output *o)
{
	struct value_array totals[2] = {0};
	uint32_t depth = 0, before = 0;
	struct encoded names = {0};
	struct bridge b;

	bridge_open(&b, p);
	/* of several columns that are not base and head, only the first */
	if (b.carried.columns.n > 1 && !folded_columns_compared(&b.carried.columns))
		b.carried.columns.n = 1;
	for (unsigned k = 0; k < b.carried.columns.n && k < 2; k++)
		totals[k] = calltree_totals(b.tree, b.column[k]);
	names.of = cli_alloc(b.tree->nname, sizeof *names.of);
	write_node(&b, &names, totals, CALLTREE_ROOT, o);
	for (uint32_t node = CALLTREE_ROOT; (node = calltree_next(b.tree, node, &depth)) != 0;) {
		if (!bridge_is_frame(&b, node)) /* a gap: its value is in its parent's total */
			continue;
		if (depth > before) {
			output_text(o, ",\n\"children\":[");
		} else {
			for (output_char(o, '}'); before > depth; before--)
				output_text(o, "]}");
			output_text(o, ",\n");
		}
		write_node(&b, &names, totals, node, o);
		before = depth;
	}
	output_char(o, '}');
	for (; before > 0; before--)
		output_text(o, "]}");
	output_char(o, '\n');
	value_array_free(&totals[0]);
	value_array_free(&totals[1]);
	text_free(&names.json);
	free(names.of);
	bridge_close(&b);
}
