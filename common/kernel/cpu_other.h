/*
 * cpu_other: a processor whose stacks are not unwound.
 */
#ifndef CPU_OTHER_H
#define CPU_OTHER_H

#include <stdint.h>

#define CPU_NAME "other"
#define CPU_MACHINE EM_NONE

enum { CPU_FP = 0, CPU_SP = 1, CPU_PC = 2 };
#define CPU_ARGUMENTS 0, 1, 2, 3, 4
#define CPU_GO_ARGUMENTS 0, 1, 2, 3, 4
#define CPU_ARGUMENT_REGISTERS 0, 1, 2, 3
#define CPU_PERF_REGS UINT64_C(0)

#define CPU_HEAP_PAGE 0x500000000000
#define CPU_HEAP_ALIGNMENT 4096
#define CPU_TARGET ""

#define CPU_STACK_POINTER 0
#define CPU_THREAD_POINTER NULL

#endif
