/*
 * canonical: what is at the end of a name goes first, then what is within it.
 */
#include "profile/canonical.h"

#include <string.h>

#include "profile/frame.h"

#define SHAPE "[go.shape."

static size_t
without_suffixes(const char *s, size_t len)
{
	static const char *const abi[] = {".abi0", ".abiinternal"};

	len = text_without_version(s, len);
	for (size_t i = 0; i < sizeof abi / sizeof abi[0]; i++)
		if (text_ends(s, len, abi[i]) && len > strlen(abi[i]))
			len -= strlen(abi[i]);
	return frame_without_hash(s, len);
}

bool
canonical_changes(const char *s, size_t len)
{
	return without_suffixes(s, len) != len || memmem(s, len, SHAPE, strlen(SHAPE)) != NULL;
}

void
canonical_add(struct text *t, struct str name)
{
	const char *s = name.s, *end = s + without_suffixes(s, name.len), *at;

	while ((at = memmem(s, (size_t)(end - s), SHAPE, strlen(SHAPE))) != NULL) {
		int depth = 0;

		text_add(t, s, (size_t)(at - s));
		for (s = at; s < end; s++) {
			depth += *s == '[' ? 1 : *s == ']' ? -1 : 0;
			if (depth == 0)
				break;
		}
		if (s == end) { /* its bracket has no end */
			s = at;
			break;
		}
		s++;
		text_puts(t, "[...]");
	}
	text_add(t, s, (size_t)(end - s));
}
