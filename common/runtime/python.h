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

#endif
