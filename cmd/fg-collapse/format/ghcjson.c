/*
 * ghcjson: GHC's profiles as JSON: cost centres, and a tree of their ids:
 *
 *	{"program": "app", "tick_interval": 1000, "cost_centres": [
 *	  {"id": 144, "label": "MAIN", "module": "MAIN", "src_loc": "<built-in>"}, ...],
 *	 "profile": {"id": 144, "entries": 0, "alloc": 648, "ticks": 0, "children": [...]}}
 *
 * Events are ticks and bytes, as in the text (format/ghc.c).
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/intmap.h"
#include "base/vec.h"
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/prefixtable.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

#define KEYS 4 /* of a node */

struct profile {
	struct reader *reader;
	struct json *json;
	struct intmap name; /* by id of a cost centre: its name in the tree, plus 1 */
	struct json_numbers id, ticks, bytes; /* of each stack of the tree */
	uint64_t tick; /* us per tick; 0 if unknown */
	struct prefixtable tree;
	struct level {
		uint32_t stack;
		unsigned seen; /* keys of the node */
		bool children; /* reading its children */
	} * level; /* the current node and its ancestors */
	size_t nlevel, caplevel;
	uint64_t centre; /* of the current cost centre: its id, then its names */
	struct text module, label, source;
};

/* Splits `Main.hs:12:1-20`, `Main.hs:(12,1)-(14,3)` or <built-in> into file and line. */
static void
split_source(struct str s, struct frame *f)
{
	size_t colon = str_find(s, ":");
	struct str rest = str_from(s, colon + 1);
	uint64_t line;

	if (colon == s.len)
		return;
	scan_word(&rest, "(");
	f->file = (struct str){s.s, colon};
	if (scan_number(&rest, &line) && line <= INT32_MAX)
		f->line = (unsigned)line;
}

static const struct json_field centre_fields[] = {
    JSON_NEEDED_FIELD("id", WHOLE, struct profile, centre),
    JSON_NEEDED_FIELD("label", TEXT, struct profile, label),
    JSON_NEEDED_FIELD("module", TEXT, struct profile, module),
    JSON_FIELD("src_loc", TEXT, struct profile, source),
};

static void
read_centre(struct json *j, void *to)
{
	struct profile *p = to;
	struct frame f = {0};

	p->centre = UINT64_MAX;
	p->label.len = p->module.len = p->source.len = 0;
	if (json_fields(j, centre_fields, p) != NULL)
		return; /* stacks with it are malformed */
	split_source(text_as_str(&p->source), &f);
	text_char(&p->module, '.');
	text_str(&p->module, text_as_str(&p->label));
	f.function = text_as_str(&p->module);
	*intmap_at(&p->name, p->centre) =
	    (void *)((uintptr_t)sample_name(p->reader->sampler, &f) + 1);
}

static void
begin(struct profile *p, uint32_t parent)
{
	static const struct json_number zero;

	vec_fit(p->level, p->caplevel, p->nlevel + 1);
	p->level[p->nlevel++] = (struct level){prefixtable_add(&p->tree, parent, 0), 0, false};
	json_numbers_add(&p->id, zero);
	json_numbers_add(&p->ticks, zero);
	json_numbers_add(&p->bytes, zero);
}

static void
read_field(struct profile *p, struct str key)
{
	static const char *const keys[] = {"id", "ticks", "alloc", "children"};
	struct json_numbers *to[] = {&p->id, &p->ticks, &p->bytes};
	struct level *l = &p->level[p->nlevel - 1];
	struct json_number n;
	unsigned k = 0;

	while (k < KEYS && !str_is(key, keys[k]))
		k++;
	if (k == KEYS)
		json_skip(p->json);
	else
		l->seen |= 1u << k;
	if (k + 1 == KEYS)
		l->children = json_array(p->json);
	else if (k < KEYS && json_number(p->json, &n))
		json_numbers_set(to[k], l->stack, n);
}

/* Ends a node; without one of its keys it is broken, and so are its descendants. */
static void
end(struct profile *p)
{
	const struct level *l = &p->level[--p->nlevel];

	if (l->seen + 1 == 1u << KEYS)
		return;
	p->tree.stack[l->stack].parent = PREFIXTABLE_BROKEN;
	if (json_numbers_at(&p->ticks, l->stack).v == 0 &&
	    json_numbers_at(&p->bytes, l->stack).v == 0)
		json_malformed(p->json, "a node without its id, ticks, alloc or children");
}

static void
read_tree(struct json *j, void *to)
{
	struct profile *p = to;
	struct str key;

	if (!json_object(j))
		return;
	begin(p, PREFIXTABLE_NONE);
	while (p->nlevel > 0) {
		struct level *l = &p->level[p->nlevel - 1];

		if (!l->children && json_key(j, &key))
			read_field(p, key);
		else if (!l->children)
			end(p);
		else if (!json_item(j))
			l->children = false;
		else if (json_object(j))
			begin(p, l->stack);
	}
}

static void
take(struct profile *p)
{
	struct sampler *s = p->reader->sampler;
	struct sample_weight w[] = {{sampler_event(s, str_of("ticks"), str_of("ticks")), 0},
	    {sampler_event(s, str_of("bytes"), str_of("bytes")), 0}};

	sampler_values(s, w[0].event, FOLDED_SAMPLED);
	sampler_values(s, w[1].event, FOLDED_EXACT);
	sampler_period(s, w[0].event, value_of(p->tick), "us");
	sampler_default(s, w[0].event);
	for (uint32_t i = 0; i < p->tree.n; i++) {
		uintptr_t name = (uintptr_t)intmap_get(
		    &p->name, (uint64_t)(json_numbers_at(&p->id, i).v / VALUE_ONE));

		p->tree.stack[i].name = name > 0 ? (uint32_t)(name - 1) : SAMPLE_MISSING;
	}
	prefixtable_close(&p->tree);
	for (uint32_t i = 0; i < p->tree.n; i++) {
		w[0].weight = json_numbers_at(&p->ticks, i).v;
		w[1].weight = json_numbers_at(&p->bytes, i).v;
		prefixtable_sample(&p->tree, i, w, 2, SAMPLE_NO_TIME);
	}
}

static void
read_document(struct reader *r, struct json *j)
{
	static const struct json_field fields[] = {
	    JSON_NEEDED_READ("profile", read_tree),
	    JSON_FIELD("tick_interval", WHOLE, struct profile, tick),
	    JSON_NEEDED_EACH("cost_centres", read_centre),
	};
	struct profile p = {.reader = r, .json = j};

	prefixtable_init(&p.tree, r->sampler);
	json_document(j, fields, &p);
	take(&p);
	free(p.name.slot);
	free(p.level);
	json_numbers_free(&p.id);
	json_numbers_free(&p.ticks);
	json_numbers_free(&p.bytes);
	prefixtable_free(&p.tree);
	json_fields_free(centre_fields, &p);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {
	    "cost_centres", "rts_arguments", "profile.children.*.ticks", "total_ticks"};

	return json_find(data, len, path) != 0 ? 97 : 0;
}

const struct format ghcjson_format = {
    .provides = DATA_SOURCE | DATA_EVENT,
    .sniff = sniff,
    .document = read_document,
    .order = SAMPLE_ROOT_FIRST,
};
