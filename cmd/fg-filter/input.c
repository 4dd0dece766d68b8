/*
 * input: reads the files of fg-filter. Labels select complete files, --from and --to time steps.
 */
#include <stdint.h>
#include <string.h>

#include "base/cli.h"
#include "fg-filter/filter.h"
#include "profile/labels.h"

bool
input_open(struct filter *f, struct folded_file *file, const char *path)
{
	struct labels *labels;
	bool wanted;
	const char *data;
	size_t len;

	folded_open(file, &f->folded, path);
	f->marks = false;
	f->in_range = true;
	if (!fileselect_is_used(&f->select) && f->nlocal == 0)
		return true;
	data = lines_peek(file->in, &len);
	labels = foldedheader_labels(data, len);
	wanted = fileselect_wants(&f->select, labels);
	for (size_t i = 0; i < f->nlocal; i++)
		if (f->step[i].where != NULL)
			where_labels(f->step[i].where, labels);
	labels_free(labels);
	if (wanted)
		return true;
	folded_release(file);
	lines_close(file->in);
	f->folded.allow_empty = true;
	return false;
}

bool
input_next(struct filter *f, struct folded_file *file, struct folded_line *l)
{
	while (folded_next(file, l)) {
		if (!f->range)
			return true;
		if (l->time.len > 0) {
			uint64_t time;

			if (!foldedheader_time(l->time, &time))
				cli_die("%s:%llu: bad time mark '%.*s' (expected a number and s, "
					"ms, us or ns)",
				    lines_name(file->in), (unsigned long long)file->number,
				    (int)l->time.len, l->time.s);
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
