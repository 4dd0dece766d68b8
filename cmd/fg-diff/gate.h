/*
 * gate: fails on regressions, and answers CANNOT TELL if the power was too low to find them.
 */
#ifndef GATE_H
#define GATE_H

#include <stdbool.h>

#include "fg-diff/answer.h"
#include "fg-diff/compare.h"
#include "fg-diff/moved.h"

/* Limits of growth, in percent of base's profile total. */
struct gate {
	bool self_set, total_set;
	bool automatic; /* the total's limit is the smallest that can be judged */
	double self, total;
};

/* Parses `5%`, `self:3%`, `total:3%` or `auto`; exits with a usage error otherwise. */
void gate_parse(struct gate *g, const char *spec);

/* Fills a; the caller sets a->name before. g may be NULL; m is NULL if cost shifts are unknown. */
void answer_find(
    struct answer *a, const struct gate *g, struct comparison *c, const struct moves *m);

#endif
