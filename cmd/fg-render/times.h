/*
 * times: samples by time, for --heatmap and for profiles in order of time, and the strip
 * of activity above the graph.
 */
#ifndef TIMES_H
#define TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/output.h"
#include "base/text.h"
#include "base/value.h"

struct picture;

/*
 * With --heatmap, and of what becomes a profile in order of time: what was sampled when.
 */
struct times {
	struct time_sample {
		uint64_t at; /* ns, of the step of time in which it was */
		uint32_t node;
		uint32_t column; /* of the tree; with --heatmap of the one that is drawn */
		value v;
	} * sample;
	size_t n, cap;
	bool marked; /* the input has time marks; else at is 0 */
	uint64_t lost; /* stacks before the first time mark of their file */

	/* Of times_settle. */
	uint64_t step; /* ns, of the marks */
	uint64_t start; /* ns, where the first column of the strip begins */
	uint64_t across; /* ns, what a column spans */
	uint64_t cell; /* ns, what a cell does */
	uint32_t columns, rows;
};

void times_add(struct times *t, struct time_sample s);
void times_sort(struct times *t); /* by time; what is of the same in the order of the input */
bool times_parse(struct str mark, uint64_t *at); /* "12.340 s" */
void times_settle(struct times *t); /* after the last one: the step and the strip's cells */
void times_write(const struct picture *p, struct output *o); /* for the viewer */

/* strip.c: activity over time, above the graph of the still picture and of the live one. */
#define STRIP_SHADES 5
double strip_height(const struct picture *p); /* pixels, with its line of marks; 0: there is none */
void strip_write(const struct picture *p, double x, double y, double width, struct output *o);

#endif
