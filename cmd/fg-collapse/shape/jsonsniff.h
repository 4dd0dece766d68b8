/*
 * jsonsniff: what the first bytes of JSON have in them, for formats to be told from.
 */
#ifndef JSONSNIFF_H
#define JSONSNIFF_H

#include <stddef.h>
#include <stdint.h>

/*
 * Which of n paths (at most 32) the first bytes of JSON have,
 * as a mask. A path is keys with dots between them, `*` for any key or item, and may end
 * in =TEXT, the string that has to stand there: "traceEvents.*.ph=X". What stands beyond
 * the first bytes is not seen.
 */
uint32_t json_find(const char *data, size_t len, const char *const *path, unsigned n);

#endif
