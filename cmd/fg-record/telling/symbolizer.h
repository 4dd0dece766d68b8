/*
 * symbolizer: a separate process that symbolizes and writes the samples. It parses untrusted
 * files: if that crashes it, the profile is still written, without names. The recording
 * continues while it works.
 */
#ifndef SYMBOLIZER_H
#define SYMBOLIZER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "fg-record/telling/modulecost.h"
#include "fg-record/telling/report.h"

/* Memory shared by both processes. Without bool: one that a file has taken over writes any byte. */
struct symbolizer_shared {
	uint8_t done; /* the work succeeded */
	uint8_t failed; /* it failed, after a message */
	struct report report;
};

struct symbolizer {
	struct symbolizer_shared *shared;
	bool waits_long; /* it may wait for servers: never killed for a standstill */
	bool forked; /* a process was forked for the current or last work */
	pid_t pid; /* 0: not working */
	int end; /* a pipe that closes when the process ends */
	uint64_t seen, cpu, still; /* ns: last check; CPU time then; time without progress */
	uint64_t anonymous; /* bytes of memory then */
	uint64_t memory; /* bytes that it may use beside the present ones */
	struct modulecost cost;
	unsigned failures; /* modules at fault so far; the caller counts them */
	char fault[80]; /* for messages: why it ended before its end */
};

enum symbolizer_end {
	SYMBOLIZER_DONE,
	SYMBOLIZER_FAILED, /* it could not write, after a message */
	SYMBOLIZER_DIED, /* it crashed or was killed: its report has the module, w->fault why */
};

/* Allocates the shared memory, zeroed; *w must be zero. */
void symbolizer_open(struct symbolizer *w);

/*
 * Runs work(arg) in a process of its own, inside the sandbox and without capabilities but those
 * that files need, and with the network for debuginfod; here and without limits if fork(2) fails.
 * Only one at a time.
 */
void symbolizer_start(struct symbolizer *w, bool network, void (*work)(void *arg), void *arg);

/* True in the forked process; false if work runs in the calling process. */
bool symbolizer_in_child(void);

bool symbolizer_is_working(struct symbolizer *w);

/* Waits for the process and returns how it ended. */
enum symbolizer_end symbolizer_wait(struct symbolizer *w);

#endif
