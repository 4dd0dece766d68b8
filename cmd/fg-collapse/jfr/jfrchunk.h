/*
 * jfrchunk: reads a chunk of a Java flight recording: its header, the types in its metadata, and
 * the positions of the constants that its events refer to.
 */
#ifndef JFRCHUNK_H
#define JFRCHUNK_H

#include "fg-collapse/jfr/jfrtype.h"

/*
 * Reads the chunk at `at` with its types and constants; reports the error and returns
 * false if there is none. c->end is where the next chunk may begin.
 */
bool jfr_chunk_read(struct jfr_chunk *c, struct reader *r, const unsigned char *data, size_t len,
    size_t at, enum jfr_part part);
void jfr_chunk_free(struct jfr_chunk *c);

#endif
