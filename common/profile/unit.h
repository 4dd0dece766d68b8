/*
 * unit: values with their unit, as a person reads them. A unit of time or bytes
 * gives 17.3 s or 4.2 MiB, any other one whole numbers.
 */
#ifndef UNIT_H
#define UNIT_H

#include "base/text.h"

void unit_figure(struct text *b, const char *unit, double v); /* "4.2 MiB", "1,234 samples" */

#endif
