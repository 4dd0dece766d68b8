/*
 * pattern: POSIX extended regular expressions, or fixed strings, over bytes that
 * have a length. Bytes are characters, whatever the locale, so that a result
 * depends on the input alone.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

struct pattern {
	const char *text;
	bool fixed, ignore_case;
	regex_t re; /* unless fixed; re.re_nsub groups */
};

/* Compile p->text, or exit 2 with a message that names the option (without dashes). */
void pattern_compile(struct pattern *p, const char *option);
void pattern_free(struct pattern *p);

/*
 * The first match at or after s[from]; ^ is the beginning of s. The match and its
 * groups go into group[0..n), as offsets into s.
 */
bool pattern_find(
    const struct pattern *p, const char *s, size_t from, size_t len, regmatch_t *group, size_t n);

#endif
