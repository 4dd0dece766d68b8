/*
 * sampler: the tree, the events and the account of all inputs, and its lifetime. Headers beside
 * this one, by user: sample.h for readers, nodes.h for readers that cache names and nodes,
 * events.h, account.h, fork.h for threads, write.h for programs that write the result.
 */
#ifndef SAMPLE_SAMPLER_H
#define SAMPLE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/value.h"
#include "profile/calltree.h"
#include "profile/foldedheader.h"
#include "sample/sampleoptions.h"

/* Instead of a frame's name: the input does not define the frame. */
#define SAMPLE_MISSING UINT32_MAX
#define SAMPLE_NO_TIME UINT64_MAX
/* Converts v units of `unit` ns each to ns; SAMPLE_NO_TIME when out of range. */
uint64_t sample_ns(value v, uint64_t unit);

/* An event of a profile. */
struct sample_event {
	char *name; /* "" when the profile does not name it */
	char *unit; /* unit of its weights, see sampler_event; NULL: not given */
	uint64_t samples; /* samples read, selected or not */
	uint64_t kept; /* samples of a selected event, at any time */
	value total; /* sum of weights */
	value period; /* weight of every sample so far, if all are equal; 0 at first */
	bool varies; /* samples have different weights */
	bool single; /* each weight is one sample's */
	enum folded_values values; /* the weakest of all inputs */
	bool period_given; /* the reader set `stands`: the period, or that it is unknown */
	struct folded_period stands;
};

/* A sample for time order. */
struct sample_moment {
	uint64_t time; /* ns */
	uint32_t node;
	size_t weight; /* index of its first weight; one weight per column */
};

/* A weight in one event. */
struct sample_weight {
	uint32_t event;
	value weight;
};

/* Units of all inputs so far that were not added to the tree. */
struct sample_account {
	uint64_t left_out; /* by an option, or not of the events read */
	uint64_t malformed; /* stacks, lines or records */
	value lost; /* sum of the weights of malformed stacks, as far as they are known */
	uint64_t missing; /* stacks with a missing frame, which are malformed, too */
	uint64_t first_missing; /* number of the first one among all units, from 1; 0: none */
};

/* Readable by all; only common/sample writes it. */
struct sampler {
	const struct sample_options *options;
	struct calltree *tree; /* NULL until the columns are known */
	struct sample_event *event; /* all events read, by number */
	uint32_t nevent, capevent;
	uint64_t samples; /* samples added to the tree */
	struct sample_account account; /* and those not added */
	bool named; /* some samples have a task at the root */
	uint64_t timeless; /* samples skipped: no time, but a time range is set */
	unsigned columns; /* 0 until they are known */
	bool timed; /* some samples have a time */
	bool marked; /* times are from time marks, relative to 0 */
	bool chosen; /* the event of each column is known */
	bool listed; /* the user named several events, a column each */
	uint32_t column[CALLTREE_COLUMNS];
	struct folded_columns about; /* names if several, units and periods */
	uint64_t start; /* time of the input's first sample, ns, or SAMPLE_NO_TIME */
	struct sample_moment *moment; /* in input order */
	size_t nmoment, capmoment;

	/* Private. */
	const char *input;
	bool single; /* the input's weights are of one sample each */
	enum folded_values values; /* of the input's events, unless its reader says more */
	bool started; /* the input had a sample, or set its columns */
	struct hash_index events;
	value *weights; /* weights of `moment` */
	size_t nweights, capweights;
	struct text text;
	struct text task; /* root frame of the last task; and its node */
	uint32_t task_node, task_parent;
	uint8_t *skip; /* by name: the frame becomes the root */
	size_t capskip;
	bool leaf_first;
	bool open; /* the current sample is selected */
	bool missing; /* it has a missing frame */
	struct sample_weight *begun; /* the weights with which it began, for n samples */
	unsigned nbegun;
	size_t capbegun;
	uint64_t units;
	uint64_t time; /* time of the current sample */
	uint32_t root;
	value weight[CALLTREE_COLUMNS];
	uint32_t *frame; /* frame names of the current sample */
	size_t nframe, capframe;
};

/* Creates an empty sampler. The caller owns the options, which must not change. */
struct sampler *sampler_new(const struct sample_options *o);
void sampler_free(struct sampler *s);

/* Clears the choice of the event: another kind of profile follows. */
void sampler_choose(struct sampler *s);

/*
 * Call before the first sample of each input: its name for messages, and the order of its
 * frames.
 */
enum sample_order { SAMPLE_ROOT_FIRST, SAMPLE_LEAF_FIRST };
void sampler_input(struct sampler *s, const char *name, enum sample_order order);

/* True if an event has a column. */
static inline bool
sampler_has_column(const struct sampler *s, uint32_t event)
{
	for (unsigned i = 0; i < s->columns; i++)
		if (s->column[i] == event)
			return true;
	return false;
}

#endif
