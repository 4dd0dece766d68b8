/*
 * sentences: a summary as data, a heading, a ranked list, and sentences of words and names, and the
 * functions that append to it.
 */
#ifndef SENTENCES_H
#define SENTENCES_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/value.h"

struct picture;

#define SUMMARY_NAMES 5 /* limit of functions in a list or a sentence */

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
void summary_free(struct summary *s);

/* Append to the current sentence; values are of drawn column k. */
__attribute__((format(printf, 2, 3))) void summary_add(struct summary *s, const char *fmt, ...);
void summary_add_figure(const struct picture *p, struct summary *s, unsigned k, value v);
/* Appends "1,204 functions", then `after`. */
void summary_add_number(struct summary *s, uint32_t n, const char *what, const char *after);
/* Appends a function's name, linked to a frame. */
void summary_add_name(struct summary *s, uint32_t name, uint32_t node);
void summary_add_stack(struct summary *s, uint32_t node); /* the frames from the root to a node */
void summary_end_sentence(struct summary *s);

#endif
