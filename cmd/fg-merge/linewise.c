/*
 * linewise: reads the file twice and moves lines that are out of canonical order.
 *
 * The two orders differ where one name is a prefix of another: `cc;x` precedes `cc1;x` as a
 * stack, but follows it as a line, since `;` is greater than a digit. A reader of lines in order
 * cannot know at `cc1` whether `cc` will follow, and would have to buffer all of `cc1`. So the
 * first pass removes the lines that come too late, usually few, into a table and, if they are
 * many, into temporary files, to be merged with the others.
 */
#include "fg-merge/linewise.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/source.h"
#include "base/vec.h"
#include "profile/stackorder.h"
#include "profile/table.h"

#define HELD (1u << 18) /* stacks in the table before it is written to a part */
#define HELD_BYTES ((size_t)64 * 1024 * 1024)

static void
write_held(void *arg, const struct table *t, uint32_t n, const struct table_stack *stack)
{
	struct output *o = arg;
	value sum[CALLTREE_COLUMNS];

	for (unsigned c = 0; c < t->columns; c++)
		sum[c] = value_array_get(&t->sum[c], n);
	folded_write_stack(o, stack->text.s, stack->text.len, sum, t->columns);
}

static struct output *
add_part(struct linewise *l)
{
	vec_fit(l->part, l->capparts, l->nparts + 1);
	return temporary_create(&l->part[l->nparts++]);
}

static void
end_part(struct linewise *l, struct table **held)
{
	struct output *o;

	if (*held == NULL)
		return;
	o = add_part(l);
	table_walk(*held, write_held, o);
	output_close(o);
	table_free(*held);
	*held = NULL;
}

static void
move(struct linewise *l, uint64_t number)
{
	if (l->n > 0 && l->elsewhere[l->n - 1].last == number - 1) {
		l->elsewhere[l->n - 1].last = number;
		return;
	}
	vec_fit(l->elsewhere, l->cap, l->n + 1);
	l->elsewhere[l->n++] = (struct linewise_range){number, number};
}

static int
compare(struct str a, struct str b)
{
	int order = memcmp(a.s, b.s, a.len < b.len ? a.len : b.len);

	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static void
replace(struct text *t, struct str s)
{
	text_cut(t, 0);
	text_str(t, s);
}

/*
 * Reads all stacks of an open file; moves those that come too late, and copies the others to
 * `rest`.
 */
static void
part_lines(struct linewise *l, struct folded_file *f, struct output *rest)
{
	struct text line = {0}, last = {0}; /* the last line; the last stack that was not moved */
	struct table *held = NULL;
	struct folded_line now;
	size_t bytes = 0, linestack = 0;

	text_puts(&line, "");
	text_puts(&last, "");
	while (folded_next(f, &now)) {
		const char *end = strchr(now.stack + now.len, '\n');
		struct str whole = {now.stack, (size_t)(end - now.stack)};
		size_t shared = stack_shared(last.s, last.len, now.stack, now.len, 0);
		unsigned columns = f->folded->columns.n;
		uint32_t n;

		/* Hadoop sorts by stacks only, and leaves values unsorted. */
		if (compare(text_as_str(&line), whole) > 0 &&
		    compare((struct str){line.s, linestack}, (struct str){now.stack, now.len}) > 0)
			cli_die("%s:%llu: not in the order of LC_ALL=C sort, which --sorted-lines "
				"needs",
			    lines_name(f->in), (unsigned long long)now.number);
		replace(&line, whole);
		linestack = now.len;
		if (last.len == 0 ||
		    stack_order(last.s, last.len, now.stack, now.len, shared) <= 0) {
			replace(&last, (struct str){now.stack, now.len});
			if (rest != NULL)
				folded_write_stack(rest, now.stack, now.len, now.value, columns);
			continue;
		}
		move(l, now.number);
		if (held == NULL)
			held = table_new(columns);
		n = table_find(held, now.stack, now.len);
		for (unsigned c = 0; c < columns; c++)
			value_array_add(&held->sum[c], n, now.value[c]);
		bytes += now.len;
		if (held->n == HELD || bytes > HELD_BYTES) {
			end_part(l, &held);
			bytes = 0;
		}
	}
	end_part(l, &held);
	text_free(&line);
	text_free(&last);
}

void
linewise_read(struct linewise *l, struct merge *m, const struct profile *s)
{
	/* The second pass reports malformed lines. */
	struct folded scan = m->folded;
	struct folded_file f;
	struct output *rest = NULL;

	*l = (struct linewise){0};
	scan.warned = FOLDED_SILENT;
	l->copied = source_is_once(s->path);
	if (l->copied)
		rest = add_part(l);
	folded_open(&f, l->copied ? &m->folded : &scan, s->path);
	f.scaled = merge_scales(m, s);
	part_lines(l, &f, rest);
	folded_close(&f);
	if (rest != NULL)
		output_close(rest);
	else
		m->folded.columns = scan.columns;
}

void
linewise_free(struct linewise *l)
{
	for (size_t i = 0; i < l->nparts; i++)
		temporary_close(&l->part[i]);
	free(l->part);
	free(l->elsewhere);
}

bool
linewise_moved(const struct linewise *l, size_t *at, uint64_t number)
{
	while (*at < l->n && l->elsewhere[*at].last < number)
		++*at;
	return *at < l->n && l->elsewhere[*at].first <= number;
}
