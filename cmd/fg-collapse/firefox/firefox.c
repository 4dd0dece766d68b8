/*
 * firefox: profiles of the Firefox Profiler and of other programs with its format
 * (samply): raw ones by Gecko have tables of rows with a schema; processed ones have
 * tables of columns, per thread or shared:
 *
 *	{"meta": {...}, "libs": [...], "threads": [{"name": "GeckoMain", "pid": 7, "tid": 8,
 *	  "samples": {"schema": {"stack": 0, "time": 1}, "data": [[3, 0.6]]},
 *	  "stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 0], [0, 1]]},
 *	  "frameTable": {"schema": {"location": 0}, "data": [[0], [1]]},
 *	  "stringTable": ["(root)", "f (http://localhost/a.js:7)"]}], "processes": [...]}
 *
 *	{"meta": {...}, "libs": [...], "threads": [{...,
 *	  "samples": {"stack": [1], "time": [0.6], "weight": null},
 *	  "stackTable": {"prefix": [null, 0], "frame": [0, 1]},
 *	  "frameTable": {"func": [0, 1], "address": [-1, 3972], "line": [null, 7]},
 *	  "funcTable": {"name": [0, 1], "resource": [-1, 0], "fileName": [null, 2]},
 *	  "resourceTable": {"lib": [0]}, "stringArray": [...]}]}
 *
 * Events are samples (or the weightType), ms (the time until the thread's next sample),
 * cpu (the CPU time since its previous sample) and allocations. Addresses are symbolized
 * by the profile or by a symbol file next to it (shape/syms.h).
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/text.h"
#include "base/vec.h"
#include "fg-collapse/firefox/profile.h"
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/sample.h"

#define PROCESSES 8 /* nesting limit of profiles */

static const struct json_field lib_fields[] = {
    JSON_FIELD("name", TEXT, struct lib, name),
    JSON_FIELD("path", TEXT, struct lib, path),
    JSON_FIELD("debugName", TEXT, struct lib, debug_name),
    JSON_FIELD("breakpadId", TEXT, struct lib, id),
    JSON_FIELD("start", WHOLE, struct lib, start),
    JSON_FIELD("end", WHOLE, struct lib, end),
};

/* Reads libs as those of a new process: a thread's own ones, in old profiles, apply only to it. */
static uint32_t
read_libs(struct profile *p, struct json *j)
{
	size_t first = p->nlib;

	if (json_kind(j) != JSON_ARRAY)
		json_skip(j); /* before Firefox 50 a string */
	else
		for (bool any = json_array(j); any && json_item(j);) {
			vec_fit(p->lib, p->caplib, p->nlib + 1);
			p->lib[p->nlib] = (struct lib){0};
			json_fields(j, lib_fields, &p->lib[p->nlib]);
			if (p->lib[p->nlib].name.len == 0 && p->lib[p->nlib].path.len == 0)
				json_malformed(j, "a library without a name");
			p->nlib++;
		}
	vec_fit(p->process, p->capprocess, (size_t)p->nprocess + 1);
	p->process[p->nprocess] = (struct process){first, p->nlib - first};
	return p->nprocess++;
}

static void
read_thread(struct json *j, void *to)
{
	struct profile *p = to;
	struct thread *t;
	struct str key;
	bool sampled = false;

	if (json_kind(j) == JSON_STRING) {
		json_skip(j);
		json_malformed(j, "a process as text, as Firefox before 50 wrote it");
		return;
	}
	vec_fit(p->thread, p->capthread, p->nthread + 1);
	t = &p->thread[p->nthread++];
	*t = (struct thread){.process = UINT32_MAX};
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "name"))
			json_keep(j, &t->name);
		else if (str_is(key, "pid"))
			json_keep(j, &t->pid);
		else if (str_is(key, "tid"))
			json_keep(j, &t->tid);
		else if (str_is(key, "libs"))
			t->process = read_libs(p, j);
		else if (str_is(key, "samples")) {
			thread_samples_read(j, &t->samples);
			sampled = true;
		} else if (str_is(key, "nativeAllocations"))
			thread_samples_read(j, &t->native);
		else if (str_is(key, "jsAllocations"))
			thread_samples_read(j, &t->js);
		else if (!thread_tables_read(j, key, &t->own))
			json_skip(j);
	if (!sampled)
		json_malformed(j, "a thread without its samples");
}

static void
read_category_name(struct json *j, void *to)
{
	struct profile *p = to;
	struct str name;

	if (json_text(j, &name))
		json_strings_add(&p->category, name);
}

/* Reads the names of categories, to which frames refer by index. */
static void
read_categories(struct json *j, void *to)
{
	static const struct json_field fields[] = {JSON_READ("name", read_category_name)};
	struct profile *p = to;

	if (p->category.n > 0)
		json_skip(j);
	else
		for (bool any = json_array(j); any && json_item(j);)
			json_fields(j, fields, p);
}

static void
read_importer(struct json *j, void *to)
{
	struct profile *p = to;
	struct str name;

	p->exported = json_text(j, &name) && str_is(name, "fg-render");
}

static void
read_profile_libs(struct json *j, void *to)
{
	struct profile *p = to;

	p->libs = read_libs(p, j);
}

static void
read_shared(struct json *j, void *to)
{
	struct profile *p = to;
	struct str key;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (!thread_tables_read(j, key, &p->shared))
			json_skip(j);
}

static void
read_profile(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_FIELD("meta.sampleUnits.threadCPUDelta", TEXT, struct profile, cpu_unit),
	    JSON_FIELD("meta.preprocessedProfileVersion", WHOLE, struct profile, version),
	    JSON_FIELD("meta.version", WHOLE, struct profile, gecko_version),
	    JSON_READ("meta.importedFrom", read_importer),
	    JSON_READ("meta.categories", read_categories), JSON_READ("libs", read_profile_libs),
	    JSON_READ("shared", read_shared), JSON_EACH("threads", read_thread),
	    JSON_EACH("processes", read_profile),
	    JSON_READ("profile", read_profile), /* saved by the developer tools */
	};
	struct profile *p = to;
	const size_t first = p->nthread;
	const uint32_t outer = p->libs;

	if (p->depth == PROCESSES) {
		json_skip(j);
		json_malformed(j, "processes nested in processes");
		return;
	}
	p->depth++;
	p->libs = UINT32_MAX;
	json_fields(j, fields, p);
	for (size_t i = first; i < p->nthread; i++)
		if (p->thread[i].process == UINT32_MAX)
			p->thread[i].process = p->libs;
	p->libs = outer;
	p->depth--;
}

/* Event of samples with this weightType. */
static uint32_t
event_of(struct sampler *s, struct str type)
{
	uint32_t event;

	if (str_is(type, "tracing-ms"))
		return sampler_event(s, str_of("time"), str_of("ms"));
	if (str_is(type, "bytes"))
		return sampler_event(s, type, type);
	event = sampler_event(s, str_of("samples"), str_of("samples"));
	sampler_values(s, event, FOLDED_SAMPLED);
	return event;
}

/* Event of the CPU time since the previous sample. */
static uint32_t
cpu_event(struct profile *p)
{
	struct str unit = text_as_str(&p->cpu_unit);

	if (str_is(unit, "\302\265s"))
		unit = str_of("us");
	else if (!str_is(unit, "ns") && !str_is(unit, "us"))
		unit = str_of("cycles");
	return sampler_event(p->reader->sampler, str_of("cpu"), unit);
}

/* Takes samples with their weight, CPU time and, unless fg-render wrote them, the time until
 * the next one. */
static void
pass_samples(struct profile *p, const struct thread_samples *t)
{
	struct sampler *s = p->reader->sampler;
	struct sample_weight w[] = {{event_of(s, text_as_str(&t->weight_type)), 0}, {0, 0}, {0, 0}};
	const unsigned ms = p->exported ? 0 : 1, used = t->cpu.n > 0 ? ms + 1 : 0;
	const unsigned n = 1 + ms + (used > 0);
	struct json_number now = {0};

	if (ms > 0)
		w[ms].event = sampler_event(s, str_of("ms"), str_of("ms"));
	if (used > 0)
		w[used].event = cpu_event(p);
	for (size_t i = 0; i < t->stack.n; i++) {
		struct json_number next = json_numbers_at(&t->time, i + 1), weight;
		struct json_number cpu = json_numbers_at(&t->cpu, i);

		if (t->delta.n > 0) {
			struct json_number d = json_numbers_at(&t->delta, i);

			now.v = value_sum(now.v, d.negative ? 0 : d.v);
			d = json_numbers_at(&t->delta, i + 1);
			next = (struct json_number){value_sum(now.v, d.negative ? 0 : d.v), false};
		} else {
			now = json_numbers_at(&t->time, i);
		}
		weight = json_numbers_at(&t->weight, i);
		w[0].weight = i >= t->weight.n ? VALUE_ONE : weight.negative ? 0 : weight.v;
		if (ms > 0)
			w[ms].weight =
			    i + 1 < t->stack.n && !now.negative && !next.negative && next.v > now.v
				? next.v - now.v
				: 0;
		if (used > 0) /* the first sample has no previous one */
			w[used].weight = i == 0 || cpu.negative ? 0 : cpu.v;
		prefixtable_sample(
		    &p->parents, stack_of(p, t->stack.at[i]), w, n, json_ns(now, 1000000));
	}
}

/* Takes allocations; frees are negative. */
static void
pass_allocations(struct profile *p, const struct thread_samples *t, const char *event)
{
	struct sample_weight w = {0, 0};

	if (t->stack.n == 0)
		return;
	w.event = sampler_event(p->reader->sampler, str_of(event), str_of("bytes"));
	sampler_period(p->reader->sampler, w.event, 0, NULL);
	for (size_t i = 0; i < t->stack.n; i++) {
		struct json_number weight = json_numbers_at(&t->weight, i);

		w.weight = weight.v;
		if (!weight.negative)
			prefixtable_sample(&p->parents, stack_of(p, t->stack.at[i]), &w, 1,
			    json_ns(json_numbers_at(&t->time, i), 1000000));
	}
}

static void
pass_thread(struct profile *p, const struct thread *t)
{
	struct thread_tables tables = thread_tables_of(&t->own, &p->shared);
	struct sample_task task = {.comm = text_as_str(&t->name),
	    .pid = text_as_str(&t->pid),
	    .tid = text_as_str(&t->tid)};

	stacks_build(p, t, &tables);
	prefixtable_task(&p->parents, &task);
	pass_samples(p, &t->samples);
	pass_allocations(p, &t->native, "native-allocations");
	pass_allocations(p, &t->js, "js-allocations");
}

static void
free_profile(struct profile *p)
{
	for (size_t i = 0; i < p->nthread; i++) {
		struct thread *t = &p->thread[i];

		text_free(&t->name);
		text_free(&t->pid);
		text_free(&t->tid);
		thread_tables_free(&t->own);
		thread_samples_free(&t->samples);
		thread_samples_free(&t->native);
		thread_samples_free(&t->js);
	}
	for (size_t i = 0; i < p->nlib; i++)
		json_fields_free(lib_fields, &p->lib[i]);
	thread_tables_free(&p->shared);
	json_strings_free(&p->category);
	text_free(&p->cpu_unit);
	json_indices_free(&p->names);
	json_indices_free(&p->end);
	json_indices_free(&p->last);
	prefixtable_free(&p->parents);
	free(p->thread);
	free(p->process);
	free(p->lib);
}

/* Reads a document. symbols: a symbol file was found. */
static void
read_document(struct reader *r, struct json *j, const struct syms *syms, bool symbols)
{
	struct profile p = {.reader = r, .syms = syms};

	prefixtable_init(&p.parents, r->sampler);
	read_profile(j, &p);
	if (p.version > 0)
		reader_version(r, VERSION_FIREFOX, p.version, 0);
	else
		reader_version(r, VERSION_GECKO, p.gecko_version, 0);
	for (size_t i = 0; i < p.nlib; i++)
		p.lib[i].symbols =
		    syms_module(syms, text_as_str(&p.lib[i].debug_name), text_as_str(&p.lib[i].id));
	for (size_t i = 0; i < p.nthread; i++)
		pass_thread(&p, &p.thread[i]);
	if (p.nameless > 0)
		cli_note("%s: %llu %s%s", lines_name(r->lines), (unsigned long long)p.nameless,
		    text_form(p.nameless, "frame is an unsymbolized address",
			"frames are unsymbolized addresses"),
		    symbols ? ""
			    : ": samply record --unstable-presymbolicate writes names to a file "
			      "beside the profile");
	free_profile(&p);
}

static void
read_input(struct reader *r)
{
	struct json *j = json_open(r);
	struct syms syms = {0};
	bool symbols = syms_read(&syms, r);

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	while (json_kind(j) != JSON_NOTHING)
		read_document(r, j, &syms, symbols);
	syms_free(&syms);
	json_close(j);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {"meta.preprocessedProfileVersion", "meta.stackwalk",
	    "meta.processType", "profile.meta.processType", "threads.*.stackTable",
	    "threads.*.frameTable", "profile.meta.version", "profile.libs.*.breakpadId",
	    "libs.*.breakpadId", "meta.interval", "configuration.sampleFrequency", "fileType",
	    "allocations.sites", "shared.stringArray", "threads.*.samples.stack"};

	return json_find(data, len, path) != 0 ? 97 : 0;
}

const struct format firefox_format = {
    .provides = DATA_TASK | DATA_CODE | DATA_TIMES | DATA_EVENT | DATA_COUNT,
    .single = true,
    .sniff = sniff,
    .read = read_input,
};
