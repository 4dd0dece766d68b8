/*
 * comeback: folded stacks that fg-render wrote as another tool's profile, which come
 * back as they were: profile/fgnote.h. A reader that finds the note gives, instead
 * of samples,
 *
 *	roundtrip_frame(&c, name);	as often as there are frames, root first
 *	roundtrip_end(&c, values);
 */
#ifndef ROUNDTRIP_H
#define ROUNDTRIP_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-collapse/reader.h"
#include "profile/fgnote.h"

struct roundtrip {
	struct fgnote carried;

	/* Private. */
	struct reader *reader;
	uint32_t node;
	struct text text, work;
};

/* Whether s is such a note; then the stacks of this input have its columns. */
bool roundtrip_begin(struct roundtrip *c, struct reader *r, struct str s);
void roundtrip_free(struct roundtrip *c);

/* The name of a frame whose whole text is carried by s. */
uint32_t roundtrip_name(struct roundtrip *c, struct str s);

/* The stack's next frame; its end, with a value for each of carried.columns. */
void roundtrip_frame(struct roundtrip *c, uint32_t name);
void roundtrip_end(struct roundtrip *c, const value *v);

/* What a whole number of a column stands for. */
value roundtrip_value(const struct roundtrip *c, unsigned column, uint64_t n);

#endif
