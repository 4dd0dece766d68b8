/*
 * jitdump: reads a jitdump file and adds its code, with times and lines, to a jitcode.
 */
#ifndef JITDUMP_H
#define JITDUMP_H

#include "elf/jitcode.h"

struct jitdump;

/* Takes over an open file. Pieces that it adds point into the jitdump until jitdump_free. */
struct jitdump *jitdump_new(int fd);
void jitdump_free(struct jitdump *d);

/* Adds the records that were written since the last call to c. */
void jitdump_read(struct jitdump *d, struct jitcode *c);

#endif
