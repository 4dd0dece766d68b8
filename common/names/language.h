/*
 * language: the functions of a profile that are in one of several languages, by name, source
 * and annotation.
 */
#ifndef LANGUAGE_H
#define LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "profile/calltree.h"
#include "names/frame.h"

enum language {
	LANGUAGE_UNKNOWN,
	LANGUAGE_PYTHON,
	LANGUAGE_RUBY,
	LANGUAGE_PHP,
	LANGUAGE_PERL,
	LANGUAGE_LUA,
	LANGUAGE_JAVA,
	LANGUAGE_NODE,
	LANGUAGE_ERLANG,
};

/* Languages of a list of option names, "python,node", as bits; 0 if one of them is unknown. */
unsigned languages_of_names(const char *list);

/* Appends the option names of languages, as a list. */
void languages_add_names(unsigned languages, struct text *list);

#define LANGUAGE_BIT(language) (1U << (language))
#define LANGUAGES_ALL (~LANGUAGE_BIT(LANGUAGE_UNKNOWN))

/*
 * Returns by name index: 1 if the function is in one of these languages, from the bits. *found
 * are the languages that have functions, unless it is NULL. The caller frees the flags.
 */
uint8_t *language_match(unsigned languages, const struct calltree *t, unsigned *found);

/*
 * True for MODULE:FUNCTION/ARITY; erl +JPperf writes it with $ in front in a perf map, without in
 * a jitdump.
 */
bool language_is_erlang(struct str function);

#endif
