/*
 * detect: the format of an input, from its first bytes.
 */
#ifndef DETECT_H
#define DETECT_H

#include <stdbool.h>

#include "fg-collapse/format.h"

/*
 * The format whose sniffer is surest of in's first bytes (SOURCE_PEEK at most, UTF-16
 * decoded); NULL for an empty input. Text formats are tried only for text, binary ones
 * only for other data. With -v, other formats that match are reported. Exits with 2 if no
 * format matches; the message identifies the input and suggests what to read instead, if
 * its magic is known.
 */
const struct format *detect(struct lines *in);

/* True for a small text that no format which reads programs accepts. It runs no sniffer. */
bool detect_names_no_program(const char *path);

/* False if the file has a format that reads no programs, or is empty; without a message. */
bool detect_may_read_programs(const char *path);

#endif
