/*
 * noisetotal: the change of the profile total.
 */
#ifndef NOISETOTAL_H
#define NOISETOTAL_H

#include "stats/noisedata.h"

/*
 * Judge the profile total; with shares it is not judged. *limit: smallest increase that would have
 * been significant. allowed: relative growth that a gate allows, or INFINITY; growth beyond it is
 * tested one-sided.
 */
struct change noise_profile_total(const struct noise *noise, double allowed, double *limit);
/*
 * Interval of the profile total's change, in percent; whole: from noise_whole. After a significant
 * one-sided test, its lower limit is one-sided too, so that it excludes 0.
 */
struct interval noise_profile_total_interval(
    const struct noise *noise, const struct change *profile_total, double confidence);

/*
 * True if the change of the profile total may be noise; *i is then its interval at the confidence
 * of the noise, which holds the measured change. False without noise, a change or a base.
 */
bool noise_profile_total_is_doubtful(
    const struct noise *noise, const struct change *profile_total, struct interval *i);

#endif
