/*
 * background: colours in arguments.
 */
#ifndef BACKGROUND_H
#define BACKGROUND_H

#include <stdbool.h>

bool palette_colour(const char *s); /* true for #rgb and #rrggbb */
bool palette_background(const char *name, const char *stop[2]); /* false for an unknown one */

#endif
