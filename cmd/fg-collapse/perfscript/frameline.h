/*
 * frameline: one frame line of perf script to the names of its frames.
 */
#ifndef FRAMELINE_H
#define FRAMELINE_H

#include "profile/sample.h"

#define FRAME_MAX 64 /* the most frames one line stands for: inlined Java methods a->b->c */

/*
 * [line, end) is `address symbol+offset (module)`, with the source line that
 * follows it under a newline when perf script was run with -F +srcline. java says
 * that the process is Java's. Names are made in s, the outermost first.
 * Returns how many there are, or 0 when this is no frame line.
 */
size_t frame_parse(
    struct sampler *s, const char *line, const char *end, bool java, uint32_t name[FRAME_MAX]);

/* Whether a line begins as a frame line does: white space, a hexadecimal address, a space. */
bool frame_begins(const char *line, const char *end);

#endif
