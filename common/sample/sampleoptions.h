/*
 * sampleoptions: the user's options for all formats.
 */
#ifndef SAMPLEOPTIONS_H
#define SAMPLEOPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Functions for INTO of a struct sample_options: --skip-after and --time-order. */
void sample_skip_after(void *options, char *function, const char *option);
void sample_group_by(void *options, char *key, const char *option);
void sample_time_order(void *options, char *step, const char *option);

#endif
