/*
 * stackwise: runs steps that need one stack at a time on stacks in canonical order. Frames shared
 * with the previous stack are not processed again.
 */
#ifndef STACKWISE_H
#define STACKWISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "fg-filter/filter.h"
#include "fg-filter/namememo.h"

struct stackwise {
	struct filter *f;
	size_t nrename; /* steps up to the last that renames */
	bool frames; /* a step needs the frames */
	bool words; /* all steps that need them look for words in frames */
	size_t reach; /* see where_by_words */
	bool sums; /* a step needs the stack's values */
	struct text prefix; /* frames of --root, with a `;` */
	size_t size; /* bytes of all steps' states at one level */
	size_t *offset; /* by step: offset of its state in a level */
	size_t *asks, nasks; /* the steps with a state */
	struct stackwise_level *level; /* by depth; 0: before the first frame */
	char *states; /* by depth: states of all steps */
	size_t caplevel; /* of both */
	uint32_t depth; /* depth of the previous stack */
	struct text raw; /* the previous stack */
	struct text out; /* its result, with the prefix, if it is another text */
	struct namememo *memo; /* by step: struct renamed, of those that rename */
	struct text name[2]; /* of a frame, before and after a step */
	unsigned which; /* of name: after */
};

/* True if all steps need one stack at a time, of all files, with --root last. */
bool stackwise_can(const struct filter *f, size_t files);

void stackwise_start(struct stackwise *s, struct filter *f);
void stackwise_stop(struct stackwise *s);

/* Adds the frames of a stack whose first `shared` bytes are those of the previous one. */
void stackwise_add(struct stackwise *s, const char *stack, size_t len, size_t shared);

/* stackwise_add without a result; keeps no copy of the stack. */
void stackwise_frames(struct stackwise *s, const char *stack, size_t len, size_t shared);

/* The result of the last stack, with the prefix. */
struct str stackwise_result(const struct stackwise *s);

/* The first step that removes the stack, whose values add up to sum, or NULL. */
struct step *stackwise_cut(struct stackwise *s, value sum);

/* True if a stack of the result reads back unchanged (folded_write has the exceptions). */
bool stackwise_is_plain(struct str stack);

#endif
