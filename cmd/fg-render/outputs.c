#include <stdbool.h>
#include <string.h>

#include "fg-render/bridge/bridge.h"
#include "fg-render/terminal/screen.h"
#include "fg-render/outputs.h"

const struct output_kind output_kinds[] = {
    {"svg", svg_write, "the picture", OUTPUT_LAYOUT | OUTPUT_COLOURS | OUTPUT_ATTRIBUTES,
	OUTPUT_DEPTH | OUTPUT_PAGE},
    {"top", report_top, "functions", OUTPUT_LAYOUT, OUTPUT_MINIMUM | OUTPUT_LIVE},
    {"tree", report_tree, "calls", OUTPUT_LAYOUT, OUTPUT_DEPTH | OUTPUT_MINIMUM},
    {"flame", report_flame, "the graph in the terminal", OUTPUT_LAYOUT | OUTPUT_COLOURS,
	OUTPUT_DEPTH | OUTPUT_MINIMUM | OUTPUT_LIVE},
    {"markdown", report_markdown, "a summary", OUTPUT_LAYOUT, OUTPUT_MINIMUM},
    {"interactive", report_interactive, "the interactive terminal view",
	OUTPUT_LAYOUT | OUTPUT_COLOURS | OUTPUT_TERMINAL, OUTPUT_MINIMUM | OUTPUT_LIVE},
    {"json", report_json, "the summary as JSON", OUTPUT_LAYOUT, OUTPUT_MINIMUM},
    {"pprof", bridge_pprof, "a profile", OUTPUT_LOSES_TIMES, OUTPUT_MINIMUM},
    {"otlp", bridge_otlp, "a profile", OUTPUT_TIMES, OUTPUT_MINIMUM | OUTPUT_RESOURCE},
    {"otlp-json", bridge_otlpjson, "a profile", OUTPUT_TIMES, OUTPUT_MINIMUM | OUTPUT_RESOURCE},
    {"speedscope", bridge_speedscope, "a profile", OUTPUT_TIMES | OUTPUT_LOSES_TIMES,
	OUTPUT_MINIMUM},
    {"firefox", bridge_firefox, "a profile", OUTPUT_TIMES | OUTPUT_CHART_TIMES, OUTPUT_MINIMUM},
    {"d3", bridge_d3, "a tree for d3-flame-graph", OUTPUT_LOSES_TIMES, OUTPUT_MINIMUM},
    {0},
};

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
