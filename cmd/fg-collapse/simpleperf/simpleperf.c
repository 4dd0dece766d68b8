/*
 * simpleperf: the protobuf report of Android's simpleperf (report-sample --protobuf,
 * Android Studio's .trace):
 *
 *	SIMPLEPERF, u16 version, then u32 size + message Record; a size of 0 is the end
 *
 * (system/extras/simpleperf/cmd_report_sample.proto). Files, threads and names of events
 * come after the samples that refer to them.
 */
#include "fg-collapse/simpleperf/namedframe.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/intmap.h"
#include "base/text.h"
#include "base/vec.h"
#include "fg-collapse/format.h"
#include "fg-collapse/shape/bytestream.h"
#include "fg-collapse/shape/latestacks.h"
#include "fg-collapse/shape/protobuf.h"
#include "fg-collapse/shape/scan.h"
#include "profile/unit.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

#define MAGIC "SIMPLEPERF"
#define HEAD 12
#define OFF_CPU UINT32_C(0x80000000) /* of an event's index: weighted by time */

enum { RECORD_SAMPLE = 1, RECORD_LOST, RECORD_FILE, RECORD_THREAD, RECORD_META };

/* Messages of cmd_report_sample.proto. */
struct chain_entry {
	uint64_t vaddr, file, symbol, execution;
};
static const struct protobuf_member chain_entry[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct chain_entry, vaddr),
    [2] = PROTOBUF_MEMBER(NUMBER, struct chain_entry, file),
    [3] = PROTOBUF_MEMBER(NUMBER, struct chain_entry, symbol),
    [4] = PROTOBUF_MEMBER(NUMBER, struct chain_entry, execution),
};

struct sample_message {
	uint64_t time, tid, count, event;
	struct protobuf_items chain;
};
static const struct protobuf_member sample_message[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct sample_message, time),
    [2] = PROTOBUF_MEMBER(NUMBER, struct sample_message, tid),
    [3] = PROTOBUF_EACH(struct sample_message, chain, struct chain_entry, chain_entry),
    [4] = PROTOBUF_MEMBER(NUMBER, struct sample_message, count),
    [5] = PROTOBUF_MEMBER(NUMBER, struct sample_message, event),
};

struct file_message {
	uint64_t id;
	struct str path;
	struct protobuf_texts symbol;
};
static const struct protobuf_member file_message[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct file_message, id),
    [2] = PROTOBUF_MEMBER(TEXT, struct file_message, path),
    [3] = PROTOBUF_MEMBER(TEXTS, struct file_message, symbol),
};

struct thread_message {
	uint64_t tid, pid;
	struct str name;
};
static const struct protobuf_member thread_message[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct thread_message, tid),
    [2] = PROTOBUF_MEMBER(NUMBER, struct thread_message, pid),
    [3] = PROTOBUF_MEMBER(TEXT, struct thread_message, name),
};

struct meta_message {
	struct protobuf_texts event;
	uint64_t trace_offcpu;
};
static const struct protobuf_member meta_message[] = {
    [1] = PROTOBUF_MEMBER(TEXTS, struct meta_message, event),
    [6] = PROTOBUF_MEMBER(NUMBER, struct meta_message, trace_offcpu),
};

struct lost_message {
	uint64_t samples, lost;
};
static const struct protobuf_member lost_message[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct lost_message, samples),
    [2] = PROTOBUF_MEMBER(NUMBER, struct lost_message, lost),
};

struct recording {
	struct reader *reader;
	struct latestacks stacks;
	struct place { /* a distinct frame; frames are numbered by index */
		uint32_t file;
		int32_t symbol; /* -1: none */
		uint64_t vaddr;
		uint8_t execution;
		bool named;
		uint32_t name; /* the sampler's name */
	} * place;
	size_t nplace, capplace;
	struct hash_index places;
	struct sample_message sample; /* the current one */
	struct file_message file;
	struct intmap files; /* by id: struct file */
	struct intmap threads; /* by tid: struct thread */
	char *event[64];
	size_t nevent;
	bool trace_offcpu;
	uint64_t samples;
	struct text text, pid, tid;
};

struct file {
	char *path;
	char **symbol;
	size_t n;
};

struct thread {
	char *name;
	uint64_t pid;
	bool ran; /* the fields below are set, from its last sample */
	uint32_t event, node;
	uint64_t time;
};

static struct thread *
thread_of(struct recording *p, uint64_t tid)
{
	void **at = intmap_at(&p->threads, tid);

	if (*at == NULL)
		*at = cli_alloc(1, sizeof(struct thread));
	return *at;
}

static uint32_t
place_of(struct recording *p, struct place place)
{
	uint32_t hash =
	    (uint32_t)hash_pair(place.vaddr, (uint64_t)place.file << 32 | (uint32_t)place.symbol);

	for (uint32_t at = hash, n; (n = hash_index_next(&p->places, hash, &at)) != 0;) {
		const struct place *q = &p->place[n - 1];

		if (q->file == place.file && q->symbol == place.symbol && q->vaddr == place.vaddr &&
		    q->execution == place.execution)
			return n - 1;
	}
	vec_fit(p->place, p->capplace, p->nplace + 1);
	p->place[p->nplace++] = place;
	hash_index_add(&p->places, hash, (uint32_t)p->nplace);
	return (uint32_t)p->nplace - 1;
}

/* Number of the place of an entry. */
static uint32_t
place_of_entry(struct recording *p, const struct chain_entry *e)
{
	struct place place = {.file = (uint32_t)e->file,
	    .symbol = (int32_t)e->symbol,
	    .vaddr = e->vaddr,
	    .execution = (uint8_t)e->execution};

	if (place.symbol >= 0 && !p->reader->sampler->options->style.addrs)
		place.vaddr = 0; /* all addresses in a function are one frame */
	return place_of(p, place);
}

static void
read_sample(struct recording *p, const struct protobuf *record, const struct protobuf_field *f)
{
	struct sample_message *m = &p->sample;
	const struct chain_entry *entry;
	uint32_t node = LATESTACKS_ROOT, event;
	struct thread *t;

	*m = (struct sample_message){.time = SAMPLE_NO_TIME, .chain = m->chain};
	m->chain.n = 0;
	if (!protobuf_message(record, f, sample_message, m))
		return;
	entry = m->chain.at;
	for (size_t i = m->chain.n; i-- > 0;) /* leaf first */
		node = latestacks_child(&p->stacks, node, place_of_entry(p, &entry[i]));
	t = thread_of(p, m->tid);
	if (t->ran && t->event > 0 && m->time >= t->time && m->time != SAMPLE_NO_TIME)
		latestacks_add(&p->stacks, m->tid, t->event | OFF_CPU, t->node, t->time,
		    value_of(m->time - t->time));
	event = (uint32_t)m->event & (OFF_CPU - 1);
	latestacks_add(&p->stacks, m->tid, event, node, m->time, value_of(m->count));
	t->ran = true;
	t->event = event;
	t->node = node;
	t->time = m->time;
	p->samples++;
}

static void
read_file(struct recording *p, const struct protobuf *record, const struct protobuf_field *f)
{
	struct file_message *m = &p->file;
	struct file *file;
	void **at;

	*m = (struct file_message){.symbol = m->symbol};
	m->symbol.n = 0;
	if (!protobuf_message(record, f, file_message, m))
		return;
	at = intmap_at(&p->files, m->id);
	if (*at != NULL)
		return;
	*at = file = cli_alloc(1, sizeof *file);
	file->path = str_copy(m->path);
	file->symbol = cli_alloc(m->symbol.n, sizeof *file->symbol);
	while (file->n < m->symbol.n) {
		file->symbol[file->n] = str_copy(m->symbol.at[file->n]);
		file->n++;
	}
}

static void
read_thread(struct recording *p, const struct protobuf *record, const struct protobuf_field *f)
{
	struct thread_message m = {0};
	struct thread *t;

	if (!protobuf_message(record, f, thread_message, &m))
		return;
	t = thread_of(p, m.tid);
	t->pid = m.pid;
	free(t->name);
	t->name = str_copy(m.name);
}

static void
read_meta(struct recording *p, const struct protobuf *record, const struct protobuf_field *f)
{
	struct meta_message m = {.trace_offcpu = p->trace_offcpu};

	protobuf_message(record, f, meta_message, &m);
	for (size_t i = 0; i < m.event.n && p->nevent < sizeof p->event / sizeof p->event[0]; i++)
		p->event[p->nevent++] = str_copy(m.event.at[i]);
	p->trace_offcpu = m.trace_offcpu != 0;
	free(m.event.at);
}

static void
read_lost(struct recording *p, const struct protobuf *record, const struct protobuf_field *f)
{
	struct lost_message m = {0};

	if (!protobuf_message(record, f, lost_message, &m))
		return;
	if (m.lost > 0)
		cli_note("%s: %llu %s lost while recording", lines_name(p->reader->lines),
		    (unsigned long long)m.lost, text_form(m.lost, "sample was", "samples were"));
	if (m.samples != p->samples)
		cli_warn("%s: %llu %s, but the file states %llu: part of the file is missing",
		    lines_name(p->reader->lines), (unsigned long long)p->samples,
		    text_form(p->samples, "sample", "samples"), (unsigned long long)m.samples);
}

static void
read_record(struct recording *p, struct str bytes, uint64_t offset)
{
	struct protobuf walk;
	struct protobuf_field f;

	protobuf_init(&walk, p->reader, bytes, offset);
	while (protobuf_next(&walk, &f)) {
		if (f.wire != PROTOBUF_BYTES)
			continue;
		switch (f.number) {
		case RECORD_SAMPLE: read_sample(p, &walk, &f); break;
		case RECORD_LOST: read_lost(p, &walk, &f); break;
		case RECORD_FILE: read_file(p, &walk, &f); break;
		case RECORD_THREAD: read_thread(p, &walk, &f); break;
		case RECORD_META: read_meta(p, &walk, &f); break;
		}
	}
}

static struct sample_task
task_of(void *caller, uint64_t tid)
{
	struct recording *p = caller;
	const struct thread *t = intmap_get(&p->threads, tid);

	text_cut(&p->pid, 0);
	text_cut(&p->tid, 0);
	text_printf(&p->tid, "%llu", (unsigned long long)tid);
	if (t->pid != 0)
		text_printf(&p->pid, "%llu", (unsigned long long)t->pid);
	return (struct sample_task){.comm = str_of(t->name != NULL ? t->name : ""),
	    .pid = text_as_str(&p->pid),
	    .tid = text_as_str(&p->tid)};
}

static void
add_frame(void *caller, uint64_t number)
{
	struct recording *p = caller;
	struct place *place = &p->place[number];
	const struct file *file;
	struct str symbol = {0};
	struct frame f;

	if (!place->named) {
		file = intmap_get(&p->files, place->file);
		place->named = true;
		place->name = SAMPLE_MISSING;
		if (file != NULL && (place->symbol < 0 || (size_t)place->symbol < file->n)) {
			if (place->symbol >= 0)
				symbol = str_of(file->symbol[place->symbol]);
			f = simpleperf_frame(symbol, str_of(file->path != NULL ? file->path : ""),
			    place->vaddr, place->execution, &p->text);
			place->name = sample_name(p->reader->sampler, &f);
		}
	}
	sample_frame_named(p->reader->sampler, place->name);
}

/* Replaces the recording's event numbers by the sampler's; the first event is the default. */
static void
name_events(struct recording *p)
{
	struct sampler *s = p->reader->sampler;
	struct latestacks *l = &p->stacks;
	size_t kept = 0;

	for (size_t i = 0; i < p->nevent; i++) {
		uint32_t event =
		    sampler_event(s, str_of(p->event[i]), unit_of_event(str_of(p->event[i])));

		sampler_values(s, event, FOLDED_SAMPLED);
		if (i == 0)
			sampler_default(s, event);
	}
	for (size_t i = 0; i < l->nsample; i++) {
		struct latestacks_sample sample = l->sample[i];
		uint32_t n = sample.event & ~OFF_CPU;
		struct str name = str_of(n < p->nevent ? p->event[n] : "");

		if (!(sample.event & OFF_CPU))
			sample.event = sampler_event(s, name, unit_of_event(name));
		else if (p->trace_offcpu && str_starts(name, "sched:sched_switch"))
			sample.event = sampler_event(s, str_of("off-cpu"), str_of("ns"));
		else
			continue;
		l->sample[kept++] = sample;
	}
	l->nsample = kept;
}

static void
free_recording(struct recording *p)
{
	for (size_t i = 0; i < p->files.size; i++) {
		struct file *file = p->files.slot[i].value;

		for (size_t k = 0; file != NULL && k < file->n; k++)
			free(file->symbol[k]);
		if (file != NULL) {
			free(file->symbol);
			free(file->path);
		}
		free(file);
	}
	for (size_t i = 0; i < p->threads.size; i++) {
		struct thread *t = p->threads.slot[i].value;

		if (t != NULL)
			free(t->name);
		free(t);
	}
	for (size_t i = 0; i < p->nevent; i++)
		free(p->event[i]);
	free(p->files.slot);
	free(p->threads.slot);
	free(p->place);
	free(p->sample.chain.at);
	free(p->file.symbol.at);
	hash_index_free(&p->places);
	latestacks_free(&p->stacks);
	text_free(&p->text);
	text_free(&p->pid);
	text_free(&p->tid);
}

static void
read_input(struct reader *r)
{
	static const struct latestacks_names names = {task_of, add_frame};
	struct recording p = {.reader = r};
	struct bytestream b;
	const unsigned char *record;
	bool ok = true, ended = false;

	bytestream_init(&b, lines_source(r->lines));
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	latestacks_init(&p.stacks, r->sampler);
	record = bytestream_read(&b, HEAD);
	if (record != NULL)
		reader_version(
		    r, VERSION_SIMPLEPERF, record[HEAD - 2] | (unsigned)record[HEAD - 1] << 8, 0);
	for (uint32_t size; (size = bytestream_u32(&b, &ok)) != 0 && ok;) {
		uint64_t offset = b.offset;

		if ((record = bytestream_read(&b, size)) == NULL) {
			ok = false;
			break;
		}
		read_record(&p, (struct str){(const char *)record, size}, offset);
	}
	ended = ok;
	if (!ended)
		reader_malformed_byte(r, b.offset, "a truncated recording");
	name_events(&p);
	latestacks_give(&p.stacks, &names, &p);
	bytestream_free(&b);
	free_recording(&p);
}

static int
sniff(const char *data, size_t len)
{
	return text_starts(data, len, MAGIC) && len >= HEAD ? 100 : 0;
}

const struct format simpleperf_format = {
    .provides =
	DATA_TASK | DATA_MODULE | DATA_KIND | DATA_ADDRESS | DATA_TIMES | DATA_EVENT | DATA_COUNT,
    .single = true,
    .bytes = FORMAT_BINARY,
    .sniff = sniff,
    .read = read_input,
};
