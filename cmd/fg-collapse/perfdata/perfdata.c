/*
 * perfdata: reader of perf.data files and pipes.
 */
#include <byteswap.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "symbol/symbol.h"
#include "fg-collapse/format.h"
#include "fg-collapse/magic.h"
#include "trace/naming.h"
#include "fg-collapse/perfdata/fileheader.h"
#include "fg-collapse/perfdata/symbolsources.h"
#include "fg-collapse/perfdata/recordqueue.h"
#include "fg-collapse/perfdata/feed.h"
#include "fg-collapse/perfdata/recordstream.h"
#include "fg-collapse/perfdata/perfdatasummary.h"
#include "sample/events.h"

struct perfdata {
	struct reader *reader;
	struct fileheader header;
	struct attrs attrs;
	struct features features;
	struct symbolsources origins;
	struct modules *modules;
	struct parts parts;
	struct timesort order;
	struct recordqueue *relay;
	bool begun; /* relay has got its first record */
	uint64_t stray; /* records whose event is unknown */
	/* Consumers of the sorted records, possibly run by another thread. */
	struct feed feed;
	bool kernel; /* the source of the kernel's symbols is known */
	bool beside; /* a separate thread reads the kernel's symbols */
	struct perfdata *before;
};

/* All recordings so far, as a list: modules and names stay valid until exit. */
static struct perfdata *recordings;

static uint64_t
u64_of(const struct perfdata *d, const void *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return d->header.swapped ? bswap_64(v) : v;
}

/* Reads a HEADER_ATTR record: an event and its ids. */
static void
take_attr(struct perfdata *d, struct part *p, const unsigned char *s, size_t n, uint64_t offset)
{
	uint32_t size = 0;
	int number;

	if (n >= 8)
		memcpy(&size, s + 4, 4);
	if (d->header.swapped)
		size = bswap_32(size);
	if (size == 0) /* perf before 2.6.33 omitted it */
		size = PERF_ATTR_SIZE_VER0;
	number = size <= n ? attrs_add(&d->attrs, s, size, d->header.swapped) : -1;
	if (number < 0) {
		recordstream_fault(&p->stream, offset, "a malformed event description");
		return;
	}
	for (size_t i = size; i + 8 <= n; i += 8)
		attrs_add_id(&d->attrs, u64_of(d, s + i), (size_t)number);
}

/* Reads an EVENT_UPDATE record: the name of an event, or of its unit. */
static void
take_update(struct perfdata *d, const unsigned char *s, size_t n)
{
	enum { NAME = 2 };
	struct attr *a;

	if (n < 16 || u64_of(d, s) != NAME ||
	    (a = attrs_of_id(&d->attrs, u64_of(d, s + 8))) == NULL)
		return;
	attrs_name(&d->attrs, (size_t)(a - d->attrs.attr),
	    (struct str){(const char *)s + 16, strnlen((const char *)s + 16, n - 16)});
}

/* Reads an EVENT_TYPE record of perf before 3.10: an event's number and name. */
static void
take_event_type(struct perfdata *d, const unsigned char *s, size_t n)
{
	if (n <= 8)
		return;
	for (size_t i = 0; i < d->attrs.n; i++)
		if (!d->attrs.attr[i].named && d->attrs.attr[i].attr.config == u64_of(d, s))
			attrs_name(&d->attrs, i,
			    (struct str){(const char *)s + 8, strnlen((const char *)s + 8, n - 8)});
}

/* Skips the AUX trace data that follow their record. */
static void
skip_auxtrace(struct perfdata *d, struct part *p, const unsigned char *s, size_t n)
{
	if (n < 8)
		return;
	d->features.auxtrace = true;
	recordstream_skip(&p->stream, u64_of(d, s));
}

/* Reads the formats of tracepoints, which follow their record. */
static void
take_tracing(struct perfdata *d, struct part *p, const unsigned char *s, size_t n)
{
	unsigned char bytes[4096];
	uint32_t size;

	if (n < 4)
		return;
	memcpy(&size, s, 4);
	if (d->header.swapped)
		size = bswap_32(size);
	recordqueue_wait(d->relay);
	text_cut(&d->features.tracing, 0);
	for (uint64_t left = ((uint64_t)size + 7) & ~UINT64_C(7); left > 0;) {
		size_t got = recordstream_read(
		    &p->stream, bytes, left < sizeof bytes ? (size_t)left : sizeof bytes);

		if (got == 0)
			break;
		text_add(&d->features.tracing, (const char *)bytes, got);
		left -= got;
	}
	features_name_tracepoints(&d->features, &d->attrs);
}

/* Handles the records of perf itself. Metadata apply only to later records. */
static void
take_user(struct perfdata *d, struct part *p, const struct record *r)
{
	const unsigned char *s = (const unsigned char *)(r->h + 1);
	const size_t n = r->h->size - sizeof *r->h;

	switch (r->h->type) {
	case RECORD_FINISHED_ROUND: timesort_round(&d->order); return;
	case RECORD_AUXTRACE: skip_auxtrace(d, p, s, n); return;
	case RECORD_TRACING_DATA: take_tracing(d, p, s, n); return;
	}
	recordqueue_wait(d->relay);
	switch (r->h->type) {
	case RECORD_ATTR: take_attr(d, p, s, n, r->offset); break;
	case RECORD_EVENT_TYPE: take_event_type(d, s, n); break;
	case RECORD_EVENT_UPDATE: take_update(d, s, n); break;
	case RECORD_BUILD_ID:
		if (!features_add_build_id(&d->features, r->h, s, n, d->header.swapped))
			recordstream_fault(&p->stream, r->offset, "a malformed build ID");
		break;
	case RECORD_FEATURE: /* perf has no more features, and simpleperf writes no pipes */
		if (n < 8 || u64_of(d, s) >= FEATURE_ANDROID_FILE ||
		    !features_read(&d->features, (unsigned)u64_of(d, s), s + 8, n - 8,
			d->header.swapped, &d->attrs))
			recordstream_fault(&p->stream, r->offset, "a malformed feature");
		break;
	}
}

/* With --strict the first error ends the program, in either thread, so there is only one. */
static bool
wants_thread(const struct perfdata *d)
{
	const struct options *o = d->reader->options;

	for (size_t i = 0; i < d->attrs.n; i++)
		if (d->attrs.attr[i].ev.format.sample_type & PERF_SAMPLE_STACK_USER)
			return o->jobs > 1 && !o->strict;
	return false;
}

/* Adds a record of the kernel to the time sort. */
static void
take_kernel(struct perfdata *d, struct part *p, const struct record *r)
{
	const bool swapped = d->header.swapped;
	struct attr *a = attrs_of(&d->attrs, r->h, swapped);
	struct timesort_entry e = {.offset = r->offset,
	    .h = r->h,
	    .block = r->block,
	    .part = (uint32_t)(p - d->parts.part)};

	if (a == NULL) {
		if (d->attrs.n == 0)
			recordstream_fault(&p->stream, r->offset, "a record before any event");
		d->stray++;
		return;
	}
	if (!d->begun && wants_thread(d))
		recordqueue_start(d->relay);
	d->begun = true;
	e.attr = (uint32_t)(a - d->attrs.attr);
	/* A record without a time has the time of the previous one. */
	if (!attrs_time(a, r->h, swapped, &e.time))
		e.time = p->time;
	p->time = e.time;
	timesort_add(&d->order, &e);
}

static void
find_kernel(struct perfdata *d)
{
	if (d->features.first == 0) /* pipe mode */
		d->features.first = d->feed.first;
	if (!d->kernel)
		symbolsources_kernel(&d->origins, d->reader->options, &d->features,
		    d->feed.recording.kernel_reference_name, d->feed.recording.kernel_reference);
	d->kernel = true;
}

/*
 * Starts to read the kernel's many symbols in another thread, once their source is known;
 * with a pipe it is known only at the end.
 */
static void
start_kernel(struct perfdata *d)
{
	const struct options *o = d->reader->options;

	if (d->kernel || d->header.pipe || d->feed.recording.kernel_reference == 0 ||
	    d->feed.seen == 0 || o->header || o->sample.list)
		return;
	find_kernel(d);
	d->beside = o->jobs > 1;
	if (d->beside)
		symbol_kernel_start(d->modules);
}

/* A timesort_consumer whose arg is a struct perfdata. */
static void
take_record(void *arg, const struct timesort_entry *e)
{
	struct perfdata *d = arg;

	feed_take(&d->feed, e);
	start_kernel(d);
}

static void
report_fault(void *arg, uint32_t part, uint64_t offset, const char *why)
{
	struct perfdata *d = arg;

	reader_malformed_in(d->reader, d->parts.part[part].name, offset, why);
}

static void
name_places(struct perfdata *d)
{
	const struct options *o = d->reader->options;
	struct sampler *s = d->reader->sampler;
	struct naming n = {.unit = feed_has_times(&d->feed) ? RECORDING_NS_OF_US : 1};

	if (d->feed.recording.count.samples == 0 || s->options->list) {
		perfdatasummary_print(&d->feed, &d->features, &n.count);
		return;
	}
	find_kernel(d);
	n.flags = o->no_inline ? 0 : SYMBOL_INLINE;
	if (s->options->style.source)
		n.flags |= SYMBOL_LINES;
	naming_add(&n, d->feed.recording.rawtree, d->modules, s);
	perfdatasummary_print(&d->feed, &d->features, &n.count);
	if (d->reader->options->auto_labels && !d->reader->options->no_labels)
		naming_label_builds(&n.count, &s->about.labels);
	free(n.count.module);
}

static void
read_input(struct reader *r)
{
	struct perfdata *d = cli_alloc(1, sizeof *d);
	const char *path = lines_name(r->lines);
	struct record record;
	struct part *part;

	d->before = recordings;
	recordings = d;
	d->reader = r;
	sampler_input(r->sampler, path, SAMPLE_ROOT_FIRST);
	if (!r->options->debuginfod) /* build IDs would reveal the programs in use to a server */
		unsetenv("DEBUGINFOD_URLS");
	fileheader_read(&d->header, r, &d->attrs, &d->features);
	symbolsources_begin(
	    &d->origins, r->options, &d->features, strcmp(path, "stdin") == 0 ? NULL : path);
	d->modules = modules_new(&d->origins.origin);
	feed_init(&d->feed, r, &d->attrs, &d->features, &d->parts, d->modules, d->header.swapped);
	d->relay = recordqueue_new(take_record, report_fault, d);
	d->order = (struct timesort){.take = recordqueue_take, .arg = d->relay};
	parts_open(&d->parts, r, d->relay, &d->attrs, d->header.swapped, d->header.data,
	    d->header.data_end, d->features.directory);
	while ((part = parts_next(&d->parts, &record)) != NULL) {
		if (record.h->type >= RECORD_USER)
			take_user(d, part, &record);
		else
			take_kernel(d, part, &record);
	}
	timesort_end(&d->order);
	recordqueue_free(d->relay);
	d->feed.recording.count.stray += d->stray;
	feed_end(&d->feed);
	parts_close(&d->parts, r->options->strict);
	if (!feed_has_times(&d->feed))
		reader_resolve_units(r);
	if (d->feed.recording.count.lost > 0 || d->feed.recording.count.lost_samples > 0)
		for (uint32_t i = 0; i < r->sampler->nevent; i++)
			if (r->sampler->event[i].values == FOLDED_EXACT)
				sampler_values(r->sampler, i, FOLDED_SAMPLED);
	if (r->options->header)
		perfdatasummary_header(r->header, &d->feed, &d->features, path, d->order.late);
	else
		name_places(d);
	if (r->options->auto_labels && !r->options->no_labels)
		perfdatasummary_labels(&r->sampler->about.labels, &d->features);
	if (d->beside) /* the thread may still be running if no sample needed it */
		symbol_kernel_wait(d->modules);
	feed_free(&d->feed);
	attrs_free(&d->attrs);
	features_free(&d->features);
}

static int
sniff(const char *data, size_t len)
{
	return magic_is_perfdata(data, len) || fileheader_is_archive(data, len) ? 100 : 0;
}

const struct format perfdata_format = {
    .provides = DATA_TASK | DATA_CODE | DATA_TIMES | DATA_EVENT | DATA_COUNT | DATA_UNSYMBOLIZED |
		DATA_RECORDING,
    .reads_programs = true,
    .single = true,
    .bytes = FORMAT_BINARY,
    .sniff = sniff,
    .read = read_input,
};
