/*
 * xml: text and JSON that are safe in an SVG file.
 */
#ifndef XML_H
#define XML_H

#include <stddef.h>

#include "base/output.h"
#include "base/text.h"

#define XML_SECTION (7 * 1024 * 1024) /* libxml2 rejects text and attributes above 10 MB */
void xml_string(struct output *o, const char *s); /* cleans and escapes */
void xml_json(struct output *o, const char *s, size_t len); /* JSON string, safe in CDATA */
void xml_add_json(struct text *b, const char *s, size_t len); /* appends the same */
size_t xml_clean(struct text *b, const char *s, size_t len); /* appends as valid XML text */
/* Cleans a frame's name so that different names stay different. */
size_t xml_clean_name(struct text *b, const char *s, size_t len);
char *xml_copy(const char *s); /* a clean copy; the caller frees it */

#endif
