/*
 * formats: the table of all formats, in the order of --list-formats.
 */
#include "fg-collapse/format.h"

/* A row for each format: NAME stands for NAME_format, of format/NAME.c or NAME/NAME.c. */
/* clang-format off */
#define FORMATS(row) \
	row(perfscript) \
	row(perfdata) \
	row(perfjson) \
	row(tracedat) \
	row(folded) \
	row(svg) \
	row(gdb) \
	row(eustack) \
	row(coredumpctl) \
	row(lldb) \
	row(jstack) \
	row(jstackjson) \
	row(actuator) \
	row(javacore) \
	row(javaexception) \
	row(hprof) \
	row(goroutine) \
	row(faulthandler) \
	row(pyspy) \
	row(tracemalloc) \
	row(pyinstrument) \
	row(procstack) \
	row(kernelstack) \
	row(sysrq) \
	row(crash) \
	row(ftrace) \
	row(ftracehist) \
	row(pageowner) \
	row(dtrace) \
	row(bpftrace) \
	row(bpftracejson) \
	row(bcc) \
	row(systemtap) \
	row(macsample) \
	row(pmcstat) \
	row(wcp) \
	row(ljp) \
	row(vsprof) \
	row(vtune) \
	row(instruments) \
	row(xctrace) \
	row(ghc) \
	row(ghcjson) \
	row(pprof) \
	row(pprofraw) \
	row(pproflegacy) \
	row(gperftools) \
	row(heap) \
	row(xdebug) \
	row(phpspy) \
	row(rprof) \
	row(importtime) \
	row(cpuprofile) \
	row(heapprofile) \
	row(otlp) \
	row(otlpjson) \
	row(chrometrace) \
	row(firefox) \
	row(speedscope) \
	row(pyroscope) \
	row(stackprof) \
	row(jfr) \
	row(jfrtext) \
	row(austin) \
	row(mojo) \
	row(v8log) \
	row(safari) \
	row(memray) \
	row(art) \
	row(nettrace) \
	row(perfetto) \
	row(simpleperf) \
	row(simpleperftext) \
	row(perfsched) \
	row(perfreport) \
	row(callgrind) \
	row(massif) \
	row(dhat) \
	row(memcheck) \
	row(lsan) \
	row(heaptrack) \
	row(gprof2dot) \
	row(cachegrind) \
	row(pstats) \
	row(cprofile) \
	row(gprof)
/* clang-format on */

#define DECLARE(name) extern const struct format name##_format;
FORMATS(DECLARE)

#define ENTRY(name) &name##_format,
const struct format *const formats[] = {FORMATS(ENTRY) NULL};
