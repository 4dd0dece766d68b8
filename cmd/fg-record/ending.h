/*
 * ending: the signals that end a recording.
 */
#ifndef ENDING_H
#define ENDING_H

#include <signal.h>

/*
 * Sets *set to the signals that end a recording: SIGINT, SIGTERM, and SIGHUP unless it is ignored,
 * as with nohup(1). SIGINT always does: shells ignore it for background jobs of a script, which
 * ends them by kill -INT.
 */
void ending_signals(sigset_t *set);

/* Ends this process by the signal, if its default action does that. */
void ending_raise(int sig);

#endif
