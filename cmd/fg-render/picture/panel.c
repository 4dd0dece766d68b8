/*
 * panel: the first page of the viewer's panel as lines of text for the static SVG: heading,
 * ranked list, and the most important sentences, wrapped to the width of the picture. The text
 * is that of summary.js.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "fg-render/picture/panel.h"
#include "fg-render/xml.h"
#include "names/cells.h"
#include "names/label.h"
#include "names/language.h"
#include "names/origin.h"

#define NAME_CELLS 60 /* limit of a name */
#define SENTENCES 3
#define NO_BREAK_SPACE "\xc2\xa0" /* rows of spaces collapse, even with xml:space */

static struct panel_line *
new_line(struct panel *panel, enum panel_kind kind)
{
	vec_fit(panel->line, panel->cap, panel->n + 1);
	panel->line[panel->n] = (struct panel_line){.kind = kind};
	return &panel->line[panel->n++];
}

static void
add_name(const struct picture *p, uint32_t number, struct text *b)
{
	const struct frame_name *name = &p->names.name[number];
	struct text all = {0};
	struct frame_name shown;
	size_t begin = b->len;

	text_add(&all, name->text, name->len);
	if (language_needs_place(name->file) || name_is_anonymous(name)) {
		shown = *name;
		shown.file = label_last_segment(name->file);
		label_add_place(&all, &shown);
	}
	shown = (struct frame_name){.text = all.s, .len = (uint32_t)all.len};
	if (all.len > 0)
		label_add(b, &shown, NAME_CELLS, p->options->truncate_right);
	if (b->len == begin)
		text_puts(b, "(no name)");
	text_free(&all);
}

/* Adds text as lines of at most `columns` cells, split at spaces. */
static void
add_wrapped(struct panel *panel, const struct text *b, unsigned columns)
{
	struct panel_line *line = NULL;
	unsigned used = 0;

	for (size_t at = 0, n; at < b->len; at += n) {
		unsigned width;

		n = strcspn(b->s + at, " ");
		width = label_width(b->s + at, n);
		if (line == NULL || used + 1 + width > columns) {
			line = new_line(panel, PANEL_TEXT);
			used = 0;
		}
		if (used > 0)
			text_char(&line->text, ' ');
		text_add(&line->text, b->s + at, n);
		used += (used > 0) + width;
		n += strspn(b->s + at + n, " ");
	}
}

/* Appends sentence number `which` of the summary, without its stacks; false if there is none. */
static bool
add_sentence(const struct picture *p, const struct summary *s, unsigned which, struct text *b)
{
	size_t begin = b->len;

	for (size_t i = 0; i < s->n; i++) {
		const struct summary_part *part = &s->part[i];

		if (part->kind == SUMMARY_END && which-- == 0)
			break;
		if (which == 0 && part->kind == SUMMARY_WORDS)
			xml_clean(b, s->words.s + part->begin, part->end - part->begin);
		else if (which == 0 && part->kind == SUMMARY_NAME)
			add_name(p, part->name, b);
	}
	return b->len > begin;
}

static unsigned
text_cells(const struct text *b)
{
	return b->len > 0 ? label_width(b->s, b->len) : 0;
}

/* Appends a figure of a row, aligned at the right of its column, and the space after it. */
static void
add_cell(const struct summary *s, unsigned row, int k, struct text *b)
{
	const struct text *cell = &s->row[row].cell[k];
	unsigned width = 0;

	for (unsigned i = 0; i < s->nrow; i++) {
		unsigned n = text_cells(&s->row[i].cell[k]);

		width = n > width ? n : width;
	}
	if (width == 0)
		return;
	for (unsigned n = text_cells(cell); n < width; n++)
		text_puts(b, NO_BREAK_SPACE);
	if (cell->len > 0)
		text_add(b, cell->s, cell->len);
	text_puts(b, NO_BREAK_SPACE NO_BREAK_SPACE);
}

static void
add_rows(const struct picture *p, const struct summary *s, struct panel *panel)
{
	struct text over = {0};

	if (s->over != NULL)
		text_puts(&over, s->over);
	else if (s->n > 0) { /* the words before the second sentence's first name */
		size_t i = 0;

		while (s->part[i].kind != SUMMARY_END)
			i++;
		i++;
		xml_clean(&over, s->words.s + s->part[i].begin,
		    s->part[i].end - s->part[i].begin - strlen(": "));
	}
	new_line(panel, PANEL_DIM)->text = over;
	for (unsigned i = 0; i < s->nrow; i++) {
		struct panel_line *line = new_line(panel, PANEL_ROW);

		line->name = s->row[i].name;
		line->share = s->row[i].size / fabs(s->row[0].size);
		for (int k = 0; k < 3; k++)
			add_cell(s, i, k, &line->text);
		add_name(p, s->row[i].name, &line->text);
	}
}

void
panel_build(const struct picture *p, const struct summary *s, unsigned columns, struct panel *panel)
{
	struct text b = {0};
	/* A list without its own heading replaces a sentence. */
	unsigned next = s->nrow > 0 && s->over == NULL ? 2 : 1;

	*panel = (struct panel){0};
	add_sentence(p, s, 0, &b);
	add_wrapped(panel, &b, columns);
	if (s->nrow > 0)
		add_rows(p, s, panel);
	for (unsigned i = next; i < next + SENTENCES; i++) {
		text_cut(&b, 0);
		if (!add_sentence(p, s, i, &b))
			break;
		new_line(panel, PANEL_GAP);
		add_wrapped(panel, &b, columns);
	}
	text_free(&b);
}

void
panel_free(struct panel *panel)
{
	for (size_t i = 0; i < panel->n; i++)
		text_free(&panel->line[i].text);
	free(panel->line);
}
