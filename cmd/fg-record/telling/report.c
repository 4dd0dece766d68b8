/*
 * report: symbolizes the samples and writes folded stacks as the options of the command line
 * say.
 */
#include "base/cli.h"
#include "fg-record/telling/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "access/opener.h"
#include "base/hash.h"
#include "base/intmap.h"
#include "fg-record/telling/retention.h"
#include "profile/folded.h"
#include "names/label.h"
#include "names/functionsums.h"
#include "profile/unit.h"
#include "sample/events.h"
#include "sample/write.h"
#include "trace/heap.h"
#include "trace/naming.h"

#define FUNCTION_COLUMNS 56 /* of an 80-column terminal */

static unsigned
symbol_flags(const struct options *o)
{
	unsigned flags = o->no_inline ? 0 : SYMBOL_INLINE;

	switch (o->source) {
	case SOURCE_LINE: return flags | SYMBOL_LINES;
	case SOURCE_DEFINITION: return flags | SYMBOL_SOURCE;
	default: return flags;
	}
}

/* The entry of a module; if the table is full, replaces the one with the fewest samples. */
static struct report_module *
entry(struct report *rep, const struct naming_module *m)
{
	struct report_module *least = rep->module;

	for (size_t i = 0; i < rep->nmodule; i++) {
		if (rep->module[i].number == m->module->number)
			return &rep->module[i];
		if (rep->module[i].samples < least->samples)
			least = &rep->module[i];
	}
	if (rep->nmodule < REPORT_MODULES)
		least = &rep->module[rep->nmodule++];
	else if (least->samples >= m->samples)
		return NULL;
	*least = (struct report_module){.number = m->module->number, .kind = m->module->kind};
	strlcpy(least->name, m->module->name, sizeof least->name);
	strlcpy(least->path, m->module->path, sizeof least->path);
	return least;
}

static void
add_counts(struct report *rep, const struct naming_count *count)
{
	rep->frames += count->frames;
	rep->unresolved += count->unresolved;
	rep->exhausted |= opener_is_exhausted();
	rep->samples += count->samples;
	for (size_t i = 0; i < count->nmodule; i++) {
		struct report_module *e;

		if (count->module[i].samples == 0 || (e = entry(rep, &count->module[i])) == NULL)
			continue;
		e->samples += count->module[i].samples;
		e->nameless += count->module[i].nameless;
		e->info = count->module[i].module->info;
	}
}

static void
set_heap_columns(struct sampler *s, const struct heap *h)
{
	const struct heap_totals t = heap_totals(h);
	const unsigned n = t.columns;
	uint32_t event[HEAP_COLUMNS];

	for (unsigned i = 0; i < n; i++)
		event[i] = sampler_event(s, str_of(heap_column[i]), str_of(heap_unit[i]));
	sampler_columns(s, heap_column, event, n);
	for (unsigned i = 0; i < n; i++) {
		enum folded_values values =
		    unit_bytes(heap_unit[i]) > 0 ? FOLDED_SAMPLED : FOLDED_ESTIMATED;

		sampler_values(s, event[i], values);
		sampler_describe(s, i, heap_unit[i], value_of(t.mean), "bytes", values);
	}
}

static void
set_columns(struct sampler *s, const struct record *r)
{
	const struct options *o = r->options;
	uint32_t event[TIMELINE_COLUMNS];

	if (o->wall) {
		naming_add_time_columns(s, event);
		return;
	}
	if (o->heap != 0) {
		set_heap_columns(s, r->recording.heap);
		return;
	}
	event[0] =
	    sampler_event(s, str_of(r->event), str_of(options_timed(o) ? "us" : FOLDED_SAMPLES));
	sampler_columns(s, NULL, event, 1);
	if (options_timed(o))
		sampler_describe(s, 0, "us", 0, NULL, FOLDED_VALUES_UNSET); /* measured */
	else
		sampler_describe(s, 0, options_weighted(o) ? r->period_unit : FOLDED_SAMPLES,
		    value_of(r->period), r->period_unit,
		    r->period == 1 && r->span_lost == 0 ? FOLDED_EXACT : FOLDED_SAMPLED);
}

/*
 * Fills the functions with the largest self values of the first column, for the report on a
 * terminal.
 */
static void
add_functions(struct report *rep, struct sampler *s, const struct naming_count *count)
{
	struct labels *builds = NULL;
	struct heavy_function heavy[REPORT_FUNCTIONS];
	struct calltree *t = s->tree;
	unsigned n;
	struct value_array totals = calltree_totals(t, 0);
	double total = value_double(value_array_get(&totals, CALLTREE_ROOT));
	struct text label = {0}, shown = {0};

	naming_label_builds(count, &builds);
	n = summary_heaviest(t, 0, builds, heavy, REPORT_FUNCTIONS);
	labels_free(builds);
	for (unsigned i = 0; i < n && total > 0; i++) {
		const struct calltree_name *name = &t->name[heavy[i].name];
		struct frame_name parsed = name_parse(name->s, name->len);
		struct report_function *f = &rep->function[rep->nfunction++];

		text_cut(&label, 0);
		label_function(&label, &parsed, FUNCTION_COLUMNS);
		text_cut(&shown, 0);
		text_show(&shown, text_as_str(&label));
		strlcpy(f->name, shown.s, sizeof f->name);
		f->self = value_double(heavy[i].self) / total;
	}
	text_free(&label);
	text_free(&shown);
	value_array_free(&totals);
}

/* The symbolized profile of p; counts go to *n. The caller frees both. */
static struct sampler *
name_samples(const struct record *r, const struct rawtree *p, struct report *rep, bool bare,
    struct naming *n)
{
	struct sampler *s = sampler_new(&r->options->sample);

	*n = (struct naming){.flags = symbol_flags(r->options),
	    .unit = options_timed(r->options) ? RECORDING_NS_OF_US : 1,
	    .caller_of_allocator = r->options->heap != 0 && !r->options->allocator_frames,
	    .logical = r->options->heap_outside,
	    .progress = &rep->progress,
	    .bare = bare};
	sampler_input(s, r->event, SAMPLE_ROOT_FIRST);
	set_columns(s, r);
	rep->naming = true;
	naming_add(n, p, r->recording.modules, s);
	rep->naming = false;
	return s;
}

void
report_heaviest(const struct record *r, struct report *rep)
{
	struct naming n;
	struct sampler *s = name_samples(r, r->recording.rawtree, rep, false, &n);

	rep->nfunction = 0;
	add_functions(rep, s, &n.count);
	sampler_free(s);
	free(n.count.module);
}

/* Adds how many modules were symbolized: all, some, with the other ones, or none. */
static void
add_symbols(struct labels **l, const struct naming *n)
{
	bool partial = false;

	for (size_t i = 0; i < n->count.nmodule; i++) {
		const struct module *m = n->count.module[i].module;

		/* The reader failed, or the file has vanished or cannot be read by this user. */
		if (m == NULL ||
		    !(m->unread || (m->kind == MODULE_FILE && m->info == MODULE_MISSING)))
			continue;
		partial = true;
		if (!n->bare)
			labels_add(l, str_of(LABEL_UNREAD), str_of(m->name), false);
	}
	labels_default(l, LABEL_SYMBOLS,
	    str_of(n->bare   ? LABEL_SYMBOLS_MODULES
		   : partial ? LABEL_SYMBOLS_PARTIAL
			     : LABEL_SYMBOLS_FULL));
}

/* Adds the reserved keys of folded(5): where and when the profile was recorded. */
static void
add_labels(struct labels **l, const struct record *r, const struct naming *names)
{
	const struct naming_count *n = &names->count;
	const struct options *o = r->options;
	struct text words = {0};
	char start[sizeof "2026-11-23T07:00:00Z"];
	struct utsname host;
	struct tm utc;

	labels_join(l, o->labels);
	for (char **word = o->command; word != NULL && *word != NULL; word++)
		text_printf(&words, "%s%s", word == o->command ? "" : " ", *word);
	if (words.len > 0)
		labels_default(l, "command", text_as_str(&words));
	if (o->off_cpu)
		labels_default(l, "event", str_of("off-cpu"));
	else if (!r->stopped && !o->wall)
		labels_default(l, "event", str_of(r->event));
	if (uname(&host) == 0)
		labels_default(l, "host", str_of(host.nodename));
	if (gmtime_r(&r->span.tv_sec, &utc) != NULL &&
	    strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
		labels_default(l, "start", str_of(start));
	if (labels_find(*l, NAME_BUILD_ID) == NULL)
		naming_label_builds(n, l);
	add_symbols(l, names);
	if (o->stream) { /* the rest is known at the end only */
		text_free(&words);
		return;
	}
	text_cut(&words, 0);
	text_printf(&words, "%.3fs", (double)r->span_ns / 1e9);
	labels_default(l, "duration", text_as_str(&words));
	text_cut(&words, 0);
	text_printf(&words, "%" PRIu64, r->span_threads);
	labels_default(l, "threads", text_as_str(&words));
	text_cut(&words, 0);
	text_printf(&words, "%" PRIu64, r->span_lost);
	labels_default(l, "lost", text_as_str(&words));
	text_free(&words);
}

void
report_write(const struct record *r, const struct rawtree *p, struct output *out,
    struct report *rep, bool bare)
{
	struct naming n;
	struct sampler *s = name_samples(r, p, rep, bare, &n);
	char step[32];

	if (!bare)
		add_counts(rep, &n.count);
	if (r->options->output_chosen && !r->options->off_cpu)
		add_functions(rep, s, &n.count);
	if (r->options->stream) {
		snprintf(step, sizeof step, "%.3f s", (double)r->step / 1e9);
		folded_write_time(out, str_of(step), s->columns);
	}
	if ((options_has_files(r->options) || r->options->output_chosen) &&
	    !r->options->sample.no_header)
		retention_mark(out, s->columns);
	if (!r->options->no_labels)
		add_labels(&s->about.labels, r, &n);
	s->about.ends = out->target != NULL || options_has_files(r->options);
	sampler_write(s, out);
	sampler_free(s);
	free(n.count.module);
}

void
report_check(struct report *rep)
{
	if (rep->nmodule > REPORT_MODULES)
		rep->nmodule = REPORT_MODULES;
	if (rep->nfunction > REPORT_FUNCTIONS)
		rep->nfunction = REPORT_FUNCTIONS;
	for (size_t i = 0; i < rep->nmodule; i++) {
		struct report_module *m = &rep->module[i];

		m->name[sizeof m->name - 1] = m->path[sizeof m->path - 1] = '\0';
		if ((unsigned)m->kind > MODULE_NOTE)
			m->kind = MODULE_NOTE;
		if ((unsigned)m->info > MODULE_DEBUG)
			m->info = MODULE_UNTRIED;
	}
	for (size_t i = 0; i < rep->nfunction; i++) {
		struct report_function *f = &rep->function[i];

		f->name[sizeof f->name - 1] = '\0';
		if (!(f->self >= 0 && f->self <= 1))
			f->self = 0;
	}
}

/* The name of a task's process, and its ID where the recording distinguishes them, as a number. */
static uint64_t
process_of(const struct rawtree_task *task)
{
	return hash_bytes(task->comm, sizeof task->comm) ^ (uint64_t)(uint32_t)task->pid;
}

/* Excludes the files that are only in processes that have the module m; returns their number. */
static unsigned
exclude_with(const struct rawtree *p, const struct module *m)
{
	const struct calltree *t = p->tree;
	uint64_t *process = cli_alloc(t->nnode, sizeof *process); /* by node */
	struct intmap with = {0}, elsewhere = {0}; /* processes with m; modules of other ones */
	unsigned n = 0;

	for (uint32_t node = 1; node < t->nnode; node++) {
		const uint32_t parent = t->node[node].parent;

		if (parent == CALLTREE_ROOT) {
			const struct rawtree_task task = rawtree_get_task(p, node);

			process[node] = process_of(&task);
		} else {
			process[node] = process[parent];
		}
		if (!rawtree_is_task(p, node) && rawtree_get_frame(p, node).module == m)
			*intmap_at(&with, process[node]) = &with;
	}
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t node = 1; node < t->nnode; node++) {
			const bool task = rawtree_is_task(p, node);
			struct module *other = task ? NULL : rawtree_get_frame(p, node).module;

			if (other == NULL || other->kind != MODULE_FILE || other->unread)
				continue;
			if (pass == 0) {
				if (intmap_get(&with, process[node]) == NULL)
					*intmap_at(&elsewhere, other->number) = other;
			} else if (intmap_get(&elsewhere, other->number) == NULL) {
				other->unread = true;
				n++;
			}
		}
	free(with.slot);
	free(elsewhere.slot);
	free(process);
	return n;
}

bool
report_exclude(struct record *r, const struct rawtree *p, const struct report *rep,
    const char *fault, bool all)
{
	const uint32_t number = rep->progress.module;
	struct module *m = number == 0 ? NULL : modules_at(r->recording.modules, number - 1);
	unsigned others;

	if (m == NULL || m->unread || !rep->naming)
		return false;
	m->unread = true;
	cli_warn("%s: %s; its frames have only its name", m->path, fault);
	if (all && (others = exclude_with(p, m)) > 0)
		cli_warn(
		    "frames of %u other files that only processes with %s have: they have only "
		    "the names of their files",
		    others, m->path);
	return true;
}
