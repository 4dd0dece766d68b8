/*
 * jsonout: -T json, the summary for programs. The keys are those of fg-render(1), section SUMMARY
 * AS JSON. Keys are never removed and never change their meaning; new ones may be added.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-render/bridge/bridge.h"
#include "fg-render/layout/measure.h"
#include "fg-render/options.h"
#include "fg-render/outputs.h"
#include "fg-render/picture.h"
#include "fg-render/text/facts.h"
#include "fg-render/text/changes.h"
#include "fg-render/text/details.h"
#include "fg-render/text/offcpu.h"
#include "fg-render/text/unitwords.h"
#include "profile/labels.h"
#include "names/origin.h"

#define FUNCTIONS 20 /* limit of functions without --min-percent */
#define STACKS 5

static const char *const origins[] = {"program", "library", "kernel", "unknown"};

static void
add_value(struct text *b, value v)
{
	char digits[VALUE_CHARS];

	text_add(b, digits, value_format(v, digits));
}

static void
add_key(struct text *b, const char *key, struct str s)
{
	text_printf(b, "\"%s\":", key);
	if (s.len == 0)
		text_puts(b, "null");
	else
		json_clean(b, s);
}

/* Appends "name": ..., "module": ..., "file": ..., "origin": ... of a function. */
static void
add_function(struct text *b, const struct frame_name *n)
{
	add_key(b, "name", (struct str){n->text, n->len});
	text_char(b, ',');
	add_key(b, "module", (struct str){n->start, n->module});
	text_char(b, ',');
	add_key(b, "file", n->file);
	text_printf(b, ",\"origin\":\"%s\"", origins[n->origin]);
}

static void
add_share(struct text *b, const char *key, double percent)
{
	if (percent < 0)
		text_printf(b, ",\"%s\":null", key);
	else
		text_printf(b, ",\"%s\":%.4g", key, percent);
}

static void
add_columns(const struct picture *p, struct text *b)
{
	text_puts(b, "\"columns\":[");
	for (unsigned k = 0; k < p->drawn.n; k++) {
		const char *name = p->columns.name[p->drawn.column[k]];
		double samples = summary_samples(p, k);

		text_puts(b, k > 0 ? ",{" : "{");
		add_key(b, "name", (struct str){name, name != NULL ? strlen(name) : 0});
		text_char(b, ',');
		add_key(b, "unit", (struct str){p->drawn.unit[k], strlen(p->drawn.unit[k])});
		text_puts(b, ",\"total\":");
		add_value(b, p->drawn.sum[k]);
		if (samples > 0)
			text_printf(b, ",\"samples\":%.0f}", samples);
		else
			text_puts(b, ",\"samples\":null}");
	}
	text_char(b, ']');
}

static void
add_labels(const struct picture *p, struct text *b)
{
	const struct labels *l = p->columns.labels;

	text_puts(b, ",\n\"labels\":{");
	for (size_t i = 0; l != NULL && i < l->n; i++) {
		const struct label *label = &l->label[i];

		text_puts(b, i > 0 ? "," : "");
		json_clean(b, (struct str){label->key, strlen(label->key)});
		text_puts(b, label->n == 0 ? ":null" : ":[");
		for (unsigned k = 0; k < label->n; k++) {
			text_puts(b, k > 0 ? "," : "");
			json_clean(b, (struct str){label->value[k], strlen(label->value[k])});
		}
		text_puts(b, label->n == 0 ? "" : "]");
	}
	text_char(b, '}');
}

static void
add_functions(const struct facts *a, struct text *b)
{
	const struct picture *p = a->p;
	double least = p->options->min_percent;
	unsigned n = 0;

	text_puts(b, ",\n\"functions\":[");
	for (uint32_t i = 0; i < a->nranked && (least > 0 || n < FUNCTIONS); i++) {
		const struct function *f = &a->function[a->ranked[i]];
		double error = facts_error(a, f->self);

		if (facts_share(a, value_double(f->self)) < least)
			break;
		text_puts(b, n++ > 0 ? ",\n {" : "\n {");
		add_function(b, f->name);
		text_puts(b, ",\"self\":");
		add_value(b, f->self);
		add_share(b, "self_percent", facts_share(a, value_double(f->self)));
		add_share(b, "self_error", summary_samples(&a->charged, 0) > 0 ? error : -1);
		text_puts(b, ",\"total\":");
		add_value(b, f->total);
		add_share(b, "total_percent", facts_share(a, value_double(f->total)));
		text_char(b, '}');
	}
	text_char(b, ']');
}

static void
add_lines(const struct facts *a, struct text *b)
{
	value *by = details_by_name(a);
	unsigned n = 0;

	text_puts(b, ",\n\"lines\":[");
	for (uint32_t i = 0; i < a->nranked && i < 3; i++) {
		const struct function *f = &a->function[a->ranked[i]];
		uint32_t line[3], count = details_lines(a, by, facts_number(f, a->p), line, 3);

		for (uint32_t k = 0; k < count; k++) {
			const struct frame_name *name = &a->p->names.name[line[k]];

			text_puts(b, n++ > 0 ? ",{" : "{");
			add_key(b, "function", (struct str){name->text, name->len});
			text_char(b, ',');
			add_key(b, "file", name->file);
			text_printf(b, ",\"line\":%u,\"self\":", name->line);
			add_value(b, by[line[k]]);
			text_char(b, '}');
		}
	}
	text_char(b, ']');
	free(by);
}

static void
add_node(const struct facts *a, struct text *b, const char *key, uint32_t node)
{
	const struct frame_name *n = &a->p->names.name[a->tree.node[node].name];

	text_char(b, ',');
	add_key(b, key, node != 0 ? (struct str){n->text, n->len} : (struct str){0});
}

static void
add_waits(const struct facts *a, struct text *b)
{
	text_puts(b, ",\n\"waits\":[");
	for (unsigned i = 0; i < a->waits.nwait; i++) {
		const struct wait *w = &a->waits.wait[i];

		text_printf(b, "%s{\"reason\":\"%s\",\"value\":", i > 0 ? "," : "",
		    wait_reason_key(w->why));
		add_value(b, w->v);
		add_share(b, "percent", facts_share(a, value_double(w->v)));
		add_node(a, b, "function", w->node);
		add_node(a, b, "waker", w->waker);
		text_char(b, '}');
	}
	text_puts(b, "],\n\"without_symbols\":[");
	for (uint32_t i = 0; i < a->nmissing; i++) {
		text_puts(b, i > 0 ? ",{" : "{");
		add_key(b, "module", a->missing[i].module);
		text_puts(b, ",\"value\":");
		add_value(b, a->missing[i].v);
		add_share(b, "percent", facts_share(a, value_double(a->missing[i].v)));
		text_char(b, '}');
	}
	text_char(b, ']');
}

static void
add_origins(const struct facts *a, struct text *b)
{
	value sum[ORIGIN_UNKNOWN + 1], inlined;

	facts_origins(a, sum, &inlined);
	text_puts(b, ",\n\"origins\":{");
	for (unsigned i = 0; i <= ORIGIN_UNKNOWN; i++) {
		text_printf(b, "\"%s\":", origins[i]);
		add_value(b, sum[i]);
		text_char(b, ',');
	}
	text_puts(b, "\"waiting\":");
	add_value(b, a->waits.waited);
	text_puts(b, ",\"inlined\":");
	add_value(b, inlined);
	text_char(b, '}');
}

static void
add_stacks(const struct facts *a, struct text *b)
{
	struct heavy best[STACKS];
	unsigned n = facts_stacks(a, best, STACKS);
	uint32_t *way = NULL, cap = 0;

	text_puts(b, ",\n\"stacks\":[");
	for (unsigned i = 0; i < n; i++) {
		uint32_t depth = 0;

		for (uint32_t k = best[i].node; k != CALLTREE_ROOT; k = a->tree.node[k].parent) {
			vec_fit(way, cap, depth + 1);
			way[depth++] = k;
		}
		text_puts(b, i > 0 ? ",\n {\"frames\":[" : "\n {\"frames\":[");
		for (uint32_t k = depth; k-- > 0;) {
			const struct calltree_name *name =
			    &a->p->names.text[a->tree.node[way[k]].name];

			json_clean(b, (struct str){name->s, name->len});
			text_puts(b, k > 0 ? "," : "");
		}
		text_printf(b, "],\"value\":%.17g", best[i].v);
		add_share(b, "percent", facts_share(a, best[i].v));
		text_char(b, '}');
	}
	free(way);
	text_char(b, ']');
}

static void
add_changes(const struct picture *p, struct text *b)
{
	struct changes c = changes_find(p);
	double least = p->options->min_percent / 100 * value_double(p->drawn.sum[0]);
	unsigned n = 0;

	text_printf(b, ",\n\"tested\":%s,\n\"changes\":[", c.tested ? "true" : "false");
	for (uint32_t i = 0; i < c.n && (least > 0 || n < FUNCTIONS); i++) {
		const struct change_of *f = &c.of[i];

		if (f->delta == 0 || fabs(f->delta) < least)
			break;
		text_puts(b, n++ > 0 ? ",\n {" : "\n {");
		add_function(b, &p->names.name[f->name]);
		text_puts(b, ",\"base\":");
		add_value(b, f->base);
		text_puts(b, ",\"head\":");
		add_value(b, f->head);
		text_printf(b, ",\"change\":%.17g,\"verdict\":\"%s\"", f->delta,
		    !c.tested	     ? "untested"
		    : f->verdict > 0 ? "grew"
		    : f->verdict < 0 ? "shrank"
				     : "noise");
		if (changes_interval(f))
			text_printf(b, ",\"interval_percent\":[%.6g,%.6g]", f->low, f->high);
		text_char(b, '}');
	}
	text_char(b, ']');
	free(c.of);
	free(c.direction);
}

void
report_json(const struct picture *p, struct output *o)
{
	struct text b = {0};
	struct facts a;

	text_puts(&b, "{\"schema\":\"fg-summary-1\",\n");
	add_columns(p, &b);
	add_labels(p, &b);
	if (p->mode == MODE_DIFFERENTIAL) {
		add_changes(p, &b);
	} else {
		facts_open(p, &a);
		text_puts(&b, ",\n\"total\":");
		add_value(&b, layout_total(&a.charged));
		add_functions(&a, &b);
		add_lines(&a, &b);
		add_waits(&a, &b);
		add_origins(&a, &b);
		add_stacks(&a, &b);
		facts_close(&a);
	}
	text_puts(&b, "}\n");
	output_write(o, b.s, b.len);
	text_free(&b);
}
