/*
 * pprofout: writer of profile.proto of <https://github.com/google/pprof>, compressed with gzip.
 * Samples are appended while the tree is walked; the tables that they refer to follow.
 *
 * A frame and the frames inlined into it are one location, with a line for each. A function's
 * system name is the full text of its frame. The note of profile/fgnote is a string without a
 * reference, because pprof prints comments above its reports. Decimals without a finer unit that
 * pprof knows are rounded, and their rests are in the note. In a differential, base's samples are
 * negative and have the label of pprof's -diff_base.
 */
#include "fg-render/bridge/bridge.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-render/bridge/dictionary.h"
#include "fg-render/bridge/wire.h"
#include "fg-render/picture/payload.h"

/* Field numbers of Profile. */
enum {
	SAMPLE_TYPE = 1,
	SAMPLE = 2,
	MAPPING = 3,
	LOCATION = 4,
	FUNCTION = 5,
	STRING = 6,
	PERIOD_TYPE = 11,
	PERIOD = 12,
	DEFAULT_TYPE = 14,
};

/* Of Sample. */
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };

struct profile {
	struct bridge b;
	struct dictionary dictionary;
	struct wire wire;
	unsigned first; /* first column that is a sample type */
	struct pprof_label {
		uint32_t key, str;
	} * label; /* pprof::base for base's samples, then the labels of the file */
	size_t nlabel; /* number of labels of the file */
	bool rounds[CALLTREE_COLUMNS]; /* the column's values are rounded, with rests in the note */
};

static void
write_types(struct profile *p)
{
	struct dictionary_type type;
	int64_t period;

	for (unsigned k = p->first; k < p->b.carried.columns.n; k++) {
		type = dictionary_type(&p->dictionary, k);
		wire_pair(&p->wire, SAMPLE_TYPE, type.name, type.unit);
		if (k == p->first)
			wire_number(&p->wire, DEFAULT_TYPE, type.name);
	}
	if (dictionary_period(&p->dictionary, p->first, &type, &period)) {
		wire_pair(&p->wire, PERIOD_TYPE, type.name, type.unit);
		wire_number(&p->wire, PERIOD, (uint64_t)period);
	}
}

/* Builds the labels of samples. */
static void
add_labels(struct profile *p, const struct labels *l)
{
	size_t n = l != NULL ? l->n : 0;

	p->label = cli_alloc(n + 1, sizeof *p->label);
	p->label[0].key = dictionary_string(&p->dictionary, str_of("pprof::base"));
	p->label[0].str = dictionary_string(&p->dictionary, str_of("true"));
	for (size_t i = 0; i < n; i++) {
		struct text words = {0};

		labels_values(&words, &l->label[i]);
		p->label[i + 1].key = dictionary_string(&p->dictionary, str_of(l->label[i].key));
		p->label[i + 1].str = dictionary_string(&p->dictionary, text_as_str(&words));
		text_free(&words);
	}
	p->nlabel = n;
}

static int64_t
value_of_column(struct profile *p, uint32_t node, unsigned k)
{
	return p->rounds[k] ? dictionary_rounded(&p->dictionary, k, bridge_value(&p->b, node, k))
			    : dictionary_value(&p->dictionary, node, k);
}

static void
write_sample(struct profile *p, uint32_t node, struct str path, bool base)
{
	unsigned n = p->b.carried.columns.n;
	struct text *m = wire_part(&p->wire), *list;

	part_list(m, SAMPLE_LOCATION, path);
	list = wire_list(&p->wire);
	for (unsigned k = p->first; k < n; k++) {
		int64_t v = base ? 0 : value_of_column(p, node, k);

		if (base && k == p->first)
			v = -value_of_column(p, node, 0);
		payload_varint(list, (uint64_t)v);
	}
	part_list(m, SAMPLE_VALUE, text_as_str(list));
	for (size_t i = !base; i <= p->nlabel; i++) {
		list = wire_list(&p->wire);
		part_number(list, 1, p->label[i].key);
		part_number(list, 2, p->label[i].str);
		part_bytes(m, SAMPLE_LABEL, list->s, list->len);
	}
	wire_end(&p->wire, SAMPLE);
}

static void
write_samples(struct profile *p)
{
	uint32_t depth = 0;

	for (uint32_t node = CALLTREE_ROOT; (node = calltree_next(p->b.tree, node, &depth)) != 0;) {
		struct str path;

		if (!bridge_is_stack(&p->b, node))
			continue;
		path = dictionary_path(&p->dictionary, node, depth, wire_code);
		if (p->first > 0 && bridge_ends(&p->b, node, 0))
			write_sample(p, node, path, true);
		for (unsigned k = p->first; k < p->b.carried.columns.n; k++)
			if (bridge_ends(&p->b, node, k)) {
				write_sample(p, node, path, false);
				break;
			}
	}
}

static void
write_mappings(struct profile *p)
{
	for (uint32_t i = 1; i <= p->dictionary.nmodule; i++) {
		struct text *m = wire_part(&p->wire);

		part_number(m, 1, i);
		part_number(m, 5, p->dictionary.module[i]);
		for (unsigned field = 7; field <= 10;
		     field++) /* has functions, files, lines, inlines */
			part_number(m, field, 1);
		wire_end(&p->wire, MAPPING);
	}
}

static void
write_locations(struct profile *p)
{
	const struct dictionary *d = &p->dictionary;

	for (uint32_t i = 1; i <= d->nlocation; i++) {
		struct text *m = wire_part(&p->wire), *line;
		uint32_t outermost = i;

		if (d->location[i].number == 0)
			continue;
		while (d->location[outermost].outer != 0)
			outermost = d->location[outermost].outer;
		part_number(m, 1, d->location[i].number);
		part_number(m, 2, d->mapping[d->location[outermost].name]);
		for (uint32_t at = i; at != 0; at = d->location[at].outer) {
			uint32_t name = d->location[at].name;

			line = wire_list(&p->wire);
			part_number(line, 1, name);
			part_number(line, 2, dictionary_line(d, name));
			part_bytes(m, 4, line->s, line->len);
		}
		wire_end(&p->wire, LOCATION);
	}
}

static void
write_functions(struct profile *p)
{
	for (uint32_t name = 1; name < p->b.tree->nname; name++) {
		struct dictionary_function is;
		struct text *m = wire_part(&p->wire);

		if (name == p->b.gap)
			continue;
		is = dictionary_function(&p->dictionary, name);
		part_number(m, 1, name);
		part_number(m, 2, is.name);
		part_number(m, 3, is.exact);
		part_number(m, 4, is.file);
		wire_end(&p->wire, FUNCTION);
	}
}

static void
append(void *raw, const void *bytes, size_t len)
{
	text_add(raw, bytes, len);
}

void
bridge_pprof(const struct picture *picture, struct output *o)
{
	struct profile p = {0};
	struct text note = {0}, raw = {0};
	unsigned *digits = p.b.carried.digits;

	bridge_open(&p.b, picture);
	p.b.carried.difference = folded_columns_compared(&p.b.carried.columns);
	p.first = p.b.carried.difference;
	dictionary_open(&p.dictionary, &p.b);
	if (p.first > 0) /* base and head are one sample type, so they need equal decimals */
		digits[0] = digits[1] = digits[0] > digits[1] ? digits[0] : digits[1];
	for (unsigned k = 0; k < p.b.carried.columns.n; k++) {
		p.rounds[k] = dictionary_round(&p.dictionary, k);
		bridge_limit(&p.b, k, INT64_MAX, "2^63, the limit of pprof");
	}
	add_labels(&p, p.b.carried.columns.labels);

	p.wire.to = &raw;
	p.wire.sink = append;
	write_types(&p);
	write_samples(&p);
	fgnote_note(&note, &p.b.carried); /* after the samples: it has the rests of their values */
	dictionary_string(&p.dictionary, text_as_str(&note));
	write_mappings(&p);
	write_locations(&p);
	write_functions(&p);
	wire_bytes(&p.wire, STRING, "", 0);
	for (uint32_t i = 1; i < p.dictionary.strings->nname; i++)
		wire_bytes(&p.wire, STRING, p.dictionary.strings->name[i].s,
		    p.dictionary.strings->name[i].len);
	payload_gzip(o, &raw);

	text_free(&raw);
	text_free(&note);
	wire_free(&p.wire);
	free(p.label);
	dictionary_close(&p.dictionary);
	bridge_close(&p.b);
}
