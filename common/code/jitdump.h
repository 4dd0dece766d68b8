/*
 * jitdump: a file of records of generated code goes in, code with its time and
 * lines goes into a jitcode.
 */
#ifndef JITDUMP_H
#define JITDUMP_H

#include "code/jitcode.h"

struct jitdump;

/* Over an open file, which it closes; what it adds points into it until jitdump_free. */
struct jitdump *jitdump_new(int fd);
void jitdump_free(struct jitdump *d);

/* Add what was written since the last call to c. */
void jitdump_read(struct jitdump *d, struct jitcode *c);

#endif
