/*
 * detect: the format of an input, from its first bytes.
 */
#ifndef DETECT_H
#define DETECT_H

#include "fg-collapse/format.h"

/*
 * The format whose sniffer is surest of in's first bytes (SOURCE_PEEK at most, UTF-16
 * decoded); NULL for an empty input. Text formats are not tried for bytes that are not
 * text, binary ones not for text. With -v, other formats that claim the input are
 * named. Exits with 2 where no format does: the message says what the input is and what
 * to read instead, if its magic is known.
 */
const struct format *detect(struct lines *in);

#endif
