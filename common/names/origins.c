#include "names/origins.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "names/library.h"

bool
origins_of_names(const struct calltree *t, struct frame_name *name, bool reverse)
{
	uint8_t *hosted = library_hosted(t, reverse);
	bool annotated = false;

	for (uint32_t i = 1; i < t->nname; i++)
		annotated |= name[i].kind == FRAME_KERNEL || name[i].kind == FRAME_LIBRARY ||
			     name[i].kind == FRAME_JIT || name[i].kind == FRAME_SCRIPT;
	for (uint32_t i = 1; i < t->nname; i++) {
		struct frame_name *n = &name[i];

		n->origin = name_origin(n, annotated);
		if (n->origin == ORIGIN_USER && hosted != NULL && hosted[i] &&
		    library_is_runtime((struct str){n->text, n->len}, n->file, n->kind))
			n->origin = ORIGIN_LIBRARY;
	}
	name[0].origin = ORIGIN_UNKNOWN;
	free(hosted);
	return annotated;
}

uint8_t *
origins_of_nodes(const struct calltree *t, const struct frame_name *name)
{
	uint8_t *origin = cli_alloc_ready(t->nnode, sizeof *origin);
	uint8_t *compiled =
	    cli_alloc_ready(t->nnode, sizeof *compiled); /* of the function it is a part of */

	origin[0] = compiled[0] = ORIGIN_UNKNOWN;
	for (uint32_t i = 1; i < t->nnode; i++) {
		const struct frame_name *n = &name[t->node[i].name];
		uint32_t parent = t->node[i].parent;

		origin[i] = (uint8_t)n->origin;
		compiled[i] = n->inlined && parent != CALLTREE_ROOT ? compiled[parent] : origin[i];
		/* if the caller's origin is unknown, keep the one from the frame's own source file
		 */
		if (name_inherits(n) && parent != CALLTREE_ROOT &&
		    compiled[parent] != ORIGIN_UNKNOWN)
			origin[i] = compiled[parent];
	}
	free(compiled);
	return origin;
}

unsigned
origins_of_words(const char *list)
{
	static const char *const words[] = {"user", "library", "system", "unknown"};
	unsigned bits = 0;

	for (const char *word = list;; word += strcspn(word, ",") + 1) {
		size_t len = strcspn(word, ",");
		unsigned i = 0;

		while (i < 4 && !(strlen(words[i]) == len && strncmp(word, words[i], len) == 0))
			i++;
		if (i == 4)
			return 0;
		bits |= 1U << i;
		if (word[len] == '\0')
			return bits;
	}
}
