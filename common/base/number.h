/*
 * number: the numbers in arguments of options, one grammar for all programs: a decimal such as
 * 1.5 or 3e6, and a suffix where the kind has suffixes. Each function exits with a usage error
 * that names `opt` for other text and for a number outside [min, max].
 */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdint.h>

#include "base/value.h"

/* A whole number, digits only. */
uint64_t number_count(const char *opt, const char *arg, uint64_t min, uint64_t max);

#define NUMBER_TIME_MAX (UINT64_C(18000000000) * 1000000000) /* ns */

/* A time in ns: suffix ns, us, ms, s, m (or min), h; seconds without one. */
uint64_t number_time(const char *opt, const char *arg, uint64_t min, uint64_t max);

/*
 * A size in bytes: suffix B, or k, M, G, T for powers of 1024, also as kB or KiB, in either case.
 * Without a suffix it is in units of `unit` bytes.
 */
uint64_t number_size(const char *opt, const char *arg, uint64_t unit, uint64_t min, uint64_t max);

/* A decimal without a suffix. */
double number_decimal(const char *opt, const char *arg, double min, double max);

/* A percentage, 5% or 5. */
double number_percent(const char *opt, const char *arg, double min, double max);

/* A part of 1: 0.99 or 99%. */
double number_part(const char *opt, const char *arg, double min, double max);

/* An exact decimal. */
value number_value(const char *opt, const char *arg);

/* An exact decimal, or with %, which sets *percent, a percentage. */
value number_or_percent(const char *opt, const char *arg, bool *percent);

#endif
