/*
 * side: reads the files of a side into a tree of their sums, and the values of each run.
 * Several runs are read into separate trees first.
 */
#include "fg-diff/side.h"

#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "profile/frame.h"
#include "profile/funcname.h"
#include "stats/noise.h"

#define BROKEN 0.1 /* a run below this share of the largest of its side is broken */

static void
spend(struct value_array *a, uint32_t item, value v)
{
	if (item >= a->n)
		value_array_resize(a, item + 1);
	value_array_add(a, item, v);
}

/*
 * Sums by function or module: self at the last frame of a stack; total once per path, at the
 * outermost frame of a name.
 */
static void
spend_names(struct spent *spent, struct value_array *self, struct value_array *totals,
    const struct calltree *t, unsigned column)
{
	struct value_array total = calltree_totals(t, column);
	uint32_t *item = cli_alloc(t->nname, sizeof *item), *open, *way = NULL;
	uint32_t node = CALLTREE_ROOT, depth = 0, deepest = 0, cap = 0;

	for (uint32_t i = 1; i < t->nname; i++) {
		const struct calltree_name *name = &t->name[i];

		item[i] = spent->by == BY_MODULE
			      ? funcname_intern_module(spent->names, name->s, name->len)
			      : funcname_intern(spent->names, name->s, name->len);
	}
	open = cli_alloc(spent->names->nname, sizeof *open); /* by item: frames on the path */
	while ((node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
		uint32_t it = item[t->node[node].name];

		vec_fit(way, cap, (size_t)depth + 1);
		for (; deepest >= depth; deepest--)
			open[way[deepest]]--;
		way[deepest = depth] = it;
		if (open[it]++ == 0)
			spend(totals, it, value_array_get(&total, node));
		if (value_array_has(&t->self[column], node))
			spend(self, it, calltree_self(t, node, column));
	}
	value_array_free(&total);
	free(item);
	free(open);
	free(way);
}

static void
spend_stacks(
    struct spent *spent, struct value_array *self, const struct calltree *t, unsigned column)
{
	struct calltree *bare = calltree_new(0);
	uint32_t *key = cli_alloc(t->nname, sizeof *key);
	struct folded_path path = {0};
	uint32_t node = CALLTREE_ROOT, depth = 0;

	for (uint32_t i = 1; i < t->nname; i++)
		key[i] = funcname_intern_bare(bare, t->name[i].s, t->name[i].len);
	while ((node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
		const struct calltree_name *name = &bare->name[key[t->node[node].name]];

		folded_path_set(&path, depth, name->s, name->len);
		if (!value_array_has(&t->self[column], node))
			continue;
		spend(self, calltree_intern(spent->names, path.s, path.end[depth]),
		    calltree_self(t, node, column));
	}
	folded_path_free(&path);
	calltree_free(bare);
	free(key);
}

bool
side_is_exact(const struct side *side)
{
	const struct folded_columns *columns = &side->folded.columns;
	const char *name = columns->name[side->picked];

	/* a plain file has no column name: its unit is the event's name */
	return noise_is_exact(name != NULL ? name : columns->unit[side->picked]);
}

/* Adds the values of one run to arrays of a `spent`. */
static void
account(struct spent *spent, struct value_array *self, struct value_array *total,
    const struct calltree *t, unsigned column)
{
	if (spent->by == BY_STACK)
		spend_stacks(spent, self, t, column);
	else
		spend_names(spent, self, total, t, column);
}

/* Adds the time in the kernel: the values of a tree without the stacks that end elsewhere. */
static void
account_kernel(struct side *side, struct calltree *t)
{
	struct value_array all = t->self[side->picked], kernel = {0};

	for (uint32_t node = 1; node < t->nnode; node++) {
		const struct calltree_name *name = &t->name[t->node[node].name];

		if (value_array_has(&all, node) && frame_in_kernel(name->s, name->len))
			spend(&kernel, node, value_array_get(&all, node));
	}
	value_array_resize(&kernel, t->nnode);
	t->self[side->picked] = kernel;
	for (unsigned i = 0; i < side->nspent; i++)
		account(&side->spent[i], &side->spent[i].kernel_self, &side->spent[i].kernel_total,
		    t, side->picked);
	t->self[side->picked] = all;
	value_array_free(&kernel);
}

static value
profile_total(const struct calltree *t, unsigned column)
{
	value sum = 0;

	for (uint32_t i = 0; i < t->nnode; i++)
		if (value_array_has(&t->self[column], i))
			sum = value_sum(sum, calltree_self(t, i, column));
	return sum;
}

static void
pick_column(struct side *side)
{
	const struct folded_columns *c = &side->folded.columns;

	side->picked =
	    side->column != NULL ? folded_columns_find(c, side->column, side->path[0]) : 0;
}

/* Returns one run's tree, folded, with side->names; NULL if it is empty. */
static struct calltree *
read_run(struct side *side, unsigned run)
{
	struct calltree *t = NULL;
	struct folded_file file;

	folded_open(&file, &side->folded, side->path[run]);
	folded_read(&file, &t);
	folded_close(&file);
	if (t == NULL)
		return NULL;
	pick_column(side);
	align_names_free(&side->names);
	side->names = align_fold(t, side->strip_hex);
	side->run_profile_total[run] = profile_total(t, side->picked);
	return t;
}

/*
 * Drops the broken runs of a side, if at most half are broken and at least two remain;
 * otherwise marks the side unusable.
 */
static void
drop_broken(struct side *side, struct calltree **run)
{
	double largest = 0;
	unsigned kept = 0;

	for (unsigned i = 0; i < side->runs; i++)
		largest = fmax(largest, value_double(side->run_profile_total[i]));
	side->broken = cli_alloc(side->runs, sizeof *side->broken);
	for (unsigned i = 0; i < side->runs; i++) {
		double total = value_double(side->run_profile_total[i]);

		if (total < BROKEN * largest)
			side->broken[side->nbroken++] =
			    (struct side_broken){side->path[i], total, largest};
	}
	if (side->nbroken == 0)
		return;
	side->unusable = side->runs - side->nbroken < 2 || 2 * side->nbroken > side->runs;
	if (side->unusable)
		return;
	for (unsigned i = 0; i < side->runs; i++) {
		if (value_double(side->run_profile_total[i]) < BROKEN * largest) {
			cli_warn("%s: left out: its total is %.4g, that of another run %.4g",
			    side->path[i], value_double(side->run_profile_total[i]), largest);
			calltree_free(run[i]);
			continue;
		}
		side->path[kept] = side->path[i];
		side->run_profile_total[kept] = side->run_profile_total[i];
		run[kept++] = run[i];
	}
	side->runs = kept;
}

/* Reads all runs; none is merged before the broken ones are known. */
static void
read_runs(struct side *side)
{
	struct calltree **run = cli_alloc(side->runs, sizeof *run);

	for (unsigned i = 0; i < side->runs; i++)
		run[i] = read_run(side, i);
	if (side->runs > 1)
		drop_broken(side, run);
	for (unsigned i = 0; i < side->runs; i++) {
		if (run[i] == NULL)
			continue;
		for (unsigned k = 0; k < side->nspent; k++)
			account(&side->spent[k], &side->spent[k].self[i], &side->spent[k].total[i],
			    run[i], side->picked);
		if (side->runs == 1 && side->nspent > 0)
			account_kernel(side, run[i]);
		if (side->tree == NULL) {
			side->tree = run[i];
			continue;
		}
		calltree_merge(side->tree, run[i]);
		calltree_free(run[i]);
	}
	free(run);
}

void
side_read(struct side *side)
{
	side->run_profile_total = cli_alloc(side->runs, sizeof *side->run_profile_total);
	for (unsigned i = 0; i < side->nspent; i++) {
		struct spent *spent = &side->spent[i];

		spent->names = calltree_new(0);
		spent->self = cli_alloc(side->runs, sizeof *spent->self);
		spent->total = cli_alloc(side->runs, sizeof *spent->total);
	}
	read_runs(side);
	if (side->tree == NULL)
		side->tree = calltree_new(1);
	if (side->names.rank == NULL || side->runs > 1) { /* empty, or not that of a run */
		align_names_free(&side->names);
		side->names = align_fold(side->tree, side->strip_hex);
		side->profile_total = profile_total(side->tree, side->picked);
	} else {
		side->profile_total = side->run_profile_total[0];
	}
}

void
side_free(struct side *side)
{
	for (unsigned i = 0; i < side->nspent; i++) {
		for (unsigned run = 0; run < side->runs; run++) {
			value_array_free(&side->spent[i].self[run]);
			value_array_free(&side->spent[i].total[run]);
		}
		value_array_free(&side->spent[i].kernel_self);
		value_array_free(&side->spent[i].kernel_total);
		free(side->spent[i].self);
		free(side->spent[i].total);
		calltree_free(side->spent[i].names);
	}
	free(side->run_profile_total);
	free(side->broken);
	calltree_free(side->tree);
	align_names_free(&side->names);
	folded_columns_free(&side->folded.columns);
}

void
side_align(struct align *a, const struct side *base, const struct side *head)
{
	align_begin(a, (const struct calltree *[]){base->tree, head->tree},
	    (const struct align_names *[]){&base->names, &head->names});
}
