/*
 * stream: filters one regular file in canonical order, stack by stack, in constant memory.
 *
 * The file is read twice. The first pass checks its order and, if names change, the order of the
 * result; if either check fails, nothing has been written yet.
 */
#include <stdlib.h>
#include <string.h>

#include "fg-filter/filter.h"
#include "fg-filter/stackwise.h"
#include "profile/stackorder.h"

bool
filter_can_stream(struct filter *f, const char *path)
{
	struct folded scan = f->folded;
	struct text last = {0};
	struct folded_file file;
	struct folded_line l;
	struct stackwise s;
	bool ordered = true, any = false;

	/* The second pass reports malformed lines. */
	scan.warned = FOLDED_SILENT;
	stackwise_start(&s, f);
	folded_open(&file, &scan, path);
	while (ordered && folded_next(&file, &l)) {
		size_t shared = stack_shared(s.raw.s, s.raw.len, l.stack, l.len, 0);

		ordered = !any || stack_order(s.raw.s, s.raw.len, l.stack, l.len, shared) < 0;
		ordered &= stackwise_is_plain((struct str){l.stack, l.len});
		any = true;
		if (s.nrename > 0 && ordered) {
			struct str out;

			stackwise_add(&s, l.stack, l.len, shared);
			out = stackwise_result(&s);
			ordered = stackwise_is_plain(out) &&
				  stack_order(last.s, last.len, out.s, out.len,
				      stack_shared(last.s, last.len, out.s, out.len, 0)) <= 0;
			text_cut(&last, 0);
			text_str(&last, out);
			continue;
		}
		text_cut(&s.raw, shared);
		text_add(&s.raw, l.stack + shared, l.len - shared);
	}
	folded_release(&file);
	lines_close(file.in);
	text_free(&last);
	stackwise_stop(&s);
	f->folded.columns = scan.columns;
	return ordered && any;
}

/* Writes a stack after its equal neighbours have been added to it. */
static void
write_stack(struct output *o, struct text *stack, value *v, unsigned columns, struct foldedend *end)
{
	if (stack->len > 0) {
		folded_write_stack(o, stack->s, stack->len, v, columns);
		end->stacks++;
		for (unsigned c = 0; c < columns; c++)
			end->sum = value_sum(end->sum, v[c]);
	}
	text_cut(stack, 0);
	memset(v, 0, columns * sizeof *v);
}

bool
filter_stream(struct filter *f, const char *path, struct output *o)
{
	value sum[CALLTREE_COLUMNS] = {0};
	struct folded_columns header;
	struct text last = {0};
	struct folded_file file;
	struct folded_line l;
	struct stackwise s;
	struct foldedend end = {0};
	unsigned columns = 0;
	bool kept = false, ends = false;
	int picked = -1;

	stackwise_start(&s, f);
	output_lines(o);
	text_puts(&last, "");
	input_open(f, &file, path);
	while (folded_next(&file, &l)) {
		size_t shared = stack_shared(s.raw.s, s.raw.len, l.stack, l.len, 0);
		value all = 0;
		struct step *by;
		struct str out;
		const value *v;

		if (columns == 0) {
			picked = filter_column(f);
			columns = picked < 0 ? f->folded.columns.n : 1;
			header = filter_columns(f);
			ends = header.ends && !f->no_header;
			if (ends)
				foldedend_announce(o, header.n);
			if (!f->no_header)
				folded_write_header(o, &header);
		}
		v = l.value + (picked < 0 ? 0 : picked);
		for (unsigned c = 0; s.sums && c < columns; c++)
			all = value_sum(all, v[c]);
		stackwise_add(&s, l.stack, l.len, shared);
		by = stackwise_cut(&s, all);
		if (by != NULL) {
			for (unsigned c = 0; c < columns; c++)
				by->cut[c] = value_sum(by->cut[c], v[c]);
			by->ncut++;
			continue;
		}
		kept = true;
		out = stackwise_result(&s);
		if (!str_equal(text_as_str(&last), out)) {
			write_stack(o, &last, sum, columns, &end);
			text_str(&last, out);
		}
		for (unsigned c = 0; c < columns; c++)
			sum[c] = value_sum(sum[c], v[c]);
	}
	folded_close(&file);
	folded_finish(&f->folded, NULL);
	write_stack(o, &last, sum, columns, &end);
	if (ends)
		foldedend_write(o, &end, header.n);
	text_free(&last);
	stackwise_stop(&s);
	return kept;
}
