/*
 * fileselect: selects files by their labels.
 */
#include "profile/fileselect.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "profile/labelroot.h"

void
fileselect_label(void *files, char *arg, const char *option)
{
	struct fileselect *f = files;

	if (strchr(arg, '=') == NULL || arg[arg[0] == '!'] == '=')
		cli_usage("%s: bad value '%s' (expected KEY=VALUE or !KEY=VALUE)", option, arg);
	vec_fit(f->label, f->caplabel, f->nlabel + 1);
	f->label[f->nlabel++] = arg;
}

static uint64_t
time_of(const char *option, const char *arg)
{
	uint64_t time = labels_time(arg);

	if (time == 0)
		cli_usage("%s: bad value '%s' (expected a time in UTC, such as 2026-11-23, "
			  "2026-11-23T10:00 or @1795428000)",
		    option, arg);
	return time;
}

void
fileselect_since(void *files, char *arg, const char *option)
{
	((struct fileselect *)files)->since = time_of(option, arg);
}

void
fileselect_before(void *files, char *arg, const char *option)
{
	((struct fileselect *)files)->before = time_of(option, arg);
}

bool
fileselect_is_used(const struct fileselect *f)
{
	return f->nlabel > 0 || f->since > 0 || f->before > 0;
}

/* True if the labels have KEY=VALUE or, for !KEY=VALUE, do not have it. */
static bool
has_label(const struct labels *l, const char *wanted)
{
	bool no = wanted[0] == '!', found;
	const char *key = wanted + no, *equals = strchr(key, '=');
	struct text name = {0};

	text_add(&name, key, (size_t)(equals - key));
	found = labels_has(l, name.s, equals + 1);
	text_free(&name);
	return found != no;
}

bool
fileselect_wants(struct fileselect *f, const struct labels *labels)
{
	uint64_t start;

	for (size_t i = 0; i < f->nlabel; i++)
		if (!has_label(labels, f->label[i]))
			return false;
	if (f->since == 0 && f->before == 0)
		return true;
	start = labels_start(labels);
	f->undated += start == 0;
	return start > 0 && start >= f->since && (f->before == 0 || start < f->before);
}

void
fileselect_paths(struct fileselect *f, char **path, unsigned *n)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < *n; i++) {
		struct labels *labels = labelroot_labels(path[i]);

		if (fileselect_wants(f, labels))
			path[kept++] = path[i];
		labels_free(labels);
	}
	*n = kept;
}

void
fileselect_finish(struct fileselect *f)
{
	if (f->undated > 0)
		cli_note("%zu %s no single label start and %s left out by --recorded-since or "
			 "--recorded-before",
		    f->undated, text_form(f->undated, "file has", "files have"),
		    text_form(f->undated, "is", "are"));
	free(f->label);
	*f = (struct fileselect){0};
}
