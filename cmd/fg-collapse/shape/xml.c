/*
 * xml: expat gives all events of a piece of the input at once, which wait in a queue
 * with their texts until they are asked for.
 */
#include "fg-collapse/shape/xml.h"

#include <stdio.h>
#include <stdlib.h>
#ifdef HAVE_EXPAT
#include <expat.h>
#endif

#include "base/cli.h"
#include "base/source.h"
#include "base/vec.h"

#define PIECE 16384 /* bytes given to expat at a time */

struct event {
	enum xml_kind kind;
	size_t name, text; /* where they begin in xml.text; attributes are before the text */
	size_t end;
	uint64_t offset;
};

struct xml {
	struct reader *reader;
	struct source *source;
	struct event *event; /* of the piece */
	size_t n, next, cap;
	struct text text; /* for each: a name, names and values of attributes, each with a NUL */
	struct text said; /* since the last tag */
	unsigned depth;
	bool ended;
#ifdef HAVE_EXPAT
	XML_Parser parser;
#endif
};

#ifdef HAVE_EXPAT

static void
put(struct xml *x, const char *s)
{
	text_add(&x->text, s, strlen(s) + 1);
}

static struct event *
add(struct xml *x, enum xml_kind kind, const char *name)
{
	struct event *e;

	vec_fit(x->event, x->cap, x->n + 1);
	e = &x->event[x->n++];
	*e = (struct event){.kind = kind,
	    .name = x->text.len,
	    .offset = (uint64_t)XML_GetCurrentByteIndex(x->parser)};
	put(x, name);
	return e;
}

static void
on_begin(void *context, const char *name, const char **attribute)
{
	struct xml *x = context;
	struct event *e = add(x, XML_BEGIN, name);

	for (; *attribute != NULL; attribute++)
		put(x, *attribute);
	e->text = e->end = x->text.len;
	text_cut(&x->said, 0);
	if (++x->depth > XML_DEPTH)
		XML_StopParser(x->parser, XML_FALSE);
}

static void
on_end(void *context, const char *name)
{
	struct xml *x = context;
	struct event *e = add(x, XML_END, name);

	e->text = x->text.len;
	text_str(&x->text, text_as_str(&x->said));
	e->end = x->text.len;
	text_cut(&x->said, 0);
	x->depth--;
}

static void
on_text(void *context, const char *s, int len)
{
	struct xml *x = context;

	text_add(&x->said, s, (size_t)len);
}

struct xml *
xml_open(struct reader *r)
{
	struct xml *x = cli_alloc(1, sizeof *x);

	x->reader = r;
	x->source = lines_source(r->lines);
	x->parser = XML_ParserCreate(NULL);
	if (x->parser == NULL)
		cli_die("out of memory");
	XML_SetUserData(x->parser, x);
	XML_SetElementHandler(x->parser, on_begin, on_end);
	XML_SetCharacterDataHandler(x->parser, on_text);
	return x;
}

void
xml_close(struct xml *x)
{
	XML_ParserFree(x->parser);
	free(x->event);
	text_free(&x->text);
	text_free(&x->said);
	free(x);
}

/* The events of the next piece that has some. */
static void
fill(struct xml *x)
{
	char piece[PIECE], why[128];

	x->n = x->next = 0;
	text_cut(&x->text, 0);
	while (x->n == 0 && !x->ended) {
		size_t len = source_read(x->source, piece, PIECE);
		enum XML_Status status = XML_Parse(x->parser, piece, (int)len, len == 0);

		x->ended = len == 0 || status != XML_STATUS_OK;
		if (status != XML_STATUS_OK) {
			snprintf(why, sizeof why, "%s: the rest",
			    x->depth > XML_DEPTH ? "nested too deep"
						 : XML_ErrorString(XML_GetErrorCode(x->parser)));
			reader_malformed_byte(
			    x->reader, (uint64_t)XML_GetErrorByteIndex(x->parser), why);
		}
		source_progress(x->source);
	}
}

#else

struct xml *
xml_open(struct reader *r)
{
	cli_die("%s: XML, which is read with the library expat: this program was built without it",
	    lines_name(r->lines));
}

void
xml_close(struct xml *x)
{
	free(x);
}

static void
fill(struct xml *x)
{
	x->ended = true;
}

#endif

enum xml_kind
xml_next(struct xml *x)
{
	if (x->next == x->n)
		fill(x);
	return x->next < x->n ? x->event[x->next++].kind : XML_NOTHING;
}

struct str
xml_name(const struct xml *x)
{
	return str_of(x->text.s + x->event[x->next - 1].name);
}

struct str
xml_attribute(const struct xml *x, const char *name)
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
xml_text(const struct xml *x)
{
	const struct event *e = &x->event[x->next - 1];

	return (struct str){x->text.s + e->text, e->end - e->text};
}

void
xml_skip(struct xml *x)
{
	for (size_t depth = 1; depth > 0;)
		switch (xml_next(x)) {
		case XML_BEGIN: depth++; break;
		case XML_END: depth--; break;
		case XML_NOTHING: return;
		}
}

void
xml_malformed(struct xml *x, const char *why)
{
	reader_malformed_byte(x->reader, x->next > 0 ? x->event[x->next - 1].offset : 0, why);
}
