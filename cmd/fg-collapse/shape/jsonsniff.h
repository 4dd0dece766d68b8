/*
 * jsonsniff: what the first bytes of JSON have in them, for formats to be told from.
 */
#ifndef JSONSNIFF_H
#define JSONSNIFF_H

#include <stddef.h>
#include <stdint.h>

/*
 * Which paths of an array (at most 32) the first bytes of JSON have, as a mask. A path is
 * keys with dots between them, `*` for any key or item, and may end in =TEXT, the string
 * that has to stand there: "traceEvents.*.ph=X". What stands beyond the first bytes is
 * not seen.
 */
#define json_find(data, len, path) \
	json_find_paths((data), (len), (path), sizeof(path) / sizeof((path)[0]))
uint32_t json_find_paths(const char *data, size_t len, const char *const *path, size_t n);

#endif
