/*
 * titles: frames of pictures of flamegraph.pl and inferno, and of programs that write the same:
 *
 *	<title>main (1,234 samples, 12.34%)</title><rect x="10.0" y="33" width="118.0" ...
 *
 * inferno also has exact positions, fg:x and fg:w. A row has one y; the row with a single frame
 *that contains all is the root. A frame's parent is that of the row before which contains its
 *middle. Frames that were too narrow are not drawn: their values count for their callers.
 */
#include <stdlib.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/svg/svg.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/sample.h"

#define NO_PARENT SIZE_MAX

struct drawn {
	value x, width, y; /* position; exact, or in the units of the picture */
	value samples, below; /* below: sum of the values of its children */
	struct str name;
	size_t parent, offset; /* offset: of its title */
	bool broken;
};

struct picture {
	struct reader *reader;
	struct drawn *frame;
	size_t n, cap;
	struct str unit;
	struct text name;
	bool exact; /* positions are samples */
	bool icicle; /* the root is at the top */
	bool broken; /* an element is malformed: any stack may lack a frame */
};

/* The value of an attribute, ` name="`, of the element in s. */
static bool
attribute(struct str s, const char *name, value *v)
{
	size_t at = str_find(s, name);
	struct str number = str_from(s, at + strlen(name));

	return at < s.len && scan_decimal(&number, v);
}

/* Reads `main (1,234 samples, 12.34%)` or with `; +1.2%` at its end. */
static bool
read_title(struct picture *p, struct drawn *f, struct str s)
{
	size_t at = str_find_last(s, " (");
	struct str rest = str_from(s, at + strlen(" (")), unit;
	uint64_t n = 0, part;
	value v;

	f->name = (struct str){s.s, at};
	if (at == s.len || !str_ends(rest, ")") || str_find(rest, "%") == rest.len)
		return false;
	while (scan_number(&rest, &part)) { /* groups of three digits */
		n = n * 1000 + part;
		if (!scan_word(&rest, ","))
			break;
	}
	v = 0;
	if (str_starts(rest, ".") && !scan_decimal(&rest, &v))
		return false;
	if (!scan_word(&rest, " "))
		return false;
	unit = (struct str){rest.s, str_find(rest, ",")};
	if (unit.len == 0 || unit.len == rest.len)
		return false;
	p->unit = unit;
	f->samples = value_of(n) + v;
	return true;
}

/* Reports elements that are not XML; the scripts of a picture are in CDATA. */
static void
check_elements(struct picture *p, struct str svg)
{
	const char *end = svg.s + svg.len, *at = svg.s;

	for (; (at = memchr(at, '<', (size_t)(end - at))) != NULL; at++) {
		struct str rest = {at, (size_t)(end - at)};
		char c = at + 1 < end ? at[1] : 'a';

		if (str_starts(rest, "<![CDATA["))
			at += str_find(rest, "]]>") - 1;
		else if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && strchr("/!?", c) == NULL)
			reader_malformed_byte(
			    p->reader, (uint64_t)(at - svg.s), "not an element of XML");
	}
}

/* Reads all frames: a title, and the first rectangle after it. */
static void
read_frames(struct picture *p, struct str svg)
{
	struct str rest = svg;
	size_t at;

	while ((at = str_find(rest, "<title>")) < rest.len) {
		struct drawn f = {.parent = NO_PARENT, .offset = (size_t)(rest.s - svg.s) + at};
		struct str title, element;

		rest = str_from(rest, at + strlen("<title>"));
		title = (struct str){rest.s, str_find(rest, "</title>")};
		rest = str_from(rest, title.len);
		element = (struct str){rest.s, str_find(rest, "<title>")};
		element = str_from(element, str_find(element, "<rect "));
		element.len = str_find(element, ">");
		if (element.len == 0) /* the title of the picture itself */
			continue;
		p->exact = attribute(element, " fg:x=\"", &f.x) &&
			   attribute(element, " fg:w=\"", &f.width);
		if (!read_title(p, &f, title) || !attribute(element, " y=\"", &f.y) ||
		    !(p->exact || (attribute(element, " x=\"", &f.x) &&
				      attribute(element, " width=\"", &f.width)))) {
			reader_malformed_byte(p->reader, f.offset, "not a frame of a flame graph");
			continue;
		}
		vec_fit(p->frame, p->cap, p->n + 1);
		p->frame[p->n++] = f;
	}
}

/* Adds up the values of the children of each frame; false if they are larger than its own. */
static bool
add_up(struct picture *p)
{
	bool good = true;

	for (size_t i = 0; i < p->n; i++)
		p->frame[i].below = 0;
	for (size_t i = 0; i < p->n; i++)
		if (p->frame[i].parent != NO_PARENT)
			p->frame[p->frame[i].parent].below += p->frame[i].samples;
	for (size_t i = 0; i < p->n; i++)
		good &= p->frame[i].below <= p->frame[i].samples;
	return good;
}

/* inferno's titles are rounded if it multiplied them: the largest one gives the factor. */
static void
use_widths(struct picture *p)
{
	const struct drawn *most = &p->frame[0];
	uint64_t by, over, rest;

	for (size_t i = 0; i < p->n; i++)
		if (p->frame[i].width > most->width)
			most = &p->frame[i];
	by = value_whole(most->samples, &rest);
	over = value_whole(most->width, &rest);
	if (over > 0)
		for (size_t i = 0; i < p->n; i++)
			p->frame[i].samples = humannumber_scale(p->frame[i].width, by, over);
}

/* Orders frames by row, from the top, then from left to right. */
static int
compare(const void *a, const void *b)
{
	const struct drawn *x = a, *y = b;

	if (x->y != y->y)
		return x->y < y->y ? -1 : 1;
	return x->x != y->x ? (x->x < y->x ? -1 : 1)
			    : (x->offset > y->offset) - (x->offset < y->offset);
}

static size_t
end_of_row(const struct picture *p, size_t i)
{
	size_t end = i;

	while (end < p->n && p->frame[end].y == p->frame[i].y)
		end++;
	return end;
}

static size_t
begin_of_row(const struct picture *p, size_t end)
{
	size_t begin = end;

	while (begin > 0 && p->frame[begin - 1].y == p->frame[end - 1].y)
		begin--;
	return begin;
}

/* Sets the parents of a row, which are in another one. */
static void
find_parents(struct picture *p, size_t from, size_t to, size_t parent, size_t end)
{
	for (size_t i = from; i < to; i++) {
		struct drawn *f = &p->frame[i];
		value middle = f->x + f->width / 2;

		while (parent < end && p->frame[parent].x + p->frame[parent].width < middle)
			parent++;
		if (parent == end || p->frame[parent].x > middle) {
			reader_malformed_byte(
			    p->reader, f->offset, "a frame that is not above another");
			f->broken = true;
			if (parent == end)
				parent = end - 1; /* for those after it */
			continue;
		}
		f->parent = parent;
	}
}

static void
find_all_parents(struct picture *p)
{
	size_t top = end_of_row(p, 0), bottom = begin_of_row(p, p->n);
	const struct drawn *high = &p->frame[0], *low = &p->frame[bottom];

	/* Both rows may have one frame: the root has the larger value, else the name all. */
	p->icicle = top == 1 && (bottom + 1 < p->n || high->samples > low->samples ||
				    (high->samples == low->samples && str_is(high->name, "all")));
	for (size_t i = 0, end; i < p->n; i = end) {
		size_t next;

		end = end_of_row(p, i);
		if (end == p->n)
			break;
		next = end_of_row(p, end);
		if (p->icicle)
			find_parents(p, end, next, i, end);
		else
			find_parents(p, i, end, end, next);
	}
}

/* Appends a name without the references of XML. */
static void
add_name(struct text *t, struct str s)
{
	static const struct {
		const char *from;
		char to;
	} references[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'},
	    {"&apos;", '\''}, {"&#39;", '\''}};

	while (s.len > 0) {
		size_t i = 0;

		while (i < sizeof references / sizeof references[0] &&
		       !scan_word(&s, references[i].from))
			i++;
		if (i < sizeof references / sizeof references[0]) {
			text_char(t, references[i].to);
		} else {
			text_char(t, s.s[0]);
			s = str_from(s, 1);
		}
	}
}

/* Passes the self value of a frame, and its path, leaf first, but the root `all`. */
static void
give(struct picture *p, uint32_t event, size_t i)
{
	static const struct sample_task nobody;
	struct sampler *s = p->reader->sampler;
	const struct drawn *f = &p->frame[i];
	size_t root = i;
	bool broken = false;

	for (size_t at = i; at != NO_PARENT; at = p->frame[at].parent) {
		broken |= p->frame[at].broken || p->broken;
		root = at;
	}
	if (broken) {
		sample_malformed(
		    s, f->broken ? 0 : 1, f->samples > f->below ? f->samples - f->below : 0);
		return;
	}
	if (f->samples == f->below ||
	    !sample_begin(s, &nobody, event, SAMPLE_NO_TIME, f->samples - f->below))
		return;
	for (size_t at = i; at != NO_PARENT; at = p->frame[at].parent)
		if (at != root || at == i || !str_is(p->frame[at].name, "all")) {
			text_cut(&p->name, 0);
			add_name(&p->name, p->frame[at].name);
			sample_frame(s, &(struct frame){.function = text_as_str(&p->name)});
		}
	sample_end(s);
}

void
svg_titles(struct reader *r, struct str svg)
{
	struct picture p = {.reader = r};
	const uint64_t malformed = r->malformed;
	uint32_t event;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	sampler_tree(r->sampler, NULL, 1);
	check_elements(&p, svg);
	read_frames(&p, svg);
	p.broken = r->malformed > malformed;
	if (p.n > 0) {
		sort_items(p.frame, p.n, sizeof *p.frame, compare);
		find_all_parents(&p);
		if (!add_up(&p) && p.exact) {
			use_widths(&p);
			add_up(&p);
		}
		event = sampler_event(r->sampler, p.unit, p.unit);
		for (size_t i = 0; i < p.n; i++)
			if (p.frame[i].below > p.frame[i].samples) {
				reader_malformed_byte(r, p.frame[i].offset,
				    "a frame with a smaller value than the frames above it");
				p.frame[i].broken = true;
			}
		for (size_t i = 0; i < p.n; i++)
			give(&p, event, i);
		cli_note(
		    "%s: stacks are those that the picture draws; the values of frames that it "
		    "does not draw count for their callers",
		    lines_name(r->lines));
	}
	free(p.frame);
	text_free(&p.name);
}
