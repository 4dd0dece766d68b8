/*
 * pprofraw: output of `go tool pprof -raw` for any profile: samples as numbers of
 * locations, leaf first, then the locations. Several lines of a location are inlined
 * functions, innermost first:
 *
 *	Samples:
 *	samples/count cpu/nanoseconds[dflt]
 *	         14  140000000: 1 2 3 4
 *	                bytes:[8192]
 *	Locations
 *	     1: 0x10ae654 M=1 main.beta /srv/simple.go:18 s=0
 *	             main.delta /srv/simple.go:29 s=0
 *	Mappings
 *	1: 0x400000/0xfcb000/0x0 /home/server
 *
 * Samples are stored until the locations are known, so the complete profile is in
 * memory.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/tables.h"
#include "sample/events.h"
#include "sample/sample.h"

#define TYPES CALLTREE_COLUMNS
#define INLINED_MAX 256 /* limit of functions at one address */

struct location {
	uint64_t address;
	uint32_t mapping;
	uint32_t frame, frames; /* range in frame */
};

struct line_frame {
	size_t name, name_len, file, file_len; /* ranges in text */
	unsigned line;
};

struct profile {
	struct reader *reader;
	uint32_t event[TYPES];
	unsigned types;
	size_t *sample; /* start of each sample in number */
	size_t nsample, capsample;
	uint64_t *number; /* of each sample: its values, its number of locations, the locations */
	size_t nnumber, capnumber;
	struct location *location; /* by number of the location */
	size_t nlocation, caplocation;
	struct line_frame *frame;
	size_t nframe, capframe;
	struct {
		size_t at, len;
	} * mapping; /* by number: its file, a range in text */
	size_t nmapping, capmapping;
	struct text text;
	uint64_t period; /* its unit follows */
	struct text unit;
};

static size_t
keep(struct profile *p, struct str s)
{
	size_t at = p->text.len;

	text_str(&p->text, s);
	return at;
}

/* Reads `PeriodType: cpu nanoseconds`, `Period: 10000000` or another attribute. */
static bool
read_head(struct profile *p, struct str s)
{
	struct str type;

	if (scan_word(&s, "PeriodType: ")) {
		type = scan_until(&s, ' ');
		text_cut(&p->unit, 0);
		text_str(&p->unit, tables_unit(type, s));
	} else if (scan_word(&s, "Period: ")) {
		return scan_number(&s, &p->period);
	} else {
		return str_find(s, ": ") < s.len || str_is(s, "PeriodType:");
	}
	return true;
}

/* Reads `samples/count cpu/nanoseconds[dflt]`; without [dflt] the last is the default, as in
 * pprof. */
static bool
read_types(struct profile *p, struct str s)
{
	struct sampler *sampler = p->reader->sampler;
	uint32_t chosen = 0;
	bool marked = false;

	while (p->types < TYPES && s.len > 0) {
		struct str word = scan_until(&s, ' '), name;
		bool dflt = str_ends(word, "[dflt]");

		if (word.len == 0)
			continue;
		if (dflt)
			word.len -= strlen("[dflt]");
		if (str_find(word, "/") == word.len)
			return false;
		name = scan_until(&word, '/');
		word = tables_unit(name, word);
		p->event[p->types] = sampler_event(sampler, name, word);
		tables_period(sampler, p->event[p->types], word, p->period, text_as_str(&p->unit));
		if (dflt || !marked)
			chosen = p->event[p->types];
		marked |= dflt;
		p->types++;
	}
	if (p->types > 0)
		sampler_default(sampler, chosen);
	return p->types > 0;
}

static void
add_number(struct profile *p, uint64_t n)
{
	vec_fit(p->number, p->capnumber, p->nnumber + 1);
	p->number[p->nnumber++] = n;
}

/* Reads `14  140000000: 1 2 3 4`. */
static bool
read_sample(struct profile *p, struct str s)
{
	size_t begin = p->nnumber, count;
	uint64_t n;

	for (unsigned i = 0; i < p->types; i++) {
		scan_blanks(&s);
		if (scan_word(&s, "-")) /* negative, from a difference: the tree cannot hold it */
			scan_number(&s, &n), n = 0;
		else if (!scan_number(&s, &n))
			goto bad;
		add_number(p, n);
	}
	if (!scan_word(&s, ":"))
		goto bad;
	count = p->nnumber;
	add_number(p, 0);
	for (scan_blanks(&s); s.len > 0; scan_blanks(&s)) {
		if (!scan_number(&s, &n))
			goto bad;
		add_number(p, n);
		p->number[count]++;
	}
	vec_fit(p->sample, p->capsample, p->nsample + 1);
	p->sample[p->nsample++] = begin;
	return true;
bad:
	p->nnumber = begin;
	return false;
}

/* Reads `main.beta /srv/simple.go:18 s=0`, also with a column, `:18:3`. */
static void
read_function(struct profile *p, struct str s)
{
	struct line_frame f = {0};
	size_t at = str_find_last(s, " s="), blank, colon;
	struct str source, number;
	uint64_t n;

	s.len = at;
	blank = str_find_last(s, " ");
	source = blank < s.len ? str_from(s, blank + 1) : (struct str){0};
	f.name = keep(p, (struct str){s.s, blank});
	f.name_len = blank;
	for (int part = 0; part < 2; part++) {
		colon = str_find_last(source, ":");
		if (colon == source.len)
			break;
		number = str_from(source, colon + 1);
		if (!scan_number(&number, &n) || number.len > 0)
			break;
		source.len = colon;
		f.line = (unsigned)n;
	}
	f.file = keep(p, source);
	f.file_len = source.len;
	vec_fit(p->frame, p->capframe, p->nframe + 1);
	p->frame[p->nframe++] = f;
	p->location[p->nlocation - 1].frames++;
}

/* Reads `     1: 0x10ae654 M=1 main.beta /srv/simple.go:18 s=0`; locations are numbered from 1. */
static bool
read_location(struct profile *p, struct str s)
{
	struct location l = {0};
	uint64_t id, mapping;
	struct str rest = s;

	scan_blanks(&rest);
	if (scan_number(&rest, &id) && scan_word(&rest, ": ")) {
		if (!scan_hex(&rest, &l.address) || id != p->nlocation + 1)
			return false;
		scan_blanks(&rest);
		if (scan_word(&rest, "M=") && scan_number(&rest, &mapping))
			l.mapping = mapping <= UINT32_MAX ? (uint32_t)mapping : 0;
		scan_word(&rest, " [F]"); /* "folded": several functions share the address */
		l.frame = (uint32_t)p->nframe;
		vec_fit(p->location, p->caplocation, p->nlocation + 1);
		p->location[p->nlocation++] = l;
	} else {
		rest = s;
		if (scan_blanks(&rest) == 0 || p->nlocation == 0 ||
		    p->location[p->nlocation - 1].frames == INLINED_MAX)
			return false;
	}
	rest = str_trim(rest);
	if (rest.len > 0 && !str_starts(rest, "[F]"))
		read_function(p, rest);
	return true;
}

/* Reads `1: 0x400000/0xfcb000/0x0 /home/server  [FN]`. */
static bool
read_mapping(struct profile *p, struct str s)
{
	uint64_t id;
	struct str file;

	if (!scan_number(&s, &id) || !scan_word(&s, ": ") || id != p->nmapping + 1)
		return false;
	scan_until(&s, ' ');
	file = scan_until(&s, ' ');
	vec_fit(p->mapping, p->capmapping, p->nmapping + 1);
	p->mapping[p->nmapping].len = file.len;
	p->mapping[p->nmapping++].at = keep(p, file);
	return true;
}

static void
add_location(struct profile *p, const struct location *l, struct text *name)
{
	struct frame f = {.address = l->address, .has_address = true};

	if (l->mapping > 0 && l->mapping <= p->nmapping)
		f.module = (struct str){
		    p->text.s + p->mapping[l->mapping - 1].at, p->mapping[l->mapping - 1].len};
	f.kind = frame_kind_of(f.module);
	for (uint32_t i = 0; i < l->frames; i++) {
		const struct line_frame *lf = &p->frame[l->frame + i];

		text_cut(name, 0);
		plainname_add(name, (struct str){p->text.s + lf->name, lf->name_len}, false);
		f.function = text_as_str(name);
		f.file = (struct str){p->text.s + lf->file, lf->file_len};
		f.line = lf->line;
		f.inlined = i + 1 < l->frames;
		sample_frame(p->reader->sampler, &f);
	}
	if (l->frames == 0)
		sample_frame(p->reader->sampler, &f);
}

static void
pass_samples(struct profile *p)
{
	static const struct sample_task nobody;
	struct text name = {0};

	for (size_t i = 0; i < p->nsample; i++) {
		const uint64_t *n = p->number + p->sample[i];
		struct sample_weight w[TYPES];

		for (unsigned t = 0; t < p->types; t++)
			w[t] = (struct sample_weight){p->event[t], value_of(*n++)};
		if (!sample_begin_all(p->reader->sampler, &nobody, w, p->types, SAMPLE_NO_TIME))
			continue;
		for (uint64_t k = 1; k <= n[0]; k++)
			if (n[k] > 0 && n[k] <= p->nlocation)
				add_location(p, &p->location[n[k] - 1], &name);
			else
				sample_frame_named(p->reader->sampler, SAMPLE_MISSING);
		sample_end(p->reader->sampler);
	}
	text_free(&name);
}

static void
end_profile(struct profile *p)
{
	pass_samples(p);
	free(p->sample);
	free(p->number);
	free(p->location);
	free(p->frame);
	free(p->mapping);
	text_free(&p->text);
	text_free(&p->unit);
	*p = (struct profile){.reader = p->reader};
}

static void
read_input(struct reader *r)
{
	enum { HEAD, TYPES_NEXT, SAMPLES, LOCATIONS, MAPPINGS } part = HEAD;
	struct profile p = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	while (reader_line(r, &line)) {
		bool good = true;

		if (line.len == 0)
			continue;
		if (part > SAMPLES && str_starts(line, "PeriodType:")) { /* another profile */
			end_profile(&p);
			part = HEAD;
		}
		if (str_is(line, "Samples:") && part == HEAD) {
			part = TYPES_NEXT;
		} else if (str_is(line, "Locations")) {
			part = LOCATIONS;
		} else if (str_is(line, "Mappings")) {
			part = MAPPINGS;
		} else if (part == HEAD) {
			good = read_head(&p, line);
		} else if (part == TYPES_NEXT) {
			if (!read_types(&p, line))
				reader_refuse(r, r->number, "no types of samples");
			part = SAMPLES;
		} else if (part == SAMPLES) {
			size_t label = str_find(line, ":[");

			good = label < line.len || read_sample(&p, line);
		} else if (part == LOCATIONS) {
			good = read_location(&p, line);
		} else if (part == MAPPINGS) {
			good = read_mapping(&p, line);
		}
		if (!good)
			reader_malformed(r, "not a line of pprof -raw output");
	}
	end_profile(&p);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	for (int i = 0; i < 20 && scan_line(&rest, &line); i++)
		if (str_starts(line, "PeriodType: ") || str_is(line, "PeriodType:"))
			return 97;
	return 0;
}

const struct format pprofraw_format = {
    .provides = DATA_CODE | DATA_EVENT,
    .sniff = sniff,
    .read = read_input,
};
