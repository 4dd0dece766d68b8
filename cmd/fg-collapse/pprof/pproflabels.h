/*
 * pproflabels: the labels of a pprof profile's samples. Those that name a task become it, those
 * that all samples have in common become the profile's, and --group-by makes one of them a root
 * frame.
 */
#ifndef PPROFLABELS_H
#define PPROFLABELS_H

#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/pprof/messages.h"
#include "fg-collapse/reader.h"
#include "fg-collapse/shape/tables.h"
#include "sample/task.h"

struct pproflabels {
	struct reader *reader;
	const struct tables *tables; /* their strings */

	/* Private. */
	struct text pid, tid, group, digits;
	struct pproflabels_pair { /* key and value as indices of strings */
		int64_t key, str;
	} * common; /* string labels of all samples so far; NULL before the first */
	size_t ncommon;
};

/* Reads the labels of a sample: sets the task, whose strings are valid until the next call. */
void pproflabels_read(
    struct pproflabels *l, const struct pprof_sample *m, struct sample_task *task);

/* Adds the labels common to all samples to the profile's, and frees the memory of l. */
void pproflabels_end(struct pproflabels *l);

#endif
