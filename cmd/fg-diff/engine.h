/*
 * engine: in which native code of an interpreter or library the growth of a script function is.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "fg-diff/headline.h"

/*
 * Sets the engine of each headline whose native callees have most of its growth: words such as "the
 * regular expression engine (_sre)", or the module. c has rows of scripts.
 */
void engine_find(struct headlines *h, struct comparison *c);

#endif
