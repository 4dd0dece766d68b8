/*
 * formats: the table of all that fg-collapse reads.
 */
#include "fg-collapse/format.h"

#define ENTRY(name) &name##_format,

const struct format *const formats[] = {FORMATS(ENTRY) NULL};
