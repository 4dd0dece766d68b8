/*
 * cpu_aarch64: registers by DWARF number, calls and addresses of AArch64.
 */
#ifndef CPU_AARCH64_H
#define CPU_AARCH64_H

#include <stdint.h>

#define CPU_AARCH64
#define CPU_NAME "aarch64" /* of uname(2) */
#define CPU_MACHINE EM_AARCH64 /* elf.h */
#define CPU_AUDIT AUDIT_ARCH_AARCH64 /* linux/audit.h */

enum { CPU_FP = 29, CPU_SP = 31, CPU_PC = 32 };
#define CPU_ARGUMENTS 0, 1, 2, 3, 4
#define CPU_GO_ARGUMENTS 0, 1, 2, 3, 4
#define CPU_ARGUMENT_REGISTERS 0, 1, 2, 3
#define CPU_PERF_REGS ((UINT64_C(1) << 33) - 1) /* x0 to x30, sp and pc */

#define CPU_HEAP_PAGE 0x5000000000 /* within 39 bits */
#define CPU_HEAP_ALIGNMENT 65536 /* the largest page size */
#define CPU_TARGET "hint #34\n" /* bti c: at the start of a target of indirect calls */

/*
 * For BPF: the stack pointer in struct pt_regs, which begins as struct user_regs_struct
 * (sys/user.h), and the thread pointer in struct task_struct. The kernel stores the register there
 * when the task leaves a processor, and clone(2) the one of a new thread.
 */
#define CPU_STACK_POINTER offsetof(struct user_regs_struct, sp)
#define CPU_THREAD_POINTER "thread.uw.tp_value"

#endif
