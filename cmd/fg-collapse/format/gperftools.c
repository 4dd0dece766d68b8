/*
 * gperftools: CPU profiles of gperftools, in machine words of 4 or 8 bytes in either byte
 * order: 0, the number of words of the header that follow (3 or more), 0, the period in us, 0;
 * then for each stack its count, its depth and its addresses, leaf first; 0, 1, 0 at the end, then
 * /proc/self/maps as text. Java's profiles have a 1 instead of the second 0, the version, and
 * symbols as text.
 *
 * Frames of the profiler's signal handler are removed, as in pprof: up to two callers of
 * the leaf that nearly all stacks share, and a caller equal to the leaf. Unlike pprof,
 * which also removes the only caller of a program's only busy function, this is limited to
 * callers in the C library, the vdso or no known file.
 */
#include "fg-collapse/format.h"

#include "base/cursor.h"
#include "fg-collapse/shape/addresstext.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/sample.h"

#define JAVA 1 /* version */
#define VERSION_MAX 99
#define HEAD_WORDS 3 /* after the second one; a longer header has more, of unknown meaning */
#define HEAD_MAX 64
#define PERIOD_MAX 1000000000 /* us */
#define COUNT_MAX UINT64_C(1000000000000000)
#define SIMILAR 32 /* one sample in this many may have another caller */

struct words {
	struct cursor in;
	size_t size; /* size of a word: 4 or 8 bytes */
};

/* Reads the next word; false at the end, where part of a word may remain. */
static bool
next(struct words *w, uint64_t *n)
{
	*n = 0;
	if (cursor_left(&w->in) < w->size)
		return false;
	*n = w->size == 4 ? cursor_u32(&w->in) : cursor_u64(&w->in);
	return true;
}

/* Determines size and byte order of the words in a header, if there is one. */
static bool
read_head(struct words *w, struct str data, size_t at, uint64_t *period, uint64_t *version)
{
	for (unsigned kind = 0; kind < 4; kind++) {
		uint64_t n[5], more;
		bool good = true;

		w->in = cursor_of(data.s, data.len, kind >= 2 ? CURSOR_BIG : CURSOR_LITTLE);
		w->in.at = at;
		w->size = kind % 2 == 0 ? 8 : 4;
		for (int i = 0; i < 5; i++)
			good = good && next(w, &n[i]);
		if (good && n[0] == 0 && n[1] >= HEAD_WORDS && n[1] <= HEAD_MAX &&
		    n[2] <= VERSION_MAX && n[3] > 0 && n[3] <= PERIOD_MAX && n[4] == 0) {
			*period = n[3];
			*version = n[2];
			while (n[1]-- > HEAD_WORDS)
				if (!next(w, &more))
					return false;
			return true;
		}
	}
	return false;
}

/* Reads the samples; the text after them begins at w->in.at. */
static void
read_samples(struct reader *r, struct addresses *a, struct words *w, uint64_t period, bool java)
{
	uint32_t samples = sampler_event(r->sampler, str_of("samples"), str_of("samples"));
	uint32_t cpu = sampler_event(r->sampler, str_of("cpu"), str_of("ns"));
	uint64_t count, depth, pc;

	sampler_period(r->sampler, samples, value_of(period) * 1000, "ns");
	sampler_period(r->sampler, cpu, value_of(period) * 1000, "ns");
	sampler_default(r->sampler, cpu);
	for (;;) {
		size_t begin = w->in.at;
		struct sample_weight weight[2];

		if (!next(w, &count) || !next(w, &depth) ||
		    depth > (cursor_left(&w->in)) / w->size) {
			if (begin < w->in.end || count != 0)
				reader_malformed_byte(
				    r, begin, "a stack that extends past the end of the input");
			w->in.at = w->in.end;
			return;
		}
		if (count > COUNT_MAX) {
			reader_malformed_byte(r, begin, "an invalid count");
			w->in.at += depth * w->size;
			continue;
		}
		if (count == 0 && depth == 1) {
			size_t at = w->in.at;

			if (next(w, &pc) && pc == 0)
				return;
			w->in.at = at;
		}
		weight[0] = (struct sample_weight){samples, value_of(count)};
		weight[1] = (struct sample_weight){cpu, value_of(count) * period * 1000};
		addresses_begin(a, weight, 2, (struct str){0}, (struct str){0});
		for (uint64_t i = 0; i < depth && next(w, &pc); i++)
			addresses_add(a, i > 0 && pc > 0 && !java ? pc - 1 : pc);
	}
}

/* Removes the leaf's caller from a stack. */
static void
drop_caller(uint64_t *pc, uint32_t *n)
{
	--*n;
	memmove(pc + 1, pc + 2, (*n - 1) * sizeof *pc);
}

/* Finds the leaf's caller that all but one in SIMILAR stacks share; false if there is none. */
static bool
find_handler(struct addresses *a, uint64_t *handler)
{
	size_t n = a->nsample, votes = 0, have = 0;
	uint32_t *pcs;

	for (size_t i = 0; i < n; i++) {
		const uint64_t *pc = addresses_of(a, i, &pcs);

		if (*pcs < 2)
			continue;
		if (votes == 0)
			*handler = pc[1];
		votes += pc[1] == *handler ? 1 : (size_t)-1;
	}
	for (size_t i = 0; votes > 0 && i < n; i++) {
		const uint64_t *pc = addresses_of(a, i, &pcs);

		have += *pcs > 1 && pc[1] == *handler;
	}
	return have > 1 && have >= n - n / SIMILAR;
}

static bool
may_be_handler(struct addresses *a, uint64_t pc)
{
	struct str module = addresses_module(a, pc);

	return module.len == 0 || module.s[0] == '[' || str_starts(module, "libpthread") ||
	       str_starts(module, "libc.") || str_starts(module, "libc-") ||
	       str_starts(module, "ld-musl");
}

static void
drop_handler(struct addresses *a)
{
	uint64_t handler = 0, *pc;
	uint32_t *n;

	for (int frames = 0; frames < 2 && find_handler(a, &handler) && may_be_handler(a, handler);
	     frames++)
		for (size_t i = 0; i < a->nsample; i++) {
			pc = addresses_of(a, i, &n);
			if (*n > 1 && pc[1] == handler)
				drop_caller(pc, n);
		}
	for (size_t i = 0; i < a->nsample; i++) {
		pc = addresses_of(a, i, &n);
		if (*n > 1 && pc[0] == pc[1] + 1)
			drop_caller(pc, n);
	}
}

/* Reads the text after the samples, up to the end or the header of another profile. */
static void
read_text(struct addresses *a, struct words *w, struct str data, bool java)
{
	struct str rest = str_from(data, w->in.at), line;
	struct words another;
	uint64_t period, version;

	while (!read_head(&another, data, w->in.at, &period, &version) && scan_line(&rest, &line)) {
		if (!java || !addresstext_java(a, str_trim(line)))
			addresstext_map(a, line);
		w->in.at = data.len - rest.len;
	}
}

static void
read_input(struct reader *r)
{
	struct addresses a;
	struct words w = {0};
	struct str data;
	uint64_t period, version;

	data.s = (const char *)source_whole(lines_source(r->lines), &data.len);
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	do {
		bool java;

		if (!read_head(&w, data, w.in.at, &period, &version)) {
			reader_malformed_byte(r, w.in.at, "not the header of a CPU profile");
			break;
		}
		reader_version(r, VERSION_GPERFTOOLS, version, 0);
		java = version == JAVA;
		addresses_init(&a, r, "google-pprof --collapsed PROGRAM FILE");
		read_samples(r, &a, &w, period, java);
		read_text(&a, &w, data, java);
		if (!java)
			drop_handler(&a);
		addresses_take(&a);
		addresses_free(&a);
	} while (w.in.at < data.len);
}

static int
sniff(const char *data, size_t len)
{
	struct words w;
	uint64_t period, version;

	return read_head(&w, (struct str){data, len}, 0, &period, &version) ? 99 : 0;
}

const struct format gperftools_format = {
    .provides = DATA_CODE | DATA_EVENT,
    .reads_programs = true,
    .bytes = FORMAT_BINARY,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
