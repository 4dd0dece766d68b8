/*
 * sequence: stores definitions as they are read, since they may refer to later ones; resolves them
 * at the first sample that needs them.
 */
#include "fg-collapse/perfetto/sequence.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/shape/plainname.h"
#include "sample/nodes.h"
#include "sample/sample.h"

/* Kinds of interned strings, and of messages of StackSample after them. */
enum { FUNCTION, BUILD_ID, PATH, SOURCE, KINDS, TASK = KINDS, COUNTER, ALL_KINDS };

/* Fields of InternedData. */
enum {
	FUNCTION_NAMES = 5,
	FRAMES = 6,
	CALLSTACKS = 7,
	BUILD_IDS = 16,
	MAPPING_PATHS = 17,
	SOURCE_PATHS = 18,
	MAPPINGS = 19,
	TASK_CONTEXTS = 48,
	COUNTER_DESCRIPTORS = 50,
};

/* A function, its file and line: a message Line, or a frame of InlineCallstack. */
struct source {
	struct str function, file;
	uint64_t line;
};
static const struct protobuf_member source_members[] = {
    [1] = PROTOBUF_MEMBER(TEXT, struct source, function),
    [2] = PROTOBUF_MEMBER(TEXT, struct source, file),
    [3] = PROTOBUF_MEMBER(NUMBER, struct source, line),
};

struct symbols {
	struct str build_id;
	uint64_t pc;
	struct protobuf_items line;
};
static const struct protobuf_member module_symbols[] = {
    [2] = PROTOBUF_MEMBER(TEXT, struct symbols, build_id),
};
static const struct protobuf_member address_symbols[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct symbols, pc),
    [2] = PROTOBUF_EACH(struct symbols, line, struct source, source_members),
};

struct inline_stack {
	struct protobuf_items frame;
};
static const struct protobuf_member inline_stack_members[] = {
    [1] = PROTOBUF_EACH(struct inline_stack, frame, struct source, source_members),
};

/* A message that is interned: its id, and text or numbers. */
struct definition {
	uint64_t id, single[5];
	struct str text;
	struct protobuf_numbers list;
};
static const struct protobuf_member any_definition[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct definition, id),
};
static const struct protobuf_member interned_string[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct definition, id),
    [2] = PROTOBUF_MEMBER(TEXT, struct definition, text),
};
static const struct protobuf_member mapping_members[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct definition, id),
    [2] = PROTOBUF_MEMBER(NUMBER, struct definition, single[0]), /* build ID */
    [7] = PROTOBUF_MEMBER(NUMBERS, struct definition, list), /* parts of the path */
};
static const struct protobuf_member frame_members[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct definition, id),
    [2] = PROTOBUF_MEMBER(NUMBER, struct definition, single[0]), /* function */
    [3] = PROTOBUF_MEMBER(NUMBER, struct definition, single[1]), /* mapping */
    [4] = PROTOBUF_MEMBER(NUMBER, struct definition, single[2]), /* address in it */
    [5] = PROTOBUF_MEMBER(NUMBER, struct definition, single[3]), /* source file */
    [6] = PROTOBUF_MEMBER(NUMBER, struct definition, single[4]), /* line */
};
static const struct protobuf_member callstack[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct definition, id),
    [2] = PROTOBUF_MEMBER(NUMBERS, struct definition, list), /* frames */
};

void
places_free(struct places *p)
{
	free(p->place);
	free(p->symbol);
	free(p->line);
	free(p->named);
	hash_index_free(&p->index);
	hash_index_free(&p->symbols);
	text_free(&p->text);
	text_free(&p->function);
}

static struct str
text_at(const struct text *t, size_t at, size_t len)
{
	return (struct str){t->s == NULL ? "" : t->s + at, len};
}

static size_t
append(struct text *t, struct str s)
{
	size_t at = t->len;

	text_str(t, s);
	return at;
}

/* Returns the index of a frame; adds it if it is new. */
static uint32_t
place_add(struct places *p, struct str path, struct str build_id, const struct frame *f)
{
	struct str function = f->function;
	uint64_t pc = f->address;
	uint32_t hash = (uint32_t)hash_pair(hash_bytes(function.s, function.len),
	    hash_pair(hash_bytes(path.s, path.len), hash_pair(pc, f->line)));
	struct place place;

	for (uint32_t at = hash, n; (n = hash_index_next(&p->index, hash, &at)) != 0;) {
		const struct place *q = &p->place[n - 1];

		if (q->pc == pc && q->line_number == f->line &&
		    str_equal(text_at(&p->text, q->file, q->file_len), f->file) &&
		    str_equal(text_at(&p->text, q->function, q->function_len), function) &&
		    str_equal(text_at(&p->text, q->path, q->path_len), path) &&
		    str_equal(text_at(&p->text, q->build_id, q->build_id_len), build_id))
			return n - 1;
	}
	place = (struct place){.function_len = function.len,
	    .path_len = path.len,
	    .build_id_len = build_id.len,
	    .file_len = f->file.len,
	    .line_number = f->line,
	    .pc = pc};
	place.function = append(&p->text, function);
	place.path = append(&p->text, path);
	place.build_id = append(&p->text, build_id);
	place.file = append(&p->text, f->file);
	vec_fit(p->place, p->cap, p->n + 1);
	p->place[p->n++] = place;
	hash_index_add(&p->index, hash, (uint32_t)p->n);
	return (uint32_t)p->n - 1;
}

static uint32_t
symbol_hash(struct str build_id, uint64_t pc)
{
	return (uint32_t)hash_pair(hash_bytes(build_id.s, build_id.len), pc);
}

static const struct symbol *
symbol_find(const struct places *p, struct str build_id, uint64_t pc)
{
	uint32_t hash = symbol_hash(build_id, pc);

	for (uint32_t at = hash, n; (n = hash_index_next(&p->symbols, hash, &at)) != 0;) {
		const struct symbol *s = &p->symbol[n - 1];

		if (s->pc == pc &&
		    str_equal(text_at(&p->text, s->build_id, s->build_id_len), build_id))
			return s;
	}
	return NULL;
}

static void
add_lines(struct places *p, struct symbol *s, const struct protobuf_items *lines)
{
	const struct source *line = lines->at;

	for (size_t i = 0; i < lines->n; i++) {
		if (line[i].function.len == 0)
			continue;
		vec_fit(p->line, p->capline, p->nline + 1);
		p->line[p->nline].len = line[i].function.len;
		p->line[p->nline].name = append(&p->text, line[i].function);
		p->line[p->nline].file_len = line[i].file.len;
		p->line[p->nline].file = append(&p->text, line[i].file);
		p->line[p->nline++].number = (unsigned)line[i].line;
		s->lines++;
	}
}

void
places_symbols(struct places *p, const struct protobuf *outer, const struct protobuf_field *field)
{
	struct symbols m = {0};
	struct protobuf walk;
	struct protobuf_field f;
	size_t at;

	if (!protobuf_message(outer, field, module_symbols, &m))
		return;
	at = append(&p->text, m.build_id);
	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f)) {
		struct symbol s = {
		    .build_id = at, .build_id_len = m.build_id.len, .line = p->nline};

		m.line.n = m.pc = 0;
		if (f.number != 3 || !protobuf_message(&walk, &f, address_symbols, &m))
			continue;
		s.pc = m.pc;
		add_lines(p, &s, &m.line);
		if (s.lines == 0 || symbol_find(p, m.build_id, s.pc) != NULL)
			continue;
		vec_fit(p->symbol, p->capsymbol, p->nsymbol + 1);
		p->symbol[p->nsymbol++] = s;
		hash_index_add(&p->symbols, symbol_hash(m.build_id, s.pc), (uint32_t)p->nsymbol);
	}
	free(m.line.at);
}

static void
add_name(struct places *p, struct sampler *sampler, struct frame *f, struct str function)
{
	text_cut(&p->function, 0);
	plainname_demangle(&p->function, function);
	f->function = text_as_str(&p->function);
	vec_fit(p->named, p->capnamed, p->nnamed + 1);
	p->named[p->nnamed++] = sample_name(sampler, f);
}

void
places_frames(struct places *p, struct sampler *sampler, uint32_t number)
{
	struct place *place = &p->place[number];
	const struct symbol *s;
	struct frame f = {.module = text_at(&p->text, place->path, place->path_len),
	    .address = place->pc,
	    .has_address = place->pc != 0};

	f.kind = frame_kind_of(f.module);
	f.file = text_at(&p->text, place->file, place->file_len);
	f.line = place->line_number;
	if (place->names == 0) {
		place->name = (uint32_t)p->nnamed;
		s = symbol_find(
		    p, text_at(&p->text, place->build_id, place->build_id_len), place->pc);
		for (size_t i = s != NULL ? s->lines : 0; i-- > 0;) {
			f.inlined = i + 1 < s->lines;
			f.file = text_at(
			    &p->text, p->line[s->line + i].file, p->line[s->line + i].file_len);
			f.line = p->line[s->line + i].number;
			add_name(p, sampler, &f,
			    text_at(&p->text, p->line[s->line + i].name, p->line[s->line + i].len));
		}
		if (s == NULL)
			add_name(p, sampler, &f,
			    text_at(&p->text, place->function, place->function_len));
		place->names = (uint32_t)p->nnamed - place->name;
	}
	for (uint32_t i = 0; i < place->names; i++)
		sample_frame_named(sampler, p->named[place->name + i]);
}

static void
clear_map(struct intmap *m)
{
	free(m->slot);
	*m = (struct intmap){0};
}

void
sequence_clear(struct sequence *s)
{
	clear_map(&s->strings);
	clear_map(&s->mappings);
	clear_map(&s->frames);
	clear_map(&s->stacks);
	clear_map(&s->place_of);
	clear_map(&s->node_of);
	text_cut(&s->text, 0);
	text_cut(&s->defaults, 0);
	s->nnumber = 0;
}

void
sequence_free(struct sequence *s)
{
	sequence_clear(s);
	sequence_wait_end(s);
	text_free(&s->text);
	text_free(&s->defaults);
	free(s->number);
	free(s->waiting);
}

/* Returns the list stored for an id, and its length in *n. */
static const uint64_t *
numbers(const struct sequence *s, const struct intmap *m, uint64_t id, size_t *n)
{
	uintptr_t at = (uintptr_t)intmap_get(m, id);

	*n = at == 0 ? 0 : (size_t)s->number[at - 1];
	return at == 0 ? NULL : s->number + at;
}

/* Stores a message InternedString, or all of a message of StackSample, under its id. */
static void
read_string(struct sequence *s, unsigned kinds, const struct protobuf *outer,
    const struct protobuf_field *f)
{
	const bool whole = kinds >> KINDS != 0;
	struct definition d = {0};
	struct str bytes;
	uint32_t len;
	size_t at = s->text.len;

	if (!(whole ? protobuf_message(outer, f, any_definition, &d)
		    : protobuf_message(outer, f, interned_string, &d)))
		return;
	bytes = whole ? f->bytes : d.text;
	len = (uint32_t)bytes.len;
	text_add(&s->text, (const char *)&len, sizeof len);
	text_str(&s->text, bytes);
	for (unsigned kind = 0; kind < ALL_KINDS; kind++)
		if (kinds & 1u << kind)
			*intmap_at(&s->strings, d.id * ALL_KINDS + kind) =
			    (void *)(uintptr_t)(at + 1);
}

static struct str
string(const struct sequence *s, unsigned kind, uint64_t id)
{
	uintptr_t at = (uintptr_t)intmap_get(&s->strings, id * ALL_KINDS + kind);
	uint32_t len;

	if (at == 0)
		return (struct str){0};
	memcpy(&len, s->text.s + at - 1, sizeof len);
	return (struct str){s->text.s + at - 1 + sizeof len, len};
}

struct str
sequence_message(const struct sequence *s, enum interned kind, uint64_t id)
{
	return string(s, kind == INTERNED_TASK ? TASK : COUNTER, id);
}

/*
 * Stores a message of numbers under its id: in s->number the number of them, the first of `single`,
 * the list.
 */
static void
add_numbers(struct sequence *s, struct intmap *m, const struct definition *d, size_t nsingle)
{
	const size_t n = nsingle + d->list.n;
	uint64_t *to;

	vec_fit(s->number, s->capnumber, s->nnumber + 1 + n);
	to = s->number + s->nnumber;
	*to++ = n;
	for (size_t i = 0; i < n; i++)
		*to++ = i < nsingle ? d->single[i] : d->list.at[i - nsingle];
	s->nnumber += 1 + n;
	*intmap_at(m, d->id) = (void *)(uintptr_t)(s->nnumber - n);
}

static void
read_mapping(struct sequence *s, const struct protobuf *outer, const struct protobuf_field *f)
{
	struct definition d = {0};

	if (protobuf_message(outer, f, mapping_members, &d))
		add_numbers(s, &s->mappings, &d, 1);
	protobuf_numbers_free(&d.list);
}

static void
read_frame(struct sequence *s, const struct protobuf *outer, const struct protobuf_field *f)
{
	struct definition d = {0};

	if (protobuf_message(outer, f, frame_members, &d))
		add_numbers(s, &s->frames, &d, 5);
}

static void
read_stack(struct sequence *s, const struct protobuf *outer, const struct protobuf_field *f)
{
	struct definition d = {0};

	if (protobuf_message(outer, f, callstack, &d))
		add_numbers(s, &s->stacks, &d, 0);
	protobuf_numbers_free(&d.list);
}

void
sequence_interned(struct sequence *s, struct places *places, const struct protobuf *outer,
    const struct protobuf_field *field)
{
	struct protobuf walk;
	struct protobuf_field f;

	s->places = places;
	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f)) {
		if (f.wire != PROTOBUF_BYTES)
			continue;
		switch (f.number) {
		case FUNCTION_NAMES: read_string(s, 1u << FUNCTION, &walk, &f); break;
		case BUILD_IDS: read_string(s, 1u << BUILD_ID, &walk, &f); break;
		case MAPPING_PATHS: read_string(s, 1u << PATH, &walk, &f); break;
		case SOURCE_PATHS: read_string(s, 1u << SOURCE, &walk, &f); break;
		case TASK_CONTEXTS: read_string(s, 1u << TASK, &walk, &f); break;
		case COUNTER_DESCRIPTORS: read_string(s, 1u << COUNTER, &walk, &f); break;
		case MAPPINGS: read_mapping(s, &walk, &f); break;
		case FRAMES: read_frame(s, &walk, &f); break;
		case CALLSTACKS: read_stack(s, &walk, &f); break;
		}
	}
}

void
sequence_profile_table(struct sequence *s, struct places *places, uint32_t number,
    const struct protobuf *outer, const struct protobuf_field *field)
{
	s->places = places;
	switch (number) {
	case 1: read_string(s, (1u << KINDS) - 1, outer, field); break;
	case 2: read_frame(s, outer, field); break;
	case 3: read_stack(s, outer, field); break;
	case 4: read_mapping(s, outer, field); break;
	}
}

/* Returns the index of the place of the frame with that id, or LATESTACKS_MISSING. */
static uint64_t
place_of(struct sequence *s, uint64_t id)
{
	uintptr_t known = (uintptr_t)intmap_get(&s->place_of, id);
	size_t nframe, nmapping;
	const uint64_t *frame, *mapping;
	struct str build_id = {0};
	struct frame f = {0};
	struct text path = {0};
	uint32_t place;

	if (known != 0)
		return known - 1;
	frame = numbers(s, &s->frames, id, &nframe);
	if (nframe < 5)
		return LATESTACKS_MISSING;
	f.function = string(s, FUNCTION, frame[0]);
	if (frame[0] != 0 && f.function.s == NULL)
		return LATESTACKS_MISSING;
	f.address = frame[2];
	f.file = string(s, SOURCE, frame[3]);
	f.line = (unsigned)frame[4];
	mapping = numbers(s, &s->mappings, frame[1], &nmapping);
	if (nmapping > 0)
		build_id = string(s, BUILD_ID, mapping[0]);
	for (size_t i = 1; i < nmapping; i++) {
		text_char(&path, '/');
		text_str(&path, string(s, PATH, mapping[i]));
	}
	place = place_add(s->places, text_as_str(&path), build_id, &f);
	*intmap_at(&s->place_of, id) = (void *)((uintptr_t)place + 1);
	text_free(&path);
	return place;
}

uint32_t
sequence_stack(struct sequence *s, struct latestacks *stacks, uint64_t id)
{
	uintptr_t known = (uintptr_t)intmap_get(&s->node_of, id);
	uint32_t node = LATESTACKS_ROOT;
	size_t n;
	const uint64_t *frame = numbers(s, &s->stacks, id, &n);

	if (known != 0)
		return (uint32_t)(known - 1);
	if (frame == NULL)
		return id == 0 ? node : latestacks_child(stacks, node, LATESTACKS_MISSING);
	for (size_t i = 0; i < n; i++)
		node = latestacks_child(stacks, node, place_of(s, frame[i]));
	*intmap_at(&s->node_of, id) = (void *)((uintptr_t)node + 1);
	return node;
}

uint32_t
sequence_inline_stack(struct places *p, struct latestacks *stacks, struct str bytes)
{
	uint32_t node = LATESTACKS_ROOT;
	struct inline_stack m = {0};
	const struct source *source;

	if (!protobuf_read(bytes, inline_stack_members, PROTOBUF_ROWS(inline_stack_members), &m))
		node = latestacks_child(stacks, node, LATESTACKS_MISSING);
	source = m.frame.at;
	for (size_t i = 0; i < m.frame.n; i++) {
		struct frame f = {.function = source[i].function,
		    .file = source[i].file,
		    .line = (unsigned)source[i].line};

		node = latestacks_child(
		    stacks, node, place_add(p, (struct str){0}, (struct str){0}, &f));
	}
	free(m.frame.at);
	return node;
}

void
sequence_wait(struct sequence *s, struct str bytes, uint64_t offset, uint64_t time)
{
	vec_fit(s->waiting, s->capwaiting, s->nwaiting + 1);
	s->waiting[s->nwaiting] = (struct waiting){.offset = offset, .time = time};
	text_str(&s->waiting[s->nwaiting++].bytes, bytes);
}

void
sequence_wait_end(struct sequence *s)
{
	for (size_t i = 0; i < s->nwaiting; i++)
		text_free(&s->waiting[i].bytes);
	s->nwaiting = 0;
}
