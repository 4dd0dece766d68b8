/*
 * formats: the table of all that fg-collapse reads, in the order of --list-formats.
 */
#include "fg-collapse/format.h"

const struct format *const formats[] = {
    &perfscript_format,
    &folded_format,
    &gdb_format,
    &eustack_format,
    &lldb_format,
    &jstack_format,
    &javacore_format,
    &javaexception_format,
    &goroutine_format,
    &faulthandler_format,
    &pyspy_format,
    &tracemalloc_format,
    &procstack_format,
    &kernelstack_format,
    &sysrq_format,
    &dtrace_format,
    &bpftrace_format,
    &bcc_format,
    &systemtap_format,
    &macsample_format,
    &pmcstat_format,
    &wcp_format,
    &ljp_format,
    &vsprof_format,
    &vtune_format,
    &instruments_format,
    &ghc_format,
    &pprofraw_format,
    &xdebug_format,
    &jfrtext_format,
    NULL,
};
