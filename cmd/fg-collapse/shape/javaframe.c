/*
 * javaframe: the source in brackets is `File.java:12`, `Native Method` or `Unknown
 * Source`. `java.base@17/` precedes it (jstack) or the class (exceptions); OpenJ9 adds
 * `(Compiled Code)`.
 */
#include "fg-collapse/shape/javaframe.h"

#include "fg-collapse/options.h"
#include "fg-collapse/shape/scan.h"

/*
 * Takes `java.base@17.0.15/` or `app//` before the class. Slashes occur elsewhere too: in
 * hidden classes, `Shop$$Lambda/0x7f00.run` or `Shop$$Lambda$14/123.run`, and in packages as OpenJ9
 * writes them.
 */
static struct str
scan_module(struct str *s)
{
	size_t slash = str_find_last(*s, "/"), end = s->len;
	struct str module, name;

	if (slash + 1 < end && s->s[slash + 1] >= '0' && s->s[slash + 1] <= '9') {
		end = slash;
		slash = str_find_last((struct str){s->s, end}, "/");
	}
	if (slash + 1 >= end)
		return (struct str){0};
	module = (struct str){s->s, slash};
	name = str_from(*s, slash + 1);
	if (!str_ends(module, "/") && memchr(module.s, '.', module.len) == NULL &&
	    memchr(module.s, '@', module.len) == NULL &&
	    (memchr(module.s, '/', module.len) != NULL ||
		str_find(name, ".") == str_find_last(name, ".")))
		return (struct str){0};
	*s = name;
	if (str_ends(module, "/")) /* a class loader's name without a module */
		return (struct str){0};
	slash = str_find_last(module, "/");
	if (slash < module.len)
		module = str_from(module, slash + 1);
	module.len = str_find(module, "@");
	return module;
}

static void
read_source(struct frame *f, struct str s)
{
	size_t slash = str_find(s, "/"), colon;
	uint64_t line;

	if (slash < s.len) { /* java.base@17.0.15/File.java:1 */
		f->module = (struct str){s.s, slash};
		f->module.len = str_find(f->module, "@");
		s = str_from(s, slash + 1);
	}
	s.len = str_find(s, "("); /* (Compiled Code) */
	if (str_starts(s, "Native Method") || str_starts(s, "Unknown Source"))
		return;
	colon = str_find(s, ":");
	f->file = (struct str){s.s, colon};
	if (colon < s.len) {
		s = str_from(s, colon + 1);
		if (scan_number(&s, &line))
			f->line = (unsigned)line;
	}
}

/* Appends `j.u.HashMap.get`: packages are shortened to their first letter. */
static void
add_short(struct text *t, struct str name)
{
	size_t method = str_find_last(name, "."), class;
	struct str packages = {name.s, method < name.len ? method : 0}, part;

	class = str_find_last(packages, ".");
	if (class == packages.len) {
		text_str(t, name);
		return;
	}
	packages.len = class;
	while (packages.len > 0) {
		part = scan_until(&packages, '.');
		text_add(t, part.s, part.len > 0);
		text_char(t, '.');
	}
	text_str(t, str_from(name, class + 1));
}

bool
javaframe_add(struct stack *stack, const struct options *o, struct str s)
{
	struct frame f = {0};
	size_t open = str_find(s, "(");

	if (open == 0 || open == s.len || !str_ends(s, ")"))
		return false;
	f.function = (struct str){s.s, open};
	f.module = scan_module(&f.function);
	read_source(&f, (struct str){s.s + open + 1, s.len - open - 2});
	if (o->short_packages) {
		text_cut(&stack->function, 0);
		add_short(&stack->function, f.function);
		f.function = text_as_str(&stack->function);
	}
	stack_frame(stack, &f);
	return true;
}
