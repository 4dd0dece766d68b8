/*
 * framelabel: the label of a frame in the static SVG, with the mark of its change; of a
 * single-child run drawn as one row; or of a block of narrow neighbours.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "fg-render/picture/palette.h"
#include "fg-render/picture.h"
#include "fg-render/layout/visible.h"
#include "names/cells.h"
#include "names/label.h"
#include "names/origin.h"
#include "profile/unit.h"

#define ELLIPSIS "\xe2\x80\xa6"

/* Appends "3,700 others, 4 %", or "3,700" if that is too wide. */
static void
add_others(const struct picture *p, const struct shown *s, unsigned columns, struct text *b)
{
	double share = 100 * s->width / p->profile_total;
	size_t begin = b->len;

	unit_figure(b, text_form(s->count, "other", "others"), s->count);
	text_printf(b, share < 1 ? ", %.1f %%" : ", %.0f %%", share);
	if (label_width(b->s + begin, b->len - begin) <= columns)
		return;
	text_cut(b, begin + strcspn(b->s + begin, " "));
	if (label_width(b->s + begin, b->len - begin) + 1 > columns)
		text_cut(b, begin);
}

/*
 * Appends "3 frames: first … last", or "first +2" if that is too wide: chainLabel() in the viewer.
 */
static void
add_run(const struct picture *p, const struct shown *s, unsigned columns, struct text *b)
{
	const struct calltree_node *node = p->tree->node;
	const struct frame_name *name = p->names.name;
	size_t begin = b->len;
	char more[16];

	/* the last frame decides the colour of the run, and has most of the label */
	unit_figure(b, "frames: ", s->count);
	label_add(b, &name[node[s->node].name], 60, p->options->truncate_right);
	text_puts(b, " " ELLIPSIS " ");
	label_add(b, &name[node[s->last].name], 200, p->options->truncate_right);
	if (label_width(b->s + begin, b->len - begin) <= columns)
		return;
	text_cut(b, begin);
	snprintf(more, sizeof more, " +%u", s->count - 1);
	if (columns < strlen(more) + 3)
		return;
	label_add(b, &name[node[s->node].name], columns - (unsigned)strlen(more),
	    p->options->truncate_right);
	if (b->len > begin)
		text_puts(b, more);
}

void
label_shown(const struct picture *p, const struct shown *s, unsigned class, unsigned columns,
    struct text *b)
{
	const struct calltree_node *node = p->tree->node;
	const struct frame_name *name = &p->names.name[node[s->node].name];
	const char *mark = palette_mark(p, class);
	unsigned taken = label_width(mark, strlen(mark));
	size_t begin = b->len;

	if (s->others) {
		add_others(p, s, columns, b);
		return;
	}
	if (columns < taken + 3)
		return;
	text_puts(b, mark);
	if (s->count == 1)
		label_add(b, name, columns - taken, p->options->truncate_right);
	else
		add_run(p, s, columns - taken, b);
	if (b->len == begin + strlen(mark))
		text_cut(b, begin);
}
