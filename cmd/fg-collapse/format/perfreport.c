/*
 * perfreport: what perf report --stdio prints with --no-children: entries, each with its
 * call chains, folded (-g folded), or as a tree of callers or callees,
 *
 *	# Overhead  Command  Shared Object  Symbol
 *	# ........  .......  .............  ..............
 *	#
 *	    33.40%  work     work           [.] mix
 *	7.61% mix;sorts;main
 *
 *	     9.34%  work     work           [.] mix
 *	            |
 *	            ---mix
 *	               sorts
 *	               |
 *	               |--5.16%--main
 *	                --4.18%--job
 *
 * or no chains at all, when an entry is its module and its function. Chains that are
 * folded with count or period are exact; percentages are rounded, and what is below
 * perf's threshold stays with the last function that is shown. With --children a
 * sample is part of many entries, and its chains cannot be told apart.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/vec.h"
#include "fg-collapse/shape/amount.h"
#include "fg-collapse/shape/funcname.h"
#include "fg-collapse/shape/indent.h"
#include "fg-collapse/shape/scan.h"

#define NO_VALUE VALUE_MAX
#define DEPTH_MOST 10000 /* of a chain; perf itself keeps 127 */
#define FORK 11 /* columns from a bar to the names behind it */

enum { OVERHEAD, SELF, CHILDREN, SAMPLES, COMMAND, OBJECT, SYMBOL, COLUMNS };

struct node {
	size_t name, len; /* in text */
	value v; /* NO_VALUE for that of the node above */
	uint32_t depth;
};

struct report {
	struct reader *reader;
	struct indent tree;
	struct text event; /* of the part at hand */
	struct {
		size_t at, width; /* width 0: there is no such column */
	} column[COLUMNS];
	struct text titles;

	/* The entry at hand: */
	bool open;
	value overhead, samples;
	struct text comm, module, symbol;
	enum frame_kind kind;
	value folded; /* what its folded chains have had */
	struct text text; /* names of nodes */
	struct node *node; /* its tree */
	size_t nnode, capnode;
	struct {
		size_t column;
		uint32_t depth;
	} * chain; /* where names stand, from the first level to the line at hand */
	size_t nchain, capchain;

	bool chains; /* some entry has one */
	bool fractal; /* percentages are of the node above */
	bool caller, told; /* chains begin at the root; that is known */
	const char *unit;
	struct chain { /* folded ones that wait until it is known where they begin */
		size_t comm, comm_len, at, len; /* in waiting */
		uint32_t event;
		value v;
	} * wait;
	size_t nwait, capwait;
	struct text waiting;
	struct hash_index ends[2];
	struct text *end[2]; /* the different names at either end, while they wait */
	uint32_t nend[2], capend[2];
};

static void
set(struct text *t, struct str s)
{
	text_cut(t, 0);
	text_str(t, str_trim(s));
}

/* `# Overhead       Samples  Command` and the line of dots below it, which says where columns are.
 */
static void
read_columns(struct report *p, struct str dots)
{
	static const char *const title[COLUMNS] = {
	    "Overhead", "Self", "Children", "Samples", "Command", "Shared Object", "Symbol"};
	struct str titles = text_as_str(&p->titles);

	memset(p->column, 0, sizeof p->column);
	for (size_t at = 0; at < dots.len;) {
		size_t end = at;
		struct str name;

		while (end < dots.len && dots.s[end] == '.')
			end++;
		if (end == at) {
			at++;
			continue;
		}
		name = str_trim((struct str){titles.s + (at < titles.len ? at : titles.len),
		    at < titles.len ? (end < titles.len ? end : titles.len) - at : 0});
		for (int i = 0; i < COLUMNS; i++)
			if (str_is(name, title[i])) {
				p->column[i].at = at;
				p->column[i].width = end - at;
			}
		at = end;
	}
}

/* The text of a column; the last one may be wider than its dots. */
static struct str
cell(const struct report *p, int column, struct str line)
{
	size_t at = p->column[column].at, width = p->column[column].width;
	bool last = true;

	if (width == 0 || at >= line.len)
		return (struct str){0};
	for (int i = 0; i < COLUMNS; i++)
		last &= p->column[i].at <= at;
	if (last || at + width > line.len)
		width = line.len - at;
	return str_trim((struct str){line.s + at, width});
}

static bool
percentage(struct str s, value *v)
{
	scan_blanks(&s);
	return scan_decimal(&s, v) && scan_word(&s, "%");
}

/* One frame by its name as perf wrote it. */
static void
frame_of(struct report *p, struct frame *f, struct text *name, struct str s)
{
	*f = (struct frame){0};
	if (str_ends(s, " (inlined)")) {
		f->inlined = true;
		s.len -= strlen(" (inlined)");
	}
	text_cut(name, 0);
	if (!str_is(s, "[unknown]") && !str_starts(s, "0x") && !str_is(s, "0"))
		funcname_add(name, s, false);
	f->function = text_as_str(name);
	if (str_equal(s, text_as_str(&p->symbol))) {
		f->module = text_as_str(&p->module);
		f->kind = p->kind;
	}
}

static void
begin_part(struct report *p, const char *unit)
{
	if (p->unit != NULL && strcmp(p->unit, unit) == 0)
		return;
	p->unit = unit;
	p->tree.event = sampler_event(p->reader->sampler, text_as_str(&p->event), str_of(unit));
}

static void
take(struct report *p, struct sample_task *task, const struct frame *f, size_t n, value v)
{
	if (v == 0 || !sample_begin(p->reader->sampler, task, p->tree.event, SAMPLE_NO_TIME, v))
		return;
	for (size_t i = 0; i < n; i++)
		sample_frame(p->reader->sampler, &f[i]);
	sample_end(p->reader->sampler);
}

/* The symbol alone has a value: of an entry without chains, or what these leave. */
static void
take_symbol(struct report *p, value v, bool module)
{
	struct sample_task task = {.comm = text_as_str(&p->comm)};
	struct text name = {0};
	struct frame f[2];
	size_t n = 0;

	if (p->symbol.len > 0)
		frame_of(p, &f[n++], &name, text_as_str(&p->symbol));
	if (module && p->module.len > 0)
		f[n++] = (struct frame){.function = frame_module_name(text_as_str(&p->module))};
	take(p, &task, f, n, v);
	text_free(&name);
}

/* So many percent of v. */
static value
share(value v, value percent)
{
	return amount_scale(v, (uint64_t)(percent / 10000000), 10000);
}

/*
 * Each percentage of the tree as part of the whole. They are of the node above (-g
 * fractal) where one is more than that.
 */
static void
make_absolute(struct report *p)
{
	value *above = NULL; /* by depth */
	size_t cap = 0;

	for (bool again = true; again;) {
		again = false;
		for (size_t i = 0; i < p->nnode && !again; i++) {
			const struct node *n = &p->node[i];
			value parent = n->depth == 0 ? p->overhead : above[n->depth - 1];

			vec_fit(above, cap, (size_t)n->depth + 1);
			above[n->depth] = n->v == NO_VALUE ? parent
					  : p->fractal	   ? share(parent, n->v)
							   : n->v;
			again = above[n->depth] > parent && !p->fractal;
		}
		p->fractal |= again;
	}
	for (size_t i = 0; i < p->nnode; i++) {
		struct node *n = &p->node[i];
		value parent = n->depth == 0 ? p->overhead : above[n->depth - 1];

		if (n->v == NO_VALUE)
			n->v = parent;
		else if (p->fractal)
			n->v = share(parent, n->v);
		above[n->depth] = n->v;
	}
	free(above);
}

static void
take_tree(struct report *p)
{
	struct sample_task task = {.comm = text_as_str(&p->comm)};
	struct text name = {0};
	value sum = 0;

	make_absolute(p);
	p->tree.callers = !p->caller;
	p->tree.task = task;
	p->tree.root = sample_root(p->reader->sampler, &task);
	for (size_t i = 0; i < p->nnode; i++) {
		const struct node *n = &p->node[i];
		struct frame f;

		frame_of(p, &f, &name, (struct str){p->text.s + n->name, n->len});
		indent_line(&p->tree, n->depth, &f, n->v);
		if (n->depth == 0)
			sum += n->v;
	}
	indent_end(&p->tree);
	if (p->overhead > sum)
		take_symbol(p, p->overhead - sum, false);
	text_free(&name);
}

static void
end_entry(struct report *p)
{
	if (!p->open)
		return;
	p->open = false;
	if (p->nnode > 0) {
		begin_part(p, "percent");
		take_tree(p);
	} else if (p->folded == 0) {
		bool samples = p->column[SAMPLES].width > 0;

		begin_part(p, samples ? "samples" : "percent");
		take_symbol(p, samples ? p->samples : p->overhead, !p->chains);
	} else if (strcmp(p->unit, "percent") == 0 && p->overhead > p->folded) {
		take_symbol(p, p->overhead - p->folded, false);
	}
	p->nnode = p->nchain = 0;
	text_cut(&p->text, 0);
}

/* `    33.40%  work     libc.so.6   [.] mix` */
static bool
read_entry(struct report *p, struct str line)
{
	struct str symbol;
	value v;

	if (line.s[0] != ' ' ||
	    !percentage(cell(p, p->column[SELF].width > 0 ? SELF : OVERHEAD, line), &v))
		return false;
	end_entry(p);
	p->open = true;
	p->overhead = v;
	p->folded = p->samples = 0;
	scan_value(cell(p, SAMPLES, line), &p->samples);
	set(&p->comm, cell(p, COMMAND, line));
	set(&p->module, cell(p, OBJECT, line));
	symbol = cell(p, SYMBOL, line);
	p->kind = frame_kind_of(text_as_str(&p->module));
	if (scan_word(&symbol, "[k] "))
		p->kind = FRAME_KERNEL;
	else
		scan_word(&symbol, "[.] ");
	set(&p->symbol, symbol);
	return true;
}

static void
refuse_children(const struct report *p)
{
	if (p->column[CHILDREN].width > 0)
		cli_die(
		    "%s: with --children a sample stands in many entries of perf report, so its "
		    "chains cannot be added up; use perf report --no-children -g "
		    "folded,0,caller,count, or perf script",
		    lines_name(p->reader->lines));
}

/* Whether chains begin at the root is seen from where the entry's symbol is. */
static void
tell_order(struct report *p, struct str first, struct str last)
{
	struct str symbol = text_as_str(&p->symbol);

	if (p->told || symbol.len == 0 || str_equal(first, last))
		return;
	p->told = true;
	p->caller = str_equal(symbol, last) && !str_equal(symbol, first);
}

static void
take_folded(struct report *p, struct str comm, uint32_t event, value v, struct str s)
{
	struct sample_task task = {.comm = comm};
	struct text name = {0};

	if (!sample_begin(p->reader->sampler, &task, event, SAMPLE_NO_TIME, v))
		return;
	while (s.len > 0) {
		size_t last = str_find_last(s, ";");
		struct str frame;
		struct frame f;

		if (p->caller) { /* from its end: the leaf */
			frame = last < s.len ? str_from(s, last + 1) : s;
			s.len = last < s.len ? last : 0;
		} else {
			frame = scan_until(&s, ';');
		}
		frame_of(p, &f, &name, frame);
		sample_frame(p->reader->sampler, &f);
	}
	sample_end(p->reader->sampler);
	text_free(&name);
}

/* Count a name at one end of a chain, if it is new there. */
static void
count_end(struct report *p, int side, struct str name)
{
	uint32_t hash = (uint32_t)hash_bytes(name.s, name.len), *n = &p->nend[side];

	for (uint32_t at = hash, k; (k = hash_index_next(&p->ends[side], hash, &at)) != 0;)
		if (str_equal(name, text_as_str(&p->end[side][k - 1])))
			return;
	vec_fit(p->end[side], p->capend[side], (size_t)*n + 1);
	p->end[side][*n] = (struct text){0};
	text_str(&p->end[side][(*n)++], name);
	hash_index_add(&p->ends[side], hash, *n);
}

/* Chains without a symbol beside them begin at the end that has fewer names. */
static void
take_waiting(struct report *p)
{
	if (!p->told)
		p->caller = p->nend[0] < p->nend[1];
	text_cut(&p->symbol, 0);
	for (size_t i = 0; i < p->nwait; i++) {
		const struct chain *c = &p->wait[i];

		take_folded(p, (struct str){p->waiting.s + c->comm, c->comm_len}, c->event, c->v,
		    (struct str){p->waiting.s + c->at, c->len});
	}
	for (int side = 0; side < 2; side++) {
		for (uint32_t i = 0; i < p->nend[side]; i++)
			text_free(&p->end[side][i]);
		free(p->end[side]);
		hash_index_free(&p->ends[side]);
	}
	free(p->wait);
	text_free(&p->waiting);
}

/* `7.61% mix;sorts;main`, `14 main;sorts;mix` */
static bool
read_folded(struct report *p, struct str s)
{
	struct str first = s, last;
	bool percent;
	value v;

	if (!p->open || !scan_decimal(&s, &v))
		return false;
	percent = scan_word(&s, "%");
	if (!scan_word(&s, " ") || s.len == 0)
		return false;
	refuse_children(p);
	p->chains = true;
	begin_part(p, percent ? "percent" : "samples");
	first = last = s;
	first.len = str_find(s, ";");
	if (first.len < s.len)
		last = str_from(s, str_find_last(s, ";") + 1);
	tell_order(p, first, last);
	p->folded = value_sum(p->folded, v);
	if (p->told || p->symbol.len > 0) {
		take_folded(p, text_as_str(&p->comm), p->tree.event, v, s);
		return true;
	}
	vec_fit(p->wait, p->capwait, p->nwait + 1);
	p->wait[p->nwait] = (struct chain){.comm = p->waiting.len,
	    .comm_len = p->comm.len,
	    .len = s.len,
	    .event = p->tree.event,
	    .v = v};
	text_str(&p->waiting, text_as_str(&p->comm));
	p->wait[p->nwait++].at = p->waiting.len;
	text_str(&p->waiting, s);
	count_end(p, 0, first);
	count_end(p, 1, last);
	return true;
}

static void
add_node(struct report *p, size_t column, uint32_t depth, struct str name, value v)
{
	struct node n = {.name = p->text.len, .len = name.len, .v = v, .depth = depth};

	text_str(&p->text, name);
	vec_fit(p->node, p->capnode, p->nnode + 1);
	p->node[p->nnode++] = n;
	vec_fit(p->chain, p->capchain, p->nchain + 1);
	p->chain[p->nchain].column = column;
	p->chain[p->nchain++].depth = depth;
}

/* A line of a tree; false when it is none. */
static bool
read_tree(struct report *p, struct str line)
{
	size_t at = strspn(line.s, " |"); /* a newline ends it */
	struct str s = str_from(line, at < line.len ? at : line.len);
	size_t column;
	uint32_t depth;
	value v = NO_VALUE;

	if (!p->open || at < 8)
		return false;
	if (s.len == 0)
		return true;
	refuse_children(p);
	p->chains = true;
	if (scan_word(&s, "---")) {
		column = at + 3;
		p->nchain = 0;
		if (p->nnode > 0) /* below a fork of the entry itself */
			return false;
	} else if (str_starts(s, "--") && s.len > 2 && s.s[2] >= '0' && s.s[2] <= '9') {
		s = str_from(s, 2);
		if (!scan_decimal(&s, &v) || !scan_word(&s, "%--"))
			return false;
		column = at - 1 + FORK;
		while (p->nchain > 0 && p->chain[p->nchain - 1].column > at - 1)
			p->nchain--;
	} else {
		column = at;
		while (p->nchain > 0 && p->chain[p->nchain - 1].column > at)
			p->nchain--;
		if (p->nchain == 0)
			return false;
	}
	depth = p->nchain > 0 ? p->chain[p->nchain - 1].depth + 1 : 0;
	if (depth > DEPTH_MOST)
		return false;
	if (p->nchain > 0 && p->chain[p->nchain - 1].column == column)
		p->nchain--; /* the chain goes on */
	add_node(p, column, depth, s, v);
	if (p->nnode == 1 && p->symbol.len > 0) {
		p->caller = !str_equal(s, text_as_str(&p->symbol));
		p->told = true;
	}
	return true;
}

static void
read_comment(struct report *p, struct str line)
{
	struct str s = line;
	size_t at = str_find(line, "of event '");

	scan_word(&s, "#");
	if (at < line.len) {
		struct str name = str_from(line, at + strlen("of event '"));

		end_entry(p);
		name.len = str_find_last(name, "'");
		set(&p->event, name);
		p->unit = NULL;
	} else if (str_starts(str_trim(s), "....")) {
		read_columns(p, line);
	} else if (str_find(line, "Overhead") < line.len || str_find(line, "Children") < line.len) {
		end_entry(p);
		text_cut(&p->titles, 0);
		text_str(&p->titles, line);
	}
}

static void
read_input(struct reader *r)
{
	struct report p = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	indent_init(&p.tree, r, 0, INDENT_TOTAL);
	while (reader_line(r, &line)) {
		if (line.len == 0)
			continue;
		if (line.s[0] == '#')
			read_comment(&p, line);
		else if (!read_entry(&p, line) && !read_folded(&p, line) && !read_tree(&p, line))
			reader_malformed(r, "not a line of perf report");
	}
	end_entry(&p);
	take_waiting(&p);
	indent_free(&p.tree);
	text_free(&p.event);
	text_free(&p.titles);
	text_free(&p.comm);
	text_free(&p.module);
	text_free(&p.symbol);
	text_free(&p.text);
	free(p.node);
	free(p.chain);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool titles = false;

	while (scan_line(&rest, &line)) {
		if (titles && str_starts(line, "# ...."))
			return 97;
		titles = str_starts(line, "# Overhead ") || str_starts(line, "# Children ");
	}
	return 0;
}

const struct format perfreport_format = {
    .name = "perf-report",
    .description = "the text of perf report --no-children, with chains or flat",
    .origin = "perf report --stdio --no-children -n -g folded,0,caller,count -s comm,dso,sym",
    .lacks = DATA_PID | DATA_TID | DATA_SOURCE | DATA_ADDRESS | DATA_TIME | DATA_ORDER | DATA_COUNT,
    .sniff = sniff,
    .read = read_input,
};
