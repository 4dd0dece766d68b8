/*
 * unreadable: a table of magic bytes, and of phrases at the start of reports.
 */
#include "fg-collapse/unreadable.h"

#include <string.h>

#include "base/text.h"

#define BYTES(s) (s), sizeof(s) - 1
#define ANYWHERE -1 /* anywhere in the first bytes */

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
    {0, BYTES("JAVA PROFILE 1.0"),
	{"a heap dump of Java (objects without the stacks of their allocation)",
	    "the output of jfr print --events ObjectAllocationSample of a flight recording"}},
    {0, BYTES("{\"snapshot\":{\"meta\":"),
	{"a heap snapshot of V8, which has no stacks", "a sampled profile (node --heap-prof)"}},
    /* Traces. */
    {72, BYTES("\2\0\2\300"),
	{"an event trace of Windows (ETL)",
	    "the output of Windows Performance Analyzer, or of PerfView, which saves speedscope"}},
    {72, BYTES("\2\0\1\300"),
	{"an event trace of Windows (ETL)",
	    "the output of Windows Performance Analyzer, or of PerfView, which saves speedscope"}},
    {4, BYTES("!FastSerialization.1"),
	{"an old recording of .NET (netperf, gcdump)", "one of dotnet-trace 3.0 or newer"}},
    {0, BYTES("\301\37\374\301"),
	{"a CTF trace (LTTng, perf data convert)",
	    "the output of perf script for the recording, or of babeltrace2"}},
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
    {ANYWHERE, BYTES("<svg"), {"a picture", "the folded stacks from which it was created"}},
    {ANYWHERE, BYTES("<html"), {"a page of HTML", "the profile from which it was created"}},
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
};

const struct unreadable *
unreadable_find(const char *data, size_t len)
{
	for (const struct sign *s = signs; s < signs + sizeof signs / sizeof signs[0]; s++)
		if (s->at == ANYWHERE ? text_has(data, len, s->sign)
				      : len >= (size_t)s->at + s->len &&
					    memcmp(data + s->at, s->sign, s->len) == 0)
			return &s->is;
	return NULL;
}
