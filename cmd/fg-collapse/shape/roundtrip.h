/*
 * roundtrip: restores folded stacks that fg-render exported as another tool's profile,
 * without loss; see profile/fgnote.h. A reader that finds the note calls, instead of
 * adding samples,
 *
 *	roundtrip_frame(&c, name);	as often as there are frames, root first
 *	roundtrip_end(&c, SAMPLE_NO_TIME, values);
 */
#ifndef ROUNDTRIP_H
#define ROUNDTRIP_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-collapse/reader.h"
#include "fg-collapse/shape/tables.h"
#include "profile/fgnote.h"

struct roundtrip {
	struct fgnote carried;
	bool rounded; /* rests are missing: values are rounded from here on */

	/* Private. */
	struct reader *reader;
	uint64_t start; /* ns since 1970 of the time 0 of the stacks' marks; 0: unknown */
	uint32_t node; /* SAMPLE_MISSING: a frame of the current stack is */
	struct text text, work;
};

/* True if s is such a note; then the stacks of this input have its columns. */
bool roundtrip_begin(struct roundtrip *c, struct reader *r, struct str s);
void roundtrip_free(struct roundtrip *c);

/* Returns the sampler's name of a frame whose whole text is encoded in s. */
uint32_t roundtrip_name(struct roundtrip *c, struct str s);

/* Adds the next frame of the stack; ends the stack, with a value for each of carried.columns.
 * time: in ns, or SAMPLE_NO_TIME. roundtrip_add adds values without an end. */
void roundtrip_frame(struct roundtrip *c, uint32_t name);
/* Adds the frames of a location; name: the sampler's name of each function. */
void roundtrip_location(
    struct roundtrip *c, const struct tables *t, const uint32_t *name, uint32_t location);
void roundtrip_add(struct roundtrip *c, uint64_t time, const value *v);
void roundtrip_end(struct roundtrip *c, uint64_t time, const value *v);

/*
 * The value that an integer n stands for in a column. Calls are in the order of the profile,
 * because the note has the rests of rounded values in that order; a value without its rest stays
 * rounded and sets c->rounded.
 */
value roundtrip_value(struct roundtrip *c, unsigned column, uint64_t n);

/* After the last stack: reports values that are not exact; with --strict it exits. */
void roundtrip_check(const struct roundtrip *c);

#endif
