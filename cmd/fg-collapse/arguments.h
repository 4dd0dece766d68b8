/*
 * arguments: the command line of fg-collapse.
 */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "fg-collapse/format.h"
#include "fg-collapse/options.h"

/* Parses the options and sets optind to the first file. Prints a message and exits with 2 on a
 * usage error. */
void arguments_parse(struct options *o, int argc, char **argv);

/* The format of --format; NULL: detect it. */
const struct format *arguments_format(const struct options *o);

/* Exits with 2 if an option needs what format f of that input does not provide. */
void arguments_check(const struct format *f, const char *input);

#endif
