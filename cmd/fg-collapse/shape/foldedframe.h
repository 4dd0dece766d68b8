/*
 * foldedframe: a frame that came as its text, of whose options only the annotations
 * are left to apply.
 */
#ifndef FOLDEDFRAME_H
#define FOLDEDFRAME_H

#include "profile/sample.h"

/* The number of its name, without the annotations that are not wanted; work is to be used again. */
uint32_t foldedframe_name(struct sampler *s, struct text *work, struct str frame);

#endif
