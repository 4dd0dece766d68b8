/*
 * csv: one line of comma-separated values to its fields (RFC 4180, where a field holds
 * no newline).
 */
#ifndef CSV_H
#define CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define CSV_FIELDS 64 /* further ones are left out */

struct csv {
	struct str field[CSV_FIELDS]; /* without their quotes; they stay until the next line */
	size_t n;
	struct text text;
};

/* False when a quote has no end; the fields are there all the same. */
bool csv_split(struct csv *c, struct str line, char delimiter);
void csv_free(struct csv *c);

/* A whole or broken number with `,`, `.`, ' or blanks between its thousands; false when it is none.
 */
bool csv_count(struct str field, uint64_t *n);

#endif
