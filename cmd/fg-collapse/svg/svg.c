/*
 * svg: flame graphs in SVG, to compare old pictures: those of fg-render have the complete profile;
 * those of flamegraph.pl and inferno the titles of the frames that they draw.
 */
#include "fg-collapse/svg/svg.h"

#include "fg-collapse/format.h"

extern const struct format folded_format;

static void
read_input(struct reader *r)
{
	struct lines *picture = r->lines;
	struct text folded = {0};
	struct str svg;

	svg.s = (const char *)source_whole(lines_source(r->lines), &svg.len);
	if (!svg_profile(r, svg, &folded)) {
		svg_titles(r, svg);
		return;
	}
	r->lines =
	    lines_over(source_memory(folded.s, folded.len, lines_name(picture)), lines_cut_line);
	folded_format.read(r);
	lines_close(r->lines);
	r->lines = picture;
}

static int
sniff(const char *data, size_t len)
{
	size_t start = 0;

	while (
	    start < len && strchr(" \t\r\n\xef\xbb\xbf", data[start]) != NULL && data[start] != 0)
		start++;
	if (start == len || data[start] != '<' || !text_has(data, len, "<svg"))
		return 0;
	return text_has(data, len, "id=\"fg-static\"") ||
		       text_has(data, len, "Flame graph stack visualization") ||
		       text_has(data, len, " samples, 100%)</title>") ||
		       (text_has(data, len, "<title>all (") && text_has(data, len, "100%)</title>"))
		   ? 97
		   : 0;
}

const struct format svg_format = {
    .provides = DATA_KIND,
    .flat = true,
    .sniff = sniff,
    .read = read_input,
};
