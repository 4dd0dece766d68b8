#include "fg-merge/intact.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"
#include "profile/foldedtest.h"

/* Reads in to its end; returns the last byte, or a newline if in is empty. */
static char
read_to_end(struct source *in)
{
	static char buf[LINES_BLOCK];
	char last = '\n';

	for (size_t n; (n = source_read(in, buf, sizeof buf)) > 0;)
		last = buf[n - 1];
	return last;
}

/* True if the file at path is damaged; sets *why to the reason. */
static bool
is_damaged(const struct merge *m, const char *path, struct text *why)
{
	struct lines *in = lines_open(path, lines_cut_line);
	struct source *source = lines_source(in);
	size_t len;
	const char *data = lines_peek(in, &len);
	bool folded = foldedtest(data, len, m->folded.fixed).sure > 0;
	char last = '\n';

	if (len > 0 && !source_regular(source))
		cli_die("%s: not a regular file; --skip-damaged reads inputs twice", path);
	if (folded && source_compression(source) != NULL)
		last = read_to_end(source);
	else if (folded && m->folded.strict && source_size(source) > 0)
		source_pread(source, &last, 1, source_size(source) - 1);
	if (!source_fault(source, why)) {
		if (!folded)
			text_printf(why, "%s: not folded stacks", path);
		else if (m->folded.strict && last != '\n')
			text_printf(why, "%s: the last line has no newline", path);
	}
	lines_close(in);
	return why->len > 0;
}

void
intact_select(struct merge *m, const char *list)
{
	struct output *skipped = list != NULL ? output_open(list) : NULL;
	size_t intact = 0, all = m->n;

	for (size_t i = 0; i < all; i++) {
		struct profile *s = &m->source[i];
		struct text why = {0};

		if (strcmp(s->path, "-") == 0)
			cli_die("stdin: not a regular file; --skip-damaged reads inputs twice");
		if (!is_damaged(m, s->path, &why)) {
			m->source[intact++] = *s;
			continue;
		}
		cli_warn("%s; the file is skipped", why.s);
		if (skipped != NULL)
			output_write(skipped, s->path, strlen(s->path) + 1);
		text_free(&why);
		free(s->prefix);
	}
	m->n = intact;
	if (skipped != NULL)
		output_close(skipped);
	if (intact < all)
		cli_warn("%zu of %zu %s skipped", all - intact, all,
		    text_form(all, "file was", "files were"));
	if (intact == 0 && !m->folded.allow_empty)
		cli_die("all files are damaged");
}
