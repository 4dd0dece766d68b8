/*
 * tsv: writes samples while it reads them; holds the dictionary of stacks in memory until the
 * end.
 */
#include "fg-merge/tsv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "profile/table.h"

struct tsv {
	struct table *stacks;
	uint64_t *id; /* id of each stack */
	size_t capid;
	uint64_t *written; /* ids of the stacks in stacks.tsv */
	uint32_t nwritten;
	struct text profiles, labels; /* rows of these tables so far */
};

static uint64_t
stable_id(struct str s)
{
	return XXH3_64bits(s.s, s.len);
}

/* Appends a field without tabs and newlines, which would end it. */
static void
add_field(struct text *to, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		text_char(to, s[i] == '\t' || s[i] == '\n' || s[i] == '\r' ? ' ' : s[i]);
}

static struct output *
open_table(const char *directory, const char *name, const char *columns)
{
	struct text path = {0};
	struct output *o;

	text_printf(&path, "%s/%s.tsv", directory, name);
	o = output_open(path.s);
	text_free(&path);
	output_text(o, columns);
	return o;
}

/* Returns the id of a stack; adds new ones to the dictionary. */
static uint64_t
stack_id(struct tsv *t, const struct folded_line *l)
{
	uint32_t known, n;

	if (t->stacks == NULL)
		t->stacks = table_new(0);
	known = t->stacks->n;
	n = table_find(t->stacks, l->stack, l->len);
	if (t->stacks->n > known) {
		vec_fit(t->id, t->capid, (size_t)n + 1);
		t->id[n] = stable_id((struct str){l->stack, l->len});
	}
	return t->id[n];
}

/* Adds the rows of a profile and its labels. */
static void
add_profile(struct tsv *t, uint64_t id, const char *name, const struct labels *labels)
{
	text_printf(&t->profiles, "%" PRIu64 "\t", id);
	add_field(&t->profiles, name, strlen(name));
	text_char(&t->profiles, '\n');
	for (size_t i = 0; labels != NULL && i < labels->n; i++) {
		const struct label *label = &labels->label[i];

		for (unsigned v = 0; v < label->n || (v == 0 && label->n == 0); v++) {
			const char *word = label->n > 0 ? label->value[v] : "*";

			text_printf(&t->labels, "%" PRIu64 "\t", id);
			add_field(&t->labels, label->key, strlen(label->key));
			text_char(&t->labels, '\t');
			add_field(&t->labels, word, strlen(word));
			text_char(&t->labels, '\n');
		}
	}
}

/* Sets *time to the seconds of a mark like "12.340 s", or to nothing. */
static void
set_time(struct text *time, struct str mark)
{
	const char *blank = memchr(mark.s, ' ', mark.len);
	size_t n = blank != NULL ? (size_t)(blank - mark.s) : 0;

	text_cut(time, 0);
	if (n > 0 && text_is(blank + 1, mark.len - n - 1, "s"))
		text_add(time, mark.s, n);
}

static void
write_samples(struct tsv *t, struct merge *m, const struct profile *p, struct output *o)
{
	struct text key = {0}, time = {0};
	struct folded_file f;
	struct folded_line l;
	uint64_t profile;
	struct labels *labels;
	const char *data;
	size_t len;

	folded_open(&f, &m->folded, p->path);
	data = lines_peek(f.in, &len);
	labels = foldedheader_labels(data, len);
	text_puts(&key, p->path);
	text_add(&key, "", 1);
	labels_text(&key, labels);
	profile = stable_id(text_as_str(&key));
	add_profile(t, profile, p->path, labels);
	text_puts(&time, "");
	while (folded_next(&f, &l)) {
		const struct folded_columns *columns = &m->folded.columns;
		uint64_t stack = stack_id(t, &l);

		if (l.time.len > 0)
			set_time(&time, l.time);
		for (unsigned c = 0; c < columns->n; c++) {
			output_count(o, profile);
			output_char(o, '\t');
			output_count(o, stack);
			output_char(o, '\t');
			output_write(o, time.s, time.len);
			output_char(o, '\t');
			output_text(o, columns->name[c] != NULL ? columns->name[c] : "value");
			output_char(o, '\t');
			output_value(o, l.value[c]);
			output_char(o, '\n');
		}
	}
	folded_close(&f);
	labels_free(labels);
	text_free(&key);
	text_free(&time);
}

static int
compare_ids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

struct writing {
	struct tsv *tsv;
	struct output *o;
};

static void
write_stack(void *arg, const struct table *stacks, uint32_t n, const struct table_stack *frames)
{
	struct writing *w = arg;
	struct output *o = w->o;
	struct text field = {0};

	(void)stacks, (void)n;
	w->tsv->written[w->tsv->nwritten] = stable_id(frames->text);
	output_count(o, w->tsv->written[w->tsv->nwritten++]);
	output_char(o, '\t');
	add_field(&field, frames->text.s, frames->text.len);
	output_write(o, field.s, field.len);
	output_char(o, '\n');
	text_free(&field);
}

static void
write_text(const char *directory, const char *name, const char *columns, struct text *rows)
{
	struct output *o = open_table(directory, name, columns);

	output_write(o, rows->s, rows->len);
	output_close(o);
	text_free(rows);
}

void
tsv_directory(const char *directory)
{
	if (mkdir(directory, 0777) != 0 && errno != EEXIST)
		cli_die("%s: %s", directory, strerror(errno));
}

void
tsv_write(struct merge *m, const char *directory)
{
	struct tsv t = {0};
	struct output *o;

	o = open_table(directory, "samples", "profile\tstack\ttime\tcolumn\tvalue\n");
	for (size_t i = 0; i < m->n; i++)
		write_samples(&t, m, &m->source[i], o);
	folded_finish(&m->folded, NULL);
	output_close(o);
	o = open_table(directory, "stacks", "stack\tframes\n");
	if (t.stacks != NULL) {
		t.written = cli_alloc(t.stacks->n, sizeof *t.written);
		table_walk(t.stacks, write_stack, &(struct writing){&t, o});
		sort_items(t.written, t.nwritten, sizeof *t.written, compare_ids);
		for (uint32_t i = 1; i < t.nwritten; i++)
			if (t.written[i] == t.written[i - 1])
				cli_die("%s/stacks.tsv: two stacks have the same hash %" PRIu64
					"; write the files to two directories, and load them "
					"separately",
				    directory, t.written[i]);
	}
	output_close(o);
	write_text(directory, "profiles", "profile\tname\n", &t.profiles);
	write_text(directory, "labels", "profile\tkey\tvalue\n", &t.labels);
	table_free(t.stacks);
	free(t.id);
	free(t.written);
}
