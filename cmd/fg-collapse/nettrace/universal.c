/*
 * universal: a table of processes, each with its mappings, symbols and known names.
 */
#include "fg-collapse/nettrace/universal.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/nettrace/coderanges.h"
#include "names/frame.h"
#include "sample/nodes.h"

#define KERNEL (UINT64_C(1) << 63) /* addresses from here on are the kernel's */
#define JIT_MAPPING "/memfd:doublemapper" /* where .NET writes its code */

struct process {
	size_t name, len; /* range in text */
	struct coderanges mappings, symbols;
	struct intmap names; /* by address: name in the sampler, plus 1 */
};

static struct process *
process_of(struct universal *u, uint64_t pid)
{
	void **at = intmap_at(&u->processes, pid);

	if (*at == NULL)
		*at = cli_alloc(1, sizeof(struct process));
	return *at;
}

void
universal_free(struct universal *u)
{
	for (size_t i = 0; i < u->processes.size; i++) {
		struct process *p = u->processes.slot[i].value;

		if (p == NULL)
			continue;
		free(p->mappings.range);
		free(p->symbols.range);
		free(p->names.slot);
		free(p);
	}
	free(u->processes.slot);
	free(u->mappings.slot);
	free(u->symbol);
	text_free(&u->text);
}

/* Takes a string and adds it to the text; returns its length. */
static size_t
add_string(struct universal *u, struct cursor *c)
{
	uint16_t len = cursor_u16(c);
	const char *s = cursor_read(c, len);

	if (s == NULL)
		return 0;
	text_add(&u->text, s, len);
	return len;
}

void
universal_read_process(struct universal *u, uint64_t pid, struct cursor *c)
{
	struct process *p = process_of(u, pid);
	size_t name = u->text.len, len;

	cursor_varint(c); /* its number in its namespace */
	len = add_string(u, c);
	if (c->bad)
		return;
	p->name = name;
	p->len = len;
}

void
universal_read_mapping(struct universal *u, uint64_t pid, struct cursor *c, bool with_process)
{
	uint64_t id = cursor_varint(c), start, last;
	size_t name = u->text.len, len;
	struct process *p;

	if (with_process)
		pid = cursor_varint(c);
	start = cursor_varint(c);
	last = cursor_varint(c);
	cursor_varint(c); /* offset in the file */
	len = add_string(u, c);
	if (c->bad)
		return;
	p = process_of(u, pid);
	*intmap_at(&u->mappings, id) = p;
	coderanges_add(&p->mappings, start, last, name, len);
}

void
universal_read_symbol(struct universal *u, struct cursor *c, uint64_t offset)
{
	struct universal_symbol s = {.offset = offset, .name = u->text.len};

	cursor_varint(c);
	s.mapping = cursor_varint(c);
	s.start = cursor_varint(c);
	s.last = cursor_varint(c);
	s.len = add_string(u, c);
	if (c->bad)
		return;
	vec_fit(u->symbol, u->capsymbol, u->nsymbol + 1);
	u->symbol[u->nsymbol++] = s;
}

void
universal_end(struct universal *u, struct reader *r)
{
	for (size_t i = 0; i < u->nsymbol; i++) {
		const struct universal_symbol *s = &u->symbol[i];
		struct process *p = intmap_get(&u->mappings, s->mapping);

		if (p == NULL)
			reader_malformed_byte(r, s->offset, "a symbol of an unknown mapping");
		else
			coderanges_add(&p->symbols, s->start, s->last, s->name, s->len);
	}
	for (size_t i = 0; i < u->processes.size; i++) {
		struct process *p = u->processes.slot[i].value;

		if (p == NULL)
			continue;
		coderanges_sort(&p->mappings);
		coderanges_sort(&p->symbols);
	}
}

/* The name of a range, empty for none. */
static struct str
name_of(const struct universal *u, const struct coderange *range)
{
	return range == NULL || range->len == 0 ? (struct str){0}
						: (struct str){u->text.s + range->name, range->len};
}

struct str
universal_process(const struct universal *u, uint64_t pid)
{
	const struct process *p = intmap_get(&u->processes, pid);

	return p == NULL || p->len == 0 ? (struct str){0}
					: (struct str){u->text.s + p->name, p->len};
}

uint32_t
universal_frame(struct universal *u, struct sampler *s, uint64_t pid, uint64_t address)
{
	struct process *p = process_of(u, pid);
	void **known = intmap_at(&p->names, address);

	if (*known == NULL) {
		const struct coderange *symbol = coderanges_at(&p->symbols, address);
		struct frame f = {.function = name_of(u, symbol),
		    .module = name_of(u, coderanges_at(&p->mappings, address)),
		    .address = address,
		    .has_address = true};

		if (f.module.len > 0 && !text_starts(f.module.s, f.module.len, JIT_MAPPING))
			f.kind = frame_kind_of(f.module);
		else if (address >= KERNEL)
			f.kind = FRAME_KERNEL;
		else if (f.function.len > 0)
			f.kind = FRAME_JIT;
		*known = (void *)((uintptr_t)sample_name(s, &f) + 1);
	}
	return (uint32_t)((uintptr_t)*known - 1);
}
