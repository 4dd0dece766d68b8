/*
 * tails: the ends of recent samples. Neighbouring samples have most of their outer frames in
 * common, so the text from some line to the end of one is that of an earlier one, and need not
 * be parsed. The text is compared where it lies: in the current and the previous block.
 */
#ifndef TAILS_H
#define TAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAILS 512 /* entries */

/* A frame of a sample. */
struct tail_frame {
	uint32_t len; /* bytes from its line to the end of the sample */
	uint32_t lines; /* the same in lines */
	uint32_t number; /* its name */
	uint32_t node; /* of the call tree */
};

/* A sample. */
struct tail {
	const char *end; /* of its last line */
	uint32_t frame, n; /* its frames in their block's array, root first */
	uint32_t root; /* the node above them */
	uint32_t block; /* number of its block, from 1; 0: unused entry */
	bool java;
};

/* All zero: no samples. */
struct tails {
	struct tail entry[TAILS];
	struct tail last;
	uint32_t begun; /* frames of tails_begin */
	uint32_t block;
	struct tail_frames {
		struct tail_frame *item;
		size_t n, cap;
	} frames[2]; /* of the blocks with even and odd numbers */
};

void tails_free(struct tails *t);

/* Call before a block is read into the place of the last but one: its samples are forgotten. */
void tails_block(struct tails *t);

/*
 * Finds the recent sample whose end has most in common with the lines [text, end). Returns the
 * number of its outermost frames that both have, or 0.
 */
uint32_t tails_find(
    const struct tails *t, const char *text, const char *end, const struct tail **tail);

/* The i-th frame of a sample, from the root. */
static inline const struct tail_frame *
tails_frame_of(const struct tails *t, const struct tail *tail, uint32_t i)
{
	return &t->frames[tail->block & 1].item[tail->frame + i];
}

/*
 * Remembers a sample that begins with `same` frames of another one: the caller fills in the `more`
 * other ones that tails_begin returns, from the root, then calls tails_end.
 */
struct tail_frame *tails_begin(
    struct tails *t, const struct tail *other, uint32_t same, size_t more);
void tails_end(struct tails *t, const char *end, uint32_t root, bool java);

#endif
