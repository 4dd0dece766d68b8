/*
 * place: where one is in a picture on an interactive terminal, without the terminal: what
 * is shown, zoomed, selected and searched, and the way back.
 */
#ifndef PLACE_H
#define PLACE_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "fg-render/picture.h"
#include "fg-render/view.h"
#include "fg-render/visible.h"

/* A graph on the screen. */
struct pane {
	struct view view;
	struct rows rows;
	uint32_t first; /* row that is drawn first: in a sandwich without the root's */
	bool upwards; /* callers of a sandwich stand above it */
};

/* What can be undone. Frames are paths of names, so that they outlive a picture. */
struct step {
	uint32_t *zoom, nzoom; /* names from the root; owned */
	uint32_t function; /* of the sandwich; 0: none */
	int column; /* of the drawn ones; -1: as in the picture */
};

struct place {
	const struct picture *p;
	unsigned wide, tall; /* cells of the graph */
	struct pane pane[2]; /* in a sandwich callees, then callers */
	unsigned npane;
	struct step *step;
	size_t at, nstep, cap; /* at: of the current one */
	unsigned in; /* the pane with the selected frame */
	uint32_t *selected, nselected; /* its names from the root */
	int scroll; /* lines */
	bool searching;
	regex_t pattern;
};

enum place_act {
	PLACE_CALLER,
	PLACE_CALLEE,
	PLACE_LEFT,
	PLACE_RIGHT,
	PLACE_ZOOM,
	PLACE_OUT,
	PLACE_RESET,
	PLACE_SANDWICH,
	PLACE_UNDO,
	PLACE_REDO,
	PLACE_BASE,
	PLACE_HEAD,
	PLACE_BOTH,
	PLACE_NEXT_COLUMN,
	PLACE_LAST_COLUMN,
	PLACE_NEXT_MATCH,
	PLACE_LAST_MATCH,
	PLACE_UP,
	PLACE_DOWN,
};

void place_open(struct place *w);
void place_close(struct place *w);
void place_show(struct place *w, const struct picture *p, unsigned wide, unsigned tall);
void place_resize(struct place *w, unsigned wide, unsigned tall);
void place_act(struct place *w, enum place_act act);
/* Search for a regular expression, lower case for both; "" ends it. False where it is none. */
bool place_search(struct place *w, const char *pattern);

/* The line of a row, from 0 for the graph's first one; negative or `tall` on: not in view. */
int place_line(const struct place *w, const struct pane *pane, uint32_t row);
bool place_is_selected(const struct place *w, const struct pane *pane, const struct shown *f);
bool place_is_match(const struct place *w, const struct pane *pane, const struct shown *f);

/* Texts for the title, the line of the selected frame, and its stack as folded text. */
void place_title(const struct place *w, const char *note, struct text *b);
void place_status(const struct place *w, struct text *b);
void place_stack(const struct place *w, struct text *b);

#endif
