/*
 * viewertables: data on names and colours for the viewer, so that it need not derive them:
 *
 *	about	by name: its properties (bits), and the lengths of its module and of the
 *		part after its text, in UTF-16 units; then for each palette of
 *		flamegraph.pl that depends on the name, its hue by name
 *	tables	JSON: a style sheet with the classes of all modes; the modes and palettes,
 *		the meaning of their classes, and the components of the palettes' shades
 */
#include <stdlib.h>

#include "base/cli.h"
#include "fg-render/picture/classic.h"
#include "fg-render/picture/legend.h"
#include "fg-render/picture/palettecss.h"
#include "fg-render/picture/payload.h"
#include "fg-render/picture.h"
#include "names/origin.h"

enum { /* properties of a name, in the bits above its origin */
	NAME_INLINED = 4,
	NAME_KIND = 8, /* times enum frame_kind, which is below 8 */
	NAME_NAMELESS = 64, /* cannot be a blocking function: an entry function, or unsymbolized */
	NAME_IN_LANGUAGE = 128,
	NAME_FOREIGN = 256, /* not own code, so that runs of it are folded */
	NAME_SYSTEM = 512, /* see name_is_system() */
};

static void
add_names(
    const struct picture *p, const struct frame_name *const *name, uint32_t count, struct text *b)
{
	const uint8_t *own = p->options->chains == CHAINS_AUTO ? p->names.own : NULL;

	for (uint32_t r = 0; r < count; r++) {
		const struct frame_name *n = name[r];

		payload_varint(b, (unsigned)n->origin | (n->inlined ? NAME_INLINED : 0) |
				      (unsigned)n->kind * NAME_KIND |
				      (name_is_entry(n) || name_is_missing(n) ? NAME_NAMELESS : 0) |
				      (n->in_language ? NAME_IN_LANGUAGE : 0) |
				      (own != NULL && !own[n - p->names.name] ? NAME_FOREIGN : 0) |
				      (name_is_system(n) ? NAME_SYSTEM : 0));
		payload_varint(b, columns_units(n->start, n->module));
		payload_varint(b, columns_units(n->start + n->bare, n->all - n->bare));
	}
}

void
tables_write(const struct picture *p, struct output *o)
{
	uint32_t n = p->tree->nname;
	const struct frame_name **name = cli_alloc(n, sizeof *name);
	struct text b = {0};

	for (uint32_t i = 0; i < n; i++)
		name[p->names.rank[i]] = &p->names.name[i];
	add_names(p, name, n, &b);
	classic_add_hues(&b, name, n); /* below 128: bytes are varints */
	payload_write(o, "about", &b);
	text_cut(&b, 0);
	text_puts(&b, "{\"colours\":\"");
	palette_live_css(p, &b); /* without quotes and backslashes */
	text_puts(&b, "\",\"modes\":");
	palette_add_table(p, &b);
	text_puts(&b, ",\"palettes\":");
	classic_add_table(&b);
	text_puts(&b, ",\"shades\":");
	classic_add_shades(&b);
	text_char(&b, '}');
	payload_write(o, "tables", &b);
	text_free(&b);
	free(name);
}
