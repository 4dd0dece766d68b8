/*
 * side: reads the files of a side into a tree of their sums, and the values of each run.
 * Several runs are read into separate trees first.
 */
#include "fg-diff/side.h"

#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-diff/valgrind.h"
#include "names/frame.h"
#include "names/funcname.h"

#define BROKEN 0.1 /* a run below this share of the largest of its side is broken */
#define PRODUCT_MAX 1e19 /* sums of them do not overflow */
#define SEALED (1u << 17) /* names; what searching a smaller tree takes is not worth freeing */

static void
spend(struct value_array *a, uint32_t item, value v)
{
	if (item >= a->n)
		value_array_resize(a, item + 1);
	value_array_add(a, item, v);
}

/*
 * Sums by function or module: self at the last frame of a stack; total once per path, at the
 * outermost frame of a name. function: by name.
 */
static void
spend_names(struct spent *spent, const struct identity *id, const uint32_t *function,
    struct value_array *self, struct value_array *totals, const struct calltree *t, unsigned column)
{
	struct value_array total = calltree_totals(t, column);
	uint32_t *item = cli_alloc(t->nname, sizeof *item), *open, *way = NULL;
	uint32_t node = CALLTREE_ROOT, depth = 0, deepest = 0, cap = 0, root = 0;

	for (uint32_t i = 1; i < t->nname; i++)
		item[i] = spent->by == BY_MODULE
			      ? funcname_intern_module(spent->names, t->name[i].s, t->name[i].len)
			      : function[i];
	/* by item: frames on the path */
	open = cli_alloc(
	    spent->names != NULL ? spent->names->nname : id->functions->nname, sizeof *open);
	while ((node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
		uint32_t it = item[t->node[node].name];

		vec_fit(way, cap, (size_t)depth + 1);
		for (; deepest >= depth; deepest--)
			open[way[deepest]]--;
		if (scriptrows_hides(spent->scripts, it, depth, &root))
			it = way[depth - 1];
		way[deepest = depth] = it;
		if (open[it]++ == 0 && value_array_has(&total, node))
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
spend_stacks(struct spent *spent, const struct identity *id, const uint32_t *function,
    struct value_array *self, const struct calltree *t, unsigned column)
{
	struct folded_path path = {0};
	uint32_t node = CALLTREE_ROOT, depth = 0;

	while ((node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
		const struct calltree_name *name =
		    &id->functions->name[function[t->node[node].name]];

		folded_path_set(&path, depth, name->s, name->len);
		if (!value_array_has(&t->self[column], node))
			continue;
		spend(self, calltree_intern(spent->names, path.s, path.end[depth]),
		    calltree_self(t, node, column));
	}
	folded_path_free(&path);
}

enum folded_values
side_values(const struct side *side)
{
	enum folded_values values = folded_values_of(&side->folded.columns, side->picked);

	if (values != FOLDED_UNKNOWN)
		return values;
	if (side->weighs)
		return FOLDED_ESTIMATED;
	return side->tree != NULL && valgrind_counted(side->tree, side->picked) ? FOLDED_EXACT
										: values;
}

/* Adds the values of one run to arrays of a `spent`; function: by name. */
static void
account(struct side *side, struct spent *spent, const uint32_t *function, struct value_array *self,
    struct value_array *total, const struct calltree *t)
{
	if (spent->by == BY_STACK)
		spend_stacks(spent, side->identity, function, self, t, side->picked);
	else
		spend_names(spent, side->identity, function, self, total, t, side->picked);
}

/* Adds the values of samples of a heap profiler, times the weight of a sample of their stack. */
static void
account_weights(struct side *side, struct calltree *t, const uint32_t *function)
{
	struct value_array all = t->self[side->picked], weighed = {0};
	const struct grain *g = &side->grain;

	for (uint32_t node = 1; node < t->nnode; node++) {
		double bytes, objects, v;
		value product;

		if (!value_array_has(&all, node))
			continue;
		bytes = value_array_double(&t->self[g->bytes], node);
		objects = value_array_double(&t->self[g->objects], node);
		v = value_array_double(&all, node);
		v *= grain_weight(g, bytes, objects, side->picked == g->objects);
		product = (value)(fmin(v, PRODUCT_MAX) * (double)VALUE_ONE);
		spend(&weighed, node, product);
		side->weighed = value_sum(side->weighed, product);
	}
	value_array_resize(&weighed, t->nnode);
	t->self[side->picked] = weighed;
	for (unsigned i = 0; i < side->nspent; i++)
		account(side, &side->spent[i], function, &side->spent[i].weighed_self,
		    &side->spent[i].weighed_total, t);
	t->self[side->picked] = all;
	value_array_free(&weighed);
}

/* Adds the time in the kernel: the values of a tree without the stacks that end elsewhere. */
static void
account_kernel(struct side *side, struct calltree *t, const uint32_t *function)
{
	struct value_array all = t->self[side->picked], kernel = {0};

	for (uint32_t node = 1; node < t->nnode; node++) {
		const struct calltree_name *name = &t->name[t->node[node].name];

		if (value_array_has(&all, node) && frame_in_kernel(name->s, name->len))
			spend(&kernel, node, value_array_get(&all, node));
	}
	if (kernel.n == 0)
		return;
	value_array_resize(&kernel, t->nnode);
	t->self[side->picked] = kernel;
	for (unsigned i = 0; i < side->nspent; i++)
		account(side, &side->spent[i], function, &side->spent[i].kernel_self,
		    &side->spent[i].kernel_total, t);
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

/* Replaces hexadecimal numbers as difffolded.pl -s does: s/0x[0-9a-fA-F]+/0x.../g. */
static void
strip_hex_numbers(struct text *out, const char *s, size_t len)
{
	text_cut(out, 0);
	text_add(out, "", 0);
	for (size_t i = 0; i < len;) {
		size_t digits = len - i > 2 && s[i] == '0' && s[i + 1] == 'x'
				    ? text_hex(s + i + 2, len - i - 2, NULL)
				    : 0;

		if (digits > 0) {
			text_puts(out, "0x...");
			i += 2 + digits;
		} else {
			text_char(out, s[i++]);
		}
	}
}

void
side_refuse_nameless(const struct folded_file *file, const char *path)
{
	if (!file->folded->no_labels &&
	    labels_has(file->about.columns.labels, LABEL_SYMBOLS, LABEL_SYMBOLS_MODULES))
		cli_die("%s: no function has a name (label symbols=modules); record it again, or "
			"compare it with --no-labels",
		    path);
}

/* Returns one run's tree; NULL if it is empty. */
static struct calltree *
read_run(struct side *side, unsigned run)
{
	struct calltree *t = NULL;
	struct folded_file file;

	folded_open(&file, &side->folded, side->path[run]);
	folded_read(&file, &t);
	side_refuse_nameless(&file, side->path[run]);
	folded_close(&file);
	if (t == NULL)
		return NULL;
	pick_column(side);
	side->run_profile_total[run] = profile_total(t, side->picked);
	return t;
}

/* Collects the frames of a run, in the side's `frames` or its own. */
static void
read_frames(struct side *side, struct side_run *run)
{
	const struct calltree *t = run->tree;
	struct calltree *frames = side->frames;
	struct text stripped = {0};

	if (t == NULL || (frames == NULL && !side->strip_hex))
		return;
	if (frames == NULL)
		frames = run->frames = calltree_new(0);
	run->frame = cli_alloc(t->nname, sizeof *run->frame);
	for (uint32_t i = 1; i < t->nname; i++) {
		struct str s = {t->name[i].s, t->name[i].len};

		if (side->strip_hex) {
			strip_hex_numbers(&stripped, s.s, s.len);
			s = text_as_str(&stripped);
		}
		run->frame[i] = calltree_intern(frames, s.s, s.len);
	}
	text_free(&stripped);
}

/*
 * Drops the broken runs of a side, if at most half are broken and at least two remain;
 * otherwise marks the side unusable.
 */
static void
drop_broken(struct side *side)
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
			calltree_free(side->run[i].tree);
			continue;
		}
		side->path[kept] = side->path[i];
		side->run_profile_total[kept] = side->run_profile_total[i];
		side->run[kept++] = side->run[i];
	}
	side->runs = kept;
}

void
side_load(struct side *side)
{
	side->run_profile_total = cli_alloc(side->runs, sizeof *side->run_profile_total);
	side->run = cli_alloc(side->runs, sizeof *side->run);
	for (unsigned i = 0; i < side->runs; i++)
		side->run[i].tree = read_run(side, i);
	side->weighs = grain_find(&side->grain, &side->folded.columns, side->picked);
	if (side->runs > 1 && !side->keeps_all)
		drop_broken(side);
	if (side->runs > 1 && !side->apart && !side->keeps_all)
		side->frames = calltree_new(0);
	for (unsigned i = 0; i < side->runs; i++)
		read_frames(side, &side->run[i]);
	if (side->runs == 1 && side->run[0].tree != NULL) {
		bool large = side->run[0].tree->nname > SEALED;

		if (large)
			calltree_seal(side->run[0].tree);
		side->run[0].rank = calltree_sort_ranks(side->run[0].tree);
		if (large && side->run[0].frame == NULL)
			calltree_arrange(side->run[0].tree, side->run[0].rank);
	}
}

/* Adds the frames of a side's runs, together or each run's; returns the new number. */
static size_t
add_sides(struct identity_side *of, size_t n, const struct side *side)
{
	const struct labels *labels = side->folded.columns.labels;

	for (unsigned i = 0; i < side->runs; i++) {
		const struct side_run *run = &side->run[i];
		const struct calltree *t = side->frames != NULL	 ? side->frames
					   : run->frames != NULL ? run->frames
								 : run->tree;

		of[n] = (struct identity_side){.labels = labels, .past = side->apart};
		if (t != NULL) {
			of[n].name = t->name;
			of[n].n = t->nname;
		}
		n++;
		if (side->frames != NULL)
			break;
	}
	return n;
}

static size_t
add_functions(struct side *side, const struct identity *id, struct identity_side *of)
{
	size_t n = 0;

	side->identity = id;
	for (unsigned i = 0; i < side->runs; i++) {
		struct identity_side *from = &of[side->frames != NULL ? 0 : n++];

		side->run[i].function = from->function;
		if (side->run[i].tree != NULL && side->run[i].frame == NULL) /* its own names */
			from->function = NULL;
	}
	return side->frames != NULL ? 1 : n;
}

/* Most names of a large tree are those of its functions. */
static void
share_names(const struct side *side)
{
	const struct side_run *run = &side->run[0];

	if (run->tree != NULL && run->frame == NULL && run->tree->nname > SEALED)
		calltree_share(run->tree, side->identity->functions, run->function);
}

void
side_identify(struct identity *id, struct side *base, struct side *head, struct side *history)
{
	struct side *side[] = {history, base, head}; /* in order of time */
	struct identity_side *of;
	size_t n = 0;

	for (int k = 0; k < 3; k++)
		n += side[k] != NULL ? side[k]->runs : 0;
	of = cli_alloc(n, sizeof *of);
	n = 0;
	for (int k = 0; k < 3; k++)
		if (side[k] != NULL)
			n = add_sides(of, n, side[k]);
	identity_find(id, of, n);
	n = 0;
	for (int k = 0; k < 3; k++)
		if (side[k] != NULL)
			n += add_functions(side[k], id, of + n);
	for (int k = 0; k < 3; k++)
		if (side[k] != NULL && side[k]->runs == 1)
			share_names(side[k]);
}

/* Returns by name of a run's tree its function; the caller frees it. */
static uint32_t *
run_functions(const struct side_run *run)
{
	uint32_t *function;

	if (run->frame == NULL)
		return run->function;
	function = cli_alloc(run->tree->nname, sizeof *function);
	for (uint32_t i = 1; i < run->tree->nname; i++)
		function[i] = run->function[run->frame[i]];
	return function;
}

/* Renames a run's frames as identity_text and --strip-hex require. */
static void
rename_frames(const struct side *side, struct side_run *run, struct align_names *names)
{
	struct calltree *t = run->tree, *texts;
	const struct calltree *frames = side->frames != NULL ? side->frames : run->frames;
	struct text text = {0};
	uint32_t *to, *function, n;
	bool any = false;

	for (uint32_t i = 1; i < t->nname && !any; i++)
		any = side->strip_hex || side->identity->stands[names->function[i]];
	if (!any)
		return;
	texts = calltree_new(0);
	to = cli_alloc(t->nname, sizeof *to);
	function = cli_alloc((size_t)t->nname + 1, sizeof *function);
	for (uint32_t i = 1; i < t->nname; i++) {
		const struct calltree_name *name = &t->name[i];

		if (side->strip_hex)
			name = &frames->name[run->frame[i]];
		if (identity_text(side->identity, names->function[i], name, &text))
			to[i] = calltree_intern(texts, text.s, text.len);
		else
			to[i] = calltree_intern(texts, name->s, name->len);
		function[to[i]] = names->function[i];
	}
	n = names->n;
	calltree_rename(t, texts, to);
	align_names_free(names);
	*names = (struct align_names){calltree_sort_ranks(t), function, n};
	calltree_free(texts);
	text_free(&text);
	free(to);
}

/* Keeps the nodes of a run's tree. */
static void
keep_nodes(const struct side *side, const struct calltree *t, struct side_nodes *nodes)
{
	uint32_t node = CALLTREE_ROOT, depth = 0, deepest = 0, *way = NULL, cap = 0, root = 0;
	const struct scriptrows *scripts = side->spent[0].scripts;

	nodes->node = cli_alloc(t->nnode, sizeof *nodes->node);
	while ((node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
		uint32_t function = side->names.function[t->node[node].name];
		struct side_node *n;

		vec_fit(way, cap, (size_t)depth + 1);
		for (; deepest >= depth; deepest--)
			nodes->node[way[deepest]].end = nodes->n;
		deepest = depth;
		if (scriptrows_hides(scripts, function, depth, &root))
			way[depth] = way[depth - 1];
		else
			way[depth] = nodes->n++;
		n = &nodes->node[way[depth]];
		if (way[depth] != (depth > 1 ? way[depth - 1] : UINT32_MAX))
			n->function = function;
		if (value_array_has(&t->self[side->picked], node))
			n->self += value_array_double(&t->self[side->picked], node);
	}
	for (; deepest > 0; deepest--)
		nodes->node[way[deepest]].end = nodes->n;
	free(way);
}

/* Folds a run's tree, and adds its values. */
static void
finish_run(struct side *side, unsigned i, uint32_t *first)
{
	struct side_run *run = &side->run[i];

	align_names_free(&side->names);
	side->names = (struct align_names){.rank = run->rank,
	    .function = run_functions(run),
	    .n = side->identity->functions->nname};
	align_fold(run->tree, &side->names, first);
	rename_frames(side, run, &side->names);
	for (unsigned k = 0; k < side->nspent; k++)
		account(side, &side->spent[k], side->names.function, &side->spent[k].self[i],
		    &side->spent[k].total[i], run->tree);
	if (side->keeps_nodes && side->runs > 1)
		keep_nodes(side, run->tree, &side->nodes[i]);
	if (side->weighs)
		account_weights(side, run->tree, side->names.function);
	if (side->runs == 1 && side->nspent > 0)
		account_kernel(side, run->tree, side->names.function);
	free(run->frame);
	calltree_free(run->frames);
	run->frames = NULL;
	run->frame = NULL;
}

/* Sets the functions of names that several runs have together. */
static void
merged_functions(struct side *side, const struct calltree *names, const uint32_t *function)
{
	uint32_t *of = cli_alloc(side->tree->nname, sizeof *of);

	for (uint32_t i = 1; i < side->tree->nname; i++)
		of[i] =
		    function[calltree_find(names, side->tree->name[i].s, side->tree->name[i].len)];
	side->names = (struct align_names){.function = of, .n = side->identity->functions->nname};
}

bool
side_find_scripts(
    struct scriptrows *s, const struct side *base, const struct side *head, uint32_t functions)
{
	const struct side *side[] = {base, head};
	bool any = false;

	scriptrows_init(s, functions);
	for (int k = 0; k < 2; k++)
		for (unsigned i = 0; i < side[k]->runs; i++) {
			const struct side_run *run = &side[k]->run[i];

			if (run->tree != NULL)
				any |= scriptrows_mark(s, run->tree, run->frame, run->function);
		}
	return any;
}

void
side_finish(struct side *side)
{
	uint32_t functions = side->identity->functions->nname, cap = 0, *function = NULL;
	uint32_t *first = cli_alloc(functions, sizeof *first);
	struct calltree *names = calltree_new(0); /* of all runs, if they are several */
	unsigned last = 0, read = 0;

	if (side->keeps_nodes)
		side->nodes = cli_alloc(side->runs, sizeof *side->nodes);
	for (unsigned i = 0; i < side->nspent; i++) {
		struct spent *spent = &side->spent[i];

		spent->names = spent->by != BY_FUNCTION ? calltree_new(0) : NULL;
		spent->self = cli_alloc(side->runs, sizeof *spent->self);
		spent->total = cli_alloc(side->runs, sizeof *spent->total);
	}
	for (unsigned i = 0; i < side->runs; i++) {
		struct calltree *t = side->run[i].tree;

		if (t == NULL)
			continue;
		finish_run(side, i, first);
		for (uint32_t k = 1; side->runs > 1 && k < t->nname; k++) {
			uint32_t name = calltree_intern(names, t->name[k].s, t->name[k].len);

			vec_fit(function, cap, (size_t)name + 1);
			function[name] = side->names.function[k];
		}
		read++;
		if (side->tree == NULL) {
			side->tree = t;
			last = i;
			continue;
		}
		calltree_merge(side->tree, t);
		calltree_free(t);
	}
	side->profile_total = read > 0 ? side->run_profile_total[last] : 0;
	if (side->tree == NULL)
		side->tree = calltree_new(1);
	if (side->runs > 1 || read == 0) {
		align_names_free(&side->names);
		merged_functions(side, names, function);
		align_fold(side->tree, &side->names, first);
		side->profile_total = profile_total(side->tree, side->picked);
	}
	calltree_free(names);
	free(function);
	free(first);
	free(side->run);
	side->run = NULL;
	calltree_free(side->frames);
	side->frames = NULL;
}

const struct side_nodes *
side_nodes(const struct side *side, unsigned run)
{
	struct side_nodes *nodes = &side->nodes[run];

	if (nodes->node == NULL && side->runs == 1)
		keep_nodes(side, side->tree, nodes);
	return nodes;
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
		value_array_free(&side->spent[i].weighed_self);
		value_array_free(&side->spent[i].weighed_total);
		free(side->spent[i].self);
		free(side->spent[i].total);
		calltree_free(side->spent[i].names);
	}
	for (unsigned run = 0; side->nodes != NULL && run < side->runs; run++)
		free(side->nodes[run].node);
	free(side->nodes);
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
