#include "fg-merge/intact.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"
#include "profile/foldedend.h"
#include "profile/foldedtest.h"

/* Reads in to its end, for its lines `# end:`. */
static struct foldedend
read_to_end(struct lines *in)
{
	struct foldedend end = {0};
	struct lines_block block = {0};

	while (lines_next(in, &block)) {
		foldedend_scan(&end, block.data, block.len);
		lines_count(in, block.seq, 1);
	}
	lines_block_free(&block);
	return end;
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
	struct foldedend end = {0};

	if (len > 0 && !source_regular(source))
		cli_die("%s: not a regular file; --skip-damaged reads inputs twice", path);
	if (folded)
		end = read_to_end(in);
	if (!source_fault(source, why)) {
		if (!folded)
			text_printf(why, "%s: not folded stacks", path);
		else if (lines_unterminated(in))
			text_printf(why, "%s: the last line has no newline", path);
		else if (foldedend_is_missing(&end))
			text_printf(why, "%s: truncated: the announced last line is missing", path);
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
