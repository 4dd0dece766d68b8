/*
 * entries: the strings of a report.
 */
#include "fg-collapse/perfreport/entries.h"

#include "base/cli.h"
#include "fg-collapse/shape/scan.h"

struct range
entries_store(struct entries *p, struct str s)
{
	struct range r = {p->text.len, s.len};

	text_str(&p->text, s);
	return r;
}

bool
entries_percentage(struct str s, value *v)
{
	scan_blanks(&s);
	return scan_decimal(&s, v) && scan_word(&s, "%");
}

void
entries_refuse_children(const struct entries *p)
{
	if (p->column[CHILDREN].width > 0)
		cli_die("%s: with --children a sample is counted in many entries, which cannot be "
			"added up; use perf report --no-children -g folded,0,caller,count, "
			"or perf script",
		    lines_name(p->reader->lines));
}
