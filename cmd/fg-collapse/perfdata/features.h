/*
 * features: the metadata of a recording: machine, command line, names of events, build IDs
 * of modules. It follows the data of a file, or comes as records in a pipe.
 */
#ifndef FEATURES_H
#define FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "elf/storedsym.h"
#include "access/symsource.h"
#include "fg-collapse/perfdata/attrs.h"

/* Numbers of features, tools/perf/util/header.h. */
enum {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID,
	FEATURE_HOSTNAME,
	FEATURE_OSRELEASE,
	FEATURE_VERSION,
	FEATURE_ARCH,
	FEATURE_NRCPUS,
	FEATURE_CPUDESC,
	FEATURE_CPUID,
	FEATURE_TOTAL_MEM,
	FEATURE_CMDLINE,
	FEATURE_EVENT_DESC,
	FEATURE_AUXTRACE = 18,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_CLOCKID = 23,
	FEATURE_DIR_FORMAT = 24,
	FEATURE_CLOCK_DATA = 29,
	FEATURE_ANDROID_FILE = 128, /* see android.h */
	FEATURE_ANDROID_META,
	FEATURE_ANDROID_FILE2 = 132,
	FEATURE_ANDROID_INIT_MAP = 134,
	FEATURE_BITS = 256,
};

struct features_build_id {
	char *path; /* path as mapped; owned */
	uint32_t hash;
	uint8_t size;
	uint8_t bytes[MODULE_BUILD_ID_MAX];
};

/* Strings are owned, NULL if the recording lacks them. */
struct features {
	char *hostname, *release, *version, *arch, *cpu;
	struct text command; /* command line, words separated by blanks */
	struct text tracing; /* formats of tracepoints, for tracepoint_find */
	uint32_t cpus;
	uint64_t first, last; /* times of the first and last sample; 0 if unknown */
	uint64_t clock_wall, clock_event; /* ns: one moment on both clocks; 0 if unknown */
	bool auxtrace;
	bool directory; /* the samples are in other files of the same directory */
	struct features_build_id *build_id;
	size_t nbuild_id, capbuild_id;
	struct hash_index build_ids; /* by path: index, plus 1 */
	struct storedsyms stored; /* functions of all sampled modules, by simpleperf */
};

/*
 * Reads a feature section. Names of events are stored in attrs; events that attrs lacks are added.
 * False if the section is malformed; the part before the error is kept.
 */
bool features_read(struct features *f, unsigned number, const unsigned char *s, size_t n,
    bool swapped, struct attrs *attrs);

/* Names the tracepoints of attrs by the formats in f->tracing, if the recording did not. */
void features_name_tracepoints(const struct features *f, struct attrs *attrs);

/* Adds the body of a BUILD_ID record, or an entry of that feature, in the file's byte order. */
bool features_add_build_id(struct features *f, const struct perf_event_header *h,
    const unsigned char *body, size_t n, bool swapped);

const struct features_build_id *features_build_id(const struct features *f, const char *path);
void features_free(struct features *f);

#endif
