/*
 * panel: the first page of the viewer's panel as lines for the static SVG.
 */
#ifndef PANEL_H
#define PANEL_H

#include <stddef.h>

#include "base/text.h"
#include "fg-render/picture.h"
#include "fg-render/summary.h"

enum panel_kind {
	PANEL_TEXT,
	PANEL_DIM,
	PANEL_ROW, /* of the ranked list: bar, figures, and the text as the name */
	PANEL_GAP /* half a line between sentences, without text */
};

struct panel_line {
	enum panel_kind kind;
	struct text text; /* valid XML text, not escaped */
	const struct summary_row *row; /* PANEL_ROW; the summary owns it */
};
struct panel {
	struct panel_line *line;
	size_t n, cap;
	double largest; /* size of the first row, positive */
};
/* Builds lines of at most `columns` cells; keeps s until panel_free. */
void panel_build(
    const struct picture *p, const struct summary *s, unsigned columns, struct panel *panel);
void panel_free(struct panel *panel);

#endif
