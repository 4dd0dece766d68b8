/*
 * viewerscript: the viewer in the SVG: the parts of its script that the picture's data can use, in
 * front of the part that all pictures have, its styles, and what loads them.
 */
#include <string.h>

#include "fg-render/options.h"
#include "fg-render/picture.h"
#include "fg-render/picture/payload.h"
#include "fg-render/viewer.h"

/* True for a differential, by the rule of isDiff() in the viewer. */
static bool
is_compared(const struct picture *p)
{
	const char *const *name = (const char *const *)p->columns.name;

	return p->widths == WIDTHS_MAX ||
	       (p->drawn.n > 1 && strcmp(name[p->drawn.column[0]], "base") == 0 &&
		   strcmp(name[p->drawn.column[1]], "head") == 0);
}

static bool
has_columns(const struct picture *p)
{
	bool any = p->drawn.n > 1;

	for (unsigned k = 0; k < p->drawn.n; k++)
		any |= p->drawn.off[k];
	return any;
}

/* True if a name has a bracket, a path or a file, which a label may leave out. */
static bool
has_long_names(const struct picture *p)
{
	for (uint32_t i = 1; i < p->tree->nname; i++) {
		const struct frame_name *name = &p->names.name[i];

		for (uint32_t k = 0; k < name->all; k++)
			if (strchr("<(:/.", name->start[k]) != NULL)
				return true;
	}
	return false;
}

void
script_write(const struct picture *p, struct output *o)
{
	const struct {
		bool used;
		const char *name, *base91;
	} part[] = {
	    {p->times != NULL || p->options->flamechart, "script-axis", viewer_axis},
	    {p->times != NULL, "script-strip", viewer_strip},
	    {has_columns(p), "script-columns", viewer_columns},
	    {is_compared(p), "script-diff", viewer_diff},
	    {has_long_names(p), "script-long", viewer_long},
	    {p->tree->nnode >= VIEWER_ROUGH && p->drawn.n == 1, "script-rough", viewer_rough},
	    {p->tree->nnode >= VIEWER_WORKER, "script-worker", viewer_worker},
	    {true, "script", viewer_script},
	    {true, "style", viewer_style},
	};

	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
		if (part[i].used)
			payload_constant(o, part[i].name, part[i].base91);
	output_text(o, "<script><![CDATA[\n");
	output_text(o, viewer_load);
	output_text(o, "]]></script>\n");
}
