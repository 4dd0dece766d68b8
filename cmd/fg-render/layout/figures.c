#include "fg-render/layout/figures.h"

#include "fg-render/layout/measure.h"
#include "fg-render/picture.h"
#include "profile/unit.h"

void
layout_figure(const struct picture *p, unsigned k, struct text *b, value v)
{
	if (p->options->factor == 1)
		unit_value(b, p->drawn.unit[k], v);
	else
		unit_figure(b, p->drawn.unit[k], value_double(v) * p->options->factor);
}

/* Appends the total of one column of a differential. */
static void
add_side(const struct picture *p, unsigned k, struct text *b)
{
	text_printf(b, "%s ", p->columns.name[p->drawn.column[k]]);
	layout_figure(p, k, b, p->drawn.sum[k]);
}

void
layout_heading(const struct picture *p, struct text *b)
{
	const struct options *o = p->options;
	double base, head;

	if (p->mode != MODE_DIFFERENTIAL) {
		if (o->factor != 1)
			unit_figure(
			    b, p->drawn.unit[0], value_double(layout_profile_total(p)) * o->factor);
		else if (o->countname != NULL)
			unit_value(b, p->drawn.unit[0], layout_profile_total(p));
		else
			unit_whole(b, p->drawn.unit[0], &p->columns.period[p->drawn.column[0]],
			    layout_profile_total(p));
		return;
	}
	base = value_double(p->drawn.sum[0]);
	head = value_double(p->drawn.sum[1]);
	add_side(p, 0, b);
	text_puts(b, " \xe2\x86\x92 ");
	add_side(p, 1, b);
	if (base > 0) {
		text_puts(b, " (");
		unit_change(b, 100 * (head - base) / base, 2);
		text_puts(b, " %)");
	}
}
