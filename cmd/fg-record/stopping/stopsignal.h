/*
 * stopsignal: the signal that stops a traced thread for a sample.
 */
#ifndef STOPSIGNAL_H
#define STOPSIGNAL_H

#include <stdbool.h>

/*
 * Chooses a signal that is ignored by default and that the thread neither blocks nor handles;
 * 0: there is none.
 */
int stopsignal_choose(int tid);

/* True if the thread blocks the signal. */
bool stopsignal_blocked(int tid, int signal);

#endif
