/*
 * gomemory: --heap of a Go program: reads the sums that its runtime keeps (watching/goheap), at the
 * end and at each interval. A command is traced for this at its exit only, when its memory is
 * complete and is there still; a running process is read now and then, in case it ends.
 */
#ifndef GOMEMORY_H
#define GOMEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-record/asking/command.h"
#include "fg-record/record.h"
#include "fg-record/watching/goheap.h"

struct gomemory {
	struct record *record;
	struct command *command; /* NULL: none */
	int pid;
	struct goheap *heap; /* NULL: the program is not mapped yet */
	struct gopclntab *inlined; /* of a program without debug information: leaves them out */
	uint64_t first[2]; /* addresses of the function that all goroutines begin with */
	uint64_t due; /* ns: the next read */
	uint64_t last; /* ns: the last read that succeeded */
	bool began; /* blocks count from now on */
	bool traced; /* the command's first thread stops at its exit */
	bool exited; /* it has done so, and its memory was read */
};

/* Begins with the process of -p, or with a command that waits before its exec. */
void gomemory_open(struct gomemory *g, struct record *r, struct command *c);

/* Reads the memory if that is due; the command stops for it when it exits. */
void gomemory_step(struct gomemory *g, uint64_t now);

/* Reads the memory, and adds its values to the recording's heap and tree. */
void gomemory_add(struct gomemory *g);

/* Ends the tracing of a command that still runs; reports values from before the end. */
void gomemory_close(struct gomemory *g);

#endif
