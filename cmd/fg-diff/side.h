/*
 * side: base or head: one or several runs of the same work, read into one tree; and the values
 * of each function in each run, for reports.
 */
#ifndef SIDE_H
#define SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-diff/align.h"
#include "fg-diff/grain.h"
#include "fg-diff/scriptrows.h"
#include "profile/calltree.h"
#include "profile/folded.h"
#include "names/identity.h"

/* Kinds of report rows. */
enum by {
	BY_FUNCTION,
	BY_MODULE,
	BY_STACK,
};

/* The values of functions (or modules, stacks) in each run. */
struct spent {
	enum by by;
	const struct scriptrows *scripts; /* by function: its rows; or NULL */
	/*
	 * A tree used for its interned names only, which number the rest; NULL by function: these
	 * have the numbers of the identity.
	 */
	struct calltree *names;
	struct value_array *self; /* by run */
	struct value_array *total; /* by run; recursion counts once; NULL with BY_STACK */
	/* Of a side of one run: their parts that are time in the kernel; else empty. */
	struct value_array kernel_self, kernel_total;
	/* Of all runs, if the weights of samples are known by stack: each value times its weight.
	 */
	struct value_array weighed_self, weighed_total;
};

/*
 * A run with less than a tenth of the largest one of its side, as after a crash or on a full
 * disk.
 */
struct side_broken {
	const char *path;
	double profile_total, largest; /* profile totals */
};

/* One run, between side_load and side_finish. */
struct side_run {
	struct calltree *tree; /* NULL: empty */
	struct calltree *frames; /* its frames, if the side has none */
	uint32_t *frame; /* by name: number of its text */
	uint32_t *rank; /* by name, of a single run, whose tree is sorted; else NULL */
	uint32_t *function; /* by number of a text, set by side_identify */
};

/* The stacks of one run as numbers of functions, in pre-order. */
struct side_nodes {
	struct side_node {
		uint32_t end; /* nodes from its own to `end`, exclusive, are its subtree */
		uint32_t function;
		double self;
	} * node;
	uint32_t n;
};

struct side {
	char **path; /* files of the runs */
	unsigned runs;
	const char *column; /* name of the column to read; NULL: the first */
	bool strip_hex; /* 0x12ab becomes 0x... in names */
	bool keeps_all; /* runs are a series: small ones are not broken, and code may move */
	bool apart; /* earlier runs, of programs that may differ */
	struct folded folded; /* line counts and headers of its files */

	/* Set by side_load: */
	struct side_run *run;
	struct calltree *frames; /* frames of all runs; NULL: each run has its own */

	/* Set by side_identify: */
	const struct identity *identity;

	/* Set by side_finish: */
	struct calltree *tree; /* sum of all runs, one column, in canonical order */
	struct align_names names; /* of the tree */
	unsigned picked; /* index of the column read */
	bool weighs; /* a heap profiler's samples, with weights by stack */
	struct grain grain; /* of these */
	value weighed; /* sum of their values times weights */
	value profile_total; /* profile total of all runs together */
	value *run_profile_total; /* profile total of each run */
	struct side_broken *broken; /* the broken runs, for reports */
	unsigned nbroken;
	bool unusable; /* too many runs are broken to drop them: no decision is possible */
	bool keeps_nodes; /* those of spent[0], for moved.h; set before side_finish */
	struct side_nodes *nodes; /* by run, for side_nodes; NULL without keeps_nodes */
	struct spent *spent; /* the caller allocates it and sets `by` */
	unsigned nspent; /* number of spent */
};

/* The kind of its values. */
enum folded_values side_values(const struct side *side);

/* Starts a walk through two sides' trees at once, until align_end. */
void side_align(struct align *a, const struct side *base, const struct side *head);

/* Reads all runs. Two threads may each read a side. */
void side_load(struct side *side);

/*
 * Finds the functions of base, head and history's runs, after side_load; history may be NULL. The
 * result must stay valid until the sides are freed.
 */
void side_identify(struct identity *id, struct side *base, struct side *head, struct side *history);

/*
 * Finds the functions of scripts, between side_identify and side_finish; false: there are none.
 * functions: number of those of the identity.
 */
bool side_find_scripts(
    struct scriptrows *s, const struct side *base, const struct side *head, uint32_t functions);

/* Sums the runs; the result is valid until side_free. Two threads may each sum a side. */
void side_finish(struct side *side);

/* Returns the nodes of a run of a side that keeps them, after side_finish. */
const struct side_nodes *side_nodes(const struct side *side, unsigned run);

/* Frees what these functions allocated; path and spent belong to the caller. */
void side_free(struct side *side);

/* Exits with 2 if a file that was read has only names of modules: no function can be compared. */
void side_refuse_nameless(const struct folded_file *file, const char *path);

#endif
