/*
 * massif: heap snapshots of a program by valgrind's massif. Some snapshots have a tree of
 * callers; the profile is the one of the peak or, if that is missing because the program
 * was stopped or the file truncated, the last one with a tree.
 *
 *	heap_tree=peak
 *	n3: 12667761 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *	 n1: 11110842 0x109287: big(int) (alloc.cpp:8)
 *	  n0: 11110842 0x1098D2: main (alloc.cpp:13)
 *	 n0: 111650 in 2 places, all below massif's threshold (1.00%)
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cli.h"
#include "fg-collapse/shape/indent.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/valgrind/valgrindframe.h"
#include "sample/events.h"

/* A stored tree. */
struct tree {
	struct text lines;
	uint64_t number; /* line number of its first line */
	bool peak;
};

/* Reads ` n1: 11110842 0x109287: big(int) (alloc.cpp:8)`; the first line is not a frame. */
static bool
read_node(struct indent *tree, struct text *name, struct str s)
{
	struct frame f = {0};
	size_t column = scan_blanks(&s);
	uint64_t children, bytes;

	if (!scan_word(&s, "n") || !scan_number(&s, &children) || !scan_word(&s, ": ") ||
	    !scan_number(&s, &bytes) || !scan_word(&s, " "))
		return false;
	if (column == 0)
		return true;
	if (str_starts(s, "in ")) {
		text_cut(name, 0);
		text_char(name, '[');
		text_str(name, s);
		text_char(name, ']');
		f.function = text_as_str(name);
	} else if (!valgrindframe_read(&f, name, s)) {
		return false;
	}
	indent_line(tree, column, &f, value_of(bytes));
	return true;
}

static void
read_tree(struct reader *r, struct tree *waiting)
{
	uint64_t number = r->number;
	struct str rest = text_as_str(&waiting->lines), line;
	struct text name = {0};
	struct indent tree;

	indent_init(
	    &tree, r, sampler_event(r->sampler, str_of("bytes"), str_of("bytes")), INDENT_TOTAL);
	tree.callers = true;
	tree.step = 1;
	for (r->number = waiting->number; scan_line(&rest, &line); r->number++)
		if (!read_node(&tree, &name, line)) {
			reader_malformed(r, "not a node of massif's tree");
			if (str_find(line, ": ") < line.len)
				indent_broken(&tree);
		}
	indent_end(&tree);
	indent_free(&tree);
	text_free(&name);
	r->number = number;
}

/* Emits the chosen tree of a program, after its last snapshot. */
static void
give(struct reader *r, struct tree *tree)
{
	if (!tree->peak)
		cli_note("%s: no peak snapshot; the last detailed snapshot is used",
		    lines_name(r->lines));
	read_tree(r, tree);
	text_cut(&tree->lines, 0);
	tree->peak = false;
}

static void
read_input(struct reader *r)
{
	struct tree tree = {0};
	bool headed = false, within = false, any = false; /* in a tree, in one that is kept */
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	while (reader_line(r, &line)) {
		if (str_starts(line, "heap_tree=")) {
			bool peak = str_ends(line, "=peak");

			headed = true;
			within = peak || (str_ends(line, "=detailed") && !tree.peak);
			tree.peak |= peak;
			if (within)
				text_cut(&tree.lines, 0);
			tree.number = within ? r->number + 1 : tree.number;
		} else if (str_starts(line, "desc:")) { /* another file, joined to the first */
			within = false;
			if (tree.lines.len > 0) {
				give(r, &tree);
				any = true;
			}
		} else if (line.len > 0 && (line.s[0] == '#' || line.s[0] == 's')) {
			within = headed = false;
		} else if (within) {
			text_str(&tree.lines, line);
			text_char(&tree.lines, '\n');
		} else if (!headed && str_starts(line, "n")) {
			reader_malformed(r, "a tree without a line heap_tree=");
		}
	}
	if (tree.lines.len > 0)
		give(r, &tree);
	else if (!any)
		cli_die("%s: no snapshot has callers: the program allocated nothing, or --depth "
			"was 1",
		    lines_name(r->lines));
	text_free(&tree.lines);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool time = false;

	while (scan_line(&rest, &line)) {
		time |= str_starts(line, "time_unit:");
		if (time && str_starts(line, "snapshot="))
			return 97;
	}
	return 0;
}

const struct format massif_format = {
    .provides = DATA_CODE,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .read = read_input,
};
