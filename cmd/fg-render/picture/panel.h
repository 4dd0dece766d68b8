/*
 * panel: the first page of the viewer's panel as lines for the static SVG.
 */
#ifndef PANEL_H
#define PANEL_H

#include <stddef.h>

#include "base/text.h"
#include "fg-render/picture.h"
#include "fg-render/text/sentences.h"

enum panel_kind {
	PANEL_TEXT,
	PANEL_DIM,
	PANEL_ROW, /* of the ranked list: a bar, and as text the aligned figures and the name */
	PANEL_GAP /* half a line between sentences, without text */
};

struct panel_line {
	enum panel_kind kind;
	struct text text; /* valid XML text, not escaped */
	uint32_t name; /* PANEL_ROW: of the function */
	double share; /* PANEL_ROW: length of the bar, of the first one; below 0: a decrease */
};
struct panel {
	struct panel_line *line;
	size_t n, cap;
};
/* Builds lines; sentences have at most `columns` cells. */
void panel_build(
    const struct picture *p, const struct summary *s, unsigned columns, struct panel *panel);
void panel_free(struct panel *panel);

#endif
