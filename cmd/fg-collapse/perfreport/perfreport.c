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
#include "base/vec.h"
#include "fg-collapse/perfreport/chains.h"
#include "fg-collapse/perfreport/give.h"
#include "fg-collapse/perfreport/chaintree.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/scan.h"

/* Reads `# Overhead       Samples  Command`; the line of dots below it gives the positions of
 * the columns. */
static void
read_columns(struct entries *p, struct str dots)
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
cell(const struct entries *p, int column, struct str line)
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

/* Reads `    33.40%  work     libc.so.6   [.] mix`. */
static bool
read_entry(struct entries *p, struct str line)
{
	struct str symbol;
	struct entry e = {.node = p->nnode, .chain = p->nchain};
	enum frame_kind kind;

	if (line.s[0] != ' ' ||
	    !entries_percentage(
		cell(p, p->column[SELF].width > 0 ? SELF : OVERHEAD, line), &e.overhead))
		return false;
	scan_value(cell(p, SAMPLES, line), &e.samples);
	e.comm = entries_store(p, cell(p, COMMAND, line));
	e.module = entries_store(p, cell(p, OBJECT, line));
	symbol = cell(p, SYMBOL, line);
	kind = frame_kind_of(entries_text(p, e.module));
	if (scan_word(&symbol, "[k] "))
		kind = FRAME_KERNEL;
	else
		scan_word(&symbol, "[.] ");
	e.kind = kind;
	e.symbol = entries_store(p, symbol);
	vec_fit(p->entry, p->capentry, p->nentry + 1);
	p->entry[p->nentry++] = e;
	entries_part(p)->nentry++;
	entries_part(p)->columned = p->column[SAMPLES].width > 0;
	p->open = true;
	p->nlevel = p->bar = 0;
	return true;
}

static void
begin_part(struct entries *p, struct str event)
{
	vec_fit(p->part, p->cappart, p->npart + 1);
	p->part[p->npart++] = (struct part){.event = entries_store(p, event), .entry = p->nentry};
	p->open = false;
}

/* Reads `740` or `11K`, rounded by perf to three digits. */
static value
read_total(struct str s)
{
	const char *unit;
	value v;

	scan_blanks(&s);
	return humannumber_scan(&s, &v, &unit) ? v : 0;
}

/* Reads the options of a perf report command, as users paste it above its output. */
static void
read_command(struct entries *p, struct str s)
{
	bool callee = str_find(s, "callee") < s.len, caller = str_find(s, "caller") < s.len;

	if (str_find(s, "perf report") == s.len || callee == caller)
		return;
	p->caller_known = true;
	p->caller = caller;
}

static void
read_comment(struct entries *p, struct str line)
{
	static const char samples[] = "# Samples: ", period[] = "# Event count (approx.): ";
	struct str s = line;
	size_t at = str_find(line, "of event '");

	scan_word(&s, "#");
	if (at < line.len) {
		struct str name = str_from(line, at + strlen("of event '"));

		name.len = str_find_last(name, "'");
		begin_part(p, name);
		if (str_starts(line, samples))
			entries_part(p)->samples = read_total(str_from(line, strlen(samples)));
	} else if (str_starts(line, period)) {
		entries_part(p)->period = read_total(str_from(line, strlen(period)));
	} else if (str_starts(str_trim(s), "....")) {
		read_columns(p, line);
	} else if (str_find(line, "Overhead") < line.len || str_find(line, "Children") < line.len) {
		p->open = false;
		text_cut(&p->titles, 0);
		text_str(&p->titles, line);
	} else {
		read_command(p, line);
	}
}

static void
read_line(struct entries *p, struct str line)
{
	struct reader *r = p->reader;

	if (line.len == 0)
		return;
	if (line.s[0] == '#') {
		read_comment(p, line);
	} else if (!read_entry(p, line) && !chains_read(p, line) && !chaintree_read(p, line)) {
		if (!p->open || !entries_current(p)->broken)
			reader_malformed(r, "not a line of perf report");
		if (p->open)
			entries_current(p)->broken = true;
	}
}

static void
read_input(struct reader *r)
{
	struct entries p = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	indent_init(&p.tree, r, 0, INDENT_TOTAL);
	begin_part(&p, (struct str){0});
	while (reader_line(r, &line))
		read_line(&p, line);
	give_report(&p);
	indent_free(&p.tree);
	text_free(&p.text);
	text_free(&p.titles);
	free(p.part);
	free(p.entry);
	free(p.node);
	free(p.chain);
	free(p.level);
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
    .provides = DATA_COMM | DATA_MODULE | DATA_KIND | DATA_EVENT,
    .flat = true,
    .sniff = sniff,
    .read = read_input,
};
