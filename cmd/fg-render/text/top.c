/*
 * top: -T top, one line per function. With one column: self and total; with several: the self
 * value in each; for a differential: base, head and change, the largest change first.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "fg-render/layout/figures.h"
#include "fg-render/layout/measure.h"
#include "fg-render/options.h"
#include "fg-render/outputs.h"
#include "fg-render/picture.h"
#include "fg-render/text/facts.h"
#include "fg-render/text/offcpu.h"
#include "names/cells.h"
#include "names/label.h"
#include "names/origin.h"
#include "profile/unit.h"

#define NAME_MIN 10 /* cells of a name on a narrow terminal */

/* Appends a value, 16 cells wide. */
static void
add_figure(const struct picture *p, unsigned k, struct text *line, value v)
{
	struct text figure = {0};
	unsigned width;

	layout_figure(p, k, &figure, v);
	for (width = label_width(figure.s, figure.len); width < 16; width++)
		text_char(line, ' ');
	text_add(line, figure.s, figure.len);
	text_free(&figure);
}

/* Appends the heading of a column. */
static void
add_heading(struct text *line, const char *name, unsigned cells)
{
	unsigned width = label_width(name, strlen(name));

	if (line->len > 0)
		text_char(line, ' ');
	for (; width < cells; width++)
		text_char(line, ' ');
	text_puts(line, name);
}

static void
end_line(
    const struct picture *p, struct output *o, struct text *line, const struct frame_name *name)
{
	unsigned columns = p->options->columns, most = REPORT_CELLS, used;

	text_puts(line, "  ");
	used = label_width(line->s, line->len);
	if (columns != 0 && used + most > columns)
		most = columns > used + NAME_MIN ? columns - used : NAME_MIN;
	if (name != NULL)
		label_function(line, name, most);
	else
		text_puts(line, "function");
	text_char(line, '\n');
	output_write(o, line->s, line->len);
	text_cut(line, 0);
}

/* Returns the functions' sums for one of several columns; off-CPU time is charged as in the sum. */
static struct function *
column_sum(const struct picture *p, const struct facts *a, unsigned k)
{
	struct picture one = *p;
	struct calltree tree = *p->tree;

	if (p->widths == WIDTHS_SUM && !p->options->reverse) {
		tree.self[p->drawn.column[k]] = a->waits.each[k];
		one.tree = &tree;
	}
	return functions_sum(&one, k);
}

/*
 * Returns the functions' sums: of the charged values; with --reverse of those of the tree, one
 * column or the sum of all.
 */
static struct function *
all_sum(const struct picture *p, const struct facts *a)
{
	struct picture all = *p;
	struct calltree tree = *p->tree;
	struct value_array *sum = &tree.self[p->drawn.column[0]];
	struct function *f;

	if (!p->options->reverse)
		return functions_sum(&a->charged, 0);
	if (p->widths != WIDTHS_SUM)
		return functions_sum(p, 0);
	*sum = (struct value_array){0};
	value_array_resize(sum, tree.nnode);
	for (uint32_t i = 0; i < tree.nnode; i++)
		for (unsigned k = 0; k < p->drawn.n; k++)
			value_array_add(sum, i, calltree_self(p->tree, i, p->drawn.column[k]));
	all.tree = &tree;
	f = functions_sum(&all, 0);
	value_array_free(sum);
	return f;
}

/* Writes the functions of one column, or of the sum of the columns with each of them. */
static void
write_functions(const struct picture *p, const struct facts *a, struct output *o)
{
	const struct picture *all = &a->charged; /* for shares of the profile total */
	bool sums = p->widths == WIDTHS_SUM;
	struct function *f = all_sum(p, a), *each[CALLTREE_COLUMNS];
	struct text line = {0};

	for (unsigned k = 0; k < p->drawn.n && p->drawn.n > 1; k++)
		each[k] = column_sum(p, a, k);
	sort_items(f + 1, p->tree->nname - 1, sizeof *f, functions_by_self);
	add_heading(&line,
	    p->drawn.n == 1 ? "self"
	    : sums	    ? "sum"
			    : p->columns.name[p->drawn.column[0]],
	    16);
	add_heading(&line, p->drawn.n == 1 ? "self %" : "%", 7);
	add_heading(&line, "total", 16);
	add_heading(&line, "total %", 7);
	for (unsigned k = sums ? 0 : 1; k < p->drawn.n && p->drawn.n > 1; k++)
		add_heading(&line, p->columns.name[p->drawn.column[k]], 16);
	end_line(p, o, &line, NULL);
	for (uint32_t i = 1, n = 0; i < p->tree->nname && f[i].name != NULL; i++) {
		uint32_t number = (uint32_t)(f[i].name - p->names.name);

		if (layout_percent(all, f[i].total) < p->options->min_percent)
			continue;
		if (p->options->rows != 0 && ++n >= p->options->rows)
			break;
		add_figure(p, 0, &line, f[i].self);
		text_printf(&line, " %6.2f%% ", layout_percent(all, f[i].self));
		add_figure(p, 0, &line, f[i].total);
		text_printf(&line, " %6.2f%%", layout_percent(all, f[i].total));
		for (unsigned k = sums ? 0 : 1; k < p->drawn.n && p->drawn.n > 1; k++) {
			text_char(&line, ' ');
			add_figure(p, k, &line, each[k][number].self);
		}
		end_line(p, o, &line, f[i].name);
	}
	for (unsigned k = 0; k < p->drawn.n && p->drawn.n > 1; k++)
		free(each[k]);
	text_free(&line);
	free(f);
}

struct row {
	const struct function *base, *head;
	double change;
	uint32_t rank;
};

static int
by_change(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (fabs(x->change) != fabs(y->change))
		return fabs(x->change) < fabs(y->change) ? 1 : -1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Appends a figure, aligned to the right in a column of cells, and frees it. */
static void
align(struct text *line, struct text *figure, unsigned cells)
{
	for (unsigned width = label_width(figure->s, figure->len); width < cells; width++)
		text_char(line, ' ');
	text_add(line, figure->s, figure->len);
	text_free(figure);
}

/* Appends the difference of two values with its sign. */
static void
add_change(const struct picture *p, struct text *line, value base, value head)
{
	struct text figure = {0};

	if (base != head)
		text_puts(&figure, unit_sign(head > base ? 1 : -1));
	layout_figure(p, 0, &figure, head > base ? head - base : base - head);
	align(line, &figure, 16);
}

/* Appends a change in percent. */
static void
add_rate(struct text *line, double rate)
{
	struct text figure = {0};

	unit_change(&figure, rate, 1);
	text_char(&figure, '%');
	align(line, &figure, 9);
}

static void
write_changes(const struct picture *p, struct output *o)
{
	struct function *base = functions_sum(p, 0), *head = functions_sum(p, 1);
	struct row *row = cli_alloc(p->tree->nname, sizeof *row);
	double profile_total = fmax(value_double(p->drawn.sum[0]), value_double(p->drawn.sum[1]));
	struct text line = {0};
	uint32_t n = 0;

	for (uint32_t i = 1; i < p->tree->nname; i++)
		if (base[i].name != NULL)
			row[n++] = (struct row){&base[i], &head[i],
			    value_double(head[i].self) - value_double(base[i].self),
			    p->names.rank[i]};
	sort_items(row, n, sizeof *row, by_change);
	add_heading(&line, p->columns.name[p->drawn.column[0]], 16);
	add_heading(&line, p->columns.name[p->drawn.column[1]], 16);
	add_heading(&line, "change", 16);
	add_heading(&line, "change %", 8);
	add_heading(&line, "total change", 16);
	end_line(p, o, &line, NULL);
	for (uint32_t i = 0; i < n; i++) {
		const struct function *b = row[i].base, *h = row[i].head;
		double most = fmax(value_double(b->total), value_double(h->total));

		if (most == 0 || 100 * most < p->options->min_percent * profile_total)
			continue;
		add_figure(p, 0, &line, b->self);
		text_char(&line, ' ');
		add_figure(p, 1, &line, h->self);
		text_char(&line, ' ');
		add_change(p, &line, b->self, h->self);
		if (b->self == h->self)
			text_puts(&line, "         ");
		else if (b->self == 0 || h->self == 0)
			text_printf(&line, " %8s", b->self == 0 ? "new" : "gone");
		else
			add_rate(&line, 100 * row[i].change / value_double(b->self));
		text_char(&line, ' ');
		add_change(p, &line, b->total, h->total);
		end_line(p, o, &line, b->name);
	}
	text_free(&line);
	free(row);
	free(base);
	free(head);
}

void
report_top(const struct picture *p, struct output *o)
{
	struct facts a;

	if (p->mode == MODE_DIFFERENTIAL) {
		write_changes(p, o);
		return;
	}
	facts_open(p, &a);
	write_functions(p, &a, o);
	facts_close(&a);
}
