/*
 * android: layouts are those of simpleperf/record_file_reader.cpp and record_file.proto of AOSP's
 * system/extras.
 */
#include "fg-collapse/perfdata/android.h"

#include <stdlib.h>
#include <string.h>

#include "dwarf/demangle.h"
#include "fg-collapse/shape/protobuf.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/simpleperf/namedframe.h"

/* Types of files, DsoType in simpleperf/dso.h. */
enum { TYPE_KERNEL, TYPE_KERNEL_MODULE, TYPE_ELF, TYPE_DEX };

/* A file of the section. */
struct entry {
	struct str path;
	uint32_t type;
	uint64_t min_vaddr; /* lowest address of its executable segments */
	uint64_t min_offset; /* offset of min_vaddr in the file */
	bool has_offset;
};

/* True for code of ART's JIT compiler, whose symbols have addresses of the process. */
static bool
is_jit(struct str path)
{
	return text_has(path.s, path.len, "_jit_app_cache:") ||
	       text_has(path.s, path.len, "_jit_zygote_cache:") ||
	       str_starts(str_base(path), "TemporaryFile-");
}

/* The file that gets the functions of e; NULL if their addresses cannot be used. */
static struct storedsym_file *
add_file(struct storedsyms *to, const struct entry *e)
{
	struct storedsym_file *f;

	if (e->type == TYPE_KERNEL)
		return storedsyms_add(to, str_of(STOREDSYM_KERNEL));
	/* simpleperf looks up the functions of kernel modules in the kernel, too. */
	if (e->type == TYPE_KERNEL_MODULE || e->path.len == 0)
		return NULL;
	f = storedsyms_add(to, e->path);
	f->absolute = is_jit(e->path);
	if (e->type == TYPE_ELF) {
		/* simpleperf before 2019 stored no offset: a mapping starts at min_vaddr. */
		f->by_mapping = !e->has_offset;
		f->bias = e->min_vaddr - (e->has_offset ? e->min_offset : 0);
	}
	return f;
}

/*
 * Adds a function; name is a linker name, or a Java method. Methods in JIT code can have types,
 * which naming removes: "void Foo.bar(int)".
 */
static void
add_function(struct storedsym_file *f, uint64_t vaddr, uint64_t length, struct str name)
{
	static const char linker[] = "__dl_"; /* prefix of all functions in Android's linker */
	const struct str inner = str_from(name, sizeof linker - 1);
	struct text t = {0};
	char *plain;

	if (f == NULL)
		return;
	if (str_starts(name, linker)) {
		plain = demangle(inner.s, inner.len, false);
		text_puts(&t, "[linker]");
		if (plain != NULL)
			text_puts(&t, plain);
		else
			text_str(&t, inner);
		free(plain);
	} else if (f->absolute || str_starts(name, "_Z") || str_starts(name, "_R")) {
		text_str(&t, name);
	} else {
		simpleperf_name(&t, name);
	}
	if (t.len > 0)
		storedsym_add(f, vaddr, length, text_as_str(&t));
	text_free(&t);
}

static bool
read_file(struct storedsyms *to, struct str bytes, bool swapped)
{
	struct cursor start = cursor_of(bytes.s, bytes.len, swapped), *c = &start;
	struct entry e = {.path = cursor_string(c)};
	struct cursor functions;
	struct storedsym_file *f;
	uint32_t n;

	e.type = cursor_u32(c);
	e.min_vaddr = cursor_u64(c);
	n = cursor_u32(c);
	functions = *c;
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		cursor_read(c, 8 + 4);
		cursor_string(c);
	}
	if (c->bad)
		return false;
	e.has_offset = e.type == TYPE_ELF && cursor_left(c) >= 8;
	if (e.has_offset)
		e.min_offset = cursor_u64(c);
	f = add_file(to, &e);
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t vaddr = cursor_u64(&functions);
		const uint32_t length = cursor_u32(&functions);

		add_function(f, vaddr, length, cursor_string(&functions));
	}
	return true;
}

/* Messages of record_file.proto. */
struct proto_function {
	uint64_t vaddr, length;
	struct str name;
};
static const struct protobuf_member function_members[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct proto_function, vaddr),
    [2] = PROTOBUF_MEMBER(NUMBER, struct proto_function, length),
    [3] = PROTOBUF_MEMBER(TEXT, struct proto_function, name),
};

struct proto_file {
	struct str path, elf;
	uint64_t type, min_vaddr, min_offset;
	struct protobuf_items function;
};
static const struct protobuf_member file_members[] = {
    [1] = PROTOBUF_MEMBER(TEXT, struct proto_file, path),
    [2] = PROTOBUF_MEMBER(NUMBER, struct proto_file, type),
    [3] = PROTOBUF_MEMBER(NUMBER, struct proto_file, min_vaddr),
    [4] = PROTOBUF_EACH(struct proto_file, function, struct proto_function, function_members),
    [6] = PROTOBUF_MEMBER(TEXT, struct proto_file, elf), /* a message, of ELF files */
};
static const struct protobuf_member elf_members[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct proto_file, min_offset),
};

static bool
read_proto_file(struct storedsyms *to, struct str bytes, bool swapped)
{
	struct proto_file m = {0};
	const struct proto_function *function;
	struct storedsym_file *file;
	const bool valid = protobuf_read(bytes, file_members, PROTOBUF_ROWS(file_members), &m) &&
			   protobuf_read(m.elf, elf_members, PROTOBUF_ROWS(elf_members), &m);

	(void)swapped; /* protobuf has one byte order */
	function = m.function.at;
	if (valid) {
		file = add_file(to, &(struct entry){.path = m.path,
					.type = (uint32_t)m.type,
					.min_vaddr = m.min_vaddr,
					.min_offset = m.min_offset,
					.has_offset = m.elf.s != NULL});
		for (size_t i = 0; i < m.function.n; i++)
			add_function(file, function[i].vaddr, function[i].length, function[i].name);
	}
	free(m.function.at);
	return valid;
}

/* Reads a section: entries with their length before them. */
static bool
read_entries(struct storedsyms *to, struct cursor *c,
    bool (*read_entry)(struct storedsyms *, struct str, bool swapped))
{
	bool valid = true;

	while (cursor_left(c) > 0 && !c->bad) {
		const uint32_t n = cursor_u32(c);
		const char *bytes = cursor_read(c, n);

		valid &= bytes != NULL && read_entry(to, (struct str){bytes, n}, c->swapped);
	}
	return valid && !c->bad;
}

bool
android_files(struct storedsyms *to, struct cursor *c)
{
	return read_entries(to, c, read_file);
}

bool
android_proto_files(struct storedsyms *to, struct cursor *c)
{
	return read_entries(to, c, read_proto_file);
}

/* Names the events with the type and number of a line "name,type,number". */
static void
name_event(struct attrs *attrs, struct str line)
{
	struct str name = line, type_text, number_text;
	uint64_t type, number;

	name.len = str_find_last(name, ",");
	number_text = str_from(line, name.len + 1);
	name.len = str_find_last(name, ",");
	type_text = str_from(line, name.len + 1);
	if (!scan_number(&type_text, &type) || !scan_number(&number_text, &number))
		return;
	for (size_t i = 0; i < attrs->n; i++)
		if (!attrs->attr[i].named && attrs->attr[i].attr.type == type &&
		    attrs->attr[i].attr.config == number)
			attrs_name(attrs, i, name);
}

bool
android_meta(struct cursor *c, struct attrs *attrs)
{
	while (cursor_left(c) > 0 && !c->bad) {
		const struct str key = cursor_string(c);
		struct str events = cursor_string(c), line;

		if (!str_is(key, "event_type_info"))
			continue;
		while (scan_line(&events, &line))
			name_event(attrs, line);
	}
	return !c->bad;
}
