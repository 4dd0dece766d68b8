/*
 * foldedtest: classifies and counts the lines of the head. They are folded stacks when more
 * than half are stacks of several frames, or when every line is a stack. In the second case
 * most lines must not be rows of a table: perf script without call chains and the listings of
 * other profilers have several numbers a line, a stack of one frame rarely has.
 */
#include "profile/foldedtest.h"

#include <string.h>

#include "base/cli.h"
#include "base/value.h"
#include "profile/foldedheader.h"

#define SHOWN 60 /* bytes of an offending line in the message */

struct count {
	unsigned lines; /* neither blank nor comments */
	unsigned paths; /* stacks of several frames */
	unsigned singles; /* stacks of one frame */
	unsigned rows; /* stacks of one frame with several numbers */
	unsigned metrics; /* comments of Prometheus metrics */
	unsigned headers; /* header lines of folded(5) */
	struct str row; /* the first of rows */
	uint64_t row_line;
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool
is_number(const char *s, const char *end)
{
	value v;

	return value_parse(s, end, &v) != VALUE_BAD;
}

static bool
has_control(struct str line)
{
	for (size_t i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.s[i];

		if ((c < ' ' && c != '\t' && c != '\r') || c == 0x7f)
			return true;
	}
	return false;
}

/* Splits off the stack before the value; false when the line is not a stack and its value. */
static bool
cut_value(struct str line, struct str *stack)
{
	const char *end = line.s + line.len, *s = end;

	while (s > line.s && !is_blank(s[-1]))
		s--;
	if (s == line.s || !is_number(s, end))
		return false;
	while (s > line.s && is_blank(s[-1]))
		s--;
	*stack = (struct str){line.s, (size_t)(s - line.s)};
	return stack->len > 0;
}

/* True for code with a comment, whose last word is a number: `x = 5; // of 8`. */
static bool
has_comment(struct str stack)
{
	const char *end = stack.s + stack.len, *s = stack.s;

	while ((s = memchr(s, ';', (size_t)(end - s))) != NULL) {
		for (s++; s < end && is_blank(*s); s++)
			continue;
		if (is_blank(s[-1]) && end - s > 2 && s[0] == '/' && (s[1] == '/' || s[1] == '*') &&
		    is_blank(s[2]))
			return true;
	}
	return false;
}

/* True for a checksum: MD5, SHA-1, SHA-256, SHA-384 or SHA-512. */
static bool
is_checksum(const char *s, const char *end)
{
	const ptrdiff_t n = end - s;

	while (s < end && ((*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'f')))
		s++;
	return s == end && (n == 32 || n == 40 || n == 64 || n == 96 || n == 128);
}

/* True when two words are numbers, or all are, with any punctuation. */
static bool
is_row(struct str stack)
{
	static const char around[] = "[](){},:;=";
	const char *end = stack.s + stack.len;
	unsigned words = 0, numbers = 0;

	for (const char *s = stack.s; s < end;) {
		const char *word = s, *last;

		while (s < end && !is_blank(*s))
			s++;
		for (last = s; last > word && strchr(around, last[-1]) != NULL; last--)
			continue;
		while (word < last && strchr(around, *word) != NULL)
			word++;
		if (word < last) {
			words++;
			numbers += is_number(word, last) || is_checksum(word, last);
		}
		while (s < end && is_blank(*s))
			s++;
	}
	return numbers >= 2 || (numbers > 0 && numbers == words);
}

/* Returns the reason why a line is not a stack; NULL if it is one. */
static const char *
count_line(struct count *n, struct str line, uint64_t number)
{
	struct str stack, words;

	while (line.len > 0 && is_blank(line.s[line.len - 1]))
		line.len--;
	if (line.len == 0)
		return NULL;
	if (text_starts(line.s, line.len, "# ")) {
		n->headers += foldedheader_key(line, &words) != FOLDEDHEADER_NONE;
		if (text_starts(line.s, line.len, "# HELP ") ||
		    text_starts(line.s, line.len, "# TYPE ")) {
			n->metrics++;
			return "is of Prometheus metrics";
		}
		return NULL;
	}
	n->lines++;
	if (has_control(line))
		return "has control characters";
	if (!cut_value(line, &stack))
		return "has no value at its end";
	if (memchr(stack.s, ';', stack.len) != NULL) {
		if (has_comment(stack))
			return "has a comment";
		n->paths++;
	} else if (is_blank(stack.s[0]) && n->headers == 0) { /* an indented table */
		return "starts with a space";
	} else {
		n->singles++;
		if (is_row(stack) && n->rows++ == 0) {
			n->row = line;
			n->row_line = number;
		}
	}
	return NULL;
}

/* The reason why the head is not the start of one long stack, or NULL. */
static const char *
check_long_line(struct str line)
{
	size_t frames = 1, quotes = 0;

	for (size_t i = 0; i < line.len; i++) {
		frames += line.s[i] == ';';
		quotes += line.s[i] == '"';
	}
	return has_control(line) ? "has control characters"
	       : quotes > frames ? "has more quotation marks than frames"
				 : NULL;
}

/* Confidence that the lines are folded stacks; 0 when they are not. */
static int
judge(const struct count *n, bool columns)
{
	unsigned stacks = n->paths + n->singles, others = n->lines - stacks;

	if (n->metrics > 0)
		return 0;
	if (n->lines == 0)
		return n->headers > 0 ? 20 : 1;
	if (2 * n->paths > n->lines)
		return others == 0 ? 80 : n->paths > 4 * others ? 60 : 40;
	if (others > 0)
		return 0;
	if (!columns && n->headers == 0 && 2 * n->rows > n->lines)
		return 0;
	return n->paths > 0 ? 60 : 20;
}

struct foldedtest
foldedtest(const char *data, size_t len, bool columns)
{
	struct foldedtest t = {0};
	struct count n = {0};
	const char *at = data, *end;
	uint64_t number = 0;
	bool cut = len >= FOLDEDTEST_HEAD; /* the last line is truncated */

	if (cut)
		len = FOLDEDTEST_HEAD;
	end = data + len;
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		struct str line = {at, (size_t)((newline != NULL ? newline : end) - at)};
		const char *why;

		number++;
		if (newline == NULL && cut) {
			if (n.lines == 0 && !text_starts(line.s, line.len, "# ")) {
				why = check_long_line(line);
				return (struct foldedtest){.sure = why == NULL ? 5 : 0,
				    .line = 1,
				    .text = line,
				    .why = why};
			}
			break;
		}
		why = count_line(&n, line, number);
		if (why != NULL && t.line == 0)
			t = (struct foldedtest){.line = number, .text = line, .why = why};
		at += line.len + 1;
	}
	t.sure = judge(&n, columns);
	t.flat = n.paths == 0 && n.headers == 0;
	if (t.sure == 0 && t.line == 0)
		t = (struct foldedtest){
		    .line = n.row_line, .text = n.row, .why = "is a row of numbers"};
	return t;
}

/* Appends a line, safe for a terminal, truncated to SHOWN bytes. */
static void
show(struct text *to, struct str line)
{
	size_t len = line.len < SHOWN ? line.len : SHOWN;

	while (len > 0 && len < line.len && ((unsigned char)line.s[len] & 0xc0) == 0x80)
		len--;
	text_show(to, (struct str){line.s, len});
	if (len < line.len)
		text_puts(to, "...");
}

void
foldedtest_refuse(struct lines *in, bool columns)
{
	size_t len;
	const char *data = lines_peek(in, &len);
	struct foldedtest t = foldedtest(data, len, columns);
	struct text line = {0};

	if (t.sure > 0)
		return;
	source_finish(lines_source(in), true); /* reports damage first */
	show(&line, t.text);
	cli_die("%s:%llu: not folded stacks: pipe it through fg-collapse (\"%s\" %s)",
	    lines_name(in), (unsigned long long)t.line, line.len > 0 ? line.s : "", t.why);
}
