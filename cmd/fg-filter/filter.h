/*
 * filter: what fg-filter does to stacks is a row of steps in the order of the
 * command line. A step works on a whole call tree: it tells for every node where
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
#include "fg-filter/where.h"
#include "profile/folded.h"
#include "profile/language.h"

#define CUT CALLTREE_ROOT /* where a stack goes that is cut */

/* With --rename: the text that takes a match's place. */
struct replacement {
	const char *text;
	bool all; /* every match, not just the first */
};

struct step;

/*
 * Fill in map, which has one entry per node of `from`: the node of `to` where
 * the stack goes, or CUT. A step that keeps or cuts whole stacks has no `to`
 * (NULL), and those that it keeps stay at their nodes.
 */
typedef void step_run(
    const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map);

struct step {
	const char *option, *arg; /* as the user gave them, without dashes; arg may be NULL */
	step_run *run;
	bool reshapes; /* makes a new tree */
	bool needs_all; /* looks at the values of all stacks */
	struct where *where; /* of steps that select by frames; owned */
	struct pattern pattern;
	struct replacement replacement;
	char *script; /* what pattern and replacement of --rename lie in */
	uint32_t number; /* of --max-depth, --top */
	enum language language; /* of --lang */
	value least; /* of --min, in percent if so */
	bool percent;
	unsigned strip; /* of --strip, bits of enum strip */

	/* What it cut, all columns, and of how many stacks. */
	value cut[CALLTREE_COLUMNS];
	uint64_t ncut;
};

/* What --strip takes off. */
enum strip {
	STRIP_ADDRESSES = 1,
	STRIP_GENERICS = 2,
	STRIP_ARGS = 4,
	STRIP_HASHES = 8,
	STRIP_LINES = 16,
	STRIP_CLONES = 32,
};

/*
 * input.c. Open a file; false when --label does not select it, which closes it. The next
 * stack of an open one that --from and --to select; exit 2 without time marks.
 */
struct filter;
bool input_open(struct filter *f, struct folded_file *file, const char *path);
bool input_next(struct filter *f, struct folded_file *file, struct folded_line *l);

/* match.c. Whether a frame matches, with its annotations or without. */
bool match_name(const struct pattern *p, const char *s, size_t len);
/* By name number whether each of the tree's names matches; the caller frees it. */
uint8_t *match_names(const struct pattern *p, const struct calltree *t);
/* The same for names with the kernel's annotation. */
uint8_t *match_kernel(const struct calltree *t);
/* The same for functions in a language. */
uint8_t *match_language(enum language language, const struct calltree *t);
/* A frame's name with matches replaced, its annotations kept; in *out, which grows as needed. */
void match_replace(const struct pattern *p, const struct replacement *r, const char *s, size_t len,
    struct text *out);

/* select.c: steps that keep or cut whole stacks. */
step_run select_where, select_min, select_top;
/* The value of a stack over all columns: in a differential, removed stacks count, too. */
value stack_value(const struct calltree *t, uint32_t node);
/* The smallest whole number of billionths that is at least `percent` of all. */
value percent_of(value percent, value all);

/* reshape.c: steps that move frames. */
step_run reshape_root_at, reshape_skip_after, reshape_until, reshape_hide, reshape_only,
    reshape_callers, reshape_hide_kernel, reshape_only_kernel, reshape_only_language,
    reshape_max_depth, reshape_root, reshape_recursion, reshape_recursion_all, reshape_reverse,
    reshape_min_total, reshape_modules;

/* rename.c: steps that give frames other names. */
step_run rename_replace, rename_strip, rename_bare;

/* strip.c: take off a frame's name what bits of enum strip say, in place; its new length. */
size_t strip_frame(unsigned what, char *s, size_t len);
/* The bits for a list like "args,hashes"; 0 when a word is none of them. */
unsigned strip_parse(const char *list);

/*
 * steps.c. Run all steps over *t, which is replaced. trace, when not NULL, has
 * one entry per node of the first tree and says at last where each of its
 * stacks went.
 */
void steps_run(struct step *step, size_t n, struct calltree **t, uint32_t *trace);

/* What the command line asked for. */
struct filter {
	struct folded folded;
	struct step *step;
	size_t nstep, capstep;
	const char *column; /* --column, or NULL for all of them */
	bool other; /* write what was cut as [other] */
	bool no_header;
	const char **label; /* --label: [!]KEY=VALUE, all of which a file must satisfy */
	size_t nlabel, caplabel;
	bool range; /* --from or --to */
	uint64_t from, to; /* ns */
	bool marks, in_range; /* of the current file: a time mark was read, and is in range */
};

#define OTHER "[other]"

/* The number of the column that --column names, -1 for all. After the first stack was read. */
int filter_column(const struct filter *f);

/* The columns that are written. */
struct folded_columns filter_columns(const struct filter *f);

/* timeorder.c: filter stacks in time order, as a stream; false when none but [other] is left. */
bool filter_time_order(struct filter *f, char *const *path, struct output *o);

/*
 * stream.c. True when the only file is in canonical order and its steps need one stack at
 * a time; it is read for that. Then filter_stream does the work in constant memory.
 */
bool filter_can_stream(struct filter *f, char *const *path);
bool filter_stream(struct filter *f, char *const *path, struct output *o);

#endif
