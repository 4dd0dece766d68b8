/*
 * android: the feature sections that Android's simpleperf adds to a recording: the functions of all
 * sampled files, and the names of its events.
 */
#ifndef ANDROID_H
#define ANDROID_H

#include <stdbool.h>

#include "base/cursor.h"
#include "elf/storedsym.h"
#include "fg-collapse/perfdata/attrs.h"

/*
 * Read a FILE or FILE2 section, a list of files with their functions. False if it is malformed;
 * files before the error are kept. Call storedsyms_finish after the last one.
 */
bool android_files(struct storedsyms *to, struct cursor *c);
bool android_proto_files(struct storedsyms *to, struct cursor *c);

/* Reads a META_INFO section, pairs of strings, and names the events of attrs by it. */
bool android_meta(struct cursor *c, struct attrs *attrs);

#endif
