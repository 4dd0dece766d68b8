/*
 * memray: the page of memray flamegraph, HTML with the profile as JSON in a script. Until
 * memray 1.7 a tree,
 *
 *	const data = {"children": [...], "location": ["f", "a.py", 12], "n_allocations": 2,
 *	 "value": 64};
 *
 * and then columns, in which node 0 is the root:
 *
 *	const packed_data = {"nodes": {"children": [[1], []], "filename": [0, 2],
 *	 "function": [0, 1], "lineno": [0, 12], "n_allocations": [2, 2], "value": [64, 64]},
 *	 "strings": ["", "f", "a.py"]};
 *
 * Values include those of the children. A page by time (--temporal) has intervals instead, as
 * [from, to, node, allocations, bytes]: numbers of the first snapshots with and without them (null:
 * none). It also has the bytes at each snapshot, of which the largest is the peak.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/text.h"
#include "base/vec.h"
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/prefixtable.h"
#include "fg-collapse/shape/pythonframe.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

#define NEVER UINT64_MAX /* not freed */
#define AHEAD 1000000 /* nodes that a list may name before their own columns */

#define KEYS 4 /* of a node of a tree */
#define INTERVAL 5 /* numbers of an interval */

struct interval {
	uint64_t from, to; /* snapshots: the first with the allocations, the first without */
	uint64_t node, allocations, bytes;
};

struct page {
	struct reader *reader;
	struct prefixtable tree;
	struct node {
		uint64_t bytes, allocations; /* totals; at the end, self values */
	} * node, root; /* of the tree */
	size_t capnode;
	struct level {
		uint32_t node;
		unsigned seen; /* keys of the node */
		bool children; /* reading its children */
	} * level; /* of a tree: the current node and its ancestors */
	size_t nlevel, caplevel;
	struct json_strings strings; /* of columns */
	struct json_indices function, file, line;
	struct json_numbers bytes, allocations;
	struct json_indices inverted; /* nodes without imports; more than one if it is inverted */
	struct interval *interval;
	size_t ninterval, capinterval;
	struct json_numbers peaks; /* bytes at each snapshot */
	bool temporal; /* it has intervals */
	bool columns, descends; /* it has the nodes of columns, of a tree */
	uint64_t wrong; /* nodes of less than their children */
	struct text part, name, source, number;
};

/* Appends text whose special characters are HTML entities. */
static void
add_unescaped(struct text *t, struct str s)
{
	static const struct entity {
		const char *name;
		char c;
	} entity[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&#34;", '"'},
	    {"&#39;", '\''}, {"&#x27;", '\''}};

	while (s.len > 0) {
		const struct entity *e = entity, *end = entity + sizeof entity / sizeof *entity;

		while (e < end && !text_starts(s.s, s.len, e->name))
			e++;
		text_char(t, e < end ? e->c : *s.s);
		s = str_from(s, e < end ? strlen(e->name) : 1);
	}
}

/* Number in the sampler of the frame with these parts; the line as in the input. */
static uint32_t
name_of(struct page *p, struct str function, struct str file, struct str line)
{
	text_cut(&p->name, 0);
	text_cut(&p->source, 0);
	text_cut(&p->part, 0);
	add_unescaped(&p->name, function);
	add_unescaped(&p->source, file);
	pythonframe_text(&p->part, text_as_str(&p->name), text_as_str(&p->source), line);
	return sample_name(p->reader->sampler, &(struct frame){.function = text_as_str(&p->part)});
}

static uint32_t
add_node(struct page *p, uint32_t parent)
{
	uint32_t n = prefixtable_add(&p->tree, parent, 0);

	vec_fit(p->node, p->capnode, p->tree.n);
	p->node[n] = (struct node){0};
	return n;
}

/* The node of that number in columns; new ones up to it. NULL if it cannot be one. */
static struct node *
node_at(struct page *p, uint64_t number)
{
	if (number > p->tree.n + AHEAD)
		return NULL;
	while (p->tree.n <= number)
		add_node(p, PREFIXTABLE_NONE);
	return &p->node[number];
}

/* Reads ["f", "a.py", 12] into the name of the node. */
static void
read_location(struct page *p, struct json *j, uint32_t node)
{
	struct json_strings part = {0};

	json_strings(j, &part);
	p->tree.stack[node].name = name_of(
	    p, json_string_at(&part, 0), json_string_at(&part, 1), json_string_at(&part, 2));
	json_strings_free(&part);
}

static void
read_field(struct page *p, struct json *j, struct str key)
{
	struct level *l = &p->level[p->nlevel - 1];

	static const char *const keys[KEYS] = {"value", "n_allocations", "location", "children"};
	unsigned k = 0;

	while (k < KEYS && !str_is(key, keys[k]))
		k++;
	switch (k) {
	case 0: json_whole(j, &p->node[l->node].bytes); break;
	case 1: json_whole(j, &p->node[l->node].allocations); break;
	case 2: read_location(p, j, l->node); break;
	case 3: l->children = json_array(j); break;
	default: json_skip(j); return;
	}
	l->seen |= 1u << k;
}

static void
begin(struct page *p, uint32_t node)
{
	vec_fit(p->level, p->caplevel, p->nlevel + 1);
	p->level[p->nlevel++] = (struct level){node, 0, false};
}

/* Ends a node; without one of its keys it is broken, and so are its descendants. */
static void
end(struct page *p)
{
	const struct level *l = &p->level[--p->nlevel];

	if (l->seen + 1 != 1u << KEYS)
		p->tree.stack[l->node].name = SAMPLE_MISSING;
}

/* Reads the children of the root, with their descendants. */
static void
read_descendants(struct json *j, void *to)
{
	struct page *p = to;
	struct str key;

	p->descends = true;
	begin(p, 0);
	p->level[0].children = json_array(j);
	while (p->level[0].children) {
		struct level *l = &p->level[p->nlevel - 1];

		if (!l->children && json_key(j, &key))
			read_field(p, j, key);
		else if (!l->children)
			end(p);
		else if (!json_item(j))
			l->children = false;
		else if (json_object(j))
			begin(p, add_node(p, l->node));
	}
	p->nlevel = 0;
}

/* Reads the lists of children, which give the parents of their nodes. */
static void
read_children(struct json *j, void *to)
{
	struct page *p = to;
	uint32_t parent = 0, child;

	p->columns = true;
	for (bool any = json_array(j); any && json_item(j); parent++)
		for (bool more = json_array(j); more && json_item(j);)
			if (!json_index(j, &child) || child == 0 || node_at(p, parent) == NULL ||
			    node_at(p, child) == NULL)
				json_malformed(j, "a child that is not a node");
			else
				p->tree.stack[child].parent = parent;
}

/* Reads [from, to, node, allocations, bytes]. */
static void
read_interval(struct json *j, void *to)
{
	struct page *p = to;
	const uint64_t before = p->reader->malformed;
	uint64_t part[INTERVAL] = {0};
	unsigned n = 0;
	bool good = true;

	for (bool more = json_array(j); more && json_item(j); n++) {
		uint64_t v = NEVER;

		good &= json_whole(j, &v) || n == 1;
		if (n < INTERVAL)
			part[n] = v;
	}
	if (!good || n < INTERVAL) {
		if (p->reader->malformed == before) /* else one of the numbers was reported */
			json_malformed(j, "not an interval of five numbers");
		return;
	}
	vec_fit(p->interval, p->capinterval, p->ninterval + 1);
	p->interval[p->ninterval++] = (struct interval){.from = part[0],
	    .to = part[1],
	    .node = part[2],
	    .allocations = part[3],
	    .bytes = part[4]};
}

static void
read_intervals(struct json *j, void *to)
{
	struct page *p = to;

	p->temporal = true;
	for (bool any = json_array(j); any && json_item(j);)
		read_interval(j, p);
}

/* Sets what each node has of its own, from the sums with its children. */
static void
subtract_children(struct page *p)
{
	struct node *own = cli_alloc(p->tree.n, sizeof *own);

	for (uint32_t i = 0; i < p->tree.n; i++) {
		uint32_t parent = p->tree.stack[i].parent;

		own[i].bytes += p->node[i].bytes;
		own[i].allocations += p->node[i].allocations;
		if (parent != PREFIXTABLE_NONE) {
			own[parent].bytes -= p->node[i].bytes;
			own[parent].allocations -= p->node[i].allocations;
		}
	}
	for (uint32_t i = 0; i < p->tree.n; i++) {
		if ((int64_t)own[i].bytes < 0 || (int64_t)own[i].allocations < 0) {
			p->wrong++;
			own[i] = (struct node){0};
		}
		p->node[i] = own[i];
	}
	free(own);
}

/* Sets what each node has allocated at the peak, or leaked. */
static void
add_intervals(struct page *p)
{
	value most = 0;
	uint64_t peak = 0;
	const uint32_t lost = add_node(p, PREFIXTABLE_BROKEN); /* of intervals without a node */

	for (size_t i = 0; i < p->peaks.n; i++)
		if (json_numbers_at(&p->peaks, i).v > most) {
			most = json_numbers_at(&p->peaks, i).v;
			peak = i;
		}
	for (size_t i = 0; i < p->ninterval; i++) {
		const struct interval *x = &p->interval[i];
		bool there = p->peaks.n == 0 ? x->to == NEVER : x->from <= peak && x->to > peak;

		if (there) {
			struct node *n = &p->node[x->node < lost ? x->node : lost];

			n->bytes += x->bytes;
			n->allocations += x->allocations;
		}
	}
}

/* Names the nodes of columns. Nodes without a parent are broken, except the root. */
static void
name_nodes(struct page *p)
{
	for (uint32_t i = 1; i < p->tree.n && p->function.n > 0; i++) {
		uint32_t line = json_index_at(&p->line, i);
		uint32_t function = json_index_at(&p->function, i);

		if (p->tree.stack[i].parent == PREFIXTABLE_NONE)
			p->tree.stack[i].parent = PREFIXTABLE_BROKEN;
		if (function >= p->strings.n) {
			p->tree.stack[i].name = SAMPLE_MISSING;
			continue;
		}
		text_cut(&p->number, 0);
		if (line != JSON_NO_INDEX)
			text_printf(&p->number, "%u", line);
		p->tree.stack[i].name = name_of(p, json_string_at(&p->strings, function),
		    json_string_at(&p->strings, json_index_at(&p->file, i)),
		    text_as_str(&p->number));
	}
	prefixtable_close(&p->tree);
}

static void
take(struct page *p)
{
	struct sampler *s = p->reader->sampler;
	struct sample_weight w[] = {{sampler_event(s, str_of("bytes"), str_of("bytes")), 0},
	    {sampler_event(s, str_of("allocations"), str_of("allocations")), 0}};

	sampler_default(s, w[0].event);
	for (uint32_t i = 0; i < p->tree.n; i++) {
		w[0].weight = value_of(p->node[i].bytes);
		w[1].weight = value_of(p->node[i].allocations);
		prefixtable_sample(&p->tree, i, w, 2, SAMPLE_NO_TIME);
	}
}

static const struct json_field fields[] = {
    JSON_READ("nodes.children", read_children), /* columns */
    JSON_FIELD("nodes.function", INDICES, struct page, function),
    JSON_FIELD("nodes.filename", INDICES, struct page, file),
    JSON_FIELD("nodes.lineno", INDICES, struct page, line),
    JSON_FIELD("nodes.value", NUMBERS, struct page, bytes),
    JSON_FIELD("nodes.n_allocations", NUMBERS, struct page, allocations),
    JSON_FIELD("strings", STRINGS, struct page, strings),
    JSON_READ("intervals", read_intervals),
    JSON_FIELD("high_water_mark_by_snapshot", NUMBERS, struct page, peaks),
    JSON_FIELD("inverted_no_imports_nodes.function", INDICES, struct page, inverted),
    JSON_READ("children", read_descendants), /* a tree */
    JSON_FIELD("value", WHOLE, struct page, root.bytes),
    JSON_FIELD("n_allocations", WHOLE, struct page, root.allocations),
};

/* Sets the values of nodes from the columns, or of the root of a tree. */
static void
set_values(struct page *p)
{
	struct node *n;
	uint64_t rest;

	p->node[0] = p->root;
	for (size_t i = 0; i < p->bytes.n && (n = node_at(p, i)) != NULL; i++)
		n->bytes = value_whole(json_numbers_at(&p->bytes, i).v, &rest);
	for (size_t i = 0; i < p->allocations.n && (n = node_at(p, i)) != NULL; i++)
		n->allocations = value_whole(json_numbers_at(&p->allocations, i).v, &rest);
}

static void
read_input(struct reader *r)
{
	static const char *const before[] = {"const packed_data = ", "const data = "};
	struct page p = {.reader = r};
	struct json *j;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	prefixtable_init(&p.tree, r->sampler);
	add_node(&p, PREFIXTABLE_NONE);
	j = json_open(r);
	json_within(j, before, sizeof before / sizeof *before);
	if (json_kind(j) != JSON_OBJECT)
		cli_die("%s: a page of memray without stacks; use that of memray flamegraph",
		    lines_name(r->lines));
	json_fields(j, fields, &p);
	if (!p.columns && !p.descends)
		json_absent(j, "children or nodes.children");
	if (p.columns && (p.function.n == 0 || p.file.n == 0 || p.line.n == 0))
		json_absent(j, "nodes.function, nodes.filename or nodes.lineno");
	json_close(j);
	if (p.inverted.n > 1)
		cli_die("%s: an inverted page; use memray flamegraph without --inverted",
		    lines_name(r->lines));
	set_values(&p);
	if (p.temporal)
		add_intervals(&p);
	else
		subtract_children(&p); /* while all parents are nodes */
	name_nodes(&p);
	if (p.wrong > 0)
		cli_warn("%s: %llu %s left out", lines_name(r->lines), (unsigned long long)p.wrong,
		    text_form(p.wrong, "stack has a smaller value than its callees:",
			"stacks have smaller values than their callees:"));
	take(&p);
	prefixtable_free(&p.tree);
	json_fields_free(fields, &p);
	free(p.node);
	free(p.level);
	free(p.interval);
	text_free(&p.part);
	text_free(&p.name);
	text_free(&p.source);
	text_free(&p.number);
}

static int
sniff(const char *data, size_t len)
{
	return text_has(data, len, "<title>memray - ") ? 97 : 0;
}

const struct format memray_format = {
    .provides = DATA_EVENT,
    .bytes = FORMAT_TEXT,
    .pages = true,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .read = read_input,
};
