/*
 * format: what fg-collapse's main knows of a format. A format is one file with one
 * struct format, and one row of formats.c. Its read function takes lines (or bytes)
 * from the reader and gives samples to the sampler, which applies the shared options.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lines.h"
#include "fg-collapse/reader.h"

/*
 * What a format provides. An option of fg-collapse that needs something else is wrong
 * usage for an input of that format.
 */
enum {
	/* In its samples: */
	DATA_COMM = 1 << 0, /* at the root */
	DATA_PID = 1 << 1,
	DATA_TID = 1 << 2,
	DATA_MODULE = 1 << 3,
	DATA_KIND = 1 << 4, /* of a frame: kernel, library... */
	DATA_SOURCE = 1 << 5, /* file and line */
	DATA_ADDRESS = 1 << 6,
	DATA_TIME = 1 << 7,
	DATA_ORDER = 1 << 8, /* samples arrive in time order, or have times */
	DATA_EVENT = 1 << 9, /* several to choose from */
	DATA_COUNT = 1 << 10, /* a number of samples beside the weights */
	/* In few formats: */
	DATA_THREAD_NAMES = 1 << 11, /* not at the root unless requested */
	DATA_STATE = 1 << 12, /* of each thread */
	DATA_OFFSET = 1 << 13, /* of a frame in its function */
	DATA_MODULE_PREFIX = 1 << 14, /* module`function, unless --no-modules */
	DATA_PACKAGES = 1 << 15, /* of Java */
	DATA_COSTS = 1 << 16, /* of a simulated processor, for --bottleneck */
	DATA_UNSYMBOLIZED = 1 << 17, /* addresses that fg-collapse symbolizes */
	DATA_RECORDING = 1 << 18, /* facts of the machine; switches of threads */
	DATA_BITS = 19,

	DATA_TASK = DATA_COMM | DATA_PID | DATA_TID,
	DATA_CODE = DATA_MODULE | DATA_KIND | DATA_SOURCE | DATA_ADDRESS,
	DATA_TIMES = DATA_TIME | DATA_ORDER,
};

struct format {
	const char *name;
	const char *description;
	const char *origin; /* how to get one, for --list-formats */
	unsigned provides; /* DATA_* */
	enum format_bytes { FORMAT_TEXT, FORMAT_BINARY, FORMAT_ANY } bytes; /* of its files */
	bool single; /* a weight is of one sample, and where all have the same it is what one weighs
		      */
	bool reads_programs; /* those that an input names, for their symbols */
	/* How surely the first bytes of an input are of this format: 0 no, 100 yes. */
	int (*sniff)(const char *data, size_t len);
	/* Where blocks may be cut; NULL for every line. */
	lines_cut *cut;
	/* Give all samples of an input to r->sampler. */
	void (*read)(struct reader *r);
};

/* All formats, in the order of --list-formats, with a NULL at the end. */
extern const struct format *const formats[];

#endif
