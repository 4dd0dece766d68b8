/*
 * report: passes frames and values of the current entry to the sampler.
 */
#include "fg-collapse/perfreport/report.h"

#include <string.h>

#include "base/cli.h"
#include "fg-collapse/shape/funcname.h"
#include "fg-collapse/shape/scan.h"

bool
report_percentage(struct str s, value *v)
{
	scan_blanks(&s);
	return scan_decimal(&s, v) && scan_word(&s, "%");
}

void
report_frame(struct report *p, struct frame *f, struct text *name, struct str s)
{
	*f = (struct frame){0};
	if (str_ends(s, " (inlined)")) {
		f->inlined = true;
		s.len -= strlen(" (inlined)");
	}
	text_cut(name, 0);
	if (!str_is(s, "[unknown]") && !str_starts(s, "0x") && !str_is(s, "0"))
		funcname_add(name, s, false);
	f->function = text_as_str(name);
	if (str_equal(s, text_as_str(&p->symbol))) {
		f->module = text_as_str(&p->module);
		f->kind = p->kind;
	}
}

void
report_part(struct report *p, const char *unit)
{
	if (p->unit != NULL && strcmp(p->unit, unit) == 0)
		return;
	p->unit = unit;
	p->tree.event = sampler_event(p->reader->sampler, text_as_str(&p->event), str_of(unit));
}

static void
take(struct report *p, struct sample_task *task, const struct frame *f, size_t n, value v)
{
	if (v == 0 || !sample_begin(p->reader->sampler, task, p->tree.event, SAMPLE_NO_TIME, v))
		return;
	for (size_t i = 0; i < n; i++)
		sample_frame(p->reader->sampler, &f[i]);
	sample_end(p->reader->sampler);
}

void
report_symbol(struct report *p, value v, bool module)
{
	struct sample_task task = {.comm = text_as_str(&p->comm)};
	struct text name = {0};
	struct frame f[2];
	size_t n = 0;

	if (p->symbol.len > 0)
		report_frame(p, &f[n++], &name, text_as_str(&p->symbol));
	if (module && p->module.len > 0)
		f[n++] = (struct frame){.function = frame_module_name(text_as_str(&p->module))};
	take(p, &task, f, n, v);
	text_free(&name);
}

void
report_refuse_children(const struct report *p)
{
	if (p->column[CHILDREN].width > 0)
		cli_die("%s: with --children a sample is counted in many entries, which cannot be "
			"added up; use perf report --no-children -g folded,0,caller,count, "
			"or perf script",
		    lines_name(p->reader->lines));
}
