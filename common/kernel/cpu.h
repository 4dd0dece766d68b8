/*
 * cpu: the processor of this build, a file for each. Nothing else tests the compiler's processor.
 * A new one is a row here, a file cpu_NAME.h, and its registers for ptrace(2) in
 * fg-record/stopping/ptrace_NAME.c; its programs and recordings, which any machine reads, are in
 * elf/elfmachine and unwind/cfimachine.
 */
#ifndef CPU_H
#define CPU_H

#if defined(__x86_64__)
#include "kernel/cpu_x86_64.h"
#elif defined(__aarch64__)
#include "kernel/cpu_aarch64.h"
#else
#include "kernel/cpu_other.h"
#endif

#endif
