/*
 * targetdata: the state of the events that record a target.
 */
#ifndef TARGETDATA_H
#define TARGETDATA_H

#include "fg-record/watching/charged.h"
#include "fg-record/watching/copysize.h"
#include "fg-record/watching/counted.h"
#include "fg-record/watching/dotnet.h"
#include "fg-record/watching/early.h"
#include "fg-record/watching/walker.h"
#include "fg-record/asking/event.h"
#include "fg-record/record.h"
#include "fg-record/watching/ring.h"
#include "fg-record/stopping/scripts.h"
#include "fg-record/watching/shortlived.h"
#include "fg-record/watching/takeover.h"
#include "fg-record/watching/touch.h"
#include "access/copies.h"

/* The stack above a stack copy, for the next sample in the same ring. */
struct above {
	uint32_t tid;
	struct stack_part *part; /* lowest first; their bytes are set when all have arrived */
	size_t n, cap;
	unsigned char *bytes; /* of all parts */
	size_t nbytes, cap_bytes;
	unsigned char *joined; /* the copy of a sample and the first part */
	size_t cap_joined;
	struct copies_parts copies; /* by a recipe, for the same sample */
	uint64_t ns; /* that the BPF program took for thread time_tid; 0: not long */
	uint32_t time_tid;
};

struct target {
	struct event *event;
	struct rings rings;
	struct record *record;
	struct scripts *scripts; /* samples threads of interpreters; NULL: none */
	struct dotnet *dotnet; /* requests for perf maps; NULL: none are sent */
	struct takeover takeover; /* while these are all threads */
	pid_t command; /* 0: none */
	long cpus;
	int *cpu_ring; /* by CPU: the event that owns the ring, -1: none */
	struct walker walker; /* used with record.deep */
	struct above *above; /* by ring */
	struct shortlived shortlived;
	struct early early; /* used without shortlived.period */
	struct charged charged; /* used with shortlived.period */
	struct touch touch; /* pages of stacks that were touched */
	bool per_thread; /* one ring per thread; children do not inherit its event */
	bool wide; /* all CPUs are sampled; records of other processes are skipped */
	bool stopped; /* target_stop was called */
	uint64_t lost; /* lost records so far; atomic */
	/*
	 * Events that own a ring or are in `opened`, if their count is a time. They count for all
	 * threads of the target and for all their children: one of each size of copies, if there
	 * are several.
	 */
	struct ids clocks;
	struct ids opened; /* events that write into another event's ring */
	struct copysize copy; /* size of stack copies */
	struct counted counted; /* tracepoints of which each is a sample */
	const struct recording_event *admitting; /* the event of the record that is consumed */
	uint64_t drained; /* ns: last drain */
	struct ids forked; /* threads reported by fork records */
	struct ids born; /* all of them since attaching to a process began */
};

#endif
