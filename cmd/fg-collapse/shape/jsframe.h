/*
 * jsframe: frames of JavaScript. Only its place distinguishes an anonymous function from
 * others, so it is part of the name: `(anonymous) (app.js:12)`.
 */
#ifndef JSFRAME_H
#define JSFRAME_H

#include "profile/sample.h"

/* The sampler's name of f; function and file may be empty. The text is written in *scratch. */
uint32_t jsframe_name(struct sampler *s, const struct frame *f, struct text *scratch);

#endif
