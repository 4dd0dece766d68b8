/*
 * sample: the one way from a reader to the tree. A reader says what it found,
 *
 *	sample_begin(s, &task, event, time, weight);
 *	sample_frame(s, &frame);	as often as there are frames
 *	sample_end(s);
 *
 * and the sampler applies every option that all formats share: the event that is
 * wanted, the time, comm, pid and tid at the root, how a frame is written, where a
 * stack begins, whether samples or weights are counted, and their order.
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
#include "profile/frame.h"

/* What a user can ask for; all zero asks for nothing. */
struct sample_options {
	const char *event; /* the one that is wanted; NULL for the reader's choice */
	bool count; /* each sample is 1, whatever its weight */
	bool pid, tid; /* at the root: comm-PID, comm-PID/TID */
	bool no_comm, normalize_comm;
	struct frame_style style;
	const char **skip_after; /* functions that become the root where they occur; the caller's */
	size_t nskip_after, capskip_after;
	bool time_order; /* oldest first, only equal neighbours merged */
	uint64_t step; /* ns: of that order, within which neighbours are merged; 0 for none */
	bool range; /* only times within [from, to), ns after an input's first sample */
	uint64_t from, to;
	bool recursive; /* a function that calls itself is one frame */
	bool no_header; /* without the lines that say what the values are */
	bool list; /* nothing is kept but the counts of events */
};

/* Another function for skip_after. */
void sample_skip_after(struct sample_options *o, const char *function);

/* Who ran. Each is empty where it is not known; a pid and a tid are their digits. */
struct sample_task {
	struct str comm, pid, tid;
};

#define SAMPLE_NO_TIME UINT64_MAX
/* v units of so many ns each, in ns; SAMPLE_NO_TIME for what is too far. */
uint64_t sample_ns(value v, uint64_t unit);

/* What a profile measured. */
struct sample_event {
	char *name; /* "" when the profile has no name for it */
	char *unit; /* of its weights, see sampler_event; NULL where none was given */
	uint64_t samples; /* seen, wanted or not */
	uint64_t kept; /* of the event that was wanted, at whatever time */
	value total; /* of their weights */
	value period; /* the weight of one sample, while all have the same; 0 at first */
	bool varies; /* they have not */
	bool single; /* a weight is of one sample */
	bool said; /* the profile says what one sample stands for, or that weights do not tell: */
	struct folded_period stands;
};

/* A weight of one event. */
struct sample_weight {
	uint32_t event;
	value weight;
};

/* A stack at a moment, for time order. */
struct sample_moment {
	uint64_t time; /* ns */
	uint32_t node;
	size_t weight; /* where its weights begin, one for each column */
};

/* To be read by all, written by sample.c and sampleout.c alone. */
struct sampler {
	const struct sample_options *options;
	struct calltree *tree; /* NULL until its columns are settled */
	struct sample_event *event; /* all that were seen, by number */
	uint32_t nevent, capevent;
	uint64_t samples; /* taken into the tree */
	uint64_t timeless; /* left out, since they have no time and a range was asked for */
	unsigned columns; /* 0 until they are settled */
	bool timed; /* some moments have a time */
	bool marked; /* the moments' times are those of time marks, from 0 */
	bool chosen; /* the event of each is known: */
	uint32_t column[CALLTREE_COLUMNS];
	struct folded_columns about; /* names where there are several, units and periods */
	uint64_t start; /* time of the input's first sample, or SAMPLE_NO_TIME */
	struct sample_moment *moment; /* in the order of the input */
	size_t nmoment, capmoment;

	/* Private. */
	const char *input;
	bool single; /* its weights are of one sample each */
	bool started; /* it had a sample, or named its columns */
	struct hash_index events;
	value *weights; /* of moments */
	size_t nweights, capweights;
	struct text text;
	struct text task; /* the last one, as it was written, and its node */
	uint32_t task_node;
	uint8_t *skip; /* by name: whether it becomes the root */
	size_t capskip;
	bool leaf_first;
	bool open; /* the sample that was begun is wanted */
	uint64_t time; /* of it */
	uint32_t root;
	value weight[CALLTREE_COLUMNS];
	uint32_t *frame; /* names of its frames */
	size_t nframe, capframe;
};

/* An empty one. The options are the caller's and stay as they are. */
struct sampler *sampler_new(const struct sample_options *o);
void sampler_free(struct sampler *s);

/* Another kind of profile follows, with events of its own: the event is chosen anew. */
void sampler_choose(struct sampler *s);

/* Before the first sample of each input, whose name is for messages: the order of its frames. */
enum sample_order { SAMPLE_ROOT_FIRST, SAMPLE_LEAF_FIRST };
void sampler_input(struct sampler *s, const char *name, enum sample_order order);

/*
 * The number of the event with that name, made when it is new. The unit is that of
 * its weights: "samples" says that these are numbers of samples; empty stands for the
 * name itself, or for samples where each weighs 1.
 */
uint32_t sampler_event(struct sampler *s, struct str name, struct str unit);

/*
 * Before sampler_input: whether a weight is of one sample. Then what all of an event have
 * in common is what one weighs; sums tell nothing, as when they are not told to be single.
 */
void sampler_weights(struct sampler *s, bool single);

/*
 * What one sample of an event stands for, where the profile says it and weights do not
 * tell, since they are of many samples; of: its unit, NULL where nobody knows.
 */
void sampler_period(struct sampler *s, uint32_t event, value period, const char *of);

/*
 * Which event to keep where the user named none; without this it is the event of
 * the first sample. Has no effect once it is settled.
 */
void sampler_default(struct sampler *s, uint32_t event);

/*
 * Keep n events, each in a column of that name, before an input's first sample. Exits
 * with 2 when the input before it had other columns.
 */
void sampler_columns(struct sampler *s, const char *const *name, const uint32_t *event, unsigned n);

/*
 * For stacks that come folded, which are of no event: the tree, with n columns of
 * these names (NULL for one). Exits as sampler_columns.
 */
struct calltree *sampler_tree(struct sampler *s, char *const *name, unsigned n);
/* The same for a tree that was read already, where the sampler has none; it is the sampler's then.
 */
void sampler_adopt(struct sampler *s, struct calltree *t, char *const *name);

/*
 * Begin a sample. Time is in ns, SAMPLE_NO_TIME where there is none. False when it is
 * not wanted: then its frames and its end may be left out.
 */
bool sample_begin(
    struct sampler *s, const struct sample_task *task, uint32_t event, uint64_t time, value weight);
/* The same where one stack has weights of several events, each event at most once. */
bool sample_begin_all(struct sampler *s, const struct sample_task *task,
    const struct sample_weight *w, unsigned n, uint64_t time);
/* The same for n samples with one stack, whose weights are summed. */
bool sample_begin_many(struct sampler *s, const struct sample_task *task,
    const struct sample_weight *w, unsigned nweight, uint64_t time, uint64_t n);
void sample_frame(struct sampler *s, const struct frame *f);
void sample_end(struct sampler *s);

/*
 * Ends a sample without frames, of a stack that was counted before below the same root: node
 * is what sample_end_at returned then. With the node CALLTREE_ROOT it is the same as sample_end.
 */
uint32_t sample_end_at(struct sampler *s, uint32_t node);

/*
 * What these are made of, for readers that remember names and nodes. sample_wanted
 * counts the event of a sample and says whether to go on; a stack is sample_root,
 * then sample_child with the sample_name of each frame, root first; sample_count
 * adds its weight, a whole number of the one column, at its last node.
 */
static inline bool sample_wanted(struct sampler *s, uint32_t event, uint64_t time, value weight);
/* The same of n samples that weigh 1 each, while nobody asks when they were. */
bool sampler_timeless(const struct sampler *s);
bool sample_wanted_many(struct sampler *s, uint32_t event, uint64_t n);
uint32_t sample_root(struct sampler *s, const struct sample_task *task);
uint32_t sample_name(struct sampler *s, const struct frame *f);
uint32_t sample_child(struct sampler *s, uint32_t node, uint32_t name);
void sample_count(struct sampler *s, uint32_t node, uint64_t time, uint64_t weight);
/*
 * The same with one weight for each column. In the order of time, what has no time
 * stands where it came.
 */
void sample_add(struct sampler *s, uint32_t node, uint64_t time, const value *weight);
/* What a weight of an event adds to the tree: --samples counts. */
value sample_counted(const struct sampler *s, uint32_t event, value weight);
/* sample_frame with a name that is known. */
void sample_frame_named(struct sampler *s, uint32_t name);

/*
 * For threads, where time order is not asked for: one with the same choices, its own
 * tree and nothing in it; then all that src has into dst. src is freed.
 */
struct sampler *sampler_fork(const struct sampler *s);
void sampler_join(struct sampler *dst, struct sampler *src);

/*
 * What the header lines say of a column: its unit, if that is one (folded_unit_valid),
 * and what one sample stands for, in a unit of its own; 0: that is not known.
 */
void sampler_describe(
    struct sampler *s, unsigned column, const char *unit, value period, const char *of);

/*
 * For stacks that come folded, the same as the header lines of a file say it: the
 * columns are settled. Exits with 2 when a unit is another than before. Takes *a.
 */
void sampler_about(struct sampler *s, struct foldedheader *a);

/* The unit of what was kept of an event. */
const char *sampler_unit(const struct sampler *s, const struct sample_event *e);

/*
 * Write the stacks in canonical order, or in the order of time where that is asked
 * for. Exits with 2 when values of different units were added up.
 */
void sampler_write(struct sampler *s, struct output *o);

/* Private: an input's first sample, of whatever event; n of the event that is wanted. */
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

/* Whether an event is that of a column. */
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
	if (event != s->column[0] && !sampler_has_column(s, event))
		return false;
	s->event[event].kept++;
	return sampler_take(s, time, 1);
}

#endif
