/*
 * livecode: unwind rules for JIT code, by decoding the code while its process lives (see
 * codeframe.h). x86-64 only.
 */
#ifndef LIVECODE_H
#define LIVECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/cfi.h"

struct livecode;

struct livecode *livecode_new(void);
void livecode_free(struct livecode *l);

/*
 * The rule of an address of process pid, in an anonymous mapping from start to end; exact as in
 * cfi_find. Valid until the next call; up to 0.1 s old. NULL when the code gives no rule or is
 * not readable, or when the budget is spent.
 */
const struct cfi_rule *livecode_rule(
    struct livecode *l, int pid, uint64_t start, uint64_t end, uint64_t address, bool exact);

#endif
