/*
 * palettemap: the file of --cp, one `function->rgb(r,g,b)` per line, which keeps the colour of
 * each function from one picture to the next. Functions in the file have its colour; others
 * get one from the palette. The file is then rewritten, sorted.
 */
#include "fg-render/picture/palettemap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-render/picture/classic.h"
#include "fg-render/picture.h"

struct entry {
	char *function;
	unsigned char rgb[3];
};

static int
compare(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->function, ((const struct entry *)b)->function);
}

/* Reads all lines of the file; a file that does not exist is empty. */
static size_t
map_read(const char *path, struct entry **entries)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t size = 0, n = 0, cap = 0, number = 0;
	ssize_t len;

	*entries = NULL;
	if (f == NULL && errno == ENOENT)
		return 0;
	if (f == NULL)
		cli_die("%s: %s", path, strerror(errno));
	while ((len = getline(&line, &size, f)) >= 0) {
		char *arrow = NULL;
		unsigned r, g, b;

		number++;
		if (line[strspn(line, " \t\r\n")] == '\0')
			continue;
		for (char *at = line; (at = strstr(at, "->")) != NULL; at += 2)
			arrow = at; /* the last arrow: a name may contain one */
		if (arrow == NULL || sscanf(arrow, "->rgb(%u,%u,%u)", &r, &g, &b) != 3 || r > 255 ||
		    g > 255 || b > 255)
			cli_die("%s:%zu: not `function->rgb(r,g,b)'", path, number);
		vec_fit(*entries, cap, n + 1);
		*arrow = '\0';
		(*entries)[n++] = (struct entry){
		    cli_strdup(line), {(unsigned char)r, (unsigned char)g, (unsigned char)b}};
	}
	if (ferror(f))
		cli_die("%s: %s", path, strerror(errno));
	free(line);
	fclose(f);
	sort_items(*entries, n, sizeof **entries, compare);
	return n;
}

static void
map_write(const char *path, const struct entry *entry, size_t n)
{
	struct output *o = output_open(path);

	for (size_t i = 0; i < n; i++)
		output_printf(o, "%s->rgb(%u,%u,%u)\n", entry[i].function, entry[i].rgb[0],
		    entry[i].rgb[1], entry[i].rgb[2]);
	output_close(o);
}

/* Returns the class of a colour; a new colour gets the next number. */
static uint16_t
class_of(struct text *colours, const unsigned char rgb[3])
{
	char hex[9];
	size_t i;

	snprintf(hex, sizeof hex, "#%02x%02x%02x ", rgb[0], rgb[1], rgb[2]);
	for (i = 0; i < colours->len; i += 8)
		if (memcmp(colours->s + i, hex, 8) == 0)
			return (uint16_t)(i / 8);
	if (i / 8 == UINT16_MAX)
		cli_die("the palette map has more than 65,535 colours");
	text_puts(colours, hex);
	return (uint16_t)(i / 8);
}

void
palettemap(struct picture *p)
{
	const char *path = p->options->palette_map;
	struct entry *known, *all, want;
	size_t n = map_read(path, &known), nall = n;

	all = cli_alloc(n + p->tree->nname, sizeof *all);
	if (n != 0)
		memcpy(all, known, n * sizeof *all);
	for (uint32_t i = 0; i < p->tree->nname; i++) {
		struct entry *e = NULL;

		want = (struct entry){.function = cli_strdup(p->names.text[i].s)};
		if (n != 0)
			e = bsearch(&want, known, n, sizeof *known, compare);
		if (e == NULL) {
			char hex[8];

			classic_hex(classic_class(p, i), hex);
			sscanf(hex, "#%2hhx%2hhx%2hhx", &want.rgb[0], &want.rgb[1], &want.rgb[2]);
			e = &want;
			if (i != CALLTREE_ROOT && i != p->names.gap)
				all[nall++] = want;
		}
		p->names.class[i] = class_of(&p->names.colours, e->rgb);
		if (e != &want || i == CALLTREE_ROOT || i == p->names.gap)
			free(want.function);
	}
	sort_items(all, nall, sizeof *all, compare);
	map_write(path, all, nall);
	for (size_t i = 0; i < nall; i++)
		free(all[i].function);
	free(all);
	free(known);
}
