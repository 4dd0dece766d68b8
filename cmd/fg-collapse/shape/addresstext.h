/*
 * addresstext: the lines that profiles of bare addresses have in common, whoever wrote
 * them: stacks of addresses, what is mapped where, and the names that Go and Java write
 * beside.
 */
#ifndef ADDRESSTEXT_H
#define ADDRESSTEXT_H

#include <stdbool.h>

#include "base/text.h"
#include "fg-collapse/shape/addresses.h"

/* The last sample's, 0x1f 0x2f: of returns, of returns but the first, or of what runs. */
enum addresstext_kind { ADDRESSTEXT_RETURNS, ADDRESSTEXT_LEAF, ADDRESSTEXT_EXACT };
void addresstext_stack(struct addresses *a, struct str line, enum addresstext_kind kind);

/* `55ed669f4000-55ed669f6000 r-xp 00001000 fe:00 11054070 /srv/alloc`, or as pprof has it
 * shorter, `00400000-00fcb000: /srv/server`; false when it is neither. */
bool addresstext_map(struct addresses *a, struct str line);

/* `0x0000006 com.example.f (source.java:06)`, `0x3 GC`: Java's. False when that is none. */
bool addresstext_java(struct addresses *a, struct str line);

/*
 * What stands beside the samples: Go's names of the last one behind `#`, and all that
 * follows `MAPPED_LIBRARIES:` or `--- Memory map:`. False when the line is neither.
 */
bool addresstext_beside(struct addresses *a, struct str line);

#endif
