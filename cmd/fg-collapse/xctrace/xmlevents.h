/*
 * xmlevents: streaming XML reader: the file is never completely in memory; a short queue holds
 * expat's events. External entities are not read. Malformed XML is reported with its
 * offset and ends the document: elements read before stay valid. Joined files have several
 * documents: the next one begins at once, with <?xml or the first one's outermost element,
 * or after a malformed one with <?xml.
 */
#ifndef XMLEVENTS_H
#define XMLEVENTS_H

#include <stdbool.h>

#include "base/text.h"
#include "fg-collapse/reader.h"

#define XML_DEPTH 1000 /* nesting limit; deeper XML is malformed */

struct xmlevents;

/* Opens an unread input. Prints an error and exits with 2 if built without expat. */
struct xmlevents *xmlevents_open(struct reader *r);
void xmlevents_close(struct xmlevents *x);

/*
 * Moves to the next document, past the rest of the current one; to the first document if there is
 * no current one. False at the end.
 */
bool xmlevents_document(struct xmlevents *x);

enum xml_kind { XML_NOTHING, XML_BEGIN, XML_END };

/* Next begin or end of an element; XML_NOTHING at the end of the document or of its valid part. */
enum xml_kind xmlevents_next(struct xmlevents *x);

/* Of the last event, until the next call: the element's name; at a begin, an attribute ("" if
 * absent); at an end, the text since the previous tag. */
struct str xmlevents_name(const struct xmlevents *x);
struct str xmlevents_attribute(const struct xmlevents *x, const char *name);
struct str xmlevents_text(const struct xmlevents *x);

/* Skips the rest of the element whose begin was the last event, its end included. */
void xmlevents_skip(struct xmlevents *x);

/* Reports the element taken last as malformed, with its offset (reader_malformed). */
void xmlevents_malformed(struct xmlevents *x, const char *why);

#endif
