/*
 * xml: XML taken tag by tag as it is read, so that a file is never in memory: the events
 * of expat wait in a short queue. Entities of other files are not read. Malformed XML is
 * said with its offset and ends the document: what was read before stays good. Another
 * document may follow, as files that were joined have it: at once, with the first one's
 * outermost element or <?xml, and after a broken one with <?xml.
 */
#ifndef XML_H
#define XML_H

#include <stdbool.h>

#include "base/text.h"
#include "fg-collapse/reader.h"

#define XML_DEPTH 1000 /* of elements in each other; more is malformed */

struct xml;

/* Over an input of which nothing was taken. Without expat a message and exit 2. */
struct xml *xml_open(struct reader *r);
void xml_close(struct xml *x);

/* Past the rest of the document, if any, to the next one, at first the first; false at the end. */
bool xml_document(struct xml *x);

enum xml_kind { XML_NOTHING, XML_BEGIN, XML_END };

/* The next begin or end of an element; XML_NOTHING at the end of the
 * document, or of what is good of it. */
enum xml_kind xml_next(struct xml *x);

/* Of what xml_next gave, until the next call: the element's name, an attribute where it
 * begins ("" for none), and where it ends the text since the tag before. */
struct str xml_name(const struct xml *x);
struct str xml_attribute(const struct xml *x, const char *name);
struct str xml_text(const struct xml *x);

/* After the begin of an element: to its end, which is taken. */
void xml_skip(struct xml *x);

/* What was taken last is malformed: reader_malformed with its offset. */
void xml_malformed(struct xml *x, const char *why);

#endif
