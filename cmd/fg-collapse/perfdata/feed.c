/*
 * feed: decodes each record and passes it to the engine.
 */
#include "fg-collapse/perfdata/feed.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "fg-collapse/options.h"
#include "trace/naming.h"
#include "trace/take.h"
#include "fg-collapse/perfdata/swap.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

bool
feed_has_times(const struct feed *f)
{
	return f->times.source != TIMES_NONE;
}

/*
 * On hybrid CPUs both kinds of cores count one thing as two events: cpu_core/cycles/u and
 * cpu_atom/cycles/u are named cycles:u, unless the user requested one of them.
 */
static void
add_event_name(struct text *t, const struct feed *f, const struct attr *a)
{
	static const char *const kind[] = {"cpu_core/", "cpu_atom/"};
	const size_t n = strlen(kind[0]);
	const char *requested = f->reader->options->sample.event, *name, *end;

	for (int i = 0; i < 2; i++) {
		name = a->name + n;
		if (strncmp(a->name, kind[i], n) != 0 || (end = strchr(name, '/')) == NULL ||
		    (requested != NULL && strcmp(requested, a->name) == 0))
			continue;
		for (size_t k = 0; k < f->attrs->n; k++) {
			const char *twin = f->attrs->attr[k].name;

			if (strncmp(twin, kind[!i], n) != 0 || strcmp(twin + n, name) != 0)
				continue;
			text_add(t, name, (size_t)(end - name));
			if (end[1] != '\0')
				text_printf(t, ":%s", end + 1);
			return;
		}
	}
	text_puts(t, a->name);
}

/* The event's number in the sampler; created when the event first occurs. */
static uint32_t
event_of(struct feed *f, struct attr *a)
{
	struct text name = {0};

	if (a->event == UINT32_MAX) {
		add_event_name(&name, f, a);
		a->event = sampler_event(f->reader->sampler, text_as_str(&name),
		    feed_has_times(f) ? str_of("us") : (struct str){0});
		text_free(&name);
		/* Each event was recorded, unless some were lost. Times are measured. */
		if (!feed_has_times(f))
			sampler_values(f->reader->sampler, a->event,
			    a->attr.freq || a->attr.sample_period != 1 ? FOLDED_SAMPLED
								       : FOLDED_EXACT);
	}
	return a->event;
}

/* A recording.wanted callback: true if the options select the sample. */
static bool
sample_counts(void *arg, struct recording_event *ev, uint64_t time, uint64_t weight)
{
	struct feed *f = arg;
	struct attr *a = (struct attr *)((char *)ev - offsetof(struct attr, ev));
	const bool timed = (ev->format.sample_type & PERF_SAMPLE_TIME) != 0;

	return sample_wanted(f->reader->sampler, event_of(f, a), timed ? time : SAMPLE_NO_TIME,
	    feed_has_times(f) ? value_of(weight) / RECORDING_NS_OF_US : value_of(weight));
}

/* A timeline.wanted callback: true if the options select the interval. */
static bool
stretch_counts(void *arg, enum timeline_column column, uint32_t node, uint64_t from, uint64_t ns)
{
	struct feed *f = arg;
	uint32_t event = f->reader->options->wall ? f->column[column]
						  : event_of(f, &f->attrs->attr[f->times.event]);

	(void)node;
	return sample_wanted(f->reader->sampler, event, from, value_of(ns) / RECORDING_NS_OF_US);
}

static struct recording_event *
event_of_id(void *arg, uint64_t id)
{
	struct feed *f = arg;
	struct attr *a = attrs_of_id(f->attrs, id);

	return a != NULL ? &a->ev : NULL;
}

void
feed_init(struct feed *f, struct reader *r, struct attrs *attrs, struct features *features,
    const struct parts *parts, struct modules *modules, bool swapped)
{
	const struct sample_options *o = &r->options->sample;
	const struct recording_options options = {.pid = o->pid,
	    .tid = o->tid,
	    .sample_weight = o->count,
	    .ordered = o->time_order,
	    .step = o->step,
	    .swapped = swapped,
	    .calls = features->stored.n > 0};

	*f = (struct feed){
	    .reader = r, .swapped = swapped, .attrs = attrs, .features = features, .parts = parts};
	recording_init(&f->recording, modules, &options);
	f->recording.arg = f;
	f->recording.wanted = sample_counts;
	f->recording.event_of_id = event_of_id;
}

void
feed_free(struct feed *f)
{
	recording_free(&f->recording);
}

/* Starts to track threads at that time; ranges of time count from the first sample. */
static void
begin_times(struct feed *f, uint64_t time)
{
	const struct options *o = f->reader->options;
	struct timeline *tl = &f->recording.timeline;

	f->recording.options.off_cpu = o->off_cpu;
	f->recording.options.wall = tl->wall = o->wall;
	f->recording.options.wakers = o->wakers;
	tl->wanted = stretch_counts;
	tl->arg = f;
	tl->stretch_weight = o->sample.count ? RECORDING_NS_OF_US : 0;
	f->recording.sees_switch_ins = f->times.records;
	tl->unseen_ends = !f->times.records;
	recording_begin(&f->recording, time);
	if (o->wall)
		naming_add_time_columns(f->reader->sampler, f->column);
}

/* With --off-cpu and --wall: chooses the events that record times. */
static void
choose_times(struct feed *f, uint64_t time)
{
	const struct options *o = f->reader->options;

	f->chosen = true;
	timesources_choose(&f->times, f->attrs, text_as_str(&f->features->tracing), o);
	if (f->times.missing != NULL)
		cli_die("%s: %s", lines_name(f->reader->lines), f->times.missing);
	if (f->times.source != TIMES_SAMPLES)
		begin_times(f, time);
	else if (o->sample.count)
		f->recording.options.sample_weight = RECORDING_NS_OF_US;
}

static void
begin_range(struct feed *f, uint64_t first)
{
	const struct sample_options *o = &f->reader->options->sample;
	struct timeline *tl = &f->recording.timeline;

	sampler_start(f->reader->sampler,
	    f->reader->options->wall ? f->column[0] : event_of(f, &f->attrs->attr[f->times.event]),
	    first);
	if (!o->range)
		return;
	recording_begin(&f->recording, first + o->from);
	tl->end = o->to > UINT64_MAX - first ? 0 : first + o->to;
}

/* Created late, because a pipe names the machine later than a file. */
static void
make_unwinder(struct feed *f)
{
	const char *arch = f->features->arch;

	recording_machine(&f->recording, arch == NULL && f->swapped ? "other" : arch);
}

/*
 * Chooses the default event: as in perf script, the first listed one that counts something
 * itself, even if another one has the first sample.
 */
static void
choose_event(struct feed *f)
{
	for (size_t i = 0; i < f->attrs->n; i++) {
		struct attr *a = &f->attrs->attr[i];

		if (a->attr.type > PERF_TYPE_RAW ||
		    (a->attr.type == PERF_TYPE_SOFTWARE &&
			(a->attr.config == PERF_COUNT_SW_DUMMY ||
			    a->attr.config == PERF_COUNT_SW_BPF_OUTPUT)))
			continue;
		sampler_default(f->reader->sampler, event_of(f, a));
		return;
	}
}

static void
prepare_sample(struct feed *f, const struct attr *a, struct perfevent *e, uint64_t time)
{
	if (!(a->ev.format.sample_type & PERF_SAMPLE_TIME))
		e->time = time;
	if (!(a->ev.format.sample_type & PERF_SAMPLE_TID))
		e->pid = e->tid = UINT32_MAX;
	if (f->first == 0) {
		f->first = e->time;
		if (feed_has_times(f) && f->times.source != TIMES_SAMPLES)
			begin_range(f, f->first);
		else if (!feed_has_times(f))
			choose_event(f);
	}
	f->seen++;
	if (f->recording.unwind == NULL)
		make_unwinder(f);
}

/* A mapping record may lack the build ID that the file lists. */
static void
add_build_id(const struct feed *f, struct perfevent_mmap *m)
{
	const struct features_build_id *id;

	if (m->nbuild_id == 0 && (id = features_build_id(f->features, m->path)) != NULL) {
		m->build_id = id->bytes;
		m->nbuild_id = id->size;
	}
}

void
feed_take(void *arg, const struct timesort_entry *o)
{
	struct feed *f = arg;
	const struct options *options = f->reader->options;
	struct attr *a = &f->attrs->attr[o->attr];
	struct perfevent e;

	if (f->swapped)
		swap_record(o->h, &a->ev.format);
	if (!perfevent_decode(&a->ev.format, o->h, &e)) {
		reader_malformed_in(
		    f->reader, f->parts->part[o->part].name, o->offset, "a malformed record");
		f->recording.count.malformed++;
		return;
	}
	/* Records without a time are synthesized by perf for the state before the recording. */
	if ((options->off_cpu || options->wall) && !f->chosen &&
	    (e.time != 0 || e.type == PERF_RECORD_SAMPLE))
		choose_times(f, e.time);
	if (e.type == PERF_RECORD_SAMPLE)
		prepare_sample(f, a, &e, o->time);
	else if ((e.type == PERF_RECORD_MMAP || e.type == PERF_RECORD_MMAP2) &&
		 (e.misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_KERNEL)
		add_build_id(f, &e.mmap);
	if (e.time > f->last)
		f->last = e.time;
	recording_take(&f->recording, &a->ev, &e);
}

void
feed_end(struct feed *f)
{
	recording_end(&f->recording);
	if (feed_has_times(f) && f->times.source != TIMES_SAMPLES)
		timeline_charge(&f->recording.timeline, f->last);
}
