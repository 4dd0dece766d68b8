/*
 * layer: the frames that everything without JavaScript shows: one path for each
 * colour, labels where they fit, links of --nameattr. y is 0 at the root's outer
 * edge and grows towards the leaves when inverted, shrinks otherwise.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "render.h"

#define FONT_WIDTH 0.61 /* of common monospace fonts, the widest rounded up */
#define TEXT_PAD 3	/* pixels before and after a label */

/* Where the next child at each depth begins, in samples. */
struct walk {
	double *x;
	uint32_t cap;
};

/* A number of pixels with at most one place. */
static void
add_pixels(struct buffer *b, double v)
{
	char digits[24];
	size_t n = sizeof digits;
	long long tenths = llround(v * 10);
	unsigned long long rest = (unsigned long long)llabs(tenths);

	if (rest % 10 != 0) {
		digits[--n] = (char)('0' + rest % 10);
		digits[--n] = '.';
	}
	rest /= 10;
	do
		digits[--n] = (char)('0' + rest % 10);
	while ((rest /= 10) != 0);
	if (tenths < 0)
		digits[--n] = '-';
	buffer_add(b, digits + n, sizeof digits - n);
}

static void
add_frame(struct buffer *path, double x, double y, double width, double height)
{
	/* A thin gap keeps neighbours apart where there is room for one. */
	double drawn = width > 2.5 ? width - 0.5 : width;

	buffer_char(path, 'M');
	add_pixels(path, x);
	buffer_char(path, ' ');
	add_pixels(path, y);
	buffer_char(path, 'h');
	add_pixels(path, drawn);
	buffer_char(path, 'v');
	add_pixels(path, height - 1);
	buffer_char(path, 'h');
	add_pixels(path, -drawn);
	buffer_char(path, 'z');
}

static const char *
attribute(const struct nameattr *a, const char *name)
{
	for (size_t i = 0; a != NULL && i < a->n; i++)
		if (strcmp(a->attribute[i].name, name) == 0)
			return a->attribute[i].value;
	return NULL;
}

/* An attribute of --nameattr, if it is there; its value is clean. */
static void
add_attribute(struct buffer *b, const struct nameattr *a, const char *name)
{
	const char *text = attribute(a, name);

	if (text == NULL)
		return;
	buffer_printf(b, " %s=\"", name);
	xml_escape(b, text, strlen(text));
	buffer_char(b, '"');
}

/* What lies over a frame with attributes: its link and its tooltip. */
static void
add_link(struct buffer *b, struct nameattr *a, double x, double y, double width, double height)
{
	const char *title = attribute(a, "title"), *href = attribute(a, "href");
	const char *element = href != NULL ? "a" : "g";

	buffer_printf(b, "<%s", element);
	if (!a->drawn)
		add_attribute(b, a, "id"); /* one of a kind */
	a->drawn = true;
	add_attribute(b, a, "class");
	add_attribute(b, a, "href");
	if (href != NULL && attribute(a, "target") == NULL)
		buffer_text(b, " target=\"_top\"");
	add_attribute(b, a, "target");
	buffer_char(b, '>');
	if (title != NULL) {
		buffer_text(b, "<title>");
		xml_escape(b, title, strlen(title));
		buffer_text(b, "</title>");
	}
	buffer_printf(b, "<rect fill-opacity=\"0\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
	    "</%s>\n", x, y, width, height - 1, element);
}

/* How the change of a frame is told without its colour; each takes two characters. */
static const char *const change_mark[] = {"\xe2\x96\xb2 ", "\xe2\x96\xbc ", "+ ", "\xe2\x88\x92 ", ""};
#define REMOVED 3

static void
add_label(const struct picture *p, struct buffer *b, struct buffer *label, uint32_t name,
    unsigned class, double x, double y, double width)
{
	const struct options *o = p->options;
	double character = o->fontsize * (o->fontwidth > 0 ? o->fontwidth : FONT_WIDTH);
	double room = (width - 2 * TEXT_PAD) / character;
	const char *mark = p->mode == MODE_DIFFERENTIAL && !o->colordiffusion ? change_mark[class] : "";
	size_t marked;

	label->n = 0;
	buffer_text(label, mark);
	marked = label->n;
	room -= marked != 0 ? 2 : 0;
	if (room >= 3)
		label_add(label, &p->name[name], (unsigned)fmin(room, 10000), o->truncate_right);
	if (label->n == marked)
		return;
	buffer_text(b, "<text x=\"");
	add_pixels(b, x + TEXT_PAD);
	buffer_text(b, "\" y=\"");
	add_pixels(b, y);
	buffer_text(b, palette_pale(p, class) ? "\" class=\"on same\">" : "\">");
	xml_escape(b, label->s, label->n);
	buffer_text(b, "</text>\n");
}

void
layer_build(const struct picture *p, double width, struct layer *l)
{
	const struct options *o = p->options;
	const struct calltree *t = p->tree;
	struct walk w = {0};
	struct buffer label = {0};
	double scale = p->whole > 0 ? width / p->whole : 0, row = o->height;
	double narrow = o->minwidth_percent ? o->minwidth / 100 * p->whole
	    : scale > 0 ? o->minwidth / scale : 0;
	uint32_t node = CALLTREE_ROOT, depth = 0;

	*l = (struct layer){.path = cli_alloc(palette_classes(p), sizeof *l->path)};
	for (;;) {
		const struct calltree_node *n = &t->node[node];
		bool wide = node == CALLTREE_ROOT || p->width[node] >= narrow;

		if (depth + 1 >= w.cap) {
			w.cap = 2 * w.cap + 64;
			w.x = cli_realloc(w.x, w.cap, sizeof *w.x);
			w.x[0] = depth == 0 ? 0 : w.x[0];
		}
		w.x[depth + 1] = w.x[depth] + layout_own(p, node);
		if (wide && (n->name != p->gap || p->gap == 0)) {
			double x = w.x[depth] * scale;
			double wide_px = (node == CALLTREE_ROOT ? p->whole : p->width[node]) * scale;
			double y = o->inverted ? depth * row : -(depth + 1.0) * row;
			unsigned class = palette_node(p, node);
			struct nameattr *a = nameattr_find(&p->attributes, p->text[n->name].s);

			add_frame(&l->path[class], x, y, wide_px, row);
			add_label(p, &l->text, &label, n->name, class, x,
			    y + row / 2 + o->fontsize * 0.33, wide_px);
			if (a != NULL)
				add_link(&l->links, a, x, y, wide_px, row);
			if (depth > l->depth)
				l->depth = depth;
		}
		w.x[depth] += p->width[node];
		if (wide && n->child != 0) {
			node = n->child;
			depth++;
			continue;
		}
		while (node != CALLTREE_ROOT && t->node[node].next == 0) {
			node = t->node[node].parent;
			depth--;
		}
		if (node == CALLTREE_ROOT)
			break;
		node = t->node[node].next;
	}
	free(w.x);
	buffer_free(&label);
}

#define SECTION (7 * 1024 * 1024) /* libxml2 refuses an attribute of 10 MB */

/* A path, in several elements where it is too long for one. */
static void
write_path(struct output *o, const char *look, const struct buffer *path)
{
	size_t at = 0;

	while (at < path->n) {
		size_t n = path->n - at;

		if (n > SECTION)
			for (n = SECTION; path->s[at + n] != 'M'; n--)
				;
		output_printf(o, "<path %s d=\"", look);
		output_write(o, path->s + at, n);
		output_text(o, "\"/>\n");
		at += n;
	}
}

void
layer_write(const struct picture *p, const struct layer *l, struct output *o)
{
	for (unsigned i = 0; i < palette_classes(p); i++) {
		char look[32];

		snprintf(look, sizeof look, "class=\"%s%u\"", palette_prefix(p), i);
		write_path(o, look, &l->path[i]);
	}
	if (p->mode == MODE_DIFFERENTIAL && !p->options->colordiffusion && l->path[REMOVED].n != 0) {
		output_text(o, "<pattern id=\"fg-hatch\" width=\"6\" height=\"6\" "
		    "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
		    "<path stroke=\"#fff\" stroke-opacity=\".35\" stroke-width=\"3\" d=\"M0 0v6\"/>"
		    "</pattern>\n");
		write_path(o, "fill=\"url(#fg-hatch)\"", &l->path[REMOVED]);
	}
	output_text(o, "<g class=\"on\">\n");
	output_write(o, l->text.s, l->text.n);
	output_text(o, "</g>\n");
	output_write(o, l->links.s, l->links.n);
}

void
layer_free(const struct picture *p, struct layer *l)
{
	for (unsigned i = 0; i < palette_classes(p); i++)
		buffer_free(&l->path[i]);
	free(l->path);
	buffer_free(&l->text);
	buffer_free(&l->links);
}
