/*
 * folded: parser of lines of `frame;frame;frame value`. A value that is a plain count, as
 * nearly all are, is parsed with 64-bit integers only.
 */
#include "profile/folded.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "profile/foldedinterval.h"
#include "profile/foldedtest.h"

void
folded_consumer(struct folded_file *f, struct folded *folded, struct lines *in)
{
	*f = (struct folded_file){.folded = folded, .in = in};
}

void
folded_open(struct folded_file *f, struct folded *folded, const char *path)
{
	folded_consumer(f, folded, lines_open(path, lines_cut_line));
	foldedtest_refuse(f->in, folded->fixed || folded->columns.n > 1);
}

/* True for the first warning of a kind. */
static bool
warns_first(struct folded *f, enum folded_warning kind)
{
	if (f->warned & kind)
		return false;
	f->warned |= kind;
	if (f->all_warned == NULL)
		return true;
	cli_wait_turn();
	return (atomic_fetch_or(f->all_warned, kind) & kind) == 0;
}

void
folded_release(struct folded_file *f)
{
	if (f->parts != NULL)
		foldedparts_stop(f);
	if (f->stacks && f->pairs && warns_first(f->folded, FOLDED_PAIRED))
		cli_note("%s: every stack ends in a number; if these are values of columns whose "
			 "header was lost, name them with --columns",
		    lines_name(f->in));
	if (f->stacks && !f->part)
		foldedheader_join_values(&f->folded->columns, &f->about, true, f->scaled);
	foldedheader_free(&f->about);
	text_free(&f->time);
	lines_block_free(&f->block);
}

void
folded_close(struct folded_file *f)
{
	f->folded->malformed += lines_finish(f->in, f->folded->strict);
	folded_release(f);
	lines_close(f->in);
}

static void
malformed(struct folded_file *f, const char *why)
{
	if (f->folded->strict)
		cli_die("%s:%llu: %s", lines_name(f->in), (unsigned long long)f->number, why);
	f->folded->malformed++;
	if (warns_first(f->folded, FOLDED_MALFORMED))
		cli_warn(
		    "%s:%llu: %s; left out", lines_name(f->in), (unsigned long long)f->number, why);
}

static void
misfit(struct folded_file *f, const char *key)
{
	if (warns_first(f->folded, FOLDED_MISFIT))
		cli_note("%s:%llu: the %s header does not fit the columns; read as a comment",
		    lines_name(f->in), (unsigned long long)f->number, key);
}

static void
other_unit(struct folded_file *f, struct str now, const char *before)
{
	cli_die("%s:%llu: unit %.*s, but earlier input has unit %s (fg-merge --unit overrides "
		"both)",
	    lines_name(f->in), (unsigned long long)f->number, (int)now.len, now.s, before);
}

/* Merges the file's header into that of all files. */
static void
join_about(struct folded_file *f)
{
	struct folded_columns *all = &f->folded->columns;

	if (f->folded->unit != NULL) {
		for (unsigned c = 0; c < all->n && all->unit[c] == NULL; c++)
			folded_columns_unit(all, c, f->folded->unit);
	} else {
		switch (foldedheader_join_units(all, &f->about)) {
		case FOLDEDHEADER_FITS:
		case FOLDEDHEADER_DONE: break;
		case FOLDEDHEADER_INVALID: misfit(f, "unit"); break;
		case FOLDEDHEADER_CONFLICT:
			for (unsigned c = 0; c < all->n; c++) {
				const char *own = foldedheader_unit(&f->about, c);

				if (own != NULL && !unit_is_same(own, all->unit[c]))
					other_unit(f, str_of(own), all->unit[c]);
			}
		}
	}
	if (f->about.columns.compared != NULL)
		foldedheader_join_compared(&all->compared, str_of(f->about.columns.compared));
	if (f->about.columns.sides != NULL && !f->folded->no_labels)
		foldedheader_join_compared(&all->sides, str_of(f->about.columns.sides));
	if (!f->folded->no_labels)
		labels_join(&all->labels, f->about.columns.labels);
	if (f->about.columns.intervals != NULL)
		folded_interval_join(&all->intervals, f->about.columns.intervals);
	if (!f->scaled && foldedheader_join_periods(all, &f->about) == FOLDEDHEADER_INVALID)
		misfit(f, "period");
	if (foldedheader_join_values(all, &f->about, false, f->scaled) == FOLDEDHEADER_INVALID)
		misfit(f, "values");
	if (foldedheader_uneven(all))
		cli_die("%s:%llu: counts of samples at different periods cannot be added up; "
			"record with fg-record --weight period, or scale them with fg-merge "
			"--scale",
		    lines_name(f->in), (unsigned long long)f->number);
}

/* Reads a file's columns line; it applies from the file's first stack on. */
static enum foldedheader_fit
read_columns(struct folded_file *f, struct str words)
{
	struct folded_columns c;
	unsigned long long number = f->number;
	bool equal;

	if (!folded_columns_parse(&c, words.s, words.len))
		cli_die("%s:%llu: a columns header needs 1 to %d different names",
		    lines_name(f->in), number, CALLTREE_COLUMNS);
	if (f->about.columns.n == 0 && !f->columns_set) {
		f->about.columns.n = c.n;
		memcpy(f->about.columns.name, c.name, sizeof c.name);
		return FOLDEDHEADER_DONE;
	}
	equal = folded_columns_equal(f->columns_set ? &f->folded->columns : &f->about.columns, &c);
	if (f->columns_set && f->about.columns.n == 0 && !f->folded->fixed && c.n > 1)
		cli_die("%s:%llu: a columns header after the first stack (see --columns)",
		    lines_name(f->in), number);
	folded_columns_free(&c);
	if (!equal)
		cli_die("%s:%llu: the columns differ from those of earlier input: %.*s",
		    lines_name(f->in), number, (int)words.len, words.s);
	return FOLDEDHEADER_DONE;
}

#define INTERVALS_MAX 32768 /* limit of `# interval:` lines, bytes; fg-diff writes less */

/* Appends a line to lines, which may be NULL. */
static void
add_line(char **lines, struct str line)
{
	size_t len = *lines != NULL ? strlen(*lines) : 0;

	if (len > INTERVALS_MAX)
		return;
	*lines = cli_realloc(*lines, len + line.len + 2, 1);
	memcpy(*lines + len, line.s, line.len);
	memcpy(*lines + len + line.len, "\n", 2);
}

static enum foldedheader_fit
read_time(struct folded_file *f, struct str words)
{
	text_cut(&f->time, 0);
	text_str(&f->time, words);
	return FOLDEDHEADER_DONE;
}

static enum foldedheader_fit
read_unit(struct folded_file *f, struct str words)
{
	return f->folded->unit == NULL ? foldedheader_read_units(&f->about, words)
				       : FOLDEDHEADER_FITS;
}

static enum foldedheader_fit
read_label(struct folded_file *f, struct str words)
{
	return foldedheader_read_labels(&f->about, words);
}

static enum foldedheader_fit
read_period(struct folded_file *f, struct str words)
{
	return foldedheader_read_periods(&f->about, words);
}

static enum foldedheader_fit
read_values(struct folded_file *f, struct str words)
{
	return foldedheader_read_values(&f->about, words);
}

/* Only valid in the header, above the first stack. */
static enum foldedheader_fit
read_interval(struct folded_file *f, struct str words)
{
	if (!f->columns_set && memchr(words.s, '\0', words.len) == NULL)
		add_line(&f->about.columns.intervals, words);
	return FOLDEDHEADER_DONE;
}

static enum foldedheader_fit
read_end(struct folded_file *f, struct str words)
{
	if (!foldedend_read(&f->end, words) && cli_verbose)
		cli_note("%s:%llu: the stacks above are not those that were written; no check for "
			 "truncation",
		    lines_name(f->in), (unsigned long long)f->number);
	f->folded->columns.ends |= f->end.announced;
	return FOLDEDHEADER_DONE;
}

static enum foldedheader_fit
read_compared(struct folded_file *f, struct str words)
{
	if (words.len > 0 && memchr(words.s, '\0', words.len) == NULL)
		foldedheader_join_compared(&f->about.columns.compared, words);
	return FOLDEDHEADER_FITS;
}

static enum foldedheader_fit
read_sides(struct folded_file *f, struct str words)
{
	if (words.len > 0 && memchr(words.s, '\0', words.len) == NULL)
		foldedheader_join_compared(&f->about.columns.sides, words);
	return FOLDEDHEADER_FITS;
}

void
folded_comment(struct folded_file *f, const char *line, const char *end)
{
	static enum foldedheader_fit (*const read[])(struct folded_file *, struct str) = {
#define HEADER(id, key, summary) [FOLDEDHEADER_##id] = read_##key,
#include "profile/foldedheaders.def"
#undef HEADER
	};
	struct str words;
	enum foldedheader_key key =
	    foldedheader_key((struct str){line, (size_t)(end - line)}, &words);

	if (key == FOLDEDHEADER_NONE)
		return;
	switch (read[key](f, words)) {
	case FOLDEDHEADER_DONE: break;
	case FOLDEDHEADER_INVALID: misfit(f, foldedheader_name(key)); break;
	case FOLDEDHEADER_CONFLICT: other_unit(f, words, foldedheader_unit(&f->about, 0)); break;
	case FOLDEDHEADER_FITS:
		if (f->columns_set)
			join_about(f);
	}
}

/* Sets the columns before a file's first stack: those of its header, of --columns, or one. */
static void
set_columns(struct folded_file *f)
{
	struct folded *folded = f->folded;
	struct folded_columns *all = &folded->columns, *own = &f->about.columns;

	f->columns_set = true;
	if (own->n > 0 && all->n == 0) {
		all->n = own->n;
		for (unsigned c = 0; c < own->n; c++)
			all->name[c] = cli_strdup(own->name[c]);
	} else if (own->n > 0 && !folded_columns_equal(all, own)) {
		cli_die("%s:%llu: the columns differ from those of earlier input (see --columns)",
		    lines_name(f->in), (unsigned long long)f->number);
	} else if (own->n == 0 && !folded->fixed && all->n > 1) {
		cli_die(
		    "%s:%llu: no columns header, but earlier input has %u columns (see --columns)",
		    lines_name(f->in), (unsigned long long)f->number, all->n);
	}
	if (all->n == 0)
		all->n = 1;
	f->pairs = own->n == 0 && !folded->fixed && !folded->guess;
	join_about(f);
}

/* The values of a line: counts if all are plain integers, else exact decimals. */
struct parsed {
	const char *stack;
	size_t len;
	bool counts;
	uint64_t count[CALLTREE_COLUMNS];
	value value[CALLTREE_COLUMNS];
};

static bool
parse_count(const char *s, const char *end, uint64_t *count)
{
	uint64_t n = 0;

	if (s == end || end - s > 18)
		return false;
	for (; s < end; s++) {
		if (*s < '0' || *s > '9')
			return false;
		n = n * 10 + (uint64_t)(*s - '0');
	}
	*count = n;
	return true;
}

/* Parses a stack and its values; returns NULL, or the reason why the line is malformed. */
static const char *
parse_values(struct folded *folded, const char *line, const char *end, struct parsed *p)
{
	p->counts = true;
	for (unsigned c = folded->columns.n; c-- > 0;) {
		const char *s = end;

		while (s > line && s[-1] != ' ' && s[-1] != '\t')
			s--;
		if (s == line)
			return "no value at the end of the line";
		if (parse_count(s, end, &p->count[c])) {
			p->value[c] = 0;
		} else {
			switch (value_parse(s, end, &p->value[c])) {
			case VALUE_BAD: return "no value at the end of the line";
			case VALUE_ROUNDED:
				if (warns_first(folded, FOLDED_ROUNDED))
					cli_note(
					    "a value has an exponent: its producer rounded it");
				break;
			case VALUE_EXACT: break;
			}
			p->counts = false;
			p->count[c] = FOLDED_NO_COUNT;
		}
		for (end = s - 1; end > line && (end[-1] == ' ' || end[-1] == '\t'); end--)
			continue;
	}
	if (end == line)
		return "no stack before the value";
	p->stack = line;
	p->len = (size_t)(end - line);
	return NULL;
}

/* True if a stack, after removal of its value, ends in another number. */
static bool
second_number(const char *s, size_t len, size_t *stack_len, value *v)
{
	const char *end = s + len, *number = end;

	while (number > s && number[-1] != ' ' && number[-1] != '\t')
		number--;
	if (number == s || value_parse(number, end, v) == VALUE_BAD)
		return false;
	while (number > s && (number[-1] == ' ' || number[-1] == '\t'))
		number--;
	*stack_len = (size_t)(number - s);
	return true;
}

static bool
ends_in_number(const struct parsed *p)
{
	size_t len;
	value v;

	return second_number(p->stack, p->len, &len, &v) && len > 0;
}

/* At the end of the input: exits with 2 if it is truncated, since sums would be too small. */
static void
end_input(struct folded_file *f)
{
	const unsigned long long number = f->number;

	source_finish(lines_source(f->in), true);
	if (foldedend_is_missing(&f->end))
		cli_die("%s:%llu: truncated: the last line, which the header announces, is "
			"missing; record it again, or see fg-merge --skip-damaged",
		    lines_name(f->in), number);
	if (!lines_unterminated(f->in))
		return;
	/* A file without a stack was cut inside its header, perhaps before the announcement. */
	if (f->folded->strict || f->end.announced || !f->end.any)
		cli_die("%s:%llu: the last line has no newline; the file may be truncated",
		    lines_name(f->in), number);
	if (warns_first(f->folded, FOLDED_UNTERMINATED))
		cli_note("%s:%llu: the last line has no newline; its number may be truncated",
		    lines_name(f->in), number);
}

static void
add_to_end(struct folded_file *f, const struct parsed *p)
{
	f->end.stacks++;
	for (unsigned c = 0; c < f->folded->columns.n; c++)
		f->end.sum = value_sum(f->end.sum,
		    p->count[c] != FOLDED_NO_COUNT ? value_of(p->count[c]) : p->value[c]);
}

/* Reads the next line with a stack. */
static bool
next(struct folded_file *f, struct parsed *p)
{
	for (;;) {
		const char *line = f->at, *end, *why;

		if (line == NULL || line == f->block.data + f->block.len) {
			if (line != NULL)
				lines_count(
				    f->in, f->block.seq, (uint32_t)(f->number - f->before_block));
			f->before_block = f->number;
			f->at = NULL;
			if (f->parting != NULL && f->parts == NULL && line != NULL)
				foldedparts_start(f);
			if (f->aside != NULL && foldedparts_must_stop(f))
				return false;
			if (!lines_next(f->in, &f->block)) {
				if (f->parts != NULL && foldedparts_join(f))
					continue;
				if (f->aside == NULL)
					end_input(f);
				return false;
			}
			line = f->block.data;
		}
		end = memchr(line, '\n', (size_t)(f->block.data + f->block.len - line));
		f->at = end + 1;
		f->number++;
		while (end > line && (end[-1] == '\r' || end[-1] == '\t' || end[-1] == ' '))
			end--;
		if (end == line)
			continue;
		if (line[0] == '#' && line[1] == ' ') {
			if (f->aside == NULL)
				folded_comment(f, line, end);
			else if (!foldedparts_passes(f, (struct str){line, (size_t)(end - line)}))
				return false;
			continue;
		}
		if (!f->columns_set)
			set_columns(f);
		why = parse_values(f->folded, line, end, p);
		if (why != NULL)
			malformed(f, why);
		if (f->aside != NULL && foldedparts_must_stop(f))
			return false;
		if (why == NULL) {
			f->folded->lines++;
			f->end.any = true;
			if (f->end.due)
				add_to_end(f, p);
			f->stacks = true;
			f->pairs = f->pairs && ends_in_number(p);
			return true;
		}
	}
}

bool
folded_next(struct folded_file *f, struct folded_line *l)
{
	struct parsed p;

	if (f->passed)
		text_cut(&f->time, 0);
	f->passed = true;
	if (!next(f, &p))
		return false;
	l->stack = p.stack;
	l->len = p.len;
	l->number = f->number;
	l->time = text_as_str(&f->time);
	for (unsigned c = 0; c < f->folded->columns.n; c++) {
		l->count[c] = p.count[c];
		l->value[c] = p.count[c] != FOLDED_NO_COUNT ? value_of(p.count[c]) : p.value[c];
	}
	return true;
}

/* The input is not a differential: removes the column that counted lines. */
static void
drop_guess(struct folded *folded, struct calltree *t)
{
	folded->guess = false;
	value_array_free(&t->self[--t->columns]);
}

static void *
read_part(struct folded_file *part, void *arg)
{
	struct calltree *t = NULL;

	(void)arg;
	folded_read(part, &t);
	return t;
}

static void
join_part(void *tree, void *part)
{
	if (part != NULL)
		calltree_merge(*(struct calltree **)tree, part);
	calltree_free(part);
}

static void
drop_part(void *part)
{
	calltree_free(part);
}

#define MANY_NAMES 65536 /* their index is larger than most caches */

/* A line that is added after the next one has been read. */
struct delayed {
	struct parsed line;
	char *stack;
	size_t size;
	bool any;
};

static inline uint32_t
add_parsed(struct calltree *t, struct folded_prefix *prev, const struct parsed *p, unsigned columns)
{
	uint32_t node = folded_add(t, prev, p->stack, p->len);

	for (unsigned c = 0; c < columns; c++)
		if (p->count[c] != FOLDED_NO_COUNT)
			value_array_count(&t->self[c], node, p->count[c]);
		else
			calltree_add(t, node, c, p->value[c]);
	return node;
}

/* Adds the line before p, while the place of p's leaf in the index of names is fetched. */
__attribute__((noinline)) static void
add_delayed(struct calltree *t, struct folded_prefix *prev, struct delayed *d,
    const struct parsed *p, unsigned columns)
{
	const char *colon = memrchr(p->stack, ';', p->len);
	const char *leaf = colon != NULL ? colon + 1 : p->stack;

	calltree_expect(t, leaf, (size_t)(p->stack + p->len - leaf));
	if (d->any)
		add_parsed(t, prev, &d->line, columns);
	vec_fit(d->stack, d->size, p->len);
	memcpy(d->stack, p->stack, p->len);
	d->line = *p;
	d->line.stack = d->stack;
	d->any = true;
}

/* Adds a line; while the first number of a differential is guessed, counts lines, too. */
static void
add_guessing(const struct folded_file *f, struct calltree *t, struct folded_prefix *prev,
    const struct parsed *p)
{
	const unsigned columns = f->folded->columns.n;
	uint32_t node = add_parsed(t, prev, p, columns);
	size_t len;
	value v;

	if (t->columns == columns)
		return;
	value_array_count(&t->self[1], node, 1);
	if (f->about.columns.n > 0 || !second_number(p->stack, p->len, &len, &v) || len == 0)
		drop_guess(f->folded, t);
}

void
folded_read(struct folded_file *f, struct calltree **tree)
{
	const struct folded_parting parting = {read_part, join_part, drop_part, tree};
	struct folded *folded = f->folded;
	struct folded_prefix prev = {0};
	struct delayed delayed = {.any = false};
	struct parsed p;

	f->parting = &parting;
	while (next(f, &p)) {
		struct calltree *t = *tree;

		if (t == NULL)
			t = *tree = calltree_new(
			    folded->columns.n + (folded->guess && folded->columns.n == 1 &&
						    !folded->fixed && f->about.columns.n == 0));
		if (t->nname > MANY_NAMES && t->columns == folded->columns.n)
			add_delayed(t, &prev, &delayed, &p, folded->columns.n);
		else
			add_guessing(f, t, &prev, &p);
	}
	f->parting = NULL;
	if (delayed.any)
		add_parsed(*tree, &prev, &delayed.line, folded->columns.n);
	free(delayed.stack);
	folded_prefix_free(&prev);
}

/*
 * Splits first numbers off the leaf names. Input: column 0 of *tree has the sums of the second
 * numbers, column 1 the numbers of lines, and each leaf's name still ends in the first number.
 */
static void
split_pairs(struct calltree **tree)
{
	struct calltree *one = *tree, *two = calltree_new(2);
	uint32_t *node = cli_alloc(one->nnode, sizeof *node);

	for (uint32_t i = 1; i < one->nnode; i++) {
		const struct calltree_name *name = &one->name[one->node[i].name];
		uint32_t parent = node[one->node[i].parent], leaf;
		size_t len;
		value base, lines;

		if (one->node[i].child != 0)
			node[i] =
			    calltree_child(two, parent, calltree_intern(two, name->s, name->len));
		if (!calltree_is_stack(one, i) || !second_number(name->s, name->len, &len, &base))
			continue;
		leaf = calltree_child(two, parent, calltree_intern(two, name->s, len));
		lines = calltree_self(one, i, 1) / VALUE_ONE;
		if (base > VALUE_MAX / lines)
			cli_die("a sum of values exceeds 3.4e29, the limit for exact sums");
		calltree_add(two, leaf, 0, base * lines);
		calltree_add(two, leaf, 1, calltree_self(one, i, 0));
	}
	free(node);
	calltree_free(one);
	*tree = two;
}

/* Makes two columns of one: base and head, both with its unit and period. */
static void
name_pair(struct folded_columns *c)
{
	const struct folded_period *period = &c->period[0];

	c->n = 2;
	c->name[0] = cli_strdup("base");
	c->name[1] = cli_strdup("head");
	if (c->unit[0] != NULL)
		folded_columns_unit(c, 1, c->unit[0]);
	if (period->unit != NULL) {
		folded_columns_period(c, 1, period->number, period->unit);
		c->period[1].mixed = period->mixed;
	}
	c->values[1] = c->values[0];
}

void
folded_finish(struct folded *folded, struct calltree **tree)
{
	if (folded->lines == 0 && (folded->malformed != 0 || !folded->allow_empty))
		cli_die(folded->malformed != 0 ? "no stacks in the input" : "the input is empty");
	if (folded->malformed > 1)
		cli_warn(
		    "%llu malformed lines were left out", (unsigned long long)folded->malformed);
	if (tree != NULL && (*tree)->columns > folded->columns.n) {
		split_pairs(tree);
		name_pair(&folded->columns);
	}
}

void
folded_into_columns(void *folded, char *names, const char *option)
{
	struct folded *f = folded;

	(void)option;
	folded_columns_option(&f->columns, names);
	f->fixed = true;
}

void
folded_into_unit(void *unit, char *arg, const char *option)
{
	if (!folded_unit_valid(arg))
		cli_usage("%s: bad value '%s' (expected one word)", option, arg);
	*(const char **)unit = arg;
}
