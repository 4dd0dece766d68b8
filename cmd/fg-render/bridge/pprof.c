/*
 * pprof: profile.proto of <https://github.com/google/pprof>, gzip'd. The samples come
 * first and are written as they are met; what they refer to follows.
 *
 * A frame and those that were inlined into it are one location, with a line for each.
 * A function's system name is its frame's whole text, the comment is the note of
 * profile/carried. Of base and head the base's samples are negative and have the label
 * that pprof's -diff_base gives them.
 */
#include "bridge.h"

#include "base/cli.h"

#ifdef HAVE_PROTOBUF
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "common/profile/pprof.pb-c.h"
#include "gzip.h"

/* Fields of Profile. */
enum {
	SAMPLE_TYPE = 1,
	SAMPLE = 2,
	MAPPING = 3,
	LOCATION = 4,
	FUNCTION = 5,
	STRING = 6,
	PERIOD_TYPE = 11,
	PERIOD = 12,
	COMMENT = 13,
	DEFAULT_TYPE = 14,
};

enum wire { VARINT, BYTES = 2 };

struct location { /* the names of a frame and of what is inlined into it, as a list */
	uint32_t outer; /* without the innermost of them; 0: that is all */
	uint32_t name;
	bool used;
};

struct profile {
	struct bridge b;
	struct gzip *out;
	struct calltree *strings; /* of which it uses the names alone */
	struct text message, number; /* at hand */
	struct location *location; /* from 1 */
	size_t nlocation, caplocation;
	struct hash_index locations;
	uint32_t *of; /* by node: the location that ends there */
	bool *inlined; /* by name */
	unsigned first; /* of the columns that are types of samples */
	uint64_t *path;
	size_t cappath;
	int64_t base_key, base_is; /* of the label */
};

static void
write_varint(struct profile *p, uint64_t v)
{
	text_cut(&p->number, 0);
	packed_varint(&p->number, v);
	gzip_write(p->out, p->number.s, p->number.len);
}

static void
write_number(struct profile *p, unsigned field, uint64_t v)
{
	write_varint(p, field << 3 | VARINT);
	write_varint(p, v);
}

static void
write_bytes(struct profile *p, unsigned field, const void *s, size_t len)
{
	write_varint(p, field << 3 | BYTES);
	write_varint(p, len);
	gzip_write(p->out, s, len);
}

static void
write_message(struct profile *p, unsigned field, const ProtobufCMessage *m)
{
	size_t len = protobuf_c_message_get_packed_size(m);

	text_cut(&p->message, 0);
	text_room(&p->message, len);
	protobuf_c_message_pack(m, (uint8_t *)p->message.s);
	write_bytes(p, field, p->message.s, len);
}

/* The number of a text in the table of strings, whose first is empty. */
static int64_t
string(struct profile *p, struct str s)
{
	return s.len == 0 ? 0 : (int64_t)calltree_intern(p->strings, s.s, s.len);
}

static int64_t
shown(struct profile *p, struct str s)
{
	struct text t = {0};
	int64_t n;

	text_show(&t, s);
	n = string(p, text_as_str(&t));
	text_free(&t);
	return n;
}

/* What pprof calls a unit of which a value is 10^-digits. */
static int64_t
unit_of(struct profile *p, const char *unit, unsigned digits)
{
	uint64_t ns = bridge_ns(unit);
	struct text t = {0};
	int64_t n;

	for (unsigned i = 0; ns != 1 && i < digits; i++)
		ns = ns % 10 == 0 ? ns / 10 : 0;
	if (ns == 1 && (digits == 0 || strcmp(unit, "ns") != 0))
		text_puts(&t, "nanoseconds");
	else if (ns == 1000)
		text_puts(&t, "microseconds");
	else if (ns == 1000000)
		text_puts(&t, "milliseconds");
	else if (ns == 1000000000)
		text_puts(&t, "seconds");
	else if (digits > 0)
		text_printf(&t, "10^-%u %s", digits, unit);
	else
		text_puts(&t, strcmp(unit, FOLDED_SAMPLES) == 0 ? "count" : unit);
	n = shown(p, text_as_str(&t));
	text_free(&t);
	return n;
}

static void
write_types(struct profile *p)
{
	const struct folded_columns *c = &p->b.carried.columns;
	const struct folded_period *period = &c->period[p->first];

	for (unsigned k = p->first; k < c->n; k++) {
		Pprof__ValueType type = PPROF__VALUE_TYPE__INIT;
		const char *unit = bridge_unit(&p->b, k);

		type.type = shown(p, str_of(c->n > 1 && !p->b.carried.difference ? c->name[k]
					    : bridge_ns(unit) > 0		 ? "time"
										 : unit));
		type.unit = unit_of(p, unit, p->b.carried.digits[k]);
		write_message(p, SAMPLE_TYPE, &type.base);
		if (k == p->first)
			write_number(p, DEFAULT_TYPE, (uint64_t)type.type);
	}
	if (!period->mixed && period->unit != NULL && period->number % VALUE_ONE == 0 &&
	    period->number <= value_of(INT64_MAX)) {
		Pprof__ValueType type = PPROF__VALUE_TYPE__INIT;

		type.type = shown(p, str_of(bridge_ns(period->unit) > 0 ? "cpu" : period->unit));
		type.unit = unit_of(p, period->unit, 0);
		write_message(p, PERIOD_TYPE, &type.base);
		write_number(p, PERIOD, (uint64_t)(period->number / VALUE_ONE));
	}
}

/* The location of what `outer` is and, inlined into that, name. */
static uint32_t
location_of(struct profile *p, uint32_t outer, uint32_t name)
{
	uint32_t hash = (uint32_t)hash_number((uint64_t)outer << 32 | name), n;

	for (uint32_t at = hash; (n = hash_index_next(&p->locations, hash, &at)) != 0;)
		if (p->location[n].outer == outer && p->location[n].name == name)
			return n;
	vec_fit(p->location, p->caplocation, p->nlocation + 2);
	n = (uint32_t)++p->nlocation;
	p->location[n] = (struct location){outer, name, false};
	hash_index_add(&p->locations, hash, n);
	return n;
}

/* The locations from a node to the root; returns how many. */
static size_t
path_of(struct profile *p, uint32_t node)
{
	const struct calltree *t = p->b.tree;
	bool within = false; /* what was seen last is inlined into this one */
	size_t n = 0;

	for (; node != CALLTREE_ROOT; node = t->node[node].parent) {
		bool inlined =
		    p->inlined[t->node[node].name] && t->node[node].parent != CALLTREE_ROOT;

		if (!within) {
			vec_fit(p->path, p->cappath, n + 1);
			p->path[n++] = p->of[node];
			p->location[p->of[node]].used = true;
		}
		within = inlined;
	}
	return n;
}

static int64_t
scaled(const struct profile *p, uint32_t node, unsigned k)
{
	return (int64_t)(bridge_value(&p->b, node, k) / carried_step(&p->b.carried, k));
}

static void
write_sample(struct profile *p, uint32_t node, size_t npath, bool base)
{
	Pprof__Sample sample = PPROF__SAMPLE__INIT;
	Pprof__Label label = PPROF__LABEL__INIT, *labels[] = {&label};
	int64_t v[CALLTREE_COLUMNS];
	unsigned n = p->b.carried.columns.n;

	for (unsigned k = p->first; k < n; k++)
		v[k] = base ? 0 : scaled(p, node, k);
	if (base) {
		v[p->first] = -scaled(p, node, 0);
		label.key = p->base_key;
		label.str = p->base_is;
		sample.label = labels;
		sample.n_label = 1;
	}
	sample.location_id = p->path;
	sample.n_location_id = npath;
	sample.value = v + p->first;
	sample.n_value = n - p->first;
	write_message(p, SAMPLE, &sample.base);
}

static void
write_samples(struct profile *p)
{
	const struct calltree *t = p->b.tree;
	uint32_t depth = 0;

	for (uint32_t node = CALLTREE_ROOT; (node = calltree_next(t, node, &depth)) != 0;) {
		uint32_t parent = t->node[node].parent, name = t->node[node].name;
		bool inlined = p->inlined[name] && parent != CALLTREE_ROOT, ends = false;
		size_t npath;

		if (bridge_is_frame(&p->b, node))
			p->of[node] = location_of(p, inlined ? p->of[parent] : 0, name);
		for (unsigned k = 0; k < p->b.carried.columns.n; k++)
			ends |= bridge_ends(&p->b, node, k);
		if (!ends)
			continue;
		npath = path_of(p, bridge_is_frame(&p->b, node) ? node : parent);
		if (p->first > 0 && bridge_ends(&p->b, node, 0))
			write_sample(p, node, npath, true);
		for (unsigned k = p->first; k < p->b.carried.columns.n; k++)
			if (bridge_ends(&p->b, node, k)) {
				write_sample(p, node, npath, false);
				break;
			}
	}
}

static void
write_functions(struct profile *p)
{
	for (uint32_t name = 1; name < p->b.tree->nname; name++) {
		const struct calltree_name *n = &p->b.tree->name[name];
		Pprof__Function function = PPROF__FUNCTION__INIT;
		struct text exact = {0};
		struct frame f;

		if (name == p->b.gap)
			continue;
		function.id = name;
		function.name = string(p, bridge_function(&p->b, name, &f));
		function.filename = shown(p, f.file);
		carried_frame(&exact, (struct str){n->s, n->len});
		function.system_name = string(p, text_as_str(&exact));
		text_free(&exact);
		write_message(p, FUNCTION, &function.base);
	}
}

/* The mapping of a module, by the number of its string, which is its id too. */
static uint64_t
mapping_of(struct profile *p, uint8_t **known, size_t *cap, struct str module)
{
	Pprof__Mapping mapping = PPROF__MAPPING__INIT;
	int64_t n;

	if (module.len == 0)
		return 0;
	n = shown(p, module);
	if ((size_t)n >= *cap) {
		size_t before = *cap;

		vec_fit(*known, *cap, (size_t)n + 1);
		memset(*known + before, 0, *cap - before);
	}
	if (!(*known)[n]) {
		(*known)[n] = 1;
		mapping.id = (uint64_t)n;
		mapping.filename = n;
		mapping.has_functions = mapping.has_filenames = true;
		mapping.has_line_numbers = mapping.has_inline_frames = true;
		write_message(p, MAPPING, &mapping.base);
	}
	return (uint64_t)n;
}

static void
write_locations(struct profile *p)
{
	Pprof__Line *line = NULL, **lines = NULL;
	size_t capline = 0, caplines = 0, cap = 0;
	uint8_t *known = NULL;

	for (uint32_t i = 1; i <= p->nlocation; i++) {
		Pprof__Location location = PPROF__LOCATION__INIT;
		struct frame f = {0};
		size_t n = 0;

		if (!p->location[i].used)
			continue;
		for (uint32_t at = i; at != 0; at = p->location[at].outer) {
			const struct calltree_name *name = &p->b.tree->name[p->location[at].name];

			frame_read(&f, (struct str){name->s, name->len});
			vec_fit(line, capline, n + 1);
			line[n] = (Pprof__Line)PPROF__LINE__INIT;
			line[n].function_id = p->location[at].name;
			line[n++].line = f.line;
		}
		vec_fit(lines, caplines, n);
		for (size_t k = 0; k < n; k++)
			lines[k] = &line[k];
		location.id = i;
		location.mapping_id = mapping_of(p, &known, &cap, f.module);
		location.line = lines;
		location.n_line = n;
		write_message(p, LOCATION, &location.base);
	}
	free(line);
	free(lines);
	free(known);
}

/* How many decimals a column's values keep: of a time all down to a unit that pprof knows. */
static unsigned
digits_of(const struct bridge *b, unsigned k)
{
	unsigned digits = bridge_digits(b, k), up = (digits + 2) / 3 * 3;
	uint64_t ns = bridge_ns(bridge_unit(b, k));

	for (unsigned i = 0; i < up; i++)
		ns = ns % 10 == 0 ? ns / 10 : 0;
	return ns > 0 ? up : digits;
}

/* Base and head are one kind of value, of as many decimals. */
static void
settle_digits(struct profile *p)
{
	unsigned *d = p->b.carried.digits;

	for (unsigned k = 0; k < p->b.carried.columns.n; k++)
		d[k] = digits_of(&p->b, k);
	if (p->first > 0)
		d[0] = d[1] = d[0] > d[1] ? d[0] : d[1];
	for (unsigned k = 0; k < p->b.carried.columns.n; k++)
		bridge_limit(&p->b, k, INT64_MAX, "2^63, which pprof's numbers hold");
}

void
bridge_pprof(const struct picture *picture, struct output *o)
{
	struct profile p = {.strings = calltree_new(1)};
	struct text note = {0};

	bridge_open(&p.b, picture);
	p.b.carried.difference = folded_columns_compared(&p.b.carried.columns);
	p.first = p.b.carried.difference;
	settle_digits(&p);
	p.of = cli_alloc(p.b.tree->nnode, sizeof *p.of);
	p.inlined = cli_alloc(p.b.tree->nname, sizeof *p.inlined);
	for (uint32_t name = 1; name < p.b.tree->nname; name++)
		p.inlined[name] =
		    frame_annotated(p.b.tree->name[name].s, p.b.tree->name[name].len, 'i');
	p.base_key = string(&p, str_of("pprof::base"));
	p.base_is = string(&p, str_of("true"));
	carried_note(&note, &p.b.carried);

	p.out = gzip_open(o);
	write_types(&p);
	write_number(&p, COMMENT, (uint64_t)string(&p, text_as_str(&note)));
	write_samples(&p);
	write_locations(&p);
	write_functions(&p);
	write_bytes(&p, STRING, "", 0);
	for (uint32_t i = 1; i < p.strings->nname; i++)
		write_bytes(&p, STRING, p.strings->name[i].s, p.strings->name[i].len);
	gzip_close(p.out);

	text_free(&note);
	text_free(&p.message);
	text_free(&p.number);
	free(p.of);
	free(p.inlined);
	free(p.location);
	free(p.path);
	hash_index_free(&p.locations);
	calltree_free(p.strings);
	bridge_close(&p.b);
}
#else
void
bridge_pprof(const struct picture *picture, struct output *o)
{
	(void)picture, (void)o;
	cli_die("-T pprof needs protobuf-c, without which this was built");
}
#endif
