/*
 * callfilter: the system calls of the sandbox (base/sandbox), limited by seccomp.
 */
#ifndef CALLFILTER_H
#define CALLFILTER_H

#include <stdbool.h>

#include "kernel/cpu.h"

#if defined(__linux__) && __has_include(<linux/seccomp.h>) && defined(CPU_AUDIT)
#define CALLFILTER_BUILT_IN
#endif

/*
 * Limits the calling thread, and threads that it creates later. network, recorder: the table has a
 * row SANDBOX_NETWORK, SANDBOX_RECORDER.
 */
void callfilter_install(bool network, bool recorder);

#endif
