/*
 * losses: parts of a recording, and whether to report small ones.
 */
#ifndef LOSSES_H
#define LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/recording.h"

/* True if stderr is a terminal, or with -v: notes without a problem are printed too. */
bool losses_are_wanted(void);

/* Records that were lost. */
uint64_t losses_lost(const struct recording_count *c);

/* part / whole; 0 of nothing. */
double losses_share(uint64_t part, uint64_t whole);

#endif
