/*
 * json: yajl gives all events of a piece of the input at once, which wait in a queue
 * with their texts until they are asked for.
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
#include "base/vec.h"
#include "fg-collapse/options.h"
#include "profile/sample.h"

#define PIECE 16384 /* bytes given to yajl at a time */

struct event {
	uint32_t at, len; /* its text in json.text */
	uint32_t end; /* where it ends in the piece */
	enum json_kind kind;
};

struct json {
	struct reader *reader;
	struct source *source;
	unsigned char piece[PIECE];
	size_t len;
	uint64_t offset; /* of the piece in the input */
	struct event *event; /* of the piece, of which next is at hand */
	size_t n, next, cap;
	struct text text;
	unsigned depth; /* of what was read */
	bool array; /* the outermost is one */
	bool open_ended, ended;
#ifdef HAVE_YAJL
	yajl_handle yajl;
#endif
};

#ifdef HAVE_YAJL

static int
add(void *context, enum json_kind kind, const void *s, size_t len)
{
	struct json *j = context;

	vec_fit(j->event, j->cap, j->n + 1);
	j->event[j->n++] = (struct event){
	    (uint32_t)j->text.len, (uint32_t)len, (uint32_t)yajl_get_bytes_consumed(j->yajl), kind};
	if (len > 0)
		text_add(&j->text, s, len);
	return len < UINT32_MAX && j->text.len < UINT32_MAX;
}

static int
on_null(void *j)
{
	return add(j, JSON_NULL, NULL, 0);
}

static int
on_boolean(void *j, int truth)
{
	return add(j, JSON_BOOLEAN, truth ? "true" : "", truth ? 4 : 0);
}

static int
on_number(void *j, const char *s, size_t len)
{
	return add(j, JSON_NUMBER, s, len);
}

static int
on_string(void *j, const unsigned char *s, size_t len)
{
	return add(j, JSON_STRING, s, len);
}

static int
on_key(void *j, const unsigned char *s, size_t len)
{
	return add(j, JSON_KEY, s, len);
}

static int
begin(struct json *j, enum json_kind kind)
{
	if (j->depth++ == 0)
		j->array = kind == JSON_ARRAY;
	return add(j, kind, NULL, 0) && j->depth <= JSON_DEPTH;
}

static int
on_object(void *j)
{
	return begin(j, JSON_OBJECT);
}

static int
on_array(void *j)
{
	return begin(j, JSON_ARRAY);
}

static int
on_end(void *context)
{
	struct json *j = context;

	j->depth--;
	return add(j, JSON_END, NULL, 0);
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
start(struct json *j)
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

	j->yajl = yajl_alloc(&callbacks, &memory, j);
	yajl_config(j->yajl, yajl_allow_multiple_values, 1);
	yajl_config(j->yajl, yajl_dont_validate_strings, 1);
}

/* Why the input is no JSON from here on, in yajl's words: `parse error: premature EOF`. */
static void
say_fault(struct json *j, yajl_status status)
{
	uint64_t at = j->offset + (j->len > 0 ? yajl_get_bytes_consumed(j->yajl) : 0);
	char why[128];
	unsigned char *said;

	if (status == yajl_status_client_canceled) {
		reader_malformed_byte(
		    j->reader, at, j->depth > JSON_DEPTH ? "nested too deep" : "a string of 4 GiB");
	} else if (j->len > 0) {
		said = yajl_get_error(j->yajl, 0, j->piece, j->len);
		said[strcspn((char *)said, ".\n")] = '\0';
		snprintf(why, sizeof why, "%.90s: the rest", (char *)said);
		yajl_free_error(j->yajl, said);
		reader_malformed_byte(j->reader, at, why);
	} else if (!(j->open_ended && j->array && j->depth <= 1)) {
		reader_malformed_byte(j->reader, at, "the JSON ends too early");
	}
}

/* The events of the next piece that has some. */
static void
fill(struct json *j)
{
	j->n = j->next = 0;
	text_cut(&j->text, 0);
	while (j->n == 0 && !j->ended) {
		yajl_status status;

		j->offset += j->len;
		j->len = source_read(j->source, j->piece, PIECE);
		status = j->len > 0 ? yajl_parse(j->yajl, j->piece, j->len)
				    : yajl_complete_parse(j->yajl);
		j->ended = j->len == 0 || status != yajl_status_ok;
		if (status != yajl_status_ok)
			say_fault(j, status);
		source_progress(j->source);
	}
}

struct json *
json_open(struct reader *r)
{
	struct json *j = cli_alloc(1, sizeof *j);
	const unsigned char *first;
	size_t len;

	j->reader = r;
	j->source = lines_source(r->lines);
	start(j);
	first = source_peek(j->source, &len);
	if (text_starts((const char *)first, len, "\xef\xbb\xbf"))
		j->offset = source_skip(j->source, 3);
	return j;
}

void
json_close(struct json *j)
{
	yajl_free(j->yajl);
	free(j->event);
	text_free(&j->text);
	free(j);
}

#else

struct json *
json_open(struct reader *r)
{
	cli_die("%s: JSON, which is read with the library yajl: this program was built without it",
	    lines_name(r->lines));
}

void
json_close(struct json *j)
{
	free(j);
}

static void
fill(struct json *j)
{
	j->ended = true;
}

#endif

void
json_each(struct reader *r, void (*read)(struct reader *r, struct json *j))
{
	struct json *j = json_open(r);

	while (json_kind(j) != JSON_NOTHING)
		read(r, j);
	json_close(j);
}

void
json_open_ended(struct json *j)
{
	j->open_ended = true;
}

/* The event at hand; NULL at the end. */
static const struct event *
peek(struct json *j)
{
	if (j->next == j->n)
		fill(j);
	return j->next < j->n ? &j->event[j->next] : NULL;
}

enum json_kind
json_kind(struct json *j)
{
	const struct event *e = peek(j);

	return e != NULL ? e->kind : JSON_NOTHING;
}

static struct str
text_of(const struct json *j, const struct event *e)
{
	return (struct str){e->len > 0 ? j->text.s + e->at : "", e->len};
}

void
json_digest(struct json *j, uint64_t *digest)
{
	size_t depth = 0;
	const struct event *e;

	while ((e = peek(j)) != NULL) {
		struct str s = text_of(j, e);

		j->next++;
		if (digest != NULL)
			*digest = hash_number(*digest + e->kind) + hash_bytes(s.s, s.len);
		if (e->kind == JSON_OBJECT || e->kind == JSON_ARRAY)
			depth++;
		else if (e->kind == JSON_END)
			depth--;
		if (depth == 0)
			return;
	}
}

void
json_skip(struct json *j)
{
	json_digest(j, NULL);
}

/* Take an object or an array. */
static bool
enter(struct json *j, enum json_kind kind)
{
	enum json_kind found = json_kind(j);

	if (found == kind)
		j->next++;
	else if (found != JSON_NOTHING)
		json_skip(j);
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

bool
json_key(struct json *j, struct str *key)
{
	const struct event *e = peek(j);

	if (e == NULL)
		return false;
	j->next++;
	if (e->kind == JSON_END)
		return false;
	*key = text_of(j, e);
	return true;
}

bool
json_item(struct json *j)
{
	enum json_kind kind = json_kind(j);

	if (kind == JSON_END)
		j->next++;
	return kind != JSON_END && kind != JSON_NOTHING;
}

bool
json_text(struct json *j, struct str *s)
{
	const struct event *e = peek(j);

	if (e == NULL || (e->kind != JSON_STRING && e->kind != JSON_NUMBER)) {
		json_skip(j);
		return false;
	}
	j->next++;
	*s = text_of(j, e);
	return true;
}

void
json_keep(struct json *j, struct text *t)
{
	struct str s;

	text_cut(t, 0);
	if (json_text(j, &s))
		text_str(t, s);
}

bool
json_digits(struct json *j, uint64_t *n)
{
	const struct event *e = peek(j);
	uint64_t whole = 0;
	const char *s;

	if (e == NULL || e->kind != JSON_NUMBER || e->len > 18)
		return false;
	s = j->text.s + e->at;
	for (uint32_t i = 0; i < e->len; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		whole = whole * 10 + (uint64_t)(s[i] - '0');
	}
	j->next++;
	*n = whole;
	return true;
}

bool
json_number(struct json *j, struct json_number *n)
{
	struct str s;
	uint64_t whole;

	if (json_digits(j, &whole)) {
		*n = (struct json_number){value_of(whole), false};
		return true;
	}
	if (!json_text(j, &s))
		return false;
	n->v = 0;
	n->negative = s.len > 1 && s.s[0] == '-';
	if (n->negative)
		s = (struct str){s.s + 1, s.len - 1};
	return s.len > 0 && value_parse(s.s, s.s + s.len, &n->v) != VALUE_BAD;
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

	if (json_digits(j, n))
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

void
json_malformed(struct json *j, const char *why)
{
	reader_malformed_byte(
	    j->reader, j->offset + (j->next > 0 ? j->event[j->next - 1].end : 0), why);
}
