/*
 * jfrconstants: what the events of a chunk have the numbers of: stacks, which become
 * names once, threads, texts.
 */
#ifndef JFRCONSTANTS_H
#define JFRCONSTANTS_H

#include "base/intmap.h"
#include "fg-collapse/reader.h"
#include "fg-collapse/shape/jfrchunk.h"

struct jfr_stack {
	uint32_t first, n; /* in name[] */
};

/* All zero before the first chunk. */
struct jfr_constants {
	struct reader *reader;
	const struct jfr_chunk *chunk;
	uint32_t *name; /* of the frames of stacks, the leaf first, as the sampler has them */
	struct text thread, tid; /* of jfr_constants_thread */

	/* Private. */
	const struct jfr_type *traces, *frames, *methods, *classes, *threads, *kinds;
	struct intmap stack; /* by number: index in made, plus 1 */
	struct jfr_stack *made;
	size_t nmade, capmade;
	struct intmap method; /* by number: a name, plus 1, where lines are not asked for */
	size_t nname, capname;
	struct text class, function, kind, scratch;
};

/* Those of a chunk, which stays until the next or the end. */
void jfr_constants_begin(struct jfr_constants *j, struct reader *r, const struct jfr_chunk *chunk);
void jfr_constants_free(struct jfr_constants *j);

/* A stack; NULL when there is none of that number. */
const struct jfr_stack *jfr_constants_stack(struct jfr_constants *j, uint64_t number);

/* A thread's name in Java, or else that of the system; and its number in one of them. */
void jfr_constants_thread(struct jfr_constants *j, uint64_t number);

/* The text that a constant has in a field; empty when there is none of that number. */
void jfr_constants_text(struct jfr_constants *j, const struct jfr_type *type, uint64_t number,
    const char *field, struct text *t);

/* A field at hand that is a text, or the number of a symbol, which is one. */
void jfr_constants_read(
    struct jfr_constants *j, struct jfr_cursor *c, const struct jfr_field *f, struct text *t);

#endif
