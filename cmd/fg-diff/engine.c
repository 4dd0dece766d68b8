#include "fg-diff/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-diff/align.h"
#include "fg-diff/scriptrows.h"
#include "names/frame.h"
#include "names/origin.h"

#define MOST 0.5 /* share of a headline's growth */

/* Beginnings of native functions' names. */
static const struct {
	const char *prefix, *engine;
} known[] = {
    {"sre_", "the regular expression engine (_sre)"},
    {"_sre_", "the regular expression engine (_sre)"},
    {"pattern_", "the regular expression engine (_sre)"},
    {"onig_", "the regular expression engine (Onigmo)"},
    {"rb_reg_", "the regular expression engine (Onigmo)"},
    {"pcre2_", "the regular expression engine (PCRE2)"},
    {"php_pcre_", "the regular expression engine (PCRE2)"},
    {"S_regmatch", "the regular expression engine (perl)"},
    {"Perl_re", "the regular expression engine (perl)"},
    {"v8::internal::IrregexpInterpreter", "the regular expression engine (Irregexp)"},
    {"RegExp: ", "the regular expression engine (Irregexp)"},
    {"gc_", "the garbage collector"},
    {"v8::internal::Heap", "the garbage collector"},
    {"v8::internal::Scaveng", "the garbage collector"},
    {"v8::internal::MarkCompact", "the garbage collector"},
    {"G1", "the garbage collector"},
    {"_PyEval_EvalFrame", "the interpreter"},
    {"vm_exec", "the interpreter"},
    {"execute_ex", "the interpreter"},
    {"Perl_pp_", "the interpreter"},
    {"luaV_execute", "the interpreter"},
    {"json_", "the JSON library"},
    {"unicode_", "strings (unicode)"},
    {"PyUnicode_", "strings (unicode)"},
    {"dict", "dictionaries (dict)"},
    {"list", "lists (list)"},
    {"malloc", "the memory allocator"},
    {"_int_malloc", "the memory allocator"},
    {"_int_free", "the memory allocator"},
    {"cfree", "the memory allocator"},
};

/* Growth of one headline in one engine. */
struct part {
	size_t headline;
	struct str engine;
	double growth;
};

static struct str
engine_of(const struct calltree_name *name)
{
	struct frame_name n = name_parse(name->s, name->len);
	const char *plus = memmem(n.text, n.len, "+0x", 3), *blank;

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (text_starts(n.text, n.len, known[i].prefix))
			return str_of(known[i].engine);
	if (frame_in_kernel(name->s, name->len))
		return str_of("the kernel");
	if (n.module > 0)
		return (struct str){n.start, n.module};
	if (plus != NULL)
		return (struct str){n.text, (size_t)(plus - n.text)};
	blank = memmem(n.text, n.len, " (no symbols", 12);
	if (blank != NULL)
		return (struct str){n.text, (size_t)(blank - n.text)};
	return (struct str){n.text, n.len};
}

static bool
is_named(struct str engine)
{
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (str_equal(engine, str_of(known[i].engine)))
			return true;
	return str_equal(engine, str_of("the kernel"));
}

static void
add(struct part **part, size_t *n, size_t *cap, size_t headline, struct str engine, double growth)
{
	for (size_t i = 0; i < *n; i++)
		if ((*part)[i].headline == headline && str_equal((*part)[i].engine, engine)) {
			(*part)[i].growth += growth;
			return;
		}
	vec_fit(*part, *cap, *n + 1);
	(*part)[(*n)++] = (struct part){headline, engine, growth};
}

void
engine_find(struct headlines *h, struct comparison *c)
{
	const struct calltree_name *name;
	uint32_t depth, root = 0, cap = 0, *way = NULL; /* by depth: row of the nearest script */
	struct part *part = NULL;
	size_t n = 0, capacity = 0;
	struct align_pair pair;
	struct align align;

	side_align(&align, c->side[0], c->side[1]);
	while (align_next(&align, &pair, &depth, &name)) {
		uint32_t function = align_function(&align, &pair);
		double growth =
		    compare_scaled(c, 1, pair.node[1]) - compare_scaled(c, 0, pair.node[0]);

		vec_fit(way, cap, (size_t)depth + 1);
		if (!scriptrows_hides(c->scripts, function, depth, &root)) {
			way[depth] = c->row_of[function];
			continue;
		}
		way[depth] = way[depth - 1];
		for (size_t i = 0; i < h->n && growth != 0; i++)
			if (h->line[i].row == &c->row[way[depth]])
				add(&part, &n, &capacity, i, engine_of(name), growth);
	}
	align_end(&align);
	for (size_t i = 0; i < n; i++) {
		struct headline *line = &h->line[part[i].headline];
		double growth = part[i].growth * noise_scale(&c->noise);

		if (growth < MOST * line->growth || growth <= line->engine_growth)
			continue;
		line->engine_growth = growth;
		line->engine = part[i].engine;
		line->engine_named = is_named(part[i].engine);
	}
	free(part);
	free(way);
}
