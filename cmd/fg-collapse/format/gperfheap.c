/*
 * gperfheap: heap profiles of gperftools, and the similar ones of Go and jemalloc:
 *
 *	heap profile:   1342:  5904938 [ 18364: 15004274] @ heap_v2/524288
 *	    85:  5656260 [   200: 13306200] @ 0x564a5ecd5288 0x564a5ecd58d3
 *	MAPPED_LIBRARIES:
 *	564a5ecd5000-564a5ecd7000 r-xp 00001000 fe:01 11054071    /srv/alloc
 *
 *	heap_v2/524288
 *	  t*: 1319: 7259561 [0: 0]
 *	@ 0x7fa0736a2630 0x7fa0736a2d21
 *	  t*: 1: 112 [0: 0]
 *
 * Numbers are objects and bytes in use and, in brackets, allocated since the start.
 * Sampled numbers are scaled as in pprof and jeprof: by 1 / (1 - exp(-size / rate)),
 * truncated to integers.
 */
#include "fg-collapse/format.h"

#include <math.h>

#include "fg-collapse/shape/addresstext.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/sample.h"

#define JAVA_RATE 524288 /* bytes; rate of Java's heap profiles, which do not state it */

enum { ALLOC_OBJECTS, ALLOC_SPACE, INUSE_OBJECTS, INUSE_SPACE, EVENTS };

struct heap {
	struct addresses addresses;
	struct reader *reader;
	uint32_t event[EVENTS];
	uint64_t rate; /* bytes between samples; 0: all allocations were counted */
	bool jemalloc, java;
	struct text stack; /* jemalloc: the stack whose numbers follow */
};

struct counts {
	uint64_t objects, bytes, allocated, allocated_bytes;
};

/* Reads `85:  5656260 [   200: 13306200]` with blanks around it. */
static bool
scan_counts(struct str *s, struct counts *c)
{
	uint64_t *n[] = {&c->objects, &c->bytes, &c->allocated, &c->allocated_bytes};
	static const char *const before[] = {"", ":", "[", ":"};
	struct str rest = *s;

	for (int i = 0; i < 4; i++) {
		scan_blanks(&rest);
		if (!scan_word(&rest, before[i]))
			return false;
		scan_blanks(&rest);
		scan_word(&rest, "-"); /* negative: gperftools counts frees of unseen allocations */
		if (!scan_number(&rest, n[i]))
			return false;
	}
	scan_blanks(&rest);
	if (!scan_word(&rest, "]"))
		return false;
	scan_blanks(&rest);
	*s = rest;
	return true;
}

static void
scale(const struct heap *h, uint64_t *objects, uint64_t *bytes)
{
	double factor;

	if (h->rate <= 1)
		return;
	if (*objects == 0 || *bytes == 0) {
		*objects = *bytes = 0;
		return;
	}
	factor = 1 / (1 - exp(-((double)*bytes / (double)*objects) / (double)h->rate));
	if (!(factor * (double)*objects < 9e18) || !(factor * (double)*bytes < 9e18))
		return;
	*objects = (uint64_t)((double)*objects * factor);
	*bytes = (uint64_t)((double)*bytes * factor);
}

static void
begin_sample(struct heap *h, struct counts c)
{
	struct str none = {0};
	struct sample_weight w[EVENTS];

	scale(h, &c.objects, &c.bytes);
	scale(h, &c.allocated, &c.allocated_bytes);
	w[0] = (struct sample_weight){h->event[ALLOC_OBJECTS], value_of(c.allocated)};
	w[1] = (struct sample_weight){h->event[ALLOC_SPACE], value_of(c.allocated_bytes)};
	w[2] = (struct sample_weight){h->event[INUSE_OBJECTS], value_of(c.objects)};
	w[3] = (struct sample_weight){h->event[INUSE_SPACE], value_of(c.bytes)};
	addresses_begin(&h->addresses, w, EVENTS, none, none);
}

/* Reads `heap profile: ... @ heap_v2/524288`: the sampling rate. */
static bool
read_head(struct heap *h, struct str s)
{
	struct counts all;
	struct str kind;
	uint64_t rate = 0;

	if (scan_word(&s, "heap_v2/")) {
		h->jemalloc = true;
		return scan_number(&s, &h->rate);
	}
	if (!scan_word(&s, "heap profile:") || !scan_counts(&s, &all) || !scan_word(&s, "@"))
		return false;
	scan_blanks(&s);
	kind = scan_until(&s, '/');
	scan_number(&s, &rate);
	if (str_is(kind, "heap_v2") || str_is(kind, "heapz_v2"))
		h->rate = rate;
	else if (str_is(kind, "heap"))
		h->rate = rate / 2;
	else if (!str_is(kind, "heapprofile") && !str_starts(kind, "growth") &&
		 !str_starts(kind, "fragmentation"))
		return false;
	return true;
}

static bool
read_line(struct heap *h, struct str s)
{
	struct counts c;
	struct str t = str_trim(s);

	if (addresstext_beside(&h->addresses, t))
		return true;
	if (h->jemalloc) {
		if (scan_word(&t, "@")) {
			text_cut(&h->stack, 0);
			text_str(&h->stack, t);
			text_char(&h->stack, ' ');
			return true;
		}
		if (!scan_word(&t, "t*:"))
			return str_starts(t, "t");
		if (h->stack.len == 0) /* the totals */
			return scan_counts(&t, &c);
		if (!scan_counts(&t, &c))
			return false;
		begin_sample(h, c);
		addresstext_stack(&h->addresses, text_as_str(&h->stack), ADDRESSTEXT_RETURNS);
		text_cut(&h->stack, 0);
		return true;
	}
	if (h->java) {
		if (addresstext_java(&h->addresses, t))
			return true;
		if (str_find(t, "=") < t.len)
			return true;
		c = (struct counts){0};
		if (!scan_number(&t, &c.bytes))
			return false;
		scan_blanks(&t);
		if (!scan_number(&t, &c.objects))
			return false;
		scan_blanks(&t);
		if (!scan_word(&t, "@"))
			return false;
		begin_sample(h, c);
		addresstext_stack(&h->addresses, t, ADDRESSTEXT_EXACT);
		return true;
	}
	if (!scan_counts(&t, &c) || !scan_word(&t, "@"))
		return false;
	begin_sample(h, c);
	addresstext_stack(&h->addresses, t, ADDRESSTEXT_RETURNS);
	return true;
}

/* Sets the kind of the numbers by the rate. Objects are computed from the bytes. */
static void
describe_events(struct heap *h)
{
	struct sampler *s = h->reader->sampler;

	for (int i = 0; i < EVENTS; i++) {
		bool sampled = h->rate > 1, objects = i % 2 == 0;

		sampler_values(s, h->event[i],
		    !sampled  ? FOLDED_EXACT
		    : objects ? FOLDED_ESTIMATED
			      : FOLDED_SAMPLED);
		if (sampled && !objects && h->rate <= INT64_MAX)
			sampler_period(s, h->event[i], value_of(h->rate), "bytes");
	}
}

static void
name_events(struct heap *h)
{
	struct sampler *s = h->reader->sampler;
	static const char *const name[] = {
	    "alloc_objects", "alloc_space", "inuse_objects", "inuse_space"};

	for (int i = 0; i < EVENTS; i++)
		h->event[i] = sampler_event(
		    s, str_of(name[i]), i % 2 == 0 ? str_of(name[i]) : str_of("bytes"));
	sampler_default(s, h->event[INUSE_SPACE]);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	struct heap h = {0};

	while (scan_line(&rest, &line))
		if (line.len > 0)
			return str_starts(line, "--- heapz") || read_head(&h, line) ? 98 : 0;
	return 0;
}

static void
begin_profile(struct heap *h)
{
	addresses_init(&h->addresses, h->reader, "");
	h->addresses.heap = true;
	h->jemalloc = h->java = false;
	h->rate = 0;
}

static void
end_profile(struct heap *h)
{
	h->addresses.symbolizer = h->jemalloc ? "jeprof --collapsed PROGRAM FILE"
					      : "google-pprof --collapsed PROGRAM FILE";
	addresses_take(&h->addresses);
	addresses_free(&h->addresses);
	text_cut(&h->stack, 0);
}

static void
read_input(struct reader *r)
{
	struct heap h = {.reader = r};
	struct str line;
	bool first = true;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	name_events(&h);
	begin_profile(&h);
	while (reader_line(r, &line)) {
		if (line.len == 0)
			continue;
		if (h.addresses.maps && sniff(line.s, line.len) > 0) { /* another profile */
			end_profile(&h);
			begin_profile(&h);
			first = true;
		}
		if (first && str_starts(line, "--- heapz")) {
			h.java = true;
			h.rate = JAVA_RATE;
		} else if (first ? !read_head(&h, line) : !read_line(&h, line)) {
			reader_malformed(r, "not a line of a heap profile");
		}
		if (first)
			describe_events(&h);
		first = false;
	}
	end_profile(&h);
	text_free(&h.stack);
}

const struct format heap_format = {
    .provides = DATA_CODE | DATA_EVENT,
    .reads_programs = true,
    .sniff = sniff,
    .read = read_input,
};
