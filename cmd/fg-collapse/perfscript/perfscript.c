/*
 * perfscript: folds perf script text with several threads.
 *
 * A file is split into parts at header lines, and each thread takes one part after the
 * other; of a pipe the threads take blocks in turn. Each thread has its own tree and
 * memos; the trees are merged at the end.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/format.h"
#include "fg-collapse/perfscript/choice.h"
#include "fg-collapse/perfscript/frameline.h"
#include "fg-collapse/perfscript/sampleline.h"
#include "fg-collapse/perfscript/newlines.h"
#include "fg-collapse/perfscript/stackcache.h"
#include "sample/events.h"
#include "sample/fork.h"
#include "sample/nodes.h"

#define PARTS 16 /* parts of a file per thread */
#define ONE_THREAD (1u << 20) /* bytes: with less, a thread costs more than it saves */
#define NO_EVENT UINT32_MAX

/* Shared by all threads: the parts of a file, or a pipe as the only part. */
struct share {
	struct lines **part;
	unsigned n;
	atomic_flag *taken; /* by part */
};

struct worker {
	pthread_t thread;
	struct share *share;
	unsigned first; /* index of the first part to take */
	struct reader *reader;
	struct sampler *sampler;
	struct lines *in;
	struct lines_block block, last; /* current and previous one, which has samples of tails.h */
	struct newlines ends; /* of the block's lines */
	const char *empty; /* the next empty line, or the end of the block */
	const char
	    *known; /* start of the lines before it that a recent sample has, or end of the block */
	const struct tail *tail; /* that sample */
	uint32_t same; /* its frames there */
	struct sampleline_cache headers;
	struct stackcache stacks;
	struct sample sample; /* current */
	uint32_t event; /* of the last sample, or NO_EVENT */
	uint64_t malformed;
	uint32_t line; /* in the current block, from 0 */
	unsigned part; /* current */
	const char *fault; /* the first malformed line of the current block */
	const struct lines *fault_in; /* the first malformed line of all: */
	unsigned fault_part;
	uint64_t fault_seq;
	uint32_t fault_line;
};

/* The record splitter: a sample ends before the last header line. */
static size_t
cut(const char *data, size_t len)
{
	const char *end = data + len - 1; /* the newline of the last line */

	while (end > data) {
		const char *newline = memrchr(data, '\n', (size_t)(end - data));
		const char *line = newline != NULL ? newline + 1 : data;

		if (line < end && sampleline_begins(line, end))
			return (size_t)(line - data);
		if (newline == NULL)
			break;
		end = newline;
	}
	return 0;
}

/* Counts a malformed line of the current block; lines are reported in any order. */
static void
malformed(struct worker *w, const char *line)
{
	if (w->fault == NULL || line < w->fault)
		w->fault = line;
	w->malformed++;
}

/* Updates the first malformed line of all blocks, when a block is complete. */
static void
keep_fault(struct worker *w)
{
	if (w->fault == NULL)
		return;
	if (w->fault_in == NULL || w->part < w->fault_part) {
		w->fault_in = w->in;
		w->fault_part = w->part;
		w->fault_seq = w->block.seq;
		w->fault_line = 0;
		for (const char *s = w->block.data;
		     (s = memchr(s, '\n', (size_t)(w->fault - s))) != NULL; s++)
			w->fault_line++;
	}
	w->fault = NULL;
}

/* Finds the next empty line, and a recent sample that has the last lines before it. */
static void
look_ahead(struct worker *w, const char *header, const char *lines, const char *end)
{
	w->empty = newlines_empty(&w->ends, header);
	w->known = end;
	if (w->empty == NULL) {
		w->empty = end;
		return;
	}
	w->same = tails_find(&w->stacks.tails, lines, w->empty, &w->tail);
	if (w->same > 0)
		w->known = w->empty - tails_frame_of(&w->stacks.tails, w->tail, w->same - 1)->len;
}

/* True if the sample has the known lines, up to the next empty line. */
static bool
use_tail(struct worker *w, bool wanted)
{
	struct sample *s = &w->sample;

	if (wanted && (w->tail->root != s->root || w->tail->java != s->java))
		return false;
	s->tail = w->tail;
	s->same = w->same;
	w->line += tails_frame_of(&w->stacks.tails, w->tail, w->same - 1)->lines;
	return true;
}

/* Collects the lines of a sample; returns the start of the next one. */
static const char *
read_lines(struct worker *w, const char *at, const char *end, bool wanted)
{
	struct sample *s = &w->sample;

	while (at < end) {
		const char *newline;

		if (at == w->known && use_tail(w, wanted))
			at = w->empty;
		newline = newlines_end(&w->ends, at);
		if (at[0] == '\t' && newline - at > 1) {
			sample_line(s, at, newline, w->line);
		} else if (sampleline_blank(at, newline)) {
			s->end = at == newline ? at : NULL;
			s->lines = w->line++;
			return newline + 1;
		} else if (sampleline_begins(at, newline)) {
			return at;
		} else if (at[0] == '#') {
			;
		} else if (frameline_begins(at, newline)) {
			sample_line(s, at, newline, w->line);
		} else if (s->n > 0) {
			struct item *item = &s->item[s->n - 1];

			item->source = frameline_source(at, newline, &item->inlined);
		} else {
			malformed(w, at);
		}
		w->line++;
		at = newline + 1;
	}
	return at;
}

/* A sample without a period has weight 1. */
static uint64_t
weight_of(const struct sampleline *h)
{
	return h->period != 0 ? h->period : 1;
}

/* Counts the sample's event; true if the sample is to be folded. */
static bool
is_wanted(struct worker *w, const struct sampleline *h)
{
	struct str name = {h->event, h->event_len};

	if (w->event == NO_EVENT || !str_equal(name, str_of(w->sampler->event[w->event].name)))
		w->event = sampler_event(w->sampler, name, (struct str){0});
	return sample_wanted(
	    w->sampler, w->event, h->has_time ? h->time : SAMPLE_NO_TIME, value_of(weight_of(h)));
}

/* Adds the current sample, unless one of its lines is malformed. */
static void
add_sample(struct worker *w)
{
	struct sample *s = &w->sample;
	const struct sampleline *h = &s->header;
	uint32_t node = stackcache_node(&w->stacks, s);

	if (s->bad > 0) {
		size_t i = 0;

		while (!s->item[i].bad)
			i++;
		malformed(w, s->item[i].line);
		sample_withdraw(w->sampler, w->event, value_of(weight_of(h)));
		return;
	}
	sample_count(w->sampler, node, h->has_time ? h->time : SAMPLE_NO_TIME, weight_of(h));
}

static void
read_block(struct worker *w)
{
	const char *at = w->block.data, *end = at + w->block.len;
	struct sample *s = &w->sample;

	w->line = 0;
	w->empty = at;
	newlines_find(&w->ends, at, w->block.len);
	while (at < end) {
		const char *newline, *line_end, *line = at;
		enum sampleline_kind kind;
		bool wanted, lone;

		line_end = newline = newlines_end(&w->ends, at);
		w->line++;
		if (line_end > at && line_end[-1] == '\r')
			line_end--;
		if (line_end == at || at[0] == '#') {
			at = newline + 1;
			continue;
		}
		kind = sampleline_parse_next(&w->headers, at, line_end, &s->header);
		at = newline + 1;
		if (kind == HEADER_RECORD)
			continue;
		if (at > w->empty)
			look_ahead(w, line, at, end);
		s->n = s->same = 0;
		s->end = NULL;
		wanted = kind == HEADER_SAMPLE && is_wanted(w, &s->header);
		if (wanted)
			stackcache_begin(&w->stacks, s);
		lone = kind == HEADER_SAMPLE && line_end[-1] == ')' &&
		       frameline_begins(s->header.rest, line_end);
		if (lone)
			sample_line(s, s->header.rest, line_end, w->line - 1);
		at = read_lines(w, at, end, wanted);
		if (lone) /* not at the start of a line */
			s->end = NULL;
		if (kind == HEADER_NONE)
			malformed(w, line);
		else if (wanted)
			add_sample(w);
	}
	keep_fault(w);
	lines_count(w->in, w->block.seq, w->line);
}

/* w is all zero. */
static void
worker_start(struct worker *w, struct reader *r, struct sampler *s)
{
	w->reader = r;
	w->sampler = s;
	w->in = r->lines;
	w->event = NO_EVENT;
	stackcache_init(&w->stacks, s);
}

static void
worker_free(struct worker *w)
{
	stackcache_free(&w->stacks);
	free(w->sample.item);
	free(w->ends.word);
	lines_block_free(&w->block);
	lines_block_free(&w->last);
}

/* Makes a block the current one; the last but one, whose samples are forgotten, may be reused. */
static void
set_block(struct worker *w, struct lines_block block)
{
	w->last = w->block;
	w->block = block;
	tails_block(&w->stacks.tails);
}

/* Reads the next block in the place of the last but one. */
static bool
next_block(struct worker *w)
{
	set_block(w, w->last); /* also at the end of a part, whose block is replaced next */
	return lines_next(w->in, &w->block);
}

static void
read_part(struct worker *w, unsigned part)
{
	struct lines *in = w->share->part[part];

	w->in = in;
	w->part = part;
	while (next_block(w))
		read_block(w);
}

static bool
take(struct share *s, unsigned part)
{
	return !atomic_flag_test_and_set(&s->taken[part]);
}

/*
 * Reads neighbouring parts one after the other, because they have stacks in common; then
 * helps with the remaining parts, from the last one back.
 */
static void *
work(void *arg)
{
	struct worker *w = arg;
	struct share *s = w->share;

	if (s->n == 1)
		read_part(w, 0);
	for (unsigned i = w->first; s->n > 1 && i < s->n && take(s, i); i++)
		read_part(w, i);
	for (unsigned i = s->n; s->n > 1 && i-- > 0;)
		if (take(s, i))
			read_part(w, i);
	return NULL;
}

/* Reports the first malformed line of all threads. */
static void
report_faults(struct reader *r, const struct worker *w, unsigned n)
{
	uint64_t first = UINT64_MAX, all = 0;

	for (unsigned i = 0; i < n; i++) {
		uint64_t line;

		all += w[i].malformed;
		if (w[i].fault_in != NULL &&
		    (line = lines_number(w[i].fault_in, w[i].fault_seq, w[i].fault_line)) < first)
			first = line;
	}
	if (all > 0)
		reader_malformed_at(r, first, all, "neither a header nor a frame of perf script");
}

/*
 * Counts the samples in the head of the input to choose an event. Returns the blocks of the head,
 * if it can be read only once; *n: their number.
 */
static struct lines_block *
count_head(struct worker *w, struct choice *choice, size_t *n)
{
	struct lines *ahead = lines_ahead(w->in);
	struct lines_block *block = NULL, next = {0};
	size_t cap = 0;

	while (choice_open(choice) && lines_next(ahead != NULL ? ahead : w->in, &next)) {
		choice_count(choice, next.data, next.len);
		if (ahead != NULL)
			continue;
		vec_fit(block, cap, *n + 1);
		block[(*n)++] = next;
		next = (struct lines_block){0};
	}
	lines_block_free(&next);
	if (ahead != NULL)
		lines_close(ahead);
	return block;
}

/* Chooses an event by the head of the input; reads the head, if it can be read only once. */
static void
read_head(struct worker *w)
{
	struct sampler *s = w->sampler;
	struct choice choice = {0};
	struct lines_block *block;
	struct str event;
	size_t n = 0;

	if (s->chosen || s->options->event != NULL)
		return;
	block = count_head(w, &choice, &n);
	event = choice_event(&choice);
	if (event.len > 0)
		sampler_default(s, sampler_event(s, event, (struct str){0}));
	for (size_t i = 0; i < n; i++) {
		lines_block_free(&w->last);
		set_block(w, block[i]);
		read_block(w);
	}
	choice_free(&choice);
	free(block);
}

/* The number of threads for an input. */
static unsigned
threads_for(const struct reader *r)
{
	if (r->options->sample.time_order)
		return 1;
	return source_regular(lines_source(r->lines)) ? r->options->jobs : r->options->pipe_jobs;
}

static void
read_input(struct reader *r)
{
	struct sampler *s = r->sampler;
	unsigned jobs = threads_for(r);
	struct worker *w = cli_alloc(jobs, sizeof *w);
	struct share share = {0};
	unsigned parts = PARTS * jobs, started = 1;
	size_t begun = 0;
	bool more = true;

	sampler_input(s, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	worker_start(&w[0], r, s);
	read_head(&w[0]);
	/* One thread reads the beginning, with the first sample, which decides the start time. */
	while ((s->start == SAMPLE_NO_TIME || begun < ONE_THREAD) && (more = next_block(&w[0]))) {
		begun += w[0].block.len;
		read_block(&w[0]);
	}
	if (!more)
		jobs = 1;
	share.part = cli_alloc(parts, sizeof *share.part);
	share.taken = cli_alloc(parts, sizeof *share.taken);
	share.n = parts = jobs > 1 ? lines_split(r->lines, share.part, parts) : 1;
	share.part[0] = r->lines;
	w[0].share = &share;
	for (; started < jobs && s->start != SAMPLE_NO_TIME; started++) {
		worker_start(&w[started], r, sampler_fork(s));
		w[started].share = &share;
		w[started].first = parts * started / jobs;
		if (pthread_create(&w[started].thread, NULL, work, &w[started]) != 0) {
			sampler_free(w[started].sampler);
			worker_free(&w[started]);
			break;
		}
	}
	work(&w[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(w[i].thread, NULL);
	report_faults(r, w, started);
	for (unsigned i = 0; i < started; i++) {
		worker_free(&w[i]);
		if (i > 0)
			sampler_join(s, w[i].sampler);
	}
	reader_resolve_units(r);
	free(share.part);
	free(share.taken);
	free(w);
}

/* Looks for a header followed by a frame line, a blank line or the next header. */
static int
sniff(const char *data, size_t len)
{
	const char *at = data, *end = data + len;
	bool header = false;
	struct sampleline h;

	for (int lines = 0; at < end && lines < 200; lines++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *line_end = newline != NULL ? newline : end;

		if (at != line_end && *at != '#') {
			if (header && frameline_begins(at, line_end) &&
			    (*at == ' ' || *at == '\t' || line_end[-1] == ')'))
				return 90;
			if (sampleline_parse(at, line_end, &h) == HEADER_SAMPLE &&
			    (h.has_time || h.rest == line_end || h.rest[0] == ' ')) {
				if (frameline_begins(h.rest, line_end) && h.has_time)
					return 90;
				header = h.has_time || newline != NULL;
				if (h.has_time && h.event_len > 0 && lines > 20)
					return 60;
			} else if (header) {
				header = false;
			}
		}
		if (newline == NULL)
			break;
		at = newline + 1;
	}
	return header && h.has_time && h.event_len > 0 ? 50 : 0;
}

const struct format perfscript_format = {
    .provides = DATA_TASK | DATA_CODE | DATA_TIMES | DATA_EVENT | DATA_COUNT,
    .single = true,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .cut = cut,
    .read = read_input,
};
