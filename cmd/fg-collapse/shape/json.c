/*
 * json: yajl reports all events of a piece of the input at once; a queue stores them until
 * a reader takes them. Strings stay in the piece, except those that yajl assembled because
 * they contain escapes or span two pieces.
 */
#include "fg-collapse/shape/json.h"

#include <stdlib.h>

#include <stdio.h>
#ifdef HAVE_YAJL
#include <yajl/yajl_parse.h>
#endif

#include "base/cli.h"
#include "base/hash.h"
#include "base/source.h"
#include "fg-collapse/options.h"

#define PIECE 32768 /* bytes parsed by yajl at a time, which base/source reads in place */

#define PAD 8 /* readable bytes after a string */

struct parser {
	struct json json; /* the part visible to readers */
	struct reader *reader;
	struct source *source;
	unsigned char piece[PIECE + PAD];
	size_t len;
	uint64_t offset; /* offset of the piece in the input; approximate for UTF-16 */
	struct json_event *event; /* events of the current piece */
	struct json_event *last; /* next free event */
	struct text text;
	unsigned depth; /* nesting depth at the end of the queue */
	bool array; /* the outermost value is an array */
	bool open_ended, ended, malformed;
	const char *const *before; /* json_within: strings to find; NULL once one is found */
	size_t nbefore;
	bool within;
#ifdef HAVE_YAJL
	yajl_handle yajl;
#endif
};

static struct parser *
parser_of(struct json *j)
{
	return (struct parser *)j;
}

#ifdef HAVE_YAJL

/* Each event ends at a byte of its own, except a number that ended in the previous piece. */
#define EVENTS (PIECE + 1)

static void
add(struct parser *p, enum json_kind kind, const char *s, size_t len, size_t end)
{
	*p->last++ = (struct json_event){s, (uint32_t)len, (uint16_t)end, (uint8_t)kind};
}

/* Adds an event without a string, or with a constant one. */
static int
add_mark(struct parser *p, enum json_kind kind, const char *s)
{
	add(p, kind, s, strlen(s), yajl_get_bytes_consumed(p->yajl));
	return 1;
}

/* Adds an event with a copy of a string. The copy does not move: only the first of a piece can
 * be longer than the piece. */
static int
add_copy(struct parser *p, enum json_kind kind, const char *s, size_t len)
{
	size_t at = p->text.len;

	if (at == 0)
		text_reserve(&p->text, len + PIECE + PAD);
	text_add(&p->text, s, len);
	add(p, kind, p->text.s + at, len, yajl_get_bytes_consumed(p->yajl));
	return len < UINT32_MAX;
}

/* Adds an event with a string that is followed by `quotes` quotes. */
static inline int
add_text(struct parser *p, enum json_kind kind, const char *s, size_t len, size_t quotes)
{
	size_t at = (uintptr_t)s - (uintptr_t)p->piece;

	if (at >= PIECE)
		return add_copy(p, kind, s, len);
	add(p, kind, s, len, at + len + quotes);
	return 1;
}

static int
on_null(void *p)
{
	return add_mark(p, JSON_NULL, "");
}

static int
on_boolean(void *p, int truth)
{
	return add_mark(p, JSON_BOOLEAN, truth ? "true" : "");
}

static int
on_number(void *p, const char *s, size_t len)
{
	return add_text(p, JSON_NUMBER, s, len, 0);
}

static int
on_string(void *p, const unsigned char *s, size_t len)
{
	return add_text(p, JSON_STRING, (const char *)s, len, 1);
}

static int
on_key(void *p, const unsigned char *s, size_t len)
{
	return add_text(p, JSON_KEY, (const char *)s, len, 1);
}

static int
begin(struct parser *p, enum json_kind kind)
{
	if (p->depth++ == 0)
		p->array = kind == JSON_ARRAY;
	return add_mark(p, kind, "") && p->depth <= JSON_DEPTH;
}

static int
on_object(void *p)
{
	return begin(p, JSON_OBJECT);
}

static int
on_array(void *p)
{
	return begin(p, JSON_ARRAY);
}

static int
on_end(void *context)
{
	struct parser *p = context;

	p->depth--;
	return add_mark(p, JSON_END, "");
}

static void *
allocate(void *context, size_t size)
{
	(void)context;
	return cli_alloc(size, 1);
}

static void *
reallocate(void *context, void *p, size_t size)
{
	(void)context;
	return cli_realloc(p, size, 1);
}

static void
release(void *context, void *p)
{
	(void)context;
	free(p);
}

static void
start(struct parser *p)
{
	static const yajl_callbacks callbacks = {.yajl_null = on_null,
	    .yajl_boolean = on_boolean,
	    .yajl_number = on_number,
	    .yajl_string = on_string,
	    .yajl_start_map = on_object,
	    .yajl_map_key = on_key,
	    .yajl_end_map = on_end,
	    .yajl_start_array = on_array,
	    .yajl_end_array = on_end};
	yajl_alloc_funcs memory = {allocate, reallocate, release, NULL};

	p->yajl = yajl_alloc(&callbacks, &memory, p);
	yajl_config(p->yajl, yajl_allow_multiple_values, 1);
	yajl_config(p->yajl, yajl_dont_validate_strings, 1);
	p->event = cli_alloc(EVENTS, sizeof *p->event);
}

/* Reports why the input is not JSON from here on, as yajl words it: `parse error: premature
 * EOF`. */
static void
report_fault(struct parser *p, yajl_status status)
{
	uint64_t at = p->offset + (p->len > 0 ? yajl_get_bytes_consumed(p->yajl) : 0);
	char why[128];
	unsigned char *message;

	p->malformed = true;
	if (status == yajl_status_client_canceled) {
		reader_malformed_byte(p->reader, at,
		    p->depth > JSON_DEPTH ? "nested too deeply"
					  : "a string of 4 "
					    "GiB or more");
	} else if (p->len > 0) {
		message = yajl_get_error(p->yajl, 0, p->piece, p->len);
		message[strcspn((char *)message, ".\n")] = '\0';
		snprintf(why, sizeof why, "%.90s: the rest", (char *)message);
		yajl_free_error(p->yajl, message);
		reader_malformed_byte(p->reader, at, why);
	} else if (!(p->open_ended && p->array && p->depth <= 1)) {
		reader_malformed_byte(p->reader, at, "the JSON is truncated");
	}
}

/* Finds what precedes the document: false if it is not complete in the piece. */
static bool
find_document(struct parser *p)
{
	const char *piece = (const char *)p->piece, *first = NULL;
	size_t longest = 0, begin = 0;

	for (size_t i = 0; i < p->nbefore; i++) {
		size_t n = strlen(p->before[i]);
		const char *at = memmem(piece, p->len, p->before[i], n);

		longest = n > longest ? n : longest;
		if (at != NULL && (first == NULL || at < first)) {
			first = at;
			begin = (size_t)(at - piece) + n;
		}
	}
	if (first == NULL) /* it may be in two pieces */
		begin = p->len < longest ? 0 : p->len - longest + 1;
	p->len -= begin;
	memmove(p->piece, p->piece + begin, p->len);
	return first != NULL;
}

/* Reads the next piece; its length is 0 at the end of the input. */
static void
read_piece(struct parser *p)
{
	size_t n, kept;

	p->len = 0;
	do {
		kept = p->before == NULL ? 0 : p->len;
		n = lines_bytes(p->reader->lines, (char *)p->piece + kept, PIECE - kept);
		p->len = n == 0 ? 0 : kept + n;
		if (n > 0 && p->before != NULL && find_document(p))
			p->before = NULL;
	} while (n > 0 && (p->before != NULL || p->len == 0));
}

bool
json_more(struct json *j)
{
	struct parser *p = parser_of(j);

	p->last = p->event;
	text_cut(&p->text, 0);
	while (p->last == p->event && !p->ended) {
		yajl_status status;

		read_piece(p);
		p->offset = source_at(p->source);
		p->offset -= p->len < p->offset ? p->len : p->offset;
		status = p->len > 0 ? yajl_parse(p->yajl, p->piece, p->len)
				    : yajl_complete_parse(p->yajl);
		p->ended = p->len == 0 || status != yajl_status_ok ||
			   (p->within && p->depth == 0 && p->last > p->event);
		if (status != yajl_status_ok)
			report_fault(p, status);
		source_progress(p->source);
	}
	j->next = p->event;
	j->end = p->last;
	return j->next < j->end;
}

struct json *
json_open(struct reader *r)
{
	struct parser *p = cli_alloc(1, sizeof *p);

	p->reader = r;
	p->source = lines_source(r->lines);
	start(p);
	return &p->json;
}

void
json_within(struct json *j, const char *const *before, size_t n)
{
	struct parser *p = parser_of(j);

	p->before = before;
	p->nbefore = n;
	p->within = true;
	yajl_config(p->yajl, yajl_allow_multiple_values, 0);
	yajl_config(p->yajl, yajl_allow_trailing_garbage, 1);
}

void
json_close(struct json *j)
{
	struct parser *p = parser_of(j);

	yajl_free(p->yajl);
	free(p->event);
	text_free(&p->text);
	free(p);
}

#else

void
json_within(struct json *j, const char *const *before, size_t n)
{
	(void)j, (void)before, (void)n;
}

struct json *
json_open(struct reader *r)
{
	cli_die(
	    "%s: JSON; this program was built without yajl, which reads it", lines_name(r->lines));
}

void
json_close(struct json *j)
{
	free(j);
}

bool
json_more(struct json *j)
{
	(void)j;
	return false;
}

#endif

void
json_each(struct reader *r, enum sample_order order, void (*read)(struct reader *r, struct json *j))
{
	struct json *j;

	sampler_input(r->sampler, lines_name(r->lines), order);
	j = json_open(r);

	while (json_kind(j) != JSON_NOTHING)
		read(r, j);
	json_close(j);
}

void
json_open_ended(struct json *j)
{
	parser_of(j)->open_ended = true;
}

/* Skips a value; adds it to *digest unless that is NULL. */
static inline void
pass(struct json *j, uint64_t *digest)
{
	size_t depth = 0;
	enum json_kind kind;

	while ((kind = json_kind(j)) != JSON_NOTHING) {
		const struct json_event *e = j->next++;

		if (digest != NULL)
			*digest = hash_number(*digest + kind) + hash_bytes(e->s, e->len);
		if (kind == JSON_OBJECT || kind == JSON_ARRAY)
			depth++;
		else if (kind == JSON_END)
			depth--;
		if (depth == 0)
			return;
	}
}

void
json_skip(struct json *j)
{
	pass(j, NULL);
}

void
json_digest(struct json *j, uint64_t *digest)
{
	pass(j, digest);
}

void
json_odd(struct json *j)
{
	const enum json_kind kind = json_kind(j);

	json_skip(j);
	if (kind != JSON_NULL && kind != JSON_NOTHING)
		json_malformed(j, "a value of an unexpected type");
}

/* Enters an object or an array. */
static bool
enter(struct json *j, enum json_kind kind)
{
	enum json_kind found = json_kind(j);

	if (found == kind)
		j->next++;
	else if (found != JSON_NOTHING)
		json_odd(j);
	return found == kind;
}

bool
json_object(struct json *j)
{
	return enter(j, JSON_OBJECT);
}

bool
json_array(struct json *j)
{
	return enter(j, JSON_ARRAY);
}

void
json_keep(struct json *j, struct text *t)
{
	struct str s = {"", 0};

	json_text(j, &s);
	t->len = 0;
	text_str(t, s);
}

/* Takes 1 to 19 digits, also in quotes, as 64-bit numbers often are. */
static bool
read_digits(struct json *j, uint64_t *n)
{
	enum json_kind kind = json_kind(j);
	uint64_t sum = 0, part;
	const char *s;
	size_t len;

	if (kind != JSON_NUMBER && kind != JSON_STRING)
		return false;
	s = j->next->s;
	len = j->next->len;
	if (len == 0 || len > 19)
		return false;
	for (size_t k = (len - 1) % 8 + 1; len > 0; s += k, len -= k, k = 8) {
		if (!json_eight(s, k, &part))
			return false;
		sum = sum * 100000000 + part;
	}
	j->next++;
	*n = sum;
	return true;
}

bool
json_number(struct json *j, struct json_number *n)
{
	struct str s;
	uint64_t whole;
	bool negative;
	value v;

	if (read_digits(j, &whole)) {
		*n = (struct json_number){value_of(whole), false};
		return true;
	}
	if (!json_text(j, &s))
		return false;
	negative = s.len > 1 && s.s[0] == '-';
	if (negative)
		s = (struct str){s.s + 1, s.len - 1};
	if (value_parse(s.s, s.s + s.len, &v) == VALUE_BAD) {
		json_malformed(j, "not a number");
		return false;
	}
	*n = (struct json_number){v, negative && v != 0};
	return true;
}

bool
json_value(struct json *j, value *v)
{
	struct json_number n;

	if (!json_number(j, &n) || (n.negative && n.v != 0))
		return false;
	*v = n.v;
	return true;
}

bool
json_whole(struct json *j, uint64_t *n)
{
	value v;

	if (read_digits(j, n))
		return true;
	if (!json_value(j, &v) || v % VALUE_ONE != 0 || v / VALUE_ONE > UINT64_MAX)
		return false;
	*n = (uint64_t)(v / VALUE_ONE);
	return true;
}

bool
json_index(struct json *j, uint32_t *n)
{
	uint64_t whole;

	if (!json_whole(j, &whole) || whole >= UINT32_MAX)
		return false;
	*n = (uint32_t)whole;
	return true;
}

/* Offset of the end of the value taken last. */
static uint64_t
offset_of(struct json *j)
{
	const struct parser *p = parser_of(j);

	return p->offset + (j->next > p->event ? j->next[-1].end : 0);
}

void
json_malformed(struct json *j, const char *why)
{
	reader_malformed_byte(parser_of(j)->reader, offset_of(j), why);
}

void
json_version(struct json *j, enum version v)
{
	struct str s;

	if (json_text(j, &s))
		reader_version_text(parser_of(j)->reader, v, s);
}

void
json_broken(struct json *j, uint64_t n, const char *why)
{
	if (n > 0)
		reader_malformed_bytes(parser_of(j)->reader, offset_of(j), n, why);
}

void
json_refuse(struct json *j, const char *why)
{
	reader_refuse_byte(parser_of(j)->reader, offset_of(j), why);
}

void
json_absent(struct json *j, const char *key)
{
	struct text why = {0};

	text_printf(&why, "no key %s in the profile", key);
	if (!parser_of(j)->malformed)
		json_refuse(j, why.s);
	text_free(&why);
}
