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
#define LANGUAGE(id, name, annotation, processes, place, other, is) LANGUAGE_##id,
#include "names/languages.def"
	LANGUAGES,
};

/* Languages of a list of option names, "python,node", as bits; 0 if one of them is unknown. */
unsigned languages_of_names(const char *list);

/* Appends the option names of languages, as a list. */
void languages_add_names(unsigned languages, const char *between, struct text *list);

#define LANGUAGE_BIT(language) (1U << (language))
#define LANGUAGES_ALL (~LANGUAGE_BIT(LANGUAGE_UNKNOWN))

/* Languages of interpreters and virtual machines, without those compiled to native code. */
#define LANGUAGES_HOSTED (LANGUAGES_ALL & ~LANGUAGE_BIT(LANGUAGE_HASKELL))

/* The language of a source file by its extension. */
enum language language_of_file(struct str file);

/* True if a label needs the source file beside the name of the function. */
bool language_needs_place(struct str file);

/* True for a process of an interpreter, by its name. */
bool language_has_process(struct str process);

/*
 * Returns by name index: 1 if the function is in one of these languages, from the bits. *found
 * are the languages that have functions, unless it is NULL. The caller frees the flags.
 */
uint8_t *language_match(unsigned languages, const struct calltree *t, unsigned *found);

#endif
