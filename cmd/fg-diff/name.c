/*
 * name: a frame's text goes in, the number of what it is called by comes out.
 */
#include "fg-diff/name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "profile/frame.h"

uint32_t
name_intern_bare(struct calltree *names, const char *s, size_t len)
{
	char *bare;
	uint32_t number;

	if (frame_body(s, len) == len)
		return calltree_intern(names, s, len);
	bare = cli_alloc(len, 1);
	memcpy(bare, s, len);
	number = calltree_intern(names, bare, frame_drop_annotations(bare, len));
	free(bare);
	return number;
}

uint32_t
name_intern_function(struct calltree *names, const char *s, size_t len)
{
	return calltree_intern(names, s, frame_without_clones(s, frame_body(s, len)));
}

size_t
name_without_number(const char *s, size_t len)
{
	size_t n = len;

	while (n > 0 && isdigit((unsigned char)s[n - 1]))
		n--;
	return n > 1 && n < len && s[n - 1] == '.' ? n - 1 : len;
}

uint32_t
name_intern_module(struct calltree *names, const char *s, size_t len)
{
	static const struct {
		char annotation;
		const char *name;
	} known[] = {{'k', "[kernel]"}, {'j', "[jit]"}, {'l', "[library]"}};
	size_t n;
	const char *module = frame_module(s, len, &n);

	if (module != NULL)
		return calltree_intern(names, module, n);
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (frame_annotated(s, len, known[i].annotation))
			return calltree_intern(names, known[i].name, strlen(known[i].name));
	return calltree_intern(names, "[no module]", 11);
}
