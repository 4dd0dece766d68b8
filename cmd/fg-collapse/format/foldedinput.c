/*
 * foldedinput: stacks that are already folded, merged without changes.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/foldedframe.h"
#include "fg-collapse/shape/scan.h"
#include "profile/folded.h"
#include "profile/foldedtest.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/nodes.h"

static uint32_t
add_stack(struct sampler *s, struct text *work, const char *stack, size_t len)
{
	const char *end = stack + len, *semicolon;
	uint32_t node = CALLTREE_ROOT;

	do {
		semicolon = memchr(stack, ';', (size_t)(end - stack));
		if (semicolon == NULL)
			semicolon = end;
		node = sample_child(s, node,
		    foldedframe_name(s, work, (struct str){stack, (size_t)(semicolon - stack)}));
		stack = semicolon + 1;
	} while (semicolon < end);
	return node;
}

/* Reads stack by stack, for options that change stacks or preserve their order. */
static void
read_stacks(struct sampler *s, struct folded_file *f)
{
	const struct folded_columns *columns = &f->folded->columns;
	uint64_t time = SAMPLE_NO_TIME;
	struct text work = {0};
	struct folded_line l;

	while (folded_next(f, &l)) {
		if (l.time.len > 0 && s->options->time_order && foldedheader_time(l.time, &time))
			s->marked = true;
		sampler_tree(s, columns->name, columns->n);
		sample_add(s, add_stack(s, &work, l.stack, l.len), time, l.value);
	}
	text_free(&work);
}

static void
read_input(struct reader *r)
{
	const struct sample_options *o = &r->options->sample;
	struct sampler *s = r->sampler;
	struct folded folded = {.strict = r->options->strict,
	    .jobs = r->options->jobs,
	    .columns = s->about,
	    .no_labels = r->options->no_labels};
	bool first = s->columns == 0;
	struct folded_file f;

	sampler_input(s, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	folded.columns.n = s->columns; /* number of columns of the previous inputs */
	folded_consumer(&f, &folded, r->lines);
	if (o->style.annotate != ANNOTATE_ALL || o->nskip_after > 0 || o->time_order ||
	    o->recursive) {
		read_stacks(s, &f);
	} else {
		struct calltree *tree = s->tree;

		folded_read(&f, &tree);
		if (tree != NULL)
			sampler_adopt(s, tree, folded.columns.name);
	}
	r->stacks += folded.lines;
	r->malformed += folded.malformed;
	sample_malformed(s, folded.malformed, 0);
	folded_release(&f);
	memcpy(s->about.unit, folded.columns.unit, sizeof s->about.unit);
	memcpy(s->about.period, folded.columns.period, sizeof s->about.period);
	memcpy(s->about.values, folded.columns.values, sizeof s->about.values);
	s->about.labels = folded.columns.labels;
	s->about.ends = folded.columns.ends;
	for (unsigned c = 0; first && c < folded.columns.n; c++)
		free(folded.columns.name[c]);
}

static int
compare_names(const void *a, const void *b)
{
	const struct str *x = a, *y = b;
	int c = memcmp(x->s, y->s, x->len < y->len ? x->len : y->len);

	return c != 0 ? c : (x->len > y->len) - (x->len < y->len);
}

/*
 * True for a name of several words, but `operator new`, `f (in libx)`, `std::map<int, int>`,
 * `Thread 12`.
 */
static bool
is_prose(struct str name)
{
	const char *blank = memchr(name.s, ' ', name.len);
	value v;

	if (name.len > 0 && (name.s[0] == '#' || name.s[name.len - 1] == '='))
		return true;
	if (blank == NULL ||
	    scan_value(str_from(name, (size_t)(blank + 1 - name.s)), &v)) /* of two words */
		return false;
	return blank[1] != '(' && blank[1] != '[' && str_find(name, "operator ") == name.len &&
	       memchr(name.s, '<', (size_t)(blank - name.s)) == NULL &&
	       memchr(name.s, '(', (size_t)(blank - name.s)) == NULL;
}

/*
 * False for lines that are a name and a number by chance: all names have blanks, or one name is
 * on two lines.
 */
static bool
is_profile(const char *data, size_t len)
{
	static struct str name[FOLDEDTEST_HEAD / 2];
	struct str rest = {data, len < FOLDEDTEST_HEAD ? len : FOLDEDTEST_HEAD}, line;
	size_t n = 0, prose = 0;

	while (scan_line(&rest, &line) && (rest.len > 0 || len < FOLDEDTEST_HEAD)) {
		if (line.len == 0 || str_starts(line, "# "))
			continue;
		line.len = str_find_last(line, " ");
		name[n++] = str_trim(line);
		prose += is_prose(name[n - 1]);
	}
	sort_items(name, n, sizeof *name, compare_names);
	for (size_t i = 1; i < n; i++)
		if (str_equal(name[i], name[i - 1]))
			return false;
	return prose < n || n == 0;
}

static int
sniff(const char *data, size_t len)
{
	const struct foldedtest t = foldedtest(data, len, false);

	return t.sure == 20 && t.flat && !is_profile(data, len) ? 0 : t.sure;
}

const struct format folded_format = {
    .provides = DATA_KIND | DATA_ORDER,
    .bytes = FORMAT_ANY, /* detection of folded text has its own rule */
    .flat = true,
    .sniff = sniff,
    .read = read_input,
};
