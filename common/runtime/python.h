/*
 * python: frames of CPython, see runtime.h; and its str objects.
 */
#ifndef PYTHON_H
#define PYTHON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "runtime/memory.h"
#include "runtime/runtime.h"

extern const struct runtime runtime_python;

#define PYTHON_VERSIONS "3.6 to 3.15" /* of both readers */

/*
 * N of Python 3.N, of a module with its symbols; 0: another module. Up to 3.10 only the file's name
 * has it, as "libpython3.10.so.1.0".
 */
unsigned python_minor(struct memory_reader *memory, const struct runtime_module *m);

/* Words of _Py_DebugOffsets, of all versions that have it: share/offsets/python.c prints them. */
enum { PYTHON_DEBUG_INTERPRETERS = 5, PYTHON_DEBUG_MODULES = 11 };

struct python_str {
	uint64_t type; /* address of PyUnicode_Type */
	uint32_t ascii, compact; /* sizes of PyASCIIObject and PyCompactUnicodeObject */
};

/* The layout in a module of Python 3.minor; type is 0 without its symbol. */
struct python_str python_str_layout(const struct runtime_module *m, unsigned minor);

/* Sets *to to the first 512 characters; false if the object is not a compact str. */
bool python_read_str(
    struct memory_reader *m, const struct python_str *s, uint64_t object, struct text *to);

/*
 * Parts of recipes (kernel/walkabi.h) of both readers. Registers: the first of python_find_state,
 * then those of python_copy_code; a reader has those between and after them.
 */
enum {
	PYTHON_INTERPRETER = WALK_FREE,
	PYTHON_THREAD,
	PYTHON_PREVIOUS,
	PYTHON_WORD,
	PYTHON_CODE = PYTHON_WORD + 2,
	PYTHON_NAME,
	PYTHON_PATH,
	PYTHON_REGISTERS
};

/* The first step of python_find_state, the one after it, and the end of a recipe. */
enum { PYTHON_FIND = 2, PYTHON_FOUND = 20, PYTHON_DONE = WALK_STEPS - 1 };

/* Offsets: of an interpreter's first thread state; in that of the next one, after the previous one,
 * and of its pthread_t. */
struct python_threads {
	uint32_t first, next, id;
};

/*
 * Steps that set PYTHON_THREAD to the state of the sample's thread, by PYTHON_INTERPRETER and the
 * thread pointer; the recipe ends if it has none.
 */
void python_find_state(const struct python_threads *at, struct walk_step step[WALK_STEPS]);

/* Bytes of a code object to copy, and the offsets in it of its two strings. */
struct python_code {
	uint32_t bytes;
	uint16_t name, file;
};

/*
 * Three steps at `here` that copy the code object at PYTHON_CODE, and its strings. Four at `rest`
 * belong to them.
 */
void python_copy_code(
    const struct python_code *at, unsigned here, unsigned rest, struct walk_step step[WALK_STEPS]);

#endif
