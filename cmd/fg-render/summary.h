/*
 * summary: what a profile says, as sentences of words and names.
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
#include "profile/origin.h"
#include "profile/waitreason.h"

#define SUMMARY_NAMES 5 /* the most functions in a list or a sentence */

/* functions.c: by name number; only the first name of a function has its sums and a name */
struct function {
	const struct frame_name *name; /* NULL: another's stands for it, or it is the gap */
	value self, total; /* recursion counted once */
	uint32_t node; /* its widest frame, 0 for none */
	uint32_t deepest; /* the most of its frames in one stack */
};
struct function *functions_sum(const struct picture *p, unsigned k); /* the caller frees it */
uint32_t functions_at(const struct picture *p, uint32_t node); /* whose self a frame's is */
int functions_by_self(const void *a, const void *b); /* largest first, those without name last */

/*
 * offcpu.c: whose a stack's time is. On a CPU it is its last frame's. Off it that frame is
 * the kernel's scheduler, which says nothing: then it is the program's function that waits.
 */
struct wait {
	enum wait_reason why;
	value v;
	uint32_t node; /* the frame that waits most for it; 0: none */
	uint32_t waker; /* the last frame of who woke it most often; 0: not recorded */
};
struct waits {
	bool off[CALLTREE_COLUMNS]; /* by drawn column: time off the CPU */
	struct value_array self; /* by node, of all that is drawn; freed with value_array_free */
	struct value_array each[CALLTREE_COLUMNS]; /* of sums the same by drawn column */
	value whole, waited; /* of these, and off the CPU */
	struct wait wait[WAIT_REASONS]; /* largest first */
	unsigned nwait;
};
void waits_find(const struct picture *p, bool off[CALLTREE_COLUMNS]);
struct waits waits_sum(const struct picture *p);
/* Whether a frame is the process's or thread's name, which fg-record and others put first. */
bool waits_is_process(const struct picture *p, uint32_t node);

/*
 * answer.c: what a profile of one column, or of the sum of its columns, says, before it
 * becomes words. A picture of its own, in which time off the CPU is charged to who waits.
 */
struct missing {
	struct str module; /* len 0: not even that is known */
	value v;
	uint32_t name, node;
};
struct answer {
	const struct picture *p; /* the one given */
	struct picture charged; /* the same with the self values that are told of, in column 0 */
	struct calltree tree;
	struct waits waits;
	struct function *function; /* of all, by self, largest first */
	uint32_t *ranked, nranked; /* indices of function: those of a name with a value, in order */
	double *total; /* by node */
	struct missing *missing; /* by module, largest first */
	uint32_t nmissing, capmissing;
	value without_symbols; /* their sum */
};
void answer_open(const struct picture *p, struct answer *a);
void answer_close(struct answer *a);
double answer_share(const struct answer *a, double v); /* in percent of the profile total */
double answer_error(const struct answer *a, value v); /* +- of a share, in percent; 0: not known */
/* The nearest caller that is a function with a name; CALLTREE_ROOT for none. */
uint32_t answer_caller(const struct answer *a, uint32_t node);
uint32_t answer_number(const struct function *f, const struct picture *p); /* its name's number */
/* Self values by origin, without what waits; *inlined: of these in inlined functions. */
void answer_origins(const struct answer *a, value sum[ORIGIN_UNKNOWN + 1], value *inlined);
/* The heaviest stacks of the whole picture, largest first: up to `most` nodes; how many. */
struct heavy {
	uint32_t node;
	double v;
};
unsigned answer_stacks(const struct answer *a, struct heavy *best, unsigned most);
/* Insert a node into n heaviest, of which there are at most `most`; returns the new n. */
unsigned answer_keep(struct heavy *best, unsigned n, unsigned most, uint32_t node, double v);

/* summary.c: a heading, a ranked list, and sentences of words and names */
struct summary_part {
	enum {
		SUMMARY_WORDS,
		SUMMARY_NAME,
		SUMMARY_STACK,
		SUMMARY_END
	} kind; /* END: of a sentence */
	size_t begin, end; /* of words, in summary.words */
	uint32_t name, node; /* of a name, and the frame that is its place */
};
struct summary_row {
	uint32_t name, node;
	double share, error; /* percent */
};
struct summary {
	struct text words;
	struct summary_part *part; /* the first sentence is the heading, the second the list's */
	size_t n, cap;
	struct summary_row
	    row[SUMMARY_NAMES]; /* the list, for who draws it; none in differentials */
	unsigned nrow;
};
void summarize(const struct picture *p, struct summary *s);
/* details.c: for texts: the heaviest stacks, lines of the hottest functions. */
void summarize_details(const struct picture *p, struct summary *s);
value *details_by_name(const struct answer *a); /* self values; the caller frees */
/* The names of a function with the heaviest lines, up to `most`; returns how many. */
unsigned details_lines(
    const struct answer *a, const value *by, uint32_t number, uint32_t *line, unsigned most);
/* changes.c: a differential; changes.of is the caller's to free */
/* How a function changed from base to head. */
struct change_of {
	uint32_t name, node; /* its frame that changed most */
	value base, head; /* self values */
	double delta, most; /* most: of one frame */
	int verdict; /* 1: grew beyond noise, -1: shrank, 0: neither */
	double low, high; /* interval of the change, in percent of base; both 0: unknown */
};

struct changes {
	struct change_of *of; /* by row, then sorted by size */
	uint32_t n;
	bool tested; /* there are verdicts */
};
struct changes changes_find(const struct picture *p);
/* Whether low and high are the interval of this change. */
bool changes_interval(const struct change_of *c);
void summarize_changes(const struct picture *p, struct summary *s);
void summary_free(struct summary *s);

/* summary_text.c: what these are made of, added at the end; a value is of drawn column k */
__attribute__((format(printf, 2, 3))) void say(struct summary *s, const char *fmt, ...);
void say_figure(const struct picture *p, struct summary *s, unsigned k, value v);
/* What figures of a unit are called. */
struct unit_words {
	const char *own; /* "time", "memory" or the unit */
	const char *more, *less; /* "Slower", "Grew", "More" */
	const char *became_more, *became_less; /* "of what became slower" */
	const char *than, *less_than; /* "longer", "shorter"; "larger", "smaller" */
};
struct unit_words say_words(const struct picture *p);
/* "1,204 functions", and what comes after. */
void say_number(struct summary *s, uint32_t n, const char *what, const char *after);
/* A function, whose place is that frame. */
void say_name(struct summary *s, uint32_t name, uint32_t node);
void say_stack(struct summary *s, uint32_t node); /* the frames that lead to a node */
void say_stop(struct summary *s);
/* How many samples the whole of a column is made of; 0: not known. */
double say_samples(const struct picture *p, unsigned k);

/*
 * For the viewer: JSON, {"rows": [[name, frame, share, error]], "say": sentences}, each of
 * texts and [name, frame]; a frame is its place in pre-order.
 */
struct summary_job { /* while it is made, from a picture that does not change meanwhile */
	const struct picture *p;
	struct text text;
	pthread_t thread;
	bool threaded;
};
void summary_begin(const struct picture *p, struct summary_job *j);
void summary_end(struct summary_job *j, struct output *o);

#endif
