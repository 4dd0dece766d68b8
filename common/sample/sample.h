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
 * not pass by sample_leave_out (account.h) or by reader_malformed (fg-collapse/reader.h).
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/value.h"
#include "names/frame.h"
#include "sample/sampler.h"
#include "sample/task.h"

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
/*
 * Like sample_frame, with an interned name. With SAMPLE_MISSING the stack is malformed: its end
 * takes the sample back, and accounts for it and its weight.
 */
void sample_frame_named(struct sampler *s, uint32_t name);

/*
 * Ends a sample without frames, of a stack counted before under the same root: node is the
 * earlier result of sample_end_at. With CALLTREE_ROOT the same as sample_end.
 */
uint32_t sample_end_at(struct sampler *s, uint32_t node);

#endif
