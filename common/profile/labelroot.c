/*
 * labelroot: reads the label lines at the start of a file.
 */
#include "profile/labelroot.h"

#include <string.h>

#include "base/cli.h"
#include "base/lines.h"
#include "base/source.h"
#include "profile/foldedheader.h"

#define UNKNOWN "[unknown]"

/* Returns the labels of a file; the caller frees them. */
static struct labels *
read_labels(const char *path)
{
	struct lines *in = lines_open(path, lines_cut_line);
	struct labels *labels;
	size_t len;
	const char *data = lines_peek(in, &len);

	if (strcmp(path, "-") == 0 || (len > 0 && !source_regular(lines_source(in))))
		cli_die("%s: not a regular file; labels are read in a first pass over the inputs",
		    path);
	labels = foldedheader_labels(data, len);
	lines_close(in);
	return labels;
}

void
labelroot_values(struct text *to, const char *path, const char *key)
{
	struct labels *labels = read_labels(path);
	const struct label *label = labels_find(labels, key);

	if (label == NULL)
		text_puts(to, UNKNOWN);
	else
		labels_values(to, label);
	labels_free(labels);
}

/* Appends one value; a leading `#` could begin a comment. */
static void
add_value(struct text *to, struct str decoded)
{
	for (const char *s = decoded.s; s < decoded.s + decoded.len; s++) {
		unsigned char c = (unsigned char)*s;

		if (c < 0x20 || c == 0x7f || strchr(";,%", c) != NULL ||
		    (c == '#' && s == decoded.s))
			text_printf(to, "%%%02X", c);
		else
			text_char(to, *s);
	}
}

void
labelroot_frame(struct text *to, const char *path, const char *key)
{
	struct labels *labels = read_labels(path);
	const struct label *label = labels_find(labels, key);

	if (label == NULL)
		text_puts(to, UNKNOWN);
	else if (label->n == 0)
		labels_values(to, label);
	for (unsigned v = 0; label != NULL && v < label->n; v++) {
		text_puts(to, v > 0 ? "," : "");
		add_value(to, str_of(label->value[v]));
	}
	labels_free(labels);
}

void
labelroot_add(struct text *to, const char *key, struct str decoded, size_t n)
{
	text_puts(to, n == 0 ? key : "");
	text_char(to, n == 0 ? '=' : ',');
	add_value(to, decoded);
}
