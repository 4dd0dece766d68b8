/*
 * unreadable: a table of first bytes, and of words in the head of reports.
 */
#include "fg-collapse/unreadable.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

#define BYTES(s) (s), sizeof(s) - 1

static const struct sign {
	bool anywhere; /* in the head; false: its first bytes */
	const char *sign;
	size_t len;
	struct unreadable is;
} signs[] = {
    {false, BYTES("\177ELF"),
	{"a program or a library", "the output of perf script for a recording of it"}},
    {false, BYTES("PK\3\4"), {"a zip archive", "a file within"}},
    {false, BYTES("\37\213"), {"a file compressed twice", "the output of gzip -dc FILE"}},
    {false, BYTES("BZh"), {"a file compressed by bzip2", "the output of bzip2 -dc FILE"}},
    {false, BYTES("SQLite format 3"),
	{"an SQLite database", "an export of the tool that wrote it"}},
    {false, BYTES("memray"),
	{"a recording of memray", "the output of memray transform gprof2dot FILE"}},
    {false, BYTES("JAVA PROFILE 1.0"),
	{"a heap dump of Java, which has no stacks of allocations",
	    "the output of jfr print --events ObjectAllocationSample of a flight recording"}},
    {false, BYTES("Nettrace"),
	{"a recording of dotnet-trace",
	    "the output of dotnet-trace convert --format speedscope FILE"}},
    {false, BYTES("hdrb"),
	{"an event log of GHC", "the .prof file that the program writes with +RTS -p"}},
    {true, BYTES(" #instances         #bytes  class name"),
	{"the list of jmap -histo, which has no stacks",
	    "the output of jfr print --events ObjectAllocationSample of a flight recording"}},
    {true, BYTES("Shallow Heap"),
	{"a list of Eclipse's Memory Analyzer, which has no stacks",
	    "the output of jfr print --events ObjectAllocationSample of a flight recording"}},
    {true, BYTES("\nProfile data file '"),
	{"the text of callgrind_annotate", "the callgrind.out file that it was made of"}},
    {true, BYTES("\nData file:  "),
	{"the text of cg_annotate", "the callgrind.out file of the same program"}},
    {true, BYTES("\nMassif arguments:"),
	{"the text of ms_print", "the massif.out file that it was made of"}},
    {true, BYTES("Showing nodes accounting for "),
	{"the table of pprof -top, which has no stacks", "the output of pprof -raw"}},
};

const struct unreadable *
unreadable_find(const char *data, size_t len)
{
	for (const struct sign *s = signs; s < signs + sizeof signs / sizeof signs[0]; s++)
		if (s->anywhere ? text_has(data, len, s->sign)
				: len >= s->len && memcmp(data, s->sign, s->len) == 0)
			return &s->is;
	return NULL;
}
