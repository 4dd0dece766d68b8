/*
 * cxxtype: linkage names have no typedefs, "T const" in place of "const T", and template
 * arguments of values with the suffix of their type.
 */
#include "dwarf/cxxtype.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdint.h>
#include <stdlib.h>

#include "dwarf/dwarfdie.h"

#define REFERENCES 16
#define DEPTH_MAX 64
#define NAME_MAX (32 * 1024)
#define STEPS_MAX 100000 /* DIEs per name */

/* GNU's, absent in older dwarf.h */
#define TEMPLATE_TEMPLATE 0x4106
#define TEMPLATE_PACK 0x4107
#define PARAMETER_PACK 0x4108
#define TEMPLATE_NAME 0x2110

bool
cxx_give_up(struct cxxprinter *p)
{
	return p->steps++ > STEPS_MAX || p->depth > DEPTH_MAX || p->out.len > NAME_MAX;
}

Dwarf_Die
cxx_declaration(Dwarf_Die *die)
{
	Dwarf_Die d = *die, to;
	Dwarf_Attribute at;

	for (int i = 0; i < REFERENCES; i++) {
		if (dwarf_formref_die(dwarf_attr(&d, DW_AT_abstract_origin, &at), &to) == NULL &&
		    dwarf_formref_die(dwarf_attr(&d, DW_AT_specification, &at), &to) == NULL)
			break;
		d = to;
	}
	return d;
}

void
cxx_each_child(struct cxxprinter *p, Dwarf_Die *parent,
    bool (*visit)(struct cxxprinter *, Dwarf_Die *, void *), void *closure)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die) != 0)
		return;
	do {
		if (cxx_give_up(p) || !visit(p, &die, closure))
			return;
	} while (dwarf_siblingof(&die, &die) == 0);
}

/*
 * The demangler's name of the base type whose name is at the start of s, if it differs; *n is set
 * to the length of the name there.
 */
/* Adds a type; NULL: void. inner: the declarator around it, as "*" or " const&". */
static void add_type(struct cxxprinter *p, Dwarf_Die *type, struct str inner);

static const char *
base_prefix(const char *s, size_t len, size_t *n)
{
	static const char *const names[][2] = {
	    {"long unsigned int", "unsigned long"},
	    {"long int", "long"},
	    {"short int", "short"},
	    {"short unsigned int", "unsigned short"},
	    {"long long int", "long long"},
	    {"long long unsigned int", "unsigned long long"},
	    {"__int128 unsigned", "unsigned __int128"},
	    {"_Float128", "__float128"},
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (!text_starts(s, len, names[i][0]))
			continue;
		*n = strlen(names[i][0]);
		return names[i][1];
	}
	return NULL;
}

static const char *
base_type(const char *name)
{
	size_t n;
	const char *other = base_prefix(name, strlen(name), &n);

	return other != NULL && name[n] == '\0' ? other : name;
}

/* A constant as a template argument, by its type: 3, 3ul, true, (char)97, (app::Kind)1. */
static void
add_value(struct cxxprinter *p, Dwarf_Die *argument)
{
	static const struct {
		const char *type, *suffix;
	} suffixes[] = {
	    {"int", ""},
	    {"unsigned int", "u"},
	    {"long", "l"},
	    {"unsigned long", "ul"},
	    {"long long", "ll"},
	    {"unsigned long long", "ull"},
	};
	const uint64_t value = dwarfdie_number(argument, DW_AT_const_value);
	Dwarf_Die type, to;
	struct text name = {0}, all;
	const char *suffix = NULL;
	bool is_unsigned, is_bool;

	if (!dwarfdie_reference(argument, DW_AT_type, &type)) {
		text_printf(&p->out, "%lld", (long long)value);
		return;
	}
	all = p->out;
	p->out = name;
	add_type(p, &type, (struct str){0});
	name = p->out;
	p->out = all;
	if (name.s == NULL)
		return;
	while ((dwarf_tag(&type) == DW_TAG_const_type || dwarf_tag(&type) == DW_TAG_typedef) &&
	       dwarfdie_reference(&type, DW_AT_type, &to) && !cxx_give_up(p))
		type = to;
	if (text_ends(name.s, name.len, " const"))
		name.s[name.len -= strlen(" const")] = '\0';
	is_unsigned = text_starts(name.s, name.len, "unsigned");
	is_bool = text_is(name.s, name.len, "bool");
	for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
		if (text_is(name.s, name.len, suffixes[i].type))
			suffix = suffixes[i].suffix;
	if (is_bool) {
		text_puts(&p->out, value != 0 ? "true" : "false");
	} else {
		if (suffix == NULL)
			text_printf(&p->out, "(%s)", name.s);
		if (is_unsigned)
			text_printf(&p->out, "%llu", (unsigned long long)value);
		else
			text_printf(&p->out, "%lld", (long long)value);
		if (suffix != NULL)
			text_puts(&p->out, suffix);
	}
	text_free(&name);
}

static bool
is_template_argument(int tag)
{
	return tag == DW_TAG_template_type_parameter || tag == DW_TAG_template_value_parameter ||
	       tag == TEMPLATE_TEMPLATE || tag == TEMPLATE_PACK;
}

#define ARGUMENTS_MAX 256

struct arguments {
	bool any;
	size_t n; /* number of spellings */
	char *spelling[ARGUMENTS_MAX];
	const char *first; /* name of the first: GCC may list all of them twice */
};

static bool
add_argument(struct cxxprinter *p, Dwarf_Die *die, void *closure)
{
	struct arguments *a = closure;
	const int tag = dwarf_tag(die);
	struct cxxprinter q;
	const char *name;
	Dwarf_Die type;
	bool typed;

	if (!is_template_argument(tag))
		return true;
	name = dwarfdie_string(die, DW_AT_name);
	if (a->any && name != NULL && a->first != NULL && strcmp(name, a->first) == 0)
		return false;
	if (!a->any)
		a->first = name;
	a->any = true;
	if (tag == TEMPLATE_PACK) {
		a->first = NULL; /* those in a pack have no names */
		cxx_each_child(p, die, add_argument, a);
		a->first = name;
		return true;
	}
	if (a->n == ARGUMENTS_MAX)
		return false;
	q = (struct cxxprinter){.scopes = p->scopes, .depth = p->depth, .steps = p->steps};
	typed = dwarfdie_reference(die, DW_AT_type, &type);
	if (tag == TEMPLATE_TEMPLATE)
		text_puts(&q.out, dwarfdie_string(die, TEMPLATE_NAME) != NULL
				      ? dwarfdie_string(die, TEMPLATE_NAME)
				      : "");
	else if (tag == DW_TAG_template_value_parameter)
		add_value(&q, die);
	else
		add_type(&q, typed ? &type : NULL, (struct str){0});
	p->steps = q.steps;
	text_reserve(&q.out, 1);
	q.out.s[q.out.len] = '\0';
	a->spelling[a->n++] = q.out.s;
	return true;
}

/* Length of a name without template arguments; an operator's name may have < itself. */
static size_t
plain_length(const char *name)
{
	static const char word[] = "operator";
	size_t n = sizeof word - 1;

	if (strncmp(name, word, n) != 0 || (name[n] != ' ' && strchr("<>=-", name[n]) == NULL))
		return strcspn(name, "<");
	if (name[n] == ' ') /* conversion */
		return strlen(name);
	for (int i = 0; i < 2 && name[n] == '<'; i++)
		n++;
	return n + strspn(name + n, ">=-*");
}

/* Length of the template argument at s, to a comma or > at depth 0. */
static size_t
argument_length(const char *s)
{
	int depth = 0;
	size_t n = 0;

	for (; s[n] != '\0'; n++) {
		if (strchr("<([{", s[n]) != NULL)
			depth++;
		else if (strchr(">)]}", s[n]) != NULL && depth-- == 0)
			break;
		else if (s[n] == ',' && depth == 0)
			break;
	}
	return n;
}

/*
 * Adds a template argument, or several, as GCC's DW_AT_name has them: with "long int" in place of
 * long, and "const T*" in place of "T const*".
 */
static void
add_spelled(struct cxxprinter *p, struct str s)
{
	static const char word[] = "const ";
	const bool lambda = text_has(s.s, s.len, "<lambda");
	size_t i = 0, n;

	if (p->depth > DEPTH_MAX || s.len > NAME_MAX) {
		text_str(&p->out, s);
		return;
	}
	p->depth++;
	if (text_starts(s.s, s.len, word)) {
		const char *t = s.s + strlen(word);
		int depth = 0;

		for (n = 0; t + n < s.s + s.len; n++) {
			depth += *(t + n) == '<' ? 1 : *(t + n) == '>' ? -1 : 0;
			if (depth == 0 && strchr("*&, ", t[n]) != NULL &&
			    !(t[n] == ' ' && isalpha((unsigned char)t[n + 1])))
				break;
			if (depth < 0)
				break;
		}
		add_spelled(p, (struct str){t, n});
		text_puts(&p->out, " const");
		i = strlen(word) + n;
	}
	while (i < s.len) {
		const char *name = NULL;

		if (i == 0 || strchr("<, (", s.s[i - 1]) != NULL) {
			if (i > 0 && text_starts(s.s + i, s.len - i, word)) {
				n = argument_length(s.s + i);
				if (n > s.len - i)
					n = s.len - i;
				add_spelled(p, (struct str){s.s + i, n});
				i += n;
				continue;
			}
			name = base_prefix(s.s + i, s.len - i, &n);
		}
		if (name != NULL) {
			text_puts(&p->out, name);
			i += n;
		} else {
			if (s.s[i] == '(' && i > 0 && !lambda &&
			    (isalnum((unsigned char)s.s[i - 1]) || strchr("_>*&", s.s[i - 1])))
				text_char(&p->out, ' '); /* a function's type */
			text_char(&p->out, s.s[i++]);
		}
	}
	p->depth--;
}

/*
 * Returns the argument of a that GCC's name has as `spelled`: values have no suffixes of their type
 * there, and lambdas no number. NULL if there is none.
 */
static const char *
find_spelling(const struct arguments *a, const char *spelled)
{
	const size_t len = strlen(spelled);

	for (size_t i = 0; i < a->n; i++) {
		const char *s = a->spelling[i];

		if (strncmp(s, spelled, len) == 0 && s[len + strspn(s + len, "ul")] == '\0')
			return s;
	}
	if (strstr(spelled, "<lambda") != NULL)
		for (size_t i = 0; i < a->n; i++)
			if (strstr(a->spelling[i], "{lambda") != NULL)
				return a->spelling[i];
	return NULL;
}

/*
 * Adds the template arguments s of a name. DWARF has those of a partial specialization by its own
 * parameters, so their order and number may differ from the name's.
 */
static void
add_arguments(struct cxxprinter *p, const struct arguments *a, const char *s)
{
	const size_t start = p->out.len;
	const char *t = s;
	size_t n, in_name = 0;

	for (; *t == '<' || *t == ','; t += n, in_name++)
		n = 1 + argument_length(t + 1);
	if (in_name <= a->n) {
		for (size_t i = 0; i < a->n; i++)
			text_printf(&p->out, "%s%s", i > 0 ? ", " : "", a->spelling[i]);
		return;
	}
	for (; *s == '<' || *s == ','; s += n) {
		struct cxxprinter q = {.scopes = p->scopes, .depth = p->depth};
		const char *known;

		s += 1 + strspn(s + 1, " ");
		n = argument_length(s);
		if (n == 0)
			continue;
		add_spelled(&q, (struct str){s, n - (s[n - 1] == ' ')});
		known = find_spelling(a, q.out.s);
		text_printf(&p->out, "%s%s", p->out.len > start ? ", " : "",
		    known != NULL ? known : q.out.s);
		text_free(&q.out);
	}
}

void
cxx_add_plain(struct cxxprinter *p, Dwarf_Die *die, Dwarf_Die *declared, const char *name)
{
	struct arguments a = {0};
	const size_t plain = plain_length(name);
	const char *s = name + plain + strspn(name + plain, " ");

	cxx_each_child(p, die, add_argument, &a);
	if (!a.any && declared->addr != die->addr)
		cxx_each_child(p, declared, add_argument, &a);
	if (!a.any && *s != '<') {
		text_puts(&p->out, name);
		return;
	}
	text_add(&p->out, name, plain);
	if (plain > 0 && name[plain - 1] == '<')
		text_char(&p->out, ' ');
	text_char(&p->out, '<');
	add_arguments(p, &a, s);
	if (p->out.s[p->out.len - 1] == '>')
		text_char(&p->out, ' ');
	text_char(&p->out, '>');
	for (size_t i = 0; i < a.n; i++)
		free(a.spelling[i]);
}

struct parameters {
	size_t start;
	bool artificial, any;
};

static bool
add_parameter(struct cxxprinter *p, Dwarf_Die *die, void *closure)
{
	struct parameters *a = closure;
	const int tag = dwarf_tag(die);
	Dwarf_Die type, to;

	if (tag == PARAMETER_PACK) {
		cxx_each_child(p, die, add_parameter, a);
		return true;
	}
	if (tag != DW_TAG_formal_parameter && tag != DW_TAG_unspecified_parameters)
		return true;
	a->any = true;
	if (dwarfdie_has(die, DW_AT_artificial))
		return true;
	if (p->out.len > a->start)
		text_puts(&p->out, ", ");
	if (tag == DW_TAG_unspecified_parameters) {
		text_puts(&p->out, "...");
		return false;
	}
	if (!dwarfdie_reference(die, DW_AT_type, &type))
		return true;
	while (dwarf_tag(&type) == DW_TAG_const_type &&
	       dwarfdie_reference(&type, DW_AT_type, &to) && !cxx_give_up(p))
		type = to;
	add_type(p, &type, (struct str){0});
	return true;
}

void
cxx_add_parameters(struct cxxprinter *p, Dwarf_Die *function)
{
	Dwarf_Die declared = cxx_declaration(function);
	struct parameters a = {.start = p->out.len};

	cxx_each_child(p, function, add_parameter, &a);
	if (!a.any && declared.addr != function->addr)
		cxx_each_child(p, &declared, add_parameter, &a);
}

/*
 * The k-th `auto` of a generic lambda: libiberty's name for it is auto:K. The parameter's type
 * in one instance of operator() shows it only as that instance's type.
 */
static bool
find_auto(struct cxxprinter *p, Dwarf_Die *die, void *closure)
{
	Dwarf_Die type, *wanted = closure;
	const char *name = dwarfdie_string(die, DW_AT_name);

	(void)p;
	if (dwarf_tag(die) != DW_TAG_template_type_parameter || name == NULL ||
	    strncmp(name, "auto", 4) != 0 || !dwarfdie_reference(die, DW_AT_type, &type))
		return true;
	if (type.addr != wanted->addr)
		return true;
	wanted->addr = NULL;
	return false;
}

static bool
is_auto(struct cxxprinter *p, Dwarf_Die *type)
{
	Dwarf_Die wanted = *type;

	if (p->generic == NULL)
		return false;
	cxx_each_child(p, p->generic, find_auto, &wanted);
	return wanted.addr == NULL;
}

/* Adds a type around a longer declarator. */
static void
add_around(struct cxxprinter *p, Dwarf_Die *type, const char *prefix, struct str inner)
{
	struct text declarator = {0};
	Dwarf_Die to;
	const bool typed = dwarfdie_reference(type, DW_AT_type, &to);

	text_puts(&declarator, prefix);
	text_str(&declarator, inner);
	add_type(p, typed ? &to : NULL, (struct str){declarator.s, declarator.len});
	text_free(&declarator);
}

static bool
add_dimension(struct cxxprinter *p, Dwarf_Die *die, void *closure)
{
	(void)closure;
	if (dwarf_tag(die) != DW_TAG_subrange_type)
		return true;
	if (dwarfdie_has(die, DW_AT_count))
		text_printf(
		    &p->out, "[%llu]", (unsigned long long)dwarfdie_number(die, DW_AT_count));
	else if (dwarfdie_has(die, DW_AT_upper_bound))
		text_printf(&p->out, "[%llu]",
		    (unsigned long long)dwarfdie_number(die, DW_AT_upper_bound) + 1);
	else
		text_puts(&p->out, "[]");
	return true;
}

static void
add_derived(struct cxxprinter *p, Dwarf_Die *type, const char *open, struct str inner)
{
	Dwarf_Die to;

	add_type(p, dwarfdie_reference(type, DW_AT_type, &to) ? &to : NULL, (struct str){0});
	text_puts(&p->out, open);
	if (inner.len > 0) {
		text_char(&p->out, '(');
		text_str(&p->out, inner);
		text_char(&p->out, ')');
	}
}

/* Adds the type of a pointer to a member: "int A::*", "void (A::*)(int)". */
static void
add_member_pointer(struct cxxprinter *p, Dwarf_Die *type, struct str inner)
{
	struct cxxprinter q = {.scopes = p->scopes, .depth = p->depth, .steps = p->steps};
	Dwarf_Die class, to;

	if (!dwarfdie_reference(type, DW_AT_containing_type, &class) ||
	    !dwarfdie_reference(type, DW_AT_type, &to))
		return;
	if (dwarf_tag(&to) != DW_TAG_subroutine_type)
		text_char(&q.out, ' ');
	cxx_add_scoped(&q, &class);
	p->steps = q.steps;
	text_puts(&q.out, "::*");
	text_str(&q.out, inner);
	add_type(p, &to, (struct str){q.out.s, q.out.len});
	text_free(&q.out);
}

static void
add_type(struct cxxprinter *p, Dwarf_Die *type, struct str inner)
{
	const char *name;
	Dwarf_Die to;
	int tag;

	if (cxx_give_up(p))
		return;
	if (type == NULL) {
		text_puts(&p->out, "void");
		text_str(&p->out, inner);
		return;
	}
	tag = dwarf_tag(type);
	if (is_auto(p, type)) {
		const bool forwarded =
		    tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;

		text_printf(&p->out, "auto:%u%s", ++p->autos, forwarded ? "&&" : "");
		text_str(&p->out, inner);
		return;
	}
	p->depth++;
	switch (tag) {
	case DW_TAG_pointer_type: add_around(p, type, "*", inner); break;
	case DW_TAG_reference_type: add_around(p, type, "&", inner); break;
	case DW_TAG_rvalue_reference_type: add_around(p, type, "&&", inner); break;
	case DW_TAG_const_type: add_around(p, type, " const", inner); break;
	case DW_TAG_volatile_type: add_around(p, type, " volatile", inner); break;
	case DW_TAG_typedef:
		/* The name of a type that has no other. */
		if (dwarfdie_reference(type, DW_AT_type, &to) &&
		    dwarfdie_string(&to, DW_AT_name) == NULL &&
		    (dwarf_tag(&to) == DW_TAG_structure_type ||
			dwarf_tag(&to) == DW_TAG_union_type ||
			dwarf_tag(&to) == DW_TAG_enumeration_type)) {
			cxx_add_scoped(p, type);
			text_str(&p->out, inner);
		} else {
			add_around(p, type, "", inner);
		}
		break;
	case DW_TAG_subroutine_type:
		add_derived(p, type, " ", inner);
		text_char(&p->out, '(');
		cxx_add_parameters(p, type);
		text_char(&p->out, ')');
		break;
	case DW_TAG_ptr_to_member_type: add_member_pointer(p, type, inner); break;
	case DW_TAG_array_type:
		add_derived(p, type, " ", inner);
		if (inner.len > 0)
			text_char(&p->out, ' ');
		cxx_each_child(p, type, add_dimension, NULL);
		break;
	case DW_TAG_base_type:
	case DW_TAG_unspecified_type:
		name = dwarfdie_string(type, DW_AT_name);
		text_puts(&p->out, name == NULL ? "?" : base_type(name));
		text_str(&p->out, inner);
		break;
	default:
		cxx_add_scoped(p, type);
		text_str(&p->out, inner);
		break;
	}
	p->depth--;
}
