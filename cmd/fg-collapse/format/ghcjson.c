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
#include "fg-collapse/shape/jsonarray.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/prefixtable.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

struct profile {
	struct reader *reader;
	struct json *json;
	struct intmap name; /* by id of a cost centre: its name in the tree, plus 1 */
	struct json_numbers id, ticks, bytes; /* of each stack of the tree */
	uint64_t tick; /* us per tick; 0 if unknown */
	struct prefixtable tree;
	struct level {
		uint32_t stack;
		bool children; /* reading its children */
	} * level; /* the current node and its ancestors */
	size_t nlevel, caplevel;
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

static void
read_centre(struct profile *p)
{
	struct json *j = p->json;
	struct frame f = {0};
	struct str key;
	uint64_t id = UINT64_MAX;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "id"))
			json_whole(j, &id);
		else if (str_is(key, "label"))
			json_keep(j, &p->label);
		else if (str_is(key, "module"))
			json_keep(j, &p->module);
		else if (str_is(key, "src_loc"))
			json_keep(j, &p->source);
		else
			json_skip(j);
	split_source(text_as_str(&p->source), &f);
	text_char(&p->module, '.');
	text_str(&p->module, text_as_str(&p->label));
	f.function = text_as_str(&p->module);
	*intmap_at(&p->name, id) = (void *)((uintptr_t)sample_name(p->reader->sampler, &f) + 1);
}

static void
begin(struct profile *p, uint32_t parent)
{
	static const struct json_number zero;

	vec_fit(p->level, p->caplevel, p->nlevel + 1);
	p->level[p->nlevel++] = (struct level){prefixtable_add(&p->tree, parent, 0), false};
	json_numbers_add(&p->id, zero);
	json_numbers_add(&p->ticks, zero);
	json_numbers_add(&p->bytes, zero);
}

static void
read_field(struct profile *p, struct str key)
{
	struct level *l = &p->level[p->nlevel - 1];
	struct json_numbers *to = str_is(key, "id")	 ? &p->id
				  : str_is(key, "ticks") ? &p->ticks
				  : str_is(key, "alloc") ? &p->bytes
							 : NULL;
	struct json_number n;

	if (to != NULL && json_number(p->json, &n))
		json_numbers_set(to, l->stack, n);
	else if (to == NULL && str_is(key, "children"))
		l->children = json_array(p->json);
	else if (to == NULL)
		json_skip(p->json);
}

static void
read_tree(struct profile *p)
{
	struct json *j = p->json;
	struct str key;

	if (!json_object(j))
		return;
	begin(p, PREFIXTABLE_NONE);
	while (p->nlevel > 0) {
		struct level *l = &p->level[p->nlevel - 1];

		if (!l->children && json_key(j, &key))
			read_field(p, key);
		else if (!l->children)
			p->nlevel--;
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

		p->tree.stack[i].name =
		    name > 0 ? (uint32_t)(name - 1) : sample_name(s, &(struct frame){0});
	}
	for (uint32_t i = 0; i < p->tree.n; i++) {
		w[0].weight = json_numbers_at(&p->ticks, i).v;
		w[1].weight = json_numbers_at(&p->bytes, i).v;
		prefixtable_sample(&p->tree, i, w, 2, SAMPLE_NO_TIME);
	}
}

static void
read_document(struct reader *r, struct json *j)
{
	struct profile p = {.reader = r, .json = j};
	struct str key;

	prefixtable_init(&p.tree, r->sampler);
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "profile"))
			read_tree(&p);
		else if (str_is(key, "tick_interval"))
			p.tick = json_whole(j, &p.tick) ? p.tick : 0;
		else if (str_is(key, "cost_centres"))
			for (bool more = json_array(j); more && json_item(j);)
				read_centre(&p);
		else
			json_skip(j);
	take(&p);
	free(p.name.slot);
	free(p.level);
	json_numbers_free(&p.id);
	json_numbers_free(&p.ticks);
	json_numbers_free(&p.bytes);
	prefixtable_free(&p.tree);
	text_free(&p.module);
	text_free(&p.label);
	text_free(&p.source);
}

static void
read_input(struct reader *r)
{
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	json_each(r, read_document);
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
    .read = read_input,
};
