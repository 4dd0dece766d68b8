/*
 * What flows between fg-collapse's main and its formats. A format is one file, one
 * struct format and one row in the table of formats.c; its reader takes lines (or
 * bytes) from the reader and gives samples to the sampler, which applies the options.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lines.h"
#include "fg-collapse/reader.h"

/* What a sample can have. A format says which of these it has not. */
enum {
	DATA_COMM = 1, /* and so a name at the root */
	DATA_PID = 2,
	DATA_TID = 4,
	DATA_MODULE = 8,
	DATA_KIND = 16, /* kernel, library... */
	DATA_SOURCE = 32, /* file and line */
	DATA_ADDRESS = 64,
	DATA_TIME = 128, /* of each sample */
	DATA_ORDER = 256, /* its samples come in the order of time, or have times */
	DATA_EVENT = 512, /* several to choose from */
	DATA_COUNT = 1024, /* a number of samples as well as weights */
	DATA_BITS = 11,
	DATA_ALL = (1 << DATA_BITS) - 1,
};

/* What can be asked of few formats. A format says which of these it has. */
enum {
	HAS_THREADS = 1, /* names of threads that are not at the root anyway */
	HAS_STATE = 2, /* of each thread */
	HAS_OFFSET = 4, /* of each frame, in its function */
	HAS_MODULES = 8, /* in the names of frames, unless --no-modules */
	HAS_PACKAGES = 16, /* Java's */
	HAS_COSTS = 32, /* of what a simulated processor did */
	HAS_ADDRESSES = 64, /* to be named here */
	HAS_RECORDING = 128, /* what says things of itself, and of threads that sleep */
	HAS_BITS = 8,
};

struct format {
	const char *name;
	const char *description;
	const char *origin; /* how to get one, for --list-formats */
	unsigned lacks; /* DATA_*: asking for what needs one of them is a usage error */
	unsigned has; /* HAS_*: without it, asking for it is one */
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

/* All of them, in the order of --list-formats: a row for each format/NAME.c. */
/* clang-format off */
#define FORMATS(row) \
	row(perfscript) \
	row(perfdata) \
	row(folded) \
	row(gdb) \
	row(eustack) \
	row(lldb) \
	row(jstack) \
	row(javacore) \
	row(javaexception) \
	row(goroutine) \
	row(faulthandler) \
	row(pyspy) \
	row(tracemalloc) \
	row(procstack) \
	row(kernelstack) \
	row(sysrq) \
	row(dtrace) \
	row(bpftrace) \
	row(bpftracejson) \
	row(bcc) \
	row(systemtap) \
	row(macsample) \
	row(pmcstat) \
	row(wcp) \
	row(ljp) \
	row(vsprof) \
	row(vtune) \
	row(instruments) \
	row(xctrace) \
	row(ghc) \
	row(ghcjson) \
	row(pprof) \
	row(pprofraw) \
	row(pproflegacy) \
	row(gperftools) \
	row(heap) \
	row(xdebug) \
	row(cpuprofile) \
	row(heapprofile) \
	row(otlp) \
	row(otlpjson) \
	row(chrometrace) \
	row(firefox) \
	row(speedscope) \
	row(stackprof) \
	row(jfr) \
	row(jfrtext) \
	row(perfsched) \
	row(perfreport) \
	row(callgrind) \
	row(massif) \
	row(dhat) \
	row(heaptrack) \
	row(gprof2dot) \
	row(cachegrind) \
	row(pstats) \
	row(gprof)
/* clang-format on */

#define FORMAT_DECLARE(name) extern const struct format name##_format;
FORMATS(FORMAT_DECLARE)

/* The same with a NULL at the end. */
extern const struct format *const formats[];

#endif
