/*
 * cprofile: the binary file of Python's cProfile and profile: a marshalled dictionary of functions,
 *
 *	{(file, line, function): (calls, all calls, own time, cumulative time,
 *	    {(file, line, caller): (all calls, calls, own time, cumulative time), ...}), ...}
 *
 * It has no stacks: they are apportioned from the cumulative times by caller, as those of
 * callgrind (callgrind/callgraph.h). profile has only the number of calls by caller; the cumulative
 * time is divided by them.
 */
#include "fg-collapse/format.h"

#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/cursor.h"
#include "base/intmap.h"
#include "base/vec.h"
#include "fg-collapse/callgrind/callgraph.h"
#include "fg-collapse/shape/pythonframe.h"
#include "sample/events.h"
#include "sample/nodes.h"

#define DEPTH 16 /* limit of nested objects; a profile has 5 */
#define FLAG_REF 0x80

/* An object of Python. */
struct object {
	enum {
		ODD,
		STRING,
		NUMBER,
		SEQUENCE
	} kind; /* SEQUENCE: a tuple, or a dictionary's keys
		   and values in turn */
	struct str s;
	double number;
	size_t first, n; /* range in item */
};

struct profile {
	struct reader *reader;
	struct cursor c;
	struct object *object;
	uint32_t nobject, capobject;
	uint32_t *item; /* indices of objects */
	size_t nitem, capitem;
	uint32_t *reference, *interned; /* objects that later ones may refer to */
	size_t nreference, capreference, ninterned, capinterned;
	struct callgraph graph;
	struct intmap functions; /* by name of the frame: index, plus 1 */
	uint32_t *frame; /* name of each function */
	size_t capframe;
	struct text name, line;
};

static uint32_t read_object(struct profile *p, unsigned depth);

/* Reads n objects, or up to the end of a dictionary, into an object. */
static void
read_items(struct profile *p, uint32_t object, uint64_t n, bool dictionary, unsigned depth)
{
	uint32_t *item = NULL;
	size_t nitem = 0, cap = 0;

	for (uint64_t i = 0; (dictionary || i < n) && !p->c.bad; i++) {
		if (dictionary && i % 2 == 0 && cursor_left(&p->c) > 0 &&
		    p->c.data[p->c.at] == '0') {
			cursor_u8(&p->c);
			break;
		}
		vec_fit(item, cap, nitem + 1);
		item[nitem++] = read_object(p, depth + 1);
	}
	vec_fit(p->item, p->capitem, p->nitem + nitem);
	if (nitem > 0)
		memcpy(p->item + p->nitem, item, nitem * sizeof *item);
	p->object[object].first = p->nitem;
	p->object[object].n = nitem;
	p->nitem += nitem;
	free(item);
}

static struct str
read_string(struct profile *p, uint32_t len)
{
	const char *s = cursor_read(&p->c, len);

	return (struct str){s, s != NULL ? len : 0};
}

/* Reads a number of Python's, 15 bits a digit. */
static double
read_long(struct profile *p)
{
	int32_t n = (int32_t)cursor_u32(&p->c);
	uint32_t digits = n < 0 ? 0u - (uint32_t)n : (uint32_t)n;
	double v = 0, scale = 1;

	for (uint32_t i = 0; i < digits && !p->c.bad; i++, scale *= 32768)
		v += cursor_u16(&p->c) * scale;
	return n < 0 ? -v : v;
}

/* Reads the content of an object by its type. */
static void
read_content(struct profile *p, uint32_t at, uint8_t type, unsigned depth)
{
	struct object o = {.kind = STRING};
	uint64_t bits;
	char digits[64] = "";
	uint64_t n = 0;

	switch (type) {
	case 'z':
	case 'Z': o.s = read_string(p, cursor_u8(&p->c)); break;
	case 's':
	case 't':
	case 'u':
	case 'a':
	case 'A': o.s = read_string(p, cursor_u32(&p->c)); break;
	case 'i':
		o.kind = NUMBER;
		o.number = (int32_t)cursor_u32(&p->c);
		break;
	case 'I':
		o.kind = NUMBER;
		o.number = (double)(int64_t)cursor_u64(&p->c);
		break;
	case 'l':
		o.kind = NUMBER;
		o.number = read_long(p);
		break;
	case 'g':
		o.kind = NUMBER;
		bits = cursor_u64(&p->c);
		memcpy(&o.number, &bits, sizeof bits);
		break;
	case 'f':
		o.kind = NUMBER;
		o.s = read_string(p, cursor_u8(&p->c));
		if (o.s.len > 0 && o.s.len < sizeof digits)
			memcpy(digits, o.s.s, o.s.len);
		o.number = strtod(digits, NULL);
		break;
	case 'N':
	case 'T':
	case 'F': o.kind = ODD; break;
	case '(': n = cursor_u32(&p->c); /* fallthrough */
	case ')':
	case '{':
		if (type == ')')
			n = cursor_u8(&p->c);
		o.kind = SEQUENCE;
		p->object[at] = o;
		if (n > cursor_left(&p->c))
			p->c.bad = true;
		read_items(p, at, n, type == '{', depth);
		return;
	default: p->c.bad = true;
	}
	p->object[at] = o;
}

/* Reads an object, or a reference to one; returns its index. */
static uint32_t
read_object(struct profile *p, unsigned depth)
{
	uint8_t type = cursor_u8(&p->c);
	uint32_t at = p->nobject, n;

	if (type == 'r' || type == 'R') {
		n = cursor_u32(&p->c);
		if (n < (type == 'r' ? p->nreference : p->ninterned))
			return (type == 'r' ? p->reference : p->interned)[n];
		p->c.bad = true;
	}
	vec_fit(p->object, p->capobject, p->nobject + 1);
	p->object[p->nobject++] = (struct object){.kind = ODD};
	if (depth > DEPTH)
		p->c.bad = true;
	if (p->c.bad)
		return at;
	if (type & FLAG_REF) { /* a number that precedes those of its parts */
		vec_fit(p->reference, p->capreference, p->nreference + 1);
		p->reference[p->nreference++] = at;
	}
	read_content(p, at, type & ~FLAG_REF, depth);
	if (type == 't') { /* Python 2 */
		vec_fit(p->interned, p->capinterned, p->ninterned + 1);
		p->interned[p->ninterned++] = at;
	}
	return at;
}

/* Part i of an object; NULL if there is none of that kind. */
static const struct object *
part(const struct profile *p, const struct object *o, size_t i, int kind)
{
	const struct object *of =
	    o->kind == SEQUENCE && i < o->n ? &p->object[p->item[o->first + i]] : NULL;

	return of != NULL && (int)of->kind == kind ? of : NULL;
}

/* Finds the function of a key, or adds it; false if it is not one. */
static bool
function_of(struct profile *p, const struct object *key, uint32_t *number)
{
	const struct object *file = part(p, key, 0, STRING), *line = part(p, key, 1, NUMBER),
			    *function = part(p, key, 2, STRING);
	struct frame f = {0};
	uint32_t name;
	void **known;

	if (file == NULL || line == NULL || function == NULL)
		return false;
	text_cut(&p->line, 0);
	text_printf(&p->line, "%.0f", line->number);
	if (text_is(file->s.s, file->s.len, "~") && line->number == 0) { /* a function in C */
		text_cut(&p->name, 0);
		text_str(&p->name, function->s);
	} else {
		pythonframe_text(&p->name, function->s, file->s, text_as_str(&p->line));
	}
	f.function = text_as_str(&p->name);
	name = sample_name(p->reader->sampler, &f);
	known = intmap_at(&p->functions, name);
	if (*known == NULL) {
		*number = callgraph_function(&p->graph);
		*known = (void *)((uintptr_t)*number + 1);
		vec_fit(p->frame, p->capframe, (size_t)*number + 1);
		p->frame[*number] = name;
	}
	*number = (uint32_t)((uintptr_t)*known - 1);
	return true;
}

/* Seconds as ns; false if out of range. */
static bool
ns_of(const struct object *o, int64_t *ns)
{
	if (o == NULL || !(o->number >= 0 && o->number < 9e9))
		return false;
	*ns = (int64_t)llround(o->number * 1e9);
	return true;
}

/* Adds the calls of a function by its callers. */
static bool
read_callers(struct profile *p, uint32_t function, const struct object *callers, int64_t total)
{
	double calls = 0;
	uint32_t caller;
	int64_t cost;

	for (size_t i = 0; i + 1 < callers->n; i += 2)
		if (part(p, callers, i + 1, NUMBER) != NULL)
			calls += part(p, callers, i + 1, NUMBER)->number;
	for (size_t i = 0; i + 1 < callers->n; i += 2) {
		const struct object *key = part(p, callers, i, SEQUENCE);
		const struct object *of = part(p, callers, i + 1, SEQUENCE);
		const struct object *number = part(p, callers, i + 1, NUMBER);

		if (key == NULL || !function_of(p, key, &caller))
			return false;
		if (number != NULL && number->number >= 0 && calls > 0)
			cost = (int64_t)((double)total * (number->number / calls));
		else if (of == NULL || !ns_of(part(p, of, 3, NUMBER), &cost))
			return false;
		*callgraph_call(&p->graph, caller, function) += cost;
	}
	return true;
}

static void
read_profile(struct profile *p, const struct object *all)
{
	uint64_t broken = 0;

	for (size_t i = 0; i + 1 < all->n; i += 2) {
		const struct object *key = part(p, all, i, SEQUENCE);
		const struct object *of = part(p, all, i + 1, SEQUENCE);
		const struct object *callers = of != NULL ? part(p, of, 4, SEQUENCE) : NULL;
		uint32_t function;
		int64_t own, total;

		if (key == NULL || callers == NULL || !ns_of(part(p, of, 2, NUMBER), &own) ||
		    !ns_of(part(p, of, 3, NUMBER), &total) || !function_of(p, key, &function) ||
		    !read_callers(p, function, callers, total))
			broken++;
		else
			p->graph.self[function] += own;
	}
	if (broken > 0)
		reader_malformed_bytes(p->reader, 0, broken, "a function without its times");
}

static void
read_input(struct reader *r)
{
	struct profile p = {.reader = r};
	struct sampler *s = r->sampler;
	uint32_t root, event;
	size_t len;
	const void *bytes = source_whole(lines_source(r->lines), &len);

	sampler_input(s, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	event = sampler_event(s, str_of("ns"), str_of("ns"));
	sampler_values(s, event, FOLDED_ESTIMATED);
	sampler_default(s, event);
	sampler_tree(s, NULL, 1);
	p.c = cursor_of(bytes, len, CURSOR_LITTLE);
	callgraph_init(&p.graph, 1);
	root = read_object(&p, 0);
	if (p.c.bad)
		reader_malformed_byte(r, p.c.at, "not a marshalled object; the profile");
	else
		read_profile(&p, &p.object[root]);
	cli_note("%s: cProfile does not record stacks: they are estimated from the times by caller",
	    lines_name(r->lines));
	if (p.graph.functions > 0 && callgraph_sample(&p.graph, 0, s, event, p.frame) > 0)
		cli_note("%s: too many different stacks: small shares were added to larger ones",
		    lines_name(r->lines));
	callgraph_free(&p.graph);
	free(p.object);
	free(p.item);
	free(p.reference);
	free(p.interned);
	free(p.functions.slot);
	free(p.frame);
	text_free(&p.name);
	text_free(&p.line);
}

/* A marshalled dictionary whose first key is a tuple of three. */
static int
sniff(const char *data, size_t len)
{
	if (len < 8 || (data[0] & 0x7f) != '{')
		return 0;
	return ((data[1] & 0x7f) == ')' && data[2] == 3) ||
		       ((data[1] & 0x7f) == '(' && memcmp(data + 2, "\3\0\0", 4) == 0)
		   ? 90
		   : 0;
}

const struct format cprofile_format = {
    .provides = 0,
    .bytes = FORMAT_ANY,
    .sniff = sniff,
    .read = read_input,
};
