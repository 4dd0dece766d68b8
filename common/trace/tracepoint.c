/*
 * tracepoint: finds fields in tracefs format files. A line of them is
 *
 *     field:pid_t next_pid;  offset:56;  size:4;  signed:1;
 *
 * The layout of tracing data is that of tools/perf/util/trace-event-info.c.
 */
#include "trace/tracepoint.h"

#include <stdlib.h>
#include <string.h>

/* Next line of the text, without its newline; false at the end. */
static bool
next_line(struct str *text, struct str *line)
{
	const char *end;

	if (text->len == 0)
		return false;
	end = memchr(text->s, '\n', text->len);
	*line = (struct str){text->s, end != NULL ? (size_t)(end - text->s) : text->len};
	text->s += line->len + (end != NULL);
	text->len -= line->len + (end != NULL);
	return true;
}

/* The number after `key` in a line; false if the line does not contain the key. */
static bool
number_after(struct str line, const char *key, uint64_t *n)
{
	const size_t len = strlen(key);
	const char *at = memmem(line.s, line.len, key, len);
	const char *end = line.s + line.len;

	if (at == NULL)
		return false;
	for (at += len; at < end && *at == ' '; at++)
		;
	*n = 0;
	if (at == end || *at < '0' || *at > '9')
		return false;
	for (; at < end && *at >= '0' && *at <= '9' && *n < UINT32_MAX; at++)
		*n = *n * 10 + (uint64_t)(*at - '0');
	return true;
}

/*
 * The name that a declaration, "field:char prev_comm[16];...", declares; empty if the line is not
 * one. *type is what precedes the name.
 */
static struct str
declared(struct str line, struct str *type)
{
	const char *field = memmem(line.s, line.len, "field:", 6);
	const char *end = line.s + line.len, *semicolon, *first;

	if (field == NULL || (semicolon = memchr(field, ';', (size_t)(end - field))) == NULL)
		return (struct str){0};
	if (semicolon[-1] == ']') /* an array */
		while (semicolon > field && *semicolon != '[')
			semicolon--;
	first = semicolon;
	while (first > field && first[-1] != ' ' && first[-1] != '*' && first[-1] != ':')
		first--;
	*type = (struct str){field + 6, first > field + 6 ? (size_t)(first - field - 6) : 0};
	return (struct str){first, (size_t)(semicolon - first)};
}

static bool
declares(struct str line, const char *name)
{
	struct str type;

	return str_equal(declared(line, &type), str_of(name));
}

/* Offset, size and sign in a declaration. */
static bool
parse_field(struct str line, struct tracepoint_field *f)
{
	uint64_t offset, size, is_signed = 0;

	if (!number_after(line, "offset:", &offset) || !number_after(line, "size:", &size) ||
	    offset > UINT16_MAX || size == 0 || size > UINT16_MAX)
		return false;
	number_after(line, "signed:", &is_signed);
	*f = (struct tracepoint_field){(uint16_t)offset, (uint16_t)size, is_signed != 0};
	return true;
}

bool
tracepoint_field(struct str format, const char *name, struct tracepoint_field *f)
{
	struct str line;

	*f = (struct tracepoint_field){0};
	while (next_line(&format, &line))
		if (declares(line, name))
			return parse_field(line, f);
	return false;
}

bool
tracepoint_next_number(struct str *format, struct str *name, struct tracepoint_field *f)
{
	struct str line, type;

	while (next_line(format, &line)) {
		*name = declared(line, &type);
		if (name->len == 0 || name->s[name->len] == '[' || type.len == 0 ||
		    memchr(type.s, '*', type.len) != NULL ||
		    memmem(type.s, type.len, "_loc ", 5) != NULL ||
		    (name->len > 7 && memcmp(name->s, "common_", 7) == 0))
			continue;
		if (parse_field(line, f) &&
		    (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8))
			return true;
	}
	return false;
}

bool
tracepoint_offset(struct str format, const char *name, uint16_t *offset)
{
	struct str line;
	uint64_t n;

	while (next_line(&format, &line))
		if (declares(line, name)) {
			if (!number_after(line, "offset:", &n) || n > UINT16_MAX)
				return false;
			*offset = (uint16_t)n;
			return true;
		}
	return false;
}

bool
tracepoint_id(struct str format, uint64_t *id)
{
	struct str line;

	while (next_line(&format, &line))
		if (line.len > 3 && memcmp(line.s, "ID:", 3) == 0)
			return number_after(line, "ID:", id);
	return false;
}

uint64_t
tracepoint_flags(struct str format, const char *letters)
{
	const char *at = format.s, *end = format.s + format.len;
	uint64_t flags = 0;

	while (at < end && (at = memchr(at, '{', (size_t)(end - at))) != NULL) {
		char pair[32] = "", *rest;
		size_t n = (size_t)(end - at);
		uint64_t value;

		memcpy(pair, at, n < sizeof pair - 1 ? n : sizeof pair - 1);
		at++;
		value = strtoull(pair + 1, &rest, 0);
		rest += strspn(rest, " ,");
		if (rest[0] == '"' && rest[1] != '\0' && rest[2] == '"' &&
		    strchr(letters, rest[1]) != NULL)
			flags |= value;
	}
	return flags;
}

bool
tracepoint_value(const struct tracepoint_field *f, const unsigned char *raw, size_t n, bool swapped,
    uint64_t *value)
{
	uint64_t u64;
	uint32_t u32;
	uint16_t u16;

	if (f->size == 0 || n < f->size || f->offset > n - f->size)
		return false;
	raw += f->offset;
	switch (f->size) {
	case 1: *value = f->is_signed ? (uint64_t)(int8_t)raw[0] : raw[0]; return true;
	case 2:
		memcpy(&u16, raw, sizeof u16);
		u16 = swapped ? bswap_16(u16) : u16;
		*value = f->is_signed ? (uint64_t)(int16_t)u16 : u16;
		return true;
	case 4:
		memcpy(&u32, raw, sizeof u32);
		u32 = swapped ? bswap_32(u32) : u32;
		*value = f->is_signed ? (uint64_t)(int32_t)u32 : u32;
		return true;
	case 8:
		memcpy(&u64, raw, sizeof u64);
		*value = swapped ? bswap_64(u64) : u64;
		return true;
	default: return false; /* a string */
	}
}

bool
tracepoint_weight(const struct tracepoint_field *f, const unsigned char *raw, size_t n,
    bool swapped, uint64_t *weight)
{
	if (!tracepoint_value(f, raw, n, swapped, weight))
		return false;
	if (f->is_signed && (int64_t)*weight < 0)
		*weight = 0;
	return true;
}

static struct str
take(struct tracing *t, uint64_t n)
{
	struct str s = {t->left.s, (size_t)n};

	if (t->bad || n > t->left.len) {
		t->bad = true;
		return (struct str){0};
	}
	t->left.s += n;
	t->left.len -= (size_t)n;
	return s;
}

static struct str
read_string(struct tracing *t)
{
	const char *end = t->left.len > 0 ? memchr(t->left.s, '\0', t->left.len) : NULL;
	struct str s = take(t, end != NULL ? (uint64_t)(end - t->left.s) + 1 : UINT64_MAX);

	s.len -= s.len > 0;
	return s;
}

/* Read an integer of 4 or 8 bytes. */
static uint64_t
read_number(struct tracing *t, size_t bytes)
{
	const struct tracepoint_field f = {.size = (uint16_t)bytes};
	struct str s = take(t, bytes);
	uint64_t n = 0;

	tracepoint_value(&f, (const unsigned char *)s.s, s.len, t->swapped, &n);
	return n;
}

/* Read text that follows its length. */
static struct str
read_text(struct tracing *t)
{
	return take(t, read_number(t, 8));
}

bool
tracepoint_name(struct str format, struct str *name)
{
	struct str line;

	if (!next_line(&format, &line) || line.len < 6 || memcmp(line.s, "name: ", 6) != 0)
		return false;
	*name = (struct str){line.s + 6, line.len - 6};
	return true;
}

bool
tracing_begin(struct tracing *t, struct str data)
{
	static const char magic[] = "\027\010\104tracing";
	struct str head;
	bool big;

	*t = (struct tracing){.left = data};
	if (!str_equal(take(t, sizeof magic - 1), str_of(magic)))
		return false;
	read_string(t); /* the version */
	head = take(t, 2); /* byte order, bytes of a long */
	big = head.len == 2 && head.s[0] != 0;
	t->swapped = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	take(t, 4); /* bytes of a page */
	for (int i = 0; i < 2; i++) { /* header_page, header_event */
		read_string(t);
		read_text(t);
	}
	t->system = str_of("ftrace");
	t->events = read_number(t, 4);
	return !t->bad;
}

bool
tracing_next(struct tracing *t, struct str *system, struct str *format)
{
	if (!t->listed && t->events == 0) {
		t->listed = true;
		t->systems = read_number(t, 4);
	}
	while (t->events == 0 && t->systems > 0 && !t->bad) {
		t->systems--;
		t->system = read_string(t);
		t->events = read_number(t, 4);
	}
	if (t->bad || t->events == 0)
		return false;
	t->events--;
	*system = t->system;
	*format = read_text(t);
	return !t->bad;
}

struct str
tracepoint_find(struct str data, const char *system, const char *name)
{
	struct tracing t;
	struct str format, its_system, its_name;

	if (tracing_begin(&t, data))
		while (tracing_next(&t, &its_system, &format))
			if (str_equal(its_system, str_of(system)) &&
			    tracepoint_name(format, &its_name) && str_equal(its_name, str_of(name)))
				return format;
	return (struct str){0};
}
