/*
 * times: samples by time, for --heatmap and for outputs in time order, and the heatmap strip
 * above the graph.
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

/* Samples with their times, for --heatmap and for outputs in time order. */
struct times {
	struct time_sample {
		uint64_t at; /* time step of the sample, ns */
		uint32_t node;
		uint32_t column; /* column of the tree; with --heatmap always the drawn one */
		value v;
	} * sample;
	size_t n, cap;
	bool marked; /* the input has time marks; if not, `at` is 0 */
	uint64_t lost; /* stacks before the first time mark of their file */

	/* Set by times_finish. */
	uint64_t step; /* distance of the time marks, ns */
	uint64_t start; /* start of the strip's first column, ns */
	uint64_t across; /* time of a column, ns */
	uint64_t cell; /* time of a cell, ns */
	uint32_t columns, rows;
};

void times_add(struct times *t, struct time_sample s);
void times_sort(struct times *t); /* by time; stable */
bool times_parse(struct str mark, uint64_t *at); /* "12.340 s" */
void times_finish(struct times *t); /* after the last sample: sets step and cells */
void times_write(const struct picture *p, struct output *o); /* for the viewer */

/* heatstrip.c: the heatmap strip above the graph, in the static SVG and the viewer. */
#define STRIP_SHADES 5
double strip_height(const struct picture *p); /* pixels, including its time marks; 0: no strip */
void strip_write(const struct picture *p, double x, double y, double width, struct output *o);

#endif
