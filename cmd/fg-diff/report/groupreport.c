/*
 * groupreport: formats the comparisons of --group-by: the answer for all values, a line for each,
 * and then their reports.
 */
#include "fg-diff/groups.h"

#include <string.h>

#include "fg-diff/figure.h"

#define ABOVE 1300 /* bytes of a comment after which no row of the table begins */

static struct calltree_name
root_name(const char *root)
{
	return (struct calltree_name){root, (uint32_t)strlen(root)};
}

void
groups_text(struct text *t, const struct groups *g)
{
	text_printf(t, "%s: ", answer_word[g->kind]);
	text_str(t, text_as_str(&g->reason));
	text_puts(t, ".\n");
	for (size_t i = 0; i < g->n; i++) {
		const struct pair *p = &g->pair[i];

		text_show(t, str_of(p->root));
		text_printf(t, ": %s: ", answer_word[p->answer.kind]);
		text_str(t, text_as_str(&p->answer.reason));
		text_puts(t, ".\n");
	}
	for (size_t i = 0; i < g->nalone; i++) {
		text_show(t, str_of(g->alone[i].root));
		text_printf(t, ": only in %s.\n", g->alone[i].in_head ? "head" : "base");
	}
	for (size_t i = 0; i < g->n; i++) {
		text_puts(t, "\n== ");
		text_show(t, str_of(g->pair[i].root));
		text_puts(t, " ==\n");
		text_str(t, text_as_str(&g->pair[i].report));
	}
}

/* Appends the lines of one report, each with the value as its last field. */
static void
add_field(struct text *t, struct str lines, const struct calltree_name *group)
{
	while (lines.len > 0) {
		const char *newline = memchr(lines.s, '\n', lines.len);
		size_t len = newline != NULL ? (size_t)(newline - lines.s) : lines.len;

		text_add(t, lines.s, len);
		text_char(t, '\t');
		figure_name(t, group);
		text_char(t, '\n');
		len += newline != NULL;
		lines.s += len;
		lines.len -= len;
	}
}

void
groups_tsv(struct text *t, const struct groups *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct str lines = text_as_str(&g->pair[i].report);
		size_t first = (size_t)((const char *)memchr(lines.s, '\n', lines.len) - lines.s);
		struct calltree_name group = root_name(g->pair[i].root);

		if (i == 0) { /* the row of field names */
			text_add(t, lines.s, first);
			text_puts(t, "\tgroup\n");
		}
		lines.s += first + 1;
		lines.len -= first + 1;
		add_field(t, lines, &group);
	}
	text_printf(t, "verdict\t\t\t\t\t\t%s\t\t\t", answer_word[g->kind]);
	text_str(t, text_as_str(&g->reason));
	text_puts(t, "\t\t\t\t\t\t\n");
}

/* Appends the table's rows of values with this answer; false if not all fit. */
static bool
table(struct text *t, const struct groups *g, enum answer_kind kind)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct pair *p = &g->pair[i];
		struct calltree_name group = root_name(p->root);

		if (p->answer.kind != kind)
			continue;
		if (t->len > ABOVE)
			return false;
		text_puts(t, "| ");
		figure_code_cell(t, &group);
		text_printf(t, " | %s | ", answer_word[kind]);
		text_str(t, text_as_str(&p->profile_total));
		text_puts(t, " |\n");
	}
	return true;
}

/* Writes the table, the most important answers first; the values' reports are in <details>. */
void
groups_markdown(struct text *t, const struct groups *g)
{
	static const enum answer_kind order[] = {
	    ANSWER_FAIL, ANSWER_CHANGED, ANSWER_CANNOT_TELL, ANSWER_PASS, ANSWER_NO_CHANGE};
	bool fits = true;

	text_printf(t, "**%s**: ", answer_word[g->kind]);
	text_str(t, text_as_str(&g->reason));
	text_puts(t, ".\n\n| group | verdict | whole |\n|:--|:--|--:|\n");
	for (size_t k = 0; fits && k < sizeof order / sizeof order[0]; k++)
		fits = table(t, g, order[k]);
	text_puts(t, fits ? "\n" : "\nFurther values are below.\n\n");
	for (size_t i = 0; i < g->n; i++) {
		struct calltree_name group = root_name(g->pair[i].root);

		text_puts(t, "<details><summary>");
		figure_html(t, &group);
		text_printf(t, ": %s</summary>\n\n", answer_word[g->pair[i].answer.kind]);
		text_str(t, text_as_str(&g->pair[i].report));
		text_puts(t, "\n</details>\n");
	}
	if (g->nalone > 0)
		text_puts(t, "\n<details><summary>On one side only</summary>\n\n");
	for (size_t i = 0; i < g->nalone; i++) {
		struct calltree_name group = root_name(g->alone[i].root);

		text_puts(t, "- ");
		figure_code(t, &group);
		text_printf(t, ": only in %s\n", g->alone[i].in_head ? "head" : "base");
	}
	if (g->nalone > 0)
		text_puts(t, "\n</details>\n");
}
