/* classes: an array, and a map by ID. */
#include "fg-collapse/heapdump/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "fg-collapse/shape/scan.h"

#define SUPERS_MAX 512 /* superclasses of one class */

static const struct {
	const char *name;
	unsigned char size;
} types[TYPES] = {[4] = {"boolean", 1},
    {"char", 2},
    {"float", 4},
    {"double", 8},
    {"byte", 1},
    {"short", 2},
    {"int", 4},
    {"long", 8}};

unsigned
type_size(unsigned type, unsigned id_size)
{
	return type == TYPE_OBJECT ? id_size : type < TYPES ? types[type].size : 0;
}

void
classes_string(struct classes *l, uint64_t id, struct str text)
{
	const uint32_t n = (uint32_t)text.len;
	void **at = intmap_at(&l->strings, id + 1);

	*at = (void *)(uintptr_t)(l->text.len + 1);
	text_add(&l->text, (const char *)&n, sizeof n);
	text_add(&l->text, text.s, text.len);
}

static struct str
string_of(const struct classes *l, uint64_t id)
{
	const size_t at = (size_t)(uintptr_t)intmap_get(&l->strings, id + 1);
	uint32_t n;

	if (at == 0)
		return (struct str){0};
	memcpy(&n, l->text.s + at - 1, sizeof n);
	return (struct str){l->text.s + at - 1 + sizeof n, n};
}

struct class *
classes_find(const struct classes *l, uint64_t id)
{
	const size_t at = (size_t)(uintptr_t)intmap_get(&l->by_id, id + 1);

	return at != 0 ? l->class[at - 1] : NULL;
}

static struct class *
add(struct classes *l, uint64_t id)
{
	vec_fit(l->class, l->cap, l->n + 1);
	l->class[l->n] = cli_alloc(1, sizeof **l->class);
	l->class[l->n]->id = id;
	l->class[l->n]->number = (uint32_t)l->n;
	return l->class[l->n++];
}

struct class *
classes_get(struct classes *l, uint64_t id)
{
	void **at = intmap_at(&l->by_id, id + 1);

	if (*at == NULL) {
		*at = (void *)(uintptr_t)(l->n + 1);
		return add(l, id);
	}
	return l->class[(uintptr_t)*at - 1];
}

struct class *
classes_primitive(struct classes *l, unsigned type)
{
	if (l->primitives[type] == NULL) {
		l->primitives[type] = add(l, 0);
		l->primitives[type]->primitive = (uint8_t)type;
	}
	return l->primitives[type];
}

bool
classes_is_complete(const struct classes *l, const struct class *c)
{
	if (c->flat)
		return true;
	for (unsigned i = 0; i < SUPERS_MAX; i++) {
		if (c == NULL || !c->dumped)
			return false;
		if (c->super == 0)
			return true;
		c = classes_find(l, c->super);
	}
	return false;
}

static bool
is_name(const struct classes *l, uint64_t string, const char *name)
{
	return str_is(string_of(l, string), name);
}

bool
classes_is_referent(const struct classes *l, const struct class *c, uint64_t field)
{
	return is_name(l, field, "referent") && is_name(l, c->name, "java/lang/ref/Reference");
}

/* True for references that a collection may clear, unlike those to objects with finalizers. */
static bool
is_weak(const struct classes *l, const struct class *c)
{
	for (unsigned i = 0; i < SUPERS_MAX && c != NULL; i++) {
		if (is_name(l, c->name, "java/lang/ref/SoftReference") ||
		    is_name(l, c->name, "java/lang/ref/WeakReference") ||
		    is_name(l, c->name, "java/lang/ref/PhantomReference"))
			return true;
		c = c->super != 0 ? classes_find(l, c->super) : NULL;
	}
	return false;
}

bool
classes_flatten(struct classes *l, struct class *c, uint32_t n, unsigned id_size)
{
	const bool weak = !c->flat && is_weak(l, c);
	uint32_t at = 0;

	if (c->flat)
		return c->length == n;
	c->shape = (struct object_shape){0};
	c->nreference = 0;
	for (const struct class *of = c; of != NULL;
	     of = of->super != 0 ? classes_find(l, of->super) : NULL)
		for (unsigned i = 0; i < of->ntype; i++) {
			const unsigned size = type_size(of->type[i], id_size);

			if (n - at < size)
				return false;
			c->shape.references += of->type[i] == TYPE_OBJECT;
			c->shape.bytes += of->type[i] == TYPE_OBJECT ? 0 : size;
			if (of->type[i] == TYPE_OBJECT && !(weak && of->referent == i + 1)) {
				vec_fit(c->reference, c->capreference, (size_t)c->nreference + 1);
				c->reference[c->nreference++] = at;
			}
			at += size;
		}
	c->length = at;
	c->flat = at == n;
	return c->flat;
}

/* Appends a class, or the element type of an array: `[I`, `[Ljava/lang/String;`. */
static void
type_name(struct str s, struct text *to)
{
	static const char letters[] = "ZCFDBSIJ"; /* of types 4 to 11 */
	size_t dimensions = 0;
	const char *letter;

	while (dimensions < s.len && s.s[dimensions] == '[')
		dimensions++;
	s.s += dimensions;
	s.len -= dimensions;
	if (dimensions > 0 && s.len > 1 && s.s[0] == 'L') {
		s.s++;
		s.len -= s.s[s.len - 2] == ';' ? 2 : 1;
	} else if (dimensions > 0 && s.len == 1 && (letter = strchr(letters, s.s[0])) != NULL) {
		s = str_of(types[letter - letters + 4].name);
	}
	for (size_t i = 0; i < s.len; i++) {
		if (s.len - i > 3 && memcmp(s.s + i, "+0x", 3) == 0)
			break; /* the address of a hidden class */
		text_add(to, s.s[i] == '/' ? "." : s.s + i, 1);
	}
	for (; dimensions > 0; dimensions--)
		text_puts(to, "[]");
}

void
classes_name(const struct classes *l, const struct class *c, struct text *to)
{
	const struct str name = string_of(l, c->name);

	if (c->primitive != 0)
		text_printf(to, "%s[]", types[c->primitive].name);
	else if (name.len == 0)
		text_puts(to, "[unknown]");
	else
		type_name(name, to);
}

void
classes_free(struct classes *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->class[i] -> type);
		free(l->class[i] -> reference);
		free(l->class[i]);
	}
	free(l->class);
	free(l->by_id.slot);
	free(l->strings.slot);
	text_free(&l->text);
}
