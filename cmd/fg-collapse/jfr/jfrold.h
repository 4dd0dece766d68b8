/*
 * jfrold: chunks of version 0.9, written by JRockit's successors JDK 7 and 8. Their types get
 * the names of later versions, so that readers need not know the version.
 */
#ifndef JFROLD_H
#define JFROLD_H

#include "fg-collapse/jfr/jfrtype.h"

#define JFROLD_END "(end)" /* field of an event that has a startTime: its end, ticks */

/*
 * Reads the chunk at c->begin, whose header is complete, with its types and, unless part is
 * JFR_TYPES, its constants. c->data, c->end (the end of the input) and c->reader are set.
 */
void jfrold_read(struct jfr_chunk *c, enum jfr_part part);

#endif
