/*
 * foreign: what the first bytes of an input are when they are no folded stacks. Text
 * that happens to end its lines in numbers must not pass for them: a picture of it
 * looks right and means nothing.
 */
#ifndef FOREIGN_H
#define FOREIGN_H

#include <stddef.h>

#include "base/lines.h"

struct foreign {
	const char *what; /* "the text of perf script" */
	const char *instead; /* what fg-collapse can read in its place; NULL: this itself */
};

/* How surely these are folded stacks: 0 no, 100 yes. */
int foreign_folded(const char *data, size_t len);

/* What they are; NULL when that is not known, or they may well be folded stacks. */
const struct foreign *foreign_tell(const char *data, size_t len);

/* Before the first line is read: exit 2 with a message when they are something else. */
void foreign_refuse(struct lines *in);

#endif
