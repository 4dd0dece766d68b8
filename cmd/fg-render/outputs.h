/*
 * outputs: table of the output formats of -T. A new format is one row of outputs.def.
 */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "base/output.h"
#include "base/text.h"
#include "fg-render/outputkind.h"

/* The first row is the default; the last one has a NULL name. */
extern const struct output_kind output_kinds[];

const struct output_kind *output_kind_find(const char *name); /* or NULL */

/* Appends the outputs of -T for --help: "top (functions), tree (calls), ...". */
void output_kinds_help(struct text *help);

/*
 * Appends "svg, top or tree": the names of the outputs that take any of these options, or of
 * all for 0.
 */
void output_kinds_list(struct text *b, unsigned takes);

void svg_write(const struct picture *p, struct output *o); /* svgout.c */
#define REPORT_CELLS 120 /* limit of a name in a report */
void report_top(const struct picture *p, struct output *o); /* top.c */
void report_tree(const struct picture *p, struct output *o); /* treeout.c */
void report_flame(const struct picture *p, struct output *o); /* terminal.c */
void report_json(const struct picture *p, struct output *o); /* jsonout.c */
void report_markdown(const struct picture *p, struct output *o); /* markdownout.c */

#endif
