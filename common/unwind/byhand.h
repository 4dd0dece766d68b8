/*
 * byhand: what x86 machine code shows where call frame information is missing or wrong, by its
 * bytes: return addresses that no call left, and ends of functions that realign the stack.
 */
#ifndef BYHAND_H
#define BYHAND_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/elfcode.h"
#include "unwind/cfirule.h"

/*
 * True if no call instruction ends at vaddr, although it is a return address: a program has put it
 * on a new stack, below a coroutine's first function. starts: a function starts at vaddr
 * (__start_context of ucontext); else the instruction before it must be a jump through a register
 * (make_fcontext of Boost.Context and PHP).
 */
bool byhand_return(const struct elfcode *c, uint64_t vaddr, bool starts);

/*
 * Removes the rules of r for registers that are relative to the frame pointer, if the instructions
 * from vaddr to a return come after the one that restored it. GCC leaves these rules at the end of
 * a function that realigns the stack: after leave, lea -8(%r10),%rsp and ret.
 */
void byhand_restored(
    const struct cfi_machine *m, const struct elfcode *c, uint64_t vaddr, struct cfi_rule *r);

#endif
