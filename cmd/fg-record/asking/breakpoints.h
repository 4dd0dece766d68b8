/* breakpoints: whether hardware breakpoints of perf_event_open(2) can be used. */
#ifndef BREAKPOINTS_H
#define BREAKPOINTS_H

#include <stdbool.h>

/*
 * True if the two of --heap are free for us, and fire; otherwise errno is the reason, ENODEV if
 * they do not.
 */
bool breakpoints_available(void);

#endif
