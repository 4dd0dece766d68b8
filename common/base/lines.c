/*
 * lines: read(2) into a caller's block, after what was left over from the block
 * before; the block is cut at the last whole record and the rest carried over.
 */
#include "base/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"

#define PIPE_SIZE (1024 * 1024)
#define PEEK (64 * 1024)

struct lines {
	const char *name;
	int fd;
	lines_cut *cut;
	pthread_mutex_t lock;
	char *carry; /* bytes that belong to the next block */
	size_t ncarry, carry_size;
	char *peeked; /* what lines_peek saw, not yet taken */
	size_t npeeked, at_peeked;
	bool started, ended, skipping; /* skipping: within a line that is too long */
	iconv_t utf16; /* (iconv_t)-1 for plain bytes */
	char raw[2048]; /* UTF-16 that was read and not yet converted */
	size_t nraw;
	uint64_t seq, size, overlong;
	uint64_t taken; /* bytes of blocks, for the progress line */
	uint32_t *lines; /* by block */
	size_t nlines;
	/* Of a file that was split: */
	bool split;
	uint64_t at, end; /* the part's next byte and its end in the file */
	struct lines *before, *after; /* the neighbouring parts */
	struct lines *whole; /* the first of them */
};

size_t
lines_cut_line(const char *data, size_t len)
{
	(void)data;
	return len;
}

struct lines *
lines_open(const char *path, lines_cut *cut)
{
	bool standard = strcmp(path, "-") == 0;
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct lines *in;
	struct stat st = {0};

	if (fd < 0)
		cli_die("%s: %s", path, strerror(errno));
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		cli_die("%s: %s", standard ? "stdin" : path, strerror(EISDIR));
	in = cli_alloc(1, sizeof *in);
	in->cut = cut;
	in->utf16 = (iconv_t)-1;
	pthread_mutex_init(&in->lock, NULL);
	in->name = standard ? "stdin" : path;
	in->fd = fd;
	if (S_ISREG(st.st_mode))
		in->size = (uint64_t)st.st_size;
	if (S_ISFIFO(st.st_mode))
		(void)fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
	return in;
}

static size_t
read_some(struct lines *in, char *buf, size_t len)
{
	if (in->split && len > in->end - in->at)
		len = in->end - in->at;
	for (;;) {
		ssize_t n =
		    in->split ? pread(in->fd, buf, len, (off_t)in->at) : read(in->fd, buf, len);

		if (n >= 0) {
			in->at += (uint64_t)n;
			return (size_t)n;
		}
		if (errno != EINTR)
			cli_die("%s: %s", in->name, strerror(errno));
	}
}

/* As much of UTF-16 as there is room for, as UTF-8; the rest is moved to the front of from. */
static size_t
convert(struct lines *in, char *from, size_t *nfrom, char *to, size_t len)
{
	char *at = from, *start = to;

	while (*nfrom > 0 && len >= 3 && iconv(in->utf16, &at, nfrom, &to, &len) == (size_t)-1 &&
	       errno == EILSEQ) {
		memcpy(to, "\xef\xbf\xbd", 3); /* U+FFFD for half a surrogate pair */
		to += 3;
		len -= 3;
		at += 2;
		*nfrom -= 2;
	}
	memmove(from, at, *nfrom); /* half a character waits for the rest */
	return (size_t)(to - start);
}

/* Fill in->peeked as far as one file or a slow pipe gives it, and settle the encoding. */
static void
start(struct lines *in)
{
	const unsigned char *p;
	size_t n;

	in->started = true;
	in->peeked = cli_alloc(PEEK, 1);
	while (in->npeeked < PEEK &&
	       (n = read_some(in, in->peeked + in->npeeked, PEEK - in->npeeked)) > 0) {
		in->npeeked += n;
		if (in->npeeked >= PEEK / 2 && in->size == 0)
			break;
	}
	p = (const unsigned char *)in->peeked;
	if (in->npeeked >= 3 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf) {
		in->at_peeked = 3;
	} else if (in->npeeked >= 2 &&
		   ((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff))) {
		char *text = cli_alloc(2 * PEEK, 1); /* two bytes become three at most */

		in->utf16 = iconv_open("UTF-8", p[0] == 0xff ? "UTF-16LE" : "UTF-16BE");
		in->nraw = in->npeeked - 2;
		in->npeeked = convert(in, in->peeked + 2, &in->nraw, text, 2 * PEEK);
		memcpy(in->raw, in->peeked + 2, in->nraw);
		free(in->peeked);
		in->peeked = text;
	}
}

/* Bytes as they are, or as UTF-8 out of UTF-16; 0 at the end. len is at least 4. */
static size_t
take_text(struct lines *in, char *buf, size_t len)
{
	size_t left = in->npeeked - in->at_peeked, n = 0;

	if (left > 0) {
		if (left < len)
			len = left;
		memcpy(buf, in->peeked + in->at_peeked, len);
		in->at_peeked += len;
		return len;
	}
	if (in->utf16 == (iconv_t)-1)
		return read_some(in, buf, len);
	while (n == 0) {
		size_t more = read_some(in, in->raw + in->nraw, sizeof in->raw - in->nraw);

		if (more == 0 && in->nraw < 4)
			return 0;
		in->nraw += more;
		n = convert(in, in->raw, &in->nraw, buf, len);
	}
	return n;
}

static void
block_reserve(struct lines_block *b, size_t size)
{
	if (size + LINES_PAD > b->size) {
		b->size = size + LINES_PAD;
		b->data = cli_realloc(b->data, b->size, 1);
	}
}

void
lines_cut_with(struct lines *in, lines_cut *cut)
{
	in->cut = cut;
}

const char *
lines_peek(struct lines *in, size_t *len)
{
	if (!in->started)
		start(in);
	*len = in->npeeked - in->at_peeked;
	return in->peeked + in->at_peeked;
}

/* What the next block begins with. */
static void
carry_over(struct lines *in, const char *data, size_t len)
{
	if (len > in->carry_size) {
		in->carry_size = len;
		in->carry = cli_realloc(in->carry, len, 1);
	}
	if (len > 0)
		memcpy(in->carry, data, len);
	in->ncarry = len;
}

/*
 * What is left of n bytes within a line that is too long: its newline and what
 * follows.
 */
static size_t
skip_overlong(struct lines *in, char *data, size_t n)
{
	char *newline = memchr(data, '\n', n);

	if (newline == NULL)
		return 0;
	in->skipping = false;
	n -= (size_t)(newline - data);
	memmove(data, newline, n);
	return n;
}

static bool
fill(struct lines *in, struct lines_block *b)
{
	size_t len = in->ncarry, want = LINES_BLOCK, line;
	char *last;

	if (!in->started)
		start(in);
	block_reserve(b, len + want);
	if (len > 0)
		memcpy(b->data, in->carry, len);
	in->ncarry = 0;
	last = memrchr(b->data, '\n', len);
	line =
	    last != NULL ? (size_t)(last + 1 - b->data) : 0; /* where the unfinished line begins */
	while (!in->ended) {
		/* Whether a line is too long must not depend on how it comes in pieces. */
		size_t room = LINES_MAX + 1 - (len - line), n, cut;

		if (room < 4 && in->utf16 != (iconv_t)-1)
			room = 4;
		block_reserve(b, len + want);
		n = take_text(in, b->data + len, want < room ? want : room);
		if (n == 0) {
			in->ended = true;
			break;
		}
		if (in->skipping)
			n = skip_overlong(in, b->data + len, n);
		last = memrchr(b->data + len, '\n', n);
		len += n;
		if (last != NULL) {
			line = (size_t)(last + 1 - b->data);
			cut = in->cut(b->data, line);
			if (cut == 0 && len > LINES_MAX)
				cut = line; /* no record is that long */
			if (cut != 0) {
				carry_over(in, b->data + cut, len - cut);
				b->len = cut;
				return true;
			}
		} else if (len - line > LINES_MAX) {
			/* It becomes a comment, so that it ends no record and line numbers stay
			 * right. */
			in->overlong++;
			in->skipping = true;
			memcpy(b->data + line, "# ", 2);
			len = line + 2;
		}
		if (want < len)
			want = len; /* look again only when there is twice as much */
	}
	if (len > 0 && b->data[len - 1] != '\n')
		b->data[len++] = '\n';
	b->len = len;
	return len > 0;
}

/* cli_progress remembers what it said last: one thread at a time, for all parts of a file. */
static void
progress(struct lines *in, size_t len)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	in->taken += len;
	if (in->size > 0)
		cli_progress(
		    "%s: %d %%", in->name, (int)(100.0 * (double)in->taken / (double)in->size));
	else
		cli_progress("%s: %llu MB", in->name, (unsigned long long)(in->taken >> 20));
	pthread_mutex_unlock(&lock);
}

bool
lines_next(struct lines *in, struct lines_block *b)
{
	bool more;

	pthread_mutex_lock(&in->lock);
	more = fill(in, b);
	b->seq = in->seq++;
	pthread_mutex_unlock(&in->lock);
	progress(in->whole != NULL ? in->whole : in, b->len);
	return more;
}

/* The first place from `at` on where a record ends, or 0 when it is not to be seen nearby. */
static uint64_t
record_end(struct lines *in, uint64_t at, char *window)
{
	ssize_t n = pread(in->fd, window, LINES_BLOCK, (off_t)at);
	char *first, *last;
	size_t cut;

	if (n <= 0 || (first = memchr(window, '\n', (size_t)n)) == NULL)
		return 0;
	first++;
	last = memrchr(first, '\n', (size_t)(window + n - first));
	if (last == NULL)
		return 0;
	cut = in->cut(first, (size_t)(last + 1 - first));
	return cut != 0 ? at + (uint64_t)(first - window) + cut : 0;
}

unsigned
lines_split(struct lines *in, struct lines **part, unsigned n)
{
	off_t now = lseek(in->fd, 0, SEEK_CUR);
	uint64_t left;
	unsigned made = 1;
	char *window;

	part[0] = in;
	if (in->size == 0 || in->utf16 != (iconv_t)-1 || now < 0 || (uint64_t)now >= in->size)
		return 1;
	left = in->size - (uint64_t)now;
	if (left / n < 4 * LINES_BLOCK)
		n = (unsigned)(left / (4 * LINES_BLOCK));
	if (n < 2)
		return 1;
	window = cli_alloc(LINES_BLOCK + LINES_PAD, 1);
	in->split = true;
	in->at = (uint64_t)now;
	in->end = UINT64_MAX;
	for (unsigned i = 1; i < n; i++) {
		uint64_t cut = record_end(in, (uint64_t)now + left / n * i, window);
		struct lines *next, *last = part[made - 1];

		if (cut <= last->at)
			continue;
		next = cli_alloc(1, sizeof *next);
		*next = (struct lines){.name = in->name,
		    .fd = in->fd,
		    .cut = in->cut,
		    .size = in->size,
		    .started = true,
		    .utf16 = (iconv_t)-1,
		    .split = true,
		    .at = cut,
		    .end = UINT64_MAX,
		    .before = last,
		    .whole = in};
		pthread_mutex_init(&next->lock, NULL);
		last->end = cut;
		last->after = next;
		part[made++] = next;
	}
	free(window);
	return made;
}

void
lines_count(struct lines *in, uint64_t seq, uint32_t lines)
{
	pthread_mutex_lock(&in->lock);
	if (seq >= in->nlines) {
		size_t n = seq + 64 > 2 * in->nlines ? seq + 64 : 2 * in->nlines;

		in->lines = cli_realloc(in->lines, n, sizeof *in->lines);
		memset(in->lines + in->nlines, 0, (n - in->nlines) * sizeof *in->lines);
		in->nlines = n;
	}
	in->lines[seq] = lines;
	pthread_mutex_unlock(&in->lock);
}

uint64_t
lines_number(const struct lines *in, uint64_t seq, uint32_t line)
{
	uint64_t sum = 1 + (uint64_t)line;

	for (uint64_t i = 0; i < seq && i < in->nlines; i++)
		sum += in->lines[i];
	for (in = in->before; in != NULL; in = in->before)
		for (uint64_t i = 0; i < in->nlines; i++)
			sum += in->lines[i];
	return sum;
}

const char *
lines_name(const struct lines *in)
{
	return in->name;
}

uint64_t
lines_overlong(const struct lines *in, bool strict)
{
	uint64_t overlong = 0;

	for (const struct lines *part = in; part != NULL; part = part->after)
		overlong += part->overlong;
	if (overlong != 0 && strict)
		cli_die("%s: a line is longer than %d MB", in->name, LINES_MAX >> 20);
	if (overlong != 0)
		cli_warn("%s: %llu lines longer than %d MB were left out", in->name,
		    (unsigned long long)overlong, LINES_MAX >> 20);
	return overlong;
}

void
lines_block_free(struct lines_block *b)
{
	free(b->data);
	*b = (struct lines_block){0};
}

void
lines_close(struct lines *in)
{
	cli_progress_end();
	if (in->after != NULL)
		lines_close(in->after);
	if (in->fd != STDIN_FILENO && in->before == NULL)
		close(in->fd);
	if (in->utf16 != (iconv_t)-1)
		iconv_close(in->utf16);
	pthread_mutex_destroy(&in->lock);
	free(in->carry);
	free(in->peeked);
	free(in->lines);
	free(in);
}
