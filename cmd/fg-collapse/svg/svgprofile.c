/*
 * svgprofile: decodes the data for fg-render's viewer: parts in base 91, compressed with gzip, in
 * elements <metadata data-of="NAME">. fg-render/picture/columns.c describes the parts.
 */
#include <stdlib.h>
#include <zlib.h>

#include "base/cli.h"
#include "base/source.h"
#include "base/utf8.h"
#include "base/value.h"
#include "base/vec.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/svg/svg.h"
#include "profile/calltree.h"

#define NUMBERED 4 /* length from which a run gets a number */

struct decoder {
	const struct reader *reader;
	struct str svg;
	struct text part[2 + CALLTREE_COLUMNS]; /* runs, ids, values */
	size_t at[2 + CALLTREE_COLUMNS];
	struct text names; /* one after the other */
	size_t *name; /* end of each */
	size_t nname, capname;
	uint64_t scale, frames;
	unsigned columns;
	uint32_t *path, *ids; /* ids: of the runs with numbers */
	size_t npath, cappath, nids, capids;
	struct run {
		size_t first, n; /* range in ids */
	} * run;
	size_t nrun, caprun;
};

_Noreturn static void
damaged(const struct decoder *d)
{
	reader_refuse_byte(d->reader, (uint64_t)0, "the profile in the picture is damaged");
}

/* The text between `before`, from an offset, and `after`; false if there is none. */
static bool
between(struct str s, size_t *from, const char *before, const char *after, struct str *found)
{
	struct str rest = str_from(s, *from);
	size_t at = str_find(rest, before);

	if (at == rest.len)
		return false;
	*found = str_from(rest, at + strlen(before));
	found->len = str_find(*found, after);
	*from = (size_t)(found->s - s.s) + found->len;
	return true;
}

/* The value of a digit of base 91: the characters from ! to ~ but & < >; 91 if it is none. */
static unsigned
digit(char c)
{
	if (c < '!' || c > '~' || c == '&' || c == '<' || c == '>')
		return 91;
	return (unsigned)(c - '!') - (c > '&') - (c > '<') - (c > '>');
}

/* Appends the bytes of text in base 91: two digits for 13 bits, one for the last ones. */
static void
add_base91(const struct decoder *d, struct text *t, struct str s)
{
	uint64_t bits = 0;
	unsigned n = 0;

	for (size_t i = 0; i < s.len; i += 2) {
		unsigned low = digit(s.s[i]), high = i + 1 < s.len ? digit(s.s[i + 1]) : 0;

		if (low > 90 || high > 90)
			damaged(d);
		bits |= (uint64_t)(low + 91 * high) << n;
		n += i + 1 < s.len ? 13 : 6;
		for (; n >= 8; n -= 8, bits >>= 8)
			text_char(t, (char)(bits & 0xff));
	}
}

static void
decompress(const struct decoder *d, struct str zipped, struct text *t)
{
	z_stream z = {
	    .next_in = (unsigned char *)(uintptr_t)zipped.s, .avail_in = (uInt)zipped.len};
	int status = Z_OK;

	if (zipped.len > UINT32_MAX || inflateInit2(&z, 15 + 16) != Z_OK)
		damaged(d);
	while (status == Z_OK) {
		text_reserve(t, (size_t)1 << 16);
		z.next_out = (unsigned char *)t->s + t->len;
		z.avail_out = 1 << 16;
		status = inflate(&z, Z_NO_FLUSH);
		t->len += ((size_t)1 << 16) - z.avail_out;
		if (t->len > source_bound(zipped.len))
			break;
	}
	inflateEnd(&z);
	if (status != Z_STREAM_END)
		damaged(d);
	text_char(t, '\0'); /* a NUL after it */
	t->len--;
}

/* Decodes all elements of a name together; false if there are none. */
static bool
decode(const struct decoder *d, const char *name, struct text *t)
{
	struct text before = {0}, digits = {0}, zipped = {0};
	struct str found;
	size_t from = 0;

	text_printf(&before, "<metadata data-of=\"%s\">", name);
	while (between(d->svg, &from, before.s, "<", &found))
		text_str(&digits, found);
	if (digits.len > 0) {
		add_base91(d, &zipped, text_as_str(&digits));
		decompress(d, text_as_str(&zipped), t);
	}
	text_free(&before);
	text_free(&zipped);
	text_free(&digits);
	return from > 0;
}

static bool
option(const struct decoder *d, const char *key, uint64_t *n)
{
	struct str found;
	size_t from = 0;

	return between(d->svg, &from, key, "\n", &found) && scan_number(&found, n);
}

/* Length of the first `units` UTF-16 units of a name. */
static size_t
prefix_length(struct str name, uint32_t units)
{
	size_t at = 0;
	uint32_t code;

	while (units > 0 && at < name.len) {
		size_t n = text_utf8(name.s + at, name.len - at, &code);

		at += n > 0 ? n : 1;
		units -= n == 4 && units > 1 ? 2 : 1;
	}
	return at;
}

/* Reads the names: each begins with a character for the length that it has in common with the last.
 */
static void
read_names(struct decoder *d)
{
	struct text coded = {0};
	struct str rest, last = {0};
	size_t begin = 0;

	if (!decode(d, "names", &coded))
		damaged(d);
	rest = text_as_str(&coded);
	do {
		struct str line = scan_until(&rest, '\n');
		uint32_t code = 35;
		size_t head = line.len > 0 ? text_utf8(line.s, line.len, &code) : 0, common;

		common = prefix_length(last, code >= 35 ? code - 35 : 0);
		text_reserve(&d->names, common + line.len + 1);
		last.s = d->names.s + begin; /* the buffer may have moved */
		if (common > 0)
			text_add(&d->names, last.s, common);
		begin = d->names.len - common;
		text_str(&d->names, str_from(line, head));
		vec_fit(d->name, d->capname, d->nname + 1);
		d->name[d->nname++] = d->names.len;
		last = (struct str){d->names.s + begin, d->names.len - begin};
	} while (rest.len > 0);
	text_free(&coded);
}

static struct str
name_at(const struct decoder *d, uint32_t id)
{
	size_t begin = id > 1 ? d->name[id - 2] : 0;

	return (struct str){d->names.s + begin, d->name[id - 1] - begin};
}

/* The next number of a part, LEB128. */
static uint64_t
next(struct decoder *d, unsigned part)
{
	const struct text *t = &d->part[part];
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint64_t byte;

		if (d->at[part] == t->len)
			damaged(d);
		byte = (unsigned char)t->s[d->at[part]++];
		v |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			break;
	}
	return v;
}

static int64_t
next_signed(struct decoder *d, unsigned part)
{
	uint64_t v = next(d, part);

	return v & 1 ? -(int64_t)(v / 2) - 1 : (int64_t)(v / 2);
}

static void
add_frame(struct decoder *d, uint64_t id)
{
	if (id > d->nname)
		damaged(d);
	vec_fit(d->path, d->cappath, d->npath + 1);
	d->path[d->npath++] = (uint32_t)id;
}

/* Reads the next run of frames, or takes it from those with numbers; *number: of the next run. */
static void
read_run(struct decoder *d, int64_t *number)
{
	uint64_t up = next(d, 0), n = next(d, 0);
	const size_t first = d->nids;

	if (up > d->npath)
		damaged(d);
	d->npath -= (size_t)up;
	if (n == 0) {
		*number += next_signed(d, 0);
		if (*number < 0 || (size_t)*number >= d->nrun)
			damaged(d);
		for (size_t i = 0; i < d->run[*number].n; i++)
			add_frame(d, d->ids[d->run[*number].first + i]);
		++*number;
		return;
	}
	for (uint64_t i = 0; i < n; i++) {
		uint64_t id = next(d, 1);

		add_frame(d, id);
		if (n >= NUMBERED) {
			vec_fit(d->ids, d->capids, d->nids + 1);
			d->ids[d->nids++] = (uint32_t)id;
		}
	}
	if (n >= NUMBERED) {
		vec_fit(d->run, d->caprun, d->nrun + 1);
		d->run[d->nrun++] = (struct run){first, (size_t)n};
		*number = (int64_t)d->nrun;
	}
}

/* Writes the current stack; path[0] is the root, not a frame. */
static void
write_stack(struct decoder *d, struct text *folded)
{
	value v[CALLTREE_COLUMNS];
	char number[VALUE_CHARS];
	int64_t first = 0;
	bool any = false;

	for (unsigned c = 0; c < d->columns; c++) {
		int64_t n = c == 0 ? (int64_t)next(d, 2) : first + next_signed(d, 2 + c);

		if (n < 0)
			damaged(d);
		if (c == 0)
			first = n;
		any |= n > 0;
		v[c] = (value)(uint64_t)n * VALUE_ONE / d->scale;
	}
	if (!any || d->npath < 2)
		return;
	for (size_t i = 1; i < d->npath; i++) {
		if (i > 1)
			text_char(folded, ';');
		text_str(folded, name_at(d, d->path[i]));
	}
	for (unsigned c = 0; c < d->columns; c++) {
		value_format(v[c], number);
		text_printf(folded, " %s", number);
	}
	text_char(folded, '\n');
}

/* Number of zeros at the end of a header line, one for each column. */
static unsigned
zeros(struct str s)
{
	unsigned n = 0;

	for (; str_ends(s, " 0"); s.len -= 2)
		n++;
	return n;
}

/* Writes the header lines, which are strings of JSON between `"header":[` and `]`. */
static void
write_header(const struct decoder *d, struct text *folded)
{
	struct str found;
	size_t from = 0, begin;

	if (!between(d->svg, &from, "\n\"header\":[", "],\n", &found))
		return;
	while (scan_word(&found, "\"")) {
		begin = folded->len;
		for (; found.len > 0 && found.s[0] != '"'; found = str_from(found, 1)) {
			if (found.s[0] == '\\' && found.len > 1)
				found = str_from(found, 1);
			text_char(folded, found.s[0]);
		}
		if (zeros(str_from(text_as_str(folded), begin)) != d->columns)
			damaged(d);
		text_char(folded, '\n');
		found = str_from(found, 1);
		scan_word(&found, ",");
	}
}

static void
read_columns(struct decoder *d)
{
	uint64_t judged = CALLTREE_COLUMNS;
	struct text name = {0};

	/* A column of verdicts that fg-render added is not the input's. */
	if (str_find(d->svg, "\n\"judged\":true") < d->svg.len)
		option(d, "\n\"noise\":", &judged);
	while (d->columns < judged && d->columns < CALLTREE_COLUMNS) {
		text_cut(&name, 0);
		text_printf(&name, "value%u", d->columns);
		if (!decode(d, name.s, &d->part[2 + d->columns]))
			break;
		d->columns++;
	}
	text_free(&name);
}

bool
svg_profile(const struct reader *r, struct str svg, struct text *folded)
{
	struct decoder d = {.reader = r, .svg = svg};
	int64_t number = 0;

	if (str_find(svg, "<metadata data-of=\"names\">") == svg.len)
		return false;
	if (!option(&d, "\n\"scale\":", &d.scale) || d.scale == 0)
		damaged(&d);
	read_names(&d);
	read_columns(&d);
	if (!decode(&d, "runs", &d.part[0]) || !decode(&d, "ids", &d.part[1]) || d.columns == 0)
		damaged(&d);
	write_header(&d, folded);
	while (d.at[0] < d.part[0].len) {
		read_run(&d, &number);
		write_stack(&d, folded);
	}
	for (unsigned i = 0; i < 2 + d.columns; i++)
		if (d.at[i] != d.part[i].len)
			damaged(&d);
	for (unsigned i = 0; i < 2 + CALLTREE_COLUMNS; i++)
		text_free(&d.part[i]);
	text_free(&d.names);
	free(d.name);
	free(d.path);
	free(d.ids);
	free(d.run);
	return true;
}
