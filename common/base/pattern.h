/*
 * pattern: POSIX extended regular expressions, or fixed strings, on bytes with a length. Each
 * byte is a character in any locale, so that results depend on the input only.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct pattern {
	const char *text;
	bool fixed, ignore_case;
	char *plain; /* a copy of text, if it has no special characters; else NULL */
	regex_t re; /* unless fixed; re.re_nsub groups; compiled unless plain */
	regex_t anywhere; /* ^.*(text), if can_scan: see pattern_compile */
	bool can_scan;
};

/*
 * Compiles p->text; on error exits with 2 and names the option (given without dashes).
 * pattern_try returns regcomp's error instead, p then needs no pattern_free.
 */
void pattern_compile(struct pattern *p, const char *option);
int pattern_try(struct pattern *p);

/*
 * True if a pattern has an element of other kinds of expressions, which regcomp(3) would take for
 * something else: \d, .*?, (?:, \1. why: its place, and how to write it.
 */
bool pattern_mistake(const char *text, struct text *why);
void pattern_free(struct pattern *p);

/* A text that each match has, owned by p; NULL if none is known. */
const char *pattern_word(const struct pattern *p);

/*
 * Finds the first match at or after s[from]; ^ is the start of s. Stores the match and its
 * groups in group[0..n), as offsets into s. Without groups (n is 0) and from the start, the time is
 * proportional to len. To locate matches, regexec(3) tries each start in turn, which can be
 * quadratic: callers locate none in strings above PATTERN_LOCATED bytes.
 */
#define PATTERN_LOCATED 16384

bool pattern_find(
    const struct pattern *p, const char *s, size_t from, size_t len, regmatch_t *group, size_t n);

#endif
