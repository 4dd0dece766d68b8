/*
 * folded: lines of `frame;frame;frame value` to stacks and back. A line that is
 * a plain count, nearly all are, never leaves 64-bit integers.
 */
#include "profile/folded.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

static const char header[] = "# columns:";

bool
folded_columns_parse(struct folded_columns *c, const char *s, size_t len)
{
	const char *end = s + len;

	*c = (struct folded_columns){0};
	while (s < end) {
		size_t n = 0;

		while (s + n < end && strchr(", \t\r", s[n]) == NULL)
			n++;
		if (n > 0) {
			if (c->n == CALLTREE_COLUMNS)
				return false;
			c->name[c->n] = strndup(s, n);
			for (unsigned i = 0; i < c->n; i++)
				if (strcmp(c->name[i], c->name[c->n]) == 0)
					return false;
			c->n++;
		}
		s += n + 1;
	}
	return c->n > 0;
}

int
folded_columns_find(const struct folded_columns *c, const char *name)
{
	char *end;
	long number = strtol(name, &end, 10);

	for (unsigned i = 0; i < c->n; i++)
		if (c->name[i] != NULL && strcmp(c->name[i], name) == 0)
			return (int)i;
	return *end == '\0' && number >= 1 && number <= (long)c->n ? (int)number - 1 : -1;
}

static void
columns_free(struct folded_columns *c)
{
	for (unsigned i = 0; i < c->n; i++)
		free(c->name[i]);
	c->n = 0;
}

static bool
columns_equal(const struct folded_columns *a, const struct folded_columns *b)
{
	for (unsigned i = 0; i < a->n && i < b->n; i++)
		if (a->name[i] != NULL && b->name[i] != NULL && strcmp(a->name[i], b->name[i]) != 0)
			return false;
	return a->n == b->n;
}

void
folded_take(struct folded_file *f, struct folded *folded, struct lines *in)
{
	*f = (struct folded_file){.folded = folded, .in = in};
}

void
folded_open(struct folded_file *f, struct folded *folded, const char *path)
{
	folded_take(f, folded, lines_open(path, lines_cut_line));
}

void
folded_close(struct folded_file *f)
{
	f->folded->malformed += lines_finish(f->in, f->folded->strict);
	lines_block_free(&f->block);
	lines_close(f->in);
}

static void
malformed(struct folded_file *f, const char *why)
{
	if (f->folded->strict)
		cli_die("%s:%llu: %s", lines_name(f->in), (unsigned long long)f->number, why);
	if (f->folded->malformed++ == 0)
		cli_warn(
		    "%s:%llu: %s; left out", lines_name(f->in), (unsigned long long)f->number, why);
}

static void
read_header(struct folded_file *f, const char *names, const char *end)
{
	struct folded *folded = f->folded;
	struct folded_columns c;
	bool equal;

	if (!folded_columns_parse(&c, names, (size_t)(end - names)))
		cli_die("%s:%llu: a columns header needs 1 to %d different names",
		    lines_name(f->in), (unsigned long long)f->number, CALLTREE_COLUMNS);
	if (folded->columns.n == 0) {
		folded->columns = c;
		f->header = true;
		return;
	}
	equal = columns_equal(&folded->columns, &c);
	columns_free(&c);
	if (!equal)
		cli_die("%s:%llu: other columns than before: %.*s", lines_name(f->in),
		    (unsigned long long)f->number, (int)(end - names), names);
	f->header = true;
}

/* Before the first stack of a file: it has the columns of its header, of --columns, or one. */
static void
settle_columns(struct folded_file *f)
{
	struct folded *folded = f->folded;

	f->settled = true;
	if (f->header || folded->fixed)
		return;
	if (folded->columns.n == 0)
		folded->columns.n = 1;
	else if (folded->columns.n > 1)
		cli_die(
		    "%s:%llu: no columns header, but %u columns in what came before (see --columns)",
		    lines_name(f->in), (unsigned long long)f->number, folded->columns.n);
}

/* The values of a line: counts while all are plain whole numbers, else exact decimals. */
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

/* NULL when the line is a stack with its values, else what is wrong with it. */
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
				if (!folded->rounded)
					cli_note(
					    "a value has an exponent: its producer rounded it");
				folded->rounded = true;
				break;
			case VALUE_EXACT: break;
			}
			p->counts = false;
			p->count[c] = UINT64_MAX;
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

/* The next line that holds a stack. */
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
			if (!lines_next(f->in, &f->block))
				return false;
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
			if ((size_t)(end - line) >= sizeof header - 1 &&
			    memcmp(line, header, sizeof header - 1) == 0)
				read_header(f, line + sizeof header - 1, end);
			continue;
		}
		if (!f->settled)
			settle_columns(f);
		why = parse_values(f->folded, line, end, p);
		if (why == NULL) {
			f->folded->lines++;
			return true;
		}
		malformed(f, why);
	}
}

bool
folded_next(struct folded_file *f, struct folded_line *l)
{
	struct parsed p;

	if (!next(f, &p))
		return false;
	l->stack = p.stack;
	l->len = p.len;
	l->number = f->number;
	for (unsigned c = 0; c < f->folded->columns.n; c++)
		l->value[c] = p.count[c] != UINT64_MAX ? value_of(p.count[c]) : p.value[c];
	return true;
}

uint32_t
folded_add(struct calltree *t, struct folded_prefix *prev, const char *stack, size_t len)
{
	size_t same = folded_shared(prev->stack, stack, 0, len < prev->len ? len : prev->len);
	uint32_t d = prev->depth;
	size_t at;

	/* The deepest frame of the last stack that this one has too, up to its very end. */
	while (d > 0 && (prev->end[d] > same || (prev->end[d] < len && stack[prev->end[d]] != ';')))
		d--;
	if (len > prev->size) {
		prev->size = 2 * len;
		prev->stack = cli_realloc(prev->stack, prev->size, 1);
	}
	memcpy(prev->stack + same, stack + same, len - same);
	prev->len = len;

	for (at = d > 0 ? prev->end[d] + 1 : 0; at <= len; at = prev->end[d] + 1) {
		const char *semicolon = memchr(stack + at, ';', len - at);
		size_t end = semicolon != NULL ? (size_t)(semicolon - stack) : len;

		if (d + 1 >= prev->cap) {
			prev->cap = prev->cap != 0 ? 2 * prev->cap : 64;
			prev->node = cli_realloc(prev->node, prev->cap, sizeof *prev->node);
			prev->end = cli_realloc(prev->end, prev->cap, sizeof *prev->end);
			prev->node[0] = CALLTREE_ROOT;
		}
		prev->node[d + 1] =
		    calltree_child(t, prev->node[d], calltree_intern(t, stack + at, end - at));
		prev->end[++d] = end;
	}
	prev->depth = d;
	return prev->node[d];
}

void
folded_prefix_free(struct folded_prefix *prev)
{
	free(prev->stack);
	free(prev->node);
	free(prev->end);
	*prev = (struct folded_prefix){0};
}

/* For folded.guess: whether the stack, its value taken off, ends in another number. */
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

/* The input is no differential after all: the column that counted lines goes. */
static void
drop_guess(struct folded *folded, struct calltree *t)
{
	folded->guess = false;
	value_array_free(&t->self[--t->columns]);
}

void
folded_read(struct folded_file *f, struct calltree **tree)
{
	struct folded *folded = f->folded;
	struct folded_prefix prev = {0};
	struct parsed p;

	while (next(f, &p)) {
		struct calltree *t = *tree;
		uint32_t node;

		if (t == NULL)
			t = *tree = calltree_new(
			    folded->columns.n + (folded->guess && folded->columns.n == 1 &&
						    !folded->fixed && !f->header));
		node = folded_add(t, &prev, p.stack, p.len);
		for (unsigned c = 0; c < folded->columns.n; c++)
			if (p.count[c] != UINT64_MAX)
				value_array_count(&t->self[c], node, p.count[c]);
			else
				calltree_add(t, node, c, p.value[c]);
		if (t->columns > folded->columns.n) {
			size_t len;
			value v;

			value_array_count(&t->self[1], node, 1);
			if (f->header || !second_number(p.stack, p.len, &len, &v) || len == 0)
				drop_guess(folded, t);
		}
	}
	folded_prefix_free(&prev);
}

/*
 * Column 0 of *tree has the sums of the second number of each line, column 1 how
 * many lines, and the first number still stands at the end of the leaf's name.
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
			cli_die("a sum of values is over 3.4e29, more than can be kept exactly");
		calltree_add(two, leaf, 0, base * lines);
		calltree_add(two, leaf, 1, calltree_self(one, i, 0));
	}
	free(node);
	calltree_free(one);
	*tree = two;
}

void
folded_finish(struct folded *folded, struct calltree **tree)
{
	if (folded->lines == 0)
		cli_die(folded->malformed != 0 ? "no stacks in the input" : "the input is empty");
	if (folded->malformed > 1)
		cli_warn(
		    "%llu malformed lines were left out", (unsigned long long)folded->malformed);
	if (tree != NULL && (*tree)->columns > folded->columns.n) {
		split_pairs(tree);
		folded->columns.n = 2;
		folded->columns.name[0] = cli_strdup("base");
		folded->columns.name[1] = cli_strdup("head");
	}
}

void
folded_path_set(struct folded_path *p, uint32_t depth, const char *s, size_t len)
{
	size_t at;

	if (depth >= p->cap) {
		p->cap = p->cap != 0 ? 2 * p->cap : 64;
		p->end = cli_realloc(p->end, p->cap, sizeof *p->end);
		p->end[0] = 0;
	}
	at = p->end[depth - 1];
	if (at + len + 2 > p->size) {
		p->size = 2 * (at + len + 2);
		p->s = cli_realloc(p->s, p->size, 1);
	}
	if (depth > 1) {
		p->s[at++] = ';';
	} else if (len >= 2 && s[0] == '#' && s[1] == ' ') {
		p->s[at++] = '#'; /* a line that begins with "# " would be a comment */
		s += 2;
		len -= 2;
	}
	memcpy(p->s + at, s, len);
	p->end[depth] = at + len;
}

void
folded_write_header(struct output *o, const struct folded_columns *columns)
{
	if (columns->n < 2)
		return;
	output_text(o, header);
	for (unsigned c = 0; c < columns->n; c++)
		output_printf(o, " %s", columns->name[c]);
	output_char(o, '\n');
}

void
folded_write(
    struct output *o, struct calltree *t, const struct folded_columns *columns, bool with_header)
{
	struct folded_path path = {0};
	const struct calltree_name *name;
	uint32_t node = CALLTREE_ROOT, depth = 0;

	if (with_header && columns != NULL)
		folded_write_header(o, columns);
	calltree_sort(t);
	while ((node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
		name = &t->name[t->node[node].name];
		folded_path_set(&path, depth, name->s, name->len);
		if (!calltree_is_stack(t, node))
			continue;
		output_write(o, path.s, path.end[depth]);
		for (unsigned c = 0; c < t->columns; c++) {
			output_char(o, ' ');
			if (t->self[c].cell[node] < VALUE_WIDE)
				output_count(o, t->self[c].cell[node]);
			else
				output_value(o, calltree_self(t, node, c));
		}
		output_char(o, '\n');
	}
	folded_path_free(&path);
}

void
folded_path_free(struct folded_path *p)
{
	free(p->s);
	free(p->end);
	*p = (struct folded_path){0};
}
