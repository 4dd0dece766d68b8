/*
 * cxxname: follows the Itanium C++ ABI for lambdas: in the function, class or namespace around
 * them, they are numbered in the order of the source. A lambda that the compiler left out of the
 * debug information is not counted.
 */
#include "dwarf/cxxname.h"

#include <dwarf.h>
#include <stdint.h>
#include <stdlib.h>

#include "dwarf/cxxtype.h"
#include "dwarf/demangle.h"
#include "dwarf/dwarfdie.h"

static bool
is_call_operator(const char *name)
{
	static const char call[] = "operator()";

	return name != NULL && strncmp(name, call, sizeof call - 1) == 0;
}

static bool
find_call_operator(struct cxxprinter *p, Dwarf_Die *die, void *to)
{
	(void)p;
	if (dwarf_tag(die) != DW_TAG_subprogram ||
	    !is_call_operator(dwarfdie_string(die, DW_AT_name)))
		return true;
	*(Dwarf_Die *)to = *die;
	return false;
}

/* True for the type of a lambda, which has no name or one like "<lambda(int)>". */
static bool
is_lambda(struct cxxprinter *p, Dwarf_Die *type, Dwarf_Die *call_operator)
{
	const int tag = dwarf_tag(type);
	const char *name;

	if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type)
		return false;
	name = dwarfdie_string(type, DW_AT_name);
	if (name != NULL && strncmp(name, "<lambda", 7) != 0)
		return false;
	call_operator->addr = NULL;
	cxx_each_child(p, type, find_call_operator, call_operator);
	return call_operator->addr != NULL;
}

static bool
find_object(struct cxxprinter *p, Dwarf_Die *die, void *is_const)
{
	Dwarf_Die type, to;

	if (dwarf_tag(die) != DW_TAG_formal_parameter)
		return true;
	if (!dwarfdie_has(die, DW_AT_artificial) || !dwarfdie_reference(die, DW_AT_type, &type))
		return false;
	while (dwarf_tag(&type) == DW_TAG_const_type &&
	       dwarfdie_reference(&type, DW_AT_type, &to) && !cxx_give_up(p)) /* `this` itself */
		type = to;
	if (dwarf_tag(&type) == DW_TAG_pointer_type && dwarfdie_reference(&type, DW_AT_type, &to))
		*(bool *)is_const = dwarf_tag(&to) == DW_TAG_const_type;
	return false;
}

/* The signature of a lambda: the parameters of its operator(). */
static char *
signature(struct cxxprinter *p, Dwarf_Die *call_operator)
{
	struct cxxprinter q = {.scopes = p->scopes,
	    .depth = p->depth + 1,
	    .steps = p->steps,
	    .generic = call_operator};

	text_reserve(&q.out, 1);
	q.out.s[0] = '\0';
	cxx_add_parameters(&q, call_operator);
	p->steps = q.steps;
	return q.out.s;
}

struct lambdas {
	Dwarf_Die *type;
	const char *signature; /* NULL: any */
	uint64_t line, column;
	unsigned before;
	/* The variable that the lambda initializes; variable_column is 0 if there is none. */
	const char *variable;
	uint64_t variable_column;
};

/* Counts the lambdas with an equal signature that come before one in the source. */
static bool
count_lambda(struct cxxprinter *p, Dwarf_Die *die, void *closure)
{
	struct lambdas *l = closure;
	uint64_t line, column;
	Dwarf_Die call;
	char *other;

	if (dwarf_tag(die) == DW_TAG_lexical_block && !cxx_give_up(p)) {
		p->depth++;
		cxx_each_child(p, die, count_lambda, l);
		p->depth--;
		return true;
	}
	if (die->addr == l->type->addr || !is_lambda(p, die, &call))
		return true;
	line = dwarfdie_number(die, DW_AT_decl_line);
	column = dwarfdie_number(die, DW_AT_decl_column);
	if (line > l->line || (line == l->line && column > l->column) ||
	    (l->variable_column > 0 && (line < l->line || column < l->variable_column)))
		return true;
	other = l->signature == NULL ? NULL : signature(p, &call);
	l->before += other == NULL || strcmp(other, l->signature) == 0;
	free(other);
	return true;
}

/* Finds the variable that is declared before the lambda on the same line. */
static bool
find_variable(struct cxxprinter *p, Dwarf_Die *die, void *closure)
{
	struct lambdas *l = closure;
	const uint64_t column = dwarfdie_number(die, DW_AT_decl_column);
	const char *name;

	(void)p;
	if (dwarf_tag(die) != DW_TAG_variable || dwarfdie_number(die, DW_AT_decl_line) != l->line ||
	    dwarfdie_number(die, DW_AT_decl_file) != dwarfdie_number(l->type, DW_AT_decl_file) ||
	    column >= l->column || column < l->variable_column ||
	    (name = dwarfdie_string(die, DW_AT_name)) == NULL)
		return true;
	l->variable = name;
	l->variable_column = column;
	return true;
}

/*
 * True if the unit's compiler numbers lambdas by signature, as the ABI demands: GCC before 13
 * numbers all of a scope in one sequence.
 */
static bool
numbers_by_signature(Dwarf_Die *die)
{
	static const char gnu[] = "GNU C++";
	const char *producer;
	Dwarf_Die unit;

	if (dwarf_diecu(die, &unit, NULL, NULL) == NULL ||
	    (producer = dwarfdie_string(&unit, DW_AT_producer)) == NULL ||
	    strncmp(producer, gnu, sizeof gnu - 1) != 0)
		return true;
	producer += strcspn(producer, " ") + 1;
	producer += strcspn(producer, " "); /* after C++17 */
	return strtol(producer, NULL, 10) >= 13;
}

static void
add_lambda(struct cxxprinter *p, Dwarf_Die *type, Dwarf_Die *call, Dwarf_Die *around)
{
	const int tag = dwarf_tag(around);
	char *parameters = signature(p, call);
	struct lambdas l = {.type = type,
	    .signature = numbers_by_signature(type) ? parameters : NULL,
	    .line = dwarfdie_number(type, DW_AT_decl_line),
	    .column = dwarfdie_number(type, DW_AT_decl_column)};

	if (tag != DW_TAG_subprogram)
		cxx_each_child(p, around, find_variable, &l);
	if (l.variable != NULL)
		text_printf(&p->out, "%s::", l.variable);
	cxx_each_child(p, around, count_lambda, &l);
	text_printf(&p->out, "{lambda(%s)#%u}", parameters, l.before + 1);
	free(parameters);
}

/* A function around a type or a lambda has its parameters, too. */
static void
add_function_scope(struct cxxprinter *p, Dwarf_Die *function, const char *name)
{
	Dwarf_Die declared = cxx_declaration(function);
	const char *linkage = dwarfdie_string(function, DW_AT_linkage_name);
	bool is_const = false;

	if (strcmp(name, "main") == 0) {
		text_puts(&p->out, name);
		return;
	}
	if (linkage != NULL && strncmp(linkage, "_Z", 2) == 0) {
		/* As the scope of a local entity x, without the type of its result. */
		struct text local = {0};
		char *full;

		text_printf(&local, "_ZZ%sE1x", linkage + 2);
		full = demangle(local.s, local.len, false);
		text_free(&local);
		if (full != NULL && text_ends(full, strlen(full), "::x")) {
			p->out.len = p->start;
			text_add(&p->out, full, strlen(full) - strlen("::x"));
			free(full);
			return;
		}
		free(full);
	}
	cxx_add_plain(p, function, &declared, name);
	text_char(&p->out, '(');
	cxx_add_parameters(p, function);
	text_char(&p->out, ')');
	cxx_each_child(p, function, find_object, &is_const);
	if (!is_const && declared.addr != function->addr)
		cxx_each_child(p, &declared, find_object, &is_const);
	if (is_const)
		text_puts(&p->out, " const");
}

/* Shortens a standard class that has an abbreviation in linkage names. */
static void
abbreviate(struct text *t, size_t start)
{
	static const char *const names[][2] = {
	    {"std::basic_string<char, std::char_traits<char>, std::allocator<char> >",
		"std::string"},
	    {"std::basic_istream<char, std::char_traits<char> >", "std::istream"},
	    {"std::basic_ostream<char, std::char_traits<char> >", "std::ostream"},
	    {"std::basic_iostream<char, std::char_traits<char> >", "std::iostream"},
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (!text_is(t->s + start, t->len - start, names[i][0]))
			continue;
		t->len = start;
		text_puts(t, names[i][1]);
		break;
	}
}

/* Adds one scope or the last part of a name; around is the scope before it or the unit. */
static void
add_part(struct cxxprinter *p, Dwarf_Die *die, Dwarf_Die *around, bool scope)
{
	const int tag = dwarf_tag(die);
	const char *name = dwarfdie_string(die, DW_AT_name);
	Dwarf_Die call, declared;

	if (is_lambda(p, die, &call))
		add_lambda(p, die, &call, around);
	else if (name == NULL)
		text_puts(
		    &p->out, tag == DW_TAG_namespace ? "(anonymous namespace)" : "{unnamed type}");
	else if (tag == DW_TAG_subprogram && scope)
		add_function_scope(p, die, name);
	else if (tag == DW_TAG_namespace || tag == DW_TAG_enumeration_type)
		text_puts(&p->out, name);
	else {
		declared = cxx_declaration(die);
		cxx_add_plain(p, die, &declared, name);
		if (tag != DW_TAG_subprogram)
			abbreviate(&p->out, p->start);
	}
}

static bool
is_scope(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_subprogram: return true;
	default: return false;
	}
}

/* Adds the scopes around a declaration; *around is the innermost, or the unit. */
static void
add_scopes(struct cxxprinter *p, Dwarf_Die *declared, Dwarf_Die *around)
{
	Dwarf_Die path[DWARFSCOPE_MAX], unused;
	const size_t n = dwarfscope_path(p->scopes, declared, path);
	size_t start;

	if (dwarf_diecu(declared, around, NULL, NULL) == NULL)
		*around = *declared;
	if (cxx_give_up(p))
		return;
	/* Scopes may be declared in other scopes than they are defined in. */
	for (start = n; start > 0; start--) {
		Dwarf_Die outer = cxx_declaration(&path[start - 1]);

		if (!is_scope(&path[start - 1]) || outer.addr == path[start - 1].addr)
			continue;
		p->depth++;
		add_scopes(p, &outer, &unused);
		p->depth--;
		start--;
		break;
	}
	for (size_t i = start; i < n; i++) {
		if (!is_scope(&path[i]))
			continue;
		add_part(p, &path[i], around, true);
		text_puts(&p->out, "::");
		*around = path[i];
	}
}

void
cxx_add_scoped(struct cxxprinter *p, Dwarf_Die *die)
{
	Dwarf_Die declared = cxx_declaration(die), around;

	const size_t start = p->start;

	if (cxx_give_up(p))
		return;
	p->depth++;
	p->start = p->out.len;
	add_scopes(p, &declared, &around);
	add_part(p, die, &around, false);
	p->start = start;
	p->depth--;
}

char *
cxxname(struct dwarfscope *s, Dwarf_Die *function)
{
	struct cxxprinter p = {.scopes = s};

	if (dwarfdie_string(function, DW_AT_name) == NULL)
		return NULL;
	cxx_add_scoped(&p, function);
	if (cxx_give_up(&p)) {
		text_free(&p.out);
		return NULL;
	}
	return p.out.s;
}
