/*
 * dictionary: finds the locations in one walk over the tree.
 */
#include "fg-render/bridge/dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "profile/unit.h"

uint32_t
dictionary_string(struct dictionary *d, struct str s)
{
	return s.len == 0 ? 0 : calltree_intern(d->strings, s.s, s.len);
}

/* The number of a string, encoded by text_show. */
static uint32_t
shown_string(struct dictionary *d, struct str s)
{
	struct text shown = {0};
	uint32_t n;

	text_show(&shown, s);
	n = dictionary_string(d, text_as_str(&shown));
	text_free(&shown);
	return n;
}

static void
read_frame(const struct dictionary *d, uint32_t name, struct frame *f)
{
	const struct calltree_name *n = &d->b->tree->name[name];

	frame_read(f, (struct str){n->s, n->len});
}

struct dictionary_function
dictionary_function(struct dictionary *d, uint32_t name)
{
	const struct calltree_name *n = &d->b->tree->name[name];
	struct text exact = {0};
	struct dictionary_function is;
	struct frame f;

	is.name = dictionary_string(d, bridge_function(d->b, name, &f));
	is.file = shown_string(d, f.file);
	fgnote_frame(&exact, (struct str){n->s, n->len});
	is.exact = dictionary_string(d, text_as_str(&exact));
	text_free(&exact);
	return is;
}

uint32_t
dictionary_line(const struct dictionary *d, uint32_t name)
{
	struct frame f;

	read_frame(d, name, &f);
	return f.line;
}

bool
dictionary_kernel(const struct dictionary *d, uint32_t name)
{
	struct frame f;

	read_frame(d, name, &f);
	return f.kind == FRAME_KERNEL;
}

/* pprof's name of a unit of bytes: pprof knows kB, but not KiB. */
static const char *
bytes_name(uint64_t bytes)
{
	return bytes >> 40 > 0	 ? "terabytes"
	       : bytes >> 30 > 0 ? "gigabytes"
	       : bytes >> 20 > 0 ? "megabytes"
	       : bytes >> 10 > 0 ? "kilobytes"
				 : "bytes";
}

/* pprof's name of the unit that is 10^-digits of `unit`, or NULL if there is none. */
static const char *
unit_name(const char *unit, unsigned digits)
{
	uint64_t ns = unit_ns(unit);

	for (unsigned i = 0; i < digits; i++)
		ns = ns % 10 == 0 ? ns / 10 : 0;
	switch (ns) {
	case 1: return "nanoseconds";
	case 1000: return "microseconds";
	case 1000000: return "milliseconds";
	case 1000000000: return "seconds";
	}
	if (digits > 0)
		return NULL;
	if (unit_bytes(unit) > 0)
		return bytes_name(unit_bytes(unit));
	return strcmp(unit, FOLDED_SAMPLES) == 0 ? "count" : unit;
}

/* Returns the number of the name of 10^-digits of `unit`. */
static uint32_t
unit_of(struct dictionary *d, const char *unit, unsigned digits)
{
	const char *name = unit_name(unit, digits);
	struct text s = {0};
	uint32_t n;

	if (name != NULL)
		text_puts(&s, name);
	else
		text_printf(&s, "10^-%u %s", digits, unit);
	n = shown_string(d, text_as_str(&s));
	text_free(&s);
	return n;
}

struct dictionary_type
dictionary_type(struct dictionary *d, unsigned k)
{
	const struct fgnote *c = &d->b->carried;
	const char *unit = bridge_unit(d->b, k);
	struct dictionary_type type;

	type.name = shown_string(
	    d, str_of(c->columns.n > 1 && (!c->difference || k > 1) ? c->columns.name[k]
		      : unit_ns(unit) > 0			    ? "time"
								    : unit));
	type.unit = unit_of(d, unit, c->digits[k]);
	return type;
}

bool
dictionary_period(struct dictionary *d, unsigned k, struct dictionary_type *type, int64_t *period)
{
	const struct folded_period *p = &d->b->carried.columns.period[k];

	if (p->mixed || p->unit == NULL || p->number % VALUE_ONE != 0 ||
	    p->number > value_of(INT64_MAX))
		return false;
	type->name = shown_string(d, str_of(unit_ns(p->unit) > 0 ? "cpu" : p->unit));
	type->unit = unit_of(d, p->unit, 0);
	*period = (int64_t)(p->number / VALUE_ONE);
	return true;
}

int64_t
dictionary_value(const struct dictionary *d, uint32_t node, unsigned k)
{
	return (int64_t)(bridge_value(d->b, node, k) / fgnote_step(&d->b->carried, k));
}

int64_t
dictionary_rounded(struct dictionary *d, unsigned k, value v)
{
	value step = fgnote_step(&d->b->carried, k);
	value before = (d->sum[k] + step / 2) / step;
	int64_t n;

	d->sum[k] += v;
	n = (int64_t)((d->sum[k] + step / 2) / step - before);
	fgnote_rest(&d->b->carried, k, v, (uint64_t)n);
	return n;
}

void
dictionary_unround(struct dictionary *d)
{
	for (unsigned k = 0; k < d->b->carried.columns.n; k++) {
		d->sum[k] = 0;
		text_cut(&d->b->carried.rest[k], 0);
	}
}

/* Returns the location of `name` inlined into location `outer`; adds it if it is new. */
static uint32_t
location_of(struct dictionary *d, uint32_t outer, uint32_t name)
{
	uint32_t hash, n;

	if (outer == 0) {
		if (d->alone[name] != 0)
			return d->alone[name];
		d->alone[name] = d->nlocation + 1;
	} else {
		hash = (uint32_t)hash_number((uint64_t)outer << 32 | name);
		for (uint32_t at = hash; (n = hash_index_next(&d->locations, hash, &at)) != 0;)
			if (d->location[n].outer == outer && d->location[n].name == name)
				return n;
		hash_index_add(&d->locations, hash, d->nlocation + 1);
	}
	vec_fit(d->location, d->caplocation, d->nlocation + 2);
	n = ++d->nlocation;
	d->location[n] = (struct dictionary_location){outer, name, 0};
	return n;
}

static bool
is_inlined(const struct dictionary *d, uint32_t node)
{
	const struct calltree_node *n = &d->b->tree->node[node];

	return d->any_inlined && d->inlined[n->name] && n->parent != CALLTREE_ROOT;
}

/*
 * Numbers the locations that stacks contain: those where a stack ends, or whose callee is not
 * inlined. Others exist only as the outer part of a location.
 */
static void
find_locations(struct dictionary *d)
{
	const struct calltree *tree = d->b->tree;
	uint32_t depth = 0, number = 0;

	for (uint32_t node = CALLTREE_ROOT; (node = calltree_next(tree, node, &depth)) != 0;) {
		uint32_t parent = tree->node[node].parent;
		bool inlined = is_inlined(d, node);

		if (bridge_is_frame(d->b, node))
			d->of[node] =
			    location_of(d, inlined ? d->of[parent] : 0, tree->node[node].name);
		else
			d->of[node] = d->of[parent];
		if (!inlined && parent != CALLTREE_ROOT)
			d->location[d->of[parent]].number = 1;
		if (bridge_is_stack(d->b, node))
			d->location[d->of[node]].number = 1;
	}
	for (uint32_t i = 1; i <= d->nlocation; i++)
		if (d->location[i].number != 0)
			d->location[i].number = ++number;
	for (uint32_t node = 1; node < tree->nnode; node++)
		if (d->of[node] != 0)
			d->of[node] = d->location[d->of[node]].number;
}

/* Puts the code of a number before the path's last `len` bytes; returns its length. */
static size_t
put_before(struct dictionary_path *p, size_t len, uint32_t number, dictionary_code *code)
{
	char bytes[DICTIONARY_CODE];
	size_t n = code(bytes, number);

	if (p->size < len + n) {
		size_t size = 2 * p->size + DICTIONARY_CODE;

		p->s = cli_realloc(p->s, size, 1);
		memmove(p->s + size - len, p->s + p->size - len, len);
		p->size = size;
	}
	memcpy(p->s + p->size - len - n, bytes, n);
	return n;
}

struct str
dictionary_path(struct dictionary *d, uint32_t node, uint32_t depth, dictionary_code *code)
{
	const struct calltree *tree = d->b->tree;
	struct dictionary_path *p = &d->path;
	uint32_t same;
	size_t len;

	if (!bridge_is_frame(d->b, node)) {
		node = tree->node[node].parent;
		depth--;
	}
	if (depth >= p->cap) {
		p->cap = 2 * depth + 64;
		p->node = cli_realloc(p->node, p->cap, sizeof *p->node);
		p->len = cli_realloc(p->len, p->cap, sizeof *p->len);
		p->len[0] = 0;
	}
	for (same = depth; same > 0 && (same > p->depth || p->node[same] != node); same--) {
		p->node[same] = node;
		node = tree->node[node].parent;
	}
	/* Starts at the last frame of both stacks: the new callee may be inlined there. */
	for (uint32_t k = same > 0 ? same : 1; k <= depth; k++) {
		p->len[k] = p->len[k - 1];
		if (k == depth || !is_inlined(d, p->node[k + 1]))
			p->len[k] += put_before(p, p->len[k], d->of[p->node[k]], code);
	}
	p->depth = depth;
	len = p->len[depth];
	return (struct str){p->s + p->size - len, len};
}

/*
 * Makes a mapping for each module. Programs come first, since pprof takes the first mapping
 * for the program.
 */
static void
find_mappings(struct dictionary *d)
{
	uint32_t *by_text = NULL, cap = 0, nname = d->b->tree->nname;

	for (uint32_t i = 1; i < 2 * nname; i++) {
		uint32_t name = i < nname ? i : i - nname, text;
		struct frame f;

		if (name == 0)
			continue;
		read_frame(d, name, &f);
		if (f.module.len == 0 || (f.kind == FRAME_USER) != (i < nname))
			continue;
		text = shown_string(d, f.module);
		if (text >= cap) {
			uint32_t before = cap;

			vec_fit(by_text, cap, text + 1);
			memset(by_text + before, 0, (cap - before) * sizeof *by_text);
		}
		if (by_text[text] == 0) {
			vec_fit(d->module, d->capmodule, d->nmodule + 2);
			d->module[++d->nmodule] = text;
			by_text[text] = d->nmodule;
		}
		d->mapping[name] = by_text[text];
	}
	free(by_text);
}

/* Returns the number of decimals that a column's values keep: for times, those of a named unit. */
static unsigned
digits_of(const struct bridge *b, unsigned k)
{
	unsigned digits = bridge_digits(b, k), up = (digits + 2) / 3 * 3;

	return unit_name(bridge_unit(b, k), up) != NULL ? up : digits;
}

bool
dictionary_round(struct dictionary *d, unsigned k)
{
	unsigned *digits = &d->b->carried.digits[k], exact = *digits;

	while (unit_name(bridge_unit(d->b, k), *digits) == NULL)
		--*digits;
	return *digits < exact;
}

void
dictionary_open(struct dictionary *d, struct bridge *b)
{
	const struct calltree *tree = b->tree;

	*d = (struct dictionary){.b = b, .strings = calltree_new(1)};
	for (unsigned k = 0; k < b->carried.columns.n; k++)
		b->carried.digits[k] = digits_of(b, k);
	d->of = cli_alloc(tree->nnode, sizeof *d->of);
	d->inlined = cli_alloc(tree->nname, sizeof *d->inlined);
	d->mapping = cli_alloc(tree->nname, sizeof *d->mapping);
	d->alone = cli_alloc(tree->nname, sizeof *d->alone);
	for (uint32_t name = 1; name < tree->nname; name++) {
		d->inlined[name] = frame_annotated(tree->name[name].s, tree->name[name].len, 'i');
		d->any_inlined |= d->inlined[name];
	}
	find_mappings(d);
	find_locations(d);
}

void
dictionary_close(struct dictionary *d)
{
	calltree_free(d->strings);
	hash_index_free(&d->locations);
	free(d->module);
	free(d->mapping);
	free(d->location);
	free(d->path.s);
	free(d->path.node);
	free(d->path.len);
	free(d->of);
	free(d->alone);
	free(d->inlined);
}
