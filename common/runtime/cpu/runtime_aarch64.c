/*
 * runtime_aarch64: registers of AArch64 (AAPCS64, 6.1.1), of PHP (zend_execute.c), and thread-local
 * data above the thread pointer (Drepper, "ELF Handling For Thread-Local Storage", variant I).
 * Rows that were not derived from the sources of a runtime are left out.
 */
#include "runtime/cpu/runtimecpu.h"

static const struct php_cpu php = {27, 28, 27 * 8, 28 * 8, NULL};

const struct runtime_cpu runtime_aarch64 = {
    .name = "aarch64",
    .fp = 29,
    .sp = 31,
    .kept = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29},
    .nkept = 11,
    .tls_above = true,
    .php = &php,
};
