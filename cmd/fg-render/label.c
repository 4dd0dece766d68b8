/*
 * label: a frame's text in as many characters as its width has room for. The
 * hash of a Rust name goes first, types are shortened in their middle
 * (vector<...>::push_back), then arguments go, then leading path segments, and
 * at last the end is cut.
 */
#include <string.h>

#include "fg-render/render.h"
#include "profile/frame.h"

#define ELLIPSIS "\xe2\x80\xa6"

/* Whether the bracket at s[i] belongs to the name of operator(), operator< or operator<<. */
static bool
is_operator(const char *s, size_t i)
{
	if (i > 0 && s[i] == '<' && s[i - 1] == '<')
		i--;
	return i >= 8 && memcmp(s + i - 8, "operator", 8) == 0;
}

/* Where the bracket at s[i] is closed, or len. */
static size_t
closing(const char *s, size_t len, size_t i)
{
	unsigned angle = 0, round = 0;

	for (; i < len; i++) {
		if (s[i] == '<' && !is_operator(s, i))
			angle++;
		else if (s[i] == '>' && angle > 0 && (i == 0 || s[i - 1] != '-'))
			angle--;
		else if (s[i] == '(')
			round++;
		else if (s[i] == ')' && round > 0)
			round--;
		if (angle == 0 && round == 0)
			return i;
	}
	return len;
}

/* Append s with the contents of its outermost brackets as an ellipsis. */
static void
collapse(struct text *b, const char *s, size_t len)
{
	unsigned unclosed = 0;

	for (size_t i = 0; i < len; i++) {
		bool bracket = (s[i] == '<' || (s[i] == '(' && i > 0)) &&
			       (i == 0 || s[i - 1] != '.') && !is_operator(s, i);
		/* A name may be of megabytes of brackets: none is looked for again and again. */
		size_t end = bracket && unclosed < 8 ? closing(s, len, i) : len;

		unclosed += bracket && end == len;
		if (end < len && end > i + 2 && (i > 0 || (end + 2 < len && s[end + 1] == ':'))) {
			text_char(b, s[i]);
			text_puts(b, ELLIPSIS);
			i = end;
		}
		text_char(b, s[i]);
	}
}

/* The length without an argument list at the end. */
static size_t
without_arguments(const char *s, size_t len)
{
	for (size_t i = 1; i < len; i++)
		if (s[i] == '(' && s[i - 1] != '.' && s[i - 1] != ' ' && !is_operator(s, i) &&
		    s[i - 1] != ':')
			return i;
	return len;
}

/* Suffixes that compilers put behind a dot: what comes before is no path. */
static bool
is_suffix(const char *s, size_t len)
{
	static const char *const suffix[] = {"part", "constprop", "isra", "cold", "lto_priv",
	    "llvm", "so", "dylib", "clone", "resume", "destroy", "actor"};

	for (size_t i = 0; i < sizeof suffix / sizeof suffix[0]; i++) {
		size_t n = strlen(suffix[i]);

		if (len >= n && memcmp(s, suffix[i], n) == 0 && (len == n || s[n] == '.'))
			return true;
	}
	return false;
}

/* How many bytes the first path segment with its separator takes, or 0 when there is but one. */
static size_t
segment(const char *s, size_t len)
{
	for (size_t i = 0; i + 1 < len; i++) {
		if (s[i] == '<' || s[i] == '(') {
			if ((i = closing(s, len, i)) + 1 >= len)
				return 0;
			continue;
		}
		if (s[i] == ' ' || s[i] == '[')
			return 0;
		if (s[i] == ':' && s[i + 1] == ':' && i + 2 < len)
			return i + 2;
		if (s[i] == '/')
			return i + 1;
		if (s[i] == '.' && i > 0 && s[i + 1] != '.' && s[i - 1] != '.' &&
		    !(s[i + 1] >= '0' && s[i + 1] <= '9') && !is_suffix(s + i + 1, len - i - 1))
			return i + 1;
	}
	return 0;
}

/* Append s, cut with an ellipsis to fit. */
static void
cut(struct text *b, const char *s, size_t len, unsigned columns)
{
	unsigned width = 0;
	size_t bytes;

	for (size_t i = 0; i < len; i += bytes) {
		width += label_cells(s + i, &bytes);
		if (width > columns - 1) {
			text_puts(b, ELLIPSIS);
			return;
		}
		text_add(b, s + i, bytes);
	}
}

/* Text with what turns or hides text as what it is; most has none and stays where it is. */
static const char *
visible(const char *s, size_t *len, struct text *copy)
{
	char shown[LABEL_ESCAPE];
	size_t bytes, from = 0;

	for (size_t i = 0; i < *len; i += bytes) {
		bytes = 1;
		if ((unsigned char)s[i] < 0xc2)
			continue;
		label_cells(s + i, &bytes);
		if (!label_hides(s + i, bytes, shown))
			continue;
		text_add(copy, s + from, i - from);
		text_puts(copy, shown);
		from = i + bytes;
	}
	if (from == 0)
		return s;
	text_add(copy, s + from, *len - from);
	*len = copy->len;
	return copy->s;
}

void
label_add(struct text *b, const struct name *n, unsigned columns, bool cut_right)
{
	struct text shorter = {0}, shown = {0};
	size_t len = frame_without_hash(n->text, n->len), step;
	const char *s;
	unsigned width;

	if (columns < 3)
		return;
	s = visible(n->text, &len, &shown);
	width = label_width(s, len);
	if (width > columns && !cut_right) {
		collapse(&shorter, s, len);
		s = shorter.s;
		len = shorter.len;
		width = label_width(s, len);
		if (width > columns) {
			len = without_arguments(s, len);
			width = label_width(s, len);
		}
		while (width > columns && (step = segment(s, len)) != 0) {
			width -= label_width(s, step);
			s += step;
			len -= step;
		}
	}
	if (width > columns)
		cut(b, s, len, columns);
	else
		text_add(b, s, len);
	text_free(&shorter);
	text_free(&shown);
}

/* "37 others, 4 %", or "37". */
static void
add_others(const struct picture *p, const struct shown *s, unsigned columns, struct text *b)
{
	double share = 100 * s->width / p->whole;
	size_t begin = b->len;

	text_printf(b, share < 1 ? "%u other%s, %.1f %%" : "%u other%s, %.0f %%", s->count,
	    s->count == 1 ? "" : "s", share);
	if (label_width(b->s + begin, b->len - begin) <= columns)
		return;
	text_cut(b, begin);
	text_printf(b, "%u", s->count);
	if (label_width(b->s + begin, b->len - begin) + 1 > columns)
		text_cut(b, begin);
}

void
label_shown(const struct picture *p, const struct shown *s, unsigned class, unsigned columns,
    struct text *b)
{
	const struct calltree_node *node = p->tree->node;
	const struct name *first = &p->name[node[s->node].name];
	const struct name *last = &p->name[node[s->last].name];
	const char *mark = palette_mark(p, class);
	unsigned taken = label_width(mark, strlen(mark));
	size_t begin = b->len;

	if (s->others) {
		add_others(p, s, columns, b);
		return;
	}
	if (columns < taken + 3)
		return;
	text_puts(b, mark);
	if (s->count == 1) {
		label_add(b, first, columns - taken, p->options->truncate_right);
	} else {
		struct text chain = {0};
		struct name all;

		/* The last one is what its colour is of, and where the chain leads. */
		text_printf(&chain, "%u frames: ", s->count);
		label_add(&chain, first, 60, p->options->truncate_right);
		text_puts(&chain, " " ELLIPSIS " ");
		label_add(&chain, last, 200, p->options->truncate_right);
		all = (struct name){.text = chain.s, .len = (uint32_t)chain.len};
		label_add(b, &all, columns - taken, true);
		text_free(&chain);
	}
	if (b->len == begin + strlen(mark))
		text_cut(b, begin);
}
