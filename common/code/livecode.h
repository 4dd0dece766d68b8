/*
 * livecode: where the caller of generated code is found, read out of the code itself while
 * its process lives (see codeframe.h). Of x86-64 alone.
 */
#ifndef LIVECODE_H
#define LIVECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "code/cfi.h"

struct livecode;

struct livecode *livecode_new(void);
void livecode_free(struct livecode *l);

/*
 * The rule of an address of process pid, exact as in cfi_find, which is mapped from start to
 * end without a file; valid until the next call. NULL when the code does not tell, or may not
 * be read, or too many asked for rules. One may be some tenths of a second old.
 */
const struct cfi_rule *livecode_rule(
    struct livecode *l, int pid, uint64_t start, uint64_t end, uint64_t address, bool exact);

#endif
