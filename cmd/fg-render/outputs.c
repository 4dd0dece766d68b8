#include <stdbool.h>
#include <string.h>

#include "fg-render/bridge/bridge.h"
#include "fg-render/terminal/screen.h"
#include "fg-render/outputs.h"

#define OUTPUT(name, write, help, needs, takes) {name, write, help, needs, takes},
const struct output_kind output_kinds[] = {
#include "fg-render/outputs.def"
    {0}};

const struct output_kind *
output_kind_find(const char *name)
{
	for (const struct output_kind *k = output_kinds; k->name != NULL; k++)
		if (strcmp(k->name, name) == 0)
			return k;
	return NULL;
}

void
output_kinds_list(struct text *b, unsigned takes)
{
	const char *last = NULL;
	unsigned n = 0;

	for (const struct output_kind *k = output_kinds; k->name != NULL; k++) {
		if (takes != 0 && !(k->takes & takes))
			continue;
		if (last != NULL)
			text_printf(b, "%s%s", n++ > 0 ? ", " : "", last);
		last = k->name;
	}
	text_printf(b, "%s%s", n > 0 ? " or " : "", last);
}

void
output_kinds_help(struct text *help)
{
	bool others = false;

	for (const struct output_kind *k = output_kinds + 1; k->name != NULL; k++) {
		bool ours = k->needs & OUTPUT_LAYOUT, last = k[1].name == NULL;

		text_puts(help, k == output_kinds + 1 ? "" : last ? " or " : ", ");
		if (!ours && !others)
			text_puts(help, "or for other tools ");
		text_puts(help, k->name);
		/* formats of other tools are known by their names */
		if (ours)
			text_printf(help, " (%s)", k->help);
		others = !ours;
	}
}
