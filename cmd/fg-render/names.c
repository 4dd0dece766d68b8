/*
 * names: what a frame's name says besides its text. Annotations (_[k]), the
 * module (module`function) and the source (file:line) are properties of a frame;
 * where its code comes from is told by them.
 */
#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "profile/frame.h"
#include "render.h"
#include "base/text.h"

static bool
is_hex(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!((s[i] >= '0' && s[i] <= '9') || (s[i] >= 'a' && s[i] <= 'f')))
			return false;
	return len > 0;
}

static bool
is_system_module(const char *s, size_t len)
{
	return text_is(s, len, "vmlinux") || text_is(s, len, "unix") ||
	       text_is(s, len, "genunix") || text_is(s, len, "mach_kernel") ||
	       text_is(s, len, "vdso") || text_is(s, len, "vsyscall") ||
	       text_starts(s, len, "kernel") || text_starts(s, len, "guest.kernel") ||
	       text_ends(s, len, ".ko");
}

static bool
is_library_module(const char *s, size_t len)
{
	return text_ends(s, len, ".so") || text_has(s, len, ".so.") || text_ends(s, len, ".dylib");
}

/* No symbol was found, and the module, if any, is no file either. */
static bool
is_unknown(const char *s, size_t len)
{
	if (len > 2 && s[0] == '[' && s[len - 1] == ']') {
		s++;
		len -= 2;
		return text_is(s, len, "unknown") || text_is(s, len, "heap") ||
		       text_is(s, len, "stack") || text_starts(s, len, "anon") ||
		       text_starts(s, len, "?");
	}
	return text_is(s, len, "??") || text_is(s, len, "???") || text_is(s, len, "unknown") ||
	       text_is(s, len, "-") || (text_starts(s, len, "0x") && is_hex(s + 2, len - 2));
}

static bool
is_library_path(const char *s, size_t len)
{
	return text_has(s, len, "site-packages") || text_has(s, len, "dist-packages") ||
	       text_has(s, len, "node_modules") || text_has(s, len, "/usr/lib") ||
	       text_has(s, len, "/usr/include") || text_has(s, len, "node:") ||
	       text_has(s, len, "<frozen ") || text_has(s, len, "<built-in");
}

static enum origin
origin(const char *s, size_t len, const struct name *n)
{
	const char *module = n->start;
	size_t nmodule = n->module;

	if (nmodule == 0 && n->len > 2 && n->text[0] == '[' && n->text[n->len - 1] == ']') {
		module = n->text + 1;
		nmodule = n->len - 2;
	} else if (nmodule > 2 && module[0] == '[' && module[nmodule - 1] == ']') {
		module++;
		nmodule -= 2;
	}
	if (is_system_module(module, nmodule))
		return ORIGIN_SYSTEM;
	if (is_library_module(module, nmodule))
		return ORIGIN_LIBRARY;
	if (is_unknown(n->text, n->len))
		return ORIGIN_UNKNOWN;
	return is_library_path(s, len) ? ORIGIN_LIBRARY : ORIGIN_USER;
}

struct name
name_parse(const char *s, uint32_t len)
{
	struct name n = {.start = s, .text = s, .all = len};
	bool kernel = frame_annotated(s, len, 'k'), library = frame_annotated(s, len, 'l');
	bool jit = frame_annotated(s, len, 'j');
	const char *tick;

	n.annotated = kernel || library || jit || frame_annotated(s, len, 'i') ||
		      frame_annotated(s, len, 'w');
	len = (uint32_t)frame_body(s, len);
	n.bare = n.len = len;
	tick = memchr(s, '`', len);
	if (tick != NULL && tick > s && tick < s + len - 1) {
		n.module = (uint32_t)(tick - s);
		n.text = tick + 1;
		n.len = len - n.module - 1;
	}
	n.origin = kernel			       ? ORIGIN_SYSTEM
		   : library			       ? ORIGIN_LIBRARY
		   : jit && !is_library_path(s, n.all) ? ORIGIN_USER
						       : origin(s, n.all, &n);
	return n;
}

uint32_t
name_hash(const struct name *n)
{
	const char *s = n->text;
	size_t len = n->len;
	const char *plus = memrchr(s, '+', len);
	uint32_t hash = 2166136261u; /* FNV-1a, 32 bits */

	if (plus != NULL && plus > s && text_starts(plus, len - (size_t)(plus - s), "+0x") &&
	    is_hex(plus + 3, len - (size_t)(plus - s) - 3))
		len = (size_t)(plus - s);
	len = frame_without_hash(s, len);
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)s[i]) * 16777619u;
	return hash;
}

/* Append s as UTF-8; what cannot be converted becomes U+FFFD. */
static void
convert(struct text *b, iconv_t from, const char *s, size_t len)
{
	char *in = (char *)(uintptr_t)s;

	while (len > 0) {
		size_t room = 4 * len + 16;
		char *out;

		text_room(b, room);
		out = b->s + b->len;
		room = b->cap - b->len - 1;
		if (iconv(from, &in, &len, &out, &room) == (size_t)-1 && errno != E2BIG) {
			b->len = (size_t)(out - b->s);
			text_puts(b, "\xef\xbf\xbd");
			in++;
			len--;
		} else {
			b->len = (size_t)(out - b->s);
		}
	}
}

static bool
is_plain(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (s[i] < 0x20 || s[i] == 0x7f)
			return false;
	return true;
}

void
names_clean(struct picture *p)
{
	const char *encoding = p->options->encoding;
	const struct calltree *t = p->tree;
	iconv_t from = NULL;

	if (encoding != NULL && (from = iconv_open("UTF-8", encoding)) == (iconv_t)-1)
		cli_usage("--encoding: %s: not known", encoding);
	p->text = cli_alloc(t->nname, sizeof *p->text);
	p->name = cli_alloc(t->nname, sizeof *p->name);
	for (uint32_t i = 0; i < t->nname; i++) {
		struct text converted = {0}, clean = {0};
		struct calltree_name *text = &p->text[i];

		*text = t->name[i];
		if (picture_is_gap(p, i)) {
			text->len = 0;
		} else if (i == 0) {
			*text = (struct calltree_name){.s = "all", .len = 3};
		} else if (from != NULL || !is_plain(text->s, text->len)) {
			/* Kept to the end: few names are not plain ASCII, and all of them are
			 * drawn. */
			if (from != NULL)
				convert(&converted, from, text->s, text->len);
			else
				text_add(&converted, text->s, text->len);
			text->len = (uint32_t)xml_clean(&clean, converted.s, converted.len);
			text->s = clean.s != NULL ? clean.s : "";
			text_free(&converted);
		}
		p->name[i] = name_parse(text->s, text->len);
	}
	if (from != NULL)
		iconv_close(from);
}
