/*
 * own: classifies each name, then removes native code of processes that run scripts.
 */
#include "names/own.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "names/language.h"
#include "names/origin.h"
#include "profile/files0.h"

void
own_files_read(struct own_files *files, const char *path)
{
	size_t n;
	char **list = files0_read(path, &n);

	files->suffixes = calltree_new(0);
	for (size_t i = 0; i < n; i++)
		calltree_intern(files->suffixes, list[i], strlen(list[i]));
	free(list[0]);
	free(list);
}

void
own_files_free(struct own_files *files)
{
	calltree_free(files->suffixes);
	files->suffixes = NULL;
}

/* True if a source file of a frame is one of the list: a path of the list is its end. */
static bool
is_listed(const struct own_files *files, struct str file)
{
	for (size_t i = 0; i < file.len; i++)
		if ((i == 0 || file.s[i - 1] == '/') &&
		    calltree_find(files->suffixes, file.s + i, file.len - i) != 0)
			return true;
	return false;
}

/* Classes of functions, the best evidence last. */
enum class { CLASS_OTHER, CLASS_PROGRAM, CLASS_LISTED, CLASS_SCRIPT };

/* Where the code of a name is. */
enum place { PLACE_PROGRAM, PLACE_OTHER, PLACE_INLINED };

/* Inlined functions of which all code is in other modules than the program are not its own. */
static void
clear_inlined(const struct calltree *t, const uint8_t *place, uint8_t *class)
{
	uint8_t *at = cli_alloc_ready(t->nnode, sizeof *at);
	bool *here = cli_alloc(t->nname, sizeof *here);

	at[CALLTREE_ROOT] = PLACE_PROGRAM;
	for (uint32_t i = 1; i < t->nnode; i++) {
		const uint32_t name = t->node[i].name;

		at[i] = place[name] == PLACE_INLINED ? at[t->node[i].parent] : place[name];
		here[name] |= at[i] == PLACE_PROGRAM;
	}
	for (uint32_t i = 1; i < t->nname; i++)
		if (place[i] == PLACE_INLINED && class[i] == CLASS_PROGRAM && !here[i])
			class[i] = CLASS_OTHER;
	free(here);
	free(at);
}

static enum place
place_of(const struct frame_name *n, enum origin origin)
{
	if (n->inlined && n->module == 0)
		return PLACE_INLINED;
	return n->kind == FRAME_LIBRARY || n->kind == FRAME_KERNEL ||
		       (n->module != 0 && origin != ORIGIN_USER)
		   ? PLACE_OTHER
		   : PLACE_PROGRAM;
}

/* Returns by name its class; the caller frees it. */
static uint8_t *
classify(const struct calltree *t, const struct own_files *files)
{
	uint8_t *class = language_match(LANGUAGES_HOSTED, t, NULL);
	bool listed = files != NULL && files->suffixes != NULL, inlined = false;
	uint8_t *place = cli_alloc(t->nname, sizeof *place);

	for (uint32_t i = 1; i < t->nname; i++) {
		struct frame_name n = name_parse(t->name[i].s, t->name[i].len);
		enum origin origin = name_origin(&n, true);
		bool script = class[i] != 0;

		const bool other = script ? origin == ORIGIN_LIBRARY || origin == ORIGIN_SYSTEM
					  : origin != ORIGIN_USER;

		class[i] = other || name_is_entry(&n) ? CLASS_OTHER
			   : script		      ? CLASS_SCRIPT
						      : CLASS_PROGRAM;
		place[i] = place_of(&n, origin);
		inlined |= place[i] == PLACE_INLINED;
		if (!listed || n.file.len == 0)
			continue;
		if (is_listed(files, n.file))
			class[i] = script ? CLASS_SCRIPT : CLASS_LISTED;
		else if (script)
			class[i] = CLASS_OTHER;
	}
	if (inlined)
		clear_inlined(t, place, class);
	free(place);
	return class;
}

bool
own_has_scripts(const struct calltree *t, const struct own_files *files)
{
	uint8_t *class = classify(t, files);
	bool found = false;

	for (uint32_t i = 1; i < t->nname && !found; i++)
		found = class[i] == CLASS_SCRIPT;
	free(class);
	return found;
}

/* Marks the functions that are in the process of a script, by the root of their stacks. */
static void
clear_hosted(const struct calltree *t, uint8_t *class)
{
	uint32_t node = CALLTREE_ROOT, depth = 0, root = 0;
	bool *hosts = cli_alloc(t->nname, sizeof *hosts);

	while ((node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
		if (depth == 1)
			root = t->node[node].name;
		if (class[t->node[node].name] == CLASS_SCRIPT)
			hosts[root] = true;
	}
	while ((node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
		uint8_t *of = &class[t->node[node].name];

		if (depth == 1)
			root = t->node[node].name;
		if (hosts[root] && *of != CLASS_SCRIPT)
			*of = CLASS_OTHER;
	}
	free(hosts);
}

uint8_t *
own_match(const struct calltree *t, const struct own_files *files, bool scripts)
{
	uint8_t *class = classify(t, files), least = CLASS_PROGRAM;

	if (scripts)
		clear_hosted(t, class);
	for (uint32_t i = 1; i < t->nname; i++)
		if (class[i] == CLASS_LISTED)
			least = CLASS_LISTED;
	for (uint32_t i = 1; i < t->nname; i++)
		class[i] = class[i] >= least;
	return class;
}
