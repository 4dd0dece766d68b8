/*
 * demangle: decodes OCaml names itself and the others with libiberty, within limits: each
 * substitution can contain the previous one twice, so 100 bytes can expand to gigabytes.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/demangle.h"
#include "base/text.h"

#define NAME_MAX_IN (32 * 1024)

/*
 * ocamlopt mangles name in module B.A as camlB__A__name_123 (up to 5.0), later with . or $ for
 * __; other characters are $ and two hexadecimal digits. The number changes with each edit of
 * the module, but anonymous functions have no other name.
 */
static char *
ocaml_name(const char *name, size_t len)
{
	static const char prefix[] = "caml", anonymous[] = "fun_";
	const char *s = name + sizeof prefix - 1;
	const size_t all = len - (sizeof prefix - 1);
	struct text t = {0};
	size_t n = all;
	bool inner = false;

	while (isdigit((unsigned char)s[n - 1])) /* ends: the name starts with a letter */
		n--;
	if (n == all || s[n - 1] != '_' || text_ends(s, n, "__") || text_ends(s, n, anonymous))
		n = all;
	else
		n--;
	for (size_t i = 0; i < n;) {
		uint64_t c;

		if (s[i] == '$' && n - i > 2 && text_hex(s + i + 1, 2, &c) == 2 && c != 0) {
			text_char(&t, (char)c);
			i += 3;
		} else if (s[i] == '.' || s[i] == '$' || text_starts(s + i, n - i, "__")) {
			inner = true;
			text_char(&t, '.');
			i += s[i] == '_' ? 2 : 1;
		} else {
			text_char(&t, s[i++]);
		}
	}
	if (inner)
		return t.s;
	text_free(&t);
	return NULL;
}

static bool
is_ocaml(const char *s, size_t len)
{
	return len > 5 && len <= NAME_MAX_IN && memcmp(s, "caml", 4) == 0 &&
	       isupper((unsigned char)s[4]);
}

#ifdef HAVE_LIBIBERTY

#include <setjmp.h>

#include <libiberty/demangle.h>

#include "base/cli.h"

#define NAME_MAX_OUT (64 * 1024)

/*
 * D's parser cannot be interrupted. Each level of doubling takes two back references, so this
 * many finish within 0.1 s.
 */
#define D_BACK_REFERENCES 36

/* A name under construction by libiberty's callbacks. */
struct name {
	struct text text;
	jmp_buf too_long;
};

static void
piece(const char *s, size_t n, void *arg)
{
	struct name *to = arg;

	if (n > NAME_MAX_OUT - to->text.len)
		longjmp(to->too_long, 1);
	text_add(&to->text, s, n);
}

/*
 * Demangles C++ and Rust. Their parsers pass the text in pieces and store their state on the
 * stack, so leaving them half-way is safe.
 */
static bool
pieces(struct name *to, const char *mangled, int options)
{
	if (setjmp(to->too_long) != 0)
		return false;
	/* Rust first: its legacy names are valid C++ names, too. */
	if (rust_demangle_callback(mangled, options, piece, to))
		return true;
	to->text.len = 0;
	return cplus_demangle_v3_callback(mangled, options, piece, to);
}

/* Length without the last parameter list and its qualifiers: a.b!(int).c(char[]) const. */
static size_t
d_without_params(const char *s, size_t n)
{
	size_t i = n;
	int depth = 0;

	while (i > 0 && (islower((unsigned char)s[i - 1]) || s[i - 1] == ' '))
		i--;
	if (i == 0 || s[i - 1] != ')')
		return n;
	while (i-- > 0)
		if (s[i] == ')')
			depth++;
		else if (s[i] == '(' && --depth == 0)
			return i > 0 && s[i - 1] != '!' ? i : n;
	return n;
}

static bool
d_name(struct text *t, const char *mangled, bool params)
{
	unsigned references = 0;
	size_t n;

	for (const char *p = mangled; *p != '\0'; p++)
		references += *p == 'Q';
	if (references > D_BACK_REFERENCES)
		return false;
	t->s = dlang_demangle(mangled, DMGL_DLANG);
	if (t->s == NULL)
		return false;
	n = strlen(t->s);
	t->cap = n + 1;
	t->len = params ? n : d_without_params(t->s, n);
	return t->len <= NAME_MAX_OUT;
}

char *
demangle(const char *name, size_t len, bool params)
{
	static const char plt[] = "@plt";
	struct name to = {0};
	char small[512], *mangled = small;
	bool is_plt, done;

	if (is_ocaml(name, len))
		return ocaml_name(name, len);
	if (len > NAME_MAX_IN || len < 3 || name[0] != '_')
		return NULL;
	/* Mach-O puts one more underscore before every name. */
	if (name[1] == '_' && (name[2] == 'Z' || name[2] == 'R'))
		name++, len--;
	if (name[1] != 'Z' && name[1] != 'R' && name[1] != 'D')
		return NULL;
	is_plt =
	    len > sizeof plt - 1 && memcmp(name + len - (sizeof plt - 1), plt, sizeof plt - 1) == 0;
	if (is_plt)
		len -= sizeof plt - 1;
	len = text_without_version(name, len);

	if (len >= sizeof small)
		mangled = cli_alloc(len + 1, 1);
	memcpy(mangled, name, len);
	mangled[len] = '\0';
	if (name[1] == 'D')
		done = d_name(&to.text, mangled, params);
	else
		done = pieces(&to, mangled, params ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS);
	if (mangled != small)
		free(mangled);
	if (!done || to.text.len == 0) {
		text_free(&to.text);
		return NULL;
	}
	text_puts(&to.text, is_plt ? plt : ""); /* also terminates the string */
	return to.text.s;
}

#else

char *
demangle(const char *name, size_t len, bool params)
{
	(void)params;
	return is_ocaml(name, len) ? ocaml_name(name, len) : NULL;
}

#endif
