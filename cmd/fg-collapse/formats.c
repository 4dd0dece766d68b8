/*
 * formats: the table of all that fg-collapse reads, in the order of --list-formats.
 */
#include "fg-collapse/format.h"

const struct format *const formats[] = {
    &perfscript_format,
    &folded_format,
    NULL,
};
