/*
 * perfscript: perf script text to stacks.
 *
 * A file is cut before header lines into parts, of which each thread takes one
 * after the other; of a pipe they take blocks in turn. Each has a tree and memos of
 * its own; the trees are merged at the end.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "fg-collapse/format.h"
#include "frameline.h"
#include "header.h"
#include "newlines.h"
#include "stacks.h"

#define PARTS 16 /* of a file for each thread */

/* What the threads share: the parts of a file, or a pipe as the only one. */
struct share {
	struct lines **part;
	unsigned n;
	atomic_flag *taken; /* by part */
};

struct worker {
	pthread_t thread;
	struct share *share;
	unsigned first; /* the part to begin with */
	struct collapse *collapse;
	struct lines *in;
	struct lines_block block;
	struct newlines ends; /* of the block's lines */
	struct stacks stacks;
	struct sample *sample; /* at hand */
	struct sample *waiting; /* the one before, of which the memory is on its way to the cache */
	struct sample two[2];
	struct event *events;
	size_t nevents;
	struct event *event; /* of the last sample */
	size_t event_len;
	bool event_wanted;
	uint64_t samples, malformed;
	bool periods;
	uint32_t line; /* in the block at hand, from 0 */
	const struct lines *fault_in; /* the first malformed line: */
	uint64_t fault_seq;
	uint32_t fault_line;
};

static bool
is_blank_line(const char *line, const char *end)
{
	return line == end || (line[0] == '\r' && line + 1 == end);
}

/*
 * Whether a line within a sample begins the next one. Headers stand at the left
 * margin and frames do not, unless perf script aligned the comms to the right, or
 * somebody took the white space off; there the time has to show it.
 */
static bool
is_header(const char *line, const char *end)
{
	struct header h;

	if (*line == '\t' || is_blank_line(line, end))
		return false;
	if (*line != ' ' && !(frame_begins(line, end) && end[-1] == ')'))
		return *line != '#';
	return memchr(line, ':', (size_t)(end - line)) != NULL &&
	       header_parse(line, end, &h) != HEADER_NONE && h.has_time;
}

/* Records are samples: cut before the last header line. */
static size_t
cut(const char *data, size_t len)
{
	const char *end = data + len - 1; /* the newline of the last line */

	while (end > data) {
		const char *newline = memrchr(data, '\n', (size_t)(end - data));
		const char *line = newline != NULL ? newline + 1 : data;

		if (line < end && is_header(line, end))
			return (size_t)(line - data);
		if (newline == NULL)
			break;
		end = newline;
	}
	return 0;
}

/* A line of the block at hand is of no use. */
static void
malformed(struct worker *w, const char *line)
{
	if (w->fault_in == NULL) {
		w->fault_in = w->in;
		w->fault_seq = w->block.seq;
		for (const char *s = w->block.data;
		     (s = memchr(s, '\n', (size_t)(line - s))) != NULL; s++)
			w->fault_line++;
	}
	w->malformed++;
}

/* Collect the lines of a sample; returns where the next one begins. */
static const char *
read_lines(struct worker *w, const char *at, const char *end)
{
	struct sample *s = w->sample;

	while (at < end) {
		const char *newline = newlines_next(&w->ends);

		if (at[0] == '\t' && newline - at > 1) {
			sample_line(s, at, newline);
		} else if (is_blank_line(at, newline)) {
			w->line++;
			return newline + 1;
		} else if (is_header(at, newline)) {
			newlines_back(&w->ends);
			return at;
		} else if (at[0] == '#') {
			;
		} else if (frame_begins(at, newline)) {
			sample_line(s, at, newline);
		} else if (s->n > 0) {
			s->item[s->n - 1].end =
			    newline; /* a source line: it belongs to the frame before */
		} else {
			malformed(w, at);
		}
		w->line++;
		at = newline + 1;
	}
	return at;
}

static bool
in_range(const struct collapse *c, const struct header *h)
{
	uint64_t since = h->time > c->start ? h->time - c->start : 0;

	return !c->options.range ||
	       (h->has_time && since >= c->options.from && since < c->options.to);
}

/* Count the sample's event; whether it is to be folded. */
static bool
is_wanted(struct worker *w, const struct header *h)
{
	if (w->event == NULL || h->event_len != w->event_len ||
	    memcmp(h->event, w->event->name, h->event_len) != 0) {
		w->event = collapse_event(&w->events, &w->nevents, h->event, h->event_len);
		w->event_len = h->event_len;
		w->event_wanted = strcmp(w->event->name, w->collapse->event) == 0;
	}
	w->event->samples++;
	return w->event_wanted && in_range(w->collapse, h);
}

/* Add the sample that waits, if any. */
static void
add_waiting(struct worker *w)
{
	struct sample *s = w->waiting;
	struct collapse *c = w->collapse;
	uint64_t weight;
	uint32_t node;

	if (s == NULL)
		return;
	w->waiting = NULL;
	weight = c->options.samples || s->header.period == 0 ? 1 : s->header.period;
	node = stacks_node(&w->stacks, s);
	if (w->stacks.malformed != 0) {
		malformed(w, w->stacks.malformed_line);
		w->malformed += w->stacks.malformed - 1;
		w->stacks.malformed = 0;
	}
	w->samples++;
	w->periods |= s->header.period > 1;
	if (c->options.time_order)
		collapse_moment(c, s->header.time, node, value_of(weight));
	else
		value_array_count(&w->stacks.tree->self[0], node, weight);
}

/*
 * A sample is added when the next one has been read: by then the slots that
 * stacks_key asked for have come.
 */
static void
take_sample(struct worker *w)
{
	struct sample *s = w->sample;

	if (!is_wanted(w, &s->header))
		return;
	stacks_key(&w->stacks, s, w->waiting);
	add_waiting(w);
	w->waiting = s;
	w->sample = s == &w->two[0] ? &w->two[1] : &w->two[0];
}

/* The event to fold and the beginning of time are those of the first sample. */
static void
settle(struct collapse *c, const struct header *h)
{
	c->settled = true;
	c->event = c->options.event != NULL ? cli_strdup(c->options.event)
					    : strndup(h->event, h->event_len);
	c->start = h->time;
}

static void
read_block(struct worker *w)
{
	const char *at = w->block.data, *end = at + w->block.len;

	w->line = 0;
	newlines_begin(&w->ends, at, end);
	while (at < end) {
		const char *newline = newlines_next(&w->ends);
		const char *line_end = newline;
		struct header *h = &w->sample->header;
		enum header_kind kind;
		const char *line = at;

		w->line++;
		if (line_end > at && line_end[-1] == '\r')
			line_end--;
		if (line_end == at || at[0] == '#') {
			at = newline + 1;
			continue;
		}
		kind = header_parse(at, line_end, h);
		at = newline + 1;
		if (kind == HEADER_RECORD)
			continue;
		w->sample->n = 0;
		if (kind == HEADER_SAMPLE && line_end[-1] == ')' && frame_begins(h->rest, line_end))
			sample_line(w->sample, h->rest, line_end);
		at = read_lines(w, at, end);
		if (kind == HEADER_SAMPLE) {
			if (!w->collapse->settled)
				settle(w->collapse, h);
			take_sample(w);
		} else {
			malformed(w, line);
		}
	}
	add_waiting(w);
	lines_count(w->in, w->block.seq, w->line);
}

static void
worker_start(struct worker *w, struct collapse *c, struct lines *in)
{
	*w = (struct worker){.collapse = c, .in = in};
	w->sample = &w->two[0];
	stacks_init(&w->stacks, &c->options);
}

static void
worker_free(struct worker *w)
{
	stacks_free(&w->stacks);
	free(w->two[0].item);
	free(w->two[1].item);
	lines_block_free(&w->block);
	for (size_t i = 0; i < w->nevents; i++)
		free(w->events[i].name);
	free(w->events);
}

static void
read_part(struct worker *w, struct lines *in)
{
	w->in = in;
	while (lines_next(in, &w->block))
		read_block(w);
}

static bool
take(struct share *s, unsigned part)
{
	return !atomic_flag_test_and_set(&s->taken[part]);
}

/*
 * Read one part after the other, since neighbours have much in common; at last help
 * with what is left of others' parts, from its end.
 */
static void *
work(void *arg)
{
	struct worker *w = arg;
	struct share *s = w->share;

	if (s->n == 1)
		read_part(w, s->part[0]);
	for (unsigned i = w->first; s->n > 1 && i < s->n && take(s, i); i++)
		read_part(w, s->part[i]);
	for (unsigned i = s->n; s->n > 1 && i-- > 0;)
		if (take(s, i))
			read_part(w, s->part[i]);
	return NULL;
}

/* Name the first malformed line of all threads. */
static void
report_faults(struct collapse *c, const struct worker *w, unsigned n)
{
	uint64_t first = UINT64_MAX;
	const char *name = lines_name(w[0].in);

	for (unsigned i = 0; i < n; i++) {
		uint64_t line;

		c->malformed += w[i].malformed;
		if (w[i].fault_in != NULL &&
		    (line = lines_number(w[i].fault_in, w[i].fault_seq, w[i].fault_line)) < first)
			first = line;
	}
	if (first == UINT64_MAX)
		return;
	if (c->options.strict)
		cli_die("%s:%llu: neither a header nor a frame of perf script", name,
		    (unsigned long long)first);
	cli_warn("%s:%llu: neither a header nor a frame of perf script; left out", name,
	    (unsigned long long)first);
}

static void
read_input(struct collapse *c, struct lines *in)
{
	unsigned jobs = c->options.time_order ? 1 : c->options.jobs;
	struct worker *w = cli_alloc(jobs, sizeof *w);
	struct share share = {0};
	unsigned parts = PARTS * jobs, started = 1;

	/* The first block alone, since its first sample settles event and time. */
	worker_start(&w[0], c, in);
	if (c->tree != NULL) {
		if (c->tree->columns != 1)
			cli_die("%s: a profile of one column after one of %u", lines_name(in),
			    c->tree->columns);
		calltree_free(w[0].stacks.tree);
		w[0].stacks.tree = c->tree;
	}
	while (!c->settled && lines_next(in, &w[0].block))
		read_block(&w[0]);
	share.part = cli_alloc(parts, sizeof *share.part);
	share.taken = cli_alloc(parts, sizeof *share.taken);
	share.n = parts = jobs > 1 ? lines_split(in, share.part, parts) : 1;
	share.part[0] = in;
	w[0].share = &share;
	for (; started < jobs; started++) {
		worker_start(&w[started], c, in);
		w[started].share = &share;
		w[started].first = parts * started / jobs;
		if (pthread_create(&w[started].thread, NULL, work, &w[started]) != 0) {
			worker_free(&w[started]);
			calltree_free(w[started].stacks.tree);
			break;
		}
	}
	work(&w[0]);
	for (unsigned i = 0; i < started; i++) {
		if (i > 0)
			pthread_join(w[i].thread, NULL);
		c->samples += w[i].samples;
		c->periods |= w[i].periods;
		for (size_t e = 0; e < w[i].nevents; e++)
			collapse_event(&c->events, &c->nevents, w[i].events[e].name,
			    strlen(w[i].events[e].name))
			    ->samples += w[i].events[e].samples;
	}
	report_faults(c, w, started);
	c->tree = w[0].stacks.tree;
	for (unsigned i = 0; i < started; i++) {
		worker_free(&w[i]);
		if (i > 0) {
			calltree_merge(c->tree, w[i].stacks.tree);
			calltree_free(w[i].stacks.tree);
		}
	}
	free(share.part);
	free(share.taken);
	free(w);
}

/* A header, then a frame line or a blank line or the next header. */
static int
sniff(const char *data, size_t len)
{
	const char *at = data, *end = data + len;
	bool header = false;
	struct header h;

	for (int lines = 0; at < end && lines < 200; lines++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *line_end = newline != NULL ? newline : end;

		if (at != line_end && *at != '#') {
			if (header && frame_begins(at, line_end))
				return 90;
			if (header_parse(at, line_end, &h) == HEADER_SAMPLE &&
			    (h.has_time || h.rest == line_end || h.rest[0] == ' ')) {
				if (frame_begins(h.rest, line_end) && h.has_time)
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

const struct format perfscript_format = {"perf", "the text of perf script", sniff, cut, read_input};
