/*
 * nameattr: parser of the --nameattr file, one `function<TAB>name=value<TAB>name=value...` per
 * line. Only attributes that cannot run a script are accepted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-render/reading/nameattr.h"
#include "fg-render/xml.h"

static const char *const known[] = {"title", "href", "target", "id", "class"};

/*
 * True for http, https, mailto and relative links: those without a scheme before the first of
 * "/?#".
 */
static bool
is_safe(const char *href)
{
	static const char *const scheme[] = {"http:", "https:", "mailto:"};

	for (size_t i = 0; i < sizeof scheme / sizeof scheme[0]; i++)
		if (strncasecmp(href, scheme[i], strlen(scheme[i])) == 0)
			return true;
	return href[strcspn(href, ":/?#")] != ':' && strcspn(href, " \t") == strlen(href);
}

/* True for ids that the picture or the viewer uses or reserves. */
static bool
is_ours(const char *id)
{
	return strcmp(id, "fg") == 0 || strncmp(id, "fg-", 3) == 0;
}

/* Parses one name=value of a line. */
static void
take(struct nameattr *a, const char *path, size_t line, char *field)
{
	char *text = strchr(field, '=');
	bool taken = false;

	if (text == NULL)
		cli_die("%s:%zu: not name=value: %s", path, line, field);
	*text++ = '\0';
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		taken |= strcmp(known[i], field) == 0;
	if (!taken) {
		cli_note("%s:%zu: unknown attribute %s; ignored", path, line, field);
		return;
	}
	text = xml_copy(text);
	if (strcmp(field, "href") == 0 && !is_safe(text)) {
		cli_note("%s:%zu: href %s is neither http, https, mailto nor relative; ignored",
		    path, line, text);
		free(text);
		return;
	}
	if (strcmp(field, "id") == 0 && is_ours(text)) {
		cli_note("%s:%zu: id %s is reserved for the picture; ignored", path, line, text);
		free(text);
		return;
	}
	vec_fit(a->attribute, a->cap, a->n + 1);
	a->attribute[a->n++] = (struct attribute){cli_strdup(field), text};
}

static int
compare(const void *a, const void *b)
{
	return strcmp(
	    ((const struct nameattr *)a)->function, ((const struct nameattr *)b)->function);
}

void
nameattr_read(struct nameattrs *all, const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL, *rest, *field;
	size_t size = 0, number = 0;
	ssize_t len;

	if (f == NULL)
		cli_die("%s: %s", path, strerror(errno));
	while ((len = getline(&line, &size, f)) >= 0) {
		struct nameattr *a;

		number++;
		line[strcspn(line, "\r\n")] = '\0';
		rest = line;
		field = strsep(&rest, "\t");
		if (rest == NULL && *field == '\0')
			continue;
		if (rest == NULL)
			cli_die("%s:%zu: not `function<TAB>name=value'", path, number);
		vec_fit(all->of, all->cap, all->n + 1);
		a = &all->of[all->n++];
		*a = (struct nameattr){.function = xml_copy(field)};
		while ((field = strsep(&rest, "\t")) != NULL)
			if (*field != '\0')
				take(a, path, number, field);
	}
	if (ferror(f))
		cli_die("%s: %s", path, strerror(errno));
	free(line);
	fclose(f);
	sort_items(all->of, all->n, sizeof *all->of, compare);
}

struct nameattr *
nameattr_find(const struct nameattrs *all, const char *function)
{
	struct nameattr want = {.function = (char *)(uintptr_t)function};

	return all->n == 0 ? NULL : bsearch(&want, all->of, all->n, sizeof *all->of, compare);
}
