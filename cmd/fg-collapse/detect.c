/*
 * detect: decides between text and binary first, then runs all sniffers of that kind.
 */
#include "fg-collapse/detect.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "fg-collapse/logprefix.h"
#include "fg-collapse/unreadable.h"
#include "profile/foldedtest.h"

/* A byte that text does not contain: a control byte other than white space, BEL, BS, ESC. */
static bool
is_control(unsigned char c)
{
	return (c < ' ' && (c < '\a' || c > '\r') && c != '\33') || c == 0x7f;
}

/* Length of the UTF-8 character at s, or 0. A character truncated by the end of the data is
 * valid. */
static size_t
character(const unsigned char *s, size_t len)
{
	size_t n = s[0] < 0x80	 ? 1
		   : s[0] < 0xc2 ? 0
		   : s[0] < 0xe0 ? 2
		   : s[0] < 0xf0 ? 3
		   : s[0] < 0xf5 ? 4
				 : 0;

	for (size_t i = 1; i < n && i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n < len ? n : n == 0 ? 0 : len;
}

/*
 * True if there are no control bytes and nearly all characters are UTF-8: the kernel
 * truncates comms within a character, and file names may have any encoding.
 */
static bool
is_text(const char *data, size_t len)
{
	const unsigned char *s = (const unsigned char *)data;
	size_t odd = 0;

	for (size_t i = 0; i < len;) {
		size_t n;

		if (s[i] >= ' ' && s[i] < 0x7f) { /* nearly all are */
			i++;
			continue;
		}
		n = character(s + i, len - i);
		if (is_control(s[i]))
			return false;
		odd += n == 0;
		i += n > 0 ? n : 1;
	}
	return odd <= 1 + len / 256;
}

/* data: the head of an input that has no format; NULL: it has one, which is not a profile's. */
_Noreturn static void
refuse(const struct lines *in, const struct unreadable *u, const char *data, size_t len)
{
	const struct foldedtest flat =
	    data == NULL ? (struct foldedtest){0} : foldedtest(data, len, false);

	if (u != NULL)
		cli_die("%s: looks like %s, which fg-collapse cannot read; use %s", lines_name(in),
		    u->what, u->instead);
	if (flat.sure > 0 && flat.flat)
		cli_die("%s: has lines of a name and a number; if these are stacks of one frame, "
			"use -f folded",
		    lines_name(in));
	cli_die(
	    "%s: unknown format; fg-collapse -l lists the formats, -f selects one", lines_name(in));
}

/* The format whose sniffer is surest; others, unless NULL, gets the names of all that match. */
static const struct format *
surest(const char *data, size_t len, struct text *others)
{
	const bool text = is_text(data, len);
	const struct format *best = NULL;
	int most = 0;

	for (const struct format_row *row = formats; row->name != NULL; row++) {
		const struct format *f = row->format;
		int sure = f->bytes == FORMAT_ANY || (f->bytes == FORMAT_TEXT) == text
			       ? f->sniff(data, len)
			       : 0;

		if (sure > 0 && others != NULL)
			text_printf(others, "%s%s", others->len > 0 ? ", " : "", row->name);
		if (sure > most) {
			most = sure;
			best = f;
		}
	}
	return best;
}

/*
 * The format of the first bytes without the prefixes of a log, if it is at least as sure as `best`;
 * then they are removed from the input.
 */
static const struct format *
without_prefix(struct lines *in, const char *data, size_t len, const struct format *best)
{
	static struct logprefix prefix;
	const struct format *found;
	struct text head = {0};

	prefix = logprefix_find(data, len);
	if (prefix.shape[0] == 0)
		return best;
	for (const char *at = data, *end = data + len, *newline;
	     at < end && (newline = memchr(at, '\n', (size_t)(end - at))) != NULL;
	     at = newline + 1) {
		size_t n = logprefix_length(&prefix, at, (size_t)(newline - at));

		text_add(&head, at + n, (size_t)(newline + 1 - at) - n);
	}
	found = head.len > 0 ? surest(head.s, head.len, NULL) : NULL;
	if (found != NULL &&
	    (best == NULL || found->sniff(head.s, head.len) >= best->sniff(data, len))) {
		cli_note("%s: a prefix was removed from each line", lines_name(in));
		lines_strip(in, logprefix_length, &prefix);
		best = found;
	}
	text_free(&head);
	return best;
}

const struct format *
detect(struct lines *in)
{
	const struct format *best;
	size_t len;
	const char *data = lines_peek(in, &len);
	struct text others = {0};

	if (len == 0)
		return NULL;
	best = surest(data, len, &others);
	if (best == NULL || best->bytes != FORMAT_BINARY)
		best = without_prefix(in, data, len, best);
	if (best == NULL)
		refuse(in, unreadable_find(data, len), data, len);
	if (best->bytes != FORMAT_BINARY && !best->pages) {
		const struct unreadable *document =
		    unreadable_document(data, len, best->sniff(data, len));

		if (document != NULL)
			refuse(in, document, NULL, 0);
	}
	if (cli_verbose && memchr(others.s, ',', others.len) != NULL)
		cli_note("%s: several formats match: %s", lines_name(in), others.s);
	text_free(&others);
	return best;
}

/* The first SOURCE_PEEK bytes of a regular file, until the next call; NULL for others. */
static const char *
read_head(const char *path, size_t *len)
{
	static char data[SOURCE_PEEK];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n = -1;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = read(fd, data, SOURCE_PEEK);
	if (fd >= 0)
		close(fd);
	*len = n > 0 ? (size_t)n : 0;
	return n >= 0 ? data : NULL;
}

#define SMALL 16384 /* bytes; the start of a process takes longer than reading them twice */

bool
detect_names_no_program(const char *path)
{
	static const char *const signs[] = {"@ ", "--- "}; /* of all text formats with programs */
	size_t len;
	const char *data = read_head(path, &len);

	if (data == NULL || len > SMALL || !is_text(data, len))
		return false;
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
		if (memmem(data, len, signs[i], strlen(signs[i])) != NULL)
			return false;
	return true;
}

bool
detect_may_read_programs(const char *path)
{
	size_t len;
	const char *data = read_head(path, &len);
	const struct format *f;

	if (data == NULL || len == 0)
		return data == NULL;
	f = surest(data, len, NULL); /* NULL for compressed data and UTF-16 */
	return f == NULL || f->reads_programs;
}
