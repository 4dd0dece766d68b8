/*
 * groups: --group-by: the files of base and head by the values of a label, one comparison for
 * each value that both have.
 */
#ifndef GROUPS_H
#define GROUPS_H

#include <stddef.h>

#include "base/output.h"
#include "base/text.h"
#include "fg-diff/options.h"
#include "fg-diff/pair.h"

/* A value that only one side has. */
struct ungrouped {
	char *root;
	bool in_head;
};

struct groups {
	const char *key;
	struct pair *pair; /* sorted by root */
	size_t n;
	struct ungrouped *alone;
	size_t nalone;
	char **path; /* files of all sides, sorted by value and side */

	/* Set by groups_judge: */
	bool kept; /* the sides have their stacks */
	enum answer_kind kind; /* answer for all values together */
	struct text reason; /* one line, without a newline */
	int status; /* exit status */
};

/* Groups all files, which must be regular files. Exits with 2 if no value is on both sides. */
void groups_find(struct groups *g, const struct options *o);

/*
 * Reads and judges each value. The confidence C of the options is that of all values together:
 * each value has 1 - (1 - C) / values. Frees the stacks of each value unless keep.
 */
void groups_judge(struct groups *g, const struct options *o, bool keep);

/* Formats the answers and the reports of all values; the formats, in report/. */
void groups_text(struct text *t, const struct groups *g);
void groups_tsv(struct text *t, const struct groups *g);
void groups_markdown(struct text *t, const struct groups *g);
void groups_json(struct text *t, const struct groups *g);

void groups_free(struct groups *g);

#endif
