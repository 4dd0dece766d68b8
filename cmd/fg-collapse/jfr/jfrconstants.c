#include "fg-collapse/jfr/jfrconstants.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/jfr/jfrevent.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "sample/nodes.h"

static void
forget(struct jfr_constants *j)
{
	free(j->stack.slot);
	free(j->method.slot);
	j->stack = j->method = (struct intmap){0};
	j->nmade = j->nname = 0;
}

void
jfr_constants_begin(struct jfr_constants *j, struct reader *r, const struct jfr_chunk *chunk)
{
	forget(j);
	j->reader = r;
	j->chunk = chunk;
	j->traces = jfr_type_named(chunk, "jdk.types.StackTrace");
	j->frames = jfr_type_named(chunk, "jdk.types.StackFrame");
	j->methods = jfr_type_named(chunk, "jdk.types.Method");
	j->classes = jfr_type_named(chunk, "java.lang.Class");
	j->threads = jfr_type_named(chunk, "java.lang.Thread");
	j->kinds = jfr_type_named(chunk, "jdk.types.FrameType");
}

void
jfr_constants_free(struct jfr_constants *j)
{
	forget(j);
	free(j->made);
	free(j->name);
	text_free(&j->thread);
	text_free(&j->tid);
	text_free(&j->class);
	text_free(&j->function);
	text_free(&j->kind);
	text_free(&j->scratch);
}

void
jfr_constants_read(
    struct jfr_constants *j, struct jfr_cursor *c, const struct jfr_field *f, struct text *t)
{
	struct jfr_cursor at;
	struct jfr_field own;
	struct str s;

	text_cut(t, 0);
	if (f->constant) {
		const struct jfr_type *type = jfr_type(j->chunk, f->type);
		uint64_t n = jfr_number(j->chunk, c, f);

		if (!jfr_constant(j->chunk, type, n, &at))
			return;
		c = &at;
		own = (struct jfr_field){.type = type->number};
		f = &own;
		if (!type->primitive) { /* jdk.types.Symbol: its only field */
			if (type->nfield == 0 || type->field[0].constant)
				return;
			f = &type->field[0];
		}
	}
	s = jfr_text(j->chunk, c, f, &j->scratch);
	text_str(t, s);
}

void
jfr_constants_text(struct jfr_constants *j, const struct jfr_type *type, uint64_t number,
    const char *field, struct text *t)
{
	struct jfr_cursor at;

	text_cut(t, 0);
	if (!jfr_constant(j->chunk, type, number, &at))
		return;
	for (size_t i = 0; i < type->nfield && !at.in.bad; i++) {
		if (str_is(type->field[i].name, field)) {
			jfr_constants_read(j, &at, &type->field[i], t);
			return;
		}
		jfr_skip(j->chunk, &at, &type->field[i]);
	}
}

/*
 * Reads a method: its class and name into j->class, `java.util.Map.get`, or its name into
 * j->function if it has no class. False for hidden methods that Java generates, such as
 * those of lambdas.
 */
static bool
read_method(struct jfr_constants *j, uint64_t number)
{
	struct jfr_cursor at;
	const struct jfr_type *type = j->methods;
	uint64_t hidden = 0;

	text_cut(&j->class, 0);
	text_cut(&j->function, 0);
	if (!jfr_constant(j->chunk, type, number, &at))
		return true;
	for (size_t i = 0; i < type->nfield && !at.in.bad; i++) {
		const struct jfr_field *f = &type->field[i];

		if (str_is(f->name, "hidden"))
			hidden = jfr_number(j->chunk, &at, f);
		else if (str_is(f->name, "type"))
			jfr_constants_text(
			    j, j->classes, jfr_number(j->chunk, &at, f), "name", &j->class);
		else if (str_is(f->name, "name"))
			jfr_constants_read(j, &at, f, &j->function);
		else
			jfr_skip(j->chunk, &at, f);
	}
	for (size_t i = 0; i < j->class.len; i++)
		if (j->class.s[i] == '/')
			j->class.s[i] = '.';
	if (j->class.len > 0) {
		text_char(&j->class, '.');
		text_str(&j->class, text_as_str(&j->function));
	}
	return hidden == 0;
}

/* The outermost class, in place of the file name, which is not recorded: `Shop` of
 * `app.Shop$Cart.add`. */
static struct str
outer_class(struct str method, size_t function)
{
	struct str class = {method.s, method.len - function - 1};

	class = str_from(
	    class, str_find_last(class, ".") < class.len ? str_find_last(class, ".") + 1 : 0);
	class.len = str_find(class, "$") > 0 ? str_find(class, "$") : class.len;
	return class;
}

#define HIDDEN UINT32_MAX /* not a name: skip the frame */

static uint32_t
frame_name(struct jfr_constants *j, uint64_t method, unsigned line, uint64_t kind)
{
	bool plain = !j->reader->sampler->options->style.source;
	struct frame f = {.line = line};
	void **known = plain ? intmap_at(&j->method, method) : NULL;
	uint32_t name = HIDDEN;

	if (plain && *known != NULL)
		return (uint32_t)((uintptr_t)*known - 1);
	if (!read_method(j, method))
		goto known;
	jfr_constants_text(j, j->kinds, kind, "description", &j->kind);
	if (j->class.len > 0) {
		f.function = text_as_str(&j->class);
		f.file = outer_class(text_as_str(&j->class), j->function.len);
	} else { /* not a Java method: a demangled native name */
		text_cut(&j->scratch, 0);
		plainname_add(&j->scratch, text_as_str(&j->function), false);
		f.function = text_as_str(&j->scratch);
	}
	if (str_is(text_as_str(&j->kind), "Kernel"))
		f.kind = FRAME_KERNEL;
	name = sample_name(j->reader->sampler, &f);
known:
	if (plain)
		*intmap_at(&j->method, method) = (void *)((uintptr_t)name + 1);
	return name;
}

bool
jfr_constants_method(struct jfr_constants *j, uint64_t number, uint32_t *name)
{
	*name = frame_name(j, number, 0, 0);
	return *name != HIDDEN;
}

/* Reads a jdk.types.StackFrame. */
static void
read_frame(struct jfr_constants *j, struct jfr_cursor *c)
{
	uint64_t method = 0, line = 0, kind = 0;
	uint32_t name;

	for (size_t i = 0; i < j->frames->nfield && !c->in.bad; i++) {
		const struct jfr_field *f = &j->frames->field[i];

		if (str_is(f->name, "method"))
			method = jfr_number(j->chunk, c, f);
		else if (str_is(f->name, "lineNumber"))
			line = jfr_number(j->chunk, c, f);
		else if (str_is(f->name, "type"))
			kind = jfr_number(j->chunk, c, f);
		else
			jfr_skip(j->chunk, c, f);
	}
	if (c->in.bad)
		return;
	name = frame_name(j, method, line <= INT32_MAX ? (unsigned)line : 0, kind);
	if (name == HIDDEN)
		return;
	vec_fit(j->name, j->capname, j->nname + 1);
	j->name[j->nname++] = name;
}

const struct jfr_stack *
jfr_constants_stack(struct jfr_constants *j, uint64_t number)
{
	void **known = intmap_at(&j->stack, number);
	struct jfr_stack m = {.first = (uint32_t)j->nname};
	struct jfr_cursor at;

	if (*known != NULL)
		return &j->made[(uintptr_t)*known - 1];
	if (j->frames == NULL || !jfr_constant(j->chunk, j->traces, number, &at))
		return NULL;
	for (size_t i = 0; i < j->traces->nfield && !at.in.bad; i++) {
		const struct jfr_field *f = &j->traces->field[i];

		if (str_is(f->name, "frames") && f->array && !f->constant &&
		    f->type == j->frames->number && j->frames->nfield > 0) {
			for (uint64_t n = jfr_int(&at); n > 0 && !at.in.bad; n--)
				read_frame(j, &at);
		} else {
			jfr_skip(j->chunk, &at, f);
		}
	}
	m.n = (uint32_t)j->nname - m.first;
	vec_fit(j->made, j->capmade, j->nmade + 1);
	j->made[j->nmade++] = m;
	*known = (void *)(uintptr_t)j->nmade;
	return &j->made[j->nmade - 1];
}

void
jfr_constants_thread(struct jfr_constants *j, uint64_t number)
{
	const struct jfr_type *type = j->threads;
	uint64_t java = 0, system = 0;
	bool virtual = false;
	struct jfr_cursor at;

	text_cut(&j->thread, 0);
	text_cut(&j->tid, 0);
	if (!jfr_constant(j->chunk, type, number, &at))
		return;
	for (size_t i = 0; i < type->nfield && !at.in.bad; i++) {
		const struct jfr_field *f = &type->field[i];

		if (str_is(f->name, "osName")) {
			jfr_constants_read(j, &at, f, &j->thread);
		} else if (str_is(f->name, "javaName")) {
			jfr_constants_read(j, &at, f, &j->function);
			if (j->function.len > 0) {
				text_cut(&j->thread, 0);
				text_str(&j->thread, text_as_str(&j->function));
			}
		} else if (str_is(f->name, "virtual")) {
			virtual = jfr_number(j->chunk, &at, f) != 0;
		} else if (str_is(f->name, "javaThreadId")) {
			java = jfr_number(j->chunk, &at, f);
		} else if (str_is(f->name, "osThreadId")) {
			system = jfr_number(j->chunk, &at, f);
		} else {
			jfr_skip(j->chunk, &at, f);
		}
	}
	if (virtual && j->thread.len == 0)
		text_puts(&j->thread, JFREVENT_VIRTUAL);
	if (j->chunk->old) /* threads have the system's numbers */
		system = number;
	if (java > 0 || system > 0)
		text_printf(&j->tid, "%llu", (unsigned long long)(java > 0 ? java : system));
}
