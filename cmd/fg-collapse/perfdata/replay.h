/*
 * replay: the records of a recording, in the order of time, become places: processes
 * are followed as they were, stacks read, and each sample counted. Names come later.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "fg-collapse/reader.h"
#include "trace/chain.h"
#include "trace/rawtree.h"
#include "attrs.h"
#include "features.h"
#include "offcpu.h"
#include "chaincache.h"
#include "timesort.h"
#include "deferred.h"

#define NS_OF_US 1000

/* What a summary tells. */
struct replay_count {
	uint64_t samples; /* of the event that was wanted */
	uint64_t user, whole; /* with a user part that was unwound; up to the first function */
	uint64_t truncated; /* where the copy of the stack ended before */
	uint64_t generated; /* that generated code made unreadable */
	uint64_t bare; /* copies of user stacks that are missing or of another word size */
	uint64_t undeferred; /* user parts that never came */
	uint64_t guest;
	uint64_t lost, lost_samples; /* records, samples */
	uint64_t throttled;
	uint64_t stray; /* records of no event */
	uint64_t malformed;
};

struct replay {
	struct reader *reader;
	bool swapped;
	struct attrs *attrs;
	struct features *features;
	struct modules *modules;
	struct processes *processes;
	struct unwind *unwind;
	struct rawtree *rawtree;
	struct chain chain; /* at hand */
	struct chaincache chains;
	struct intmap values; /* of counters, by id: what was read last, plus one */
	struct deferred waiting;
	uint64_t kernel; /* how often its parts have changed */
	uint64_t reference; /* of the kernel's records: the address of _text or _stext, or 0 */
	char reference_name[32];
	uint64_t first; /* time of the first sample, or 0 */
	uint64_t seen; /* samples of any event */
	enum offcpu_source way; /* with --off-cpu, else OFFCPU_NONE */
	bool settled; /* way is known */
	struct offcpu sleepers;
	struct attr *asleep; /* the event that tells when threads fall asleep */
	struct replay_count count;

	/* Who was asked for last, and its node. */
	struct rawtree_task last;
	uint32_t task;
};

void replay_init(struct replay *p, struct reader *r, struct attrs *attrs, struct features *features,
    struct modules *modules, bool swapped);

/* timesort_consumer, with a struct replay. */
timesort_consumer replay_take;

/* No more records come. */
void replay_end(struct replay *p);
void replay_free(struct replay *p);

#endif
