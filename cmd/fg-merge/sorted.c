/*
 * sorted: merges files in canonical order as a stream. Only the current block of each file is in
 * memory, and at most FAN files are open. With more files, groups of them are merged into
 * temporary files first; their sums are exact as well. The alternative, to reopen thousands of
 * files at the position reached, needs up to three system calls for every few stacks, or memory
 * for a block of each file, and cannot read pipes.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/cli.h"
#include "base/source.h"
#include "base/vec.h"
#include "fg-merge/linewise.h"
#include "fg-merge/merge.h"
#include "profile/foldedtest.h"
#include "profile/stackorder.h"
#include "profile/table.h"
#include "fg-merge/temporary.h"
#include "profile/tournament.h"

#define FAN 64 /* files merged at a time, each with a block in memory (input.h) */

/* A file of the command line, or a temporary one. */
struct feed {
	const struct profile *source; /* NULL for a temporary file */
	struct temporary temporary;
};

struct stream {
	struct folded_file file;
	const struct profile *source;
	const struct linewise *linewise; /* the moved lines of a file in line order; NULL: none */
	size_t moved; /* position for linewise_moved */
	char *stack; /* the current stack, with the source's prefix */
	size_t len, size, nprefix;
	value value[CALLTREE_COLUMNS];
	bool started;
	bool may_end; /* the stream ends before a stack that is not in order */
	bool ended; /* it did so; that stack is the current one */
};

/*
 * The number of files that may be merged at a time, so that a few levels of temporary files fit
 * the limit of open files.
 */
static size_t
fan_in(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= 8 * FAN)
		return FAN;
	return limit.rlim_cur < 32 ? 2 : (size_t)(limit.rlim_cur - 16) / 8;
}

/* The files of merge_in_order. */
struct files {
	struct merge *merge;
	struct stream *stream;
	bool ended; /* one of them is not in order */
};

/*
 * Opens a stream. source is NULL for sums that are scaled and have their prefix already; `from`
 * may be a temporary file.
 */
static void
open_stream(struct stream *s, struct merge *m, const struct profile *source, struct source *from,
    bool headed)
{
	*s = (struct stream){.source = source};
	folded_consumer(&s->file, &m->folded, lines_over(from, lines_cut_line));
	s->file.part = !headed;
	s->file.columns_set = !headed; /* its columns are those of all inputs */
	s->file.scaled = source != NULL && merge_scales(m, source);
	if (source != NULL && source->prefix != NULL) {
		s->len = s->nprefix = source->nprefix;
		vec_fit(s->stack, s->size, s->len);
		memcpy(s->stack, source->prefix, s->len);
	}
}

static bool
next_line(struct stream *s, struct folded_line *l)
{
	do {
		if (!folded_next(&s->file, l))
			return false;
	} while (s->linewise != NULL && linewise_moved(s->linewise, &s->moved, l->number));
	return true;
}

static void
next_of_stream(void *streams, uint32_t i, struct tournament_head *head)
{
	struct stream *s = &((struct stream *)streams)[i];
	struct folded_line l;
	size_t before = s->len - s->nprefix, shared;

	if (!next_line(s, &l)) {
		head->stack = NULL;
		return;
	}
	vec_fit(s->stack, s->size, s->nprefix + l.len);
	shared = stack_shared(s->stack + s->nprefix, before, l.stack, l.len, 0);
	if (s->started && stack_order(s->stack + s->nprefix, before, l.stack, l.len, shared) > 0)
		s->ended = true;
	if (s->ended && !s->may_end)
		cli_die("%s:%llu: not in canonical order, which --sorted needs; for the order of "
			"sort(1) use --sorted-lines",
		    lines_name(s->file.in), (unsigned long long)l.number);
	memcpy(s->stack + s->nprefix + shared, l.stack + shared, l.len - shared);
	s->len = s->nprefix + l.len;
	memcpy(s->value, l.value, s->file.folded->columns.n * sizeof l.value[0]);
	*head = (struct tournament_head){
	    s->ended ? NULL : s->stack, s->len, s->started ? s->nprefix + shared : 0};
	s->started = true;
}

/* A file is opened when its first stack is due: then the columns of those before it are known. */
static void
next_of_file(void *arg, uint32_t i, struct tournament_head *head)
{
	struct files *files = arg;
	struct stream *s = &files->stream[i];

	if (!s->started) {
		const struct profile *source = &files->merge->source[i];

		open_stream(s, files->merge, source, source_open(source->path), true);
		foldedtest_refuse(
		    s->file.in, files->merge->folded.fixed || files->merge->folded.columns.n > 1);
		s->may_end = true;
	}
	next_of_stream(files->stream, i, head);
	files->ended |= s->ended;
}

static void
add_current(struct table *t, const struct stream *s, size_t shared)
{
	uint32_t n = table_find_shared(t, s->stack, s->len, shared);

	for (unsigned c = 0; c < t->columns; c++)
		value_array_add(&t->sum[c], n, s->value[c]);
}

/* If a file is not in order: adds the rest, and all current stacks but that of `added`. */
static void
add_rest(struct table *t, struct files *files, const struct tournament *order, int64_t added)
{
	struct tableadd add = {0};
	struct folded_line l;

	for (uint32_t i = 0; i < order->n; i++)
		if (files->stream[i].ended || (order->head[i].stack != NULL && i != added))
			add_current(t, &files->stream[i], 0);
	for (uint32_t i = 0; i < order->n; i++) {
		struct stream *s = &files->stream[i];

		if (!s->ended && order->head[i].stack == NULL)
			continue; /* at its end */
		while (next_line(s, &l)) {
			vec_fit(s->stack, s->size, s->nprefix + l.len);
			memcpy(s->stack + s->nprefix, l.stack, l.len);
			tableadd_line(&add, t, (struct str){s->stack, s->nprefix + l.len}, &l);
		}
	}
	tableadd_end(&add, t);
}

bool
merge_in_order(struct merge *m, struct table **t)
{
	struct files files = {.merge = m};
	struct tournament order;
	int64_t i = -1;
	bool again;

	if (m->n < 2 || m->n > fan_in())
		return false;
	for (size_t k = 0; k < m->n; k++)
		if (source_is_once(m->source[k].path))
			return false;
	files.stream = cli_alloc(m->n, sizeof *files.stream);
	tournament_start(&order, (uint32_t)m->n, next_of_file, &files);
	if (m->folded.columns.n > 0)
		*t = table_new(m->folded.columns.n);
	while (!files.ended && (i = tournament_pull(&order, &again)) >= 0)
		add_current(*t, &files.stream[i], order.head[i].shared);
	if (files.ended)
		add_rest(*t, &files, &order, i);
	tournament_free(&order);
	for (size_t k = 0; k < m->n; k++) {
		folded_close(&files.stream[k].file);
		free(files.stream[k].stack);
	}
	free(files.stream);
	return true;
}

/* The sums of one stack: the values of one file are added up first, then scaled. */
struct sums {
	unsigned columns;
	const struct profile *source;
	value part[CALLTREE_COLUMNS], whole[CALLTREE_COLUMNS];
};

static void
end_part(struct sums *sums)
{
	for (unsigned c = 0; c < sums->columns; c++) {
		value v = sums->part[c];

		if (sums->source != NULL)
			v = scale_value(sums->source->scale[c], v);
		sums->whole[c] = value_sum(sums->whole[c], v);
		sums->part[c] = 0;
	}
}

static void
end_stack(struct sums *sums, struct merge *m, struct output *o)
{
	end_part(sums);
	merge_values(m, o, sums->whole);
	memset(sums->whole, 0, sizeof sums->whole);
}

/* Merges at most FAN feeds into one output; the last merge writes the header. */
static void
merge_streams(struct merge *m, const struct feed *feed, size_t n, struct output *o, bool last)
{
	struct linewise *linewise = m->linewise ? cli_alloc(n, sizeof *linewise) : NULL;
	struct stream *stream = NULL;
	size_t nstream = 0, capstream = 0;
	struct sums sums = {0};
	struct tournament order;
	bool again, any = false;
	int64_t i;

	for (size_t k = 0; k < n; k++) {
		const struct profile *source = feed[k].source;
		const struct linewise *l = NULL;

		if (m->linewise && source != NULL) {
			linewise_read(&linewise[k], m, source);
			l = &linewise[k];
		}
		vec_fit(stream, capstream, nstream + 1 + (l != NULL ? l->nparts : 0));
		if (source == NULL)
			open_stream(
			    &stream[nstream++], m, NULL, temporary_read(&feed[k].temporary), false);
		else if (l == NULL || !l->copied)
			open_stream(&stream[nstream++], m, source, source_open(source->path), true);
		if (l == NULL)
			continue;
		if (!l->copied)
			stream[nstream - 1].linewise = l;
		for (size_t part = 0; part < l->nparts; part++)
			open_stream(
			    &stream[nstream++], m, source, temporary_read(&l->part[part]), false);
	}
	tournament_start(&order, (uint32_t)nstream, next_of_stream, stream);
	if (last)
		merge_header(m, o);
	sums.columns = m->folded.columns.n;
	while ((i = tournament_pull(&order, &again)) >= 0) {
		if (!again) {
			if (any)
				end_stack(&sums, m, o);
			folded_begin_stack(o, stream[i].stack, stream[i].len);
		} else if (stream[i].source != sums.source) {
			end_part(&sums);
		}
		sums.source = stream[i].source;
		for (unsigned c = 0; c < sums.columns; c++)
			sums.part[c] = value_sum(sums.part[c], stream[i].value[c]);
		any = true;
	}
	if (any)
		end_stack(&sums, m, o);
	tournament_free(&order);
	for (size_t k = 0; k < nstream; k++) {
		folded_close(&stream[k].file);
		free(stream[k].stack);
	}
	if (last) {
		merge_more_header(m, o);
		merge_end(m, o);
	}
	free(stream);
	for (size_t k = 0; linewise != NULL && k < n; k++)
		linewise_free(&linewise[k]);
	free(linewise);
}

static struct feed merge_to_temporary(
    struct merge *m, const struct feed *feed, size_t n, size_t fan);

/*
 * Reduces any number of feeds to at most `fan`. As few as possible go through temporary files:
 * groups of a power of `fan` files, just enough that the others fit beside them. Returns the
 * number of feeds in `few`, temporary ones first.
 */
static size_t
make_few(struct merge *m, const struct feed *feed, size_t n, size_t fan, struct feed *few)
{
	size_t group = 1, groups = 0, used = 0, nfew = 0;

	while (n > fan * group)
		group *= fan;
	if (group > 1)
		groups = (n - fan + group - 2) / (group - 1);
	for (; groups > 0; groups--) {
		size_t size = n - used < group ? n - used : group;

		few[nfew++] = merge_to_temporary(m, feed + used, size, fan);
		used += size;
	}
	while (used < n)
		few[nfew++] = feed[used++];
	return nfew;
}

static void
close_temporary(struct feed *few, size_t n)
{
	for (size_t i = 0; i < n && few[i].source == NULL; i++)
		temporary_close(&few[i].temporary);
}

static struct feed
merge_to_temporary(struct merge *m, const struct feed *feed, size_t n, size_t fan)
{
	struct feed temp = {0}, *few = cli_alloc(fan, sizeof *few);
	size_t nfew = make_few(m, feed, n, fan, few);
	struct merge sums = *m;
	struct output *o;

	/*
	 * Values are scaled already: only add them; --mean and --column apply to the result
	 * only.
	 */
	sums.picked = -1;
	sums.mean = false;
	o = temporary_create(&temp.temporary);
	merge_streams(&sums, few, nfew, o, false);
	output_close(o);
	m->folded = sums.folded;
	close_temporary(few, nfew);
	free(few);
	return temp;
}

/* With --normalize: computes the totals of all files, by a first pass over each. */
static void
read_totals(struct merge *m)
{
	/* The second pass reports malformed lines. */
	struct folded scan = m->folded;

	scan.warned = FOLDED_SILENT;
	for (size_t i = 0; i < m->n; i++) {
		struct profile *s = &m->source[i];
		struct folded_file f;
		struct folded_line l;

		if (source_is_once(s->path))
			cli_die(
			    "%s: not a regular file; --normalize with --sorted reads inputs twice",
			    s->path);
		folded_open(&f, &scan, s->path);
		f.scaled = true;
		while (folded_next(&f, &l))
			for (unsigned c = 0; c < scan.columns.n; c++)
				s->total[c] = value_sum(s->total[c], l.value[c]);
		folded_close(&f);
	}
	m->folded.columns = scan.columns;
}

void
merge_sorted(struct merge *m, const char *path)
{
	struct feed *feed = cli_alloc(m->n, sizeof *feed), *few;
	size_t fan = fan_in(), nfew;
	struct output *o;

	if (m->normalize)
		read_totals(m);
	merge_scale(m);
	for (size_t i = 0; i < m->n; i++)
		feed[i].source = &m->source[i];
	few = cli_alloc(fan, sizeof *few);
	nfew = make_few(m, feed, m->n, fan, few);
	o = output_open(path);
	output_lines(o);
	merge_streams(m, few, nfew, o, true);
	folded_finish(&m->folded, NULL);
	output_close(o);
	close_temporary(few, nfew);
	free(few);
	free(feed);
}
