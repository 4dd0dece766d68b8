/*
 * renamestep: maps every name of the old tree to a name in the new one; frames with equal names are
 * merged. A frame whose name becomes empty is removed, as if hidden.
 */
#include <stdlib.h>

#include "base/cli.h"
#include "fg-filter/filter.h"
#include "names/frame.h"

typedef void new_name(const struct step *s, const struct calltree_name *old, struct text *name);

static void
rename_all(const struct step *s, new_name *rename, struct calltree *from, struct calltree *to,
    uint32_t *map)
{
	uint32_t *number = cli_alloc(from->nname, sizeof *number); /* by old name; 0: empty */
	struct text name = {0};

	for (uint32_t i = 1; i < from->nname; i++) {
		name.len = 0;
		text_add(&name, "", 0);
		rename(s, &from->name[i], &name);
		if (name.len > 0 || from->name[i].len == 0)
			number[i] = calltree_intern(to, name.s, frame_clean(name.s, name.len));
	}
	for (uint32_t i = 1; i < from->nnode; i++) {
		const struct calltree_node *n = &from->node[i];

		map[i] = map[n->parent];
		if (number[n->name] != 0)
			map[i] = calltree_child(to, map[i], number[n->name]);
	}
	free(name.s);
	free(number);
}

static void
replaced(const struct step *s, const struct calltree_name *old, struct text *name)
{
	match_replace(&s->pattern, &s->replacement, old->s, old->len, name);
}

static void
stripped(const struct step *s, const struct calltree_name *old, struct text *name)
{
	text_add(name, old->s, old->len);
	name->len = strip_frame(s->strip, name->s, name->len);
}

static void
bare(const struct step *s, const struct calltree_name *old, struct text *name)
{
	(void)s;
	text_add(name, old->s, old->len);
	name->len = frame_drop_annotations(name->s, name->len);
}

void
rename_replace(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	rename_all(s, replaced, from, to, map);
}

void
rename_strip(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	rename_all(s, stripped, from, to, map);
}

void
rename_bare(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	rename_all(s, bare, from, to, map);
}
