/*
 * foldedout: writer of lines of `frame;frame;frame value` that read back as the same stacks.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "profile/folded.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/*
 * The number of spaces after a leading hash, which would make the stack a comment and are
 * omitted. The stack `#` gets a TAB before its value.
 */
static size_t
comment_spaces(const char *s, size_t len)
{
	size_t n = 1;

	if (len < 2 || s[0] != '#')
		return 0;
	while (n < len && s[n] == ' ')
		n++;
	return n - 1;
}

/* Written for a stack of one frame without a name: a line with only a value is malformed. */
static const struct str unknown = {"[unknown]", sizeof "[unknown]" - 1};

static bool
is_nameless(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && (s[n] == ' ' || s[n] == '\t'))
		n++;
	return n == len;
}

static bool
is_mark(const char *s, size_t len)
{
	return (len >= 3 && memcmp(s, BYTE_ORDER_MARK, 3) == 0) ||
	       (len >= 2 && (memcmp(s, "\xff\xfe", 2) == 0 || memcmp(s, "\xfe\xff", 2) == 0));
}

void
folded_begin_stack(struct output *o, const char *stack, size_t len)
{
	size_t spaces;
	bool alone;

	if (len > 0 && stack[0] >= '$' && (o->n > 0 || o->begun)) { /* the usual case, quickly */
		output_write(o, stack, len);
		output_char(o, ' ');
		return;
	}
	spaces = comment_spaces(stack, len);
	alone = len == 1 + spaces && stack[0] == '#';
	if (is_nameless(stack, len)) {
		stack = unknown.s;
		len = unknown.len;
	}
	/* Readers remove one byte order mark at the start of a file: adds another. */
	if (o->n == 0 && !o->begun && is_mark(stack, len))
		output_text(o, BYTE_ORDER_MARK);
	if (spaces > 0) {
		output_char(o, '#');
		stack += 1 + spaces;
		len -= 1 + spaces;
	}
	output_write(o, stack, len);
	output_char(o, alone ? '\t' : ' ');
}

void
folded_end_stack(struct output *o, const value *v, unsigned columns)
{
	for (unsigned c = 0; c < columns; c++) {
		if (c > 0)
			output_char(o, ' ');
		output_value(o, v[c]);
	}
	output_char(o, '\n');
}

void
folded_write_stack(
    struct output *o, const char *stack, size_t len, const value *v, unsigned columns)
{
	folded_begin_stack(o, stack, len);
	folded_end_stack(o, v, columns);
}

void
folded_stack(const struct calltree *t, uint32_t node, struct text *stack)
{
	size_t at = 0, spaces;

	for (uint32_t i = node; i != CALLTREE_ROOT; i = t->node[i].parent)
		at += t->name[t->node[i].name].len + 1;
	text_cut(stack, 0);
	text_reserve(stack, at);
	stack->len = at > 0 ? at - 1 : 0;
	for (uint32_t i = node; i != CALLTREE_ROOT; i = t->node[i].parent) {
		const struct calltree_name *name = &t->name[t->node[i].name];

		stack->s[--at] = ';';
		at -= name->len;
		memcpy(stack->s + at, name->s, name->len);
	}
	stack->s[stack->len] = '\0';
	spaces = comment_spaces(stack->s, stack->len);
	if (spaces > 0) {
		memmove(stack->s + 1, stack->s + 1 + spaces, stack->len - 1 - spaces);
		text_cut(stack, stack->len - spaces);
	}
	if (is_nameless(stack->s, stack->len)) {
		text_cut(stack, 0);
		text_str(stack, unknown);
	}
}

void
folded_path_set(struct folded_path *p, uint32_t depth, const char *s, size_t len)
{
	size_t at, spaces;

	if (depth >= p->cap) {
		p->cap = p->cap != 0 ? 2 * p->cap : 64;
		p->end = cli_realloc(p->end, p->cap, sizeof *p->end);
		p->end[0] = 0;
	}
	at = p->end[depth - 1];
	vec_fit(p->s, p->size, at + len + 2);
	if (depth > 1) {
		p->s[at++] = ';';
	} else if ((spaces = comment_spaces(s, len)) > 0) {
		p->s[at++] = '#';
		s += 1 + spaces;
		len -= 1 + spaces;
	}
	memcpy(p->s + at, s, len);
	p->end[depth] = at + len;
}

void
folded_write_header(struct output *o, const struct folded_columns *columns)
{
	foldedheader_write(o, columns, NULL);
}

void
folded_write_time(struct output *o, struct str time, unsigned columns)
{
	output_text(o, "# time: ");
	output_write(o, time.s, time.len);
	for (unsigned c = 0; c < columns; c++)
		output_text(o, " 0");
	output_char(o, '\n');
}

/* True if a root would not be read back as a root. */
static bool
misreads(const struct calltree *t, uint32_t root)
{
	const struct calltree_name *name = &t->name[t->node[root].name];

	return comment_spaces(name->s, name->len) > 0 ||
	       (is_nameless(name->s, name->len) && calltree_is_stack(t, root));
}

/* Returns a copy of the tree with readable roots, or NULL if all are. */
static struct calltree *
readable(const struct calltree *t)
{
	struct calltree *clean = NULL;
	struct folded_path root = {0};
	uint32_t *node;

	for (uint32_t i = t->node[CALLTREE_ROOT].child; i != 0 && clean == NULL;
	     i = t->node[i].next)
		if (misreads(t, i))
			clean = calltree_new(t->columns);
	if (clean == NULL)
		return NULL;
	node = cli_alloc(t->nnode, sizeof *node);
	for (uint32_t i = 1; i < t->nnode; i++) {
		const struct calltree_name *name = &t->name[t->node[i].name];
		struct str text = {name->s, name->len};
		uint32_t own;

		if (t->node[i].parent == CALLTREE_ROOT) {
			folded_path_set(&root, 1, name->s, name->len);
			text = (struct str){root.s, root.end[1]};
		}
		own = node[i] = calltree_child(
		    clean, node[t->node[i].parent], calltree_intern(clean, text.s, text.len));
		if (t->node[i].parent == CALLTREE_ROOT && is_nameless(text.s, text.len))
			own = calltree_child(
			    clean, CALLTREE_ROOT, calltree_intern(clean, unknown.s, unknown.len));
		for (unsigned c = 0; c < t->columns; c++)
			value_array_carry(&clean->self[c], own, &t->self[c], i);
	}
	folded_path_free(&root);
	free(node);
	return clean;
}

void
folded_write(
    struct output *o, struct calltree *t, const struct folded_columns *columns, bool header)
{
	struct calltree *clean = readable(t);
	struct folded_path path = {0};
	uint32_t node = CALLTREE_ROOT, depth = 0;
	const bool ends = header && columns != NULL && columns->ends;
	struct foldedend end = {0};

	if (ends)
		foldedend_announce(o, t->columns);
	if (header && columns != NULL)
		folded_write_header(o, columns);
	if (clean != NULL)
		t = clean;
	calltree_sort(t);
	while ((node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
		const struct calltree_name *name = &t->name[t->node[node].name];

		for (unsigned c = 0; c < t->columns; c++)
			__builtin_prefetch(&t->self[c].cell[t->node[node].next]);
		folded_path_set(&path, depth, name->s, name->len);
		if (!calltree_is_stack(t, node))
			continue;
		folded_begin_stack(o, path.s, path.end[depth]);
		end.stacks++;
		for (unsigned c = 0; c < t->columns; c++) {
			if (ends)
				end.sum = value_sum(end.sum, calltree_self(t, node, c));
			if (c > 0)
				output_char(o, ' ');
			if (t->self[c].cell[node] < VALUE_WIDE)
				output_count(o, t->self[c].cell[node]);
			else
				output_value(o, calltree_self(t, node, c));
		}
		output_char(o, '\n');
	}
	if (ends)
		foldedend_write(o, &end, t->columns);
	folded_path_free(&path);
	calltree_free(clean);
}

void
folded_path_free(struct folded_path *p)
{
	free(p->s);
	free(p->end);
	*p = (struct folded_path){0};
}
