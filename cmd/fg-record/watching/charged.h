/*
 * charged: CPU time of recorded processes that is charged by the kernel, but not counted by the
 * clocks of their events.
 *
 * A reading is the sum of the CPU times of all recorded processes that are alive and of the
 * children they have waited for. It does not change when one waits for another. The growth between
 * two readings, less the growth of the clocks, is uncounted time. Two readings are not compared if
 * a process without a recorded parent ended between them: its time is missing in the second one.
 */
#ifndef CHARGED_H
#define CHARGED_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-record/asking/ids.h"
#include "trace/perfevent.h"

struct charged {
	struct ids process; /* that may be alive; a parent before its children */
	struct ids other; /* children of these that are not recorded */
	bool begun; /* there is a reading */
	bool broken; /* the next reading cannot be compared with the last one */
	bool orphaned; /* a process ended, but the first one, whose parent is not recorded */
	int first; /* process of these */
	uint64_t time, sum, counted, expected; /* at the last reading, ns */
	uint64_t next; /* ns: time of the next reading at the earliest */
	int64_t uncounted; /* ns, of the steps between readings that are complete */
	uint64_t expected_then; /* in these steps */
};

/* Records the processes, which run or are about to. */
void charged_begin(struct charged *c, const struct ids *pids);

/* Sees a record of a fork or exit. known: the parent is a recorded process, dead or alive. */
void charged_see(struct charged *c, const struct perfevent *e, bool known);

/*
 * Reads the time of the processes at `now`, after all records so far. counted: ns that their clocks
 * have counted; expected: see struct shortlived. Does nothing if no process is alive.
 */
void charged_read(struct charged *c, uint64_t now, uint64_t counted, uint64_t expected);

/* True if a process is alive. */
bool charged_any_alive(struct charged *c);

/* Uncounted time of each expected ns; 0: unknown. */
double charged_scale(const struct charged *c);

void charged_free(struct charged *c);

#endif
