/*
 * dhat: allocation sites recorded by valgrind's dhat or Rust's dhat crate,
 *
 *	{"dhatFileVersion":2,"mode":"heap","verb":"Allocated",
 *	 "pps":[{"tb":72704,"tbk":1,"gb":72704,"gbk":1,"fs":[1,2,3]}],
 *	 "ftbl":["[root]","0x109268: small_(int) (alloc.cpp:7)"]}
 *
 * fs are indices of frames in the table, leaf first. The table comes last, so the indices
 * are stored until then.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/shape/json.h"
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/valgrind/valgrindframe.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

/* Bytes and blocks: total, maximum, at the global peak, at the end; bytes read and written. */
static const char *const metric[] = {
    "tb", "tbk", "mb", "mbk", "gb", "gbk", "eb", "ebk", "rb", "wb"};

enum { METRICS = sizeof metric / sizeof metric[0] };

struct profile {
	struct sampler *sampler;
	struct json_indices frames; /* frames of all places */
	struct place {
		size_t frames; /* end of the place's frames */
		uint64_t n[METRICS];
	} * place;
	size_t places, capplaces;
	bool has[METRICS];
	struct json_strings table;
	struct text mode;
	bool bytes; /* else units that the program defines */
};

static void
read_place(struct json *j, void *to)
{
	struct profile *p = to;
	struct place place = {0};
	struct str key;
	const size_t frames = p->frames.n;
	bool located = false; /* it has a stack */
	bool told = false, any = false; /* it has a total, any key but the stack */

	if (!json_object(j))
		return;
	while (json_key(j, &key)) {
		unsigned m = 0;

		while (m < METRICS && !str_is(key, metric[m]))
			m++;
		told |= m == 0;
		any |= !str_is(key, "fs");
		if (str_is(key, "fs")) {
			located = true;
			json_indices(j, &p->frames);
		} else if (m == METRICS)
			json_skip(j);
		else if (json_whole(j, &place.n[m]))
			p->has[m] = true;
	}
	if (!told && any) {
		json_malformed(j, "a place without its total");
		p->frames.n = frames;
		return;
	}
	if (!located)
		json_indices_add(&p->frames, JSON_BAD_INDEX);
	place.frames = p->frames.n;
	vec_fit(p->place, p->capplaces, p->places + 1);
	p->place[p->places++] = place;
}

/* Allocates the addresses of all frames, 0 where unknown; the caller frees them. */
static uint64_t *
addresses_of(const struct profile *p)
{
	uint64_t *address = cli_alloc(p->table.n + 1, sizeof *address);

	for (size_t i = 0; i < p->table.n; i++) {
		struct str s = json_string_at(&p->table, i);

		scan_hex(&s, &address[i]);
	}
	return address;
}

/* Name of a frame of the table. A frame with its caller's address is inlined into it. */
static uint32_t
name_of(struct profile *p, struct text *t, uint32_t i, bool inlined)
{
	struct frame f;

	if (!valgrindframe_read(&f, t, json_string_at(&p->table, i)))
		f.function = json_string_at(&p->table, i);
	f.inlined = inlined;
	return sample_name(p->sampler, &f);
}

static void
give_places(struct profile *p)
{
	static const struct sample_task nobody;
	uint32_t *names = cli_alloc(2 * p->table.n + 2, sizeof *names);
	uint64_t *address = addresses_of(p);
	uint32_t event[METRICS];
	struct text t = {0};
	size_t at = 0;

	for (unsigned m = 0; m < METRICS; m++)
		if (p->has[m]) {
			const char *unit =
			    p->bytes ? str_ends(str_of(metric[m]), "k") ? "blocks" : "bytes"
			    : str_ends(str_of(metric[m]), "k") ? "events"
							       : "units";

			event[m] = sampler_event(p->sampler, str_of(metric[m]), str_of(unit));
			sampler_default(p->sampler, event[m]);
		}
	sampler_tree(p->sampler, NULL, 1);
	for (size_t i = 0; i < p->places; at = p->place[i++].frames) {
		const struct place *place = &p->place[i];
		struct sample_weight w[METRICS];
		unsigned n = 0;

		for (unsigned m = 0; m < METRICS; m++)
			if (place->n[m] > 0)
				w[n++] = (struct sample_weight){event[m], value_of(place->n[m])};
		if (!sample_begin_all(p->sampler, &nobody, w, n, SAMPLE_NO_TIME))
			continue;
		for (; at < place->frames; at++) {
			uint32_t f = p->frames.at[at], caller;
			bool inlined;

			if (f >= p->table.n) { /* JSON_NO_INDEX and others */
				sample_frame_named(p->sampler, SAMPLE_MISSING);
				continue;
			}
			caller = at + 1 < place->frames ? p->frames.at[at + 1] : f;
			inlined = caller < p->table.n && caller != f && address[f] != 0 &&
				  address[f] == address[caller];
			if (names[2 * (size_t)f + inlined] == 0)
				names[2 * (size_t)f + inlined] = name_of(p, &t, f, inlined) + 1;
			sample_frame_named(p->sampler, names[2 * (size_t)f + inlined] - 1);
		}
		sample_end(p->sampler);
	}
	text_free(&t);
	free(names);
	free(address);
}

static void
read_document(struct reader *r, struct json *j)
{
	static const struct json_field fields[] = {
	    JSON_VERSION("dhatFileVersion", DHAT),
	    JSON_NEEDED_EACH("pps", read_place),
	    JSON_NEEDED_FIELD("ftbl", STRINGS, struct profile, table),
	    JSON_FIELD("mode", TEXT, struct profile, mode),
	};
	struct profile p = {.sampler = r->sampler};

	json_document(j, fields, &p);
	p.bytes = str_find(text_as_str(&p.mode), "ad-hoc") == p.mode.len;
	give_places(&p);
	json_fields_free(fields, &p);
	json_indices_free(&p.frames);
	free(p.place);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {"dhatFileVersion", "pps.*.tb"};
	uint32_t found = json_find(data, len, path);

	return found & 1 ? 100 : found != 0 ? 60 : 0;
}

const struct format dhat_format = {
    .provides = DATA_CODE | DATA_EVENT,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .document = read_document,
    .order = SAMPLE_LEAF_FIRST,
};
