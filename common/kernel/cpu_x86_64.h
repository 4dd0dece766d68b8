/*
 * cpu_x86_64: registers by DWARF number (System V ABI, figure 3.36), calls and addresses of x86-64.
 */
#ifndef CPU_X86_64_H
#define CPU_X86_64_H

#include <stdint.h>

#define CPU_X86_64
#define CPU_NAME "x86_64" /* of uname(2) */
#define CPU_MACHINE EM_X86_64 /* elf.h */
#define CPU_AUDIT AUDIT_ARCH_X86_64 /* linux/audit.h */

enum { CPU_FP = 6, CPU_SP = 7, CPU_PC = 16 };
#define CPU_ARGUMENTS 5, 4, 1, 2, 8 /* rdi, rsi, rdx, rcx, r8 */
#define CPU_GO_ARGUMENTS 0, 3, 2, 5, 4 /* rax, rbx, rcx, rdi, rsi */
#define CPU_ARGUMENT_REGISTERS 5, 4, 3, 2 /* the first four, by PERF_REG_X86_* */
#define CPU_PERF_REGS UINT64_C(0xff01ff) /* PERF_REG_X86_*: general registers and ip */

/* System calls that only block, beside those of all processors. */
#define CPU_SLEEPING_CALLS SYS_poll, SYS_select, SYS_epoll_wait, SYS_pause

/* trace/heapabi.h; bytes: below position-independent programs, above the heaps of Go. */
#define CPU_HEAP_PAGE 0x500000000000
#define CPU_HEAP_ALIGNMENT 4096
#define CPU_TARGET "endbr64\n" /* instruction at the start of a target of indirect calls */

/* For BPF: the stack pointer in struct pt_regs, a member of struct user_regs_struct (sys/user.h).
 */
#define CPU_STACK_POINTER offsetof(struct user_regs_struct, rsp)
#define CPU_THREAD_POINTER "thread.fsbase" /* member of the kernel's struct task_struct */

#endif
