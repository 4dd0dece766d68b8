/*
 * foldedframe: frames that are already in folded form. Of the frame options only those for
 * annotations apply.
 */
#ifndef FOLDEDFRAME_H
#define FOLDEDFRAME_H

#include "sample/sampler.h"

/* Returns the sampler's name of frame without the annotations that the options exclude. work
 * is scratch space. */
uint32_t foldedframe_name(struct sampler *s, struct text *work, struct str frame);

#endif
