/*
 * xml: text and JSON that are safe in an SVG file.
 */
#ifndef XML_H
#define XML_H

#include <stddef.h>

#include "base/output.h"
#include "base/text.h"

#define XML_SECTION (7 * 1024 * 1024) /* libxml2 refuses text or an attribute of 10 MB */
void xml_escape(struct text *b, const char *s, size_t len); /* clean text */
void xml_string(struct output *o, const char *s); /* cleaned and escaped */
void xml_json(struct output *o, const char *s, size_t len); /* a JSON string in a CDATA section */
void xml_add_json(struct text *b, const char *s, size_t len); /* the same */
size_t xml_clean(struct text *b, const char *s, size_t len); /* append as valid XML text */
/* The same of a frame's name: different names stay different. */
size_t xml_clean_name(struct text *b, const char *s, size_t len);
char *xml_copy(const char *s); /* a clean copy; the caller frees it */

#endif
