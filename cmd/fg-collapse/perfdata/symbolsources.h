/*
 * symbolsources: the symbol sources of a recording: the directories and files on the command
 * line, and those of this machine that are proven to match the recording.
 */
#ifndef SYMBOLSOURCES_H
#define SYMBOLSOURCES_H

#include "access/symsource.h"
#include "base/sandbox.h"
#include "fg-collapse/options.h"
#include "fg-collapse/perfdata/features.h"

/* The strings stay valid until exit. */
struct symbolsources {
	struct symsource origin;
	char *buildids; /* ~/.debug */
	char *kallsyms;
	char *beside; /* directory of the recording */
};

/*
 * Lets the sandbox read the files and directories of symbols and debug information that the options
 * name, or that programs install.
 */
void symbolsources_sandbox(struct sandbox *s, const struct options *options);

/* Lets the sandbox read the kernel's symbols beside an input. */
void symbolsources_sandbox_beside(struct sandbox *s, const char *input);

/* Sets everything except the kernel, before the first record. input is the recording's path,
 * or NULL. */
void symbolsources_begin(struct symbolsources *o, const struct options *options,
    const struct features *f, const char *input);

/* Sets the kernel, after the last record, when its name and the address of one symbol are
 * known. */
void symbolsources_kernel(struct symbolsources *o, const struct options *options,
    const struct features *f, const char *reference, uint64_t at);

#endif
