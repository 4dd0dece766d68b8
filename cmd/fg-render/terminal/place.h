/*
 * place: state of the interactive view of a picture, without the terminal: the view shown,
 * zoom, selection, search, and the steps to undo.
 */
#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pattern.h"
#include "base/text.h"
#include "fg-render/picture.h"
#include "fg-render/terminal/view.h"
#include "fg-render/layout/visible.h"

/* One graph on the screen. */
struct pane {
	struct view view;
	struct rows rows;
	uint32_t first; /* first row drawn; a sandwich view omits the root's */
	bool upwards; /* true for the callers of a sandwich view, drawn root last */
};

#define PLACE_FILTERS 16

/* One undo step. Frames are stored as paths of names, which stay valid in a later picture. */
struct step {
	uint32_t *zoom, nzoom; /* path of names from the root; owned */
	uint32_t function; /* function of the sandwich view; 0: none */
	struct filter filter[PLACE_FILTERS];
	unsigned nfilter;
	int column; /* drawn column shown; -1: as in the picture */
};

struct place {
	const struct picture *p;
	unsigned wide, tall; /* size of the graph in character cells */
	struct view filtered; /* the picture after the filters of the step, if it has any */
	struct pane pane[2]; /* in a sandwich view: callees, then callers */
	unsigned npane;
	struct step *step;
	size_t at, nstep, cap; /* at: index of the current step */
	unsigned in; /* pane with the selected frame */
	uint32_t *selected, nselected; /* path of its names from the root */
	int scroll; /* in lines */
	bool searching;
	struct pattern pattern;
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
	PLACE_FOCUS,
	PLACE_HIDE,
	PLACE_DROP,
	PLACE_FOCUS_MODULE,
	PLACE_HIDE_MODULE,
	PLACE_OWN,
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
/* Returns a message if there is nothing to do, or NULL. */
const char *place_act(struct place *w, enum place_act act);
/* The entries of the legend, and one of them as a filter; returns as place_act. */
unsigned place_choices(const struct place *w, struct filter_choice choice[VIEWFILTER_CHOICES]);
const char *place_choose(struct place *w, unsigned number, bool without);
/* Selects the frame at a cell of the graph; true if it was selected already. */
bool place_click(struct place *w, int line, unsigned column);
/*
 * Starts a search for a regular expression; a pattern in lower case ignores case. "" ends the
 * search. False if the pattern is invalid.
 */
bool place_search(struct place *w, const char *pattern);

/*
 * Returns the screen line of a row, from 0 for the graph's first line; a value below 0 or from
 * `tall` on is out of view.
 */
int place_line(const struct place *w, const struct pane *pane, uint32_t row);
bool place_is_selected(const struct place *w, const struct pane *pane, const struct shown *f);
bool place_is_match(const struct place *w, const struct pane *pane, const struct shown *f);

/* Append the title, the line on the selected frame, and its stack as folded text. */
void place_title(const struct place *w, const char *note, struct text *b);
void place_status(const struct place *w, struct text *b);
void place_stack(const struct place *w, struct text *b);

#endif
