/*
 * sample: the interface from all readers to the tree. A reader reports each sample by
 *
 *	sample_begin(s, &task, event, time, weight);
 *	sample_frame(s, &frame);	for each frame
 *	sample_end(s);
 *
 * and the sampler applies the options common to all formats: event, time range, comm, pid and
 * tid at the root, frame style, start of the stack, counting of samples or weights, and order.
 *
 * It also accounts for the input: each unit that a format promises (a sample, a line of a block, a
 * node, a record) is folded, left out by an option, or malformed. A reader reports those it does
 * not pass by sample_leave_out or by reader_malformed (fg-collapse/reader.h).
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/output.h"
#include "base/value.h"
#include "profile/foldedheader.h"
#include "profile/calltree.h"
#include "names/frame.h"

/* Options of the user; all zero is the default. */
struct sample_options {
	const char *event; /* event to read; NULL: the reader's default */
	bool count; /* count each sample as 1, not its weight */
	bool pid, tid; /* root frame: comm-PID, comm-PID/TID */
	bool no_comm, normalize_comm;
	const char *group_by; /* label whose value is the root frame; NULL: none */
	struct frame_style style;
	const char **skip_after; /* functions that become the root; owned by the caller */
	size_t nskip_after, capskip_after;
	bool time_order; /* oldest first; merge only equal neighbours */
	uint64_t step; /* time_order: step in ns within which neighbours are merged; 0: none */
	bool range; /* only times in [from, to), ns after an input's first sample */
	uint64_t from, to;
	bool recursive; /* merge frames of direct recursion */
	bool no_header; /* omit the header lines */
	bool list; /* only count events */
};

/* Adds a function to skip_after. */
void sample_skip_after(struct sample_options *o, const char *function);

/* The thread of a sample; unknown fields are empty. pid and tid are decimal strings. */
struct sample_task {
	struct str comm, pid, tid;
	struct str group; /* root frame of group_by, KEY=VALUE; empty: KEY=[unknown] */
};

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

/* A weight in one event. */
struct sample_weight {
	uint32_t event;
	value weight;
};

/* A sample for time order. */
struct sample_moment {
	uint64_t time; /* ns */
	uint32_t node;
	size_t weight; /* index of its first weight; one weight per column */
};

/* Units of all inputs so far that were not added to the tree. */
struct sample_account {
	uint64_t left_out; /* by an option, or not of the events read */
	uint64_t malformed; /* stacks, lines or records */
	value lost; /* sum of the weights of malformed stacks, as far as they are known */
};

/* Readable by all; only sample.c and sampleout.c write it. */
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

/*
 * Returns the number of the event with that name; adds it if new. The unit is that of its
 * weights: "samples" for numbers of samples; empty for the event's name, or for samples if each
 * weighs 1.
 */
uint32_t sampler_event(struct sampler *s, struct str name, struct str unit);

/*
 * Call before sampler_input. single: each weight is one sample's, so an equal weight of all
 * samples is the period. Otherwise weights are sums, from which no period follows. values: kind of
 * the values of all events; FOLDED_VALUES_UNSET: unknown, or set by sampler_values.
 */
void sampler_weights(struct sampler *s, bool single, enum folded_values values);

/* Sets the kind of the values of an event; of several calls the weakest counts. */
void sampler_values(struct sampler *s, uint32_t event, enum folded_values values);

/*
 * Sets an event's period from the profile, for weights that are sums; of: its unit, NULL:
 * unknown.
 */
void sampler_period(struct sampler *s, uint32_t event, value period, const char *of);

/*
 * Sets the event to read if the user named none; the default is the event of the first sample.
 * No effect once the event is chosen.
 */
void sampler_default(struct sampler *s, uint32_t event);

/*
 * Reads n events, each into a column of that name; call before an input's first sample. Exits
 * with 2 when the previous input had other columns.
 */
void sampler_columns(struct sampler *s, const char *const *name, const uint32_t *event, unsigned n);

/*
 * For folded input, which has no events: returns the tree, with n columns of these names (NULL
 * for one). Exits like sampler_columns.
 */
struct calltree *sampler_tree(struct sampler *s, char *const *name, unsigned n);
/* Like sampler_tree, for a tree already read, if the sampler has none: takes ownership of it. */
void sampler_adopt(struct sampler *s, struct calltree *t, char *const *name);

/*
 * Starts a sample. Time is in ns, or SAMPLE_NO_TIME. False when it is not selected: its frames
 * and its end may then be omitted.
 */
bool sample_begin(
    struct sampler *s, const struct sample_task *task, uint32_t event, uint64_t time, value weight);
/* Like sample_begin, for one stack with weights of several events, each at most once. */
bool sample_begin_all(struct sampler *s, const struct sample_task *task,
    const struct sample_weight *w, unsigned n, uint64_t time);
/* Like sample_begin_all, for n samples with one stack and summed weights. */
bool sample_begin_many(struct sampler *s, const struct sample_task *task,
    const struct sample_weight *w, unsigned nweight, uint64_t time, uint64_t n);
void sample_frame(struct sampler *s, const struct frame *f);
void sample_end(struct sampler *s);

/* Accounts for n units that an option of the reader left out; they must not be begun. */
void sample_leave_out(struct sampler *s, uint64_t n);
/* Accounts for n malformed units; weight: the sum of their weights, 0 if unknown. */
void sample_malformed(struct sampler *s, uint64_t n, value weight);
/* Units seen so far; n units, which were given as more samples since `before`, count once each. */
uint64_t sample_units(const struct sampler *s);
void sample_units_are(struct sampler *s, uint64_t before, uint64_t n);
/* A sample of sample_wanted is not added: its stack is malformed, which is accounted for apart. */
void sample_take_back(struct sampler *s, uint32_t event, value weight);
/* Instead of sample_end, for a malformed stack begun by sample_begin_all with these weights. */
void sample_drop(struct sampler *s, const struct sample_weight *w, unsigned n);

/* True if no stack has more than one frame below its task. */
bool sampler_is_flat(const struct sampler *s);

/*
 * Ends a sample without frames, of a stack counted before under the same root: node is the
 * earlier result of sample_end_at. With CALLTREE_ROOT the same as sample_end.
 */
uint32_t sample_end_at(struct sampler *s, uint32_t node);

/*
 * Building blocks of these, for readers that cache names and nodes. sample_wanted counts the
 * event of a sample; false: skip it. The stack is sample_root, then sample_child with the
 * sample_name of each frame, root first. sample_count adds its weight, an integer in a single
 * column, to its last node.
 */
static inline bool sample_wanted(struct sampler *s, uint32_t event, uint64_t time, value weight);
/*
 * Like sample_wanted, for n samples of weight 1; only if sampler_timeless: no option needs
 * times.
 */
bool sampler_timeless(const struct sampler *s);
bool sample_wanted_many(struct sampler *s, uint32_t event, uint64_t n);
uint32_t sample_root(struct sampler *s, const struct sample_task *task);
uint32_t sample_name(struct sampler *s, const struct frame *f);
uint32_t sample_child(struct sampler *s, uint32_t node, uint32_t name);
void sample_count(struct sampler *s, uint32_t node, uint64_t time, uint64_t weight);
/*
 * Like sample_count, with one weight per column. In time order a sample without time stays in
 * input order.
 */
void sample_add(struct sampler *s, uint32_t node, uint64_t time, const value *weight);
/* The value that a weight adds to the tree: 1 per sample with --samples. */
value sample_counted(const struct sampler *s, uint32_t event, value weight);
/* Like sample_frame, with an interned name. */
void sample_frame_named(struct sampler *s, uint32_t name);

/*
 * For threads, not in time order: sampler_fork creates an empty sampler with the same choices
 * and its own tree; sampler_join adds all of src to dst and frees src.
 */
struct sampler *sampler_fork(const struct sampler *s);
void sampler_join(struct sampler *dst, struct sampler *src);

/*
 * Sets a column's header lines: its unit, if valid (folded_unit_valid), its period in the unit
 * `of`; 0: unknown; and what its values are.
 */
void sampler_describe(struct sampler *s, unsigned column, const char *unit, value period,
    const char *of, enum folded_values values);

/*
 * Like sampler_describe, for folded input by its file's header lines; the columns must be
 * known. Exits with 2 when units differ. Takes over *a.
 */
void sampler_about(struct sampler *s, struct foldedheader *a);

/* The unit of an event's values in the tree. */
const char *sampler_unit(const struct sampler *s, const struct sample_event *e);

/* Bytes of the stacks that sampler_write writes, at most, without values and header lines. */
uint64_t sampler_length(const struct sampler *s);

/*
 * Writes the stacks in canonical or time order. Exits with 2 when values of different units
 * were added up.
 */
void sampler_write(struct sampler *s, struct output *o);

/* Private: handle an input's first sample, of any event; and n samples of a selected event. */
void sampler_start(struct sampler *s, uint32_t event, uint64_t time);
bool sampler_take(struct sampler *s, uint64_t time, uint64_t n);

static inline void
sample_event_count(struct sample_event *e, value weight, uint64_t n)
{
	if (weight != e->period) {
		e->varies |= e->period != 0;
		e->period = weight;
	}
	e->samples += n;
	e->total = value_sum(e->total, weight * n);
}

/* True if an event has a column. */
static inline bool
sampler_has_column(const struct sampler *s, uint32_t event)
{
	for (unsigned i = 0; i < s->columns; i++)
		if (s->column[i] == event)
			return true;
	return false;
}

static inline bool
sample_wanted(struct sampler *s, uint32_t event, uint64_t time, value weight)
{
	if (s->start == SAMPLE_NO_TIME)
		sampler_start(s, event, time);
	sample_event_count(&s->event[event], weight, 1);
	if (event != s->column[0] && !sampler_has_column(s, event)) {
		s->account.left_out++;
		return false;
	}
	s->event[event].kept++;
	return sampler_take(s, time, 1);
}

#endif
