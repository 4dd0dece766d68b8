/*
 * stacktable: names frames from the tables, from the location strings of a raw profile, or
 * from the symbol file, and builds stacks from them.
 */
#include "fg-collapse/firefox/profile.h"

#include "fg-collapse/shape/scan.h"
#include "sample/nodes.h"

#define LIBS 4096 /* limit of libs to search for an address of a raw profile */

static void
add_name(struct profile *p, const struct frame *f)
{
	json_indices_add(&p->names, sample_name(p->reader->sampler, f));
}

/* Splits `alpha (http://localhost/simple.js:1:14)` into function, file and line; any other
 * location is a function. */
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

/* Adds the names of an address from the symbol file; false if it has none. */
static bool
add_symbol(struct profile *p, const struct lib *l, uint64_t address, struct frame f)
{
	const struct syms_symbol *x = syms_find(p->syms, l->symbols, address);
	struct str outer;

	if (x == NULL)
		return false;
	outer = json_string_at(&p->syms->strings, x->name);
	for (uint32_t i = x->frames; i-- > 0;) { /* outermost first */
		const struct syms_frame *y = &p->syms->frame[x->first + i];

		f.function = json_string_at(&p->syms->strings, y->function);
		if (f.function.len == 0)
			f.function = outer;
		f.file = json_string_at(&p->syms->strings, y->file);
		f.line = y->line;
		f.inlined = i + 1 < x->frames;
		add_name(p, &f);
	}
	f.function = outer;
	if (x->frames == 0)
		add_name(p, &f);
	return true;
}

/* Kind of a frame by its category, as named by samply, perf's importer and fg-render. */
static enum frame_kind
kind_of(struct str category)
{
	return str_is(category, "Kernel")    ? FRAME_KERNEL
	       : str_is(category, "Library") ? FRAME_LIBRARY
	       : str_is(category, "JIT")     ? FRAME_JIT
	       : str_is(category, "Waker")   ? FRAME_WAKER
	       : str_is(category, "Script")  ? FRAME_SCRIPT
					     : FRAME_USER;
}

/* True if a frame's function and its name are in the tables. */
static bool
is_defined(const struct thread_tables *t, size_t i)
{
	const uint32_t func = json_index_at(&t->func, i);

	return t->func.n == 0 ? json_index_at(&t->location, i) < t->string.n
			      : func < t->name.n && t->name.at[func] < t->string.n;
}

static void
name_frame(struct profile *p, const struct thread *th, const struct thread_tables *t, size_t i)
{
	const struct process *libs = th->process < p->nprocess ? &p->process[th->process] : NULL;
	uint32_t func = json_index_at(&t->func, i), lib, source;
	struct json_number address = json_numbers_at(&t->address, i);
	struct frame f = {0};
	const struct lib *l = NULL;

	if (t->func.n == 0) { /* raw profile */
		split_location(json_string_at(&t->string, json_index_at(&t->location, i)), &f);
	} else {
		f.function = json_string_at(&t->string, json_index_at(&t->name, func));
		f.file = json_string_at(&t->string, json_index_at(&t->file, func));
		source = json_index_at(&t->source, func);
		if (source < t->source_file.n)
			f.file = json_string_at(&t->string, t->source_file.at[source]);
		f.line = json_index_at(&t->func_line, func);
		lib = t->frame_lib.n > 0
			  ? json_index_at(&t->frame_lib, i)
			  : json_index_at(&t->lib, json_index_at(&t->resource, func));
		if (libs != NULL && lib < libs->n)
			l = &p->lib[libs->first + lib];
	}
	if (json_index_at(&t->line, i) < JSON_BAD_INDEX)
		f.line = t->line.at[i];
	if (f.line >= JSON_BAD_INDEX)
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
	f.inlined = i < t->depth.n && t->depth.at[i] > 0 && t->depth.at[i] < JSON_BAD_INDEX;
	if (str_is(f.function, "(root)") ||
	    (l != NULL && f.has_address && add_symbol(p, l, f.address, f)))
		return;
	p->nameless += f.function.len == 0 && f.has_address;
	add_name(p, &f);
}

uint32_t
stack_of(const struct profile *p, uint32_t stack)
{
	return stack == JSON_NO_INDEX ? PREFIXTABLE_NONE
	       : stack < p->last.n    ? p->last.at[stack]
				      : PREFIXTABLE_BROKEN;
}

void
stacks_build(struct profile *p, const struct thread *th, const struct thread_tables *t)
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
		if (is_defined(t, i))
			name_frame(p, th, t, i);
		else
			json_indices_add(&p->names, SAMPLE_MISSING);
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
	prefixtable_free(&p->parents);
	prefixtable_init(&p->parents, p->reader->sampler);
	for (size_t i = 0; i < t->prefix.n; i++) {
		uint32_t frame = json_index_at(&t->frame, i), k = 0, to = 0;
		uint32_t parent = stack_of(p, t->prefix.at[i]);

		if (frame < p->end.n) {
			k = frame > 0 ? p->end.at[frame - 1] : 0;
			to = p->end.at[frame];
		} else {
			parent = PREFIXTABLE_BROKEN;
		}
		if (k == to)
			prefixtable_add(&p->parents, parent, 0);
		for (; k < to; k++)
			parent = prefixtable_add(&p->parents, parent, p->names.at[k]);
	}
	prefixtable_close(&p->parents);
}
