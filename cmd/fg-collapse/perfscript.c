/*
 * perfscript: perf script text to stacks.
 *
 * Stacks repeat, and so do their beginnings. Each frame line is hashed raw; the
 * hash of a stack's prefix, from the root down to a frame, is made of the lines'
 * hashes, so all prefixes of a sample are known before the first look-up. The
 * prefix memo leads from such a hash to the tree's node: a known stack costs one
 * look-up whatever its depth. A new one is looked up from the leaf towards the
 * root until a known prefix is found, and its new frames are added; the line memo
 * then leads from a line to its frames, so that a line is taken apart once.
 *
 * A file is cut before header lines into parts, of which each thread takes one
 * after the other; of a pipe they take blocks in turn. Each has a tree and memos of
 * its own; the trees are merged at the end.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cli.h"
#include "format.h"
#include "frameline.h"
#include "header.h"
#include "lines.h"
#include "memo.h"

#define PREFIXES (1u << 20) /* bounds of the memos, in slots of 16 bytes */
#define LINES (1u << 18)
#define PARTS 16 /* of a file for each thread */
#define STRIDE 4
#define PREFETCH 8 /* a sample has 7 new frames on average */
#define MANY UINT32_C(0x80000000) /* a line's number: an index into worker.many, else a name */

/* A frame line, with the source lines that follow it. */
struct item {
	const char *line, *end;
	struct memo_key key;
	struct memo_key prefix; /* of all frames from the root down to this one */
};

struct sample {
	struct header header;
	struct item *item; /* the leaf first */
	size_t n, cap;
	struct memo_key seed; /* of the root, before its frames */
};

/* What the threads share: the parts of a file, or a pipe as the only one. */
struct share {
	struct input **part;
	unsigned n;
	atomic_flag *taken; /* by part */
};

struct worker {
	pthread_t thread;
	struct share *share;
	unsigned first; /* the part to begin with */
	struct collapse *collapse;
	const struct options *options;
	struct input *in;
	struct input_block block;
	struct lines ends; /* of the block's lines */
	struct calltree *tree;
	struct memo prefixes, lines;
	uint32_t *many; /* of lines that are not one frame: how many, then their names */
	uint32_t nmany, capmany;
	struct sample *sample;	/* at hand */
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
	const struct input *fault_in; /* the first malformed line: */
	uint64_t fault_seq;
	uint32_t fault_line;
};

static const struct memo_key root_key = {UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xc2b2ae3d27d4eb4f)};

/*
 * 64 bits of a good hash over all bytes, and beside them the first bytes as they
 * are: where a line keeps its address.
 */
static inline struct memo_key
hash_bytes(const char *s, size_t len)
{
	uint64_t head[2] = {0, len};

	if (len >= sizeof head)
		memcpy(head, s, sizeof head);
	else
		memcpy(head, s, len % sizeof head);
	return (struct memo_key){XXH3_64bits(s, len),
	    (head[0] * UINT64_C(0xa0761d6478bd642f) + head[1]) * UINT64_C(0xe7037ed1a0b428db) >> 24};
}

/* The key of a prefix and one more frame. */
static inline struct memo_key
append_key(struct memo_key prefix, struct memo_key frame)
{
	uint64_t lo = (prefix.lo ^ frame.lo) * UINT64_C(0x9fb21c651e98df25);
	uint64_t hi = (prefix.hi + frame.hi) * UINT64_C(0xa0761d6478bd642f);

	return (struct memo_key){lo ^ (lo >> 29) ^ frame.hi, hi ^ (hi >> 31) ^ frame.lo};
}

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
		for (const char *s = w->block.data; (s = memchr(s, '\n', (size_t)(line - s))) != NULL; s++)
			w->fault_line++;
	}
	w->malformed++;
}

/*
 * `ksoftirqd/3` is ksoftirqd, `GC Thread#0` GC Thread, `pool-1-thread-12`
 * pool-1-thread; `:-1` is perf's word for a thread that had no name.
 */
static size_t
normalized_comm(const char *s, size_t len)
{
	const char *slash = memrchr(s, '/', len);
	size_t n = len;

	if (slash != NULL && slash > s && slash + 1 < s + len &&
	    ((slash[1] >= '0' && slash[1] <= '9') ||
	    (slash[1] == 'u' && slash + 2 < s + len && slash[2] >= '0' && slash[2] <= '9')))
		return (size_t)(slash - s);
	while (n > 0 && s[n - 1] >= '0' && s[n - 1] <= '9')
		n--;
	if (n == len || n < 2 || s[0] == ':' || strchr("-_#:. /", s[n - 1]) == NULL)
		return len;
	while (n > 1 && strchr("-_#:. /", s[n - 1]) != NULL)
		n--;
	return n;
}

/* The root frame of a sample, as stackcollapse-perf.pl labels it. */
static uint32_t
comm_node(struct worker *w, const struct header *h)
{
	const struct options *o = w->options;
	char label[512];
	size_t n = o->normalize_comm ? normalized_comm(h->comm, h->comm_len) : h->comm_len;
	int len;

	if (o->no_comm)
		return CALLTREE_ROOT;
	if (n > 256)
		n = 256;
	if (o->tid || o->pid)
		len = snprintf(label, sizeof label, "%.*s%s%.*s%s%.*s", (int)n, h->comm, n > 0 ? "-" : "",
		    h->pid != NULL ? (int)h->pid_len : 1, h->pid != NULL ? h->pid : "?", o->tid ? "/" : "",
		    !o->tid ? 0 : h->tid != NULL ? (int)h->tid_len : 1, h->tid != NULL ? h->tid : "?");
	else
		len = snprintf(label, sizeof label, "%.*s", (int)n, h->comm);
	if (len > 0 && (size_t)len >= sizeof label)
		len = sizeof label - 1;
	for (int i = 0; i < len; i++)
		if (label[i] == ' ')
			label[i] = '_';
	folded_clean(label, (size_t)len);
	return len == 0 ? CALLTREE_ROOT
	    : calltree_child(w->tree, CALLTREE_ROOT, calltree_intern(w->tree, label, (size_t)len));
}

/* The number of a frame line: a name, or MANY and an index. */
static uint32_t
line_number(struct worker *w, const struct item *item, bool java)
{
	struct memo_key key = item->key;
	uint32_t name[FRAME_MAX], number, n;

	key.lo += java;
	number = memo_find(&w->lines, key);
	if (number != 0)
		return number;
	if (memo_full(&w->lines)) {
		memo_clear(&w->lines);
		w->nmany = 0;
	}
	n = (uint32_t)frame_parse(w->options, w->tree, item->line, item->end, java, name);
	if (n == 1) {
		number = name[0];
	} else {
		if (w->nmany + n >= w->capmany) {
			w->capmany = 2 * (w->nmany + n + 1);
			w->many = cli_realloc(w->many, w->capmany, sizeof *w->many);
		}
		number = MANY | w->nmany;
		w->many[w->nmany++] = n;
		memcpy(w->many + w->nmany, name, n * sizeof *name);
		w->nmany += n;
	}
	memo_put(&w->lines, key, number);
	return number;
}

static bool
skips(const struct worker *w, uint32_t name)
{
	const char *s = w->options->skip_after;
	size_t n = strlen(s);
	const struct calltree_name *frame = &w->tree->name[name];

	return frame->len >= n && memcmp(frame->s, s, n) == 0 &&
	    (frame->len == n || (frame->len == n + 4 && memcmp(frame->s + n, "_[", 2) == 0));
}

static uint32_t
add_frame(struct worker *w, uint32_t node, uint32_t name)
{
	if (w->options->skip_after != NULL && skips(w, name))
		node = CALLTREE_ROOT;
	return calltree_child(w->tree, node, name);
}

/* Only every STRIDEth prefix from the root and the whole stack are kept in the memo. */
static inline bool
is_kept(const struct sample *s, size_t i)
{
	return i == 0 || (s->n - i) % STRIDE == 0;
}

/* From the root on, the frames that the sample before had too take their keys from it. */
static size_t
share_keys(const struct sample *last, struct sample *s)
{
	size_t i = s->n, k = last->n;

	if (s->seed.lo != last->seed.lo || s->seed.hi != last->seed.hi)
		return i;
	for (; i > 0 && k > 0; i--, k--) {
		struct item *item = &s->item[i - 1];
		const struct item *was = &last->item[k - 1];

		if (item->end - item->line != was->end - was->line ||
		    memcmp(item->line, was->line, (size_t)(item->end - item->line)) != 0)
			break;
		item->key = was->key;
		item->prefix = was->prefix;
	}
	return i;
}

/* Make the keys of all lines and prefixes, and ask for the slots that will be looked at first. */
static void
make_keys(struct worker *w, struct sample *s)
{
	const struct header *h = &s->header;
	struct memo_key key = append_key(root_key, hash_bytes(h->comm, h->comm_len));
	size_t i = s->n;

	if (w->options->pid && h->pid != NULL)
		key = append_key(key, hash_bytes(h->pid, h->pid_len));
	if (w->options->tid && h->tid != NULL)
		key = append_key(key, hash_bytes(h->tid, h->tid_len));
	s->seed = key;
	if (w->waiting != NULL)
		i = share_keys(w->waiting, s);
	if (i < s->n)
		key = s->item[i].prefix;
	while (i-- > 0) {
		struct item *item = &s->item[i];

		item->key = hash_bytes(item->line, (size_t)(item->end - item->line));
		item->prefix = key = append_key(key, item->key);
	}
	for (i = 0; i < s->n && i < PREFETCH; i++) {
		if (is_kept(s, i))
			memo_prefetch(&w->prefixes, s->item[i].prefix);
		memo_prefetch(&w->lines, s->item[i].key);
	}
}

/* The node at which the sample's stack ends. */
static uint32_t
sample_node(struct worker *w, const struct sample *s)
{
	const struct header *h = &s->header;
	uint32_t node = 0;
	size_t i;

	for (i = 0; i < s->n && node == 0; i++)
		if (is_kept(s, i))
			node = memo_find(&w->prefixes, s->item[i].prefix);
	if (node != 0)
		i--;
	else
		node = comm_node(w, h);
	if (i > 0) {
		bool java = h->comm_len >= 4 && memcmp(h->comm, "java", 4) == 0;

		if (memo_full(&w->prefixes))
			memo_clear(&w->prefixes);
		while (i-- > 0) {
			uint32_t number = line_number(w, &s->item[i], java);

			if (number & MANY) {
				const uint32_t *many = w->many + (number & ~MANY);

				if (many[0] == 0)
					malformed(w, s->item[i].line);
				for (uint32_t m = 1; m <= many[0]; m++)
					node = add_frame(w, node, many[m]);
			} else {
				node = add_frame(w, node, number);
			}
			if (is_kept(s, i) && node != CALLTREE_ROOT && !memo_full(&w->prefixes))
				memo_put(&w->prefixes, s->item[i].prefix, node);
		}
	}
	if (node == CALLTREE_ROOT) /* neither comm nor frames */
		node = calltree_child(w->tree, node, calltree_intern(w->tree, "[unknown]", 9));
	return node;
}

static void
add_item(struct sample *s, const char *line, const char *end)
{
	if (s->n == s->cap) {
		s->cap = s->cap != 0 ? 2 * s->cap : 256;
		s->item = cli_realloc(s->item, s->cap, sizeof *s->item);
	}
	s->item[s->n++] = (struct item){.line = line, .end = end};
}

/* Collect the lines of a sample; returns where the next one begins. */
static const char *
read_lines(struct worker *w, const char *at, const char *end)
{
	struct sample *s = w->sample;

	while (at < end) {
		const char *newline = lines_next(&w->ends);

		if (at[0] == '\t' && newline - at > 1) {
			add_item(s, at, newline);
		} else if (is_blank_line(at, newline)) {
			w->line++;
			return newline + 1;
		} else if (is_header(at, newline)) {
			lines_back(&w->ends);
			return at;
		} else if (at[0] == '#') {
			;
		} else if (frame_begins(at, newline)) {
			add_item(s, at, newline);
		} else if (s->n > 0) {
			s->item[s->n - 1].end = newline; /* a source line: it belongs to the frame before */
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

	return !c->options.range || (h->has_time && since >= c->options.from && since < c->options.to);
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
	weight = w->options->samples || s->header.period == 0 ? 1 : s->header.period;
	node = sample_node(w, s);
	w->samples++;
	w->periods |= s->header.period > 1;
	if (c->options.time_order)
		collapse_moment(c, s->header.time, node, value_of(weight));
	else
		value_array_count(&w->tree->self[0], node, weight);
}

/*
 * A sample is added when the next one has been read: by then the slots that
 * make_keys asked for have come.
 */
static void
take_sample(struct worker *w)
{
	struct sample *s = w->sample;

	if (!is_wanted(w, &s->header))
		return;
	make_keys(w, s);
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
	lines_begin(&w->ends, at, end);
	while (at < end) {
		const char *newline = lines_next(&w->ends);
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
			add_item(w->sample, h->rest, line_end);
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
	input_lines(w->in, w->block.seq, w->line);
}

static void
worker_start(struct worker *w, struct collapse *c, struct input *in)
{
	*w = (struct worker){.collapse = c, .options = &c->options, .in = in, .tree = calltree_new(1)};
	w->sample = &w->two[0];
	memo_init(&w->prefixes, 1u << 14, PREFIXES);
	memo_init(&w->lines, 1u << 12, LINES);
}

static void
worker_free(struct worker *w)
{
	memo_free(&w->prefixes);
	memo_free(&w->lines);
	free(w->many);
	free(w->two[0].item);
	free(w->two[1].item);
	input_block_free(&w->block);
	for (size_t i = 0; i < w->nevents; i++)
		free(w->events[i].name);
	free(w->events);
}

static void
read_part(struct worker *w, struct input *in)
{
	w->in = in;
	while (input_next(in, &w->block))
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
	const char *name = input_name(w[0].in);

	for (unsigned i = 0; i < n; i++) {
		uint64_t line;

		c->malformed += w[i].malformed;
		if (w[i].fault_in != NULL &&
		    (line = input_line(w[i].fault_in, w[i].fault_seq, w[i].fault_line)) < first)
			first = line;
	}
	if (first == UINT64_MAX)
		return;
	if (c->options.strict)
		cli_die("%s:%llu: neither a header nor a frame of perf script", name, (unsigned long long)first);
	cli_warn("%s:%llu: neither a header nor a frame of perf script; left out", name,
	    (unsigned long long)first);
}

static void
read_input(struct collapse *c, struct input *in)
{
	unsigned jobs = c->options.time_order ? 1 : c->options.jobs;
	struct worker *w = cli_alloc(jobs, sizeof *w);
	struct share share = {0};
	unsigned parts = PARTS * jobs, started = 1;

	/* The first block alone, since its first sample settles event and time. */
	worker_start(&w[0], c, in);
	if (c->tree != NULL) {
		if (c->tree->columns != 1)
			cli_die("%s: a profile of one column after one of %u", input_name(in), c->tree->columns);
		calltree_free(w[0].tree);
		w[0].tree = c->tree;
	}
	while (!c->settled && input_next(in, &w[0].block))
		read_block(&w[0]);
	share.part = cli_alloc(parts, sizeof *share.part);
	share.taken = cli_alloc(parts, sizeof *share.taken);
	share.n = parts = jobs > 1 ? input_split(in, share.part, parts) : 1;
	share.part[0] = in;
	w[0].share = &share;
	for (; started < jobs; started++) {
		worker_start(&w[started], c, in);
		w[started].share = &share;
		w[started].first = parts * started / jobs;
		if (pthread_create(&w[started].thread, NULL, work, &w[started]) != 0) {
			worker_free(&w[started]);
			calltree_free(w[started].tree);
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
			    strlen(w[i].events[e].name))->samples += w[i].events[e].samples;
	}
	report_faults(c, w, started);
	c->tree = w[0].tree;
	for (unsigned i = 0; i < started; i++) {
		worker_free(&w[i]);
		if (i > 0) {
			calltree_merge(c->tree, w[i].tree);
			calltree_free(w[i].tree);
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

const struct format perfscript_format = {
    "perf", "the text of perf script", sniff, cut, read_input};
