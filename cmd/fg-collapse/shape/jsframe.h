/*
 * jsframe: JavaScript frames. Only its location distinguishes an anonymous function from
 * others, so that is part of its name: `(anonymous) (app.js:12)`.
 */
#ifndef JSFRAME_H
#define JSFRAME_H

#include "sample/sampler.h"

/* The sampler's name of f, whose function and file may be empty. *scratch is work space. */
uint32_t jsframe_name(struct sampler *s, const struct frame *f, struct text *scratch);

#endif
