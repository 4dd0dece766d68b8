/*
 * foreign: a table of how profiles and other files begin. Whether fg-collapse reads
 * one is decided by its formats; here it is only named.
 */
#include "profile/foreign.h"

#include <stdbool.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"
#include "base/value.h"
#include "profile/foldedheader.h"

#define LINES_LOOKED_AT 64

enum where {
	FIRST, /* the first bytes */
	SECOND, /* the second line begins with it */
	LINE, /* one of the first lines does */
	WITHIN, /* one of them has it */
};

#define BYTES(s) (s), sizeof(s) - 1

static const struct sign {
	enum where where;
	const char *sign;
	size_t len;
	struct foreign is;
} signs[] = {
    {FIRST, BYTES("PERFILE2"), {"a perf.data file of perf record", NULL}},
    {FIRST, BYTES("2ELIFREP"),
	{"a perf.data file of perf record from a machine of another byte order", NULL}},
    {FIRST, BYTES("\177ELF"),
	{"a program or a library", "the output of perf script for a recording of it"}},
    {FIRST, BYTES("FLR\0"), {"a recording of Java's Flight Recorder", NULL}},
    {FIRST, BYTES("PK\3\4"), {"a zip archive", "what is in it"}},
    {FIRST, BYTES("\37\213"), {"a file packed twice", "the output of gzip -dc FILE"}},
    {FIRST, BYTES("BZh"), {"a file packed by bzip2", "the output of bzip2 -dc FILE"}},
    {FIRST, BYTES("SQLite format 3"),
	{"an SQLite database", "an export of the tool that wrote it"}},
    {FIRST, BYTES("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0"), {"a CPU profile of gperftools", NULL}},
    {FIRST, BYTES("\0\0\0\0\3\0\0\0"), {"a CPU profile of gperftools", NULL}},
    {FIRST, BYTES("\373)\3"),
	{"statistics of Python's cProfile, which have no stacks",
	    "the output of py-spy record -f raw"}},
    {FIRST, BYTES("{)\3"),
	{"statistics of Python's cProfile, which have no stacks",
	    "the output of py-spy record -f raw"}},
    {FIRST, BYTES("<?xml"), {"XML", NULL}},
    {FIRST, BYTES("memray"),
	{"a recording of memray", "the output of memray transform gprof2dot FILE"}},
    {FIRST, BYTES("JAVA PROFILE 1.0"),
	{"a heap dump of Java, which has no stacks of what allocated",
	    "the output of jfr print --events ObjectAllocationSample of a flight recording"}},
    {WITHIN, BYTES(" #instances         #bytes  class name"),
	{"the list of jmap -histo, which has no stacks",
	    "the output of jfr print --events ObjectAllocationSample of a flight recording"}},
    {WITHIN, BYTES("Shallow Heap"),
	{"a list of Eclipse's Memory Analyzer, which has no stacks",
	    "the output of jfr print --events ObjectAllocationSample of a flight recording"}},
    {FIRST, BYTES("Nettrace"),
	{"a recording of dotnet-trace",
	    "the output of dotnet-trace convert --format speedscope FILE"}},
    {FIRST, BYTES("hdrb"),
	{"an event log of GHC", "the .prof file that the program writes with +RTS -p"}},
    {FIRST, BYTES("<svg"), {"a picture", NULL}},
    {FIRST, BYTES("<!DOCTYPE"), {"a page of HTML", NULL}},
    {FIRST, BYTES("<html"), {"a page of HTML", NULL}},
    {SECOND, BYTES("X "), {"a recording of heaptrack", NULL}},
    {LINE, BYTES("# callgrind format"), {"a profile of callgrind", NULL}},
    {LINE, BYTES("desc: I1 cache:"),
	{"a profile of cachegrind, which has no stacks", "one of callgrind"}},
    {LINE, BYTES("time_unit:"), {"a profile of massif", NULL}},
    {LINE, BYTES("events:"), {"a profile of callgrind", NULL}},
    {LINE, BYTES("Profile data file '"),
	{"the text of callgrind_annotate", "the callgrind.out file that it was made of"}},
    {LINE, BYTES("Data file:  "),
	{"the text of cg_annotate", "the cachegrind.out file that it was made of"}},
    {LINE, BYTES("Massif arguments:"),
	{"the text of ms_print", "the massif.out file that it was made of"}},
    {LINE, BYTES("Showing nodes accounting for "),
	{"the table of pprof -top, which has no stacks", "the output of pprof -raw"}},
    {LINE, BYTES("heap profile:"), {"a heap profile of pprof", NULL}},
    {FIRST, BYTES("heap_v2/"), {"a heap profile of jemalloc", NULL}},
    {LINE, BYTES("--- contention"), {"an old profile of pprof", NULL}},
    {LINE, BYTES("--- heapz "), {"an old profile of pprof", NULL}},
    {LINE, BYTES("--- threadz "), {"an old profile of pprof", NULL}},
    {FIRST, BYTES("goroutine profile: total "), {"an old profile of pprof", NULL}},
    {FIRST, BYTES("threadcreate profile: total "), {"an old profile of pprof", NULL}},
    {LINE, BYTES("PeriodType:"), {"the output of pprof -raw", NULL}},
    {WITHIN, BYTES("Time and Allocation Profiling Report"), {"a profile of GHC", NULL}},
    {LINE, BYTES("TRACE START ["), {"a trace of xdebug", NULL}},
    {LINE, BYTES("Flat profile:"),
	{"the output of gprof, which has no stacks", "the output of perf script"}},
    {LINE, BYTES("# To display the perf.data header info"),
	{"the output of perf report", "the output of perf script"}},
    {WITHIN, BYTES("stacks with outstanding allocations:"), {"the output of bcc's memleak", NULL}},
    {LINE, BYTES("Attaching "), {"the output of bpftrace", NULL}},
    {LINE, BYTES("@["), {"the output of bpftrace", NULL}},
    {LINE, BYTES("Analysis of sampling "), {"the output of sample on macOS", NULL}},
    {LINE, BYTES("Full thread dump "), {"a dump of Java's threads", NULL}},
    {LINE, BYTES("0SECTION "), {"a dump of Java's threads", NULL}},
    {LINE, BYTES("goroutine 1 ["), {"a dump of Go's goroutines", NULL}},
    {LINE, BYTES("#0  "), {"a backtrace", NULL}},
    {WITHIN, BYTES("Sample {"), {"the output of jfr print", NULL}},
    {WITHIN, BYTES(" memory blocks: "), {"the output of Python's tracemalloc", NULL}},
    {LINE, BYTES("CPU     ID "), {"the output of dtrace", NULL}},
};

static const struct foreign perf_script = {"the text of perf script", NULL};
static const struct foreign json = {"JSON", NULL};
static const struct foreign binary = {"a binary file", NULL};

/* The next line of [*at, end), without blanks at its end; false after the last whole one. */
static bool
next_line(const char **at, const char *end, struct str *line)
{
	const char *newline;

	if (*at >= end)
		return false;
	newline = memchr(*at, '\n', (size_t)(end - *at));
	if (newline == NULL)
		newline = end;
	*line = (struct str){*at, (size_t)(newline - *at)};
	*at = newline + 1;
	while (line->len > 0 && strchr(" \t\r", line->s[line->len - 1]) != NULL &&
	       line->s[line->len - 1] != '\0')
		line->len--;
	return true;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Whether a line ends in a number after a blank. */
static bool
is_stack(struct str line)
{
	const char *end = line.s + line.len, *s = end;
	value v;

	while (s > line.s && !is_blank(s[-1]))
		s--;
	return s > line.s && !is_blank(line.s[0]) && value_parse(s, end, &v) != VALUE_BAD;
}

/* What the lines are that are no comment. */
struct count {
	unsigned stacks, paths, others; /* paths: stacks of several frames */
	unsigned headers; /* lines that say what folded stacks are */
	bool whole; /* there is a newline */
};

static struct count
count_lines(const char *data, size_t len)
{
	const char *at = data, *end = data + len;
	struct count n = {0};
	struct str line, words;

	n.whole = memchr(data, '\n', len) != NULL;
	while (next_line(&at, end, &line)) {
		if (at > end && n.whole)
			break; /* the rest of it was not peeked at */
		if (line.len == 0 || text_starts(line.s, line.len, "# ")) {
			n.headers += foldedheader_key(line, &words) != FOLDEDHEADER_NONE;
			continue;
		}
		if (!is_stack(line))
			n.others++;
		else if (memchr(line.s, ';', line.len) != NULL)
			n.paths++;
		else
			n.stacks++;
	}
	return n;
}

/* JSON begins with an object, or a list of some; `[unknown];main 1` is a stack. */
static bool
is_json(const char *data, size_t len)
{
	size_t i = 0, list = 0;

	for (; i < len && strchr(" \t\r\n[", data[i]) != NULL && data[i] != '\0'; i++)
		list += data[i] == '[';
	return i < len && (data[i] == '{' || (data[i] == ']' && list > 0)) &&
	       memchr(data, '"', len) != NULL;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* `seconds.fraction:` somewhere, and after it a word that ends in a colon. */
static bool
has_time_and_event(struct str line)
{
	const char *end = line.s + line.len;

	for (const char *s = line.s, *colon; (colon = memchr(s, ':', (size_t)(end - s))) != NULL;
	     s = colon + 1) {
		const char *t = colon;

		while (t > line.s && is_digit(t[-1]))
			t--;
		if (t == colon || t - line.s < 3 || t[-1] != '.' || !is_digit(t[-2]))
			continue;
		for (t -= 2; t > line.s && is_digit(t[-1]);)
			t--;
		if (t == line.s || !is_blank(t[-1]))
			continue;
		for (s = colon + 1; (s = memchr(s, ':', (size_t)(end - s))) != NULL; s++)
			if (s > colon + 1 && !is_blank(s[-1]) && (s + 1 == end || is_blank(s[1])))
				return true;
		return false;
	}
	return false;
}

/* White space, a hexadecimal address, a blank. */
static bool
is_frame(struct str line)
{
	size_t i = 0, digits;

	while (i < line.len && is_blank(line.s[i]))
		i++;
	for (digits = i;
	     i < line.len && strchr("0123456789abcdef", line.s[i]) != NULL && line.s[i] != '\0';)
		i++;
	return digits > 0 && i > digits && i < line.len && is_blank(line.s[i]);
}

static bool
is_perf_script(const char *data, size_t len)
{
	const char *at = data, *end = data + len;
	struct str line;
	unsigned headers = 0, others = 0;
	bool header = false;

	for (int n = 0; n < LINES_LOOKED_AT && next_line(&at, end, &line); n++) {
		if (line.len == 0 || line.s[0] == '#')
			continue;
		if (header && is_frame(line))
			return true;
		header = has_time_and_event(line);
		if (header)
			headers++;
		else
			others++;
		header = header || line.s[line.len - 1] == ':';
	}
	return headers > others;
}

/* A line that may be a stack is no sign. */
static bool
has_sign(const char *data, size_t len, const struct sign *s)
{
	const char *at = data;
	struct str line;

	if (s->where == FIRST)
		return len >= s->len && memcmp(data, s->sign, s->len) == 0;
	for (int n = 0; n < LINES_LOOKED_AT && next_line(&at, data + len, &line); n++)
		if ((s->where == WITHIN ? text_has(line.s, line.len, s->sign)
					: text_starts(line.s, line.len, s->sign)) &&
		    (s->where != SECOND || n == 1) && !is_stack(line))
			return true;
	return false;
}

const struct foreign *
foreign_tell(const char *data, size_t len)
{
	struct count n = count_lines(data, len);

	if (n.paths > n.stacks + n.others)
		return NULL;
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
		if (has_sign(data, len, &signs[i]))
			return &signs[i].is;
	if (is_json(data, len))
		return &json;
	if (is_perf_script(data, len))
		return &perf_script;
	if (n.paths == 0 && memchr(data, '\0', len) != NULL)
		return &binary;
	return NULL;
}

int
foreign_folded(const char *data, size_t len)
{
	struct count n = count_lines(data, len);

	if (n.paths > n.stacks + n.others)
		return n.others == 0 ? 80 : n.paths > 4 * n.others ? 60 : 40;
	if (foreign_tell(data, len) != NULL)
		return 0;
	if (!n.whole && n.others == 1 && memchr(data, ';', len) != NULL)
		return 5; /* perhaps the beginning of one very long line */
	if (n.others == 0)
		return n.paths > 0 ? 60 : n.stacks + n.headers > 0 ? 20 : 0;
	return n.paths > 0 && n.paths + n.stacks >= n.others ? 10 : 0;
}

void
foreign_refuse(struct lines *in)
{
	size_t len;
	const char *data = lines_peek(in, &len);
	const struct foreign *f = len > 0 ? foreign_tell(data, len) : NULL;

	if (f != NULL)
		cli_die("%s: looks like %s, no folded stacks: pipe %s through fg-collapse",
		    lines_name(in), f->what, f->instead != NULL ? f->instead : "it");
}
