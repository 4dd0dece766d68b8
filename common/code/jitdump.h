/*
 * jitdump: a file of records of generated code goes in, code with its time and
 * lines goes into a jitmap.
 */
#ifndef JITDUMP_H
#define JITDUMP_H

#include "code/jitmap.h"

struct jitdump;

/* The file of that path as process pid sees it, or else as we do; NULL when there is none. */
struct jitdump *jitdump_open(int pid, const char *path);

/* Add what was written since the last call to j. */
void jitdump_read(struct jitdump *d, struct jitmap *j);

#endif
