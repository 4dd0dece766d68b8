/*
 * summed: filters stacks that were added up in a table, in canonical order. A tree is made only of
 * stacks that do not read back unchanged: folded_write has the exceptions.
 *
 * Input in order takes little memory there. A large file above RUN_MAX is read again, as a stream,
 * if all of it is in order.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/source.h"
#include "fg-filter/filter.h"
#include "fg-filter/stackwise.h"
#include "profile/table.h"

#define RUN_MAX ((size_t)72 * 1024 * 1024) /* bytes */
#define HELD_STEP ((size_t)256 * 1024) /* bytes that a part takes before others see it */

struct summed {
	struct filter *f;
	struct output *o;
	struct stackwise steps;
	struct table *renamed; /* the result, if a step renames */
	struct folded_columns header;
	struct foldedend end;
	int picked;
	bool plain; /* all stacks, and all renamed ones */
	bool ends, kept;
};

/* Closes a file before a second pass, which does not repeat its warnings. */
static void
abandon(struct filter *f, struct folded_file *file)
{
	unsigned warned = f->folded.warned;

	f->folded.warned = FOLDED_SILENT; /* no note about stacks that were not read */
	folded_release(file);
	f->folded.warned = warned;
	lines_close(file->in);
	f->folded.lines = f->folded.malformed = 0;
}

static size_t
memory_of(const struct table *t)
{
	return t->bytes + (size_t)t->cap * t->columns * sizeof *t->sum[0].cell;
}

/* Where the stacks of files go: a table, which the first one creates. */
struct sums {
	struct filter *f;
	struct table *table;
	atomic_size_t *held; /* bytes of all parts' tables, without the last HELD_STEP of each */
	size_t own; /* of this table, among them */
	size_t most; /* bytes of stacks in order, in all parts */
	bool plain, fits; /* all stacks; those in order */
};

/* Whether the stacks of all parts may stay in tables. */
static bool
fits(struct sums *to)
{
	size_t bytes = memory_of(to->table);

	if (bytes >= to->own + HELD_STEP) {
		atomic_fetch_add(to->held, bytes - to->own);
		to->own = bytes;
	}
	return to->table->unordered ||
	       atomic_load_explicit(to->held, memory_order_relaxed) <= to->most;
}

static void
read_stacks(struct sums *to, struct folded_file *file)
{
	struct table **t = &to->table;
	struct tableadd add = {0};
	struct folded_line l;

	while (to->fits &&
	       (file->aside != NULL ? folded_next(file, &l) : input_next(to->f, file, &l))) {
		if (*t == NULL) {
			if (file->aside == NULL)
				filter_column(to->f); /* exits if there is none of that name */
			*t = table_new(file->folded->columns.n);
		}
		to->plain &= stackwise_is_plain((struct str){l.stack, l.len});
		tableadd_line(&add, *t, (struct str){l.stack, l.len}, &l);
		to->fits = fits(to);
	}
	tableadd_end(&add, *t);
}

static void *
read_part(struct folded_file *part, void *all)
{
	const struct sums *to = all;
	struct sums *own = cli_alloc(1, sizeof *own);

	*own = (struct sums){.held = to->held, .most = to->most, .plain = true, .fits = true};
	read_stacks(own, part);
	if (own->table != NULL)
		table_settle(own->table);
	return own;
}

static void
join_part(void *all, void *part)
{
	struct sums *to = all, *own = part;

	to->plain &= own->plain;
	to->fits &= own->fits;
	if (own->table != NULL)
		table_join(to->table, own->table);
	free(own);
}

static void
drop_part(void *part)
{
	struct sums *own = part;

	table_free(own->table);
	free(own);
}

/*
 * Adds a file's stacks; false, with the file closed, if those in order take more than `most`
 * bytes. Threads read parts of an only file: joined tables have the same stacks once each.
 */
static bool
read_file(struct filter *f, const char *path, bool only, struct sums *to)
{
	const struct folded_parting parting = {read_part, join_part, drop_part, to};
	struct folded_file file;

	if (!input_open(f, &file, path))
		return true;
	if (only && !f->range)
		file.parting = &parting;
	read_stacks(to, &file);
	if (to->fits)
		folded_close(&file);
	else
		abandon(f, &file);
	return to->fits;
}

/* The sum of a stack's values, for steps that need it. */
static value
sum_of(const struct summed *s, const struct table *t, uint32_t n)
{
	value sum = 0;

	for (unsigned c = 0; c < t->columns; c++)
		if (s->picked < 0 || c == (unsigned)s->picked)
			sum = value_sum(sum, value_array_get(&t->sum[c], n));
	return sum;
}

static void
count_cut(struct summed *s, struct step *by, const struct table *t, uint32_t n)
{
	unsigned k = 0;

	for (unsigned c = 0; c < t->columns; c++)
		if (s->picked < 0 || c == (unsigned)s->picked) {
			by->cut[k] = value_sum(by->cut[k], value_array_get(&t->sum[c], n));
			k++;
		}
	by->ncut++;
}

static void
write_values(struct summed *s, const struct table *t, uint32_t n)
{
	value v[CALLTREE_COLUMNS];
	unsigned k = 0;

	s->kept = true;
	if (t->columns == 1 && !s->ends && t->sum[0].cell[n] < VALUE_WIDE) {
		output_count(s->o, t->sum[0].cell[n]);
		output_char(s->o, '\n');
		return;
	}
	for (unsigned c = 0; c < t->columns; c++)
		if (s->picked < 0 || c == (unsigned)s->picked)
			v[k++] = value_array_get(&t->sum[c], n);
	if (s->ends)
		foldedend_count(&s->end, v, k);
	folded_end_stack(s->o, v, k);
}

/* Runs the steps on a stack; true if it is left, with its result in s->steps. */
static bool
is_kept(struct summed *s, const struct table *t, uint32_t n, const struct table_stack *stack)
{
	struct step *by;

	if (s->steps.frames && s->steps.prefix.len == 0 && s->steps.nrename == 0)
		stackwise_frames(&s->steps, stack->text.s, stack->text.len, stack->shared);
	else if (s->steps.frames || s->steps.prefix.len > 0)
		stackwise_add(&s->steps, stack->text.s, stack->text.len, stack->shared);
	by = stackwise_cut(&s->steps, s->steps.sums ? sum_of(s, t, n) : 0);
	if (by != NULL)
		count_cut(s, by, t, n);
	return by == NULL;
}

/* Writes a stack that no step changes, of the input or renamed. */
static void
write_stack(void *arg, const struct table *t, uint32_t n, const struct table_stack *stack)
{
	struct summed *s = arg;

	folded_begin_stack(s->o, stack->text.s, stack->text.len);
	write_values(s, t, n);
}

static void
write_kept(void *arg, const struct table *t, uint32_t n, const struct table_stack *stack)
{
	struct summed *s = arg;
	struct str text = stack->text;

	if (!is_kept(s, t, n, stack))
		return;
	if (s->steps.prefix.len > 0)
		text = stackwise_result(&s->steps);
	folded_begin_stack(s->o, text.s, text.len);
	write_values(s, t, n);
}

static void
rename_kept(void *arg, const struct table *t, uint32_t n, const struct table_stack *stack)
{
	struct summed *s = arg;
	struct str out;

	if (!s->plain || !is_kept(s, t, n, stack))
		return;
	out = stackwise_result(&s->steps);
	s->plain = stackwise_is_plain(out);
	table_carry(s->renamed, table_find(s->renamed, out.s, out.len), t, n);
}

struct growing {
	struct calltree *tree;
	struct folded_prefix last;
};

static void
add_to_tree(void *arg, const struct table *t, uint32_t n, const struct table_stack *stack)
{
	struct growing *g = arg;
	uint32_t node = folded_add(g->tree, &g->last, stack->text.s, stack->text.len);

	for (unsigned c = 0; c < t->columns; c++)
		value_array_carry(&g->tree->self[c], node, &t->sum[c], n);
}

/* Returns a tree of the same stacks; the steps have removed none of them. */
static struct calltree *
tree_of(struct filter *f, struct table *t)
{
	struct growing g = {.tree = calltree_new(t->columns)};

	table_walk(t, add_to_tree, &g);
	folded_prefix_free(&g.last);
	f->nlocal = 0; /* the only file's labels are known */
	for (struct step *s = f->step; s < f->step + f->nstep; s++) {
		memset(s->cut, 0, sizeof s->cut);
		s->ncut = 0;
	}
	return g.tree;
}

/* Runs the steps and writes the result; false, with nothing written, if that needs a tree. */
static bool
write_summed(struct summed *s, struct table *t)
{
	struct filter *f = s->f;

	s->picked = filter_column(f);
	stackwise_start(&s->steps, f);
	if (s->steps.nrename > 0 && s->plain) {
		s->renamed = table_new(t->columns);
		table_walk(t, rename_kept, s);
	}
	if (s->plain) {
		s->header = filter_columns(f);
		s->ends = s->header.ends && !f->no_header;
		if (s->ends)
			foldedend_announce(s->o, s->header.n);
		if (!f->no_header)
			folded_write_header(s->o, &s->header);
		if (s->renamed != NULL)
			table_walk(s->renamed, write_stack, s);
		else if (f->nstep == 0)
			table_walk(t, write_stack, s);
		else
			table_walk(t, write_kept, s);
		if (s->ends)
			foldedend_write(s->o, &s->end, s->header.n);
	}
	stackwise_stop(&s->steps);
	table_free(s->renamed);
	return s->plain;
}

bool
filter_summed(struct filter *f, char *const *path, struct output *o)
{
	struct summed s = {.f = f, .o = o, .plain = true};
	bool large = path[1] == NULL && !source_is_once(path[0]) && !f->range &&
		     !fileselect_is_used(&f->select);
	atomic_size_t held = 0;
	struct sums sums = {
	    .f = f, .held = &held, .most = large ? RUN_MAX : SIZE_MAX, .plain = true, .fits = true};
	struct calltree *tree = NULL;
	struct table *t;

	for (char *const *p = path; *p != NULL; p++) {
		if (read_file(f, *p, path[1] == NULL, &sums))
			continue;
		table_free(sums.table);
		if (filter_can_stream(f, *p))
			return filter_stream(f, *p, o);
		sums = (struct sums){
		    .f = f, .held = &held, .most = SIZE_MAX, .plain = true, .fits = true};
		read_file(f, *p, true, &sums);
	}
	folded_finish(&f->folded, NULL);
	t = sums.table;
	s.plain = sums.plain;
	if (t != NULL && !write_summed(&s, t))
		tree = tree_of(f, t);
	if (t == NULL || tree != NULL)
		s.kept = filter_write_tree(f, tree, o);
	table_free(t);
	return s.kept;
}
