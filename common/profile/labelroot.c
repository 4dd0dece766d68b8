/*
 * labelroot: reads the label lines at the start of a file.
 */
#include "profile/labelroot.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/lines.h"
#include "base/source.h"
#include "base/vec.h"
#include "profile/foldedheader.h"

#define UNKNOWN "[unknown]"

struct labels *
labelroot_labels(const char *path)
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

/* The key at the start of a list; *list is then after it and its comma, NULL after the last. */
static char *
next_key(const char **list)
{
	struct text key = {0};
	const char *comma = strchr(*list, ',');

	text_add(&key, *list, comma != NULL ? (size_t)(comma - *list) : strlen(*list));
	*list = comma != NULL ? comma + 1 : NULL;
	return key.s;
}

void
labelroot_keys(struct labelroot_keys *k, const char *keys)
{
	*k = (struct labelroot_keys){.list = keys};
	for (const char *at = keys; at != NULL;) {
		char *key = next_key(&at);

		if (key[0] == '\0' || strpbrk(key, ";#\n\t ") != NULL)
			cli_usage("--group-by: bad value '%s' (expected KEY or KEY,KEY)", keys);
		vec_fit(k->key, k->cap, k->n + 1);
		vec_fit(k->known, k->capknown, k->n + 1);
		k->known[k->n] = false;
		k->key[k->n++] = key;
	}
}

void
labelroot_values(struct text *to, struct labelroot_keys *k, const char *path)
{
	struct labels *labels = labelroot_labels(path);

	for (size_t i = 0; i < k->n; i++) {
		const struct label *label = labels_find(labels, k->key[i]);

		text_puts(to, i > 0 ? "," : "");
		k->known[i] |= label != NULL;
		if (label == NULL)
			text_puts(to, UNKNOWN);
		else
			labels_values(to, label);
	}
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
labelroot_frame(struct text *to, const struct labels *labels, const char *key)
{
	const struct label *label = labels_find(labels, key);

	if (label == NULL)
		text_puts(to, UNKNOWN);
	else if (label->n == 0)
		labels_values(to, label);
	for (unsigned v = 0; label != NULL && v < label->n; v++) {
		text_puts(to, v > 0 ? "," : "");
		add_value(to, str_of(label->value[v]));
	}
}

void
labelroot_frames(struct text *to, struct labelroot_keys *k, const char *path)
{
	struct labels *labels = labelroot_labels(path);

	for (size_t i = 0; i < k->n; i++) {
		text_printf(to, "%s%s=", i > 0 ? ";" : "", k->key[i]);
		labelroot_frame(to, labels, k->key[i]);
		k->known[i] |= labels_find(labels, k->key[i]) != NULL;
	}
	labels_free(labels);
}

void
labelroot_finish(struct labelroot_keys *k)
{
	for (size_t i = 0; i < k->n; i++) {
		if (!k->known[i])
			cli_warn("--group-by %s: no file has the label %s; \"fg-merge FILE | grep "
				 "label:\" shows those of a file",
			    k->list, k->key[i]);
		free(k->key[i]);
	}
	free(k->key);
	free(k->known);
	*k = (struct labelroot_keys){0};
}

void
labelroot_add(struct text *to, const char *key, struct str decoded, size_t n)
{
	text_puts(to, n == 0 ? key : "");
	text_char(to, n == 0 ? '=' : ',');
	add_value(to, decoded);
}
