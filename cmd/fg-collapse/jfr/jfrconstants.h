/*
 * jfrconstants: the constants of a chunk that events refer to by number: stacks, whose
 * frames are named once, threads and strings.
 */
#ifndef JFRCONSTANTS_H
#define JFRCONSTANTS_H

#include "base/intmap.h"
#include "fg-collapse/reader.h"
#include "fg-collapse/jfr/jfrtype.h"

struct jfr_stack {
	uint32_t first, n; /* range in name[] */
};

/* All zero before the first chunk. */
struct jfr_constants {
	struct reader *reader;
	const struct jfr_chunk *chunk;
	uint32_t *name; /* sampler's names of the frames of all stacks, leaf first */
	struct text thread, tid; /* results of jfr_constants_thread */

	/* Private. */
	const struct jfr_type *traces, *frames, *methods, *classes, *threads, *kinds;
	struct intmap stack; /* by stack number: index in made, plus 1 */
	struct jfr_stack *made;
	size_t nmade, capmade;
	struct intmap method; /* by method number: name, plus 1; used only without line numbers */
	size_t nname, capname;
	struct text class, function, kind, scratch;
};

/* Begins with a chunk, which must stay valid until the next jfr_constants_begin or
 * jfr_constants_free. */
void jfr_constants_begin(struct jfr_constants *j, struct reader *r, const struct jfr_chunk *chunk);
void jfr_constants_free(struct jfr_constants *j);

/* Stack of that number, or NULL. */
const struct jfr_stack *jfr_constants_stack(struct jfr_constants *j, uint64_t number);

/* The sampler's name of a method; false if it is hidden. */
bool jfr_constants_method(struct jfr_constants *j, uint64_t number, uint32_t *name);

/* Sets j->thread to a thread's Java name, else its name in the system, and j->tid to its id in
 * Java or in the system. */
void jfr_constants_thread(struct jfr_constants *j, uint64_t number);

/* Sets t to the string in a field of a constant; to "" if no constant has that number. */
void jfr_constants_text(struct jfr_constants *j, const struct jfr_type *type, uint64_t number,
    const char *field, struct text *t);

/* Reads the current field, a string or the number of a symbol, into t. */
void jfr_constants_read(
    struct jfr_constants *j, struct jfr_cursor *c, const struct jfr_field *f, struct text *t);

#endif
