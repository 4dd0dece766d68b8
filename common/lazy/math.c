/*
 * math: the functions of the mathematical library that fg-collapse uses.
 */
#include "lazy/sonames.h"

#ifdef SONAME_m

#include <math.h>
#include <stddef.h>

#include "lazy/sharedlib.h"

static struct sharedlib lazy_library = {.soname = SONAME_m};

LAZY(double, exp, (double a), (a))
LAZY(double, exp2, (double a), (a))
LAZY(double, expm1, (double a), (a))
LAZY(long long, llround, (double a), (a))
LAZY(double, log2, (double a), (a))
LAZY(double, round, (double a), (a))

#endif
