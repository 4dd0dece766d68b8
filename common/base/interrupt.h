/*
 * interrupt: Ctrl-C ends a recording, not the pipe behind it. A terminal sends SIGINT to
 * every process of a pipeline; a filter that reads a pipe notes the first one, reads to
 * the end of its input, completes its output, and then ends by raising SIGINT again
 * (status 130), so that a shell's loop stops, too. A second SIGINT ends it at once.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <stdbool.h>

/* Before anything else registers with atexit(3): the exit of an interrupted program. */
void interrupt_start(void);

/* From now on the first SIGINT is noted; unless SIGINT is ignored, or noted already. */
void interrupt_defer(void);

/*
 * Let `handler` end the program on the second SIGINT; it does not return. False when
 * SIGINT is not deferred.
 */
bool interrupt_then(void (*handler)(int sig));

#endif
