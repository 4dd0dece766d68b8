/*
 * renamestep: maps every name of the old tree to a name in the new one; frames with equal names are
 * merged. A frame whose name becomes empty is removed, as if hidden.
 */
#include <stdlib.h>

#include "base/cli.h"
#include "fg-filter/filter.h"
#include "names/frame.h"

bool
rename_name(const struct step *s, struct str old, struct text *name)
{
	text_cut(name, 0);
	text_puts(name, "");
	if (s->pattern.text != NULL) {
		match_replace(&s->pattern, &s->replacement, old.s, old.len, name);
	} else {
		text_str(name, old);
		text_cut(name, s->strip != 0 ? strip_frame(s->strip, name->s, name->len)
					     : frame_drop_annotations(name->s, name->len));
	}
	text_cut(name, frame_clean(name->s, name->len));
	return name->len > 0 || old.len == 0;
}

void
rename_frames(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	uint32_t *number = cli_alloc(from->nname, sizeof *number); /* by old name; 0: empty */
	struct text name = {0};

	for (uint32_t i = 1; i < from->nname; i++)
		if (rename_name(s, (struct str){from->name[i].s, from->name[i].len}, &name))
			number[i] = calltree_intern(to, name.s, name.len);
	for (uint32_t i = 1; i < from->nnode; i++) {
		const struct calltree_node *n = &from->node[i];

		map[i] = map[n->parent];
		if (number[n->name] != 0)
			map[i] = calltree_child(to, map[i], number[n->name]);
	}
	text_free(&name);
	free(number);
}
