/*
 * filter: the interface of fg-filter's parts. Each option is a step; steps run in the order of
 * the command line. A step works on a complete call tree: it maps every node to the node where
 * the stack that ends there goes, in the same tree or in a new one.
 */
#ifndef FILTER_H
#define FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pattern.h"
#include "base/text.h"
#include "profile/calltree.h"
#include "fg-filter/match.h"
#include "fg-filter/sums.h"
#include "fg-filter/where.h"
#include "profile/fileselect.h"
#include "profile/folded.h"
#include "names/language.h"

#define CUT CALLTREE_ROOT /* the map's target for removed stacks */

struct step;

/*
 * Fills in map, which has one entry per node of `from`: the node of `to` that the stack goes to,
 * or CUT. A step that only keeps or removes complete stacks has no `to` (NULL); the stacks that
 * it keeps stay at their nodes.
 */
typedef void step_run(
    const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map);

struct step {
	const char *option, *arg; /* as given by the user, without dashes; arg may be NULL */
	step_run *run;
	bool reshapes; /* creates a new tree */
	bool needs_all; /* needs the values of all stacks */
	struct where *where; /* for steps that select by frames; owned */
	struct pattern pattern;
	struct replacement replacement;
	char *script; /* text that pattern and replacement of --rename point into */
	uint32_t number; /* of --max-depth, --top */
	unsigned languages; /* of --lang */
	unsigned origins; /* of --origin: bits of enum origin */
	value least; /* threshold of --min; a percentage if `percent` */
	bool percent;
	unsigned strip; /* of --strip, bits of enum strip */

	/* Removed by this step: values by column, and number of stacks. */
	value cut[CALLTREE_COLUMNS];
	uint64_t ncut;
};

/* Parts of names that --strip removes. */
enum strip {
	STRIP_ADDRESSES = 1,
	STRIP_GENERICS = 2,
	STRIP_ARGS = 4,
	STRIP_HASHES = 8,
	STRIP_LINES = 16,
	STRIP_CLONES = 32,
};

/*
 * input.c. input_open opens a file, and sets the label tests of --where by its labels; false, and
 * closed, if its labels do not select it. input_next reads its next stack in the range of
 * --from and --to; exits 2 if the file has no time marks.
 */
struct filter;
bool input_open(struct filter *f, struct folded_file *file, const char *path);
bool input_next(struct filter *f, struct folded_file *file, struct folded_line *l);

/* select.c: steps that keep or remove complete stacks. */
step_run select_where, select_min, select_top;

/* reshape.c: steps that move or remove frames. */
step_run reshape_root_at, reshape_skip_after, reshape_until, reshape_hide, reshape_only,
    reshape_callers, reshape_hide_kernel, reshape_only_kernel, reshape_only_language,
    reshape_only_origin, reshape_hide_system, reshape_max_depth, reshape_root, reshape_recursion,
    reshape_recursion_all, reshape_reverse, reshape_min_total, reshape_modules;

/* renamestep.c: steps that rename frames. */
step_run rename_frames; /* by --rename's pattern, or --strip's bits; without both --bare */
/* The name that such a step gives a frame, in place of *name; false if it becomes empty. */
bool rename_name(const struct step *s, struct str old, struct text *name);

/*
 * strip.c: removes, in place, the parts of a frame's name selected by bits of enum strip. Returns
 * the new length.
 */
size_t strip_frame(unsigned what, char *s, size_t len);
/* Parses a list like "args,hashes" into bits; 0 if it has an unknown word. */
unsigned strip_parse(const char *list);

/*
 * steps.c. Runs all steps over *t and replaces it by the result. trace, unless NULL, has one
 * entry per node of the first tree and receives the final node of each of its stacks.
 */
void steps_run(struct step *step, size_t n, struct calltree **t, uint32_t *trace);

/* fg-filter's options and input. */
struct filter {
	struct folded folded;
	struct step *step;
	size_t nstep, capstep;
	size_t nlocal; /* steps up to the last one with a label test; run on each file */
	const char *column; /* --column, or NULL for all of them */
	bool other; /* write removed stacks as [other] */
	bool no_header;
	struct fileselect select; /* --focus-label, --recorded-since, --recorded-before */
	bool range; /* --from or --to */
	uint64_t from, to; /* ns */
	bool marks, in_range; /* for the current file: a time mark was read; it is in range */
};

#define OTHER "[other]"

/* Index of the column of --column, -1 for all. Call after the first stack was read. */
int filter_column(const struct filter *f);

/* The columns to write. */
struct folded_columns filter_columns(const struct filter *f);

/* timeorder.c: filters stacks in time order, as a stream; false if no stack but [other] is left. */
bool filter_time_order(struct filter *f, char *const *path, struct output *o);

/*
 * fg-filter.c: runs the steps on a tree and writes it, false if no stack but [other] is left. Frees
 * t; NULL stands for an empty tree.
 */
bool filter_write_tree(struct filter *f, struct calltree *t, struct output *o);

/*
 * summed.c: filters by steps that need one stack at a time (stackwise.h); false if no stack is
 * left.
 */
bool filter_summed(struct filter *f, char *const *path, struct output *o);

/*
 * stream.c: filters a file in constant memory, with the same result. filter_can_stream: true if
 * the file and its result are in canonical order; it reads the file to check that.
 */
bool filter_can_stream(struct filter *f, const char *path);
bool filter_stream(struct filter *f, const char *path, struct output *o);

#endif
