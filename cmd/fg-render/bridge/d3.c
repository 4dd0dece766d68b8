/*
 * d3: writer of the nested tree of d3-flame-graph,
 * <https://github.com/spiermar/d3-flame-graph>: {"name": "root", "value": 3, "children":
 * [...]}. Values are totals. For a differential the value is head's, and delta is head minus
 * base.
 */
#include "fg-render/bridge/bridge.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"

static void
add_value(struct text *t, value v)
{
	char number[VALUE_CHARS];

	text_add(t, number, value_format(v, number));
}

static void
add_node(struct bridge *b, const struct value_array *totals, uint32_t node, struct text *t)
{
	bool two = b->carried.columns.n > 1;
	value base = value_array_get(&totals[0], node);
	struct frame f;

	text_puts(t, "{\"name\":");
	if (node == CALLTREE_ROOT)
		text_json(t, str_of("root"));
	else
		text_json(t, bridge_function(b, b->tree->node[node].name, &f));
	text_puts(t, ",\"value\":");
	add_value(t, two ? value_array_get(&totals[1], node) : base);
	if (two) {
		value head = value_array_get(&totals[1], node);

		text_puts(t, head < base ? ",\"delta\":-" : ",\"delta\":");
		add_value(t, head < base ? base - head : head - base);
	}
}

void
bridge_d3(const struct picture *p, struct output *o)
{
	struct value_array totals[2] = {0};
	uint32_t depth = 0, before = 0;
	struct text t = {0};
	struct bridge b;

	bridge_open(&b, p);
	/* of several columns that are not base and head, only the first */
	if (b.carried.columns.n > 1 && !folded_columns_compared(&b.carried.columns))
		b.carried.columns.n = 1;
	for (unsigned k = 0; k < b.carried.columns.n && k < 2; k++)
		totals[k] = calltree_totals(b.tree, b.column[k]);
	add_node(&b, totals, CALLTREE_ROOT, &t);
	for (uint32_t node = CALLTREE_ROOT; (node = calltree_next(b.tree, node, &depth)) != 0;) {
		if (!bridge_is_frame(&b, node)) /* a gap: its value is in its parent's total */
			continue;
		if (depth > before) {
			text_puts(&t, ",\n\"children\":[");
		} else {
			for (text_char(&t, '}'); before > depth; before--)
				text_puts(&t, "]}");
			text_puts(&t, ",\n");
		}
		add_node(&b, totals, node, &t);
		before = depth;
		output_write(o, t.s, t.len);
		text_cut(&t, 0);
	}
	text_char(&t, '}');
	for (; before > 0; before--)
		text_puts(&t, "]}");
	text_char(&t, '\n');
	output_write(o, t.s, t.len);
	value_array_free(&totals[0]);
	value_array_free(&totals[1]);
	text_free(&t);
	bridge_close(&b);
}
