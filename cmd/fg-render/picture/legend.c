#include "fg-render/picture/legend.h"

#include "fg-render/picture.h"
#include "fg-render/picture/classic.h"
#include "fg-render/picture/palette.h"
#include "fg-render/text/unitwords.h"

void
palette_add_label(const struct picture *p, const struct legend *l, struct text *b)
{
	bool change = l >= mode_colours[MODE_DIFFERENTIAL].legend &&
		      l < mode_colours[MODE_DIFFERENTIAL].legend + 5;
	struct unit_words words = summary_unit_words(p);

	text_puts(b, l->label);
	if (change && l->class < 2)
		text_puts(b, l->class == 0 ? words.mark_more : words.mark_less);
	else if (change && l->class == 4)
		text_puts(b, p->diff.exact	  ? "unchanged"
			     : p->diff.noise >= 0 ? "no clear change"
						  : "little change");
}

const char *
palette_strength(const struct picture *p)
{
	return palette_is_plain(p) ? mode_colours[p->mode].strength : NULL;
}

void
palette_add_table(const struct picture *p, struct text *b)
{
	text_char(b, '{');
	for (unsigned i = MODE_ORIGIN; i < modes_end(p); i++) {
		text_printf(b, "%s\"%s\":[\"%s\",\"%s\"", i > MODE_ORIGIN ? "," : "",
		    mode_colours[i].name, mode_colours[i].prefix,
		    mode_colours[i].strength != NULL ? mode_colours[i].strength : "");
		for (const struct legend *l = mode_colours[i].legend; l->label != NULL; l++) {
			text_puts(b, ",\"");
			palette_add_label(p, l, b);
			text_char(b, '"');
		}
		text_char(b, ']');
	}
	text_char(b, '}');
}

const struct legend *
palette_legend(const struct picture *p, const struct legend *last)
{
	const struct legend *l;

	if (last != NULL)
		l = last + 1;
	else if (palette_is_plain(p))
		l = mode_colours[p->mode].legend;
	else if (p->options->colordiffusion || p->options->palette_map != NULL)
		return NULL; /* the classes of --colordiffusion and --cp have no legend */
	else
		l = classic_legend(p->options->palette);
	while (p->mode == MODE_ORIGIN && palette_is_plain(p) && l->label != NULL &&
	       (p->names.origins >> l->class & 1) == 0)
		l++;
	return l->label == NULL ? NULL : l;
}
