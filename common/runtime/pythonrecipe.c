/*
 * pythonrecipe: the parts that recipes of all versions of Python share, see python.h.
 */
#include <string.h>

#include "kernel/recipe.h"
#include "runtime/python.h"

/* Steps that others go to. */
enum { LINKED = 7, FIRST = 11, SEARCH = 13, NEXT, FOUND = 19, DONE = PYTHON_DONE };

_Static_assert(FOUND == PYTHON_FOUND - 1, "the steps of python_find_state");

#define NAME_BYTES 160 /* of strings; the rest is read later */
#define PATH_BYTES 288
#define STRING_BYTES 64 /* of a string at the end of a mapping */

void
python_find_state(const struct python_threads *at, struct walk_step step[WALK_STEPS])
{
	const uint64_t previous = at->next - 8;
	const struct walk_step steps[] = {
	    KNOWN(PYTHON_THREAD),
	    IF_ZERO(PYTHON_THREAD, SEARCH),
	    READ(PYTHON_WORD, PYTHON_THREAD, at->id, SEARCH),
	    IF_EQUAL(PYTHON_WORD, WALK_THREAD_POINTER, LINKED),
	    GO(SEARCH),
	    [LINKED - PYTHON_FIND] = READ(PYTHON_PREVIOUS, PYTHON_THREAD, previous, SEARCH),
	    IF_ZERO(PYTHON_PREVIOUS, FIRST),
	    READ(PYTHON_WORD, PYTHON_PREVIOUS, at->next, SEARCH),
	    GO(FIRST + 1),
	    [FIRST - PYTHON_FIND] = READ(PYTHON_WORD, PYTHON_INTERPRETER, at->first, DONE),
	    IF_EQUAL(PYTHON_WORD, PYTHON_THREAD, PYTHON_FOUND),
	    [SEARCH - PYTHON_FIND] = READ(PYTHON_THREAD, PYTHON_INTERPRETER, at->first, DONE),
	    [NEXT - PYTHON_FIND] = IF_ZERO(PYTHON_THREAD, DONE),
	    READ(PYTHON_WORD, PYTHON_THREAD, at->id, DONE),
	    IF_EQUAL(PYTHON_WORD, WALK_THREAD_POINTER, FOUND),
	    READ(PYTHON_THREAD, PYTHON_THREAD, at->next, DONE),
	    GO(NEXT),
	    [FOUND - PYTHON_FIND] = KEEP(PYTHON_THREAD),
	};

	memcpy(step + PYTHON_FIND, steps, sizeof steps);
}

void
python_copy_code(
    const struct python_code *at, unsigned here, unsigned rest, struct walk_step step[WALK_STEPS])
{
	const uint8_t next = (uint8_t)(here + 3), path = (uint8_t)(here + 2);
	const uint8_t short_name = (uint8_t)rest, short_path = (uint8_t)(rest + 2);
	const struct walk_step steps[] = {
	    COPY(PYTHON_CODE, 0, at->bytes, next, {PYTHON_NAME, at->name}, {PYTHON_PATH, at->file}),
	    COPY(PYTHON_NAME, 0, NAME_BYTES, short_name),
	    COPY(PYTHON_PATH, 0, PATH_BYTES, short_path),
	};
	const struct walk_step shorter[] = {
	    COPY(PYTHON_NAME, 0, STRING_BYTES, path),
	    GO(path),
	    COPY(PYTHON_PATH, 0, STRING_BYTES, next),
	    GO(next),
	};

	memcpy(step + here, steps, sizeof steps);
	memcpy(step + rest, shorter, sizeof shorter);
}
