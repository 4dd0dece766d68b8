/*
 * pprof: profiles of Go and of other programs in pprof's protocol buffer format,
 * compressed by gzip or not. Samples are lists of locations, leaf first, and precede the
 * tables of locations; so the profile is read in two passes.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/intmap.h"
#include "base/vec.h"
#include "fg-collapse/options.h"
#include "fg-collapse/pprof/dropped.h"
#include "fg-collapse/pprof/pproflabels.h"
#include "fg-collapse/pprof/messages.h"
#include "fg-collapse/shape/protobuf.h"
#include "fg-collapse/shape/roundtrip.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/tables.h"
#include "sample/events.h"
#include "sample/sample.h"
#include "sample/write.h"

enum profile_field {
	SAMPLE_TYPE = 1,
	SAMPLE,
	MAPPING,
	LOCATION,
	FUNCTION,
	STRING,
	DROP_FRAMES,
	KEEP_FRAMES,
	TIME,
	DURATION,
	PERIOD_TYPE,
	PERIOD,
	COMMENT,
	DEFAULT_TYPE,
	DOC_URL,
	FIELDS,
};

#define SAMPLE_VALUE 2 /* field of a sample */
#define NOT_OF_THIS_KIND "not a message of this kind"

/* Maps the profile's ids to indices of the tables. Most writers count from 1. */
struct ids {
	uint64_t dense; /* ids from 1 to it are each one more than their index */
	struct intmap map; /* the others */
};

struct type {
	uint64_t name, unit; /* indices of strings */
	uint32_t event;
	uint32_t base; /* event of the negative values, if there are any */
	bool difference; /* the sample type has negative values */
};

struct profile {
	struct reader *reader;
	struct tables tables;
	struct ids locations, functions, mappings;
	uint64_t *function_id; /* function ids of the lines, until all functions are known */
	size_t nfunction_id, capfunction_id;
	uint64_t *mapping_id; /* mapping ids of the locations, until all mappings are known */
	size_t nmapping_id, capmapping_id;
	struct type *type;
	size_t ntype, captype;
	struct type period_type;
	uint64_t period, default_type, drop, keep;
	uint64_t *comment; /* indices of strings */
	size_t ncomment, capcomment;
	enum dropped *dropped;
	struct sample_weight *weight;
	struct pproflabels labels;
	struct pprof_sample sample; /* the current one */
	struct pprof_location location;
	bool ours; /* fg-render wrote it */
	struct roundtrip back;
	uint32_t *carried; /* by function: names, if ours */
};

/* Index of an id; TABLES_NONE for 0. */
static uint32_t
index_of(const struct ids *ids, uint64_t id)
{
	uintptr_t n;

	if (id - 1 < ids->dense)
		return (uint32_t)(id - 1);
	n = (uintptr_t)intmap_get(&ids->map, id);
	return n > 0 ? (uint32_t)(n - 1) : id == 0 ? TABLES_NONE : TABLES_BAD;
}

/* Assigns an index to an id; the first element with an id wins. */
static void
number(struct ids *ids, uint64_t id, size_t n)
{
	void **at;

	if (id - 1 < ids->dense)
		return;
	if (id == n + 1 && n == ids->dense) {
		ids->dense++;
		return;
	}
	at = intmap_at(&ids->map, id);
	if (*at == NULL)
		*at = (void *)(uintptr_t)(n + 1);
}

static uint32_t
text_index(int64_t n)
{
	return n >= 0 && n < TABLES_BAD ? (uint32_t)n : TABLES_BAD;
}

static void
add_type(struct profile *p, const struct protobuf *walk, const struct protobuf_field *f)
{
	struct pprof_type m = {0};
	struct type t = {0};

	if (!protobuf_message(walk, f, pprof_type, &m))
		return;
	t.name = text_index(m.type);
	t.unit = text_index(m.unit);
	if (f->number == PERIOD_TYPE) {
		p->period_type = t;
		return;
	}
	vec_fit(p->type, p->captype, p->ntype + 1);
	p->type[p->ntype++] = t;
}

static void
add_mapping(struct profile *p, const struct protobuf *walk, const struct protobuf_field *f)
{
	struct pprof_mapping m = {0};

	if (!protobuf_message(walk, f, pprof_mapping, &m))
		return;
	number(&p->mappings, m.id, p->tables.nmapping);
	tables_mapping(&p->tables, text_index(m.file));
}

static void
add_function(struct profile *p, const struct protobuf *walk, const struct protobuf_field *f)
{
	struct pprof_function m = {0};

	if (!protobuf_message(walk, f, pprof_function, &m))
		return;
	number(&p->functions, m.id, p->tables.nfunction);
	tables_function(&p->tables, (struct tables_function){text_index(m.name),
					text_index(m.system_name), text_index(m.file)});
}

static void
add_location(struct profile *p, const struct protobuf_field *f)
{
	const struct pprof_location *m = &p->location;
	const struct pprof_line *line;

	if (f->wire != PROTOBUF_BYTES || !pprof_read_location(f->bytes, &p->location)) {
		reader_malformed_byte(p->reader, f->offset, NOT_OF_THIS_KIND);
		return;
	}
	number(&p->locations, m->id, p->tables.nlocation);
	tables_location(&p->tables, m->address, TABLES_NONE);
	vec_fit(p->mapping_id, p->capmapping_id, p->nmapping_id + 1);
	p->mapping_id[p->nmapping_id++] = m->mapping;
	line = m->line.at;
	for (size_t i = 0; i < m->line.n; i++) {
		tables_line(&p->tables, TABLES_NONE, line[i].line > 0 ? (uint64_t)line[i].line : 0);
		vec_fit(p->function_id, p->capfunction_id, p->nfunction_id + 1);
		p->function_id[p->nfunction_id++] = line[i].function;
	}
}

static void
add_comments(struct profile *p, const struct protobuf_field *f)
{
	uint64_t n;

	for (size_t at = 0; protobuf_number(f, &at, &n);) {
		vec_fit(p->comment, p->capcomment, p->ncomment + 1);
		p->comment[p->ncomment++] = n;
	}
}

/* Reads everything except the samples. */
static void
read_tables(struct profile *p, struct str bytes)
{
	struct protobuf walk;
	struct protobuf_field f;
	unsigned seen = 0;

	protobuf_init(&walk, p->reader, bytes, 0);
	while (protobuf_next(&walk, &f)) {
		if (f.number >= TIME && f.number <= PERIOD) { /* fields that occur at most once */
			if (seen & 1u << f.number)
				reader_malformed_byte(p->reader, f.offset,
				    "a second profile follows the first; give each as a file of "
				    "its own");
			seen |= 1u << f.number;
		}
		switch (f.number) {
		case SAMPLE_TYPE:
		case PERIOD_TYPE: add_type(p, &walk, &f); break;
		case MAPPING: add_mapping(p, &walk, &f); break;
		case LOCATION: add_location(p, &f); break;
		case FUNCTION: add_function(p, &walk, &f); break;
		case STRING: tables_string(&p->tables, f.bytes); break;
		case DROP_FRAMES: p->drop = f.n; break;
		case KEEP_FRAMES: p->keep = f.n; break;
		case PERIOD: p->period = f.n; break;
		case COMMENT: add_comments(p, &f); break;
		case DEFAULT_TYPE: p->default_type = f.n; break;
		}
	}
	if (p->drop > 0 && (p->drop >= p->tables.nstring || p->keep >= p->tables.nstring))
		reader_malformed_byte(
		    p->reader, 0, "drop_frames or keep_frames does not refer to a string");
	for (size_t i = 0; i < p->nmapping_id; i++)
		p->tables.location[i].mapping = index_of(&p->mappings, p->mapping_id[i]);
	for (size_t i = 0; i < p->nfunction_id; i++)
		p->tables.line[i].function = index_of(&p->functions, p->function_id[i]);
}

/*
 * A sample type with negative values is a difference of two profiles (go tool pprof
 * -diff_base, or of two snapshots): these are its base, and the others its head.
 */
static void
choose_columns(struct profile *p)
{
	static const char *const name[] = {"base", "head"};
	struct sampler *s = p->reader->sampler;
	const struct folded_period *period;
	struct text base = {0};

	for (size_t k = 0; k < p->ntype; k++) {
		struct type *type = &p->type[k];

		if (!type->difference)
			continue;
		text_cut(&base, 0);
		text_printf(&base, "%s, base", s->event[type->event].name);
		type->base = sampler_event(
		    s, text_as_str(&base), str_of(sampler_unit(s, &s->event[type->event])));
		period = &s->event[type->event].stands;
		sampler_period(s, type->base, period->number, period->unit);
		sampler_values(s, type->base, s->event[type->event].values);
		if (type->event == s->column[0] && s->chosen) {
			sampler_columns(s, name, (const uint32_t[]){type->base, type->event}, 2);
		}
	}
	text_free(&base);
}

/* Determines which sample types have negative values. */
static void
find_differences(struct profile *p, struct str bytes)
{
	struct protobuf walk, sample;
	struct protobuf_field f, field;
	uint64_t n;

	protobuf_init(&walk, NULL, bytes, 0);
	while (protobuf_next(&walk, &f)) {
		size_t type = 0;

		if (f.number != SAMPLE || f.wire != PROTOBUF_BYTES)
			continue;
		protobuf_enter(&sample, &walk, &f);
		while (protobuf_next(&sample, &field))
			for (size_t at = 0;
			     field.number == SAMPLE_VALUE && protobuf_number(&field, &at, &n);
			     type++)
				if (n > INT64_MAX && type < p->ntype)
					p->type[type].difference = true;
	}
}

/*
 * Names the events. The last one is the default if the profile has no valid one, as in pprof, and
 * unless it has no samples.
 */
static void
name_events(struct profile *p, struct str bytes)
{
	struct sampler *s = p->reader->sampler;
	struct tables *t = &p->tables;
	struct str dflt = tables_text(t, p->default_type), name, unit, period;
	struct type *chosen = NULL;

	period =
	    tables_unit(tables_text(t, p->period_type.name), tables_text(t, p->period_type.unit));
	for (size_t k = 0; k < p->ntype; k++) {
		struct type *type = &p->type[k];

		name = tables_text(t, type->name);
		unit = tables_unit(name, tables_text(t, type->unit));
		type->event = sampler_event(s, name, unit);
		tables_period(s, type->event, unit, p->period, period);
		if (chosen == NULL || dflt.len == 0 ||
		    !str_equal(dflt, tables_text(t, chosen->name)))
			chosen = type;
	}
	if (chosen != NULL)
		chosen = p->type + pprof_valued(&p->sample, bytes, SAMPLE, p->ntype,
				       (size_t)(chosen - p->type));
	if (chosen != NULL)
		sampler_default(s, chosen->event);
	p->weight = cli_alloc(p->ntype + 1, sizeof *p->weight);
	choose_columns(p);
	for (size_t i = 0; i < p->ncomment && cli_verbose; i++) {
		struct str comment = tables_text(t, p->comment[i]);

		cli_note("%s: %.*s", lines_name(p->reader->lines), (int)comment.len, comment.s);
	}
}

/* The first location to keep: callees of a dropped one are dropped, unless no caller remains. */
static size_t
first_kept(const struct profile *p, const struct pprof_sample *m)
{
	bool found = false;

	for (size_t i = m->location.n; p->dropped != NULL && i-- > 0;) {
		uint32_t l = index_of(&p->locations, m->location.at[i]);

		if (l >= p->tables.nlocation || p->dropped[l] == DROPPED_NONE)
			found = true;
		else if (found)
			return p->dropped[l] == DROPPED_ALL ? i + 1 : i;
	}
	return 0;
}

/* Reads a sample, until the next call; NULL if it is malformed. */
static const struct pprof_sample *
sample_of(struct profile *p, const struct protobuf_field *f)
{
	if (f->wire == PROTOBUF_BYTES && pprof_read_sample(f->bytes, &p->sample))
		return &p->sample;
	reader_malformed_byte(p->reader, f->offset, NOT_OF_THIS_KIND);
	return NULL;
}

static void
pass_sample(struct profile *p, const struct protobuf_field *f)
{
	const struct pprof_sample *m = sample_of(p, f);
	struct sample_task task = {0};

	if (m == NULL)
		return;
	if (m->value.n != p->ntype) {
		reader_malformed_byte(
		    p->reader, f->offset, "a sample without a value for each sample type");
		return;
	}
	for (size_t i = 0; i < p->ntype; i++) {
		const int64_t v = pprof_value(m, i);
		bool head = v >= 0;

		p->weight[i] = (struct sample_weight){head ? p->type[i].event : p->type[i].base,
		    value_of(head ? (uint64_t)v : 0 - (uint64_t)v)};
	}
	pproflabels_read(&p->labels, m, &task);
	if (!sample_begin_all(
		p->reader->sampler, &task, p->weight, (unsigned)p->ntype, SAMPLE_NO_TIME))
		return;
	for (size_t i = first_kept(p, m); i < m->location.n; i++)
		tables_frames(&p->tables, index_of(&p->locations, m->location.at[i]));
	sample_end(p->reader->sampler);
}

/*
 * Detects a profile by fg-render, which is restored without loss: one of its strings is the
 * note. In earlier versions it was a comment.
 */
static void
find_note(struct profile *p)
{
	struct tables *t = &p->tables;

	for (size_t i = 0; i < t->nstring && !p->ours; i++)
		p->ours = roundtrip_begin(&p->back, p->reader, tables_text(t, i));
	if (!p->ours)
		return;
	p->carried = cli_alloc(t->nfunction + 1, sizeof *p->carried);
	for (size_t i = 0; i < t->nfunction; i++)
		p->carried[i] =
		    roundtrip_name(&p->back, tables_text(t, t->function[i].system_name));
}

/* True for a sample of a difference's base. */
static bool
is_base(const struct profile *p, const struct pprof_sample *m)
{
	for (size_t i = 0; i < m->label.n; i++)
		if (str_is(
			tables_text(&p->tables, text_index(pprof_label(m, i)->key)), "pprof::base"))
			return true;
	return false;
}

static void
pass_restored(struct profile *p, const struct protobuf_field *f)
{
	const struct pprof_sample *m = sample_of(p, f);
	struct roundtrip *c = &p->back;
	unsigned first = c->carried.difference, n = c->carried.columns.n;
	value v[CALLTREE_COLUMNS] = {0};

	if (m == NULL || m->value.n != n - first)
		c->rounded = true; /* the rests of this sample are unknown, so those of all later */
	if (m == NULL)
		return;
	if (m->value.n != n - first) {
		reader_malformed_byte(
		    p->reader, f->offset, "a sample without a value for each sample type");
		return;
	}
	if (first > 0 && is_base(p, m))
		v[0] = roundtrip_value(c, 0, 0 - m->value.at[0]);
	for (unsigned k = first; k < n && !(first > 0 && is_base(p, m)); k++)
		v[k] = roundtrip_value(c, k, m->value.at[k - first]);
	for (size_t i = m->location.n; i-- > 0;)
		roundtrip_location(
		    &p->back, &p->tables, p->carried, index_of(&p->locations, m->location.at[i]));
	roundtrip_end(&p->back, SAMPLE_NO_TIME, v);
}

static void
read_samples(struct profile *p, struct str bytes)
{
	struct protobuf walk;
	struct protobuf_field f;

	protobuf_init(&walk, p->reader, bytes, 0);
	while (protobuf_next(&walk, &f))
		if (f.number == SAMPLE && p->ours)
			pass_restored(p, &f);
		else if (f.number == SAMPLE)
			pass_sample(p, &f);
	if (p->ours)
		roundtrip_check(&p->back);
}

static void
free_ids(struct ids *ids)
{
	free(ids->map.slot);
}

static void
read_input(struct reader *r)
{
	struct profile p = {.reader = r};
	struct str bytes;

	bytes.s = (const char *)source_whole(lines_source(r->lines), &bytes.len);
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	tables_init(&p.tables, r->sampler);
	p.labels = (struct pproflabels){.reader = r, .tables = &p.tables};
	read_tables(&p, bytes);
	find_note(&p);
	if (!p.ours) {
		find_differences(&p, bytes);
		name_events(&p, bytes);
		p.dropped = dropped_find(
		    r, &p.tables, tables_text(&p.tables, p.drop), tables_text(&p.tables, p.keep));
	}
	read_samples(&p, bytes);
	pproflabels_end(&p.labels);
	pprof_sample_free(&p.sample);
	free(p.location.line.at);
	tables_free(&p.tables);
	free_ids(&p.locations);
	free_ids(&p.functions);
	free_ids(&p.mappings);
	free(p.function_id);
	free(p.mapping_id);
	free(p.type);
	free(p.comment);
	free(p.dropped);
	free(p.weight);
	free(p.carried);
	roundtrip_free(&p.back);
}

static bool
is_type(struct str bytes)
{
	struct protobuf walk;
	struct protobuf_field f;

	protobuf_init(&walk, NULL, bytes, 0);
	while (protobuf_next(&walk, &f))
		if (f.number > 2 || f.wire != PROTOBUF_VARINT)
			return false;
	return !walk.cut && !walk.broken;
}

/* Detects a profile: all fields in the first bytes have valid numbers and wire types, and
 * sample types are well-formed. */
static int
sniff(const char *data, size_t len)
{
	struct protobuf walk;
	struct protobuf_field f;
	unsigned types = 0, texts = 0, fields = 0;

	protobuf_init(&walk, NULL, (struct str){data, len}, 0);
	while (protobuf_next(&walk, &f)) {
		bool number = f.number >= DROP_FRAMES && f.number != PERIOD_TYPE;

		if (f.number >= FIELDS ||
		    (number && f.number != COMMENT && f.wire != PROTOBUF_VARINT) ||
		    (!number && f.wire != PROTOBUF_BYTES))
			return 0;
		if (f.number == SAMPLE_TYPE || f.number == PERIOD_TYPE) {
			if (!is_type(f.bytes))
				return 0;
			types += f.bytes.len > 0; /* a type without a name is valid */
		}
		if (f.number == STRING && texts++ == 0 && f.bytes.len > 0)
			return 0;
		fields++;
	}
	return fields == 0 || (walk.at < len && !walk.cut) ? 0
	       : types > 0				   ? 95
	       : texts > 0				   ? 60
							   : 0;
}

const struct format pprof_format = {
    .provides = DATA_TASK | DATA_CODE | DATA_EVENT | DATA_THREAD_NAMES | DATA_LABELS,
    .bytes = FORMAT_BINARY,
    .sniff = sniff,
    .read = read_input,
};
