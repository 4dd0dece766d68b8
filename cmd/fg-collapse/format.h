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
	HAS_BITS = 5,
};

struct format {
	const char *name;
	const char *description;
	const char *origin; /* how to get one, for --list-formats */
	unsigned lacks; /* DATA_*: asking for what needs one of them is a usage error */
	unsigned has; /* HAS_*: without it, asking for it is one */
	/* How surely the first bytes of an input are of this format: 0 no, 100 yes. */
	int (*sniff)(const char *data, size_t len);
	/* Where blocks may be cut; NULL for every line. */
	lines_cut *cut;
	/* Give all samples of an input to r->sampler. */
	void (*read)(struct reader *r);
};

extern const struct format perfscript_format, folded_format;
extern const struct format gdb_format, eustack_format, lldb_format, jstack_format, javacore_format,
    javaexception_format, goroutine_format, faulthandler_format, pyspy_format, tracemalloc_format,
    procstack_format, kernelstack_format, sysrq_format, dtrace_format, bpftrace_format,
    gprof_format, pstats_format, cachegrind_format, perfreport_format, perfsched_format,
    jfrtext_format, xdebug_format, pprofraw_format, ghc_format, instruments_format, vtune_format,
    vsprof_format, ljp_format, wcp_format, pmcstat_format, macsample_format, systemtap_format,
    bcc_format, pprof_format, cpuprofile_format, heapprofile_format, speedscope_format,
    stackprof_format;

/* All of them, with a NULL at the end. */
extern const struct format *const formats[];

#endif
