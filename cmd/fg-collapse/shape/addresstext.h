/*
 * addresstext: parsers for the lines that all text profiles of bare addresses share:
 * stacks of addresses, mappings, and the symbols that Go and Java add.
 */
#ifndef ADDRESSTEXT_H
#define ADDRESSTEXT_H

#include <stdbool.h>

#include "base/text.h"
#include "fg-collapse/shape/addresses.h"

/* Adds a line of addresses (`0x1f 0x2f`) to the last sample: all are return addresses, all but
 * the first are, or all are exact. */
enum addresstext_kind { ADDRESSTEXT_RETURNS, ADDRESSTEXT_LEAF, ADDRESSTEXT_EXACT };
void addresstext_stack(struct addresses *a, struct str line, enum addresstext_kind kind);

/* Reads a mapping, `55ed669f4000-55ed669f6000 r-xp 00001000 fe:00 11054070 /srv/alloc`, or
 * pprof's short form `00400000-00fcb000: /srv/server`. False if the line is neither. */
bool addresstext_map(struct addresses *a, struct str line);

/* Reads a symbol by Java, `0x0000006 com.example.f (source.java:06)` or `0x3 GC`; false if the
 * line is something else. */
bool addresstext_java(struct addresses *a, struct str line);

/*
 * Reads lines other than samples: Go's symbols of the last sample, after `#`, and
 * everything after `MAPPED_LIBRARIES:` or `--- Memory map:`. False for any other line.
 */
bool addresstext_beside(struct addresses *a, struct str line);

#endif
