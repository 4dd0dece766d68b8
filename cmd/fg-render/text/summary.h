/*
 * summary: the summary of a profile, as sentences of words and names.
 */
#ifndef RENDER_SUMMARY_H
#define RENDER_SUMMARY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/output.h"
#include "base/text.h"
#include "fg-render/picture.h"
#include "names/origin.h"
#include "names/waitreason.h"

#define SUMMARY_NAMES 5 /* limit of functions in a list or a sentence */

/*
 * functions.c: indexed by name number. Only the first name of a function has the sums and a
 * name.
 */
struct function {
	const struct frame_name *name; /* NULL: not the first name of its function, or the gap */
	value self, total; /* recursion counted once */
	uint32_t node; /* its widest frame; 0: none */
	uint32_t deepest; /* maximum number of its frames in one stack */
};
struct function *functions_sum(const struct picture *p, unsigned k); /* the caller frees it */
uint32_t functions_at(
    const struct picture *p, uint32_t node); /* function to which a node's self value belongs */
int functions_by_self(const void *a, const void *b); /* largest first, nameless ones last */

/*
 * offcpu.c: the function that a stack's time is charged to. On-CPU time belongs to the last
 * frame. The last frame of off-CPU time is the kernel's scheduler; it is charged to the
 * program's function that blocks.
 */
struct wait {
	enum wait_reason why;
	value v;
	uint32_t node; /* the frame that waits longest for this reason; 0: none */
	bool others; /* other functions wait for it too */
	uint32_t waker; /* the last frame of the most frequent waker; 0: not recorded */
};
struct waits {
	bool charged; /* false: no value is, and self is the array of the drawn column */
	struct value_array self; /* by node, over all drawn columns */
	struct value_array each[CALLTREE_COLUMNS]; /* with WIDTHS_SUM: self by drawn column */
	value profile_total, waited; /* sum of self; of this, off-CPU */
	struct wait wait[WAIT_REASONS]; /* largest first */
	unsigned nwait;
};
void waits_find(struct picture *p); /* sets off of p; needs sum */
struct waits waits_sum(const struct picture *p); /* with charged, the caller frees the arrays */
/* True for a frame with the process's or thread's name, which fg-record and others put first. */
bool waits_is_process(const struct picture *p, uint32_t node);

/*
 * answer.c: the data of the sentences, for one column or for the sum of the columns. It has a
 * picture of its own, in which off-CPU time is charged to the function that blocks.
 */
struct missing {
	struct str module; /* len 0: module unknown too */
	value v;
	uint32_t name, node;
};
struct answer {
	const struct picture *p; /* the picture of answer_open */
	struct picture charged; /* p with the charged self values in column 0 */
	struct calltree tree;
	struct waits waits;
	struct function *function; /* all functions, largest self value first */
	uint32_t *ranked, nranked; /* indices of function: symbolized ones with a value, in order */
	double *total; /* by node; the picture's width unless waits.charged */
	struct missing *missing; /* by module, largest value first */
	uint32_t nmissing, capmissing;
	value without_symbols; /* sum of self values without symbols */
};
void answer_open(const struct picture *p, struct answer *a);
void answer_close(struct answer *a);
double answer_share(const struct answer *a, double v); /* in percent of the profile total */
double answer_error(const struct answer *a, value v); /* of the 95 % interval, +- %; 0: unknown */
/* Returns the nearest caller that is a symbolized function; CALLTREE_ROOT for none. */
uint32_t answer_caller(const struct picture *p, uint32_t node);
/*
 * Returns the module of "[module]", "[module <address>]" or "module+0xSTART", names of code without
 * symbols; empty when the module is unknown too. Points into the name.
 */
struct str answer_module(const struct frame_name *n);
uint32_t answer_number(const struct function *f, const struct picture *p); /* number of its name */
/* Sums the self values by origin, without off-CPU time; *inlined: the part in inlined functions. */
void answer_origins(const struct answer *a, value sum[ORIGIN_UNKNOWN + 1], value *inlined);
/* Finds the heaviest stacks of the picture, largest first, up to `most` nodes; returns how many. */
struct heavy {
	uint32_t node;
	double v;
};
unsigned answer_stacks(const struct answer *a, struct heavy *best, unsigned most);
/* Inserts a node into the n heaviest, at most `most` of them; returns the new n. */
unsigned answer_keep(struct heavy *best, unsigned n, unsigned most, uint32_t node, double v);

/* summary.c: a heading, a ranked list, and sentences of words and names */
struct summary_part {
	enum {
		SUMMARY_WORDS,
		SUMMARY_NAME,
		SUMMARY_STACK,
		SUMMARY_END
	} kind; /* END: end of a sentence */
	size_t begin, end; /* WORDS: range in summary.words */
	uint32_t name, node; /* NAME: the name, and the frame that it links to */
};
struct summary_row {
	uint32_t name, node;
	double size; /* any unit; below 0: a decrease */
	struct text cell[3]; /* figures: share and its error; of a change amount, rate, interval */
};
struct summary {
	struct text words;
	struct summary_part *part; /* sentences; first the heading, then the ranked list's */
	size_t n, cap;
	struct summary_row row[SUMMARY_NAMES]; /* the ranked list as data */
	unsigned nrow;
	const char *over; /* heading of the list; NULL: the second sentence has it */
	int8_t *verdict; /* changes.direction of a differential, or NULL */
};
void summarize(const struct picture *p, struct summary *s);
/* details.c: the additions for -T markdown: the heaviest stacks and source lines. */
void summarize_details(const struct picture *p, struct summary *s);
value *details_by_name(const struct answer *a); /* self values by name; the caller frees them */
/* Finds the names of a function with the heaviest source lines, up to `most`; returns how many. */
unsigned details_lines(
    const struct answer *a, const value *by, uint32_t number, uint32_t *line, unsigned most);
/* changes.c: differentials; the caller frees of and direction of changes */
/* Change of one function from base to head. */
struct change_of {
	uint32_t name, node; /* node: the frame that changed most */
	value base, head; /* self values */
	double delta, most; /* most: the largest change of one frame */
	int verdict; /* 1: significant increase, -1: significant decrease, 0: neither */
	double low, high; /* confidence interval, in percent of base; both 0: unknown */
};

struct changes {
	struct change_of *of; /* by row, then sorted by size of the change */
	uint32_t n;
	bool tested; /* the verdicts are valid */
	double size[2]; /* relative sizes of base and head, if changes_find tested them */
	double total_low, total_high; /* interval of the total's change if it may be noise, in % */
	int8_t *direction; /* by name number: the verdict on its function; NULL if not tested */
};
struct changes changes_find(const struct picture *p);
/*
 * Adds the noise column and the intervals to a differential of one run a side that lacks them, as
 * fg-diff --mark-noise would have written them; before layout. Exact costs have no noise.
 */
void changes_mark(struct picture *p);
void changes_free(struct picture *p); /* what changes_mark keeps for changes_find */
/* True if low and high are the interval of this change. */
bool changes_interval(const struct change_of *c);
bool changes_exact(const struct picture *p); /* base and head are exact */
void summarize_changes(const struct picture *p, struct summary *s);
void summary_free(struct summary *s);

/* summary_text.c: append to the current sentence; values are of drawn column k */
__attribute__((format(printf, 2, 3))) void summary_add(struct summary *s, const char *fmt, ...);
void summary_add_figure(const struct picture *p, struct summary *s, unsigned k, value v);
/* The words for values of a unit. */
struct unit_words {
	const char *own; /* "time", "memory" or the unit */
	const char *more, *less; /* "Slower", "Grew", "More" */
	const char *mark_more, *mark_less; /* "slower", "grew" in legends */
	const char *became_more, *became_less; /* "slower" in "... % of what became slower" */
	const char *than, *less_than; /* "longer", "shorter"; "larger", "smaller" */
};
struct unit_words summary_unit_words(const struct picture *p);
/* Appends "1,204 functions", then `after`. */
void summary_add_number(struct summary *s, uint32_t n, const char *what, const char *after);
/* Appends a function's name, linked to a frame. */
void summary_add_name(struct summary *s, uint32_t name, uint32_t node);
void summary_add_stack(struct summary *s, uint32_t node); /* the frames from the root to a node */
void summary_end_sentence(struct summary *s);
/* Returns the number of samples of drawn column k; 0: unknown. */
double summary_samples(const struct picture *p, unsigned k);

/*
 * The summary for the viewer, in JSON: {"rows": [[name, frame, size in percent of the first,
 * figures ...]], "over": heading of the rows, "say": sentences}. A sentence is a list of strings
 * and [name, frame]; a frame is a pre-order index.
 */
struct summary_job { /* runs in a thread; p must not change until its end */
	const struct picture *p;
	struct summary summary;
	struct text text;
	pthread_t thread;
	bool threaded;
};
void summary_begin(const struct picture *p, struct summary_job *j);
/* Waits for the summary, which is valid until summary_end. */
const struct summary *summary_wait(struct summary_job *j);
void summary_end(struct summary_job *j, struct output *o);

#endif
