/*
 * input: the files of fg-filter, of which --label selects some as a whole, and --from and
 * --to the steps of time.
 */
#include <stdint.h>
#include <string.h>

#include "base/cli.h"
#include "fg-filter/filter.h"
#include "profile/labels.h"

/* True when the labels have KEY=VALUE, or with a ! before it do not have it. */
static bool
has_label(const struct labels *l, const char *wanted)
{
	bool no = wanted[0] == '!', found;
	const char *key = wanted + no, *equals = strchr(key, '=');
	struct text name = {0};
	const struct label *label;

	text_add(&name, key, (size_t)(equals - key));
	label = labels_find(l, name.s);
	found = false;
	for (unsigned v = 0; label != NULL && v < label->n; v++)
		found |= strcmp(label->value[v], equals + 1) == 0;
	text_free(&name);
	return found != no;
}

bool
input_open(struct filter *f, struct folded_file *file, const char *path)
{
	struct labels *labels;
	bool wanted = true;
	const char *data;
	size_t len;

	folded_open(file, &f->folded, path);
	f->marks = false;
	f->in_range = true;
	if (f->nlabel == 0)
		return true;
	data = lines_peek(file->in, &len);
	labels = foldedheader_labels(data, len);
	for (size_t i = 0; i < f->nlabel; i++)
		wanted &= has_label(labels, f->label[i]);
	labels_free(labels);
	if (wanted)
		return true;
	folded_release(file);
	lines_close(file->in);
	f->folded.allow_empty = true;
	return false;
}

/* A time mark like "12.340 s" in ns; exit 2 when it is not one. */
static uint64_t
mark_time(const struct folded_file *file, struct str mark)
{
	static const struct {
		const char *unit;
		value ns;
	} units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
	const char *blank = memchr(mark.s, ' ', mark.len);
	value v;

	if (blank != NULL && value_parse(mark.s, blank, &v) != VALUE_BAD)
		for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
			if (text_is(blank + 1, (size_t)(mark.s + mark.len - blank - 1),
				units[i].unit) &&
			    v / VALUE_ONE <= INT64_MAX / units[i].ns)
				return (uint64_t)(v * units[i].ns / VALUE_ONE);
	cli_die("%s:%llu: bad time mark '%.*s' (expected a number and s, ms, us or ns)",
	    lines_name(file->in), (unsigned long long)file->number, (int)mark.len, mark.s);
}

bool
input_next(struct filter *f, struct folded_file *file, struct folded_line *l)
{
	while (folded_next(file, l)) {
		if (!f->range)
			return true;
		if (l->time.len > 0) {
			uint64_t time = mark_time(file, l->time);

			f->marks = true;
			f->in_range = time >= f->from && time < f->to;
		}
		if (!f->marks)
			cli_die("%s:%llu: no time mark before this stack; --from and --to need "
				"--time-order of fg-record or fg-collapse",
			    lines_name(file->in), (unsigned long long)l->number);
		if (f->in_range)
			return true;
	}
	return false;
}
