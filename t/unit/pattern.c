/*
 * pattern: base/pattern, built as for systems whose regexec(3) lacks REG_STARTEND.
 *
 *	pattern RE FROM TEXT	the match and two groups as offsets; \0 in TEXT is a NUL
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef REG_STARTEND
#define pattern_compile portable_compile
#define pattern_free portable_free
#define pattern_try portable_try
#define pattern_find portable_find
#include "../../common/base/pattern.c"

int
main(int argc, char **argv)
{
	struct pattern p = {.text = argc > 3 ? argv[1] : "", .fixed = false};
	regmatch_t group[3];
	size_t len = 0;
	char *s;

	if (argc != 4)
		return 2;
	s = malloc(strlen(argv[3]) + 1);
	for (const char *c = argv[3]; *c != '\0'; c++)
		if (c[0] == '\\' && c[1] == '0') {
			s[len++] = '\0';
			c++;
		} else {
			s[len++] = *c;
		}
	pattern_compile(&p, "pattern");
	if (!pattern_find(&p, s, (size_t)atol(argv[2]), len, group, 3))
		puts("none");
	else
		printf("%d-%d %d-%d %d-%d\n", (int)group[0].rm_so, (int)group[0].rm_eo,
		    (int)group[1].rm_so, (int)group[1].rm_eo, (int)group[2].rm_so,
		    (int)group[2].rm_eo);
	pattern_free(&p);
	free(s);
	return 0;
}
