/*
 * perfreport: output of perf report --stdio --no-children: entries, each with its call
 * chains, folded (-g folded) or as a tree of callers or callees,
 *
 *	# Overhead  Command  Shared Object  Symbol
 *	# ........  .......  .............  ..............
 *	#
 *	    33.40%  work     work           [.] mix
 *	7.61% mix;sorts;main
 *
 *	     9.34%  work     work           [.] mix
 *	            |
 *	            ---mix
 *	               sorts
 *	               |
 *	               |--5.16%--main
 *	                --4.18%--job
 *
 * or without chains; then the stack of an entry is its module and function. Folded chains
 * with count or period are exact. Percentages are rounded, and callers below perf's
 * threshold are charged to the last function shown. Reports with --children are rejected,
 * because a sample is part of many entries, whose chains cannot be separated.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cli.h"
#include "fg-collapse/perfreport/chains.h"
#include "fg-collapse/perfreport/report.h"
#include "fg-collapse/perfreport/tree.h"
#include "fg-collapse/shape/scan.h"

static void
set(struct text *t, struct str s)
{
	text_cut(t, 0);
	text_str(t, str_trim(s));
}

/* Reads `# Overhead       Samples  Command`; the line of dots below it gives the positions of
 * the columns. */
static void
read_columns(struct report *p, struct str dots)
{
	static const char *const title[COLUMNS] = {
	    "Overhead", "Self", "Children", "Samples", "Command", "Shared Object", "Symbol"};
	struct str titles = text_as_str(&p->titles);

	memset(p->column, 0, sizeof p->column);
	for (size_t at = 0; at < dots.len && at < titles.len;) {
		size_t end = at;
		struct str name;

		while (end < dots.len && dots.s[end] == '.')
			end++;
		if (end == at) {
			at++;
			continue;
		}
		name = str_trim(
		    (struct str){titles.s + at, (end < titles.len ? end : titles.len) - at});
		for (int i = 0; i < COLUMNS; i++)
			if (str_is(name, title[i])) {
				p->column[i].at = at;
				p->column[i].width = end - at;
			}
		at = end;
	}
}

/* Text of a column; the last one may be wider than its dots. */
static struct str
cell(const struct report *p, int column, struct str line)
{
	size_t at = p->column[column].at, width = p->column[column].width;
	bool last = true;

	if (width == 0 || at >= line.len)
		return (struct str){0};
	for (int i = 0; i < COLUMNS; i++)
		last &= p->column[i].at <= at;
	if (last || at + width > line.len)
		width = line.len - at;
	return str_trim((struct str){line.s + at, width});
}

static void
end_entry(struct report *p)
{
	if (!p->open)
		return;
	p->open = false;
	if (p->nnode > 0) {
		report_part(p, "percent");
		report_tree(p);
	} else if (p->folded == 0) {
		bool samples = p->column[SAMPLES].width > 0;

		report_part(p, samples ? "samples" : "percent");
		report_symbol(p, samples ? p->samples : p->overhead, !p->chains);
	} else if (strcmp(p->unit, "percent") == 0 && p->overhead > p->folded) {
		report_symbol(p, p->overhead - p->folded, false);
	}
	p->nnode = p->nchain = 0;
	text_cut(&p->text, 0);
}

/* Reads `    33.40%  work     libc.so.6   [.] mix`. */
static bool
read_entry(struct report *p, struct str line)
{
	struct str symbol;
	value v;

	if (line.s[0] != ' ' ||
	    !report_percentage(cell(p, p->column[SELF].width > 0 ? SELF : OVERHEAD, line), &v))
		return false;
	end_entry(p);
	p->open = true;
	p->overhead = v;
	p->folded = p->samples = 0;
	scan_value(cell(p, SAMPLES, line), &p->samples);
	set(&p->comm, cell(p, COMMAND, line));
	set(&p->module, cell(p, OBJECT, line));
	symbol = cell(p, SYMBOL, line);
	p->kind = frame_kind_of(text_as_str(&p->module));
	if (scan_word(&symbol, "[k] "))
		p->kind = FRAME_KERNEL;
	else
		scan_word(&symbol, "[.] ");
	set(&p->symbol, symbol);
	return true;
}

static void
read_comment(struct report *p, struct str line)
{
	struct str s = line;
	size_t at = str_find(line, "of event '");

	scan_word(&s, "#");
	if (at < line.len) {
		struct str name = str_from(line, at + strlen("of event '"));

		end_entry(p);
		name.len = str_find_last(name, "'");
		set(&p->event, name);
		p->unit = NULL;
	} else if (str_starts(str_trim(s), "....")) {
		read_columns(p, line);
	} else if (str_find(line, "Overhead") < line.len || str_find(line, "Children") < line.len) {
		end_entry(p);
		text_cut(&p->titles, 0);
		text_str(&p->titles, line);
	}
}

static void
read_input(struct reader *r)
{
	struct report p = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	indent_init(&p.tree, r, 0, INDENT_TOTAL);
	while (reader_line(r, &line)) {
		if (line.len == 0)
			continue;
		if (line.s[0] == '#')
			read_comment(&p, line);
		else if (!read_entry(&p, line) && !report_read_folded(&p, line) &&
			 !report_read_tree(&p, line))
			reader_malformed(r, "not a line of perf report");
	}
	end_entry(&p);
	report_waiting(&p);
	indent_free(&p.tree);
	text_free(&p.event);
	text_free(&p.titles);
	text_free(&p.comm);
	text_free(&p.module);
	text_free(&p.symbol);
	text_free(&p.text);
	free(p.node);
	free(p.chain);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool titles = false;

	while (scan_line(&rest, &line)) {
		if (titles && str_starts(line, "# ...."))
			return 97;
		titles = str_starts(line, "# Overhead ") || str_starts(line, "# Children ");
	}
	return 0;
}

const struct format perfreport_format = {
    .name = "perf-report",
    .description = "the text of perf report --no-children, with chains or flat",
    .origin = "perf report --stdio --no-children -n -g folded,0,caller,count -s comm,dso,sym",
    .provides = DATA_COMM | DATA_MODULE | DATA_KIND | DATA_EVENT,
    .flat = true,
    .sniff = sniff,
    .read = read_input,
};
