/*
 * frame: parses a frame's name from its end, where annotation, source and suffixes are.
 */
#include "names/frame.h"

#include <ctype.h>
#include <string.h>

#include "names/canonical.h"

#define ANNOTATION(id, letter, kind, word, suffix, summary) \
	{letter[0], ANNOTATE_##id, word, suffix},
const struct frame_annotation frame_annotations[] = {
#include "names/annotations.def"
    {0}};

bool
frame_is_letter(char c)
{
	static const char letters[] =
#define ANNOTATION(id, letter, ...) letter
#include "names/annotations.def"
	    ;

	return memchr(letters, c, sizeof letters - 1) != NULL;
}

void
frame_list_letters(struct text *help)
{
	for (const struct frame_annotation *a = frame_annotations; a->letter != '\0'; a++)
		text_printf(
		    help, "%s%c %s", a == frame_annotations ? "" : ", ", a->letter, a->word);
}

void
frame_list_suffixes(struct text *help)
{
	for (const struct frame_annotation *a = frame_annotations; a->letter != '\0'; a++)
		text_printf(help, " %s", a->suffix);
}

/*
 * The letter of the annotation at the end, or 0. A name that is only an annotation
 * is a function of that name.
 */
static char
annotation(const char *s, size_t len)
{
	const char *end = s + len;

	if (len < 5 || end[-1] != ']' || end[-3] != '[' || end[-4] != '_' ||
	    !frame_is_letter(end[-2]))
		return 0;
	return end[-2];
}

/* Length without ` (file:line)`. */
static size_t
without_source(const char *s, size_t len)
{
	size_t i = len;

	if (len < 6 || s[len - 1] != ')')
		return len;
	for (i--; i > 0 && s[i - 1] >= '0' && s[i - 1] <= '9'; i--)
		continue;
	if (i == len - 1 || i < 4 || s[i - 1] != ':')
		return len;
	for (i -= 2; i > 1; i--)
		if (s[i] == '(')
			return s[i - 1] == ' ' ? i - 1 : len;
	return len;
}

size_t
frame_body(const char *s, size_t len)
{
	size_t before;

	do {
		before = len;
		while (annotation(s, len) != 0)
			len -= 4;
		len = without_source(s, len);
	} while (len != before);
	return len;
}

bool
frame_annotated(const char *s, size_t len, char which)
{
	size_t before;

	do {
		before = len;
		for (char a; (a = annotation(s, len)) != 0; len -= 4)
			if (a == which)
				return true;
		len = without_source(s, len);
	} while (len != before);
	return false;
}

bool
frame_in_kernel(const char *s, size_t len)
{
	struct str module;

	if (frame_annotated(s, len, 'k'))
		return true;
	module.s = frame_module(s, len, &module.len);
	return module.s != NULL && frame_kind_of(module) == FRAME_KERNEL;
}

size_t
frame_drop_annotations(char *s, size_t len)
{
	size_t end = len, before;

	do {
		before = end;
		while (annotation(s, end) != 0) {
			memmove(s + end - 4, s + end, len - end);
			end -= 4;
			len -= 4;
		}
		end = without_source(s, end);
	} while (end != before);
	return len;
}

const char *
frame_module(const char *s, size_t len, size_t *n)
{
	const char *tick;

	len = frame_body(s, len);
	tick = memchr(s, '`', len);
	if (tick != NULL) {
		*n = (size_t)(tick - s);
		return s;
	}
	if (len > 2 && s[0] == '[' && s[len - 1] == ']') {
		*n = len - 2;
		return s + 1;
	}
	return NULL;
}

/* Length without .NET's tier after the argument list: `)[Tier0]`, `)[Optimized]`. */
static size_t
without_tier(const char *s, size_t len)
{
	size_t i = len;

	if (len == 0 || s[len - 1] != ']')
		return len;
	for (i--; i > 0 && isalnum((unsigned char)s[i - 1]); i--)
		continue;
	return i >= 2 && i < len - 1 && s[i - 1] == '[' && s[i - 2] == ')' ? i - 1 : len;
}

/* Length without suffixes of an argument list: a member function's qualifiers, clone suffixes. */
static size_t
without_qualifiers(const char *s, size_t len)
{
	static const char *const qualifier[] = {
	    " const", " volatile", " noexcept", " &", "&&", "&", " "};
	size_t before;

	len = without_tier(s, len);
	do {
		before = len;
		for (size_t i = 0; i < sizeof qualifier / sizeof qualifier[0]; i++)
			if (text_ends(s, len, qualifier[i]))
				len -= strlen(qualifier[i]);
		if (len > 0 && s[len - 1] == ']') {
			const char *clone = memmem(s, len, " [clone ", 8);

			if (clone != NULL)
				len = (size_t)(clone - s);
		}
	} while (len != before);
	return len;
}

size_t
frame_without_arguments(const char *s, size_t len)
{
	size_t end, open;
	int depth = 0;

	if (memchr(s, ')', len) == NULL) /* nearly all names */
		return len;
	end = open = without_qualifiers(s, len);
	if (end == 0 || s[end - 1] != ')')
		return len;
	do {
		open--;
		if (s[open] == ')')
			depth++;
		else if (s[open] == '(')
			depth--;
	} while (open > 0 && depth > 0);
	if (depth != 0 || open == 0 || s[open - 1] == '.' || s[open - 1] == ' ' ||
	    s[open - 1] == ':' || text_ends(s, open, "operator") ||
	    text_starts(s + open, end - open, "(anonymous"))
		return len;
	return open;
}

/* Index of the dot before the last word of a name, or len if there is none. */
static size_t
last_dot(const char *s, size_t len)
{
	const char *dot = memrchr(s, '.', len);

	return dot != NULL ? (size_t)(dot - s) : len;
}

static bool
all_of(const char *s, const char *end, const char *set)
{
	for (; s < end; s++)
		if (*s == '\0' || strchr(set, *s) == NULL)
			return false;
	return true;
}

/* Length without the last clone suffix. */
static size_t
without_clone(const char *s, size_t len)
{
	static const char *const word[] = {
	    "part", "constprop", "isra", "cold", "lto_priv", "llvm", "localalias", "clone"};
	size_t dot = last_dot(s, len), before;

	if (len > 0 && s[len - 1] == ']') {
		for (size_t i = len; i-- > 0;)
			if (text_starts(s + i, len - i, " [clone "))
				return i;
		return len;
	}
	if (dot + 1 >= len)
		return canonical_without_hash(s, len);
	for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
		if (text_is(s + dot + 1, len - dot - 1, word[i]))
			return dot;
	if (all_of(s + dot + 1, s + len, "0123456789")) {
		before = last_dot(s, dot);
		for (size_t i = 0; before < dot && i < sizeof word / sizeof word[0]; i++)
			if (text_is(s + before + 1, dot - before - 1, word[i]))
				return before;
	}
	if (len - dot > 8 && all_of(s + dot + 1, s + len, "0123456789abcdef"))
		return dot;
	return canonical_without_hash(s, len);
}

size_t
frame_without_clones(const char *s, size_t len)
{
	for (;;) {
		size_t n = without_clone(s, len);

		if (n == len || n == 0)
			return len;
		len = n;
	}
}

struct str
frame_module_name(struct str module)
{
	if (text_ends(module.s, module.len, " (deleted)"))
		module.len -= strlen(" (deleted)");
	return str_base(module);
}

static bool
is_kernel(struct str module, struct str base)
{
	static const char *const user[] = {
	    "[unknown]", "[heap]", "[stack]", "[anon]", "[vdso]", "[JIT]"};

	if (module.len > 0 && module.s[0] == '[') {
		for (size_t i = 0; i < sizeof user / sizeof user[0]; i++)
			if (text_starts(module.s, module.len, user[i]))
				return false;
		return true;
	}
	return text_starts(base.s, base.len, "vmlinux") ||
	       text_starts(base.s, base.len, "bpf_prog_") || text_ends(base.s, base.len, ".ko") ||
	       text_ends(base.s, base.len, ".ko.xz") || text_ends(base.s, base.len, ".ko.zst") ||
	       text_ends(base.s, base.len, ".ko.gz");
}

static bool
is_jit(struct str module, struct str base)
{
	if (text_starts(module.s, module.len, "[JIT]") || text_is(module.s, module.len, "[jit]"))
		return true;
	return base.len != module.len &&
	       ((text_starts(base.s, base.len, "perf-") && text_ends(base.s, base.len, ".map")) ||
		   (text_starts(base.s, base.len, "jitted-") &&
		       text_ends(base.s, base.len, ".so")));
}

static bool
is_library(struct str base)
{
	return text_ends(base.s, base.len, ".so") || text_ends(base.s, base.len, ".dylib") ||
	       text_has(base.s, base.len, ".so.");
}

enum frame_kind
frame_kind_of(struct str module)
{
	struct str base = frame_module_name(module);

	return is_jit(module, base)	 ? FRAME_JIT
	       : is_kernel(module, base) ? FRAME_KERNEL
	       : is_library(base)	 ? FRAME_LIBRARY
					 : FRAME_USER;
}

size_t
frame_clean(char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == ';')
			s[i] = ':';
		else if (c < 0x20 || c == 0x7f)
			s[i] = ' ';
	}
	return len;
}

/* Writes the module of an unknown function in brackets, with its address if the style has addrs. */
static void
write_unknown(struct text *t, const struct frame *f, const struct frame_style *style)
{
	struct str module = frame_module_name(f->module);

	if (module.len > 2 && module.s[0] == '[' && module.s[module.len - 1] == ']') {
		module.s++;
		module.len -= 2;
	}
	text_char(t, '[');
	if (module.len == 0)
		text_puts(t, "unknown");
	else
		text_str(t, module);
	if (style->addrs && f->has_address)
		text_printf(t, " <%llx>", (unsigned long long)f->address);
	text_char(t, ']');
}

static const char *
suffix(const struct frame *f, unsigned annotate)
{
	static const char *const of[] = {
	    [FRAME_USER] = "",
#define ANNOTATION(id, letter, kind, word, suffix, summary) [FRAME_##id] = suffix,
#include "names/annotations.def"
	};
	enum frame_kind kind = f->inlined ? FRAME_INLINE : f->kind;

	return annotate & 1u << kind ? of[kind] : "";
}

void
frame_write(struct text *t, const struct frame *f, const struct frame_style *style)
{
	size_t begin = t->len;

	if (f->function.len == 0) {
		write_unknown(t, f, style);
	} else {
		if (style->module && f->module.len > 0) {
			text_str(t, frame_module_name(f->module));
			text_char(t, '`');
		}
		if (f->kind != FRAME_JIT ||
		    !canonical_generated(t, f->function, style->source && f->file.len == 0))
			canonical_add(t, f->function);
	}
	if (style->source && f->file.len > 0) {
		text_puts(t, " (");
		text_str(t, f->file);
		if (f->line > 0)
			text_printf(t, ":%u", f->line);
		text_char(t, ')');
	}
	frame_clean(t->s + begin, t->len - begin);
	while (t->len > begin && t->s[t->len - 1] == ' ') /* readers drop spaces at a leaf's end */
		t->len--;
	text_puts(t, suffix(f, style->annotate));
}

static enum frame_kind
kind_of(char letter)
{
#define ANNOTATION(id, known, ...) \
	if (letter == known[0])    \
		return FRAME_##id;
#include "names/annotations.def"
	return FRAME_USER;
}

/* Sets the frame's properties from its annotation. */
static void
read_annotation(struct frame *f, char a)
{
	if (a == 'i')
		f->inlined = true;
	else
		f->kind = kind_of(a);
}

/* Parses the text inside ` (file:line)`. */
static void
read_source(struct frame *f, const char *s, size_t len)
{
	size_t colon = len - 1;

	while (s[colon] != ':')
		colon--;
	f->line = 0;
	f->file = (struct str){s, colon};
	for (size_t i = colon + 1; i < len; i++)
		f->line = f->line * 10 + (unsigned)(s[i] - '0');
}

void
frame_read(struct frame *f, struct str text)
{
	size_t len = text.len, before;
	const char *tick;

	*f = (struct frame){0};
	do {
		size_t end;

		before = len;
		for (char a; (a = annotation(text.s, len)) != 0; len -= 4)
			read_annotation(f, a);
		end = len;
		len = without_source(text.s, len);
		if (len != end)
			read_source(f, text.s + len + 2, end - 1 - (len + 2));
	} while (len != before);
	tick = memchr(text.s, '`', len);
	if (tick != NULL) {
		f->module = (struct str){text.s, (size_t)(tick - text.s)};
		f->function = (struct str){tick + 1, len - f->module.len - 1};
	} else if (len > 2 && text.s[0] == '[' && text.s[len - 1] == ']') {
		if (!text_is(text.s, len, "[unknown]"))
			f->module = (struct str){text.s + 1, len - 2};
	} else {
		f->function = (struct str){text.s, len};
	}
}
