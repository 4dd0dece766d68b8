/*
 * file: follows the offsets in a trace.dat file, which need not be in order. So a pipe, or a
 * compressed file, is read into memory first (source_whole).
 */
#include "fg-collapse/tracedat/file.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/cli.h"
#include "base/cursor.h"
#include "base/decompress.h"
#include "base/vec.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/magic.h"

/* Kinds of options, and of sections in version 7. */
enum {
	OPTION_DONE = 0,
	OPTION_BUFFER = 3,
	OPTION_CPUS = 8,
	SECTION_HEADERS = 16,
	SECTION_FTRACE,
	SECTION_EVENTS,
	SECTION_SYMBOLS,
	SECTION_TASKS = 21,
};

#define SECTION_COMPRESSED 1
#define SECTION_HEAD 16 /* bytes: kind, flags, description, size */
#define TAG 10 /* bytes of "options  ", "flyrecord" */
#define HEAD_FIRST ((size_t)1 << 22) /* read at first to find all but the pages */
#define CHUNK_MAX ((uint32_t)1 << 28) /* decompressed size of a chunk */
#define PAGE_MAX ((uint32_t)1 << 20)

static _Noreturn void
unreadable(const struct tracedat *t, uint64_t offset, const char *why)
{
	cli_die("%s: byte %llu: %s; try trace-cmd report %s, which tests the file",
	    lines_name(t->reader->lines), (unsigned long long)offset, why,
	    lines_name(t->reader->lines));
}

/* Reads n bytes at an offset; fewer only at the end of the file. */
static struct str
read_at(struct tracedat *t, struct text *buffer, uint64_t offset, uint64_t n)
{
	text_cut(buffer, 0);
	if (offset >= t->size)
		return text_as_str(buffer);
	if (n > t->size - offset)
		n = t->size - offset;
	text_reserve(buffer, (size_t)n);
	buffer->len = source_pread(t->source, buffer->s, (size_t)n, offset);
	return text_as_str(buffer);
}

static struct cursor
cursor_at(struct tracedat *t, struct text *buffer, uint64_t offset, uint64_t n)
{
	struct str s = read_at(t, buffer, offset, n);

	return cursor_of(s.s, s.len, t->swapped);
}

/* Decompresses one chunk and appends it to out; false if it is damaged. */
static bool
add_chunk(struct tracedat *t, struct str compressed, uint32_t size, struct text *out)
{
	const unsigned char *in = (const unsigned char *)compressed.s;
	const struct decompression *kind;
	struct decompress *state;
	size_t left = compressed.len, got = 0, n = 1;
	uLongf whole = size;

	if (size > CHUNK_MAX)
		return false;
	text_reserve(out, size);
	if (t->zlib) {
		if (uncompress((Bytef *)out->s + out->len, &whole, in, left) != Z_OK)
			return false;
		out->len += whole;
		return whole == size;
	}
	if (left < DECOMPRESS_MAGIC || (kind = decompress_kind(in, left)) == NULL)
		return false;
	if ((state = decompress_new(kind)) == NULL)
		cli_die("%s: compressed with %s, and this build is without %s",
		    lines_name(t->reader->lines), decompress_name(kind), decompress_missing(kind));
	while (got < size && n > 0 &&
	       decompress_step(state, &in, &left, (unsigned char *)out->s + out->len + got,
		   size - got, &n) != DECOMPRESS_BAD)
		got += n;
	decompress_free(state);
	out->len += got;
	return got == size;
}

/* Appends the content of a version 7 section to out; its flags. */
static uint16_t
read_section(struct tracedat *t, uint64_t offset, uint16_t kind, struct text *out)
{
	struct cursor head = cursor_at(t, &t->compressed, offset, SECTION_HEAD);
	uint16_t its_kind = cursor_u16(&head), flags = cursor_u16(&head);
	uint64_t size = (cursor_u32(&head), cursor_u64(&head));
	uint32_t compressed, content;
	const char *data;
	struct cursor c;

	if (head.bad || its_kind != kind)
		unreadable(t, offset, "not the section that the options list");
	if (out == NULL)
		return flags;
	c = cursor_at(t, &t->compressed, offset + SECTION_HEAD, size);
	if (!(flags & SECTION_COMPRESSED)) {
		text_str(out, (struct str){(const char *)c.data, c.end});
		return flags;
	}
	compressed = cursor_u32(&c);
	content = cursor_u32(&c);
	data = cursor_read(&c, compressed);
	if (data == NULL || !add_chunk(t, (struct str){data, compressed}, content, out))
		unreadable(t, offset, "a truncated or damaged section");
	return flags;
}

static void
add_area(struct tracedat *t, struct tracedat_area area)
{
	if (area.size == 0)
		return;
	vec_fit(t->area, t->caparea, t->narea + 1);
	t->area[t->narea++] = area;
}

/* A ring buffer of version 7: the areas of its CPUs. */
static void
read_buffer(struct tracedat *t, struct cursor *c)
{
	uint64_t section = cursor_u64(c);
	bool compressed = read_section(t, section, OPTION_BUFFER, NULL) & SECTION_COMPRESSED;
	uint32_t page;

	cursor_string(c); /* name */
	cursor_string(c); /* clock */
	page = cursor_u32(c);
	for (uint32_t cpus = cursor_u32(c); cpus > 0 && !c->bad; cpus--) {
		struct tracedat_area area = {.page = page, .compressed = compressed};

		cursor_u32(c); /* CPU */
		area.offset = cursor_u64(c);
		area.size = cursor_u64(c);
		add_area(t, area);
	}
}

/* Reads one section of options; the offset of the next one, or 0. */
static uint64_t
read_options(struct tracedat *t, uint64_t offset, uint64_t at[SECTION_TASKS + 1])
{
	struct text options = {0};
	struct cursor c, option;
	uint64_t next = 0;

	read_section(t, offset, OPTION_DONE, &options);
	c = cursor_of(options.s, options.len, t->swapped);
	while (cursor_left(&c) > 0 && !c.bad) {
		uint16_t kind = cursor_u16(&c);
		uint32_t size = cursor_u32(&c);
		const void *data = cursor_read(&c, size);

		option = cursor_of(data, data == NULL ? 0 : size, t->swapped);
		if (kind == OPTION_DONE) {
			next = cursor_u64(&option);
			break;
		}
		if (kind == OPTION_BUFFER)
			read_buffer(t, &option);
		else if (kind >= SECTION_HEADERS && kind <= SECTION_TASKS)
			at[kind] = cursor_u64(&option);
		if (option.bad)
			unreadable(t, offset, "an option that is too short");
	}
	text_free(&options);
	return next;
}

/* Appends the text of a section, after the `bytes` of its size. */
static void
read_sized(struct tracedat *t, uint64_t offset, uint16_t kind, size_t bytes, struct text *out)
{
	struct text section = {0};

	if (offset == 0)
		return;
	read_section(t, offset, kind, &section);
	if (section.len > bytes)
		text_add(out, section.s + bytes, section.len - bytes);
	text_free(&section);
}

static void
open_7(struct tracedat *t, struct str head, uint64_t options)
{
	uint64_t at[SECTION_TASKS + 1] = {0};

	while (options != 0) {
		uint64_t next = read_options(t, options, at);

		if (next != 0 && next <= options)
			unreadable(t, options, "a loop of option sections");
		options = next;
	}
	text_str(&t->formats, head);
	for (int kind = SECTION_HEADERS; kind <= SECTION_EVENTS; kind++)
		if (at[kind] == 0)
			unreadable(t, 0, "no formats of events");
		else
			read_section(t, at[kind], (uint16_t)kind, &t->formats);
	read_sized(t, at[SECTION_SYMBOLS], SECTION_SYMBOLS, 4, &t->symbols);
	read_sized(t, at[SECTION_TASKS], SECTION_TASKS, 8, &t->tasks);
	if (!tracing_begin(&t->tracing, text_as_str(&t->formats)))
		unreadable(t, 0, "malformed formats of events");
}

static bool
has_tag(struct cursor *c, const char *tag)
{
	const char *s = cursor_read(c, TAG);

	return s != NULL && strncmp(s, tag, TAG) == 0;
}

/* Areas of a version 6 ring buffer: "flyrecord", then offset and size by CPU. */
static void
add_areas(struct tracedat *t, struct cursor *c, uint32_t cpus)
{
	if (!has_tag(c, "flyrecord")) {
		reader_malformed_byte(t->reader, 0, "a ring buffer without pages (latency tracer)");
		return;
	}
	for (; cpus > 0 && !c->bad; cpus--) {
		struct tracedat_area area = {.page = t->page};

		area.offset = cursor_u64(c);
		area.size = cursor_u64(c);
		if (!c->bad)
			add_area(t, area);
	}
}

/* Reads version 6 from `head`, the first bytes of the file; false if they are too few. */
static bool
read_6(struct tracedat *t, struct str head)
{
	struct str system, format;
	struct tracing all;
	struct cursor c, buffer;
	struct text text = {0};
	uint32_t size, cpus;
	const char *symbols, *tasks;
	uint16_t kind;
	size_t ntasks;

	if (!tracing_begin(&all, head))
		return false;
	t->tracing = all;
	while (tracing_next(&all, &system, &format))
		continue;
	if (all.bad)
		return false;
	c = cursor_of(all.left.s, all.left.len, t->swapped);
	size = cursor_u32(&c);
	symbols = cursor_read(&c, size);
	cursor_read(&c, cursor_u32(&c)); /* formats of trace_printk */
	ntasks = (size_t)cursor_u64(&c);
	tasks = cursor_read(&c, ntasks);
	cpus = cursor_u32(&c);
	if (c.bad)
		return false;
	text_cut(&t->symbols, 0);
	text_cut(&t->tasks, 0);
	t->narea = 0;
	text_add(&t->symbols, symbols, size);
	text_add(&t->tasks, tasks, ntasks);
	if (cursor_left(&c) >= TAG && memcmp(c.data + c.at, "options  ", TAG) == 0) {
		cursor_read(&c, TAG);
		while ((kind = cursor_u16(&c)) != OPTION_DONE) {
			const unsigned char *data = cursor_read(&c, size = cursor_u32(&c));

			if (c.bad)
				return false;
			if (kind != OPTION_BUFFER)
				continue;
			buffer = cursor_of(data, size, t->swapped);
			buffer =
			    cursor_at(t, &text, cursor_u64(&buffer), TAG + 16 * (uint64_t)cpus);
			add_areas(t, &buffer, cpus);
		}
	}
	if (!c.bad)
		add_areas(t, &c, cpus);
	text_free(&text);
	return !c.bad;
}

static void
open_6(struct tracedat *t)
{
	for (uint64_t n = HEAD_FIRST;; n *= 4) {
		read_at(t, &t->formats, 0, n);
		if (read_6(t, text_as_str(&t->formats)))
			return;
		if (t->formats.len == t->size)
			unreadable(
			    t, t->size, "the file is truncated, or damaged, before its pages");
	}
}

void
tracedat_open(struct tracedat *t, struct reader *r)
{
	struct cursor c;
	struct str version, compression;
	struct text head = {0};
	size_t whole;

	*t = (struct tracedat){.reader = r, .source = lines_source(r->lines)};
	if (!source_seekable(t->source))
		source_whole(t->source, &whole);
	t->size = source_size(t->source);
	c = cursor_at(t, &head, 0, 4096);
	cursor_read(&c, strlen(TRACEDAT_MAGIC));
	version = cursor_string(&c);
	t->big = cursor_u8(&c) != 0;
	t->swapped = c.swapped = t->big ? CURSOR_BIG : CURSOR_LITTLE;
	t->word = cursor_u8(&c);
	t->page = cursor_u32(&c);
	if (c.bad || (t->word != 4 && t->word != 8) || t->page < 64 || t->page > PAGE_MAX)
		unreadable(t, 0, "a truncated or damaged header");
	if (str_is(version, "6")) {
		open_6(t);
	} else if (str_is(version, "7")) {
		size_t end = c.at;

		compression = cursor_string(&c);
		cursor_string(&c); /* version of its library */
		t->zlib = str_is(compression, "zlib");
		if (!t->zlib && !str_is(compression, "zstd") && !str_is(compression, "none"))
			unreadable(t, 0, "an unknown compression");
		uint64_t options = cursor_u64(&c);

		if (c.bad)
			unreadable(t, 0, "a truncated or damaged header");
		open_7(t, (struct str){head.s, end}, options);
	} else {
		reader_version_text(r, VERSION_TRACEDAT, version);
		unreadable(t, 0, "neither version 6 nor 7");
	}
	text_free(&head);
}

void
tracedat_free(struct tracedat *t)
{
	text_free(&t->formats);
	text_free(&t->symbols);
	text_free(&t->tasks);
	text_free(&t->compressed);
	text_free(&t->content);
	free(t->area);
}

/* Starts the next area; false after the last. */
static bool
open_area(struct tracedat *t)
{
	const struct tracedat_area *a;
	struct cursor c;

	if (t->at == t->narea)
		return false;
	a = &t->area[t->at];
	t->open = true;
	t->next = a->offset;
	if (a->offset >= t->size)
		t->next = t->end = t->size;
	else
		t->end = a->size < t->size - a->offset ? a->offset + a->size : t->size;
	if (t->end - t->next < a->size)
		reader_malformed_byte(
		    t->reader, t->size, "the file is truncated: pages are missing");
	if (a->page < 64 || a->page > PAGE_MAX) {
		reader_malformed_byte(t->reader, a->offset, "an impossible size of pages");
		t->next = t->end;
	}
	if (a->compressed) {
		c = cursor_at(t, &t->compressed, t->next, 4);
		t->chunks = cursor_u32(&c);
		t->next += 4;
	}
	return true;
}

/* Reads the next compressed chunk of the area, or its next page; false after the last. */
static bool
next_chunk(struct tracedat *t)
{
	const struct tracedat_area *a = &t->area[t->at];
	uint32_t compressed, content;
	struct cursor c;
	struct str data;

	text_cut(&t->content, 0);
	t->page_at = 0;
	if (t->next >= t->end)
		return false;
	if (!a->compressed) {
		read_at(t, &t->content, t->next,
		    a->page < t->end - t->next ? a->page : t->end - t->next);
		t->next += t->content.len;
		return t->content.len > 0;
	}
	if (t->chunks == 0)
		return false;
	t->chunks--;
	c = cursor_at(t, &t->compressed, t->next, 8);
	compressed = cursor_u32(&c);
	content = cursor_u32(&c);
	data = read_at(t, &t->compressed, t->next + 8, compressed);
	if (c.bad || data.len < compressed || !add_chunk(t, data, content, &t->content)) {
		reader_malformed_byte(t->reader, t->next, "a truncated or damaged chunk of pages");
		return false;
	}
	t->next += 8 + (uint64_t)compressed;
	return true;
}

bool
tracedat_page(struct tracedat *t, struct str *page, bool *first, uint64_t *offset)
{
	*first = false;
	for (;;) {
		if (!t->open) {
			*first = true;
			if (!open_area(t))
				return false;
		}
		if (t->page_at < t->content.len || next_chunk(t)) {
			const size_t left = t->content.len - (size_t)t->page_at;
			const size_t n = t->area[t->at].page;

			*page = (struct str){t->content.s + t->page_at, left < n ? left : n};
			*offset = t->next;
			t->page_at += page->len;
			return true;
		}
		t->open = false;
		t->at++;
	}
}
