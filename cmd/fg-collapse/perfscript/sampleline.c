/*
 * sampleline: parsing starts at the time, because no other token looks like it:
 * `1072.886862:`. The thread is left of it, and left of that the comm, which may hold
 * any character; period and event are right of it.
 */
#include "fg-collapse/perfscript/sampleline.h"

#include <string.h>

#include "base/chars.h"
#include "base/hash.h"
#include "fg-collapse/perfscript/frameline.h"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *
token_end(const char *s, const char *end)
{
	while (s < end && !is_blank(*s))
		s++;
	return s;
}

/* True if [s, end) is a decimal number that fits; sets *n. */
static bool
number(const char *s, const char *end, uint64_t *n)
{
	uint64_t v = 0;

	if (s == end)
		return false;
	if (end - s < 20) { /* fits */
		for (; s < end && is_digit(*s); s++)
			v = 10 * v + (uint64_t)(*s - '0');
		if (s == end)
			*n = v;
		return s == end;
	}
	for (; s < end; s++) {
		if (!is_digit(*s))
			return false;
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v))
			return false;
	}
	*n = v;
	return true;
}

/* The start of the digits before end. */
static const char *
digits_before(const char *line, const char *end)
{
	if (end - line >= 16)
		end -= chars_last(chars_digit16(end - 16));
	while (end > line && is_digit(end[-1]))
		end--;
	return end;
}

/* The value of the n digits before end, n from 1 to 8; eight bytes before end are readable. */
static uint64_t
value_before(const char *end, long n)
{
	uint64_t word;

	memcpy(&word, end - sizeof word, sizeof word);
	word = le64toh(word) & UINT64_C(0x0f0f0f0f0f0f0f0f) << 8 * (8 - n);
	word = word * (1 + (10 << 8)) >> 8 & UINT64_C(0x00ff00ff00ff00ff);
	word = word * (1 + (100 << 16)) >> 16 & UINT64_C(0x0000ffff0000ffff);
	return word * (1 + (UINT64_C(10000) << 32)) >> 32;
}

/* Parses `seconds.fraction` that ends at colon; returns its first character, or NULL. */
static const char *
time_before(const char *line, const char *colon, uint64_t *ns)
{
	static const uint32_t unit[] = {
	    0, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1}; /* ns, by digits */
	const char *fraction = digits_before(line, colon), *dot = fraction - 1, *s;
	long places = colon - fraction;
	uint64_t seconds, n;

	if (places == 0 || places > 9 || fraction == line || *dot != '.')
		return NULL;
	s = digits_before(line, dot);
	if ((s > line && !is_blank(s[-1])) || s == dot)
		return NULL;
	if (dot - line >= 8 && dot - s <= 8 && places <= 8) {
		seconds = value_before(dot, dot - s);
		n = value_before(colon, places);
	} else if (!number(s, dot, &seconds) || !number(fraction, colon, &n) ||
		   seconds > UINT64_MAX / 1000000000 - 1) {
		return NULL;
	}
	*ns = seconds * 1000000000 + n * unit[places];
	return s;
}

/* Removes the last token from [line, *end). */
static bool
last_token(const char *line, const char **end, const char **token, size_t *len)
{
	const char *e = *end, *s;

	while (e > line && is_blank(e[-1]))
		e--;
	for (s = e; s > line && !is_blank(s[-1]);)
		s--;
	*token = s;
	*len = (size_t)(e - s);
	*end = s;
	return s < e;
}

static void
forget_thread(struct sampleline *h)
{
	h->pid = h->tid = "";
	h->pid_len = h->tid_len = 0;
}

/* `tid` or `pid/tid`; either may be -1. */
static bool
parse_thread(const char *s, size_t len, struct sampleline *h)
{
	const char *slash = memchr(s, '/', len), *end = s + len;
	const char *part[] = {s, slash != NULL ? slash + 1 : end};
	const char *part_end[] = {slash != NULL ? slash : end, end};
	uint64_t n;

	for (int i = 0; i < (slash != NULL ? 2 : 1); i++) {
		const char *digits =
		    part[i] < part_end[i] && *part[i] == '-' ? part[i] + 1 : part[i];

		if (!number(digits, part_end[i], &n))
			return false;
	}
	if (slash != NULL) {
		h->pid = s;
		h->pid_len = (size_t)(slash - s);
		h->tid = slash + 1;
		h->tid_len = (size_t)(end - slash - 1);
	} else {
		h->tid = s;
		h->tid_len = len;
	}
	return true;
}

/*
 * [line, end) is the part left of the time: comm, thread, CPU and flags. The thread is
 * the last number among the last four tokens; the comm is left of it.
 */
static void
parse_task(const char *line, const char *end, struct sampleline *h)
{
	const char *e = end, *token;
	size_t len;

	for (int i = 0; i < 4 && last_token(line, &e, &token, &len); i++)
		if (parse_thread(token, len, h)) {
			end = token;
			break;
		}
	while (end > line && is_blank(end[-1]))
		end--;
	h->comm = skip_blanks(line, end);
	h->comm_len = (size_t)(end - h->comm);
}

/* The part right of the time: period, event and its colon. */
static enum sampleline_kind
parse_event(const char *s, const char *end, struct sampleline *h)
{
	const char *e, *start = s = skip_blanks(s, end);

	e = token_end(s, end);
	if (number(s, e, &h->period)) {
		s = skip_blanks(e, end);
		e = token_end(s, end);
	}
	h->event = s;
	h->event_len = 0;
	h->rest = s;
	if (e - s > 12 && memcmp(s, "PERF_RECORD_", 12) == 0)
		return HEADER_RECORD;
	/* An event name may contain spaces (cpu/name=my event/): it ends at a colon before white
	 * space. */
	for (; s < end; s = skip_blanks(e, end), e = token_end(s, end))
		if (e[-1] == ':') {
			h->event_len = strnlen(h->event,
			    (size_t)(e - 1 - h->event)); /* malformed lines may hold NUL */
			h->rest = e;
			break;
		} else if (s == h->event && memchr(s, '/', (size_t)(e - s)) == NULL) {
			break;
		}
	if (h->event_len == 0 &&
	    h->event < end) { /* no event: a frame whose address may look like a period */
		h->period = 0;
		h->rest = start;
	}
	return HEADER_SAMPLE;
}

/* Without a time: `comm thread period event:`; thread or period, and the colon, are required. */
static enum sampleline_kind
parse_timeless(const char *line, const char *end, struct sampleline *h)
{
	for (const char *s = skip_blanks(line, end), *e; s < end; s = skip_blanks(e, end)) {
		const char *before = s, *token;
		uint64_t n;
		size_t len;

		e = token_end(s, end);
		if (e[-1] != ':' || e - s < 2 || s == line)
			continue;
		if (!last_token(line, &before, &token, &len))
			return HEADER_NONE;
		if (number(token, token + len, &n)) {
			const char *earlier = before, *thread;
			size_t thread_len;

			/* If there are two numbers, the second one is the period. */
			if (last_token(line, &earlier, &thread, &thread_len) &&
			    (thread[0] == '[' || parse_thread(thread, thread_len, h)))
				h->period = n;
			else
				before = s;
		} else if (!parse_thread(token, len, h) && token[0] != '[') {
			continue;
		} else {
			before = s;
		}
		forget_thread(h);
		parse_task(line, before, h);
		h->event = s;
		h->event_len = strnlen(s, (size_t)(e - 1 - s));
		h->rest = e;
		return HEADER_SAMPLE;
	}
	return HEADER_NONE;
}

enum sampleline_kind
sampleline_parse(const char *line, const char *end, struct sampleline *h)
{
	const char *s = line, *colon;

	forget_thread(h);
	h->has_time = false;
	h->time = h->period = 0;
	while ((colon = memchr(s, ':', (size_t)(end - s))) != NULL) {
		s = colon + 1;
		if (s < end && !is_blank(*s))
			continue;
		colon = time_before(line, colon, &h->time);
		if (colon != NULL) {
			h->has_time = true;
			parse_task(line, colon, h);
			return parse_event(s, end, h);
		}
	}
	return parse_timeless(line, end, h);
}

/* A pointer into a line's copy, moved to the line. */
static const char *
moved(const char *s, const char *copy, const char *line)
{
	return line + (s - copy);
}

/* Sets h to a cached header, for a line with the same text around its time. */
static void
use_cached(const struct cached_header *c, const char *line, const char *colon, struct sampleline *h)
{
	const struct sampleline *last = &c->header;
	const char *after = c->text + c->before;
	uint64_t time = h->time;

	*h = *last;
	h->time = time;
	h->comm = moved(last->comm, c->text, line);
	if (last->pid_len > 0)
		h->pid = moved(last->pid, c->text, line);
	if (last->tid_len > 0)
		h->tid = moved(last->tid, c->text, line);
	h->event = moved(last->event, after, colon);
	h->rest = moved(last->rest, after, colon);
}

/* The entry for a line, by the text before its time, which ends with the thread or the CPU. */
static struct cached_header *
entry_of(struct sampleline_cache *c, const char *line, const char *time)
{
	uint64_t word = 0;

	if ((size_t)(time - line) >= sizeof word)
		memcpy(&word, time - sizeof word, sizeof word);
	return &c->entry[hash_place(word * hash_key[1], HEADER_CACHE)];
}

/* True if [line, end), with its time in [time, colon), has the text of an entry around the time. */
static bool
is_cached(const struct cached_header *c, const char *line, const char *time, const char *colon,
    const char *end)
{
	const char *rest = colon + c->after;

	if ((size_t)(time - line) != c->before || (size_t)(end - colon) < c->after ||
	    memcmp(line, c->text, c->before) != 0 ||
	    memcmp(colon, c->text + c->before, c->after) != 0)
		return false;
	return rest == end || (c->open && is_blank(*rest));
}

/* Parses the text around the time into an entry; false if it is not worth it, or too long. */
static bool
cache(
    struct cached_header *c, const char *line, const char *time, const char *colon, const char *end)
{
	struct sampleline *h = &c->header;
	size_t before = (size_t)(time - line), after;
	enum sampleline_kind kind;

	*h = (struct sampleline){.has_time = true};
	kind = parse_event(colon + 1, end, h);
	c->after = c->before = 0;
	c->open = h->event_len > 0 && h->rest > h->event;
	/* A frame in the line: another one in the next line. */
	if (!c->open && end[-1] != ':' && !is_blank(end[-1]))
		return false;
	after = (size_t)((c->open ? h->rest : end) - colon);
	if (after > sizeof c->text || before > sizeof c->text - after)
		return false;
	memcpy(c->text, line, before);
	memcpy(c->text + before, colon, after);
	c->before = before;
	c->after = after;
	c->kind = kind;
	h->event = moved(h->event, colon, c->text + before);
	h->rest = moved(h->rest, colon, c->text + before);
	forget_thread(h);
	parse_task(c->text, c->text + before, h);
	return true;
}

enum sampleline_kind
sampleline_parse_next(
    struct sampleline_cache *cached, const char *line, const char *end, struct sampleline *h)
{
	const char *colon = memchr(line, ':', (size_t)(end - line)), *time;
	struct cached_header *c;

	if (colon == NULL || colon + 1 == end || !is_blank(colon[1]) ||
	    (time = time_before(line, colon, &h->time)) == NULL)
		return sampleline_parse(line, end, h);
	c = entry_of(cached, line, time);
	if (!is_cached(c, line, time, colon, end) && !cache(c, line, time, colon, end))
		return sampleline_parse(line, end, h);
	use_cached(c, line, colon, h);
	return c->kind;
}

bool
sampleline_begins(const char *line, const char *end)
{
	struct sampleline h;

	if (*line == '\t' || sampleline_blank(line, end))
		return false;
	if (*line != ' ' && !(frameline_begins(line, end) && end[-1] == ')'))
		return *line != '#';
	return memchr(line, ':', (size_t)(end - line)) != NULL &&
	       sampleline_parse(line, end, &h) != HEADER_NONE && h.has_time;
}
