/*
 * xmlevents: expat reports all events of a piece of the input at once; a queue stores them with
 * their strings. expat parses one document: where that ends or is malformed, a new parser
 * gets the bytes from there on.
 */
#include "fg-collapse/xctrace/xmlevents.h"

#include <stdio.h>
#include <stdlib.h>
#ifdef HAVE_EXPAT
#include <expat.h>
#endif

#include "base/cli.h"
#include "base/source.h"
#include "base/vec.h"
#include "fg-collapse/shape/scan.h"

/* XML_GetErrorByteIndex: the replacement of expat 2.7 is the same on 64-bit machines. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define PIECE 16384 /* bytes read at a time; also how much of the input before them is kept */

struct event {
	enum xml_kind kind;
	size_t name, text; /* offsets in xml.text; attributes are before the text */
	size_t end;
	uint64_t offset;
};

struct xmlevents {
	struct reader *reader;
	struct source *source;
	struct event *event; /* events of the current piece */
	size_t n, next, cap;
	struct text text; /* strings of each event: a name, names and values of attributes,
			     NUL-terminated */
	struct text pending; /* character data since the last tag */
	unsigned depth;
	char bytes[2 * PIECE]; /* input up to len; expat has got the first `given` bytes */
	size_t given, len;
	uint64_t offset; /* offset of bytes[0] in the input */
	uint64_t start; /* offset of the document in the input */
	struct text root; /* name of the first document's outermost element */
	bool declared; /* the document begins with <?xml */
	bool rooted; /* its outermost element has begun */
	bool entity; /* it declares an entity */
	bool ended; /* the document or its valid part has ended */
	bool more; /* there are bytes after it */
#ifdef HAVE_EXPAT
	XML_Parser parser;
#endif
};

#ifdef HAVE_EXPAT

static void
put(struct xmlevents *x, const char *s)
{
	text_add(&x->text, s, strlen(s) + 1);
}

static struct event *
add(struct xmlevents *x, enum xml_kind kind, const char *name)
{
	struct event *e;

	vec_fit(x->event, x->cap, x->n + 1);
	e = &x->event[x->n++];
	*e = (struct event){.kind = kind,
	    .name = x->text.len,
	    .offset = x->start + (uint64_t)XML_GetCurrentByteIndex(x->parser)};
	put(x, name);
	return e;
}

static void
on_begin(void *context, const char *name, const char **attribute)
{
	struct xmlevents *x = context;
	struct event *e;

	x->depth++;
	if (x->root.len == 0)
		text_add(&x->root, name, strlen(name));
	x->rooted = x->rooted || x->declared || str_is(text_as_str(&x->root), name);
	if (!x->rooted) {
		XML_StopParser(x->parser, XML_FALSE);
		return;
	}
	e = add(x, XML_BEGIN, name);
	for (; *attribute != NULL; attribute++)
		put(x, *attribute);
	e->text = e->end = x->text.len;
	text_cut(&x->pending, 0);
	if (x->depth > XML_DEPTH)
		XML_StopParser(x->parser, XML_FALSE);
}

static void
on_end(void *context, const char *name)
{
	struct xmlevents *x = context;
	struct event *e = add(x, XML_END, name);

	e->text = x->text.len;
	text_str(&x->text, text_as_str(&x->pending));
	e->end = x->text.len;
	text_cut(&x->pending, 0);
	x->depth--;
}

static void
on_text(void *context, const char *s, int len)
{
	struct xmlevents *x = context;

	text_add(&x->pending, s, (size_t)len);
}

static void
on_declaration(void *context, const char *version, const char *encoding, int standalone)
{
	struct xmlevents *x = context;

	(void)version, (void)encoding, (void)standalone;
	x->declared = true;
}

/*
 * No profile declares entities. Entities that refer to each other take exponential time, or more
 * stack than there is (CVE-2024-8176 in expat before 2.7).
 */
static void
on_entity(void *context, const char *name, int is_parameter, const char *text, int length,
    const char *base, const char *system, const char *public, const char *notation)
{
	struct xmlevents *x = context;

	(void)name, (void)is_parameter, (void)text, (void)length;
	(void)base, (void)system, (void)public, (void)notation;
	x->entity = true;
	XML_StopParser(x->parser, XML_FALSE);
}

/* Begins a document at the next bytes. */
static void
start(struct xmlevents *x)
{
	XML_ParserReset(x->parser, NULL);
	XML_SetUserData(x->parser, x);
	XML_SetElementHandler(x->parser, on_begin, on_end);
	XML_SetCharacterDataHandler(x->parser, on_text);
	XML_SetXmlDeclHandler(x->parser, on_declaration);
	XML_SetEntityDeclHandler(x->parser, on_entity);
	x->entity = false;
	x->start = x->offset + x->given;
	x->depth = 0;
	x->declared = x->rooted = x->ended = x->more = false;
	text_cut(&x->pending, 0);
}

struct xmlevents *
xmlevents_open(struct reader *r)
{
	struct xmlevents *x = cli_alloc(1, sizeof *x);

	x->reader = r;
	x->source = lines_source(r->lines);
	x->parser = XML_ParserCreate(NULL);
	if (x->parser == NULL)
		cli_die("out of memory");
	x->ended = x->more = true;
	return x;
}

void
xmlevents_close(struct xmlevents *x)
{
	XML_ParserFree(x->parser);
	free(x->event);
	text_free(&x->text);
	text_free(&x->pending);
	text_free(&x->root);
	free(x);
}

/* Reads another piece of the input after the last one, which stays; false at the end. */
static bool
read_piece(struct xmlevents *x)
{
	size_t kept = x->len < PIECE ? x->len : PIECE, n;

	memmove(x->bytes, x->bytes + x->len - kept, kept);
	x->offset += x->len - kept;
	n = source_read(x->source, x->bytes + kept, PIECE);
	x->given = kept;
	x->len = kept + n;
	source_progress(x->source);
	return n > 0;
}

/* Moves to an offset, or past all bytes read if it is not among them. */
static void
go_to(struct xmlevents *x, uint64_t offset)
{
	bool there = offset >= x->offset && offset - x->offset < x->len;

	x->given = there ? (size_t)(offset - x->offset) : x->len;
}

/* Moves to the next possible document after a malformed one; false if there is none. */
static bool
seek(struct xmlevents *x, uint64_t offset)
{
	static const char declaration[] = "<?xml";

	for (go_to(x, offset);;) {
		struct str rest = {x->bytes + x->given, x->len - x->given};
		size_t at = str_find(rest, declaration);

		x->given += at;
		if (at < rest.len)
			return true;
		if (rest.len >= sizeof declaration - 1)
			rest.len =
			    sizeof declaration - 2; /* a declaration may begin in these bytes */
		if (!read_piece(x))
			return false;
		x->given -= rest.len;
	}
}

/*
 * Ends the document at expat's error. Either the document is complete and another may
 * follow, or the error is reported and the next document is searched for.
 */
static bool
end_badly(struct xmlevents *x)
{
	uint64_t at = x->start + (uint64_t)XML_GetErrorByteIndex(x->parser);
	char why[128];

	go_to(x, at);
	if (x->rooted && x->depth == 0 && x->given < x->len)
		return true;
	if (x->root.len > 0 && !x->rooted)
		reader_malformed_byte(x->reader, x->start, "junk after document element");
	else {
		snprintf(why, sizeof why, "%s: the rest",
		    x->entity		   ? "declares an entity"
		    : x->depth > XML_DEPTH ? "nested too deeply"
					   : XML_ErrorString(XML_GetErrorCode(x->parser)));
		reader_malformed_byte(x->reader, at, why);
	}
	return seek(x, at > x->start ? at : x->start + 1);
}

/* Reads the events of the next piece of the document that has some. */
static void
fill(struct xmlevents *x)
{
	x->n = x->next = 0;
	text_cut(&x->text, 0);
	while (x->n == 0 && !x->ended) {
		bool last = x->given == x->len && !read_piece(x);
		enum XML_Status status =
		    XML_Parse(x->parser, x->bytes + x->given, (int)(x->len - x->given), last);

		x->given = x->len;
		x->ended = last || status != XML_STATUS_OK;
		x->more = status != XML_STATUS_OK && end_badly(x);
	}
}

bool
xmlevents_document(struct xmlevents *x)
{
	while (xmlevents_next(x) != XML_NOTHING)
		;
	while (x->more) {
		start(x);
		fill(x);
		if (x->rooted)
			return true;
	}
	return false;
}

#else

struct xmlevents *
xmlevents_open(struct reader *r)
{
	cli_die(
	    "%s: XML; this program was built without expat, which reads it", lines_name(r->lines));
}

void
xmlevents_close(struct xmlevents *x)
{
	free(x);
}

bool
xmlevents_document(struct xmlevents *x)
{
	(void)x;
	return false;
}

static void
fill(struct xmlevents *x)
{
	x->ended = true;
}

#endif

enum xml_kind
xmlevents_next(struct xmlevents *x)
{
	if (x->next == x->n)
		fill(x);
	return x->next < x->n ? x->event[x->next++].kind : XML_NOTHING;
}

struct str
xmlevents_name(const struct xmlevents *x)
{
	return str_of(x->text.s + x->event[x->next - 1].name);
}

struct str
xmlevents_attribute(const struct xmlevents *x, const char *name)
{
	const struct event *e = &x->event[x->next - 1];
	const char *s = x->text.s + e->name, *end = x->text.s + e->text;

	for (s += strlen(s) + 1; s < end;) {
		const char *is = s + strlen(s) + 1;

		if (strcmp(s, name) == 0)
			return str_of(is);
		s = is + strlen(is) + 1;
	}
	return (struct str){"", 0};
}

struct str
xmlevents_text(const struct xmlevents *x)
{
	const struct event *e = &x->event[x->next - 1];

	return (struct str){x->text.s + e->text, e->end - e->text};
}

void
xmlevents_skip(struct xmlevents *x)
{
	for (size_t depth = 1; depth > 0;)
		switch (xmlevents_next(x)) {
		case XML_BEGIN: depth++; break;
		case XML_END: depth--; break;
		case XML_NOTHING: return;
		}
}

void
xmlevents_malformed(struct xmlevents *x, const char *why)
{
	reader_malformed_byte(x->reader, x->next > 0 ? x->event[x->next - 1].offset : 0, why);
}
