#include "base/utf8.h"

#include <string.h>
#define LIBBSD_OPENBSD_VIS /* selects one of two strnvis(3); unused here */
#include <vis.h>

size_t
text_utf8(const char *s, size_t len, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char first = (unsigned char)s[0];
	size_t n = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
	uint32_t c = n == 1 ? first : first & (0x7fu >> n);

	if (n == 0 || n > len || first > 0xf4)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | ((unsigned char)s[i] & 0x3f);
	}
	*code = c;
	return c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n;
}

size_t
text_printable(const char *s, size_t len, uint32_t *code)
{
	size_t n = text_utf8(s, len, code);

	return n > 0 && (*code < ' ' || (*code >= 0x7f && *code < 0xa0)) ? 0 : n;
}

size_t
text_ascii(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && s[n] >= ' ' && s[n] < 0x7f)
		n++;
	return n;
}

size_t
text_shown(char to[TEXT_SHOWN], const char *s, size_t len, size_t *taken)
{
	uint32_t code;
	size_t n = text_printable(s, len, &code);

	*taken = n > 0 ? n : 1;
	if (n > 0) {
		memcpy(to, s, n);
		return n;
	}
	return (size_t)(vis(to, (unsigned char)s[0],
			    VIS_CSTYLE | VIS_OCTAL | VIS_WHITE | VIS_NOLOCALE, 0) -
			to);
}
