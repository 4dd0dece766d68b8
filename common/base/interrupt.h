/*
 * interrupt: Ctrl-C ends a recording, not the pipeline after it. A terminal sends SIGINT to
 * every process of a pipeline. A filter that reads a pipe defers the first one: it reads to the
 * end of its input, completes its output, then raises SIGINT again (status 130), so that a
 * shell's loop stops, too. A second SIGINT ends it at once.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <stdbool.h>

/* Call before any other atexit(3): registers the final SIGINT of an interrupted program. */
void interrupt_start(void);

/* Defers the first SIGINT from now on, unless SIGINT is ignored, or was received. */
void interrupt_defer(void);

/* Sets the handler of the second SIGINT; it must not return. False when SIGINT is not deferred. */
bool interrupt_then(void (*handler)(int sig));

#endif
