/*
 * gzip: compresses a stream of bytes into an output (RFC 1952), deterministically.
 */
#ifndef GZIP_H
#define GZIP_H

#include <stddef.h>

#include "base/output.h"

struct gzip;

struct gzip *gzip_open(struct output *o); /* o stays the caller's */
void gzip_write(struct gzip *g, const void *data, size_t len);
void gzip_close(struct gzip *g);

#endif
