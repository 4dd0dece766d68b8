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

/* functions.c: by name number; only the first name of a function has its sums and a name */
struct function {
	const struct frame_name *name; /* NULL: another's stands for it, or it is the gap */
	value self, total; /* recursion counted once */
	uint32_t node; /* its widest frame, 0 for none */
	uint32_t deepest; /* so many of its frames at once */
	uint32_t open; /* of functions_sum */
};
struct function *functions_sum(const struct picture *p, unsigned k); /* the caller frees it */
uint32_t functions_at(const struct picture *p, uint32_t node); /* whose self a frame's is */
int functions_by_self(const void *a, const void *b); /* largest first, those without name last */

/* summary.c: sentences of words and names */
struct summary_part {
	enum { SUMMARY_WORDS, SUMMARY_NAME, SUMMARY_END } kind; /* END: of a sentence */
	size_t begin, end; /* of words, in summary.words */
	uint32_t name, node; /* of a name, and the frame that is its place */
};
struct summary {
	struct text words;
	struct summary_part *part;
	size_t n, cap;
};
void summarize(const struct picture *p, struct summary *s);
void summarize_changes(const struct picture *p, struct summary *s); /* changes.c */
void summary_free(struct summary *s);

/* summary_text.c: what these are made of, added at the end; a value is of drawn column k */
#define SUMMARY_NAMES 5 /* the most in a sentence */
__attribute__((format(printf, 2, 3))) void say(struct summary *s, const char *fmt, ...);
void say_figure(const struct picture *p, struct summary *s, unsigned k, value v);
/* " 41.2 %", and how far from that it may be: in 95 of 100 samplings it would be within. */
void say_share(const struct picture *p, struct summary *s, unsigned k, value v);
/* "1,204 functions", and what comes after. */
void say_number(struct summary *s, uint32_t n, const char *what, const char *after);
/* A function, whose place is that frame. */
void say_name(struct summary *s, uint32_t name, uint32_t node);
void say_stop(struct summary *s);
/* How many samples the whole of a column is made of; 0: not known. */
double say_samples(const struct picture *p, unsigned k);

/*
 * offcpu.c: whose a stack's time is. On a CPU it is its last frame's. Off it that frame is
 * the kernel's scheduler, which says nothing: then it is the program's function that waits.
 */
struct waits {
	bool off[CALLTREE_COLUMNS]; /* by drawn column: time off the CPU */
	struct value_array self; /* by node, of all that is drawn; freed with value_array_free */
	value whole, waited; /* of these, and off the CPU */
};
void waits_find(const struct picture *p, bool off[CALLTREE_COLUMNS]);
struct waits waits_sum(const struct picture *p);

/* For the viewer: JSON, a list of sentences, each of texts and [name, frame] in pre-order. */
struct summary_job { /* while it is made, from a picture that does not change meanwhile */
	const struct picture *p;
	struct text text;
	pthread_t thread;
	bool threaded;
};
void summary_begin(const struct picture *p, struct summary_job *j);
void summary_end(struct summary_job *j, struct output *o);

#endif
