/*
 * xml: makes well-formed XML text of any bytes. Control characters and bytes of invalid UTF-8
 * become U+FFFD. In names the byte's two hexadecimal digits follow, so that different names
 * stay different.
 */
#include <stdbool.h>
#include <string.h>

#include "fg-render/xml.h"

/*
 * Returns the length of the character at s if XML 1.0 allows it (section 2.2, and it is not a
 * C0 or C1 control character), else 0.
 */
static size_t
character(const unsigned char *s, const unsigned char *end)
{
	uint32_t c;
	size_t n = text_printable((const char *)s, (size_t)(end - s), &c);

	return n > 0 && (c == 0xfffe || c == 0xffff) ? 0 : n;
}

static size_t
clean(struct text *b, const char *s, size_t len, bool digits)
{
	const unsigned char *at = (const unsigned char *)s, *end = at + len;
	size_t before = b->len;

	while (at < end) {
		const unsigned char *good = at;
		size_t n;

		while (at < end && (n = character(at, end)) != 0)
			at += n;
		text_add(b, (const char *)good, (size_t)(at - good));
		if (at < end) {
			text_puts(b, "\xef\xbf\xbd");
			if (digits)
				text_printf(b, "%02x", *at);
			at++;
		}
	}
	return b->len - before;
}

size_t
xml_clean(struct text *b, const char *s, size_t len)
{
	return clean(b, s, len, false);
}

size_t
xml_clean_name(struct text *b, const char *s, size_t len)
{
	return clean(b, s, len, true);
}

char *
xml_copy(const char *s)
{
	struct text b = {0};

	text_puts(&b, "");
	xml_clean(&b, s, strlen(s));
	return b.s;
}

void
xml_string(struct output *o, const char *s)
{
	struct text copy = {0}, escaped = {0};

	xml_clean(&copy, s, strlen(s));
	text_html(&escaped, text_as_str(&copy));
	output_write(o, escaped.s, escaped.len);
	text_free(&copy);
	text_free(&escaped);
}

void
xml_add_json(struct text *b, const char *s, size_t len)
{
	struct text copy = {0};

	xml_clean(&copy, s, len);
	text_char(b, '"');
	for (size_t i = 0; i < copy.len; i++) {
		char c = copy.s[i];

		if (c == '<' || c == '>' || c == '&')
			text_printf(b, "\\u%04x", (unsigned)c);
		else {
			if (c == '"' || c == '\\')
				text_char(b, '\\');
			text_char(b, c);
		}
	}
	text_char(b, '"');
	text_free(&copy);
}

void
xml_json(struct output *o, const char *s, size_t len)
{
	struct text b = {0};

	xml_add_json(&b, s, len);
	output_write(o, b.s, b.len);
	text_free(&b);
}
