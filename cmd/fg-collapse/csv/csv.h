/*
 * csv: splits a line of comma-separated values (RFC 4180, but without newlines in fields).
 */
#ifndef CSV_H
#define CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define CSV_FIELDS 64 /* further fields are skipped */

struct csv {
	struct str field[CSV_FIELDS]; /* without quotes; valid until the next line */
	size_t n;
	struct text text;
};

/* Splits a line into c->field. False if a quote is not closed; the fields are set all the same. */
bool csv_split(struct csv *c, struct str line, char delimiter);
void csv_free(struct csv *c);

/* Reads an integer or decimal number whose thousands may be separated by `,`, `.`, ' or
 * blanks. False if the field is not a number. */
bool csv_count(struct str field, uint64_t *n);

#endif
