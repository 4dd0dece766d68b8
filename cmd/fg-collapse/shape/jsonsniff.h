/*
 * jsonsniff: tests which paths occur in the first bytes of JSON, for format detection.
 */
#ifndef JSONSNIFF_H
#define JSONSNIFF_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns a mask of the paths, at most 32, that occur in the first bytes of JSON. A path
 * is a list of keys separated by dots, `*` for any key or item; =TEXT at its end requires
 * that string: "traceEvents.*.ph=X". Only the given bytes are examined.
 */
#define json_find(data, len, path) \
	json_find_paths((data), (len), (path), sizeof(path) / sizeof((path)[0]))
uint32_t json_find_paths(const char *data, size_t len, const char *const *path, size_t n);

#endif
