/*
 * comeback: folded stacks that fg-render wrote as another tool's profile, which come
 * back as they were: profile/carried.h. A reader that finds the note gives, instead
 * of samples,
 *
 *	comeback_frame(&c, name);	as often as there are frames, root first
 *	comeback_end(&c, values);
 */
#ifndef COMEBACK_H
#define COMEBACK_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-collapse/reader.h"
#include "profile/carried.h"

struct comeback {
	struct carried carried;

	/* Private. */
	struct reader *reader;
	uint32_t node;
	struct text text, work;
};

/* Whether s is such a note; then the stacks of this input have its columns. */
bool comeback_begin(struct comeback *c, struct reader *r, struct str s);
void comeback_free(struct comeback *c);

/* The name of a frame whose whole text is carried by s. */
uint32_t comeback_name(struct comeback *c, struct str s);

/* The stack's next frame; its end, with a value for each of carried.columns. */
void comeback_frame(struct comeback *c, uint32_t name);
void comeback_end(struct comeback *c, const value *v);

/* What a whole number of a column stands for. */
value comeback_value(const struct comeback *c, unsigned column, uint64_t n);

#endif
