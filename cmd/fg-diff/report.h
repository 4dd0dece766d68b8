/*
 * report: a comparison as a person, a machine or a pull request wants to read it; and
 * the gate, which says no to what got slower.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "compare.h"

enum report_format { REPORT_TEXT, REPORT_TSV, REPORT_MARKDOWN };

/* Write the report; `top` rows of self and of total, 0 for all; tsv has all in any case. */
void report_write(FILE *f, struct comparison *c, enum report_format format, size_t top);

/* A name without its control characters, which could do anything to a terminal or a table. */
void report_name(FILE *f, const struct calltree_name *name);

/* How much more than before is too much, in percent of the base's whole. */
struct gate {
	bool self_set, total_set;
	double self, total;
	bool only; /* some functions are picked out, so the whole is not looked at */
};

/* Parse `5%`, `self:3%` or `total:3%`; exit 2 when it is none of them. */
void gate_parse(struct gate *g, const char *spec);

/* Whether an increase beyond noise is above the gate; every one is named on f. */
bool gate_trips(FILE *f, const struct gate *g, const struct comparison *c);

#endif
