/*
 * What flows between fg-collapse's main and its readers: the options, the tree
 * that every reader adds to, and what a reader has to say afterwards.
 *
 * A reader is one file, one struct format, and one row in the table of
 * fg-collapse.c.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/calltree.h"
#include "profile/folded.h"
#include "profile/frame.h"
#include "base/lines.h"

struct options {
	const char *event; /* the one to fold, NULL for the first that is seen */
	bool samples; /* each sample counts 1 instead of its period */
	bool pid, tid; /* at the root: comm-PID, comm-PID/TID */
	bool no_comm, normalize_comm;
	unsigned annotate;
	bool module; /* module`function */
	bool addrs; /* [name <addr>] for unknown functions */
	bool srcline; /* function (file:line) */
	const char *skip_after;
	bool time_order;
	bool range; /* --from or --to was given */
	uint64_t from, to; /* nanoseconds after the first sample; to is UINT64_MAX for no end */
	unsigned jobs;
	bool strict;
};

/* A stack at a moment, for --time-order. */
struct moment {
	uint64_t time; /* ns */
	uint32_t node;
	value weight;
};

struct event {
	char *name;
	uint64_t samples;
};

struct collapse {
	struct options options;
	struct folded folded; /* columns and faults of folded input */
	struct calltree *tree;

	struct moment *moment; /* with --time-order, in the order of the input */
	size_t nmoment, capmoment;

	/* For the line that says what was kept. */
	char *event; /* the event that is folded; "" when the input names none */
	struct event *events; /* all that were seen */
	size_t nevents;
	uint64_t samples; /* folded */
	uint64_t malformed; /* lines left out */
	bool periods; /* some sample had a period other than 1 */
	bool settled; /* a sample has been seen, so event and start are known */
	uint64_t start; /* time of the first sample, ns */
};

struct format {
	const char *name;
	const char *purpose; /* for --list-formats */
	/* How surely the first bytes of an input are of this format: 0 no, 100 yes. */
	int (*sniff)(const char *data, size_t len);
	/* Where blocks may be cut. */
	lines_cut *cut;
	/* Add all stacks of an input to c->tree. */
	void (*read)(struct collapse *c, struct lines *in);
};

extern const struct format perfscript_format, folded_format;

/* Count a stack that ends at node of c->tree at that moment, for --time-order. */
void collapse_moment(struct collapse *c, uint64_t time, uint32_t node, value weight);

/* The event with that name, made when it is new. */
struct event *collapse_event(struct event **events, size_t *n, const char *name, size_t len);

#endif
