/*
 * fileselect: --focus-label, --recorded-since and --recorded-before, which select input files by
 * the labels in their headers.
 */
#ifndef FILESELECT_H
#define FILESELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/labels.h"

struct fileselect {
	const char **label; /* [!]KEY=VALUE, all of which a file must satisfy */
	size_t nlabel, caplabel;
	uint64_t since, before; /* by the label start, in ns since 1970; 0: any time */
	size_t undated; /* files left out since they have no start; counted by fileselect_wants */
};

/* --help rows */
#define FILESELECT_HELP_LABEL "keep files with that label; !KEY=VALUE: all others"
#define FILESELECT_HELP_SINCE "keep files recorded at or after DATE: 2026-11-23T10:00"
#define FILESELECT_HELP_BEFORE "keep files recorded before DATE"

/*
 * Functions for INTO of a struct fileselect: take an option's argument, which must stay valid; exit
 * with 2 if it is wrong.
 */
void fileselect_label(void *files, char *arg, const char *option);
void fileselect_since(void *files, char *arg, const char *option);
void fileselect_before(void *files, char *arg, const char *option);

/* True if any of the options was given. */
bool fileselect_is_used(const struct fileselect *f);

/* True if a file with these labels is selected. */
bool fileselect_wants(struct fileselect *f, const struct labels *labels);

/*
 * Removes the files that are not selected from path[*n], in a first pass over their headers. Exits
 * with 2 if one is not a regular file.
 */
void fileselect_paths(struct fileselect *f, char **path, unsigned *n);

/* Reports the undated files, and frees. Call it after the last file. */
void fileselect_finish(struct fileselect *f);

#endif
