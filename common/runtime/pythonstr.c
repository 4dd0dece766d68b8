/*
 * pythonstr: a header with the length and the width of a character, then the characters
 * (unicodeobject.h).
 */
#include "runtime/pythonstr.h"

#include <string.h>

#include "base/utf8.h"

#define TEXT_MAX 512 /* characters of a name or a path */

bool
python_read_str(
    struct memory_reader *m, const struct python_str *s, uint64_t object, struct text *to)
{
	unsigned char head[40], text[TEXT_MAX * 4];
	uint64_t type, length;
	uint32_t state;
	unsigned kind;

	text_cut(to, 0);
	if (!memory_read(m, object, head, sizeof head))
		return false;
	memcpy(&type, head + 8, sizeof type);
	memcpy(&length, head + 16, sizeof length);
	memcpy(&state, head + 32, sizeof state);
	kind = state >> 2 & 7;
	if (type != s->type || (state & 1u << 5) == 0 || (kind != 1 && kind != 2 && kind != 4))
		return false; /* not compact: by pre-3.3 code */
	if (length > TEXT_MAX)
		length = TEXT_MAX;
	if (!memory_rest(m, object, object + ((state & 1u << 6) != 0 ? s->ascii : s->compact), text,
		length * kind))
		return false;
	for (size_t i = 0; i < length; i++) {
		uint32_t c = 0;

		memcpy(&c, text + i * kind, kind);
		utf8_add(to, c);
	}
	return true;
}
