/*
 * origins: where the names of a recording come from: the folders and files that the
 * command line names, and of this machine what is proven to be that of the recording.
 */
#ifndef ORIGINS_H
#define ORIGINS_H

#include "code/symsource.h"
#include "fg-collapse/options.h"
#include "features.h"

/* What it points to is good until exit. */
struct origins {
	struct symsource origin;
	char *buildids; /* ~/.debug */
	char *kallsyms;
	char *beside; /* the folder of the recording */
};

/* Before the first record: all but the kernel. input is the recording's path, or NULL. */
void origins_begin(
    struct origins *o, const struct options *options, const struct features *f, const char *input);

/* After the last: the kernel, whose name and address of one symbol may have come by then. */
void origins_kernel(struct origins *o, const struct options *options, const struct features *f,
    const char *reference, uint64_t at);

#endif
