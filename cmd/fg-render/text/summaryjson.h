/*
 * summaryjson: the summary for the viewer, in JSON: {"rows": [[name, frame, size in percent of the
 * first, figures ...]], "over": heading of the rows, "say": sentences}. A sentence is a list of
 * strings and [name, frame]; a frame is a pre-order index.
 */
#ifndef SUMMARYJSON_H
#define SUMMARYJSON_H

#include <pthread.h>
#include <stdbool.h>

#include "base/output.h"
#include "base/text.h"
#include "fg-render/text/sentences.h"

struct picture;

struct summary_job { /* runs in a thread; p must not change until its end */
	const struct picture *p;
	struct summary summary;
	struct text text;
	pthread_t thread;
	bool threaded;
};
void summary_begin(const struct picture *p, struct summary_job *j);
/* Waits for the summary, which is valid until summary_end. */
const struct summary *summary_wait(struct summary_job *j);
void summary_end(struct summary_job *j, struct output *o);

#endif
