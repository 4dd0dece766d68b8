/*
 * detect: decides between text and binary first, then runs all sniffers of that kind.
 */
#include "fg-collapse/detect.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "fg-collapse/unreadable.h"

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
		size_t n = character(s + i, len - i);

		if (is_control(s[i]))
			return false;
		odd += n == 0;
		i += n > 0 ? n : 1;
	}
	return odd <= 1 + len / 256;
}

_Noreturn static void
refuse(const struct lines *in, const char *data, size_t len)
{
	const struct unreadable *u = unreadable_find(data, len);

	if (u != NULL)
		cli_die("%s: looks like %s, which fg-collapse cannot read; use %s", lines_name(in),
		    u->what, u->instead);
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

	for (size_t i = 0; formats[i] != NULL; i++) {
		const struct format *f = formats[i];
		int sure = f->bytes == FORMAT_ANY || (f->bytes == FORMAT_TEXT) == text
			       ? f->sniff(data, len)
			       : 0;

		if (sure > 0 && others != NULL)
			text_printf(others, "%s%s", others->len > 0 ? ", " : "", f->name);
		if (sure > most) {
			most = sure;
			best = f;
		}
	}
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
	if (best == NULL)
		refuse(in, data, len);
	if (cli_verbose && memchr(others.s, ',', others.len) != NULL)
		cli_note("%s: several formats match: %s", lines_name(in), others.s);
	text_free(&others);
	return best;
}

bool
detect_may_read_programs(const char *path)
{
	static char data[SOURCE_PEEK];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const struct format *f;
	struct stat st;
	ssize_t n = -1;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = read(fd, data, SOURCE_PEEK);
	if (fd >= 0)
		close(fd);
	/* Compressed data and UTF-16 match no format here. */
	f = n > 0 ? surest(data, (size_t)n, NULL) : NULL;
	return n != 0 && (f == NULL || f->reads_programs);
}
