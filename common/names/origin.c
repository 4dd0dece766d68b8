/*
 * origin: parses module, source and annotations of a frame's name, and classifies the origin of
 * its code. The viewer gets the results with the picture (viewertables.c) and does not repeat this.
 */
#include <string.h>

#include "base/hash.h"
#include "names/canonical.h"
#include "names/frame.h"
#include "names/library.h"
#include "names/origin.h"

#define BUILD_ID_DIGITS 64
#define FIRST_CODE 4096 /* modules have no code below; larger offsets in functions are rare */

static bool
is_hex(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!((s[i] >= '0' && s[i] <= '9') || (s[i] >= 'a' && s[i] <= 'f')))
			return false;
	return len > 0;
}

/* Kernels and their mappings in all processes, as named by dtrace, perf and others. */
static bool
is_system_module(struct str m)
{
	return frame_kind_of(m) == FRAME_KERNEL || text_is(m.s, m.len, "unix") ||
	       text_is(m.s, m.len, "genunix") || text_is(m.s, m.len, "mach_kernel") ||
	       text_is(m.s, m.len, "vsyscall") || text_has(m.s, m.len, "vdso") ||
	       text_starts(m.s, m.len, "kernel") || text_starts(m.s, m.len, "guest.kernel");
}

/* True if the frame has no symbol, and no file as module. */
static bool
is_unknown(struct str s, bool module)
{
	if (module)
		return text_is(s.s, s.len, "unknown") || text_is(s.s, s.len, "heap") ||
		       text_is(s.s, s.len, "stack") || text_starts(s.s, s.len, "anon") ||
		       text_starts(s.s, s.len, "?");
	return text_is(s.s, s.len, "??") || text_is(s.s, s.len, "???") ||
	       text_is(s.s, s.len, "unknown") || text_is(s.s, s.len, "-") ||
	       (text_starts(s.s, s.len, "0x") && is_hex(s.s + 2, s.len - 2));
}

/* True for what producers write in place of a function: guests, omitted stacks, signals. */
static bool
is_note(struct str text)
{
	static const char *const notes[] = {
	    "[guest]", "[java]", "[other]", "[outside]", "[signal]", "[truncated]", "[unsampled]"};

	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
		if (text_is(text.s, text.len, notes[i]))
			return true;
	return false;
}

/*
 * True for standard libraries, packages and system directories; the name can contain a path,
 * too.
 */
static bool
is_library(const struct frame_name *n)
{
	return library_has(
	    (struct str){n->text, n->len}, n->file, (struct str){n->start, n->all}, n->kind);
}

/* True for a path of both kernel and program sources. */
static bool
is_kernel_source(struct str file)
{
	static const char *const end[] = {".c", ".h", ".S", ".rs"};

	for (size_t i = 0; i < sizeof end / sizeof end[0]; i++)
		if (text_ends(file.s, file.len, end[i]))
			return true;
	return false;
}

/*
 * Origin of the code by annotation, module or path. A bare name is a program's function if
 * other names of the profile are annotated.
 */
enum origin
name_origin(const struct frame_name *n, bool annotated_profile)
{
	struct str text = {n->text, n->len}, module = {n->start, n->module};
	bool bracketed = false;

	if (n->kind == FRAME_KERNEL)
		return ORIGIN_SYSTEM;
	if (n->kind == FRAME_LIBRARY)
		return ORIGIN_LIBRARY;
	if (n->kind == FRAME_JIT && text_is(text.s, text.len, "[jit]"))
		return ORIGIN_UNKNOWN;
	if (n->kind == FRAME_JIT || n->kind == FRAME_SCRIPT)
		return is_library(n) ? ORIGIN_LIBRARY : ORIGIN_USER;
	if (is_note(text))
		return ORIGIN_UNKNOWN;
	if (module.len == 0 && text.len > 2 && text.s[0] == '[' && text.s[text.len - 1] == ']') {
		module = (struct str){text.s + 1, text.len - 2};
		bracketed = true;
	}
	if (module.len != 0 && is_system_module(module))
		return ORIGIN_SYSTEM;
	if (module.len != 0 && frame_kind_of(module) == FRAME_LIBRARY)
		return ORIGIN_LIBRARY;
	if (is_unknown(bracketed ? module : text, bracketed))
		return ORIGIN_UNKNOWN;
	if (is_library(n))
		return ORIGIN_LIBRARY;
	/* Go's main.page; its programs have no libraries that are annotated */
	if (module.len != 0 || annotated_profile || text_starts(text.s, text.len, "main."))
		return ORIGIN_USER;
	return n->file.len != 0 && !is_kernel_source(n->file) ? ORIGIN_USER : ORIGIN_UNKNOWN;
}

bool
name_inherits(const struct frame_name *n)
{
	return n->inlined && n->module == 0 && n->kind == FRAME_USER && !is_library(n);
}

/* The part before +0xHEX of a native function's name, and the number; len 0: another form. */
static struct str
before_offset(const struct frame_name *n, uint64_t *offset)
{
	struct str none = {n->text, 0};
	const char *end = n->text + n->len, *at = end;
	struct str module;

	if (n->inlined || n->file.len > 0 || (n->kind != FRAME_USER && n->kind != FRAME_LIBRARY))
		return none;
	while (at > n->text && is_hex(at - 1, 1))
		at--;
	if (at - n->text < 4 || !text_starts(at - 3, 3, "+0x") ||
	    text_hex(at, (size_t)(end - at), offset) == 0)
		return none;
	module = (struct str){n->text, (size_t)(at - 3 - n->text)};
	/* Another module in front of it: an offset in a function of that module. */
	return n->module == 0 || str_equal(module, (struct str){n->start, n->module}) ? module
										      : none;
}

struct str
name_start_module(const struct frame_name *n)
{
	uint64_t start = 0;
	struct str module = before_offset(n, &start);

	if (!n->stripped && n->module == 0 && start < FIRST_CODE)
		module.len = 0;
	return module;
}

const char *
name_build(const char *of, struct str module)
{
	const char *colon = strrchr(of, ':');
	size_t len;

	if (colon == NULL || !str_equal((struct str){of, (size_t)(colon - of)}, module))
		return NULL;
	if (strcmp(++colon, "none") == 0)
		return "";
	len = strlen(colon);
	return len > 0 && len <= BUILD_ID_DIGITS && is_hex(colon, len) ? colon : NULL;
}

void
name_find_build(struct frame_name *n, const struct labels *l)
{
	const struct label *label = labels_find(l, NAME_BUILD_ID);
	uint64_t start;
	struct str module = {0};

	if (label != NULL)
		module = before_offset(n, &start);
	for (unsigned i = 0; module.len > 0 && !n->stripped && i < label->n; i++)
		n->stripped = name_build(label->value[i], module) != NULL;
}

bool
name_is_missing(const struct frame_name *n)
{
	if (n->len <= 2 || n->text[0] != '[' || n->text[n->len - 1] != ']')
		return is_unknown((struct str){n->text, n->len}, false) ||
		       name_start_module(n).len > 0;
	return n->module == 0 && !is_note((struct str){n->text, n->len});
}

bool
name_is_anonymous(const struct frame_name *n)
{
	static const char *const end[] = {"(anonymous)", "<lambda>", "<genexpr>", "<listcomp>",
	    "<dictcomp>", "<setcomp>", "{closure}", "__ANON__"};

	if (n->line == 0)
		return false;
	for (size_t i = 0; i < sizeof end / sizeof end[0]; i++)
		if (text_ends(n->text, n->len, end[i]))
			return true;
	return text_starts(n->text, n->len, "block in ") || text_starts(n->text, n->len, "block (");
}

bool
name_same_function(const struct frame_name *a, const struct frame_name *b)
{
	return a->bare == b->bare && memcmp(a->start, b->start, a->bare) == 0 &&
	       str_equal(a->file, b->file) && (a->line == b->line || !name_is_anonymous(a));
}

uint64_t
name_hash_function(const struct frame_name *n)
{
	uint64_t file = n->file.len != 0 ? hash_bytes(n->file.s, n->file.len) : 0;

	return hash_bytes(n->start, n->bare) ^
	       hash_number(name_is_anonymous(n) ? file + n->line : file);
}

bool
name_is_entry(const struct frame_name *n)
{
	static const char *const entry[] = {"_start", "__libc_start_main", "__libc_start_call_main",
	    "start_thread", "clone", "clone3", "__clone", "__clone3", "thread_start",
	    "_dl_start_user", "_dl_start", "generic_start_main", "__libc_start_main_impl"};

	if (n->len == 0 || strchr("_sctg", n->text[0]) == NULL)
		return false;
	for (size_t i = 0; i < sizeof entry / sizeof entry[0]; i++)
		if (text_starts(n->text, n->len, entry[i])) {
			size_t len = strlen(entry[i]);

			if (n->len == len || n->text[len] == '@')
				return true;
		}
	return text_starts(n->text, n->len, "__libc_start_main");
}

/* True for a file of the C library or the loader, such as libc.so.6 and ld-musl-x86_64.so.1. */
static bool
is_c_library(struct str m)
{
	static const char *const file[] = {"libc", "libpthread", "ld", "ld-linux", "ld-musl",
	    "libsystem", "libdyld", "linux-vdso"};

	m = str_base(m);
	for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
		size_t len = strlen(file[i]);

		if (text_starts(m.s, m.len, file[i]) &&
		    (m.len == len || strchr("-._", m.s[len]) != NULL))
			return true;
	}
	return false;
}

bool
name_is_system(const struct frame_name *n)
{
	struct str module = {n->start, n->module}, of = name_start_module(n);

	if (n->kind == FRAME_KERNEL || name_is_entry(n))
		return true;
	if (module.len == 0)
		module = of;
	if (module.len == 0 && n->len > 2 && n->text[0] == '[' && n->text[n->len - 1] == ']')
		module = (struct str){n->text + 1, n->len - 2};
	return module.len > 0 && (is_system_module(module) || is_c_library(module));
}

struct frame_name
name_parse(const char *s, uint32_t len)
{
	struct frame_name n = {.start = s, .text = s, .all = len};
	struct frame f;
	const char *tick;

	frame_read(&f, (struct str){s, len});
	n.kind = f.kind;
	n.inlined = f.inlined;
	n.file = f.file;
	n.line = f.line;
	n.bare = n.len = (uint32_t)frame_body(s, len);
	tick = memchr(s, '`', n.len);
	if (tick != NULL && tick > s && tick < s + n.len - 1) {
		n.module = (uint32_t)(tick - s);
		n.text = tick + 1;
		n.len -= n.module + 1;
	}
	return n;
}

uint32_t
name_hash(const struct frame_name *n)
{
	const char *s = n->text;
	size_t len = n->len;
	const char *plus = memrchr(s, '+', len);
	uint32_t hash = 2166136261u; /* FNV-1a, 32 bits */

	if (plus != NULL && plus > s && text_starts(plus, len - (size_t)(plus - s), "+0x") &&
	    is_hex(plus + 3, len - (size_t)(plus - s) - 3))
		len = (size_t)(plus - s);
	len = canonical_without_hash(s, len);
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)s[i]) * 16777619u;
	return hash;
}
