/*
 * unreadable: tables of magic bytes, of phrases at the start of reports, and of keys of JSON.
 */
#include "fg-collapse/unreadable.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "fg-collapse/shape/jsonsniff.h"

#define BYTES(s) (s), sizeof(s) - 1
#define ANYWHERE -1 /* anywhere in the first bytes */
#define MARKUP -2 /* anywhere, if the first character is `<` */
#define LINE -3 /* at the start of a line */

static const struct sign {
	int at; /* offset of the sign, or ANYWHERE */
	const char *sign;
	size_t len;
	struct unreadable is;
} signs[] = {
    /* Archives and other containers. */
    {257, BYTES("ustar"), {"a tar archive", "a file of the archive (tar -xf FILE)"}},
    {0, BYTES("PK\3\4"), {"a zip archive", "a file of the archive (unzip FILE)"}},
    {0, BYTES("7z\274\257\47\34"), {"a 7-Zip archive", "a file of the archive (7z x FILE)"}},
    {0, BYTES("xar!"), {"a xar archive", "a file of the archive (xar -xf FILE)"}},
    {0, BYTES("\37\213"), {"a file compressed twice", "the output of gzip -dc FILE"}},
    {0, BYTES("BZh"), {"a file compressed with bzip2", "the output of bzip2 -dc FILE"}},
    {0, BYTES("\4\"M\30"), {"a file compressed with lz4", "the output of lz4 -dc FILE"}},
    {0, BYTES("\2!L\30"), {"a file compressed with lz4", "the output of lz4 -dc FILE"}},
    {0, BYTES("\211LZO"), {"a file compressed with lzop", "the output of lzop -dc FILE"}},
    {0, BYTES("SQLite format 3"), {"an SQLite database", "an export of the tool that wrote it"}},
    {0, BYTES("PAR1"), {"a Parquet table", "the same profile as pprof"}},
    {0, BYTES("bplist00"), {"a property list of macOS", "the output of xctrace export"}},
    /* Programs and memory dumps. */
    {0, BYTES("\177ELF"),
	{"a program, a library or a core dump",
	    "the output of perf script for a recording of it, or of gdb -batch -ex 'thread apply "
	    "all bt'"}},
    {0, BYTES("MZ"), {"a program for Windows", "a profile of it"}},
    {0, BYTES("\317\372\355\376"), {"a program for macOS", "a profile of it"}},
    {0, BYTES("MDMP"), {"a minidump of Windows", "the output of lldb -o 'bt all' for it"}},
    {0, BYTES("{\"snapshot\":{\"meta\":"),
	{"a heap snapshot of V8, which has no stacks", "a sampled profile (node --heap-prof)"}},
    /* Traces. */
    {0, BYTES("\136\227\312\375"),
	{"a capture of Sysprof", "the recording of fg-record -a, or of perf record -a -g"}},
    {0, BYTES("\375\312\227\136"),
	{"a capture of Sysprof", "the recording of fg-record -a, or of perf record -a -g"}},
    {0, BYTES("\20\0\4FxT\26\0"),
	{"a trace of Fuchsia (fxt)",
	    "the JSON of Perfetto's trace_processor_shell or of traceconv json"}},
    {0, BYTES("go 1."),
	{"an execution trace of Go", "the output of go tool trace -pprof=sched FILE"}},
    {0, BYTES("JsonSlab"),
	{"a profile of Firefox as JsonSlabs",
	    "the profile that profiler.firefox.com saves as JSON"}},
    {72, BYTES("\2\0\2\300"),
	{"an event trace of Windows (ETL)",
	    "the output of Windows Performance Analyzer, or of PerfView, which saves speedscope"}},
    {72, BYTES("\2\0\1\300"),
	{"an event trace of Windows (ETL)",
	    "the output of Windows Performance Analyzer, or of PerfView, which saves speedscope"}},
    {ANYWHERE, BYTES("Graphs.MemoryGraph"),
	{"a heap graph of .NET (dotnet-gcdump), which has no stacks",
	    "the file of dotnet-trace collect --profile gc-verbose -p PID"}},
    {4, BYTES("!FastSerialization.1"),
	{"an old recording of .NET (netperf)", "one of dotnet-trace 3.0 or newer"}},
    {0, BYTES("\301\37\374\301"),
	{"a CTF trace (LTTng, perf data convert, OCaml's memtrace)",
	    "the output of perf script for the recording, or memtrace_hotspots for OCaml's"}},
    {0, BYTES("\301\374\37\301"),
	{"a CTF trace (LTTng)", "the output of perf script for a recording, or of babeltrace2"}},
    {0, BYTES("\127\35\321\165"),
	{"the metadata of a CTF trace", "the output of perf script for a recording"}},
    {0, BYTES("/* CTF 1.8 */"),
	{"the metadata of a CTF trace", "the output of perf script for a recording"}},
    {0, BYTES("Ftrace!"),
	{"the info file of uftrace", "the output of uftrace dump --flame-graph -d DIR"}},
    {0, BYTES("tr\375P"), {"a trace of Tracy", "the output of tracy-csvexport"}},
    {0, BYTES("hdrb"),
	{"an event log of GHC", "the .prof file that the program writes with +RTS -p"}},
    {0, BYTES("memray"),
	{"a recording of memray",
	    "the page of memray flamegraph FILE, or the output of memray transform gprof2dot "
	    "FILE"}},
    {0, BYTES("\324\303\262\241"), {"a capture of network packets", "a profile"}},
    {0, BYTES("\n\r\r\n"), {"a capture of network packets", "a profile"}},
    {0, BYTES("adcg"), {"counts of gcov", "the output of perf script for a recording"}},
    /* Images and web pages. */
    {0, BYTES("\211PNG"), {"a picture", "the profile from which it was created"}},
    {MARKUP, BYTES("async-profiler"),
	{"a page of async-profiler", "the output of jfrconv -o collapsed FILE"}},
    {MARKUP, BYTES("<GCHeapDump"),
	{"a heap graph of .NET as XML, which has no stacks",
	    "the file of dotnet-trace collect --profile gc-verbose -p PID"}},
    {MARKUP, BYTES("<StackWindow"),
	{"an XML file of PerfView",
	    "PerfView's File, Save View As, with the suffix .speedscope.json"}},
    {MARKUP, BYTES("<svg"), {"a picture", "the folded stacks from which it was created"}},
    {MARKUP, BYTES("<html"), {"a page of HTML", "the profile from which it was created"}},
    /* Reports without stacks. */
    {ANYWHERE, BYTES(" #instances         #bytes  class name"),
	{"the list of jmap -histo, which has no stacks",
	    "the output of jfr print --events ObjectAllocationSample of a flight recording"}},
    {ANYWHERE, BYTES("Shallow Heap"),
	{"a list of Eclipse's Memory Analyzer, which has no stacks",
	    "the output of jfr print --events ObjectAllocationSample of a flight recording"}},
    {ANYWHERE, BYTES("\nProfile data file '"),
	{"the text of callgrind_annotate", "the callgrind.out file from which it was created"}},
    {ANYWHERE, BYTES("\nData file:  "),
	{"the text of cg_annotate", "the callgrind.out file of the same program"}},
    {ANYWHERE, BYTES("\nMassif arguments:"),
	{"the text of ms_print", "the massif.out file from which it was created"}},
    {ANYWHERE, BYTES("Showing nodes accounting for "),
	{"the table of pprof -top, which has no stacks", "the output of pprof -raw"}},
    {ANYWHERE, BYTES("time    cpu  task name"),
	{"a report of perf sched timehist",
	    "the recording: perf sched record -g, then fg-collapse perf.data"}},
    {ANYWHERE, BYTES("Performance counter stats for"),
	{"a report of perf stat, which has no stacks", "the recording of perf record -g COMMAND"}},
    {ANYWHERE, BYTES("Source code & Disassembly of"),
	{"the text of perf annotate", "the output of perf script for the recording"}},
    {ANYWHERE, BYTES("Shared Data Cache Line Table"),
	{"a report of perf c2c",
	    "the output of perf script for the recording of perf c2c record -g"}},
    {ANYWHERE, BYTES("contended   total wait"),
	{"a report of perf lock",
	    "the output of perf script for the recording of perf lock record -g"}},
    {ANYWHERE, BYTES("% time     seconds  usecs/call"),
	{"a table of strace -c or ltrace -c, which has no stacks",
	    "the recording of perf trace record --call-graph fp COMMAND"}},
    {ANYWHERE, BYTES("execve(\""),
	{"the output of strace", "the recording of perf trace record --call-graph fp COMMAND"}},
    {ANYWHERE, BYTES("Functions sorted by metric:"),
	{"a report of gprofng", "the output of perf script for a recording of the program"}},
    {ANYWHERE, BYTES("PEAK MEMORY CONSUMERS"),
	{"the text of heaptrack_print", "the file of heaptrack from which it was created"}},
    {ANYWHERE, BYTES("# tracer: function_graph"),
	{"a trace of the kernel's function_graph tracer",
	    "the file of trace-cmd record -e sched_switch -T"}},
    {ANYWHERE, BYTES("# tracer: "),
	{"a trace of the kernel (ftrace)", "the file of trace-cmd record -T with the same events"}},
    {ANYWHERE, BYTES("DURATION     TID"),
	{"the text of uftrace replay", "the output of uftrace dump --flame-graph -d DIR"}},
    {ANYWHERE, BYTES("Total time   Self time"),
	{"the text of uftrace report", "the output of uftrace dump --flame-graph -d DIR"}},
    {ANYWHERE, BYTES("Child-SP          RetAddr"),
	{"stacks of WinDbg", "the output of lldb -o 'bt all' for the dump"}},
    {ANYWHERE, BYTES("Heaviest stack for the target process"),
	{"a report of spindump", "the output of sample PID"}},
    {ANYWHERE, BYTES("Incident Identifier:"),
	{"a crash report of macOS or iOS", "the output of lldb -o 'bt all' for the core dump"}},
    {ANYWHERE, BYTES("leaks Report Version:"),
	{"a report of leaks", "the output of xctrace export for a recording with Allocations"}},
    {ANYWHERE, BYTES("Traceback (most recent call last):"),
	{"tracebacks of Python",
	    "the output of py-spy dump --pid PID, or of py-spy record -f raw"}},
    {ANYWHERE, BYTES("*** *** *** *** ***"),
	{"a tombstone of Android", "the stacks of debuggerd -b PID, or a recording of simpleperf"}},
    {ANYWHERE, BYTES("\nstack backtrace:\n"),
	{"the backtrace of a panic",
	    "the output of gdb -batch -ex 'thread apply all bt' for the core dump"}},
    {ANYWHERE, BYTES("{analysis_options"),
	{"an analysis of Erlang's fprof",
	    "the recording of fg-record, which reads the stacks of BEAM"}},
    {ANYWHERE, BYTES("CALLS        %"),
	{"a table of Erlang's eprof, which has no stacks",
	    "the recording of fg-record, which reads the stacks of BEAM"}},
    {ANYWHERE, BYTES("name,src_file,src_line,total_ns"),
	{"zones of Tracy, which have no stacks",
	    "the output of perf script for a recording of the program"}},
    {ANYWHERE, BYTES("--- Execution profile ---"),
	{"the text of async-profiler", "the output of async-profiler with -o collapsed"}},
    {ANYWHERE, BYTES("Event Type                              Count  Size (bytes)"),
	{"the summary of jfr", "the flight recording itself"}},
    {ANYWHERE, BYTES("Line #      Hits"),
	{"a table of Python's line_profiler, which has no stacks",
	    "the output of py-spy record -f raw"}},
    {ANYWHERE, BYTES("Line #    Mem usage"),
	{"a table of Python's memory_profiler, which has no stacks",
	    "the page of memray flamegraph FILE"}},
    {ANYWHERE, BYTES("Clock type: "),
	{"a table of Python's yappi, which has no stacks",
	    "yappi's save(FILE, type=\"callgrind\")"}},
    {ANYWHERE, BYTES("Measure Mode: "),
	{"a report of ruby-prof", "ruby-prof -p call_tree, which writes callgrind's format"}},
    {ANYWHERE, BYTES("Statistical profiling result from"),
	{"the text of node --prof-process", "the isolate*.log from which it was created"}},
    {ANYWHERE, BYTES("[Bottom up (heavy) profile]:"),
	{"a part of the text of node --prof-process",
	    "the isolate*.log from which it was created"}},
    {ANYWHERE, BYTES("Object Bytes     Count  Type"),
	{"a table of dotnet-gcdump, which has no stacks",
	    "the file of dotnet-trace collect --profile gc-verbose -p PID"}},
    {ANYWHERE, BYTES("Timestamp,Provider,Counter Name"),
	{"counters of dotnet-counters", "the file of dotnet-trace collect -p PID"}},
    {ANYWHERE, BYTES("Thread (0x"),
	{"stacks of dotnet-stack", "the file of dotnet-trace collect -p PID"}},
    {ANYWHERE, BYTES("-----------+-----"),
	{"the text of pprof -traces", "the output of pprof -raw"}},
    {ANYWHERE, BYTES("digraph "),
	{"a graph for Graphviz", "the profile from which it was created"}},
    {ANYWHERE, BYTES("AMDuProf"),
	{"a report of AMD uProf", "the output of perf script for a recording of the program"}},
    {ANYWHERE, BYTES("Elapsed Time: "),
	{"a summary of VTune",
	    "the output of vtune -report top-down -call-stack-mode all -format csv"}},
    {ANYWHERE, BYTES("FUNC                                    COUNT"),
	{"counts of bcc's funccount, which have no stacks", "the output of stackcount FUNCTION"}},
    /* Reports and logs that have no stacks, and the recordings that have. */
    {ANYWHERE, BYTES("Task                  |   Runtime ms"),
	{"a report of perf sched latency",
	    "the recording: perf sched record -g, then fg-collapse perf.data"}},
    {ANYWHERE, BYTES("PerfTop:"),
	{"a screen of perf top", "the recording of perf record -g COMMAND"}},
    {ANYWHERE, BYTES(" Summary of events:"),
	{"a summary of perf trace, which has no stacks",
	    "the recording of perf trace record --call-graph fp COMMAND"}},
    {ANYWHERE, BYTES(".. [continued]: "),
	{"the text of perf trace", "the recording of perf trace record --call-graph fp COMMAND"}},
    {ANYWHERE, BYTES("Analyze events for all VMs"),
	{"a report of perf kvm stat", "the recording of perf kvm record -g"}},
    {ANYWHERE, BYTES("# Running '"),
	{"results of perf bench", "the recording of perf record -g perf bench ..."}},
    {ANYWHERE, BYTES("Memcheck, a memory error detector"),
	{"a report of valgrind's memcheck without leaks",
	    "the output of valgrind --leak-check=full COMMAND"}},
    {ANYWHERE, BYTES("Massif, a heap profiler"),
	{"messages of valgrind's massif", "the file massif.out.PID that it wrote"}},
    {ANYWHERE, BYTES("Callgrind, a call-graph"),
	{"messages of valgrind's callgrind", "the file callgrind.out.PID that it wrote"}},
    {ANYWHERE, BYTES("Cachegrind, a "),
	{"messages of valgrind's cachegrind", "the file cachegrind.out.PID that it wrote"}},
    {ANYWHERE, BYTES("DHAT, a dynamic heap analysis tool"),
	{"messages of valgrind's DHAT", "the file dhat.out.PID that it wrote"}},
    {ANYWHERE, BYTES("a thread error detector"),
	{"a report of a race detector, which has no weights",
	    "the recording of fg-record, or of perf record -g"}},
    {ANYWHERE, BYTES("WARNING: ThreadSanitizer:"),
	{"a report of ThreadSanitizer, which has no weights",
	    "the recording of fg-record, or of perf record -g"}},
    {ANYWHERE, BYTES("ERROR: AddressSanitizer:"),
	{"a report of AddressSanitizer without leaks",
	    "a report of LeakSanitizer (ASAN_OPTIONS=detect_leaks=1)"}},
    {LINE, BYTES("strace: Process "),
	{"the output of strace", "the recording of perf trace record --call-graph fp COMMAND"}},
    {ANYWHERE, BYTES("+++ exited (status "),
	{"the output of ltrace", "the recording of perf record -g COMMAND"}},
    {ANYWHERE, BYTES("+++ exited with "),
	{"the output of strace", "the recording of perf trace record --call-graph fp COMMAND"}},
    {ANYWHERE, BYTES("<unfinished ...>"),
	{"the output of strace", "the recording of perf trace record --call-graph fp COMMAND"}},
    {ANYWHERE, BYTES("PID USER      PR  NI"),
	{"a screen of top, which has no stacks",
	    "the recording of fg-record -a, or of perf record -a -g"}},
    {ANYWHERE, BYTES("PID TTY          TIME CMD"),
	{"a list of ps, which has no stacks",
	    "the recording of fg-record -a, or of perf record -a -g"}},
    {LINE, BYTES("COMMAND    PID "),
	{"a list of lsof, which has no stacks",
	    "the recording of fg-record -a, or of perf record -a -g"}},
    {LINE, BYTES("USER         PID %CPU"),
	{"a list of ps, which has no stacks",
	    "the recording of fg-record -a, or of perf record -a -g"}},
    {LINE, BYTES("USER       PID %CPU"),
	{"a list of ps, which has no stacks",
	    "the recording of fg-record -a, or of perf record -a -g"}},
    {ANYWHERE, BYTES("-----------memory----------"),
	{"a table of vmstat, which has no stacks",
	    "the recording of fg-record -a, or of perf record -a -g"}},
    {ANYWHERE, BYTES("avg-cpu:  %user"),
	{"a table of iostat, which has no stacks",
	    "the stacks of waits: fg-record --off-cpu, or biostacks of bpftrace"}},
    {ANYWHERE, BYTES("   UID       PID "),
	{"a table of pidstat, which has no stacks",
	    "the recording of fg-record -a, or of perf record -a -g"}},
    {ANYWHERE, BYTES("CPU    %usr   %nice"),
	{"a table of mpstat, which has no stacks",
	    "the recording of fg-record -a, or of perf record -a -g"}},
    {ANYWHERE, BYTES("CPU     %user     %nice"),
	{"a table of sar, which has no stacks",
	    "the recording of fg-record -a, or of perf record -a -g"}},
    {ANYWHERE, BYTES("    total        used        free"),
	{"a table of free, which has no stacks", "a heap profile (fg-record --heap)"}},
    {LINE, BYTES(" Active / Total Objects"),
	{"a table of slabtop, which has no stacks",
	    "the stacks of page_owner, or a recording of perf record -g -e kmem:kmalloc"}},
    {ANYWHERE, BYTES("Maximum resident set size"),
	{"the statistics of time -v, which have no stacks",
	    "the recording of fg-record, or of perf record -g"}},
    {ANYWHERE, BYTES("----total-cpu-usage----"),
	{"a table of dstat, which has no stacks",
	    "the recording of fg-record -a, or of perf record -a -g"}},
    {ANYWHERE, BYTES("Avg_MHz"),
	{"a table of turbostat, which has no stacks",
	    "the recording of fg-record -a, or of perf record -a -g"}},
    {ANYWHERE, BYTES(": count     distribution"),
	{"a histogram of bcc, which has no stacks", "the output of stackcount FUNCTION"}},
    {ANYWHERE, BYTES("|@@@@@"),
	{"a histogram of bpftrace, which has no stacks", "maps whose key has kstack or ustack"}},
    {ANYWHERE, BYTES("[gc] Using "),
	{"a log of Java's garbage collector, which has no stacks",
	    "a flight recording (jcmd PID JFR.start settings=profile)"}},
    {ANYWHERE, BYTES("[GC ("),
	{"a log of Java's garbage collector, which has no stacks",
	    "a flight recording (jcmd PID JFR.start settings=profile)"}},
    {ANYWHERE, BYTES("[gc          "),
	{"a log of Java's garbage collector, which has no stacks",
	    "a flight recording (jcmd PID JFR.start settings=profile)"}},
    {LINE, BYTES("gc 1 @"),
	{"a trace of Go's garbage collector, which has no stacks",
	    "the heap profile: curl localhost:6060/debug/pprof/heap"}},
    {ANYWHERE, BYTES(" ms: Scavenge "),
	{"a trace of V8's garbage collector, which has no stacks",
	    "a sampled profile (node --heap-prof)"}},
    {ANYWHERE, BYTES("Native Memory Tracking:"),
	{"a report of Java's native memory, which has no stacks",
	    "a heap profile (fg-record --heap -p PID)"}},
    {ANYWHERE, BYTES("  S0C    S1C "),
	{"a table of jstat, which has no stacks",
	    "a flight recording (jcmd PID JFR.start settings=profile)"}},
    {ANYWHERE, BYTES("A fatal error has been detected by the Java Runtime Environment"),
	{"an error report of Java", "the stacks of jhsdb jstack --core CORE --exe JAVA"}},
    {LINE, BYTES("SF:"), {"counts of lcov, which have no stacks", "a profile of the program"}},
    {ANYWHERE, BYTES("-:    0:Source:"),
	{"counts of gcov, which have no stacks", "a profile of the program"}},
    {LINE, BYTES("mode: set\n"),
	{"counts of Go's cover, which have no stacks", "the profile of go test -cpuprofile"}},
    {LINE, BYTES("mode: atomic\n"),
	{"counts of Go's cover, which have no stacks", "the profile of go test -cpuprofile"}},
    {LINE, BYTES("mode: count\n"),
	{"counts of Go's cover, which have no stacks", "the profile of go test -cpuprofile"}},
    {MARKUP, BYTES("<coverage"),
	{"counts of a coverage tool, which have no stacks", "a profile of the program"}},
    {MARKUP, BYTES("JACOCO"),
	{"counts of JaCoCo, which have no stacks", "a profile of the program"}},
    {ANYWHERE, BYTES("% self  % total  name"),
	{"a summary of rbspy", "the output of rbspy record --format collapsed"}},
    {ANYWHERE, BYTES("Overhead ╎"),
	{"the text of Julia's Profile.print", "the file that pprof() of PProf.jl writes"}},
    {ANYWHERE, BYTES("$by.self"), {"a summary of R's summaryRprof", "the file of Rprof itself"}},
    {LINE, BYTES("NYTProf "),
	{"a recording of Devel::NYTProf", "the output of nytprofcalls, which has folded stacks"}},
    {ANYWHERE, BYTES("Self CPU %      Self CPU"),
	{"a table of PyTorch's profiler", "the file of prof.export_chrome_trace()"}},
    {LINE, BYTES("BEGIN_SAMPLE"),
	{"a heap profile of GHC over time, which has no stacks",
	    "the .prof file that the program writes with +RTS -p"}},
    {LINE, BYTES("=erl_crash_dump:"),
	{"a crash dump of Erlang", "the recording of fg-record, which reads the stacks of BEAM"}},
    {LINE, BYTES("CMDLINE "),
	{"samples of memory of mprof, which have no stacks", "the page of memray flamegraph FILE"}},
    {ANYWHERE, BYTES("Functions (Exclusive)"),
	{"a table of dotnet-trace report", "the file of dotnet-trace collect -p PID"}},
    {ANYWHERE, BYTES("Flat profile of "),
	{"the flat profile of an old JVM",
	    "a flight recording (jcmd PID JFR.start settings=profile)"}},
    {ANYWHERE, BYTES("image name               symbol name"),
	{"a report of opreport", "the output of perf script for a recording of the program"}},
    {ANYWHERE, BYTES("GPU activities:"),
	{"a summary of nvprof, which has no stacks", "the recording of perf record -g COMMAND"}},
    {ANYWHERE, BYTES("CUDA GPU Kernel Summary"),
	{"a summary of Nsight Systems", "the recording of perf record -g COMMAND"}},
    {LINE, BYTES("==PROF== "),
	{"messages of Nsight Compute", "the recording of perf record -g COMMAND"}},
    {ANYWHERE, BYTES("_TIME\n# Name Calls"),
	{"a profile of TAU", "the output of perf script for a recording of the program"}},
    {MARKUP, BYTES("<HPCToolkitExperiment"),
	{"an experiment of HPCToolkit",
	    "the output of perf script for a recording of the program"}},
    {ANYWHERE, BYTES("Time variable "),
	{"the report of gcc -ftime-report, which has no stacks",
	    "the recording of perf record -g gcc ..., or clang's -ftime-trace"}},
    {ANYWHERE, BYTES("... Pass execution timing report ..."),
	{"the report of clang -ftime-report, which has no stacks",
	    "the file of clang -ftime-trace"}},
    {LINE, BYTES("# ninja log v"), {"a log of ninja", "the files of clang -ftime-trace"}},
    {ANYWHERE, BYTES("QUERY PLAN"),
	{"a plan of a database, which has no stacks",
	    "a recording of the server: fg-record -p PID"}},
    {ANYWHERE, BYTES("(+\?.\?\?\?"),
	{"the text of babeltrace", "the output of perf script for a recording"}},
    {ANYWHERE, BYTES("Virtual Memory Map of process"),
	{"a report of vmmap", "the output of sample PID"}},
    {ANYWHERE, BYTES("(PDH-CSV 4.0)"),
	{"counters of Windows", "PerfView's File, Save View As, with the suffix .speedscope.json"}},
};

/* Keys of JSON, as for json_find. */
static const struct {
	const char *path;
	struct unreadable is;
} keys[] = {
    {"snapshot.meta",
	{"a heap snapshot of V8, which has no stacks", "a sampled profile (node --heap-prof)"}},
    {"log.creator", {"a HAR file of a browser", "a trace of Chrome's DevTools, Performance, Save"}},
    {"lighthouseVersion", {"a report of Lighthouse", "a trace (lighthouse --save-assets)"}},
    {"header.reportVersion",
	{"a diagnostic report of Node.js", "a sampled profile (node --cpu-prof)"}},
    {"resourceSpans", {"spans of OpenTelemetry", "a profile"}},
    {"data.*.traceID", {"spans of Jaeger", "a profile"}},
    {"max_footprint_mb",
	{"a profile of Scalene, which has no stacks", "the output of py-spy record -f raw"}},
    {"app_name",
	{"a crash report of macOS or iOS", "the output of lldb -o 'bt all' for the core dump"}},
    {"main().ct", {"a profile of xhprof, which has only pairs of functions",
		      "the output of phpspy, or of Xdebug"}},
    {"recording.events", {"the JSON of jfr print", "the flight recording itself"}},
    {"*.method",
	{"a log of Chrome's DevTools protocol", "a trace of Chrome's DevTools, Performance, Save"}},
    {"frame_tree.identifier",
	{"the tree of a page of pyinstrument", "the session: pyinstrument -o FILE.pyisession"}},
    {"root_frame.function",
	{"the tree of pyinstrument -r json", "the session: pyinstrument -o FILE.pyisession"}},
    {"meta.show_contexts", {"counts of coverage.py, which have no stacks", "a profile of it"}},
    {"*.statementMap",
	{"counts of Istanbul, which have no stacks", "a sampled profile (node --cpu-prof)"}},
    {"result.*.functions.*.ranges",
	{"counts of V8's coverage", "a sampled profile (node --cpu-prof)"}},
    {"*.frames.*.short_filename",
	{"the JSON of py-spy dump", "the output of py-spy dump without --json"}},
    {"Events.*.counterType",
	{"counters of dotnet-counters", "the file of dotnet-trace collect -p PID"}},
    {"*.jmhVersion", {"results of JMH, which have no stacks",
			 "the output of JMH with -prof async:output=collapsed"}},
    {"results.*.times",
	{"results of hyperfine, which have no stacks", "the recording of perf record -g COMMAND"}},
    {"*.Plan", {"a plan of PostgreSQL, which has no stacks",
		   "a recording of the server: fg-record -p PID"}},
    {"constants.logEventTypes",
	{"a network log of Chrome", "a trace of Chrome's DevTools, Performance, Save"}},
    {"Event=SparkListenerLogStart",
	{"an event log of Spark", "stacks of its JVMs: a flight recording"}},
    {"hasMozMallocUsableSize",
	{"a report of Firefox's about:memory", "a profile of profiler.firefox.com"}},
    {"callStackTree.callStacks",
	{"stacks of MetricKit, which have no names", "the output of sample PID"}},
    {"benchmarks.*.name", {"results of a benchmark", "a profile of the program"}},
    {"traceEvents", {"a trace without events", "a trace of Chrome's DevTools, Performance, Save"}},
};

/* Beginnings of lines of documents. */
#define QUOTED "only the lines of the profile, if it quotes one"
static const struct {
	const char *line;
	int sure; /* a format surer than this one is believed instead */
	struct unreadable is;
} documents[] = {
    {"```", 100, {"a text in Markdown", QUOTED}},
    {".SH ", 100, {"a manual page", QUOTED}},
    {".TH ", 100, {"a manual page", QUOTED}},
    {".Sh ", 100, {"a manual page", QUOTED}},
    {"\\input texinfo", 100, {"a text in Texinfo", QUOTED}},
    {"\\documentclass", 100, {"a text in LaTeX", QUOTED}},
    {"Demonstrations of ", 100, {"a description of a tool", QUOTED}}, /* of bcc and bpftrace */
    {"#!/", 60, {"a script", "a profile of it"}},
    {"#incl", 60, {"a source file", "a profile of the program"}},
    {"import ", 90, {"a source file", "a profile of the program"}},
    {"from ", 60, {"a source file", "a profile of the program"}},
    {"#define ", 97, {"a source file", "a profile of the program"}},
    {"#if", 97, {"a source file", "a profile of the program"}},
    {"def ", 90, {"a source file", "a profile of the program"}},
    {"class ", 60, {"a source file", "a profile of the program"}},
    {"package ", 97, {"a source file", "a profile of the program"}},
};

static bool
matches(const struct sign *s, const char *data, size_t len)
{
	if (len == 0)
		return false;
	if (s->at >= 0)
		return len >= (size_t)s->at + s->len && memcmp(data + s->at, s->sign, s->len) == 0;
	if (s->at == LINE) {
		for (const char *at = data, *end = data + len; at != NULL && at < end;) {
			if (text_starts(at, (size_t)(end - at), s->sign))
				return true;
			at = memchr(at, '\n', (size_t)(end - at));
			at += at != NULL;
		}
		return false;
	}
	if (s->at == MARKUP) {
		size_t blanks = 0;

		while (blanks < len && strchr(" \t\r\n\xef\xbb\xbf", data[blanks]) != NULL &&
		       data[blanks] != '\0')
			blanks++;
		if (blanks == len || data[blanks] != '<')
			return false;
	}
	return text_has(data, len, s->sign);
}

const struct unreadable *
unreadable_find(const char *data, size_t len)
{
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (json_find_paths(data, len, &keys[i].path, 1) != 0)
			return &keys[i].is;
	for (const struct sign *s = signs; s < signs + sizeof signs / sizeof signs[0]; s++)
		if (matches(s, data, len))
			return &s->is;
	return NULL;
}

const struct unreadable *
unreadable_document(const char *data, size_t len, int sure)
{
	static const struct unreadable page = {"a page of HTML", QUOTED};
	const char *end = data + len;
	bool first[256] = {false}; /* by the first character of a line: it may be a sign */
	size_t blanks = text_starts(data, len, "\xef\xbb\xbf") ? 3 : 0;

	while (blanks < len && (data[blanks] == ' ' || data[blanks] == '\n'))
		blanks++;
	if (len - blanks > 9 && (strncasecmp(data + blanks, "<!doctype", 9) == 0 ||
				    strncasecmp(data + blanks, "<html", 5) == 0))
		return &page;
	for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++)
		first[(unsigned char)documents[i].line[0]] |= sure <= documents[i].sure;
	for (const char *at = data, *newline; at < end; at = newline + 1) {
		for (size_t i = 0;
		     first[(unsigned char)*at] && i < sizeof documents / sizeof documents[0]; i++)
			if (*at == documents[i].line[0] && sure <= documents[i].sure &&
			    text_starts(at, (size_t)(end - at), documents[i].line))
				return &documents[i].is;
		if ((newline = memchr(at, '\n', (size_t)(end - at))) == NULL)
			break;
	}
	return NULL;
}
