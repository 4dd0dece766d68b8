/*
 * pprof: writer of profile.proto of <https://github.com/google/pprof>, compressed with gzip.
 * Samples are written while the tree is walked; the tables that they refer to follow.
 *
 * A frame and the frames inlined into it are one location, with a line for each. A function's
 * system name is the full text of its frame. The note of profile/fgnote is a string without a
 * reference, because pprof prints comments above its reports. Decimals without a finer unit that
 * pprof knows are rounded, and their rests are in the note. In a differential, base's samples are
 * negative and have the label of pprof's -diff_base.
 */
#include "fg-render/bridge/bridge.h"

#include "base/cli.h"

#ifdef HAVE_PROTOBUF
#include <stdlib.h>

#include "base/vec.h"
#include "fg-render/bridge/dictionary.h"
#include "fg-render/bridge/gzip.h"
#include "fg-render/bridge/wire.h"
#include "profile/pprof.pb-c.h"

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

struct profile {
	struct bridge b;
	struct dictionary dictionary;
	struct wire wire;
	unsigned first; /* first column that is a sample type */
	uint64_t *path;
	size_t cappath;
	Pprof__Label *label; /* pprof::base for base's samples, then the labels of the file */
	Pprof__Label **labels;
	size_t nlabel; /* number of labels of the file */
	bool rounds[CALLTREE_COLUMNS]; /* the column's values are rounded, with rests in the note */
};

static void
write_type(struct profile *p, unsigned field, struct dictionary_type is)
{
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT;

	type.type = is.name;
	type.unit = is.unit;
	wire_message(&p->wire, field, &type.base);
}

static void
write_types(struct profile *p)
{
	struct dictionary_type type;
	int64_t period;

	for (unsigned k = p->first; k < p->b.carried.columns.n; k++) {
		type = dictionary_type(&p->dictionary, k);
		write_type(p, SAMPLE_TYPE, type);
		if (k == p->first)
			wire_number(&p->wire, DEFAULT_TYPE, type.name);
	}
	if (dictionary_period(&p->dictionary, p->first, &type, &period)) {
		write_type(p, PERIOD_TYPE, type);
		wire_number(&p->wire, PERIOD, (uint64_t)period);
	}
}

/* Builds the labels of samples. */
static void
add_labels(struct profile *p, const struct labels *l)
{
	size_t n = l != NULL ? l->n : 0;

	p->label = cli_alloc(n + 1, sizeof *p->label);
	p->labels = cli_alloc(n + 1, sizeof *p->labels);
	for (size_t i = 0; i <= n; i++) {
		struct text words = {0};

		p->labels[i] = &p->label[i];
		p->label[i] = (Pprof__Label)PPROF__LABEL__INIT;
		if (i == 0) {
			p->label[i].key = dictionary_string(&p->dictionary, str_of("pprof::base"));
			p->label[i].str = dictionary_string(&p->dictionary, str_of("true"));
			continue;
		}
		labels_values(&words, &l->label[i - 1]);
		p->label[i].key = dictionary_string(&p->dictionary, str_of(l->label[i - 1].key));
		p->label[i].str = dictionary_string(&p->dictionary, text_as_str(&words));
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
write_sample(struct profile *p, uint32_t node, size_t npath, bool base)
{
	Pprof__Sample sample = PPROF__SAMPLE__INIT;
	int64_t v[CALLTREE_COLUMNS];
	unsigned n = p->b.carried.columns.n;

	for (unsigned k = p->first; k < n; k++)
		v[k] = base ? 0 : value_of_column(p, node, k);
	if (base)
		v[p->first] = -value_of_column(p, node, 0);
	sample.label = p->labels + !base;
	sample.n_label = p->nlabel + base;
	sample.location_id = p->path;
	sample.n_location_id = npath;
	sample.value = v + p->first;
	sample.n_value = n - p->first;
	wire_message(&p->wire, SAMPLE, &sample.base);
}

static void
write_samples(struct profile *p)
{
	uint32_t depth = 0;

	for (uint32_t node = CALLTREE_ROOT; (node = calltree_next(p->b.tree, node, &depth)) != 0;) {
		uint32_t npath;

		if (!bridge_is_stack(&p->b, node))
			continue;
		npath = dictionary_path(&p->dictionary, node);
		vec_fit(p->path, p->cappath, npath);
		for (uint32_t i = 0; i < npath; i++)
			p->path[i] = p->dictionary.path[i];
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
write_mappings(struct profile *p)
{
	for (uint32_t i = 1; i <= p->dictionary.nmodule; i++) {
		Pprof__Mapping mapping = PPROF__MAPPING__INIT;

		mapping.id = i;
		mapping.filename = p->dictionary.module[i];
		mapping.has_functions = mapping.has_filenames = true;
		mapping.has_line_numbers = mapping.has_inline_frames = true;
		wire_message(&p->wire, MAPPING, &mapping.base);
	}
}

static void
write_locations(struct profile *p)
{
	const struct dictionary *d = &p->dictionary;
	Pprof__Line *line = NULL, **lines = NULL;
	size_t capline = 0, caplines = 0;

	for (uint32_t i = 1; i <= d->nlocation; i++) {
		Pprof__Location location = PPROF__LOCATION__INIT;
		size_t n = 0;

		if (d->location[i].number == 0)
			continue;
		for (uint32_t at = i; at != 0; at = d->location[at].outer) {
			uint32_t name = d->location[at].name;

			vec_fit(line, capline, n + 1);
			line[n] = (Pprof__Line)PPROF__LINE__INIT;
			line[n].function_id = name;
			line[n++].line = dictionary_line(d, name);
			location.mapping_id = d->mapping[name]; /* of the outermost frame */
		}
		vec_fit(lines, caplines, n);
		for (size_t k = 0; k < n; k++)
			lines[k] = &line[k];
		location.id = d->location[i].number;
		location.line = lines;
		location.n_line = n;
		wire_message(&p->wire, LOCATION, &location.base);
	}
	free(line);
	free(lines);
}

static void
write_functions(struct profile *p)
{
	for (uint32_t name = 1; name < p->b.tree->nname; name++) {
		Pprof__Function function = PPROF__FUNCTION__INIT;
		struct dictionary_function is;

		if (name == p->b.gap)
			continue;
		is = dictionary_function(&p->dictionary, name);
		function.id = name;
		function.name = is.name;
		function.filename = is.file;
		function.system_name = is.exact;
		wire_message(&p->wire, FUNCTION, &function.base);
	}
}

static void
write_packed(void *to, const void *bytes, size_t len)
{
	gzip_write(to, bytes, len);
}

void
bridge_pprof(const struct picture *picture, struct output *o)
{
	struct profile p = {0};
	struct text note = {0};
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

	p.wire.to = gzip_open(o);
	p.wire.sink = write_packed;
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
	gzip_close(p.wire.to);

	text_free(&note);
	wire_free(&p.wire);
	free(p.label);
	free(p.labels);
	free(p.path);
	dictionary_close(&p.dictionary);
	bridge_close(&p.b);
}
#else
void
bridge_pprof(const struct picture *picture, struct output *o)
{
	(void)picture, (void)o;
	cli_die("-T pprof: this fg-render was built without protobuf-c");
}
#endif
