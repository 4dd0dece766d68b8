/*
 * format: interface of a format. A format is one file with one struct format, and one row
 * of formats.c. Its read function takes lines (or bytes) from the reader and passes
 * samples to the sampler, which applies the shared options.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lines.h"
#include "fg-collapse/reader.h"
#include "profile/foldedvalues.h"

/*
 * Data that a format provides. An option that needs other data is a usage error for an
 * input of that format.
 */
enum {
	/* Data of samples. */
	DATA_COMM = 1 << 0, /* task name at the root */
	DATA_PID = 1 << 1,
	DATA_TID = 1 << 2,
	DATA_MODULE = 1 << 3,
	DATA_KIND = 1 << 4, /* kind of a frame: kernel, library... */
	DATA_SOURCE = 1 << 5, /* file and line */
	DATA_ADDRESS = 1 << 6,
	DATA_TIME = 1 << 7,
	DATA_ORDER = 1 << 8, /* samples arrive in time order, or have times */
	DATA_EVENT = 1 << 9, /* several events */
	DATA_COUNT = 1 << 10, /* number of samples in addition to weights */
	/* Data of a few formats. */
	DATA_THREAD_NAMES = 1 << 11, /* thread names, at the root only if requested */
	DATA_STATE = 1 << 12, /* state of each thread */
	DATA_OFFSET = 1 << 13, /* offset of a frame in its function */
	DATA_MODULE_PREFIX = 1 << 14, /* module`function, unless --no-modules */
	DATA_PACKAGES = 1 << 15, /* Java packages */
	DATA_COSTS = 1 << 16, /* costs of a simulated CPU, for --bottleneck */
	DATA_UNSYMBOLIZED = 1 << 17, /* addresses that fg-collapse symbolizes */
	DATA_RECORDING = 1 << 18, /* data of the machine; context switches */
	DATA_LABELS = 1 << 19, /* labels of samples */
	DATA_BITS = 20,

	DATA_TASK = DATA_COMM | DATA_PID | DATA_TID,
	DATA_CODE = DATA_MODULE | DATA_KIND | DATA_SOURCE | DATA_ADDRESS,
	DATA_TIMES = DATA_TIME | DATA_ORDER,
};

struct format {
	const char *name;
	const char *description;
	const char *origin; /* how to create such a file, for --list-formats */
	unsigned provides; /* DATA_* */
	enum format_bytes { FORMAT_TEXT, FORMAT_BINARY, FORMAT_ANY } bytes; /* of its files */
	enum folded_values values; /* of events for which the reader sets no others */
	bool single; /* each weight is one sample's; if all are equal, that is the period */
	bool flat; /* its profiles have no stacks, or need not have any */
	bool reads_programs; /* reads the programs named in an input, for their symbols */
	/* Confidence that the first bytes of an input are of this format: 0 no, 100 yes. */
	int (*sniff)(const char *data, size_t len);
	/* Where input may be split into blocks; NULL: at every line. */
	lines_cut *cut;
	/* Passes all samples of an input to r->sampler. */
	void (*read)(struct reader *r);
};

/* All formats, in the order of --list-formats, with a NULL at the end. */
extern const struct format *const formats[];

#endif
