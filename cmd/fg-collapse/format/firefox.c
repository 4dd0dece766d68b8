/*
 * firefox: profiles of the Firefox Profiler and of what writes its format (samply): raw
 * from Gecko, tables of rows with a schema, and processed, tables of columns, of each
 * thread or shared:
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
 * Events are samples, or what their weightType says, and ms, the time until the next sample of
 * the thread. Addresses have
 * names where the profile, or a file of symbols beside it (shape/syms.h), says them.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/shape/jsonarray.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/parents.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/syms.h"

#define ROW 12 /* columns of rows that are looked at; as a place, none */
#define LIBS 4096 /* of a raw profile, which an address may be in */
#define PROCESSES 8 /* levels of profiles in profiles */

/* A table's columns by name, as arrays or as places in rows. */
struct column {
	const char *name;
	struct json_indices *index; /* one of these two */
	struct json_numbers *number;
	uint32_t place; /* if no schema says it; ROW for none */
	struct text *text; /* instead: it is no array but a text */
};

struct tables {
	struct json_strings string;
	struct json_indices prefix, frame; /* of stacks */
	struct json_indices location, func, line, depth, category; /* of frames */
	struct json_numbers address;
	struct json_indices name, resource, file, source, func_line; /* of functions */
	struct json_indices lib; /* of resources */
	struct json_indices source_file; /* of sources */
};

struct lib {
	struct text name, path, debug_name, id;
	uint64_t start, end; /* of a raw profile */
	const struct syms_module *symbols; /* NULL for none */
};

struct thread {
	struct text name, pid, tid, weight_type;
	struct tables own;
	struct json_indices stack; /* of samples */
	struct json_numbers time, delta, weight;
	uint32_t process;
};

struct process { /* its libs */
	size_t first, n;
};

struct profile {
	struct reader *reader;
	struct json *json;
	struct tables shared;
	struct json_strings category;
	struct thread *thread;
	size_t nthread, capthread;
	struct process *process;
	uint32_t nprocess, capprocess;
	struct lib *lib;
	size_t nlib, caplib;
	struct syms syms;
	bool symbols; /* there is a file of them */
	uint64_t nameless; /* frames that are addresses */

	/* Of the thread that is taken. */
	struct json_indices names,
	    end; /* of frames: their names in the tree, where those of each end */
	struct json_indices last; /* of stacks: the last of what it is made of */
	struct parents parents;
	bool built; /* of what threads share, for that process */
	uint32_t built_for;
};

static void
free_tables(struct tables *t)
{
	struct json_indices *all[] = {&t->prefix, &t->frame, &t->location, &t->func, &t->line,
	    &t->depth, &t->category, &t->name, &t->resource, &t->file, &t->source, &t->func_line,
	    &t->lib, &t->source_file};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		json_indices_free(all[i]);
	json_strings_free(&t->string);
	json_numbers_free(&t->address);
}

/* null is -1. */
static void
add_number(struct json *j, struct json_numbers *x)
{
	static const struct json_number none = {VALUE_ONE, true};
	struct json_number n;

	json_numbers_add(x, json_number(j, &n) ? n : none);
}

static void
add_index(struct json_indices *x, struct json_number n)
{
	bool good = !n.negative && n.v / VALUE_ONE < JSON_NO_INDEX;

	json_indices_add(x, good ? (uint32_t)(n.v / VALUE_ONE) : JSON_NO_INDEX);
}

/* Rows as columns of the same length. */
static void
read_rows(struct json *j, struct json_numbers cell[ROW])
{
	static const struct json_number none = {VALUE_ONE, true};
	size_t rows = 0;

	for (bool any = json_array(j); any && json_item(j); rows++) {
		size_t place = 0;

		for (bool more = json_array(j); more && json_item(j); place++) {
			if (place >= ROW) {
				json_skip(j);
				continue;
			}
			while (cell[place].n < rows)
				json_numbers_add(&cell[place], none);
			add_number(j, &cell[place]);
		}
	}
}

static void
read_schema(struct json *j, struct column *column, size_t n)
{
	struct str key;

	for (size_t i = 0; i < n; i++)
		column[i].place = ROW;
	for (bool any = json_object(j); any && json_key(j, &key);) {
		uint32_t place;

		if (!json_index(j, &place))
			continue;
		for (size_t i = 0; i < n; i++)
			if (str_is(key, column[i].name))
				column[i].place = place;
	}
}

/* A table's n columns, added to what there is of them. */
static void
read_table(struct json *j, struct column *column, size_t n)
{
	struct json_numbers cell[ROW] = {{0}};
	struct str key;

	for (bool any = json_object(j); any && json_key(j, &key);) {
		size_t i = 0;

		if (str_is(key, "schema")) {
			read_schema(j, column, n);
			continue;
		}
		if (str_is(key, "data")) {
			read_rows(j, cell);
			continue;
		}
		while (i < n && !str_is(key, column[i].name))
			i++;
		if (i < n && column[i].text != NULL)
			json_keep(j, column[i].text);
		else if (i == n || json_kind(j) != JSON_ARRAY)
			json_skip(j);
		else if (column[i].index != NULL)
			json_indices(j, column[i].index);
		else
			for (bool more = json_array(j); more && json_item(j);)
				add_number(j, column[i].number);
	}
	for (size_t i = 0; i < n; i++) {
		struct json_numbers *x = column[i].place < ROW ? &cell[column[i].place] : NULL;

		for (size_t row = 0; x != NULL && row < x->n; row++)
			if (column[i].index != NULL)
				add_index(column[i].index, json_numbers_at(x, row));
			else
				json_numbers_add(column[i].number, json_numbers_at(x, row));
	}
	for (size_t i = 0; i < ROW; i++)
		json_numbers_free(&cell[i]);
}

#define COLUMNS(c) (c), sizeof(c) / sizeof((c)[0])

/* A table that threads have or share; false when it is none. */
static bool
read_tables(struct json *j, struct str key, struct tables *t)
{
	struct column stacks[] = {
	    {"prefix", &t->prefix, NULL, 0, NULL}, {"frame", &t->frame, NULL, 1, NULL}};
	struct column frames[] = {{"location", &t->location, NULL, 0, NULL},
	    {"line", &t->line, NULL, 3, NULL}, {"func", &t->func, NULL, ROW, NULL},
	    {"address", NULL, &t->address, ROW, NULL}, {"inlineDepth", &t->depth, NULL, ROW, NULL},
	    {"category", &t->category, NULL, ROW, NULL}};
	struct column functions[] = {{"name", &t->name, NULL, ROW, NULL},
	    {"resource", &t->resource, NULL, ROW, NULL}, {"fileName", &t->file, NULL, ROW, NULL},
	    {"source", &t->source, NULL, ROW, NULL},
	    {"lineNumber", &t->func_line, NULL, ROW, NULL}};
	struct column resources[] = {{"lib", &t->lib, NULL, ROW, NULL}};
	struct column sources[] = {{"filename", &t->source_file, NULL, ROW, NULL}};

	if (str_is(key, "stackTable"))
		read_table(j, COLUMNS(stacks));
	else if (str_is(key, "frameTable"))
		read_table(j, COLUMNS(frames));
	else if (str_is(key, "funcTable"))
		read_table(j, COLUMNS(functions));
	else if (str_is(key, "resourceTable"))
		read_table(j, COLUMNS(resources));
	else if (str_is(key, "sources"))
		read_table(j, COLUMNS(sources));
	else if (str_is(key, "stringTable") || str_is(key, "stringArray"))
		json_strings(j, &t->string);
	else
		return false;
	return true;
}

static void
read_samples(struct json *j, struct thread *t)
{
	struct column columns[] = {{"stack", &t->stack, NULL, 0, NULL},
	    {"time", NULL, &t->time, 1, NULL}, {"timeDeltas", NULL, &t->delta, ROW, NULL},
	    {"weight", NULL, &t->weight, ROW, NULL},
	    {"weightType", NULL, NULL, ROW, &t->weight_type}};

	read_table(j, COLUMNS(columns));
}

static void
read_lib(struct profile *p)
{
	struct json *j = p->json;
	struct lib *l;
	struct str key;

	vec_fit(p->lib, p->caplib, p->nlib + 1);
	l = &p->lib[p->nlib++];
	*l = (struct lib){0};
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "name"))
			json_keep(j, &l->name);
		else if (str_is(key, "path"))
			json_keep(j, &l->path);
		else if (str_is(key, "debugName"))
			json_keep(j, &l->debug_name);
		else if (str_is(key, "breakpadId"))
			json_keep(j, &l->id);
		else if (str_is(key, "start"))
			json_whole(j, &l->start);
		else if (str_is(key, "end"))
			json_whole(j, &l->end);
		else
			json_skip(j);
}

/* Older threads have libs for themselves: then they are a process of their own. */
static uint32_t
read_libs(struct profile *p)
{
	size_t first = p->nlib;

	for (bool any = json_array(p->json); any && json_item(p->json);)
		read_lib(p);
	vec_fit(p->process, p->capprocess, (size_t)p->nprocess + 1);
	p->process[p->nprocess] = (struct process){first, p->nlib - first};
	return p->nprocess++;
}

static void
read_thread(struct profile *p)
{
	struct json *j = p->json;
	struct thread *t;
	struct str key;

	if (json_kind(j) == JSON_STRING) {
		json_skip(j);
		json_malformed(j, "a process as text in a profile of Firefox before 50");
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
			t->process = read_libs(p);
		else if (str_is(key, "samples"))
			read_samples(j, t);
		else if (!read_tables(j, key, &t->own))
			json_skip(j);
}

/* The names of categories, of which frames have numbers. */
static void
read_meta(struct profile *p)
{
	struct json *j = p->json;
	bool first = p->category.n == 0;
	struct str key, name;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (!str_is(key, "categories") || !first)
			json_skip(j);
		else
			for (bool more = json_array(j); more && json_item(j);)
				for (bool of = json_object(j); of && json_key(j, &key);)
					if (!str_is(key, "name"))
						json_skip(j);
					else if (json_text(j, &name))
						json_strings_add(&p->category, name);
}

/* Where a frame's code belongs, by its category: what samply, perf's importer and fg-render call
 * so.
 */
static enum frame_kind
kind_of(struct str category)
{
	return str_is(category, "Kernel")    ? FRAME_KERNEL
	       : str_is(category, "Library") ? FRAME_LIBRARY
	       : str_is(category, "JIT")     ? FRAME_JIT
	       : str_is(category, "Waker")   ? FRAME_WAKER
					     : FRAME_USER;
}

static void
read_profile(struct profile *p, unsigned depth)
{
	struct json *j = p->json;
	size_t first = p->nthread;
	uint32_t process = UINT32_MAX;
	struct str key;

	if (depth == PROCESSES) {
		json_skip(j);
		json_malformed(j, "processes in processes");
		return;
	}
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "threads")) {
			for (bool more = json_array(j); more && json_item(j);)
				read_thread(p);
		} else if (str_is(key, "processes")) {
			for (bool more = json_array(j); more && json_item(j);)
				read_profile(p, depth + 1);
		} else if (str_is(key, "meta")) {
			read_meta(p);
		} else if (str_is(key, "libs")) {
			process = read_libs(p);
		} else if (str_is(key, "shared")) {
			for (bool more = json_object(j); more && json_key(j, &key);)
				if (!read_tables(j, key, &p->shared))
					json_skip(j);
		} else if (str_is(key, "profile")) { /* saved by the developer tools */
			read_profile(p, depth + 1);
		} else {
			json_skip(j);
		}
	for (size_t i = first; i < p->nthread; i++)
		if (p->thread[i].process == UINT32_MAX)
			p->thread[i].process = process;
}

static const struct json_indices *
own_or(const struct json_indices *own, const struct json_indices *shared)
{
	return own->n > 0 ? own : shared;
}

/* What a thread's tables are, its own or those that all share. */
static struct tables
tables_of(const struct profile *p, const struct thread *t)
{
	const struct tables *o = &t->own, *s = &p->shared;
	struct tables all = o->prefix.n > 0 ? *o : *s;
	const struct tables *frames = o->func.n + o->location.n > 0 ? o : s;
	const struct tables *functions = o->name.n > 0 ? o : s;

	all.string = o->string.n > 0 ? o->string : s->string;
	all.location = frames->location;
	all.func = frames->func;
	all.line = frames->line;
	all.depth = frames->depth;
	all.category = frames->category;
	all.address = frames->address;
	all.name = functions->name;
	all.resource = functions->resource;
	all.file = functions->file;
	all.source = functions->source;
	all.func_line = functions->func_line;
	all.lib = *own_or(&o->lib, &s->lib);
	all.source_file = *own_or(&o->source_file, &s->source_file);
	return all;
}

static void
add_name(struct profile *p, const struct frame *f)
{
	json_indices_add(&p->names, sample_name(p->reader->sampler, f));
}

/* `alpha (http://localhost/simple.js:1:14)`: function, file, line; other places are functions. */
static void
split_location(struct str s, struct frame *f)
{
	size_t open = str_find(s, " (");
	unsigned long line = 0, scale = 1;
	struct str file;

	f->function = s;
	if (!str_ends(s, ")") || open == 0 || open == s.len)
		return;
	f->function.len = open;
	file = (struct str){s.s + open + 2, s.len - open - 3};
	for (int part = 0; part < 2; part++) {
		size_t at = file.len;

		for (line = 0, scale = 1; at > 0 && file.s[at - 1] >= '0' && file.s[at - 1] <= '9';
		     at--, scale *= 10)
			if (scale < 1000000000)
				line += (unsigned long)(file.s[at - 1] - '0') * scale;
		if (at == file.len || at < 2 || file.s[at - 1] != ':')
			break;
		file.len = at - 1;
		f->line = (unsigned)line;
	}
	f->file = file;
}

static bool
is_address(struct str s, uint64_t *address)
{
	return scan_hex(&s, address) && s.len == 0;
}

/* The names of an address by the file of symbols; false where it has none. */
static bool
add_symbol(struct profile *p, const struct lib *l, uint64_t address, struct frame f)
{
	const struct syms_symbol *x = syms_find(&p->syms, l->symbols, address);
	struct str outer;

	if (x == NULL)
		return false;
	outer = json_string_at(&p->syms.strings, x->name);
	for (uint32_t i = x->frames; i-- > 0;) { /* the outermost first */
		const struct syms_frame *y = &p->syms.frame[x->first + i];

		f.function = json_string_at(&p->syms.strings, y->function);
		if (f.function.len == 0)
			f.function = outer;
		f.file = json_string_at(&p->syms.strings, y->file);
		f.line = y->line;
		f.inlined = i + 1 < x->frames;
		add_name(p, &f);
	}
	f.function = outer;
	if (x->frames == 0)
		add_name(p, &f);
	return true;
}

static void
name_frame(struct profile *p, const struct thread *th, const struct tables *t, size_t i)
{
	const struct process *libs = th->process < p->nprocess ? &p->process[th->process] : NULL;
	uint32_t func = json_index_at(&t->func, i), lib, source;
	struct json_number address = json_numbers_at(&t->address, i);
	struct frame f = {0};
	const struct lib *l = NULL;

	if (t->func.n == 0) { /* raw */
		split_location(json_string_at(&t->string, json_index_at(&t->location, i)), &f);
	} else {
		f.function = json_string_at(&t->string, json_index_at(&t->name, func));
		f.file = json_string_at(&t->string, json_index_at(&t->file, func));
		source = json_index_at(&t->source, func);
		if (source < t->source_file.n)
			f.file = json_string_at(&t->string, t->source_file.at[source]);
		f.line = json_index_at(&t->func_line, func);
		lib = json_index_at(&t->lib, json_index_at(&t->resource, func));
		if (libs != NULL && lib < libs->n)
			l = &p->lib[libs->first + lib];
	}
	if (json_index_at(&t->line, i) != JSON_NO_INDEX)
		f.line = t->line.at[i];
	if (f.line == JSON_NO_INDEX)
		f.line = 0;
	if (is_address(f.function, &f.address)) {
		f.function.len = 0;
		f.has_address = true;
	}
	if (i < t->address.n && !address.negative && address.v / VALUE_ONE <= UINT64_MAX) {
		f.address = (uint64_t)(address.v / VALUE_ONE);
		f.has_address = true;
	}
	for (size_t k = 0;
	     t->func.n == 0 && libs != NULL && f.has_address && k < libs->n && k < LIBS; k++)
		if (p->lib[libs->first + k].start <= f.address &&
		    f.address < p->lib[libs->first + k].end) {
			l = &p->lib[libs->first + k];
			f.address -= l->start;
			break;
		}
	if (l != NULL)
		f.module = text_as_str(l->path.len > 0 ? &l->path : &l->name);
	f.kind = frame_kind_of(f.module);
	if (f.kind == FRAME_USER)
		f.kind = kind_of(json_string_at(&p->category, json_index_at(&t->category, i)));
	f.inlined = i < t->depth.n && t->depth.at[i] > 0 && t->depth.at[i] != JSON_NO_INDEX;
	if (str_is(f.function, "(root)") ||
	    (l != NULL && f.has_address && add_symbol(p, l, f.address, f)))
		return;
	p->nameless += f.function.len == 0 && f.has_address;
	add_name(p, &f);
}

/* The stacks of a thread: a frame may be several where functions are inlined, or none. */
static void
build_stacks(struct profile *p, const struct thread *th, const struct tables *t)
{
	size_t frames = t->func.n > 0 ? t->func.n : t->location.n, n = 0;
	bool shared =
	    th->own.prefix.n + th->own.func.n + th->own.location.n + th->own.string.n == 0;

	if (shared && p->built && p->built_for == th->process)
		return;
	p->built = shared;
	p->built_for = th->process;
	p->names.n = p->end.n = p->last.n = 0;
	for (size_t i = 0; i < frames; i++) {
		name_frame(p, th, t, i);
		json_indices_add(&p->end, (uint32_t)p->names.n);
	}
	for (size_t i = 0; i < t->prefix.n; i++) {
		uint32_t frame = json_index_at(&t->frame, i);
		size_t names = 1;

		if (frame < p->end.n)
			names = p->end.at[frame] - (frame > 0 ? p->end.at[frame - 1] : 0);
		n += names > 0 ? names : 1;
		json_indices_add(&p->last, (uint32_t)(n - 1));
	}
	parents_free(&p->parents);
	parents_init(&p->parents, p->reader->sampler);
	for (size_t i = 0; i < t->prefix.n; i++) {
		uint32_t frame = json_index_at(&t->frame, i), k = 0, to = 0;
		uint32_t parent = json_index_at(&p->last, t->prefix.at[i]);

		if (frame < p->end.n) {
			k = frame > 0 ? p->end.at[frame - 1] : 0;
			to = p->end.at[frame];
		}
		if (k == to)
			parents_add(&p->parents, parent, 0);
		for (; k < to; k++)
			parent = parents_add(&p->parents, parent, p->names.at[k]);
	}
}

static void
take_thread(struct profile *p, const struct thread *t)
{
	struct sampler *s = p->reader->sampler;
	struct tables tables = tables_of(p, t);
	struct sample_task task = {
	    text_as_str(&t->name), text_as_str(&t->pid), text_as_str(&t->tid)};
	struct str type = text_as_str(&t->weight_type);
	uint32_t event = str_is(type, "tracing-ms") ? sampler_event(s, str_of("time"), str_of("ms"))
			 : str_is(type, "bytes")
			     ? sampler_event(s, type, type)
			     : sampler_event(s, str_of("samples"), str_of("samples"));
	struct sample_weight w[] = {{event, 0}, {sampler_event(s, str_of("ms"), str_of("ms")), 0}};
	struct json_number now = {0};

	build_stacks(p, t, &tables);
	for (size_t i = 0; i < t->stack.n; i++) {
		struct json_number next = json_numbers_at(&t->time, i + 1), weight;

		if (t->delta.n > 0) {
			struct json_number d = json_numbers_at(&t->delta, i);

			now.v = value_sum(now.v, d.negative ? 0 : d.v);
			d = json_numbers_at(&t->delta, i + 1);
			next = (struct json_number){value_sum(now.v, d.negative ? 0 : d.v), false};
		} else {
			now = json_numbers_at(&t->time, i);
		}
		weight = json_numbers_at(&t->weight, i);
		w[0].weight = i < t->weight.n && !weight.negative ? weight.v : VALUE_ONE;
		w[1].weight = 0;
		if (i + 1 < t->stack.n && !now.negative && !next.negative && next.v > now.v)
			w[1].weight = next.v - now.v;
		parents_sample(&p->parents, &task, json_index_at(&p->last, t->stack.at[i]), w, 2,
		    json_ns(now, 1000000));
	}
	if (p->parents.cyclic > 0)
		json_malformed(p->json, "the callers of a stack below itself");
}

static void
free_profile(struct profile *p)
{
	for (size_t i = 0; i < p->nthread; i++) {
		struct thread *t = &p->thread[i];

		text_free(&t->name);
		text_free(&t->pid);
		text_free(&t->tid);
		text_free(&t->weight_type);
		free_tables(&t->own);
		json_indices_free(&t->stack);
		json_numbers_free(&t->time);
		json_numbers_free(&t->delta);
		json_numbers_free(&t->weight);
	}
	for (size_t i = 0; i < p->nlib; i++) {
		text_free(&p->lib[i].name);
		text_free(&p->lib[i].path);
		text_free(&p->lib[i].debug_name);
		text_free(&p->lib[i].id);
	}
	free_tables(&p->shared);
	json_strings_free(&p->category);
	syms_free(&p->syms);
	json_indices_free(&p->names);
	json_indices_free(&p->end);
	json_indices_free(&p->last);
	parents_free(&p->parents);
	free(p->thread);
	free(p->process);
	free(p->lib);
	json_close(p->json);
}

static void
read_input(struct reader *r)
{
	struct profile p = {.reader = r, .json = json_open(r)};

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	parents_init(&p.parents, r->sampler);
	while (json_kind(p.json) != JSON_NOTHING)
		read_profile(&p, 0);
	p.symbols = syms_read(&p.syms, r);
	for (size_t i = 0; i < p.nlib; i++)
		p.lib[i].symbols = syms_module(
		    &p.syms, text_as_str(&p.lib[i].debug_name), text_as_str(&p.lib[i].id));
	for (size_t i = 0; i < p.nthread; i++)
		take_thread(&p, &p.thread[i]);
	if (p.nameless > 0)
		cli_note("%s: %llu frames are addresses without names%s", lines_name(r->lines),
		    (unsigned long long)p.nameless,
		    p.symbols
			? ""
			: ": samply record --unstable-presymbolicate keeps names in a file beside the profile");
	free_profile(&p);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {"meta.preprocessedProfileVersion", "meta.stackwalk",
	    "meta.processType", "profile.meta.processType", "threads.*.stackTable",
	    "threads.*.frameTable", "profile.meta.version", "profile.libs.*.breakpadId",
	    "libs.*.breakpadId", "meta.interval", "configuration.sampleFrequency", "fileType",
	    "allocations.sites", "shared.stringArray", "threads.*.samples.stack"};

	return json_find(data, len, path, 15) != 0 ? 97 : 0;
}

const struct format firefox_format = {
    .name = "firefox",
    .description = "profiles of the Firefox Profiler, raw or processed, and of samply",
    .origin = "samply record --save-only --unstable-presymbolicate -o p.json ./app",
    .sniff = sniff,
    .read = read_input,
};
